// Typed views of the vector dialect.
//
//   if (auto read = dynCast<vector::TransferOp>(&op); read && read.isAllInBounds())
//     visit(read.source(), read.vectorType());
#pragma once

#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace airlite::vector {

/// vector.load, vector.maskedload, vector.expandload and the like: base and indices first.
class LoadOp : public OpView {
 public:
  using OpView::OpView;
  Value base() const { return op_->operand(0); }
  MemRefType baseType() const { return base().type().cast<MemRefType>(); }
  OperandRange indices() const { return op_->operandGroup(1u); }
  Value result() const { return op_->result(); }
  VectorType vectorType() const { return result().type().cast<VectorType>(); }
};

class StoreOp : public OpView {
 public:
  using OpView::OpView;
  Value value() const { return op_->operand(0); }
  Value base() const { return op_->operand(1); }
  MemRefType baseType() const { return base().type().cast<MemRefType>(); }
  OperandRange indices() const { return op_->operandGroup(2u); }
  VectorType vectorType() const { return value().type().cast<VectorType>(); }
};

/// What transfer_read and transfer_write share.
class TransferOp : public OpView {
 public:
  using OpView::OpView;
  bool isRead() const { return op_->is("vector.transfer_read"); }
  /// The memref or tensor.
  Value source() const { return op_->operand(isRead() ? 0 : 1); }
  ShapedType shapedType() const { return source().type().cast<ShapedType>(); }
  OperandRange indices() const { return op_->operandGroup("indices"); }
  VectorType vectorType() const {
    return (isRead() ? op_->result() : op_->operand(0)).type().cast<VectorType>();
  }
  AffineMap permutationMap() const { return op_->attrOf<AffineMapAttr>("permutation_map").value(); }
  /// Null when there is none.
  Value mask() const;
  /// For each dimension of the vector.
  bool isInBounds(unsigned dim) const;
  bool isAllInBounds() const;
  /// Dimensions of the vector that repeat one element: their result in the map is 0.
  bool isBroadcastDim(unsigned dim) const;
  /// The vector lies along the innermost dimensions, in their order.
  bool isMinorIdentity() const;
};

class TransferReadOp : public TransferOp {
 public:
  using TransferOp::TransferOp;
  Value padding() const { return op_->operandGroup("padding")[0]; }
  Value result() const { return op_->result(); }
};

class TransferWriteOp : public TransferOp {
 public:
  using TransferOp::TransferOp;
  Value value() const { return op_->operand(0); }
};

class BroadcastOp : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  Value result() const { return op_->result(); }
};

/// vector.extract and vector.insert: a position made of constants and values.
class PositionOp : public OpView {
 public:
  using OpView::OpView;
  /// kDynamic in the positions of values.
  std::span<const int64_t> staticPosition() const {
    auto attr = op_->attrOf<DenseArrayAttr>("static_position");
    return attr ? attr.values() : std::span<const int64_t>();
  }
  OperandRange dynamicPosition() const { return op_->operandGroup("dynamic_position"); }
  bool isStatic() const { return dynamicPosition().empty(); }
};

/// The numbers of the elements that a vector.shuffle takes.
std::vector<int64_t> maskOf(const Operation& op);

/// By how many lanes a vector.shuffle of a vector with itself turns it: lane i of the result is
/// lane i + that many. None for other shuffles.
std::optional<int64_t> rotationOf(const Operation& op);
/// Whether a vector.shuffle puts two vectors one after the other, whole.
bool isConcatenation(const Operation& op);

/// The lanes that a vector.shuffle of two vectors of its result's type takes from the second, bit by bit, where each
/// lane stays in its place. None for other shuffles, and for more than 64 lanes.
std::optional<uint64_t> blendOf(const Operation& op);

class ExtractOp : public PositionOp {
 public:
  using PositionOp::PositionOp;
  Value source() const { return op_->operand(0); }
  Value result() const { return op_->result(); }
  static ExtractOp create(Builder& builder, Location location, Value source,
                          std::span<const int64_t> position);
};

class InsertOp : public PositionOp {
 public:
  using PositionOp::PositionOp;
  Value source() const { return op_->operand(0); }
  Value dest() const { return op_->operand(1); }
  Value result() const { return op_->result(); }
};

/// vector.reduction and vector.multi_reduction.
class ReductionOp : public OpView {
 public:
  using OpView::OpView;
  /// add, mul, minui, ..., xor.
  std::string_view kind() const { return op_->attrOf<DialectAttr>("kind").keyword(); }
  Value source() const { return op_->operand(0); }
  /// Null when there is none.
  Value accumulator() const { return op_->numOperands() > 1 ? op_->operand(1) : Value(); }
  Value result() const { return op_->result(); }
};

class MultiReductionOp : public ReductionOp {
 public:
  using ReductionOp::ReductionOp;
  bool isReducedDim(unsigned dim) const;
  /// Dimensions of the source that the result has.
  std::vector<int64_t> keptDims() const;
};

class ContractOp : public OpView {
 public:
  using OpView::OpView;
  /// sum[0, 1] + lhs * rhs, of matrices: along which loops the dimensions of both factors lie, 0 and 1 those of the sum, 2 the one that is
  /// summed up.
  static ContractOp create(Builder& builder, Location location, Value lhs, Value rhs, Value sum,
                           std::array<unsigned, 2> lhsLoops, std::array<unsigned, 2> rhsLoops);
  Value lhs() const { return op_->operand(0); }
  Value rhs() const { return op_->operand(1); }
  Value accumulator() const { return op_->operand(2); }
  Value result() const { return op_->result(); }
  std::string_view kind() const;
  std::vector<AffineMap> indexingMaps() const;
  /// "parallel" or "reduction" for each dimension of the maps.
  std::vector<std::string_view> iterators() const;
};

class ShapeCastOp : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  Value result() const { return op_->result(); }
};

class FmaOp : public OpView {
 public:
  using OpView::OpView;
  Value lhs() const { return op_->operand(0); }
  Value rhs() const { return op_->operand(1); }
  Value accumulator() const { return op_->operand(2); }
  Value result() const { return op_->result(); }
};

/// Whether `op` computes each element of its vectors from those at the same place of its operands, which
/// may be scalars too.
bool isElementwise(const Operation& op);

/// The arith op that a combining kind ("add", "minsi", "maxnumf") stands for on scalars; empty for
/// another word, or one that such elements do not have.
std::string_view combiningOp(std::string_view kind, bool isFloat);
/// What leaves any float or integer as it is, when it is combined with it by such a kind: 0 for "add" (of floats -0.0).
Attribute neutralOf(std::string_view kind, Type type);

}  // namespace airlite::vector
