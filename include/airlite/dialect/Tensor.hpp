// Typed views of the tensor dialect. Tensors are values: an op makes a new one and leaves the old
// one as it was.
//
//   Value tensor = tensor::EmptyOp::create(builder, location, sizes, f32)->result();
#pragma once

#include "airlite/dialect/MemRef.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace airlite::tensor {

using memref::MixedIndex;

class EmptyOp : public OpView {
 public:
  using OpView::OpView;
  RankedTensorType type() const { return op_->result().type().cast<RankedTensorType>(); }
  /// Of all dims, static ones included.
  std::vector<MixedIndex> sizes() const {
    return memref::mixedIndices(type().shape(), op_->operands());
  }
  static EmptyOp create(Builder& builder, Location location, std::span<const MixedIndex> sizes,
                        Type element, Attribute encoding = Attribute());
};

class CastOp : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  Value result() const { return op_->result(); }
  /// Both are tensors of one element type that differ only in what one of them does not know.
  static bool compatible(Type from, Type to);
  static CastOp create(Builder& builder, Location location, Value source, Type type);
};

class DimOp : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  Value index() const { return op_->operand(1); }
  static DimOp create(Builder& builder, Location location, Value source, int64_t index);
};

class ExtractOp : public OpView {
 public:
  using OpView::OpView;
  Value tensor() const { return op_->operand(0); }
  OperandRange indices() const { return op_->operandGroup(1u); }
};

class InsertOp : public OpView {
 public:
  using OpView::OpView;
  Value scalar() const { return op_->operand(0); }
  Value dest() const { return op_->operand(1); }
  OperandRange indices() const { return op_->operandGroup(2u); }
};

/// extract_slice, insert_slice and parallel_insert_slice: `part` is the small tensor, `whole` the
/// one that the offsets, sizes and strides are about.
class SliceView : public memref::OffsetSizeStrideView {
 public:
  using OffsetSizeStrideView::OffsetSizeStrideView;
  RankedTensorType partType() const;
  RankedTensorType wholeType() const;
  /// `wholeType` with the sizes of the slice: what `partType` is, or a rank reduction of it.
  RankedTensorType fullType() const;
  /// Which dims the part leaves out; empty when it is not a rank reduction.
  std::optional<std::vector<bool>> droppedDims() const;
};

class ExtractSliceOp : public SliceView {
 public:
  using SliceView::SliceView;
  /// `type` null: the type without rank reduction.
  static ExtractSliceOp create(Builder& builder, Location location, Value source,
                               std::span<const MixedIndex> offsets,
                               std::span<const MixedIndex> sizes,
                               std::span<const MixedIndex> strides,
                               RankedTensorType type = RankedTensorType());
};

class InsertSliceOp : public SliceView {
 public:
  using SliceView::SliceView;
  Value dest() const { return op_->operand(1); }
};

class ParallelInsertSliceOp : public SliceView {
 public:
  using SliceView::SliceView;
  Value dest() const { return op_->operand(1); }
};

class PadOp : public OpView {
 public:
  using OpView::OpView;
  Value source() const { return op_->operand(0); }
  RankedTensorType sourceType() const { return source().type().cast<RankedTensorType>(); }
  RankedTensorType resultType() const { return op_->result().type().cast<RankedTensorType>(); }
  std::vector<MixedIndex> low() const { return padding("low", "static_low"); }
  std::vector<MixedIndex> high() const { return padding("high", "static_high"); }
  /// Must stay even where nothing is padded.
  bool nofold() const { return op_->hasAttr("nofold"); }

 private:
  std::vector<MixedIndex> padding(std::string_view group, std::string_view attribute) const {
    auto statics = op_->attrOf<DenseArrayAttr>(attribute);
    return memref::mixedIndices(statics ? statics.values() : std::span<const int64_t>(),
                                op_->operandGroup(group));
  }
};

inline bool isTensor(Type type) {
  return type.isa<RankedTensorType>() || type.isa<UnrankedTensorType>();
}
/// Whether an operand or a result of the op is a tensor.
inline bool usesTensors(const Operation& op) {
  const auto areTensors = [](Value value) { return isTensor(value.type()); };
  return std::ranges::any_of(op.operands(), areTensors) ||
         std::ranges::any_of(op.resultValues(), areTensors);
}

}  // namespace airlite::tensor
