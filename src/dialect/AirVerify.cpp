// Verifiers of the air dialect. Checked here:
//  - tokens: their types, one token result, the launch boundary (compute model 1.5, 2.1)
//  - hierarchy: nesting order, herd dimensions, body arguments (compute model 2.1 to 2.3)
//  - data movement: lists against each other and against the memref, padding, ranks (reference)
//  - channels: type, shapes, depth, packet ids; put/get against the declaration (reference, 2.5),
//    where it is there: programs are read in pieces, see checkChannelUse
//  - execute: results against its terminator
#include "AirSyntax.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/support/Text.hpp"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace airlite::air {

// -- Tokens -----------------------------------------------------------------------------------

/// A token that some op lists for affinity or concurrency.
static bool isPlacementToken(Value token) {
  for (OpOperand& use : token.uses()) {
    HierarchyOp user = asHierarchy(use.owner());
    if (!user) continue;
    unsigned index = use.index();
    unsigned shift = isa<RankOp>(use.owner()) ? 1 : 0;
    auto [affinity, numAffinity] = use.owner()->operandGroupBounds(3 + shift);
    auto [concurrency, numConcurrency] = use.owner()->operandGroupBounds(4 + shift);
    if (index >= affinity && index < affinity + numAffinity) return true;
    if (index >= concurrency && index < concurrency + numConcurrency) return true;
    // Passed on as a kernel operand: what the body does with it counts.
    auto [kernel, numKernel] = use.owner()->operandGroupBounds(2 + shift);
    bool passed = index >= kernel && index < kernel + numKernel && use.owner()->numRegions() &&
                  !use.owner()->region().empty() &&
                  2 * user.numDims() + (index - kernel) < user.body().numArguments();
    if (passed && isPlacementToken(user.kernelArgument(index - kernel))) return true;
  }
  return false;
}

LogicalResult verifyTokens(Operation& op) {
  if (op.numResults() == 0) return success();
  bool model = isDialectType(op.result(0).type(), "air.token");
  if (model) return success();
  for (Value operand : op.operandGroup(0))
    if (isDialectType(operand.type(), "air.token"))
      return op.emitOpError() << "waits for a !air.token, so its result must be a !air.token too";
  return success();
}

static LogicalResult verifyLaunchBoundary(HierarchyOp launch) {
  if (!launch.concurrency().empty())
    return launch->emitOpError() << "must not have a concurrency list: launch instances may be "
                                    "parallel, nothing can force them to overlap";
  for (unsigned i = 0; i < launch.numKernelOperands(); ++i) {
    Value operand = launch.kernelOperands()[i];
    if (!isTokenType(operand.type())) continue;
    if (isPlacementToken(operand) || isPlacementToken(launch.kernelArgument(i)))
      return launch->emitOpError() << "operand #" << i
                                   << " of its args is an affinity or "
                                      "concurrency token: only dependency tokens may cross the "
                                      "launch boundary";
  }
  return success();
}

// -- Hierarchy ----------------------------------------------------------------------------------

static Operation* enclosing(Operation& op, std::string_view name) { return op.parentOfName(name); }

static bool insideSerializedRank(Operation& op) {
  for (Operation* up = op.parentOp(); up; up = up->parentOp())
    if (up->hasAttr("air.serialized_rank")) return true;
  return false;
}

static LogicalResult verifyNesting(Operation& op) {
  auto reject = [&](std::string_view outer, std::string_view why) -> LogicalResult {
    Operation* found = enclosing(op, outer);
    if (!found) return success();
    return (op.emitOpError() << why).note(found->location()) << "'" << outer << "' stands here";
  };
  if (isa<RankOp>(&op)) {
    bool bad =
        enclosing(op, "air.segment") || enclosing(op, "air.herd") || enclosing(op, "air.rank");
    if (!bad) return success();
    return op.emitOpError() << "cannot be nested inside air.segment, air.herd, or another air.rank";
  }
  constexpr std::string_view kInnermost =
      "cannot be nested inside air.herd: a herd is the innermost level";
  if (!isa<HerdOp>(&op) && failed(reject("air.herd", kInnermost))) return failure();
  if (!isa<LaunchOp>(&op)) return success();
  // A rank starts a world of its own: only what stands between it and the launch counts. So does
  // the loop that air-rank-to-launch makes of one.
  if (enclosing(op, "air.rank") || insideSerializedRank(op)) return success();
  if (failed(reject("air.segment", "cannot be nested inside air.segment: a launch holds segments")))
    return failure();
  return reject("air.launch", "cannot be nested inside another air.launch");
}

/// The innermost rule for herds: fragments made by passes (a herd in a herd outside any segment or
/// launch) are still allowed, a complete hierarchy is not.
static LogicalResult verifyHerdNesting(Operation& op) {
  Operation* outer = enclosing(op, "air.herd");
  if (!outer) return success();
  if (!enclosing(*outer, "air.segment") && !enclosing(*outer, "air.launch")) return success();
  return (op.emitOpError() << "cannot be nested inside another air.herd: a herd is the innermost "
                              "level")
             .note(outer->location())
         << "the outer herd stands here";
}

static LogicalResult verifyBodyArguments(HierarchyOp op) {
  unsigned wanted = 2 * op.numDims() + op.numKernelOperands();
  if (op->region().empty()) return op->emitOpError() << "expects a body";
  if (op.body().numArguments() != wanted)
    return op->emitOpError() << "expects " << wanted << " body arguments (ids, sizes, args), found "
                             << op.body().numArguments();
  for (unsigned i = 0; i < 2 * op.numDims(); ++i)
    if (!op.body().argument(i).type().isIndex())
      return op->emitOpError() << "body argument #" << i << " must be index, found "
                               << op.body().argument(i).type();
  for (unsigned i = 0; i < op.numKernelOperands(); ++i)
    if (op.kernelArgument(i).type() != op.kernelOperands()[i].type())
      return op->emitOpError() << "args entry #" << i << " has type "
                               << op.kernelOperands()[i].type() << " outside and "
                               << op.kernelArgument(i).type() << " inside";
  return success();
}

/// Places of a channel, each of which has a queue, and cores of a herd: far more than any device has.
static constexpr int64_t kMostPlaces = 1 << 20;

static LogicalResult verifySizes(HierarchyOp op) {
  unsigned dims = op.numDims();
  int64_t cores = 1;
  // `tile () in ()` is the implicit single point, as for the other levels.
  if (isa<HerdOp>(op.op()) && dims > 2)
    return op->emitOpError() << "must have 1 or 2 dimensions, found " << dims;
  for (unsigned i = 0; i < dims; ++i) {
    std::optional<int64_t> size = IndexEntry{0, op.sizes()[i]}.known();
    if (size && *size < 0) return op->emitOpError() << "size #" << i << " is negative: " << *size;
    if (!isa<HerdOp>(op.op()) || !size) continue;
    if (__builtin_mul_overflow(cores, *size, &cores) || cores > kMostPlaces)
      return op->emitOpError() << "not supported: a herd of more than " << kMostPlaces << " cores";
  }
  return success();
}

static LogicalResult verifyPlacement(Operation& op) {
  for (std::string_view name : {"x_loc", "y_loc", "x_size", "y_size"}) {
    Attribute value = op.attr(name);
    if (!value) continue;
    std::optional<int64_t> number = constantInt(value);
    if (!number) return op.emitOpError() << "attribute '" << name << "' must be an integer";
    if (*number < 0) return op.emitOpError() << "attribute '" << name << "' must not be negative";
  }
  Attribute granularity = op.attr("backend-granularity");
  if (!granularity) return success();
  StringAttr text = granularity.dynCast<StringAttr>();
  if (text && text.value() == "XCD") return success();
  return op.emitOpError() << "unknown backend-granularity " << granularity << "; expected \"XCD\"";
}

// -- Memory levels --------------------------------------------------------------------------------

/// A program says that it is for a GPU by the module attribute `airlite.wave_size`. There the work
/// items of a herd reach LDS (L2) and global memory (L3) directly (compute model, 4.2).
static bool isGpuProgram(Operation& op) {
  for (Operation* up = &op; up; up = up->parentOp())
    if (up->hasAttr("airlite.wave_size")) return true;
  return false;
}

/// Loads, stores and vector transfers: what becomes an instruction of the core. Data movement,
/// linalg and memref.copy may still be lowered to either.
static bool isDirectAccess(Operation& op) {
  std::string_view dialect = op.def().dialect;
  bool lowLevel = dialect == "memref" || dialect == "affine" || dialect == "vector";
  // A reshape reads the shape, which is not data.
  return lowLevel && !op.is("memref.copy") && !op.is("memref.dealloc") && !op.is("memref.reshape");
}

static LogicalResult checkDirectAccess(Operation& inner) {
  std::vector<EffectInstance> effects;
  if (!isDirectAccess(inner) || !effectsOf(inner, effects)) return success();
  for (const EffectInstance& effect : effects) {
    bool touches = effect.effect == Effect::Read || effect.effect == Effect::Write;
    if (!touches || !effect.value || !effect.value.type().isa<MemRefType>()) continue;
    std::optional<MemoryLevel> level = memoryLevel(effect.value.type());
    if (!level || *level == MemoryLevel::L1) continue;
    return inner.emitOpError() << "inside 'air.herd' accesses memref with memory_space "
                               << levelName(*level)
                               << "; AIE core tiles can only access L1 or more local memory "
                                  "directly. Use air.dma_memcpy_nd to stage data first. (A GPU "
                                  "program says so with the module attribute airlite.wave_size.)";
  }
  return success();
}

static LogicalResult checkAllocation(Operation& inner, Operation& scope, MemoryLevel least) {
  if (!inner.is("memref.alloc")) return success();
  std::optional<MemoryLevel> level = memoryLevel(inner.result().type());
  if (!level || *level >= least) return success();
  return inner.emitOpError() << "memref.alloc inside " << scope.name()
                             << " must have memory space >= " << levelName(least)
                             << ", but found memory space " << levelName(*level);
}

/// `accesses`: what the core itself does counts too, not only where memory is allocated.
static LogicalResult checkMemoryLevels(Operation& scope, bool accesses) {
  bool herd = isa<HerdOp>(&scope);
  LogicalResult result = success();
  scope.walkWith([&](Operation& inner) {
    if (&inner == &scope) return WalkResult::Advance;
    if (asHierarchy(&inner)) return WalkResult::Skip;  // it checks itself
    result = checkAllocation(inner, scope, herd ? MemoryLevel::L1 : MemoryLevel::L2);
    if (succeeded(result) && accesses) result = checkDirectAccess(inner);
    return failed(result) ? WalkResult::Interrupt : WalkResult::Advance;
  });
  return result;
}

/// What a launch dispatches to is not known before it is lowered, and the work items of a GPU reach
/// all levels: the lowering to an NPU asks checkCoreMemory. A herd on its own is for NPU cores.
static LogicalResult verifyMemoryLevels(Operation& scope) {
  bool herd = isa<HerdOp>(&scope);
  if ((!herd && !isa<SegmentOp>(&scope)) || isGpuProgram(scope)) return success();
  return checkMemoryLevels(scope, herd && !enclosing(scope, "air.launch"));
}

LogicalResult checkCoreMemory(HerdOp herd) { return checkMemoryLevels(*herd, true); }

LogicalResult verifyHierarchy(Operation& raw) {
  HierarchyOp op(&raw);
  if (failed(verifyTokens(raw)) || failed(verifyNesting(raw)) || failed(verifySizes(op)) ||
      failed(verifyBodyArguments(op)) || failed(verifyPlacement(raw)) ||
      failed(verifyMemoryLevels(raw)))
    return failure();
  if (isa<HerdOp>(&raw)) return verifyHerdNesting(raw);
  return isa<LaunchOp>(&raw) ? verifyLaunchBoundary(op) : success();
}

// -- Data movement --------------------------------------------------------------------------------

/// A static list says with kDynamic where each of the values stands.
static LogicalResult verifyMixedList(Operation& op, const ListParts& list, const ListNames& names) {
  if (!list.statics) return success();
  auto dynamic = std::ranges::count(list.entries(), kDynamic);
  unsigned found = list.values.size();
  if (dynamic == found) return success();
  return op.emitOpError() << "expected " << dynamic << " values in " << names.values << " as '"
                          << names.statics << "' says, but found " << found;
}

static LogicalResult verifyAccess(Operation& op, const AccessNames& names) {
  AccessParts parts = partsOf(op, names);
  if (failed(verifyMixedList(op, parts.offsets, names.offsets)) ||
      failed(verifyMixedList(op, parts.sizes, names.sizes)) ||
      failed(verifyMixedList(op, parts.strides, names.strides)))
    return failure();
  std::string_view side = names.memref;
  size_t offsets = parts.offsets.length(), sizes = parts.sizes.length();
  if (sizes != parts.strides.length())
    return op.emitOpError()
           << side << " sizes and strides must have the same number of dimensions, but got "
           << sizes << " and " << parts.strides.length();
  ShapedType type = parts.memref.type().dynCast<ShapedType>();
  bool ranked = type && type.hasRank();
  // Offsets belong either to the list's own dimensions or to those of the memref
  // (docs/facts/decisions.md).
  bool fits = offsets == 0 || offsets == sizes || !ranked ||
              offsets == static_cast<size_t>(type.rank()) || sizes == 0;
  if (!fits)
    return op.emitOpError() << side << " has " << offsets << " offsets, but " << sizes
                            << " sizes and a memref of rank " << type.rank();
  for (int64_t size : parts.sizes.entries())
    if (size < 0 && size != kDynamic)
      return op.emitOpError() << side << " sizes must not be negative, found " << size;
  for (Value value : parts.sizes.values)
    if (const auto size = constantIntOf(value); size && *size < 0)
      return op.emitOpError() << side << " sizes must not be negative, found " << *size;
  return success();
}

static LogicalResult verifyPadding(Operation& op) {
  DenseArrayAttr before = op.attrOf<DenseArrayAttr>("pad_before");
  DenseArrayAttr after = op.attrOf<DenseArrayAttr>("pad_after");
  if (static_cast<bool>(before) != static_cast<bool>(after))
    return op.emitOpError() << "pad_before and pad_after must both be present or both absent";
  if (!before) return success();
  if (before.size() != after.size())
    return op.emitOpError() << "pad_before and pad_after must have the same number of dimensions";
  for (DenseArrayAttr side : {before, after})
    for (int64_t value : side.values()) {
      if (value < 0) return op.emitOpError() << "padding values must be non-negative";
      if (value > 65535) return op.emitOpError() << "padding values must be <= 65535";
    }
  return success();
}

static LogicalResult verifyPeer(Operation& op, std::string_view side, Value memref) {
  Attribute rank = op.attr(std::string(side) + "_rank");
  if (!rank) return success();
  int64_t number = constantInt(rank).value_or(0);
  if (number < 0) return op.emitOpError() << side << "_rank must be >= 0, got " << number;
  Operation* alloc = memref::viewSource(memref).definingOp();
  if (!alloc || !alloc->is("memref.alloc") || alloc->hasAttr("air.symmetric")) return success();
  return op.emitOpError() << side
                          << " memref is referenced cross-rank but its memref.alloc lacks the "
                             "\"air.symmetric\" attribute";
}

LogicalResult verifyDmaAlone(Operation& op) {
  if (failed(verifyTokens(op)) || failed(verifyAccess(op, kSrc)) || failed(verifyAccess(op, kDst)))
    return failure();
  return verifyPadding(op);
}

LogicalResult verifyDma(Operation& op) {
  if (!op.hasAttr("src_rank") && !op.hasAttr("dst_rank")) return success();
  if (!enclosing(op, "air.rank"))
    return op.emitOpError() << "src_rank/dst_rank attributes require an enclosing air.rank scope";
  if (failed(verifyPeer(op, "src", op.operandGroup("src")[0]))) return failure();
  return verifyPeer(op, "dst", op.operandGroup("dst")[0]);
}

// -- Channels -------------------------------------------------------------------------------------

static LogicalResult verifyRefeed(Operation& op) {
  constexpr std::string_view kName = "air.refeed_count";
  Attribute value = op.attr(kName);
  if (!value) return success();
  IntegerAttr number = value.dynCast<IntegerAttr>();
  if (!number) return op.emitOpError() << "\"" << kName << "\" must be an integer attribute";
  if (number.value() >= 1 && number.value() <= std::numeric_limits<int32_t>::max())
    return success();
  return op.emitOpError() << "\"" << kName << "\" (" << number.value()
                          << ") must be in [1, INT32_MAX]";
}

static LogicalResult verifyChannelType(ChannelOp op) {
  static constexpr std::string_view kTypes[] = {"npu_dma_stream", "npu_dma_packet", "npu_cascade",
                                                "npu_mmio", "gpu_symmetric_heap"};
  std::string_view type = op.canonicalType();
  for (std::string_view known : kTypes)
    if (type == known) return success();
  return op->emitOpError() << "unsupported channel_type \"" << type
                           << "\"; expected one of \"npu_dma_stream\", \"npu_dma_packet\", "
                              "\"npu_cascade\", \"npu_mmio\", or \"gpu_symmetric_heap\""
                           << didYouMean(type, kTypes);
}

static LogicalResult verifyBroadcast(ChannelOp op) {
  std::optional<std::vector<int64_t>> shape = op.broadcastShape();
  if (!shape) return success();
  std::vector<int64_t> sizes = op.sizes();
  if (sizes.size() != shape->size())
    return op->emitOpError() << "bundle rank should match broadcast_shape rank";
  int64_t destinations = 1;
  for (size_t i = 0; i < sizes.size(); ++i) {
    int64_t size = sizes[i], broadcast = (*shape)[i];
    if (broadcast < size)
      return op->emitOpError() << "broadcast_shape[" << i << "] (" << broadcast
                               << ") must be >= size[" << i << "] (" << size
                               << "): broadcasting cannot shrink a dimension";
    if (size != broadcast && size != 1)
      return op->emitOpError() << "size[" << i << "] (" << size
                               << ") is not compatible with broadcast_shape[" << i << "] ("
                               << broadcast
                               << "): size must be 1 or equal to broadcast_shape (NumPy "
                                  "broadcasting rules)";
    if (__builtin_mul_overflow(destinations, broadcast, &destinations) ||
        destinations > kMostPlaces)
      return op->emitOpError() << "not supported: a channel of more than " << kMostPlaces
                               << " destinations";
  }
  return success();
}

static LogicalResult verifyPacketIds(ChannelOp op) {
  Attribute value = op->attr("packet_ids");
  if (!value) return success();
  ArrayAttr ids = value.dynCast<ArrayAttr>();
  if (!ids) return op->emitOpError() << "\"packet_ids\" must be an array attribute";
  if (op.canonicalType() != "npu_dma_packet")
    return op->emitOpError() << "\"packet_ids\" is only valid on a \"npu_dma_packet\" channel";
  uint32_t seen = 0;
  for (Attribute element : ids.value()) {
    IntegerAttr id = element.dynCast<IntegerAttr>();
    if (!id) return op->emitOpError() << "\"packet_ids\" elements must be integer attributes";
    if (id.value() < 0 || id.value() > 31)
      return op->emitOpError() << "\"packet_ids\" id (" << id.value() << ") must be in [0, 31]";
    if (seen & (1u << id.value()))
      return op->emitOpError() << "\"packet_ids\" id (" << id.value() << ") is duplicated";
    seen |= 1u << id.value();
  }
  return success();
}

LogicalResult verifyChannel(Operation& raw) {
  ChannelOp op(&raw);
  int64_t places = 1;
  for (size_t i = 0; int64_t size : op.sizes()) {
    if (size < 1) return op->emitOpError() << "size[" << i << "] must be positive, found " << size;
    if (__builtin_mul_overflow(places, size, &places) || places > kMostPlaces)
      return op->emitOpError() << "not supported: a channel of more than " << kMostPlaces
                               << " places";
    ++i;
  }
  Attribute depth = raw.attr("depth");
  if (depth && constantInt(depth).value_or(0) < 1)
    return op->emitOpError() << "depth must be a positive integer, found " << depth;
  if (failed(verifyChannelType(op)) || failed(verifyBroadcast(op)) || failed(verifyRefeed(raw)))
    return failure();
  return verifyPacketIds(op);
}

static LogicalResult verifyMmioSide(ChannelAccessOp op) {
  Access access = op.access();
  MemoryLevel wanted = op.isPut() ? MemoryLevel::L3 : MemoryLevel::L1;
  std::optional<MemoryLevel> level = memoryLevel(access.memref.type());
  if (level == wanted) return success();
  InFlightDiagnostic error = op->emitOpError();
  error << "channel_type=\"npu_mmio\" " << (op.isPut() ? "put source" : "get destination")
        << " must be in " << levelName(wanted) << " (memory_space=" << static_cast<int>(wanted)
        << "), got memory_space=";
  return level ? error << static_cast<int>(*level) : error << memorySpaceOf(access.memref.type());
}

/// The scf.for or affine.for with whose iterations `value` changes: it is the induction variable,
/// or computed from it. Any computation counts, so that simplifying one does not change the answer.
static Operation* loopOf(Value value) {
  Operation* made = value.definingOp();
  if (made && made->hasTrait(Trait::ConstantLike)) return nullptr;  // nearly every index
  // So are the ids of a level.
  if (Block* block = value.argumentBlock(); block && asHierarchy(block->parentOp())) return nullptr;
  std::unordered_set<Value> seen;
  std::vector<Value> work{value};
  while (!work.empty()) {
    Value next = work.back();
    work.pop_back();
    if (!seen.insert(next).second) continue;
    if (Block* block = next.argumentBlock()) {
      Operation* loop = block->parentOp();
      bool isFor = loop && (loop->is("scf.for") || loop->is("affine.for"));
      if (isFor && next.index() == 0) return loop;
      // The loop itself may not be verified yet.
      bool carried =
          isFor && next.index() <= loop->numResults() && loop->numResults() <= loop->numOperands();
      if (carried) {
        unsigned i = next.index() - 1;
        work.push_back(loop->operand(loop->numOperands() - loop->numResults() + i));
        if (i < block->back().numOperands()) work.push_back(block->back().operand(i));
      }
      continue;
    }
    Operation& op = *next.definingOp();
    bool computes = op.hasTrait(Trait::Pure) || op.hasTrait(Trait::RecursiveEffects);
    if (!computes) continue;
    for (Value operand : op.operands())
      work.push_back(operand);
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        if (!block.empty())
          for (Value given : block.back().operands())
            work.push_back(given);
  }
  return nullptr;
}

/// Places of a channel are hardware. Between ranks the place is another process, and which one may
/// change from one iteration to the next.
static LogicalResult verifyIndices(ChannelAccessOp op) {
  Operation* level = op->parentOp();
  while (level && !asHierarchy(level))
    level = level->parentOp();
  if (level && isa<RankOp>(level)) return success();
  OperandRange indices = op.indices();
  for (unsigned i = 0; i < indices.size(); ++i) {
    Value index = indices[i];
    Operation* loop = loopOf(index);
    if (!loop) continue;
    bool isVariable = index.argumentBlock() == &loop->region().front() && index.index() == 0;
    std::string_view how = isVariable ? "" : "computed from ";
    return op->emitOpError() << "channel index " << i << " is " << how << "an " << loop->name()
                             << " induction variable; channel bundle indices must not be temporal "
                             << loop->name() << " induction variables";
  }
  return success();
}

/// `named`: what its name leads to; null when that is not there.
static LogicalResult verifyIsChannel(ChannelAccessOp op, Operation* named) {
  if (!named || isa<ChannelOp>(named)) return success();
  return (op->emitOpError() << "'@" << op.channelName() << "' is not an air.channel")
             .note(named->location())
         << "it is declared here";
}

static LogicalResult undeclared(ChannelAccessOp op) {
  std::vector<std::string_view> names;
  for (Operation* up = op.op(); up; up = up->parentOp()) {
    if (!up->hasTrait(Trait::SymbolTable)) continue;
    for (Block& block : up->region().blocks())
      for (Operation& inner : block.ops())
        if (isa<ChannelOp>(&inner)) names.push_back(symbolName(inner));
  }
  return op->emitOpError() << "channel '@" << op.channelName() << "' is not declared"
                           << didYouMean(op.channelName(), names);
}

LogicalResult checkChannelUse(ChannelAccessOp op) {
  ChannelOp channel = op.channel();
  if (!channel) return undeclared(op);
  // Existing programs leave the indices out to mean the first channel of a bundle.
  size_t rank = channel.sizes().size(), given = op.indices().size();
  bool single = true;
  for (int64_t size : channel.broadcastShape().value_or(channel.sizes()))
    single &= size == 1;
  if (given == rank || given == 0 || (single && rank == 0)) return success();
  return (op->emitOpError() << "has " << given << " channel indices, but channel '@"
                            << channel.symbol() << "' has " << rank << " dimensions")
             .note(channel->location())
         << "the channel is declared here";
}

LogicalResult verifyChannelAccessAlone(Operation& raw) {
  bool isPut = ChannelAccessOp(&raw).isPut();
  if (failed(verifyTokens(raw)) || failed(verifyAccess(raw, isPut ? kSrc : kDst))) return failure();
  return failed(verifyRefeed(raw)) ? failure() : verifyPadding(raw);
}

LogicalResult verifyChannelAccess(Operation& raw) {
  ChannelAccessOp op(&raw);
  Operation* named = lookupSymbol(&raw, raw.attrOf<SymbolRefAttr>("chan_name"));
  if (failed(verifyIndices(op)) || failed(verifyIsChannel(op, named))) return failure();
  if (!named) return success();  // a fragment; see checkChannelUse
  std::string_view type = ChannelOp(named).canonicalType();
  if (type == "npu_mmio") return verifyMmioSide(op);
  if (type == "gpu_symmetric_heap" && !enclosing(raw, "air.rank"))
    return op->emitOpError() << "channel_type=\"gpu_symmetric_heap\" "
                             << (op.isPut() ? "put" : "get")
                             << " requires an enclosing air.rank scope";
  return success();
}

// -- execute --------------------------------------------------------------------------------------

LogicalResult verifyExecute(Operation& op) {
  if (failed(verifyTokens(op))) return failure();
  if (op.numResults() == 0 || !isTokenType(op.result(0).type()))
    return op.emitOpError() << "expects an async token as its first result";
  if (op.region().empty()) return op.emitOpError() << "expects a body";
  Operation* terminator = op.region().front().terminator();
  if (!terminator || !terminator->is("air.execute_terminator")) return success();
  unsigned returned = terminator->numOperands(), declared = op.numResults() - 1;
  if (returned != declared)
    return terminator->emitOpError()
           << "returns " << returned << " values, but its air.execute has " << declared
           << " results besides the token";
  for (unsigned i = 0; i < declared; ++i)
    if (terminator->operand(i).type() != op.result(i + 1).type())
      return terminator->emitOpError()
             << "operand #" << i << " has type " << terminator->operand(i).type()
             << ", but the result of air.execute has type " << op.result(i + 1).type();
  return success();
}

}  // namespace airlite::air
