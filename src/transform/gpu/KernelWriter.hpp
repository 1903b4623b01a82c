// The ops that kernels are written with: numbers, sizes of the loops of a linalg op, vectors.
#pragma once

#include "../hierarchy/Hierarchy.hpp"
#include "GpuModule.hpp"
#include "airlite/device/GpuMatrix.hpp"

#include <array>
#include <span>
#include <vector>

namespace airlite::gpu {

/// Operands are numbers that have bytes of their own in memory, as those of i1 do.
bool hasWideOperands(linalg::StructuredOp op);
/// An op of a body that can be computed on vectors: an elementwise one or a constant.
bool isWideOp(Operation& inner);
/// The body can be computed on vectors.
bool hasWideBody(linalg::StructuredOp op);

/// A vector lies along these dimensions of a memref, some of which it may leave.
struct VectorPlace {
  Value memref;
  std::vector<Value> indices;
  AffineMap map;             ///< from the dimensions of the memref to those of the vector
  std::vector<bool> inside;  ///< for each dimension of the vector: it does not leave the memref
  double outside = 0;        ///< what is read where it leaves the memref
};

/// What stands around a workgroup, outermost first, and which point of the grid it takes; y and z are
/// null in a grid without them.
struct GroupLevels {
  std::vector<air::HierarchyOp> levels;
  Value x, y, z;
};

/// Points of a grid that workgroups take in turns, and those of one of them.
struct GroupTurns {
  std::vector<air::HierarchyOp> levels;
  Value first, end;  ///< numbers of points of the workgroup
  int64_t step = 1;
};

/// Writes ops for `op` where the builder is. One class: short forms of a few lines each, which all writers of
/// kernels inherit by name.
class KernelWriter {
 protected:
  explicit KernelWriter(linalg::StructuredOp op)
      : op_(op), builder_(Builder::before(*op)), place_(*op) {}
  /// For another op than one of linalg, in front of which the kernel is written: `op_` is null.
  explicit KernelWriter(Operation& place)
      : op_(nullptr), builder_(Builder::before(place)), place_(place) {}

  Location location() const { return place_.location(); }
  Context& context() const { return place_.context(); }

  // -- Numbers
  Value index(int64_t value) { return builder_.constantIndex(location(), value); }
  Value binary(std::string_view name, Value a, Value b);
  Value plus(Value a, int64_t b);
  Value times(Value a, int64_t b);
  /// Of numbers that are not negative, rounded up.
  Value ceilDiv(Value a, int64_t b);
  Value quotient(Value a, int64_t b) { return b == 1 ? a : binary("arith.divui", a, index(b)); }
  Value remainder(Value a, int64_t b) {
    return b == 1 ? index(0) : binary("arith.remui", a, index(b));
  }
  /// Of numbers without sign, or vectors of them.
  Value isBelow(Value a, Value b);
  Value sizeOf(unsigned loop);
  /// Of the sizes of these loops.
  Value productOf(std::span<const unsigned> loops);

  // -- Workgroups
  /// Opens the levels around workgroups, a point of the grid for each; the builder is in the innermost
  /// then, a segment. `sizes`: x, and y and z where there are any.
  GroupLevels openWorkgroups(std::span<const Value> sizes);
  /// The same for a grid of `width` x `height` points of which each XCD gets those next to each other, columns
  /// of `high` rows one after the other, so that they share what is in its L2: where the XCDs divide it,
  /// the levels are launch, XCDs, compute units of an XCD.
  GroupLevels openWorkgroupsOfXcds(std::span<const Value> sizes, int64_t width, int64_t height,
                                   int64_t high, const amdgpu::GpuDevice& device);
  /// `groups` workgroups for `points` points, more than those: each XCD has points next to each other, which its
  /// workgroups take in turns.
  GroupTurns openWorkgroupsInTurns(int64_t groups, int64_t points, const amdgpu::GpuDevice& device);
  void workgroupBarrier();
  /// Gives the levels what they use from outside, when all is written.
  static void closeWorkgroups(std::span<const air::HierarchyOp> levels);

  // -- Vectors
  /// `number` as an attribute of this type.
  static Attribute numberAttr(Type type, double number);
  VectorType vectorType(std::initializer_list<int64_t> shape, Type element) const;
  Value zeroVector(VectorType type);
  Value broadcast(Value number, VectorType type);
  Value read(const VectorPlace& place, VectorType type);
  void write(const VectorPlace& place, Value vector);
  /// Of rank 2.
  Value transpose(Value vector);
  /// A vector, or a number, to elements of another width, integers by their sign.
  Value convert(Value vector, Type element);
  /// As vector::ContractOp::create.
  Value contract(Value lhs, Value rhs, Value sum, std::array<unsigned, 2> lhsLoops,
                 std::array<unsigned, 2> rhsLoops);

  /// The body of an op on vectors of this shape in place of its elements: `arguments` are those of the
  /// body, numbers or vectors, null where it does not use them. What it yields, as vectors.
  std::vector<Value> applyBody(linalg::StructuredOp op, std::span<const Value> arguments,
                               std::span<const int64_t> shape);

  linalg::StructuredOp op_;
  Builder builder_;

 private:
  Operation& place_;
  Value wide(Value value, std::span<const int64_t> shape);
  void addPlace(OperationState& state, const VectorPlace& place);
};

}  // namespace airlite::gpu
