// Typed views of the memref dialect, and the type rules of its view-making ops.
//
//   if (auto alloc = dynCast<memref::AllocOp>(&op))
//     for (OpOperand& use : alloc->result().uses()) visit(*use.owner());
#pragma once

#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace airlite::memref {

/// An entry of a mixed list (`[0, %i]`): a constant, or a value when `value` is set.
struct MixedIndex {
  int64_t constant = 0;
  Value value;

  MixedIndex() = default;
  MixedIndex(int64_t c) : constant(c) {}  // NOLINT: both are what a list is written with
  MixedIndex(Value v) : constant(kDynamic), value(v) {}  // NOLINT
  bool isConstant() const { return !value; }
  bool operator==(const MixedIndex&) const = default;
};

/// The mixed list that `statics` (kDynamic in the positions of values) and `values` make together.
/// Missing values leave null entries, which a verified op does not have.
std::vector<MixedIndex> mixedIndices(std::span<const int64_t> statics, OperandRange values);
/// Splits a mixed list; values that are constants stay values.
void splitMixed(std::span<const MixedIndex> mixed, std::vector<int64_t>& statics,
                std::vector<Value>& values);

/// Ops with offsets, sizes and strides: memref.subview, memref.reinterpret_cast and the slices of
/// the tensor dialect.
class OffsetSizeStrideView : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  Value result() const { return op_->result(); }
  MemRefType resultType() const { return result().type().cast<MemRefType>(); }
  std::span<const int64_t> staticOffsets() const { return statics("static_offsets"); }
  std::span<const int64_t> staticSizes() const { return statics("static_sizes"); }
  std::span<const int64_t> staticStrides() const { return statics("static_strides"); }
  std::vector<MixedIndex> offsets() const { return mixed("offsets", "static_offsets"); }
  std::vector<MixedIndex> sizes() const { return mixed("sizes", "static_sizes"); }
  std::vector<MixedIndex> strides() const { return mixed("strides", "static_strides"); }

 private:
  std::span<const int64_t> statics(std::string_view name) const {
    auto attr = op_->attrOf<DenseArrayAttr>(name);
    return attr ? attr.values() : std::span<const int64_t>();
  }
  std::vector<MixedIndex> mixed(std::string_view group, std::string_view name) const {
    return mixedIndices(statics(name), op_->operandGroup(group));
  }
};

class AllocLikeOp : public OpView {
 public:
  using OpView::OpView;
  Value result() const { return op_->result(); }
  MemRefType type() const { return result().type().cast<MemRefType>(); }
  OperandRange dynamicSizes() const { return op_->operandGroup(0u); }
  OperandRange symbolOperands() const { return op_->operandGroup(1u); }
  /// In bytes; empty when the program does not ask for one.
  std::optional<int64_t> alignment() const;
};

class AllocOp : public AllocLikeOp {
 public:
  using AllocLikeOp::AllocLikeOp;
  static AllocOp create(Builder& builder, Location location, MemRefType type,
                        std::span<const Value> dynamicSizes = {});
};

class AllocaOp : public AllocLikeOp {
 public:
  using AllocLikeOp::AllocLikeOp;
  static AllocaOp create(Builder& builder, Location location, MemRefType type,
                         std::span<const Value> dynamicSizes = {});
};

class DeallocOp : public OpView {
 public:
  using OpView::OpView;
  Value memref() const { return op_->operand(0); }
  static DeallocOp create(Builder& builder, Location location, Value memref);
};

class LoadOp : public OpView {
 public:
  using OpView::OpView;
  Value memref() const { return op_->operand(0); }
  MemRefType memrefType() const { return memref().type().cast<MemRefType>(); }
  OperandRange indices() const { return op_->operandGroup(1u); }
  Value result() const { return op_->result(); }
  static LoadOp create(Builder& builder, Location location, Value memref,
                       std::span<const Value> indices);
};

class StoreOp : public OpView {
 public:
  using OpView::OpView;
  Value value() const { return op_->operand(0); }
  Value memref() const { return op_->operand(1); }
  MemRefType memrefType() const { return memref().type().cast<MemRefType>(); }
  OperandRange indices() const { return op_->operandGroup(2u); }
  static StoreOp create(Builder& builder, Location location, Value value, Value memref,
                        std::span<const Value> indices);
};

class CopyOp : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  Value target() const { return op_->operand(1); }
  static CopyOp create(Builder& builder, Location location, Value source, Value target);
};

class CastOp : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  Value result() const { return op_->result(); }
  /// Both are memrefs that differ only in what one of them does not know statically.
  static bool compatible(Type from, Type to);
  static CastOp create(Builder& builder, Location location, Value source, Type type);
};

class SubViewOp : public OffsetSizeStrideView {
 public:
  using OffsetSizeStrideView::OffsetSizeStrideView;
  MemRefType sourceType() const { return source().type().cast<MemRefType>(); }
  /// The type without rank reduction; null when the source has no strides or a list does not
  /// match its rank.
  static MemRefType inferType(MemRefType source, std::span<const int64_t> offsets,
                              std::span<const int64_t> sizes, std::span<const int64_t> strides);
  /// The same without the dims that are dropped.
  static MemRefType inferReducedType(MemRefType source, std::span<const int64_t> offsets,
                                     std::span<const int64_t> sizes,
                                     std::span<const int64_t> strides,
                                     const std::vector<bool>& dropped);
  /// Which source dims the result leaves out; empty when the result is not a rank reduction.
  std::optional<std::vector<bool>> droppedDims() const;
  /// `type` null: the inferred type.
  static SubViewOp create(Builder& builder, Location location, Value source,
                          std::span<const MixedIndex> offsets, std::span<const MixedIndex> sizes,
                          std::span<const MixedIndex> strides, MemRefType type = MemRefType());
};

class ReinterpretCastOp : public OffsetSizeStrideView {
 public:
  using OffsetSizeStrideView::OffsetSizeStrideView;
  static ReinterpretCastOp create(Builder& builder, Location location, Value source,
                                  MixedIndex offset, std::span<const MixedIndex> sizes,
                                  std::span<const MixedIndex> strides, MemRefType type);
};

using Reassociation = std::vector<std::vector<int64_t>>;

/// expand_shape and collapse_shape.
class ReshapeView : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  Value result() const { return op_->result(); }
  MemRefType sourceType() const { return source().type().cast<MemRefType>(); }
  MemRefType resultType() const { return result().type().cast<MemRefType>(); }
  Reassociation reassociation() const;
};

class ExpandShapeOp : public ReshapeView {
 public:
  using ReshapeView::ReshapeView;
  /// `shape` is static. inferType must not be null, here and below.
  static ExpandShapeOp create(Builder& builder, Location location, Value source,
                              std::span<const int64_t> shape, const Reassociation& groups);
  /// Null when the source has no strides or the groups do not fit.
  static MemRefType inferType(MemRefType source, std::span<const int64_t> shape,
                              const Reassociation& groups);
  std::vector<MixedIndex> outputShape() const {
    auto shape = op_->attrOf<DenseArrayAttr>("static_output_shape");
    return mixedIndices(shape ? shape.values() : std::span<const int64_t>(), op_->operandGroup(1u));
  }
};

class CollapseShapeOp : public ReshapeView {
 public:
  using ReshapeView::ReshapeView;
  static CollapseShapeOp create(Builder& builder, Location location, Value source,
                                const Reassociation& groups);
  /// Null when a group is not contiguous in memory or does not fit.
  static MemRefType inferType(MemRefType source, const Reassociation& groups);
};

class TransposeOp : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  Value result() const { return op_->result(); }
  AffineMap permutation() const { return op_->attrOf<AffineMapAttr>("permutation").value(); }
  /// Null when the source has no strides.
  static MemRefType inferType(MemRefType source, AffineMap permutation);
};

class ViewOp : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  Value byteShift() const { return op_->operand(1); }
  OperandRange sizes() const { return op_->operandGroup(2u); }
  MemRefType resultType() const { return op_->result().type().cast<MemRefType>(); }
};

class DimOp : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  Value index() const { return op_->operand(1); }
  static DimOp create(Builder& builder, Location location, Value source, int64_t index);
};

class GlobalOp : public OpView {
 public:
  using OpView::OpView;
  std::string_view name() const { return op_->attrOf<StringAttr>("sym_name").value(); }
  MemRefType type() const;
  bool isConstant() const { return op_->hasAttr("constant"); }
  /// Null when there is none (external) or it is `uninitialized`.
  DenseElementsAttr initialValue() const { return op_->attrOf<DenseElementsAttr>("initial_value"); }
  bool isUninitialized() const { return bool(op_->attrOf<UnitAttr>("initial_value")); }
  bool isExternal() const { return !op_->hasAttr("initial_value"); }
};

class GetGlobalOp : public OpView {
 public:
  using OpView::OpView;
  SymbolRefAttr name() const { return op_->attrOf<SymbolRefAttr>("name"); }
  Value result() const { return op_->result(); }
};

/// In the order of their numbers in text (`kind = 0 : i64` is addf).
enum class AtomicKind {
  AddF,
  AddI,
  Assign,
  MaximumF,
  MaxS,
  MaxU,
  MinimumF,
  MinS,
  MinU,
  MulF,
  MulI,
  OrI,
  AndI,
  MaxNumF,
  MinNumF
};

class AtomicRmwOp : public OpView {
 public:
  using OpView::OpView;
  AtomicKind kind() const {
    return static_cast<AtomicKind>(op_->attrOf<IntegerAttr>("kind").value());
  }
  Value value() const { return op_->operand(0); }
  Value memref() const { return op_->operand(1); }
  OperandRange indices() const { return op_->operandGroup(2u); }
};

/// The operands of dma_start and dma_wait are in one list; this splits it.
class DmaStartOp : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  unsigned sourceRank() const { return rankOf(0); }
  unsigned targetAt() const { return 1 + sourceRank(); }
  Value target() const { return op_->operand(targetAt()); }
  unsigned targetRank() const { return rankOf(targetAt()); }
  unsigned countAt() const { return targetAt() + 1 + targetRank(); }
  Value numElements() const { return op_->operand(countAt()); }
  Value tag() const { return op_->operand(countAt() + 1); }
  unsigned tagRank() const { return rankOf(countAt() + 1); }
  unsigned strideAt() const { return countAt() + 2 + tagRank(); }
  bool isStrided() const { return op_->numOperands() == strideAt() + 2; }

 private:
  unsigned rankOf(unsigned operand) const {
    return static_cast<unsigned>(op_->operand(operand).type().cast<MemRefType>().rank());
  }
};

/// The memref that `value` is a view of, through every ViewLike op.
Value viewSource(Value value);
/// Where following `next`, until it gives null, ends. In code that never runs and in graph
/// regions values may go round in a circle: then it is one of these.
Value lastOfChain(Value value, FunctionRef<Value(Value)> next);

}  // namespace airlite::memref
