#include "TileDescriptor.hpp"

#include "airlite/npu/device/BdAccess.hpp"

#include <algorithm>

namespace airlite::npu {
namespace {

/// What a descriptor moves, in words.
struct Access {
  std::vector<AccessDim> dims;  ///< outermost first; empty: words one after the other
  std::vector<AccessPad> pads;  ///< none, or one for each dimension
  int64_t elements = 0;         ///< on the stream, zeros of padding included
};

/// Dimensions of one element that have no padding do nothing.
Access readAccess(aie::DmaBdOp bd) {
  Access access;
  const auto dims = bd.dims();
  const auto pads = bd.padding();
  access.elements = 1;
  for (size_t i = 0; i < dims.size(); ++i) {
    const AccessDim dim{dims[i].size.constant, dims[i].stride.constant};
    const AccessPad pad = pads.empty() ? AccessPad{0, 0} : AccessPad{pads[i].before, pads[i].after};
    access.elements *= dim.size + pad.before + pad.after;
    if (dim.size == 1 && pad.before == 0 && pad.after == 0) continue;
    access.dims.push_back(dim);
    access.pads.push_back(pad);
  }
  const auto type = bd.buffer().type().dynCast<MemRefType>();
  if (dims.empty()) access.elements = type.numElements();
  if (bd.length()) access.elements = bd.length()->constant;
  const bool isPadded = std::ranges::any_of(
      access.pads, [](AccessPad pad) { return pad.before != 0 || pad.after != 0; });
  if (!isPadded) access.pads.clear();
  return access;
}

/// Elements one after the other need no dimensions, whatever the sizes.
bool isContiguous(const Access& access) {
  int64_t next = 1;
  for (size_t i = access.dims.size(); i-- > 0; next *= access.dims[i].size)
    if (access.dims[i].stride != next) return false;
  return access.pads.empty();
}

/// Elements of more than a word as dimensions of words; the innermost stride is 1.
void toWordDims(Access& access, int64_t wordsPerElement) {
  for (AccessDim& dim : access.dims)
    dim.stride *= wordsPerElement;
  AccessDim& inner = access.dims.back();
  inner = {inner.size * wordsPerElement, 1};
  if (access.pads.empty()) return;
  AccessPad& pad = access.pads.back();
  pad = {pad.before * wordsPerElement, pad.after * wordsPerElement};
}

constexpr BdField wrapOf(size_t dim) { return BdField(unsigned(BdField::D0Wrap) + dim); }

/// The outermost dimension ends with the length: it needs no wrap, and so no limit.
void freeOutermost(BdBuilder& builder, TileKind kind, const Access& access) {
  const size_t outermost = access.dims.size() - 1;
  if (!access.pads.empty() || outermost == 0 || outermost >= limitsOf(kind).wraps) return;
  const auto most = limitsOf(kind, wrapOf(outermost));
  if (most && access.dims[0].size > most->most) builder.set(wrapOf(outermost), 0);
}

/// One descriptor while it is made.
class Making {
 public:
  Making(const Layout& layout, Tile tile, const BdBlockOps& ops)
      : layout_(layout), tile_(tile), kind_(kindOfRow(tile.row)), ops_(ops), builder_(kind_) {}

  std::optional<BufferDescriptor> run(std::optional<unsigned> next) {
    if (next) builder_.next(*next);
    if (auto packet = ops_.bd.packet())
      builder_.packet(unsigned(packet->id), unsigned(packet->type));
    if (auto id = ops_.bd.outOfOrderId()) builder_.set(BdField::OutOfOrderId, *id);
    if (auto pad = ops_.bd->attrOf<IntegerAttr>("pad_value"); pad && pad.value() != 0)
      return refuse("not supported: padding with another value than 0");
    if (failed(setMemory()) || failed(setAccess()) || failed(setAcquire()) || failed(setRelease()))
      return std::nullopt;
    const auto made = builder_.make();
    if (!made) return refuse(made.error().message);
    if (auto wrong = outside(*made)) return refuse(*wrong);
    return *made;
  }

 private:
  std::nullopt_t refuse(const std::string& message) const {
    ops_.bd->emitOpError() << message;
    return std::nullopt;
  }

  int64_t elementBytes() const {
    return aie::elementBytes(ops_.bd.buffer().type().dynCast<MemRefType>().elementType()).value();
  }

  /// The side on which something of tile `owner` is; its DMA reaches no other ones.
  std::optional<Neighbour> reach(Tile owner) const {
    const auto side = layout_.neighbour(tile_, owner);
    if (side == Neighbour::Own) return side;
    const bool isMem = kind_ == TileKind::Mem;
    return isMem && side && memDmaWindow(*side) ? side : std::nullopt;
  }

  LogicalResult setMemory() {
    Operation* buffer = ops_.bd.buffer().definingOp();
    auto place = layout_.buffers.find(buffer);
    if (place == layout_.buffers.end())
      return ops_.bd->emitOpError() << "not supported: memory that is not an aie.buffer";
    const Tile owner = layout_.tileOf(*buffer);
    const auto side = reach(owner);
    if (!side) return cannotReach(*ops_.bd, "memory", owner);
    const Bytes window = kind_ == TileKind::Mem ? *memDmaWindow(*side) : Bytes(0);
    builder_.base(window + place->second +
                  toBytes(Elements(ops_.bd.offset().constant), elementBytes()));
    return success();
  }

  LogicalResult cannotReach(Operation& op, const char* what, Tile owner) const {
    return op.emitOpError() << "needs " << what << " of " << name(owner) << ", which the DMA of "
                            << name(tile_) << " does not reach";
  }

  LogicalResult setAccess() {
    Access access = readAccess(ops_.bd);
    const int64_t bytes = elementBytes();
    const Bytes length = toBytes(Elements(access.elements), bytes);
    if (!isWhole(length))
      return ops_.bd->emitOpError() << "moves " << length.value << " bytes, not whole words";
    builder_.length(toWords(length));
    if (isContiguous(access)) return success();
    const bool isWide = bytes > bytesPerWord && bytes % bytesPerWord == 0;
    if (isWide && access.dims.back().stride != 1)
      return ops_.bd->emitOpError() << "the innermost stride is " << access.dims.back().stride
                                    << ": elements of " << bytes << " bytes need 1";
    if (isWide) toWordDims(access, bytes / bytesPerWord);
    builder_.access(access.dims, isWide ? bytesPerWord : bytes, access.pads);
    freeOutermost(builder_, kind_, access);
    return success();
  }

  std::optional<unsigned> lockOf(aie::UseLockOp use) const {
    Operation* lock = use.lock().op();
    const Tile owner = layout_.tileOf(*lock);
    const auto side = reach(owner);
    if (!side) return (void)cannotReach(*use, "a lock", owner), std::nullopt;
    const unsigned base = kind_ == TileKind::Mem ? *memDmaLockBase(*side) : 0;
    return base + layout_.locks.at(lock);
  }

  /// An acquire of at least 0 does not wait: the field's 0 would mean "until it is 0".
  LogicalResult setAcquire() {
    if (!ops_.acquire) return success();
    const int value = int(ops_.acquire.value().constant);
    const bool isAtLeast = ops_.acquire.action() == aie::LockAction::AcquireGreaterEqual;
    auto enabled = ops_.acquire->attrOf<IntegerAttr>("acq_en");
    if ((enabled && enabled.value() == 0) || (isAtLeast && value == 0)) return success();
    const auto lock = lockOf(ops_.acquire);
    if (lock) builder_.acquire(*lock, isAtLeast ? -value : value);
    return success(lock.has_value());
  }

  LogicalResult setRelease() {
    if (!ops_.release || ops_.release.value().constant == 0) return success();
    const auto lock = lockOf(ops_.release);
    if (lock) builder_.release(*lock, int(ops_.release.value().constant));
    return success(lock.has_value());
  }

  /// The words that it touches must be those of the buffer.
  std::optional<std::string> outside(const BufferDescriptor& bd) const {
    if (auto wrong = outOfMemory(bd)) return wrong->message;
    const Bytes end =
        toBytes(Elements(ops_.bd.offset().constant), elementBytes()) + toBytes(reachOf(bd));
    const int64_t size = sizeOf(aie::BufferOp(ops_.bd.buffer().definingOp()));
    if (end.value <= aie::toWholeWords(size, 1)) return std::nullopt;
    return "reaches byte " + std::to_string(end.value - 1) + " of a buffer of " +
           std::to_string(size) + " bytes";
  }

  const Layout& layout_;
  Tile tile_;
  TileKind kind_;
  const BdBlockOps& ops_;
  BdBuilder builder_;
};

}  // namespace

BdBlockOps readBlock(Block& block) {
  BdBlockOps found;
  for (Operation& op : block.ops()) {
    if (airlite::isa<aie::DmaBdOp>(&op)) found.bd = aie::DmaBdOp(&op);
    if (!airlite::isa<aie::UseLockOp>(&op)) continue;
    const bool isRelease = aie::UseLockOp(&op).action() == aie::LockAction::Release;
    (isRelease ? found.release : found.acquire) = aie::UseLockOp(&op);
  }
  return found;
}

Block* nextOf(Block& block) {
  Operation& last = block.back();
  return last.is("aie.next_bd") ? last.successor(0) : nullptr;
}

std::vector<Block*> blocksFrom(Block* block) {
  std::vector<Block*> found;
  while (block && readBlock(*block).bd && std::ranges::find(found, block) == found.end()) {
    found.push_back(block);
    block = nextOf(*block);
  }
  return found;
}

std::optional<BufferDescriptor> makeDescriptor(const Layout& layout, Tile tile,
                                               const BdBlockOps& ops,
                                               std::optional<unsigned> next) {
  return Making(layout, tile, ops).run(next);
}

}  // namespace airlite::npu
