// Which memory an op touches: effects of its definition, and unions over what is inside.
//
// One class: all its answers come from one cache of what values refer to.
#include "airlite/analysis/Access.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>
#include <unordered_set>

namespace airlite::analysis {

namespace {

bool isMemRef(Type type) { return type.isa<MemRefType>() || type.isa<UnrankedMemRefType>(); }
bool isTensor(Type type) { return type.isa<RankedTensorType>() || type.isa<UnrankedTensorType>(); }

/// Null for effects that touch no memory.
std::optional<AccessKind> kindOf(Effect effect) {
  switch (effect) {
    case Effect::Read: return AccessKind::Read;
    case Effect::Write:
    case Effect::Allocate:
    case Effect::Free: return AccessKind::Write;
    case Effect::Send:
    case Effect::Receive:
    case Effect::Sync: return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

bool Buffer::isMadeIn(Operation& op) const {
  if (kind != Kind::Local) return false;
  for (Region* at = value.parentRegion(); at; at = at->parentRegion())
    if (at->parentOp() == &op) return true;
  return false;
}

// -- Of one op ------------------------------------------------------------------------------------

void AccessReader::direct(Operation& op, std::vector<BufferAccess>& accesses) {
  if (air::HierarchyOp hierarchy = air::asHierarchy(&op)) {
    for (Value operand : hierarchy.kernelOperands())
      if (isMemRef(operand.type()))
        accesses.push_back({bufferOf(operand), AccessKind::Hold, std::nullopt, false});
    return;
  }
  if (op.is("memref.assume_alignment")) return;  // says something, does nothing
  std::vector<EffectInstance> effects;
  if (!effectsOf(op, effects)) return addUnknown(op, accesses);
  for (const EffectInstance& effect : effects) {
    std::optional<AccessKind> kind = kindOf(effect.effect);
    if (!kind) continue;
    if (!effect.value)
      accesses.push_back({Buffer::hidden(), *kind, std::nullopt});
    else if (isMemRef(effect.value.type()))
      accesses.push_back(
          {bufferOf(effect.value), *kind, regionOf(op, effect), touchesAll(op, effect)});
  }
  if (!op.hasTrait(Trait::Pure)) addTensorReads(op, accesses);
}

/// An op that may do anything does it to the buffers that it gets.
void AccessReader::addUnknown(Operation& op, std::vector<BufferAccess>& accesses) {
  size_t before = accesses.size();
  for (Value operand : op.operands())
    if (isMemRef(operand.type()))
      accesses.push_back({bufferOf(operand), AccessKind::Write, std::nullopt, false});
  addTensorReads(op, accesses);
  if (accesses.size() == before)
    accesses.push_back({Buffer::hidden(), AccessKind::Write, std::nullopt, false});
}

/// A tensor that stands for a buffer (bufferization.to_tensor) is read where it is used.
void AccessReader::addTensorReads(Operation& op, std::vector<BufferAccess>& accesses) {
  for (Value operand : op.operands())
    if (isTensor(operand.type())) addTensorRead(operand, 0, accesses);
}

void AccessReader::addTensorRead(Value tensor, unsigned depth,
                                 std::vector<BufferAccess>& accesses) {
  constexpr unsigned kDeepest = 16;
  Operation* def = tensor.definingOp();
  if (!def) return;
  if (depth == kDeepest)
    return accesses.push_back({Buffer::any(), AccessKind::Read, std::nullopt, false});
  if (isa<air::ExecuteOp>(def) && tensor.index() > 0)
    return addTensorRead(def->region().front().back().operand(tensor.index() - 1), depth + 1,
                         accesses);
  for (Value operand : def->operands()) {
    if (def->is("bufferization.to_tensor") && isMemRef(operand.type()))
      accesses.push_back({bufferOf(operand), AccessKind::Read, std::nullopt, false});
    else if (def->hasTrait(Trait::Pure) && isTensor(operand.type()))
      addTensorRead(operand, depth + 1, accesses);
  }
}

// -- Of everything inside -------------------------------------------------------------------------

std::vector<BufferAccess> AccessReader::all(Operation& op) {
  std::vector<BufferAccess> accesses;
  direct(op, accesses);
  bool descend =
      op.hasTrait(Trait::RecursiveEffects) || air::asHierarchy(&op) || !op.def().hasEffectInfo;
  if (op.numRegions() == 0 || !descend) return accesses;
  bool isCertain = runsForCertain(op);
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (Operation& inner : block.ops())
        for (BufferAccess& access : all(inner)) {
          access.isCertain = access.isCertain && isCertain;
          accesses.push_back(std::move(access));
        }
  return liftedOut(std::move(accesses), op);
}

namespace {

/// What is seen to be done with a buffer replaces that it is held.
void dropKnownHolds(std::vector<BufferAccess>& accesses) {
  std::unordered_set<Value> used;
  for (const BufferAccess& access : accesses)
    if (access.kind != AccessKind::Hold) used.insert(access.buffer.value);
  std::erase_if(accesses, [&](const BufferAccess& access) {
    return access.kind == AccessKind::Hold && access.buffer.isKnown() &&
           used.count(access.buffer.value);
  });
}

}  // namespace

/// The body of `op` runs at least once whenever `op` does.
bool AccessReader::runsForCertain(Operation& op) {
  if (op.numRegions() == 0 || isa<air::ExecuteOp>(&op)) return true;
  unsigned counters = op.hasTrait(Trait::LoopLike) ? 1 : 0;
  if (air::HierarchyOp hierarchy = air::asHierarchy(&op))
    counters = hierarchy.numDims();
  else if (scf::ParallelOp loop = dynCast<scf::ParallelOp>(&op))
    counters = loop.numLoops();
  else if (!isa<scf::ForOp>(&op) && !isa<affine::ForOp>(&op))
    return false;
  for (unsigned i = 0; i < counters; ++i) {
    std::optional<SymbolRange> range = indices_.rangeOf(op.region(0).front().argument(i));
    if (!range || range->count <= 0) return false;
  }
  return true;
}

std::vector<BufferAccess> AccessReader::liftedOut(std::vector<BufferAccess> accesses,
                                                  Operation& op) {
  // An execute hands out what it allocates.
  bool keepsInner = isa<air::ExecuteOp>(&op);
  std::erase_if(accesses, [&](const BufferAccess& access) {
    return !keepsInner && access.buffer.isMadeIn(op);
  });
  for (BufferAccess& access : accesses) {
    if (!access.region || widen(*access.region, op, indices_)) continue;
    access.region.reset();
    access.isCertain = false;
  }
  dropKnownHolds(accesses);
  compact(accesses);
  return accesses;
}

void compact(std::vector<BufferAccess>& accesses) {
  constexpr size_t kMostPieces = 16;
  std::unordered_map<Value, std::vector<size_t>> ofBuffer[3];
  std::vector<BufferAccess> kept;
  for (BufferAccess& access : accesses) {
    // Buffers without a value share the null key; their pieces are whole anyway.
    std::vector<size_t>& same = ofBuffer[static_cast<size_t>(access.kind)][access.buffer.value];
    auto isKnown = [&](size_t at) {
      const BufferAccess& other = kept[at];
      return other.buffer == access.buffer && other.isCertain == access.isCertain &&
             (!other.region || other.region == access.region);
    };
    if (std::any_of(same.begin(), same.end(), isKnown)) continue;
    if (same.size() < kMostPieces) {
      same.push_back(kept.size());
      kept.push_back(std::move(access));
      continue;
    }
    for (size_t at : same)
      if (kept[at].buffer == access.buffer) {
        kept[at].region.reset();
        kept[at].isCertain = false;
      }
  }
  accesses = std::move(kept);
}

// -- Pairs ----------------------------------------------------------------------------------------

namespace {

/// Empty: it takes a look at the pieces.
std::optional<bool> overlapOfBuffers(const BufferAccess& a, const BufferAccess& b) {
  bool hidden = a.buffer.kind == Buffer::Kind::Hidden;
  if (hidden != (b.buffer.kind == Buffer::Kind::Hidden)) return false;
  if (hidden || !a.buffer.isKnown() || !b.buffer.isKnown()) return true;
  if (a.buffer.value != b.buffer.value) return false;
  if (!a.region || !b.region) return true;
  return std::nullopt;
}

}  // namespace

bool AccessReader::mayOverlap(const BufferAccess& a, const BufferAccess& b) {
  if (std::optional<bool> known = overlapOfBuffers(a, b)) return *known;
  return analysis::mayOverlap(*a.region, *b.region, indices_);
}

static bool isAll(const BufferAccess& access) {
  if (!access.region) return true;
  MemRefType type = access.buffer.value.type().dynCast<MemRefType>();
  if (!type || !type.hasStaticShape()) return false;
  int64_t elements = 1;
  for (const StridedDim& dim : access.region->dims)
    if (dim.count != 1 && __builtin_mul_overflow(elements, dim.stride ? dim.count : 1, &elements))
      return false;
  return elements >= type.numElements();
}

static bool surelyMeet(const BufferAccess& a, const BufferAccess& b, LinearReader& reader) {
  if (!a.isCertain || !b.isCertain || !a.buffer.isKnown() || !(a.buffer == b.buffer)) return false;
  if (isAll(a) || isAll(b) || *a.region == *b.region) return true;
  return a.region->start.isConstant() && b.region->start.isConstant() &&
         overlap(*a.region, *b.region, reader) == Answer::Yes;
}

bool AccessReader::mustOverlap(const BufferAccess& a, const BufferAccess& b) {
  return surelyMeet(a, b, indices_);
}

bool AccessReader::mayConflictAcross(const BufferAccess& later, const BufferAccess& earlier,
                                     Operation& loop) {
  if (!kindsConflict(later.kind, earlier.kind)) return false;
  if (std::optional<bool> known = overlapOfBuffers(later, earlier)) return *known;
  return overlapAcross(*later.region, *earlier.region, loop, indices_) != Answer::No;
}

}  // namespace airlite::analysis
