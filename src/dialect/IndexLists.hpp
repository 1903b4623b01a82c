// Mixed lists of constants and index values, written `[0, %i]`.
#pragma once

#include "airlite/text/OpPrinter.hpp"

namespace airlite {

/// Registers `custom<IndexLists>($offsets, $static_offsets, ...)` of declarative formats, written
/// `[0, %i] [4, 4]`. Its arguments come in pairs: the operand group, and the attribute that holds
/// the constants (kDynamic where a value stands).
void registerIndexLists();

/// Prints one list. `statics` null: every entry is a value.
void printIndexList(OpPrinter& printer, OperandRange values, DenseArrayAttr statics);

}  // namespace airlite
