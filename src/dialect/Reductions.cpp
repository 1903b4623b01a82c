#include "airlite/dialect/Reductions.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace airlite {

namespace {

enum class Start : uint8_t { Zero, One, AllOnes, Least, Greatest, None };

struct Reduction {
  std::string_view combiner;
  Start start;
};

/// By number, as memref::AtomicKind.
constexpr Reduction kReductions[] = {
    {"arith.addf", Start::Zero},
    {"arith.addi", Start::Zero},
    {"", Start::None},
    {"arith.maximumf", Start::Least},
    {"arith.maxsi", Start::Least},
    {"arith.maxui", Start::Zero},
    {"arith.minimumf", Start::Greatest},
    {"arith.minsi", Start::Greatest},
    {"arith.minui", Start::AllOnes},
    {"arith.mulf", Start::One},
    {"arith.muli", Start::One},
    {"arith.ori", Start::Zero},
    {"arith.andi", Start::AllOnes},
    {"arith.maxnumf", Start::Least},
    {"arith.minnumf", Start::Greatest},
};

Reduction reductionOf(memref::AtomicKind kind) {
  auto at = static_cast<size_t>(kind);
  return at < std::size(kReductions) ? kReductions[at] : Reduction{"", Start::None};
}

Attribute floatStart(Type type, Start start) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (start) {
    case Start::One: return FloatAttr::get(type, 1.0);
    case Start::Least: return FloatAttr::get(type, -kInfinity);
    case Start::Greatest: return FloatAttr::get(type, kInfinity);
    default: return FloatAttr::get(type, 0.0);
  }
}

Attribute intStart(Type type, Start start) {
  unsigned width = std::min(type.bitWidth(), 64u);
  auto least = static_cast<int64_t>(~uint64_t{0} << (width - 1));
  switch (start) {
    case Start::One: return IntegerAttr::get(type, 1);
    case Start::AllOnes: return IntegerAttr::get(type, -1);
    case Start::Least: return IntegerAttr::get(type, least);
    case Start::Greatest: return IntegerAttr::get(type, ~least);
    default: return IntegerAttr::get(type, 0);
  }
}

}  // namespace

std::string_view combinerOf(memref::AtomicKind kind) { return reductionOf(kind).combiner; }

Attribute neutralOf(memref::AtomicKind kind, Type type) {
  Start start = reductionOf(kind).start;
  if (start == Start::None) return Attribute();
  if (type.isFloat()) return floatStart(type, start);
  bool isKnown = type.isIndex() || (type.isSignlessInteger() && type.bitWidth() <= 64);
  return isKnown ? intStart(type, start) : Attribute();
}

}  // namespace airlite
