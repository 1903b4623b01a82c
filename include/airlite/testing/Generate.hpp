// Random AIR programs that are correct by construction: they verify, have no race and no deadlock,
// and compute the same under every schedule. What they are for is asking the interpreter, the
// passes and the checker (docs/checking.md).
//
//   std::string program = testing::generateProgram(7);  // the same text on every machine
#pragma once

#include <cstdint>
#include <string>

namespace airlite::testing {

struct GenerateOptions {
  /// How much happens: 1 is a single launch with little in it.
  unsigned size = 3;
};

/// The text of a module with one public function `@f` of memrefs and a scalar `index`. The same on
/// every machine for the same seed and options.
std::string generateProgram(uint64_t seed, const GenerateOptions& options = {});

/// The text of a module with one public function `@f` of memrefs and one to three linalg ops on
/// them, one after the other: what the recipe (air-npu) starts from. The same on every machine.
std::string generateNest(uint64_t seed);

}  // namespace airlite::testing
