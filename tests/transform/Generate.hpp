// Random programs for the test that passes keep what a program means.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace airlite::evaluation {

using Random = std::mt19937_64;

/// A module with `func.func @f` of the signature below and a declared `@observe(i32)`. Loops are
/// bounded and memory is accessed within its bounds; divisions, shifts and overflow flags may still
/// be undefined. `blocks`: unstructured control flow (cf) instead of scf and affine.
std::string randomProgram(Random& random, bool blocks);

/// One of the arguments of `@f`: a scalar, or a memref with static sizes in the generator's eyes.
struct Parameter {
  const char* name;
  const char* type;
  const char* element;         // of a memref; null for a scalar
  std::vector<int64_t> sizes;  // of a memref
};
const std::vector<Parameter>& parameters();

}  // namespace airlite::evaluation
