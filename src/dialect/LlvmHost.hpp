// What host code says in the llvm dialect. Defined in LlvmHost.cpp, registered with the others.
#pragma once

#include "airlite/ir/OpDef.hpp"

namespace airlite::llvm {

/// Functions, global data and calls.
void defineSymbols(Dialect& dialect);
/// Constants, addresses and aggregates.
void defineValues(Dialect& dialect);

}  // namespace airlite::llvm
