#include "MmioChannels.hpp"

#include "Sites.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::npu {

namespace {

bool isMmioAccess(Operation& op) {
  if (!air::isChannelAccess(op)) return false;
  air::ChannelOp channel = air::ChannelAccessOp(&op).channel();
  return channel && channel.canonicalType() == "npu_mmio";
}

/// Of the host's program, or of the cores of one design.
std::vector<Operation*> mmioAccesses(Operation& root) {
  std::vector<Operation*> found;
  root.walkWith([&](Operation& op) {
    if (op.is("aie.device") && &op != &root) return WalkResult::Skip;
    if (isMmioAccess(op)) found.push_back(&op);
    return WalkResult::Advance;
  });
  return found;
}

/// Where the same memory, all of it, comes from: one step back; null at the beginning. A view of a part, or in another
/// order, is a beginning.
Value whereFrom(Value memory) {
  if (Block* block = memory.argumentBlock()) {
    air::HierarchyOp level = air::asHierarchy(block->parentOp());
    return level ? level.tiedOperand(memory) : Value();
  }
  Operation* op = memory.definingOp();
  if (op->is("memref.cast")) return op->operand(0);
  if (!op->is("air.execute")) return {};
  for (unsigned i = 1; i < op->numResults(); ++i)
    if (op->result(i) == memory) return op->region().front().back().operand(i - 1);
  return {};
}

/// The op that makes what a put sends.
Operation* makerOf(Value memory) {
  while (const Value before = whereFrom(memory))
    memory = before;
  return memory.definingOp();
}

/// Whether all that happens to the memory is that puts send it.
bool isOnlySent(Value memory) {
  return std::ranges::all_of(memory.uses(), [](OpOperand& use) {
    Operation* user = use.owner();
    if (isa<air::ChannelPutOp>(user)) return true;
    air::HierarchyOp level = air::asHierarchy(user);
    if (!level) return false;
    for (unsigned i = 0; i < level.numKernelOperands(); ++i)
      if (level.kernelOperands()[i] == use.get() && !isOnlySent(level.kernelArgument(i)))
        return false;
    return true;
  });
}

bool isNeverWritten(Operation& module, memref::GlobalOp global) {
  if (global.isConstant()) return true;
  bool isWritten = false;
  module.walk([&](Operation& op) {
    const bool isIt =
        op.is("memref.get_global") && op.attrOf<SymbolRefAttr>("name").leaf() == global.name();
    isWritten |= isIt && !isOnlySent(op.result());
  });
  return !isWritten;
}

/// The contents in the shape of a buffer.
DenseElementsAttr inShapeOf(MemRefType buffer, DenseElementsAttr contents) {
  const ShapedType type = contents.type().cloneWith(buffer.shape(), buffer.elementType());
  return DenseElementsAttr::getRaw(type, contents.raw());
}

/// Whether nothing but `get` changes the buffer, whose memory is all that `get` fills.
bool isFilledBy(air::ChannelAccessOp get, Operation& buffer) {
  const auto isHarmless = [&](OpOperand& use) {
    std::vector<EffectInstance> effects;
    Operation* user = use.owner();
    if (user == get.op() || user->is("memref.dealloc")) return true;
    const bool isPlain = user->numRegions() == 0 || linalg::asStructured(user);
    if (!isPlain || user->hasTrait(Trait::ViewLike) || !effectsOf(*user, effects)) return false;
    return std::ranges::all_of(effects, [&](const EffectInstance& effect) {
      return effect.effect == Effect::Read || (effect.value && effect.value != use.get());
    });
  };
  return std::ranges::all_of(buffer.result().uses(), isHarmless);
}

/// The place of the put that the access belongs to: all gets along a dimension that is broadcast have
/// one.
std::optional<ChannelPlace> placeOfPut(air::ChannelAccessOp access) {
  std::optional<ChannelPlace> place = placeOf(access);
  if (!place) return place;
  const std::vector<int64_t> sizes = access.channel().sizes();
  place->index.resize(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] == 1) place->index[i] = 0;
  return place;
}

/// Memory of a core that holds the contents from the start.
Value makeConstantBuffer(Design& design, const CoreProgram& program, Location location,
                         MemRefType type, DenseElementsAttr contents) {
  Builder builder = Builder::before(*design.lastTile->next());
  const std::string name = "buf" + std::to_string(design.numBuffers++);
  return builder
      .create(location, "aie.buffer", {program.tile->result()}, {type},
              {builder.named("sym_name", builder.stringAttr(name)),
               builder.named("initial_value", inShapeOf(type, contents))})
      ->result();
}

/// An op that is done at once, in the place of a transfer.
void replaceByNothing(Operation& transfer) {
  if (transfer.numResults() > 0) {
    Builder builder = Builder::before(transfer);
    const std::vector<Value> tokens = air::AsyncOp(&transfer).dependencies().vec();
    Operation* done = builder.create(transfer.location(), "air.wait_all", tokens,
                                     std::vector<Type>{transfer.result(0).type()});
    transfer.result(0).replaceAllUsesWith(done->result());
  }
  transfer.erase();
}

}  // namespace

bool MmioChannels::isOne(const std::string& channel) const {
  return std::ranges::any_of(sources_,
                             [&](const auto& entry) { return entry.first.channel == channel; });
}

LogicalResult MmioChannels::read(Operation& module) {
  LogicalResult result = success();
  for (Operation* op : mmioAccesses(module))
    if (isa<air::ChannelPutOp>(op)) result |= addPut(module, air::ChannelAccessOp(op));
  return result;
}

LogicalResult MmioChannels::addPut(Operation& module, air::ChannelAccessOp put) {
  const auto refuse = [&](std::string_view why) {
    return put->emitOpError() << "channel_type=\"npu_mmio\" " << why, failure();
  };
  if (failed(air::checkChannelUse(put))) return failure();
  Operation* get = makerOf(put.access().memref);
  if (!get || !get->is("memref.get_global"))
    return refuse("put requires source memref defined by memref.get_global");
  const std::optional<ChannelPlace> place = placeOfPut(put);
  if (!place) return refuse("non-broadcast put requires compile-time constant indices");
  memref::GlobalOp global(lookupSymbol(get, get->attrOf<SymbolRefAttr>("name")));
  if (!global || !global.initialValue())
    return refuse("source memref.global must have a DenseElementsAttr initializer");
  if (!put.access().isWhole()) return refuse("put of a part of its memory: not supported");
  if (!isNeverWritten(module, global)) return refuse("source memref.global may be written");
  Source& source = sources_[*place];
  if (source.global && source.global != global.op())
    return refuse("put of several globals into one place: not supported");
  source = {put.op(), global.op()};
  return success();
}

LogicalResult MmioChannels::lower(Design& design) {
  LogicalResult result = success();
  for (CoreProgram& program : design.cores) {
    std::vector<Operation*> gets;
    for (Operation& op : program.body->ops())
      op.walk([&](Operation& inner) {
        if (isMmioAccess(inner)) gets.push_back(&inner);
      });
    for (Operation* get : gets)
      result |= fill(design, program, air::ChannelAccessOp(get));
  }
  return result;
}

LogicalResult MmioChannels::fill(Design& design, const CoreProgram& program,
                                 air::ChannelAccessOp get) {
  const auto refuse = [&](std::string_view why) {
    return get->emitOpError() << "channel_type=\"npu_mmio\" " << why, failure();
  };
  if (failed(air::checkChannelUse(get))) return failure();
  if (get.isPut()) return refuse("put of a core: not supported");
  const std::optional<ChannelPlace> place = placeOfPut(get);
  if (!place) return refuse("get requires indices that are known: not supported");
  const auto found = sources_.find(*place);
  if (found == sources_.end()) {
    unmatchedGets_.push_back(get->location());
    get->erase();
    return success();
  }
  found->second.isGot = true;
  const DenseElementsAttr contents = memref::GlobalOp(found->second.global).initialValue();
  const auto type = get.access().memref.type().cast<MemRefType>();
  if (contents.type().elementType() != type.elementType())
    return refuse("source/destination element type mismatch");
  if (!type.hasStaticShape() || contents.type().numElements() != type.numElements())
    return refuse("source/destination element count mismatch");
  if (!get.access().isWhole()) return refuse("get of a part of its memory: not supported");
  Operation* memory = get.access().memref.definingOp();
  if (memory && memory->is("aie.buffer") && !memory->hasAttr("initial_value") &&
      isFilledBy(get, *memory)) {
    memory->setAttr("initial_value", inShapeOf(type, contents));
  } else {
    const MemRefType own =
        MemRefType::get(get->context(), type.shape(), type.elementType(), {}, type.memorySpace());
    const Value source = makeConstantBuffer(design, program, get->location(), own, contents);
    Builder builder = Builder::before(*get);
    memref::CopyOp::create(builder, get->location(), source, get.access().memref);
  }
  get->erase();
  return success();
}

LogicalResult MmioChannels::finish(Operation& module) {
  LogicalResult result = success();
  for (const auto& [place, source] : sources_)
    if (!source.isGot)
      result = (source.put->emitOpError()
                    << "channel_type=\"npu_mmio\" put has no matching device-side air.channel.get",
                failure());
  for (Location location : unmatchedGets_)
    result = (emitError(module.context(), location)
                  << "channel_type=\"npu_mmio\" get has no matching put of the host",
              failure());
  if (failed(result)) return failure();
  for (Operation* op : mmioAccesses(module))
    replaceByNothing(*op);
  return success();
}

}  // namespace airlite::npu
