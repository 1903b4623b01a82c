// The airrt dialect: what a host does to run an AIR program. Typed views of its operations.
//
// Source: the AIRRt dialect definition of the AIR tools (operations, operand types, metadata).
//
//   if (auto copy = dynCast<airrt::DmaMemcpyNdOp>(&op)) visit(copy.memref(), copy.lengths());
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace airlite::airrt {

/// `!airrt.event`: fires when the operation that made it is done.
Type eventType(Context& context);
bool isEventType(Type type);

/// One entry of an offset, length or stride list: a constant or an i64 value.
struct ListEntry {
  int64_t constant = 0;
  Value value;  // null: the constant counts
};

/// The host's half of a transfer: a four-dimensional piece of `memref`, in elements, moved by the
/// shim channel that `metadata` names.
class DmaMemcpyNdOp : public OpView {
 public:
  using OpView::OpView;
  /// Entries of each list.
  static constexpr unsigned kNumDims = 4;
  Value id() const { return op_->operand(0); }
  Value x() const { return op_->operand(1); }
  Value y() const { return op_->operand(2); }
  Value memref() const { return op_->operand(3); }
  std::vector<ListEntry> offsets() const { return list(4, "static_offsets"); }
  std::vector<ListEntry> lengths() const { return list(5, "static_lengths"); }
  std::vector<ListEntry> strides() const { return list(6, "static_strides"); }
  /// Null when no op can wait for it.
  Value event() const { return op_->numResults() ? op_->result() : Value(); }

 private:
  std::vector<ListEntry> list(unsigned group, std::string_view name) const;
};

/// A copy between two memrefs that the host does itself. The lists go from the outermost dimension
/// (3) to the innermost (0).
class MemcpyNdOp : public OpView {
 public:
  using OpView::OpView;
  Value dst() const { return op_->operand(0); }
  Value src() const { return op_->operand(1); }
  OperandRange offsets() const { return op_->operands().slice(2, 4); }
  OperandRange lengths() const { return op_->operands().slice(6, 4); }
  OperandRange strides() const { return op_->operands().slice(10, 4); }
};

class WaitAllOp : public OpView {
 public:
  using OpView::OpView;
  OperandRange events() const { return op_->operands(); }
  /// Null for the form that blocks.
  Value event() const { return op_->numResults() ? op_->result() : Value(); }
};

/// segment_load or herd_load: loads the segment or herd of that name to the device.
class LoadOp : public OpView {
 public:
  using OpView::OpView;
  std::string_view name() const { return op_->attrOf<StringAttr>("sym_name").value(); }
  Value handle() const { return op_->result(0); }
};
class SegmentLoadOp : public LoadOp {
 public:
  using LoadOp::LoadOp;
};
class HerdLoadOp : public LoadOp {
 public:
  using LoadOp::LoadOp;
  /// Values written to the herd's runtime parameters.
  OperandRange parameters() const { return op_->operands(); }
};

class AllocOp : public OpView {
 public:
  using OpView::OpView;
};

/// module_metadata, segment_metadata.
class MetadataOp : public OpView {
 public:
  using OpView::OpView;
  Block& body() const { return op_->region().front(); }
};
class ModuleMetadataOp : public MetadataOp {
 public:
  using MetadataOp::MetadataOp;
};
class SegmentMetadataOp : public MetadataOp {
 public:
  using MetadataOp::MetadataOp;
  std::string_view name() const { return op_->attrOf<StringAttr>("sym_name").value(); }
};

}  // namespace airlite::airrt
