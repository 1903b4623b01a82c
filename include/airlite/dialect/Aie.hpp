// Typed views of the aie dialect: what a design puts on the tiles of an AI Engine device. The
// dialect is airlite's own level between AIR programs and the bytes of a configuration; its text is
// that of the mlir-aie project.
//
// Views are safe on what the verifier has accepted. Accessors that return a view or an optional
// give nothing where the program does not say.
//
//   if (auto core = dynCast<aie::CoreOp>(&op)) visit(core.tile().id(), core.stackBytes());
#pragma once

#include "airlite/device/AieDevices.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/ir/OpDef.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace airlite::aie {

class DeviceOp : public OpView {
 public:
  using OpView::OpView;
  static constexpr std::string_view kDefaultName = "main";
  const Device& device() const;
  std::string_view name() const { return op_->attrOf<StringAttr>("sym_name").value(); }
  Block& body() const { return op_->region().front(); }
};

/// The device that `op` is for: that of the aie.device around it, else the default device.
const Device& deviceOf(const Operation& op);

/// aie.tile or aie.logical_tile: a place in the array, or a kind of place still to be found.
class TileOp : public OpView {
 public:
  using OpView::OpView;
  bool isLogical() const { return op_->is("aie.logical_tile"); }
  std::optional<int64_t> col() const;
  std::optional<int64_t> row() const;
  /// Empty while column or row are open.
  std::optional<TileId> id() const;
  /// Empty for a tile outside the device.
  std::optional<TileKind> kind() const;
  Value result() const { return op_->result(); }
};
/// The tile that `value` is; null when something else made it.
TileOp tileOf(Value value);

/// An op that belongs to one tile, its first operand.
class TileElement : public OpView {
 public:
  using OpView::OpView;
  TileOp tile() const { return tileOf(op_->operand(0)); }
};

/// core: the program of a core.
class CoreOp : public TileElement {
 public:
  using TileElement::TileElement;
  static constexpr int64_t kDefaultStackBytes = 1024;
  int64_t stackBytes() const;
  /// Object file with external functions; empty when there is none.
  std::string_view linkWith() const;
  Region& body() const { return op_->region(); }
};

/// mem, memtile_dma or shim_dma: the DMA programs of a tile, as blocks.
class DmaOp : public TileElement {
 public:
  using TileElement::TileElement;
  Region& body() const { return op_->region(); }
  /// The terminators that start channels, in the order of the blocks.
  std::vector<Operation*> starts() const;
};
class MemOp : public DmaOp {
 public:
  using DmaOp::DmaOp;
};
class MemTileDmaOp : public DmaOp {
 public:
  using DmaOp::DmaOp;
};
class ShimDmaOp : public DmaOp {
 public:
  using DmaOp::DmaOp;
};
/// The view of any of the three; null for other ops.
DmaOp asDmaOp(Operation* op);

/// Direction and index of a DMA channel.
struct Channel {
  Direction direction;
  int64_t index;
  bool operator==(const Channel&) const = default;
};

class DmaStartOp : public OpView {
 public:
  using OpView::OpView;
  Channel channel() const;
  /// Times that the chain runs again after the first time.
  int64_t repeatCount() const;
  /// Packets say which descriptor takes them; the chain runs for each of them.
  bool isOutOfOrder() const;
  /// First descriptor of the channel, and the block of the next channel or of the end.
  Block* firstBd() const { return op_->successor(0); }
  Block* chain() const { return op_->successor(1); }
};

/// Type and id in the header of a packet.
struct PacketInfo {
  int64_t type;
  int64_t id;
};
std::optional<PacketInfo> packetInfo(Attribute attribute);
Attribute packetInfoAttr(Context& context, PacketInfo info);

/// A number that is known or a value of the program.
struct MaybeStatic {
  int64_t constant = 0;
  Value value;  // null: the constant counts
  bool isConstant() const { return !value; }
};

/// One dimension of a buffer descriptor, in elements.
struct BdDim {
  MaybeStatic size;
  MaybeStatic stride;
};
struct BdPad {
  int64_t before;
  int64_t after;
};

/// `elements` of that many bytes, or a few more, so that they end with a 32-bit word: DMAs move
/// whole words, so the last word of small elements is the buffer's alone. Saturates.
int64_t toWholeWords(int64_t elements, int64_t elementBytes);

/// A buffer descriptor. Offset, length, sizes and strides count elements of the buffer.
class DmaBdOp : public OpView {
 public:
  using OpView::OpView;
  Value buffer() const { return op_->operand(0); }
  MaybeStatic offset() const;
  /// Empty: the whole buffer.
  std::optional<MaybeStatic> length() const;
  /// Outermost first; empty for a linear transfer.
  std::vector<BdDim> dims() const;
  /// Zeros around each dimension, outermost first; empty without padding.
  std::vector<BdPad> padding() const;
  std::optional<PacketInfo> packet() const { return packetInfo(op_->attr("packet")); }
  std::optional<int64_t> bdId() const;
  /// What the header of its packet asks an out-of-order receiver for.
  std::optional<int64_t> outOfOrderId() const;
};

class LockOp : public TileElement {
 public:
  using TileElement::TileElement;
  /// Empty until it is assigned.
  std::optional<int64_t> lockId() const;
  int64_t init() const;
};

enum class LockAction : uint8_t { Acquire = 0, Release = 1, AcquireGreaterEqual = 2 };

class UseLockOp : public OpView {
 public:
  using OpView::OpView;
  /// Null when another op than aie.lock made the operand.
  LockOp lock() const;
  LockAction action() const;
  /// 1 when nothing is written.
  MaybeStatic value() const;
};

/// Of a buffer of a core: loops access one half of it while they access the other, so each had better have a bank.
inline constexpr std::string_view kAcrossBanks = "air.across_banks";

class BufferOp : public TileElement {
 public:
  using TileElement::TileElement;
  MemRefType type() const { return op_->result().type().cast<MemRefType>(); }
  /// Saturates; empty for element types without a size in memory.
  std::optional<int64_t> bytes() const;
  std::optional<int64_t> address() const;
  Attribute initialValue() const { return op_->attr("initial_value"); }
};

/// A port of a tile as flows name it.
struct Endpoint {
  TileOp tile;
  Port port;
};
class FlowOp : public OpView {
 public:
  using OpView::OpView;
  Endpoint source() const;
  Endpoint dest() const;
};
class PacketFlowOp : public OpView {
 public:
  using OpView::OpView;
  int64_t packetId() const;
  bool keepsHeader() const;
  std::vector<Endpoint> sources() const;
  std::vector<Endpoint> dests() const;
};
class CascadeFlowOp : public OpView {
 public:
  using OpView::OpView;
  TileOp source() const { return tileOf(op_->operand(0)); }
  TileOp dest() const { return tileOf(op_->operand(1)); }
};

/// The shim channel that a name of the host program refers to.
class ShimDmaAllocationOp : public TileElement {
 public:
  using TileElement::TileElement;
  std::string_view name() const { return op_->attrOf<StringAttr>("sym_name").value(); }
  Channel channel() const;
};

class ObjectFifoOp : public OpView {
 public:
  using OpView::OpView;
  std::string_view name() const { return op_->attrOf<StringAttr>("sym_name").value(); }
  TileOp producer() const { return tileOf(op_->operand(0)); }
  std::vector<TileOp> consumers() const;
  /// Objects at the producer (0) or at consumer `i - 1`.
  int64_t depth(size_t i) const;
  /// The memref that one object is.
  MemRefType elementType() const;
};

class RuntimeSequenceOp : public OpView {
 public:
  using OpView::OpView;
  static constexpr std::string_view kDefaultName = "sequence";
  static constexpr std::string_view kContents = "contents";
  std::string_view name() const { return op_->attrOf<StringAttr>("sym_name").value(); }
  Block& body() const { return op_->region().front(); }
  /// The constant memref.global that an argument begins with; null: nothing in particular.
  Operation* contentsOf(unsigned argument) const;
};

/// Bytes of one element of a memref; empty for types without a size in memory (tokens).
/// An index is a word of the core.
std::optional<int64_t> elementBytes(Type element);

}  // namespace airlite::aie
