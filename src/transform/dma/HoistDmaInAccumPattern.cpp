// air-hoist-dma-in-accum-pattern: an accumulator stays in place while a loop runs.
//
// Matches, directly in an scf.for, a buffer that is made (memref.alloc, alone or in an execute of
// its own), loaded by a DMA from a place, worked on, stored to the same place by a DMA with the
// lists of the load mirrored, and freed. Allocation and load go in front of the loop, store and
// dealloc after it, with what computes their lists. Inner loops first, so that a pair moves out of
// as many loops as do not change its place.
//
// In an asynchronous program the load becomes the initial value of the token that was carried from
// the store to the next load, so the loop starts after it; the store waits for that token. What
// waited for load or store inside the loop waits for the carried token or for what the store waited
// for, and what comes after the loop waits for the store where it did so before.
//
// Declines, with a remark at the store:
//  - a loop that is not known to run, that uses channels or barriers, or calls a function with a
//    body: somebody may look at the place between two iterations
//  - a place that changes in the loop, is not known, may hold an element twice, or is touched by
//    something else in the loop
//  - a buffer that is used before the load or after the store, or cannot be followed
//  - no token that is carried from the store to the next load; a mix of both kinds of DMA
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/graph/TokenOrder.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/BufferUses.hpp"
#include "transform/dependency/TokenMoves.hpp"
#include "transform/dependency/TokenResults.hpp"

#include <algorithm>
#include <unordered_map>

namespace airlite {

namespace {

using air::DmaMemcpyNdOp;
using air::isInside;
using air::tokenOf;
using analysis::AccessReader;
using analysis::BufferAccess;
using Values = std::vector<Value>;

/// The ops of an accumulator, all directly in the loop.
struct Accumulator {
  Operation* alloc = nullptr;  // or its execute
  Operation* load = nullptr;
  Operation* store = nullptr;
  Operation* dealloc = nullptr;  // or its execute
};

/// The memref.alloc that `op` is, or holds as an execute; null for other ops.
Operation* allocIn(Operation& op) {
  Operation* alloc = isa<air::ExecuteOp>(&op) ? air::onlyOp(op) : &op;
  return alloc && isa<memref::AllocOp>(alloc) ? alloc : nullptr;
}

/// The op directly in `block` that is `op` or around it; null when there is none.
Operation* ancestorIn(Operation* op, const Block& block) {
  while (op && op->block() != &block)
    op = op->parentOp();
  return op;
}

/// What waits for others than by tokens, or may do anything.
bool maySynchronize(Operation& op) {
  if (func::CallOp call = dynCast<func::CallOp>(&op))
    return !call.function() || !call.function().isDeclaration();
  if (isa<air::WaitAllOp>(&op)) return false;
  std::vector<EffectInstance> effects;
  if (!effectsOf(op, effects))
    return !op.hasTrait(Trait::RecursiveEffects) && !air::asHierarchy(&op);
  return std::any_of(effects.begin(), effects.end(), [](const EffectInstance& effect) {
    return effect.effect == Effect::Send || effect.effect == Effect::Receive ||
           effect.effect == Effect::Sync;
  });
}

/// No two elements of the piece are the same.
bool isInjective(const analysis::StridedRegion& region) {
  std::vector<analysis::StridedDim> dims = region.dims;
  std::erase_if(dims, [](const analysis::StridedDim& dim) { return dim.count == 1; });
  std::sort(dims.begin(), dims.end(),
            [](const auto& a, const auto& b) { return std::abs(a.stride) < std::abs(b.stride); });
  __int128 reach = 0;
  for (const analysis::StridedDim& dim : dims) {
    if (dim.count == analysis::kUnbounded || std::abs(dim.stride) <= reach) return false;
    reach += static_cast<__int128>(dim.count - 1) * std::abs(dim.stride);
  }
  return true;
}

// -- What a loop does -----------------------------------------------------------------------------

class Loop {
 public:
  explicit Loop(scf::ForOp loop) : loop_(loop) {}

  /// Loads and stores directly in the loop that mirror each other.
  std::vector<Accumulator> candidates();
  /// Empty when the accumulator can leave the loop.
  std::string_view obstacle(Accumulator& found);

 private:
  bool sameEntries(const std::vector<air::IndexEntry>& a, const std::vector<air::IndexEntry>& b);
  bool sameAccess(const air::Access& a, const air::Access& b);
  std::string_view obstacleOfLoop();
  std::string_view obstacleOfBuffer(Accumulator& found);
  std::string_view obstacleOfPlace(const Accumulator& found);
  bool isMovable(Value value, unsigned depth = 0);
  bool isMovable(const air::Access& access);
  bool isTouched(const BufferAccess& place, const Accumulator& found);

  scf::ForOp loop_;
  AccessReader reader_;
  /// Of the ops in the body, as seen from around the loop.
  std::vector<std::pair<Operation*, std::vector<BufferAccess>>> accesses_;
};

bool Loop::sameEntries(const std::vector<air::IndexEntry>& a,
                       const std::vector<air::IndexEntry>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
    std::optional<int64_t> known = x.known();
    if (known || y.known()) return known == y.known();
    return reader_.indices().read(x.value) == reader_.indices().read(y.value);
  });
}

bool Loop::sameAccess(const air::Access& a, const air::Access& b) {
  return a.memref == b.memref && sameEntries(a.offsets, b.offsets) &&
         sameEntries(a.sizes, b.sizes) && sameEntries(a.strides, b.strides);
}

std::vector<Accumulator> Loop::candidates() {
  std::unordered_map<Value, std::vector<Operation*>> loads;  // by what they fill
  std::vector<Accumulator> found;
  for (Operation& op : loop_.body().ops()) {
    if (!isa<DmaMemcpyNdOp>(&op)) continue;
    DmaMemcpyNdOp dma(&op);
    for (Operation* load : loads[dma.src().memref]) {
      if (!sameAccess(DmaMemcpyNdOp(load).dst(), dma.src()) ||
          !sameAccess(DmaMemcpyNdOp(load).src(), dma.dst()))
        continue;
      found.push_back({nullptr, load, &op, nullptr});
      break;
    }
    loads[dma.dst().memref].push_back(&op);
  }
  return found;
}

std::string_view Loop::obstacle(Accumulator& found) {
  std::string_view why = obstacleOfBuffer(found);
  if (why.empty()) why = obstacleOfLoop();
  return why.empty() ? obstacleOfPlace(found) : why;
}

std::string_view Loop::obstacleOfLoop() {
  if (loop_.tripCount().value_or(0) == 0) return "the loop is not known to run";
  WalkResult result = loop_->walkWith([](Operation& op) {
    return maySynchronize(op) ? WalkResult::Interrupt : WalkResult::Advance;
  });
  if (result == WalkResult::Interrupt) return "the loop may meet others between its iterations";
  return {};
}

std::string_view Loop::obstacleOfBuffer(Accumulator& found) {
  Value buffer = DmaMemcpyNdOp(found.store).src().memref;
  Operation* alloc = buffer.definingOp();
  if (!alloc || alloc->block() != &loop_.body() || !allocIn(*alloc))
    return "the buffer is not made directly in the loop";
  air::BufferUses uses(buffer);
  if (uses.escapes) return "the buffer is passed on to where it cannot be followed";
  if (uses.deallocs.size() != 1) return "the buffer has no dealloc, or several";
  Operation* dealloc = ancestorIn(uses.deallocs.front(), loop_.body());
  if (dealloc != uses.deallocs.front() && air::onlyOp(*dealloc) != uses.deallocs.front())
    return "its dealloc is not in an execute of its own directly in the loop";
  for (Operation* access : uses.accesses) {
    Operation* op = ancestorIn(access, loop_.body());
    if (op->isBeforeInBlock(found.load) || found.store->isBeforeInBlock(op))
      return "the buffer is used before it is loaded or after it is stored";
  }
  if (!dealloc || dealloc->isBeforeInBlock(found.store)) return "it is freed before the store";
  found.alloc = alloc;
  found.dealloc = dealloc;
  return {};
}

std::string_view Loop::obstacleOfPlace(const Accumulator& found) {
  for (Operation* dma : {found.load, found.store})
    if (dma->hasAttr("pad_before") || dma->hasAttr("pad_after")) return "it pads";
  air::Access outside = DmaMemcpyNdOp(found.store).dst();
  bool isFixed = isMovable(outside) && isMovable(DmaMemcpyNdOp(found.store).src()) &&
                 isMovable(DmaMemcpyNdOp(found.load).src()) &&
                 isMovable(DmaMemcpyNdOp(found.load).dst());
  if (!isFixed || isInside(outside.memref, *loop_)) return "its place is computed in the loop";
  for (Value size : allocIn(*found.alloc)->operands())
    if (!isMovable(size)) return "the size of the buffer is computed in the loop";
  std::vector<BufferAccess> accesses;
  reader_.direct(*found.store, accesses);
  auto place = std::find_if(accesses.begin(), accesses.end(), [](const BufferAccess& access) {
    return access.kind == analysis::AccessKind::Write;
  });
  bool isKnown = place != accesses.end() && place->buffer.isKnown();
  if (!isKnown || (!place->region && !place->isCertain)) return "its place is not known";
  if (place->region && !isInjective(*place->region)) return "its place may hold an element twice";
  if (isTouched(*place, found)) return "something else in the loop touches its place";
  return {};
}

/// Defined outside of the loop, or by ops that can go there.
bool Loop::isMovable(Value value, unsigned depth) {
  constexpr unsigned kDeepest = 16;
  if (!isInside(value, *loop_)) return true;
  Operation* op = value.definingOp();
  if (!op || depth == kDeepest || op->numRegions() > 0 || !isPure(*op)) return false;
  for (Value operand : op->operands())
    if (!isMovable(operand, depth + 1)) return false;
  return true;
}

bool Loop::isMovable(const air::Access& access) {
  for (const std::vector<air::IndexEntry>* list : {&access.offsets, &access.sizes, &access.strides})
    for (const air::IndexEntry& entry : *list)
      if (entry.value && !isMovable(entry.value)) return false;
  return true;
}

bool Loop::isTouched(const BufferAccess& place, const Accumulator& found) {
  if (accesses_.empty())
    for (Operation& op : loop_.body().ops())
      accesses_.push_back({&op, reader_.liftedOut(reader_.all(op), *loop_)});
  for (const auto& [op, accesses] : accesses_) {
    if (op == found.load || op == found.store) continue;
    for (const BufferAccess& access : accesses)
      if (access.kind != analysis::AccessKind::Hold && reader_.mayOverlap(access, place))
        return true;
  }
  return false;
}

// -- Moving ---------------------------------------------------------------------------------------

class Mover {
 public:
  Mover(scf::ForOp loop, const Accumulator& ops) : loop_(loop), ops_(ops), order_(*loop) {}

  /// Empty when the accumulator has left the loop, else why not.
  std::string_view run();

 private:
  std::optional<unsigned> carried();
  bool usersBlock();
  void rewireLoop(unsigned chain, const Values& before);
  void waitAfterLoop(unsigned chain);
  void moveInputs(Operation& op, Operation& before);
  void moveFront(std::optional<unsigned> chain);
  void moveBack(std::optional<unsigned> chain);
  /// Results of the loop that fire after `token`.
  std::vector<Value> resultsAfter(Value token);
  /// What `op` waits for in an iteration.
  Values insideOf(Operation& op) {
    Values inside;
    if (!air::isAsyncOp(op)) return inside;
    for (Value wait : air::AsyncOp(&op).dependencies())
      if (isInside(wait, *loop_)) inside.push_back(wait);
    return inside;
  }
  Values outsideOf(Operation& op) {
    if (!air::isAsyncOp(op)) return {};
    return air::outsideOf(air::AsyncOp(&op).dependencies().vec(), loop_);
  }

  scf::ForOp loop_;
  Accumulator ops_;
  graph::TokenOrder order_;
  std::vector<Value> afterStore_, afterDealloc_;
};

std::string_view Mover::run() {
  bool isAsync = static_cast<bool>(tokenOf(*ops_.load));
  for (Operation* op : {ops_.alloc, ops_.store, ops_.dealloc})
    if (isAsync != static_cast<bool>(tokenOf(*op)))
      return "some of its ops are asynchronous and some are not";
  std::optional<unsigned> chain = isAsync ? carried() : std::nullopt;
  if (isAsync && !chain) return "no token is carried from the store to the next load";
  if (!isAsync && !usersBlock()) return "what uses the buffer may still be under way";
  if (isAsync) {
    afterStore_ = resultsAfter(tokenOf(*ops_.store));
    afterDealloc_ = resultsAfter(tokenOf(*ops_.dealloc));
  }
  Values before = insideOf(*ops_.alloc);
  for (Value wait : insideOf(*ops_.load))
    if (wait != tokenOf(*ops_.alloc)) air::addOnce(before, wait);
  moveFront(chain);
  if (isAsync) rewireLoop(*chain, before);
  moveBack(chain);
  if (isAsync) waitAfterLoop(*chain);
  return {};
}

std::optional<unsigned> Mover::carried() {
  Value load = tokenOf(*ops_.load), store = tokenOf(*ops_.store);
  for (unsigned i = 0; i < loop_.numIterArgs(); ++i) {
    if (!air::isTokenType(loop_.regionIterArg(i).type())) continue;
    if (order_.isImplied(loop_.regionIterArg(i), load) && order_.isImplied(store, loop_.yielded(i)))
      return i;
  }
  return std::nullopt;
}

/// All ops that use the buffer are over when the next one in the loop begins.
bool Mover::usersBlock() {
  air::BufferUses uses(DmaMemcpyNdOp(ops_.store).src().memref);
  for (Operation* access : uses.accesses)
    for (Operation* at = access; at != loop_.op(); at = at->parentOp())
      if (tokenOf(*at)) return false;
  return true;
}

std::vector<Value> Mover::resultsAfter(Value token) {
  std::vector<Value> results;
  for (unsigned i = 0; i < loop_.numIterArgs(); ++i)
    if (air::isTokenType(loop_.yielded(i).type()) && order_.isImplied(token, loop_.yielded(i)))
      results.push_back(loop_->result(i));
  return results;
}

/// Takes load, store and dealloc out of the order of the iterations: a buffer that stays must have
/// been let go by all of one iteration when the next one begins. `before`: what allocation and load
/// have waited for in an iteration.
void Mover::rewireLoop(unsigned chain, const Values& before) {
  auto isInLoop = [&](Operation& user) { return loop_->isProperAncestor(&user); };
  Value carried = loop_.regionIterArg(chain);
  Values users;
  for (Value wait : air::AsyncOp(ops_.dealloc).dependencies())
    if (wait != tokenOf(*ops_.store) && !order_.isImplied(wait, loop_.yielded(chain)))
      users.push_back(wait);
  Values begins{carried};
  for (Value wait : before)
    air::addOnce(begins, wait);
  for (Operation* op : {ops_.alloc, ops_.load})
    air::replaceWaits(tokenOf(*op), begins, isInLoop);
  for (Operation* op : {ops_.store, ops_.dealloc})
    air::replaceWaits(tokenOf(*op), air::AsyncOp(op).dependencies().vec(), isInLoop);
  if (users.empty()) return;
  Operation& yield = loop_.body().back();
  users.insert(users.begin(), yield.operand(chain));
  yield.setOperand(chain, air::joinTokens(yield, users, carried.type()));
}

void Mover::waitAfterLoop(unsigned chain) {
  for (Value result : afterStore_) {
    bool afterDealloc =
        std::find(afterDealloc_.begin(), afterDealloc_.end(), result) != afterDealloc_.end();
    Values waits{tokenOf(afterDealloc ? *ops_.dealloc : *ops_.store)};
    if (result != loop_->result(chain)) waits.push_back(result);
    air::replaceWaits(result, waits, [&](Operation& user) {
      return &user != ops_.store && &user != ops_.dealloc;
    });
  }
}

void Mover::moveInputs(Operation& op, Operation& before) {
  for (Value operand : op.operands()) {
    if (air::isTokenType(operand.type()) || !isInside(operand, *loop_)) continue;
    Operation* input = operand.definingOp();
    moveInputs(*input, before);
    input->moveBefore(&before);
  }
}

void Mover::moveFront(std::optional<unsigned> chain) {
  moveInputs(*allocIn(*ops_.alloc), *loop_.op());
  Values waits = outsideOf(*ops_.alloc);
  ops_.alloc->moveBefore(loop_.op());
  if (air::isAsyncOp(*ops_.alloc)) air::AsyncOp(ops_.alloc).setDependencies(waits);
  moveInputs(*ops_.load, *loop_.op());
  waits = outsideOf(*ops_.load);
  if (chain) air::addOnce(waits, loop_.initArgs()[*chain]);
  air::AsyncOp(ops_.load).setDependencies(waits);
  ops_.load->moveBefore(loop_.op());
  if (chain) loop_->setOperand(3 + *chain, tokenOf(*ops_.load));
}

void Mover::moveBack(std::optional<unsigned> chain) {
  Operation* last = loop_.op();
  moveInputs(*ops_.store, *loop_.op());
  for (Operation* op : {ops_.store, ops_.dealloc}) {
    Values waits;
    if (chain) waits.push_back(last == loop_.op() ? loop_->result(*chain) : tokenOf(*last));
    if (air::isAsyncOp(*op)) {
      for (Value wait : air::AsyncOp(op).dependencies())
        if (!isInside(wait, *loop_)) air::addOnce(waits, wait);
      air::AsyncOp(op).setDependencies(waits);
    }
    op->moveAfter(last);
    last = op;
  }
}

class HoistDmaInAccum : public Pass {
 public:
  HoistDmaInAccum()
      : Pass("air-hoist-dma-in-accum-pattern", "Loads and stores accumulators around loops") {
    anchor("builtin.module");
    example("airlite-opt --air-dependency --air-hoist-dma-in-accum-pattern in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    bool changed = false;
    module.walk([&](Operation& op) {
      if (isa<scf::ForOp>(&op)) changed |= hoistFrom(scf::ForOp(&op), context);
    });
    return changedIf(changed);
  }

 private:
  static bool hoistFrom(scf::ForOp loop, PassContext& context) {
    bool changed = false;
    Loop body(loop);
    for (Accumulator& found : body.candidates()) {
      std::string_view obstacle = body.obstacle(found);
      if (obstacle.empty()) obstacle = Mover(loop, found).run();
      if (!obstacle.empty()) context.remark(*found.store, obstacle);
      changed |= obstacle.empty();
    }
    return changed;
  }
};

}  // namespace

void registerHoistDmaInAccum(PassRegistry& registry) { registry.add<HoistDmaInAccum>(); }

}  // namespace airlite
