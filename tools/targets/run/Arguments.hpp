// Values for the arguments of a function, from files, numbers or a seed, and the way back.
#pragma once

#include "../../common/Npy.hpp"
#include "airlite/host/HostValue.hpp"
#include "airlite/support/Result.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace airlite::tools {

/// What fills the arguments that no file is given for.
enum class InitKind { None, Zero, Random };

/// Texts of `N=...` options by N, which counts the arguments, then the results, from 0.
using Positions = std::map<unsigned, std::string>;

/// Reads `N=TEXT`. An error when it is not of this form or N appears twice.
Result<void> addPosition(const std::string& option, const std::string& text, Positions& positions);

struct ArgumentRequest {
  Positions inputs;   // file names, or numbers for scalars
  Positions shapes;   // "4x8"
  Positions outputs;  // file names; such an argument starts as zeros when nothing fills it
  Positions expects;
  InitKind init = InitKind::None;
  uint64_t seed = 0;
};

/// One argument: what the function gets, and its memory.
struct Argument {
  ArgLayout layout;
  NpyArray array;                  // row-major; of one element for a scalar
  std::vector<std::byte> strided;  // the memory of a memref whose layout is not row-major
  HostValue value;
};

/// An error names the argument.
Result<std::vector<Argument>> makeArguments(const HostFunction& function,
                                            const ArgumentRequest& request);

/// What is in the memory of an argument now.
NpyArray arrayOf(const Argument& argument);
/// A result as an array; a scalar has no dimensions.
NpyArray arrayOf(const ArgLayout& layout, const HostValue& result);

/// The array type for elements of a layout; empty for one that .npy has no name for.
std::optional<NpyType> npyTypeOf(const ArgLayout& layout);

/// True for equal types, and for integers that differ in the sign alone: `i8` has none.
bool sameBits(NpyType a, NpyType b);

std::string shapeText(const std::vector<int64_t>& shape);

}  // namespace airlite::tools
