// Compares what a program computed with what was expected.
#pragma once

#include "../../common/Npy.hpp"

#include <string>

namespace airlite::tools {

/// |got - expected| <= absolute + relative * |expected|. Both 0: the same bits are asked for.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

struct Comparison {
  bool equal = false;
  /// "65536 elements, all with the same bits", or the first element that differs.
  std::string text;
};

Comparison compareArrays(const NpyArray& got, const NpyArray& expected, const Tolerance& tolerance);

}  // namespace airlite::tools
