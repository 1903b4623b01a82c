// Rules of devices, tiles and what stands on them: cores, locks, buffers.
#include "AieInternal.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace airlite::aie {

// -- Shared -------------------------------------------------------------------------------------

std::string describe(TileOp tile) {
  auto id = tile ? tile.id() : std::nullopt;
  if (!id) return "logical tile";
  return "tile (" + std::to_string(id->col) + ", " + std::to_string(id->row) + ")";
}

static std::string kindList(std::initializer_list<TileKind> kinds) {
  std::string text;
  for (TileKind kind : kinds)
    text += (text.empty() ? "a " : " or a ") + std::string(tileKindName(kind));
  return text;
}

LogicalResult requireTile(Operation& op, std::initializer_list<TileKind> kinds, TileOp& tile) {
  tile = tileOf(op.operand(0));
  if (!tile)
    return op.emitOpError() << "expects its tile to be made by aie.tile or aie.logical_tile";
  auto kind = tile.kind();
  if (!kind) return success();  // outside of the device: reported at the tile
  if (std::find(kinds.begin(), kinds.end(), *kind) != kinds.end()) return success();
  return op.emitOpError() << "expects " << kindList(kinds) << ", but " << describe(tile) << " is a "
                          << tileKindName(*kind);
}

LogicalResult requireRange(Operation& op, std::string_view what, int64_t value, int64_t low,
                           int64_t high) {
  if (value >= low && value <= high) return success();
  return op.emitOpError() << what << " (" << value << ") must be between " << low << " and "
                          << high;
}

// -- device -------------------------------------------------------------------------------------

namespace {

/// A place and what is on it; tiles without coordinates are told apart by the op that made them.
using Place = std::tuple<std::string_view, int64_t, int64_t, const Operation*, int64_t>;

/// `number` tells several of a kind apart (locks).
std::optional<Place> placeOf(Operation& op, int64_t number = 0) {
  TileOp tile = op.numOperands() ? tileOf(op.operand(0)) : TileOp();
  if (!tile) return std::nullopt;
  if (auto id = tile.id()) return Place(op.name(), id->col, id->row, nullptr, number);
  return Place(op.name(), -1, -1, tile.op(), number);
}

bool isOnePerTile(Operation& op) {
  return isa<CoreOp>(&op) || asDmaOp(&op) || op.is("aie.switchbox") || op.is("aie.shim_mux") ||
         op.is("aie.configure_cascade");
}

/// What `op` uses up alone; empty: nothing.
std::optional<Place> exclusivePlace(Operation& op) {
  if (isOnePerTile(op)) return placeOf(op);
  auto id = isa<LockOp>(&op) ? LockOp(&op).lockId() : std::nullopt;
  return id ? placeOf(op, *id) : std::nullopt;
}

LogicalResult reportTwice(Operation& op, Operation& first) {
  InFlightDiagnostic diagnostic = op.emitOpError();
  std::string where = describe(tileOf(op.operand(0)));
  if (isa<LockOp>(&op))
    diagnostic << "lock " << *LockOp(&op).lockId() << " of " << where << " is declared twice";
  else
    diagnostic << where << " has more than one " << op.name();
  diagnostic.note(first.location()) << "the first one is here";
  return diagnostic;
}

}  // namespace

LogicalResult verifyDevice(Operation& op) {
  std::map<Place, Operation*> used;
  LogicalResult result = success();
  for (Block& block : op.region().blocks()) {
    for (Operation& member : block.ops()) {
      auto place = exclusivePlace(member);
      if (!place) continue;
      auto [it, isNew] = used.try_emplace(*place, &member);
      if (!isNew) result |= reportTwice(member, *it->second);
    }
  }
  return result;
}

// -- Tiles --------------------------------------------------------------------------------------

static LogicalResult verifyCoordinate(Operation& op, std::optional<int64_t> value,
                                      std::string_view what, std::string_view whats,
                                      int64_t count) {
  if (!value) return success();
  if (*value < 0)
    return op.emitOpError() << what << " index (" << *value << ") must not be negative";
  if (*value < count) return success();
  return op.emitOpError() << what << " index (" << *value << ") must be less than the number of "
                          << whats << " in the device (" << count << ")";
}

LogicalResult verifyTile(Operation& op) {
  const Device& device = deviceOf(op);
  TileOp tile(&op);
  if (failed(verifyCoordinate(op, tile.col(), "column", "columns", device.columns)))
    return failure();
  return verifyCoordinate(op, tile.row(), "row", "rows", device.rows);
}

LogicalResult verifyLogicalTile(Operation& op) {
  if (failed(verifyTile(op))) return failure();
  const Device& device = deviceOf(op);
  TileOp tile(&op);
  auto kind = tile.kind();
  if (kind == TileKind::Mem && device.memRows == 0)
    return op.emitOpError() << "device " << device.name << " has no memory tiles";
  if (!kind || !tile.row()) return success();
  // Without a column any column with a DMA stands for the shim.
  TileKind found = device.kindOf({tile.col().value_or(0), *tile.row()});
  bool isOpenShim = !tile.col() && *tile.row() == 0 && *kind >= TileKind::ShimNoc;
  if (found == *kind || isOpenShim) return success();
  return op.emitOpError() << "asks for a " << tileKindName(*kind) << ", but row " << *tile.row()
                          << " has a " << tileKindName(found) << " there";
}

// -- core ---------------------------------------------------------------------------------------

static LogicalResult verifyCoreBlocks(Operation& op) {
  for (Block& block : op.region().blocks()) {
    Operation* last = block.terminator();
    if (!last || last->is("aie.end") || last->numSuccessors() || !last->isRegistered()) continue;
    return last->emitOpError() << "cannot end a block of an aie.core; expected aie.end or a branch";
  }
  return success();
}

LogicalResult verifyCore(Operation& op) {
  TileOp tile;
  if (failed(requireTile(op, {TileKind::Core}, tile))) return failure();
  if (op.region().empty()) return op.emitOpError() << "expects a body";
  int64_t memory = deviceOf(op).limits(TileKind::Core).memoryBytes;
  if (failed(requireRange(op, "stack size", CoreOp(&op).stackBytes(), 0, memory))) return failure();
  Block& entry = op.region().front();
  bool isEmpty = op.region().hasOneBlock() && !entry.empty() && entry.front().is("aie.end");
  if (op.hasAttr("elf_file") && !isEmpty)
    return op.emitOpError() << "with an elf_file must have nothing but aie.end in its body";
  return verifyCoreBlocks(op);
}

static unsigned bitsOf(Type type) {
  auto vector = type.dynCast<VectorType>();
  Type element = elementTypeOrSelf(type);
  if (!element.isInteger() && !element.isFloat()) return 0;
  int64_t count = vector ? vector.numElements() : 1;
  return count > 0 && count <= 4096 ? static_cast<unsigned>(count) * element.bitWidth() : 0;
}

LogicalResult verifyCascadeValue(Operation& op) {
  if (!op.parentOf<CoreOp>()) return op.emitOpError() << "expects to be inside an aie.core";
  Type type = op.numResults() ? op.result().type() : op.operand(0).type();
  unsigned wanted = deviceOf(op).cascadeBits();
  if (bitsOf(type) == wanted) return success();
  return op.emitOpError() << "must have a " << wanted << "-bit type, found " << type;
}

// -- Who uses locks and buffers -----------------------------------------------------------------

/// The core or DMA that `user` is part of; null outside of them.
static TileElement userElement(Operation& user) {
  for (Operation* op = &user; op; op = op->parentOp())
    if (isa<CoreOp>(op) || asDmaOp(op)) return TileElement(op);
  return TileElement();
}

/// A core reaches its neighbours' memory; the DMA of a memory tile too, other DMAs only their own.
static bool mayUse(const Device& device, TileElement user, TileId from, TileId to) {
  bool isLocal = asDmaOp(user.op()) && device.kindOf(from) != TileKind::Mem;
  return isLocal ? from == to : device.reachesMemory(from, to);
}

static LogicalResult verifyUsers(Operation& op) {
  const Device& device = deviceOf(op);
  TileOp tile = tileOf(op.operand(0));
  auto home = tile ? tile.id() : std::nullopt;
  if (!home || !device.contains(*home)) return success();
  for (OpOperand& use : op.result().uses()) {
    TileElement user = userElement(*use.owner());
    TileOp from = user ? user.tile() : TileOp();
    auto place = from ? from.id() : std::nullopt;
    if (!place || !device.contains(*place) || mayUse(device, user, *place, *home)) continue;
    InFlightDiagnostic diagnostic = op.emitOpError();
    diagnostic << "in Column " << home->col << " and Row " << home->row
               << " is accessed from an unreachable tile in Column " << place->col << " and Row "
               << place->row;
    diagnostic.note(use.owner()->location()) << "user";
    return diagnostic;
  }
  return success();
}

// -- Locks --------------------------------------------------------------------------------------

LogicalResult verifyLock(Operation& op) {
  TileOp tile;
  if (failed(requireTile(op, {TileKind::Core, TileKind::Mem, TileKind::ShimNoc}, tile)))
    return failure();
  auto kind = tile.kind();
  if (!kind) return success();
  const TileLimits& limits = deviceOf(op).limits(*kind);
  LockOp lock(&op);
  auto id = lock.lockId();
  if (id && (*id < 0 || *id >= limits.locks))
    return op.emitOpError() << "lock assigned invalid id (maximum is " << limits.locks - 1
                            << "), found " << *id;
  if (failed(requireRange(op, "initial value", lock.init(), 0, limits.maxLockValue)))
    return failure();
  return verifyUsers(op);
}

/// Descriptors hold values as signed 7-bit numbers; the first generation knows 0 and 1.
static LogicalResult verifyLockValue(Operation& op, UseLockOp use, Generation generation) {
  MaybeStatic value = use.value();
  bool isFirst = generation == Generation::Aie1;
  if (isFirst && use.action() == LockAction::AcquireGreaterEqual)
    return op.emitOpError() << "AcquireGreaterEqual is not supported in AIE1";
  if (!value.isConstant()) return success();
  if (isFirst) return requireRange(op, "lock value", value.constant, 0, 1);
  int64_t low = use.action() == LockAction::Release ? -64 : 0;
  return requireRange(op, "lock value", value.constant, low, 63);
}

LogicalResult verifyUseLock(Operation& op) {
  UseLockOp use(&op);
  if (!use.lock()) return op.emitOpError() << "expects its lock to be made by aie.lock";
  if (failed(verifyLockValue(op, use, deviceOf(op).generation))) return failure();
  Operation* parent = op.parentOp();
  bool isTask = parent && parent->name().starts_with("aiex.dma_configure_task");
  bool isDescriptor = asDmaOp(parent) || isTask;
  if (isDescriptor && !use.value().isConstant())
    return op.emitOpError() << "lock value in a DMA/BD block must be a compile-time constant "
                               "(defined by an arith.constant)";
  if (isDescriptor || op.parentOf<CoreOp>()) return success();
  return op.emitOpError() << "must be used in a core or memory operation";
}

// -- Buffers ------------------------------------------------------------------------------------

static LogicalResult verifyInitialValue(Operation& op, MemRefType type) {
  auto value = op.attrOf<DenseElementsAttr>("initial_value");
  if (!value) return success();
  auto shape = value.type().shape();
  bool fits = value.type().elementType() == type.elementType() &&
              std::equal(shape.begin(), shape.end(), type.shape().begin(), type.shape().end());
  if (fits) return success();
  return op.emitOpError() << "initial value of type " << value.type() << " does not fit buffer of "
                          << "type " << type;
}

static LogicalResult verifyBufferSize(Operation& op, TileOp tile) {
  BufferOp buffer(&op);
  auto kind = tile.kind();
  auto bytes = buffer.bytes();
  if (!bytes)
    return op.emitOpError() << "expects a memref of fixed size whose elements are numbers, found "
                            << op.result().type();
  if (!kind) return success();
  int64_t memory = deviceOf(op).limits(*kind).memoryBytes;
  if (*bytes > memory)
    return op.emitOpError() << "of " << *bytes << " bytes is larger than the " << memory
                            << " bytes of a " << tileKindName(*kind);
  auto address = buffer.address();
  if (!address || (*address >= 0 && *address <= memory - *bytes)) return success();
  return op.emitOpError() << "of " << *bytes << " bytes at address " << *address
                          << " does not lie in the " << memory << " bytes of a "
                          << tileKindName(*kind);
}

LogicalResult verifyBuffer(Operation& op) {
  TileOp tile;
  if (failed(requireTile(op, {TileKind::Core, TileKind::Mem}, tile)) ||
      failed(verifyBufferSize(op, tile)) ||
      failed(verifyInitialValue(op, op.result().type().cast<MemRefType>())))
    return failure();
  return verifyUsers(op);
}

// -- runtime_sequence ---------------------------------------------------------------------------

LogicalResult verifyRuntimeSequence(Operation& op) {
  constexpr std::string_view kName = RuntimeSequenceOp::kContents;
  ArrayAttr contents = op.attrOf<ArrayAttr>(kName);
  if (!contents || op.region().empty()) return success();
  const size_t given = contents.value().size(), wanted = op.region().front().numArguments();
  if (given != wanted)
    return op.emitOpError() << "'" << kName << "' has " << given << " entries for " << wanted
                            << " arguments";
  for (unsigned i = 0; i < given; ++i) {
    if (contents.value()[i].isa<UnitAttr>()) continue;
    memref::GlobalOp global(RuntimeSequenceOp(&op).contentsOf(i));
    const bool isFit = global && global->is("memref.global") && global.initialValue() &&
                       global.type() == op.region().front().argument(i).type();
    if (!isFit)
      return op.emitOpError() << "'" << kName << "' #" << i
                              << " is not a memref.global with a value "
                              << "of type " << op.region().front().argument(i).type() << ": "
                              << contents.value()[i];
  }
  return success();
}

// -- shim_dma_allocation ------------------------------------------------------------------------

LogicalResult verifyShimDmaAllocation(Operation& op) {
  TileOp tile;
  ShimDmaAllocationOp allocation(&op);
  bool usesLogic = flagAttr(op, "plio");
  LogicalResult fits = usesLogic ? requireTile(op, {TileKind::ShimNoc, TileKind::ShimPl}, tile)
                                 : requireTile(op, {TileKind::ShimNoc}, tile);
  if (failed(fits) || usesLogic) return fits;
  int64_t channels = deviceOf(op).limits(TileKind::ShimNoc).channels;
  return requireRange(op, "channel index", allocation.channel().index, 0, channels - 1);
}

}  // namespace airlite::aie
