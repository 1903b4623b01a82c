// IR to text.
//
//   std::cout << printToString(*module);
//   std::cout << printToString(op, {.localScope = true});
#pragma once

#include "airlite/ir/Operation.hpp"

#include <string>

namespace airlite {

struct PrintOptions {
  bool generic = false;    // every op in the generic form
  bool debugInfo = false;  // `loc(...)` after each op
  bool aliases = true;     // hoist maps and sets to `#map`
  /// Print only this op, with values from outside named as in the whole program.
  bool localScope = false;
  /// False: the program may be broken; an op that does not verify is printed in the generic form.
  bool assumeVerified = true;
};

/// Ends with a newline when `op` is a module. Printing, parsing and printing again gives the same
/// bytes.
std::string printToString(Operation& op, const PrintOptions& options = {});

}  // namespace airlite
