// A launch of linalg ops as data (LaunchToLinalg.cpp): the memory that a point uses, and its steps.
#pragma once

#include "airlite/dialect/Air.hpp"
#include "airlite/pass/Pass.hpp"

#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace airlite {

constexpr unsigned kNoMemory = ~0u;

/// Memory that steps of a point use: a buffer of its own, or a part of an array.
struct PointMemory {
  Value array;  // whose part it is; null: a buffer
  Type element;
  Location location;
  std::vector<int64_t> sizes;
  // Of a part: where its first element lies in the array, and how far apart the next ones are.
  int64_t offset = 0;
  std::vector<int64_t> strides;
  std::vector<int64_t> idStrides;  // one per id
  // What the ids add.
  std::set<unsigned> batch;  // ids with a dimension of their own, in this order

  bool isPart() const { return static_cast<bool>(array); }
};

/// One op of a point. Operands of a copy: source, target; of a reshape: source, result.
struct PointStep {
  enum class Kind { Linalg, Copy, Reshape };
  Kind kind = Kind::Linalg;
  Operation* op = nullptr;
  std::vector<unsigned> memory;  // per operand; kNoMemory: a number
};

/// A launch as data.
struct PointProgram {
  std::vector<int64_t> grid;
  std::vector<int64_t>
      actual;  // how many rows and so on there are along an id; 0: those of all points
  std::vector<PointMemory> memory;
  std::vector<PointStep> steps;
};

/// The value outside of the launch that one in it stands for; null when it is made there.
Value arrayOutside(Value value, Operation& launch);

/// Reads a launch; none, with a remark, when it is none that can be done for all points at once.
std::optional<PointProgram> readPoints(air::LaunchOp launch, PassContext& context);

/// Takes away buffers that only pass on what a part of an array holds.
void dropPassedCopies(PointProgram& program);

/// Gives all points their places in the memory: dimensions become longer, or are added. Why it cannot be done;
/// empty when it is.
std::string_view joinPoints(PointProgram& program);

}  // namespace airlite
