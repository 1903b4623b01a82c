// `custom<IndexLists>($offsets, $static_offsets, ...)` of declarative formats: mixed lists of
// constants and index values, written `[0, %i] [4, 4]`.
#pragma once

namespace airlite {

/// Registers the directive. Its arguments come in pairs: the operand group, and the attribute that
/// holds the constants (kDynamic where a value stands).
void registerIndexLists();

}  // namespace airlite
