#include "Rounding.hpp"

#include <algorithm>

namespace airlite::npu::sim::core {
namespace {

/// Codes of crRnd; those that look at half a unit begin with 8.
enum Mode : uint32_t {
  Floor = 0,
  Ceil = 1,
  TowardZero = 2,
  AwayFromZero = 3,
  HalfDown = 8,
  HalfUp = 9,
  HalfTowardZero = 10,
  HalfAwayFromZero = 11,
  HalfToEven = 12,
  HalfToOdd = 13,
};

bool exists(uint32_t mode) {
  return mode <= AwayFromZero || (mode >= HalfDown && mode <= HalfToOdd);
}

/// Whether what lies between two results goes to the upper one; `below` is the lower one.
bool goesUp(uint32_t mode, int64_t below, bool isNegative) {
  switch (mode) {
    case Ceil:
    case HalfUp: return true;
    case TowardZero:
    case HalfTowardZero: return isNegative;
    case AwayFromZero:
    case HalfAwayFromZero: return !isNegative;
    case HalfToEven: return below & 1;
    case HalfToOdd: return !(below & 1);
    default: return false;
  }
}

}  // namespace

bool shiftRounded(int64_t value, unsigned shift, uint32_t mode, int64_t& result) {
  if (!exists(mode)) return false;
  result = value >> shift;
  if (!shift) return true;
  const uint64_t rest = static_cast<uint64_t>(value) & ((uint64_t{1} << shift) - 1);
  const uint64_t half = uint64_t{1} << (shift - 1);
  if (!rest) return true;
  const bool onEdge = mode < HalfDown || rest == half;
  result += onEdge ? goesUp(mode, result, value < 0) : rest > half;
  return true;
}

Limits limitsOf(unsigned bits, bool isSigned, uint32_t crSat) {
  if (!isSigned) return {0, (int64_t{1} << bits) - 1};
  const int64_t largest = (int64_t{1} << (bits - 1)) - 1;
  return {-largest - !(crSat & 2), largest};
}

int64_t saturated(int64_t value, unsigned bits, bool isSigned, uint32_t crSat, bool& overflow) {
  if (!(crSat & 1)) return value;
  const Limits limits = limitsOf(bits, isSigned, crSat);
  const int64_t within = std::clamp(value, limits.smallest, limits.largest);
  overflow |= within != value;
  return within;
}

}  // namespace airlite::npu::sim::core
