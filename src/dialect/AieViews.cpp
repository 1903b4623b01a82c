// Accessors of the typed views of the aie dialect. They also serve the verifier, so they take ops
// whose attributes and operands are not what they should be, and then give nothing.
#include "AieInternal.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace airlite::aie {

std::optional<int64_t> intAttr(const Operation& op, std::string_view name) {
  auto attr = op.attrOf<IntegerAttr>(name);
  return attr ? std::optional(attr.value()) : std::nullopt;
}

bool flagAttr(const Operation& op, std::string_view name) {
  auto attr = op.attrOf<IntegerAttr>(name);
  return attr && attr.value() != 0;
}

std::optional<int64_t> elementBytes(Type element) {
  if (auto vector = element.dynCast<VectorType>()) {
    auto bytes = elementBytes(vector.elementType());
    return bytes ? std::optional(multiplySaturated(*bytes, vector.numElements())) : std::nullopt;
  }
  if (element.isa<IndexType>()) return 4;  // a word of the core
  if (!element.isInteger() && !element.isFloat()) return std::nullopt;
  return static_cast<int64_t>((element.bitWidth() + 7) / 8);
}

// -- Devices and tiles --------------------------------------------------------------------------

const Device& DeviceOp::device() const {
  auto number = intAttr(*op_, "device");
  const Device* found = number ? findDevice(static_cast<uint32_t>(*number)) : nullptr;
  return found ? *found : defaultDevice();
}

const Device& deviceOf(const Operation& op) {
  if (isa<DeviceOp>(&op)) return DeviceOp(const_cast<Operation*>(&op)).device();
  DeviceOp device = op.parentOf<DeviceOp>();
  return device ? device.device() : defaultDevice();
}

TileOp tileOf(Value value) { return dynCast<TileOp>(value ? value.definingOp() : nullptr); }

std::optional<int64_t> TileOp::col() const { return intAttr(*op_, "col"); }
std::optional<int64_t> TileOp::row() const { return intAttr(*op_, "row"); }

std::optional<TileId> TileOp::id() const {
  auto c = col(), r = row();
  return c && r ? std::optional(TileId{*c, *r}) : std::nullopt;
}

std::optional<TileKind> TileOp::kind() const {
  if (isLogical()) {
    auto number = intAttr(*op_, "tile_type");
    return number ? logicalKind(*number) : std::nullopt;
  }
  auto place = id();
  const Device& device = deviceOf(*op_);
  return place && device.contains(*place) ? std::optional(device.kindOf(*place)) : std::nullopt;
}

// -- Cores and DMAs -----------------------------------------------------------------------------

int64_t CoreOp::stackBytes() const {
  return intAttr(*op_, "stack_size").value_or(kDefaultStackBytes);
}

std::string_view CoreOp::linkWith() const {
  auto name = op_->attrOf<StringAttr>("link_with");
  return name ? name.value() : std::string_view();
}

DmaOp asDmaOp(Operation* op) {
  bool is = isa<MemOp>(op) || isa<MemTileDmaOp>(op) || isa<ShimDmaOp>(op);
  return is ? DmaOp(op) : DmaOp();
}

std::vector<Operation*> DmaOp::starts() const {
  std::vector<Operation*> found;
  for (Block& block : op_->region().blocks())
    if (!block.empty() && isa<DmaStartOp>(&block.back())) found.push_back(&block.back());
  return found;
}

static Channel channelOf(const Operation& op, std::string_view direction) {
  return {intAttr(op, direction).value_or(0) == 1 ? Direction::MM2S : Direction::S2MM,
          intAttr(op, "channel_index").value_or(0)};
}

Channel DmaStartOp::channel() const { return channelOf(*op_, "channel_dir"); }
int64_t DmaStartOp::repeatCount() const { return intAttr(*op_, "repeat_count").value_or(0); }
bool DmaStartOp::isOutOfOrder() const { return op_->hasAttr("out_of_order"); }

// -- Buffer descriptors -------------------------------------------------------------------------

int64_t toWholeWords(int64_t elements, int64_t elementBytes) {
  const int64_t perWord = elementBytes > 0 ? kWordBytes / std::gcd(elementBytes, kWordBytes) : 1;
  const int64_t beyond = elements % perWord;
  return beyond == 0 ? elements : addSaturated(elements, perWord - beyond);
}

std::optional<PacketInfo> packetInfo(Attribute attribute) {
  auto dialect = attribute.dynCast<DialectAttr>();
  if (!dialect || dialect.name() != kPacketInfo || dialect.parameters().size() != 2)
    return std::nullopt;
  auto type = dialect.parameters()[0].dynCast<IntegerAttr>();
  auto id = dialect.parameters()[1].dynCast<IntegerAttr>();
  if (!type || !id) return std::nullopt;
  return PacketInfo{type.value(), id.value()};
}

/// A static number, or operand `next` where the number is open.
static MaybeStatic mixed(int64_t constant, OperandRange values, unsigned& next) {
  if (constant != kDynamic) return {constant, Value()};
  return {0, next < values.size() ? values[next++] : Value()};
}

MaybeStatic DmaBdOp::offset() const {
  OperandRange value = op_->operandGroup(kBdOffset);
  if (!value.empty()) return {0, value[0]};
  return {intAttr(*op_, "static_offset").value_or(0), Value()};
}

std::optional<MaybeStatic> DmaBdOp::length() const {
  OperandRange value = op_->operandGroup(kBdLength);
  if (!value.empty()) return MaybeStatic{0, value[0]};
  auto length = intAttr(*op_, "static_len");
  return length ? std::optional(MaybeStatic{*length, Value()}) : std::nullopt;
}

std::vector<BdDim> DmaBdOp::dims() const {
  auto sizes = op_->attrOf<DenseArrayAttr>("static_sizes");
  auto strides = op_->attrOf<DenseArrayAttr>("static_strides");
  if (!sizes || !strides) return {};
  std::vector<BdDim> dims;
  unsigned nextSize = 0, nextStride = 0;
  for (size_t i = 0; i < std::min(sizes.size(), strides.size()); ++i)
    dims.push_back({mixed(sizes.values()[i], op_->operandGroup(kBdSizes), nextSize),
                    mixed(strides.values()[i], op_->operandGroup(kBdStrides), nextStride)});
  return dims;
}

std::vector<BdPad> DmaBdOp::padding() const {
  std::vector<BdPad> pads;
  for (auto [before, after] : pairsOf(op_->attr("pad_dimensions")))
    pads.push_back({before, after});
  return pads;
}

std::optional<int64_t> DmaBdOp::bdId() const { return intAttr(*op_, "bd_id"); }
std::optional<int64_t> DmaBdOp::outOfOrderId() const { return intAttr(*op_, "out_of_order_id"); }

// -- Locks and buffers --------------------------------------------------------------------------

std::optional<int64_t> LockOp::lockId() const { return intAttr(*op_, "lockID"); }
int64_t LockOp::init() const { return intAttr(*op_, "init").value_or(0); }

LockOp UseLockOp::lock() const { return dynCast<LockOp>(op_->operand(0).definingOp()); }
LockAction UseLockOp::action() const {
  return static_cast<LockAction>(intAttr(*op_, "action").value_or(0));
}

MaybeStatic UseLockOp::value() const {
  if (op_->numOperands() < 2) return {1, Value()};
  Value value = op_->operand(1);
  Operation* source = value.definingOp();
  bool isConstant = source && source->hasTrait(Trait::ConstantLike);
  auto constant = isConstant ? constantInt(source->attr("value")) : std::nullopt;
  return constant ? MaybeStatic{*constant, Value()} : MaybeStatic{0, value};
}

std::optional<int64_t> BufferOp::bytes() const {
  auto memref = op_->result().type().dynCast<MemRefType>();
  auto element = memref ? elementBytes(memref.elementType()) : std::nullopt;
  if (!element || !memref.hasStaticShape()) return std::nullopt;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  int64_t count = memref.numElements();
  return *element && count > kMost / *element ? kMost : count * *element;
}

Operation* RuntimeSequenceOp::contentsOf(unsigned argument) const {
  ArrayAttr contents = op_->attrOf<ArrayAttr>(kContents);
  if (!contents || argument >= contents.value().size()) return nullptr;
  auto name = contents.value()[argument].dynCast<SymbolRefAttr>();
  return name ? lookupSymbol(op_, name) : nullptr;
}

std::optional<int64_t> BufferOp::address() const { return intAttr(*op_, "address"); }

// -- Flows --------------------------------------------------------------------------------------

static Port portOf(const Operation& op, std::string_view bundle, std::string_view channel) {
  return {static_cast<Bundle>(intAttr(op, bundle).value_or(0)),
          static_cast<uint32_t>(intAttr(op, channel).value_or(0))};
}

Endpoint FlowOp::source() const {
  return {tileOf(op_->operand(0)), portOf(*op_, "source_bundle", "source_channel")};
}
Endpoint FlowOp::dest() const {
  return {tileOf(op_->operand(1)), portOf(*op_, "dest_bundle", "dest_channel")};
}

int64_t PacketFlowOp::packetId() const { return intAttr(*op_, "ID").value_or(0); }
bool PacketFlowOp::keepsHeader() const { return flagAttr(*op_, "keep_pkt_header"); }

Endpoint packetEndpoint(Operation& op) {
  return {tileOf(op.operand(0)), portOf(op, "bundle", "channel")};
}

static std::vector<Endpoint> endpointsOf(Operation& flow, std::string_view name) {
  std::vector<Endpoint> found;
  for (Block& block : flow.region().blocks())
    for (Operation& op : block.ops())
      if (op.is(name)) found.push_back(packetEndpoint(op));
  return found;
}
std::vector<Endpoint> PacketFlowOp::sources() const {
  return endpointsOf(*op_, "aie.packet_source");
}
std::vector<Endpoint> PacketFlowOp::dests() const { return endpointsOf(*op_, "aie.packet_dest"); }

Channel ShimDmaAllocationOp::channel() const { return channelOf(*op_, "channel_dir"); }

// -- Object FIFOs -------------------------------------------------------------------------------

std::vector<TileOp> ObjectFifoOp::consumers() const {
  std::vector<TileOp> tiles;
  for (unsigned i = 1; i < op_->numOperands(); ++i)
    tiles.push_back(tileOf(op_->operand(i)));
  return tiles;
}

int64_t ObjectFifoOp::depth(size_t i) const {
  Attribute number = op_->attr("elemNumber");
  if (auto list = number.dynCast<ArrayAttr>()) {
    auto entry = i < list.size() ? list[i].dynCast<IntegerAttr>() : IntegerAttr();
    return entry ? entry.value() : 0;
  }
  auto depth = number.dynCast<IntegerAttr>();
  return depth ? depth.value() : 0;
}

MemRefType ObjectFifoOp::elementType() const {
  auto type = op_->attrOf<TypeAttr>("elemType");
  return type ? objectType(type.value()) : MemRefType();
}

}  // namespace airlite::aie
