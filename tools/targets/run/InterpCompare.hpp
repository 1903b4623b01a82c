// Compares what a run has left with what the reference interpreter makes of the same arguments.
//
//   return compareWithInterpreter({*copy, *function, std::move(before)}, {signature, arguments, results}, {relative, absolute});
#pragma once

#include "Deliver.hpp"
#include "Interp.hpp"
#include "airlite/ir/Operation.hpp"

#include <optional>
#include <vector>

namespace airlite::tools {

/// What the interpreter makes of `arguments`, which it changes; none after an error, which has been said.
std::optional<InterpOutcome> runReference(Operation& module, Operation& function,
                                          std::vector<Argument>& arguments);

/// The run that the interpreter makes: a program, and the arguments as they were given.
struct InterpReference {
  Operation& module;
  Operation& function;
  std::vector<Argument> arguments;
};

/// What floats of a type may differ by, relative and absolute, where units add and compute them in an order and
/// by functions of their own: 2^-12 for f32, 2^-7 for f16, 2^-4 for bf16, one step for floats of eight bits. Nothing for all else.
Tolerance usualTolerance(NpyType type);

/// Says how each argument and result compares, or fails with the first element that differs. Integers have to have the same
/// bits. Floats may differ by what `asked` allows; where that is nothing, not at all with `exact`, else by the usual. An exit code.
int compareWithInterpreter(InterpReference reference, const Delivery& delivery,
                           const Tolerance& asked, bool exact);

}  // namespace airlite::tools
