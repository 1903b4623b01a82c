// air-isolate-async-dma-loop-nests: a loop for each thing that a loop does.
//
// Matches scf.for that carries tokens and whose body is ops with tokens. Ops belong together when
// one waits for the other in an iteration, takes a value from it, or conflicts with it in this or
// another iteration (memory, or the order of one place of a channel). Where there are several such
// groups, each gets a loop of its own: the same bounds, initial tokens and attributes, the ops of
// the group, and copies of the index computations that it needs (pure ops, executes of pure ops).
// There a token of another group stands for what that waited for. What waited for the loop waits
// for all loops with something that it covered. Inner loops are taken apart first, so that
// transfers end up in perfect nests.
//
// A buffer that is allocated and freed in the body keeps the groups together that touch it: it is
// moved out of the loop first, as air-hoist-alloc-in-for-pattern does. One that a single group
// touches stays in its loop, where it can become two. `unroll-parallels`: parallel loops of puts and gets in a loop are unrolled
// first, so that each place of a channel gets a loop of its own. Herds of one name in one block become one. A loop that does
// nothing but run a herd becomes a loop in the herd, on each core. `scope`: loops in segments, in
// launches, or in all functions. Loops in herds stay as they are.
//
// Declines, with a remark: bodies that block, if only for a value, or whose tokens do not cover
// what is done; a herd whose cores may touch what another core does in the next iteration (in the
// herd of its name that comes before), or whose iterations overlap; herds of one name that others
// come between.
#include "TokenMoves.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/UnitConflicts.hpp"
#include "transform/channels/ChannelSpecializer.hpp"
#include "transform/hierarchy/HerdOfLoop.hpp"
#include "transform/hierarchy/MergeHerds.hpp"
#include "transform/pingpong/PingPong.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace airlite {

namespace {

using Values = std::vector<Value>;
using Ops = std::unordered_set<Operation*>;
using pingpong::Unit;

bool isToken(Value value) { return air::isTokenType(value.type()); }

using air::addOnce;

/// An execute that computes values of pure ops: it may be done twice.
bool isComputation(Operation& op) {
  if (!isa<air::ExecuteOp>(&op)) return false;
  for (Operation& inner : air::ExecuteOp(&op).body().ops())
    if (!inner.hasTrait(Trait::Terminator) && (!isPure(inner) || inner.numRegions() > 0))
      return false;
  return true;
}

/// Whether an op of the loop takes a number, at once and not after a token, from an execute of the
/// loop that may have to wait: what follows in the program comes later then.
bool waitsForValue(Operation& loop) {
  auto isSlow = [&](Value value) {
    Operation* maker = value.definingOp();
    bool isNumber = !isToken(value) && !value.type().isa<MemRefType>();
    return isNumber && maker && isa<air::ExecuteOp>(maker) && loop.isProperAncestor(maker) &&
           !isComputation(*maker);
  };
  WalkResult result = loop.walkWith([&](Operation& op) {
    for (Value operand : op.operands())
      if (isSlow(operand)) return WalkResult::Interrupt;
    bool isApart = isa<air::ExecuteOp>(&op) || air::asHierarchy(&op);
    return isApart ? WalkResult::Skip : WalkResult::Advance;
  });
  return result == WalkResult::Interrupt;
}

/// Sets of numbers that grow together.
class Groups {
 public:
  explicit Groups(size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0u); }
  unsigned find(unsigned i) {
    while (parent_[i] != i)
      i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// The smaller number stands for both.
  void join(unsigned a, unsigned b) {
    a = find(a), b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<unsigned> parent_;
};

// -- Groups of a body -----------------------------------------------------------------------------

/// One class: groups, loops and tokens are told from the same analysis of the body.
class Splitter {
 public:
  explicit Splitter(scf::ForOp loop) : loop_(loop), body_(loop) {}

  std::string_view obstacle() const {
    if (!body_.obstacle().empty()) return body_.obstacle();
    return waitsForValue(*loop_) ? "an op in the body waits for a value" : std::string_view();
  }

  /// The groups of ops, each and all in the order of the text.
  std::vector<std::vector<Operation*>> groups(bool withMemory) {
    std::vector<Unit>& units = body_.units();
    Groups sets(units.size());
    for (unsigned i = 0; i < units.size(); ++i)
      if (counts(units[i], withMemory)) connect(i, sets, withMemory);
    std::vector<std::vector<Operation*>> result;
    std::vector<int> number(units.size(), -1);
    for (unsigned i = 0; i < units.size(); ++i) {
      if (!counts(units[i], withMemory)) continue;
      int& group = number[sets.find(i)];
      if (group < 0) {
        group = static_cast<int>(result.size());
        result.emplace_back();
      }
      result[static_cast<size_t>(group)].push_back(units[i].op);
    }
    return result;
  }

  /// Executes that allocate what several of these groups touch; they hold the groups together.
  std::vector<Operation*> sharedBuffers(const std::vector<std::vector<Operation*>>& groups) {
    std::vector<Operation*> shared;
    for (const Unit& unit : body_.units()) {
      if (!unit.isAlloc) continue;
      const auto isTouchedBy = [&](const std::vector<Operation*>& group) {
        return std::ranges::any_of(group, [&](Operation* op) { return touches(*op, *unit.op); });
      };
      if (std::ranges::count_if(groups, isTouchedBy) > 1) shared.push_back(unit.op);
    }
    return shared;
  }

  /// The loops that take the place of the old one, which is gone.
  std::vector<Operation*> split(const std::vector<std::vector<Operation*>>& groups) {
    std::vector<Operation*> loops;
    std::vector<Values> results(loop_->numResults());
    for (const std::vector<Operation*>& group : groups)
      loops.push_back(makeLoop(Ops(group.begin(), group.end()), results));
    std::vector<Operation*> frees = freesAfter();
    for (unsigned i = 0; i < loop_->numResults(); ++i)
      loop_->result(i).replaceAllUsesWith(joined(results[i], i));
    for (Operation* dealloc : frees)
      waitForUses(*dealloc, loops);
    loop_->erase();
    return loops;
  }

 private:
  /// What frees memory when the loop is done.
  std::vector<Operation*> freesAfter() {
    std::vector<Operation*> frees;
    for (unsigned i = 0; i < loop_->numResults(); ++i)
      for (OpOperand& use : loop_->result(i).uses())
        if (pingpong::isDealloc(*use.owner())) frees.push_back(use.owner());
    return frees;
  }

  /// The token of the old loop covers all that it did, whether its tokens were yielded or not: what
  /// frees memory waits for each loop that uses it, also for one whose token nobody takes.
  static void waitForUses(Operation& dealloc, const std::vector<Operation*>& loops) {
    const Value memory = air::ExecuteOp(&dealloc).body().front().operand(0);
    Values waits = air::AsyncOp(&dealloc).dependencies().vec();
    for (Operation* loop : loops) {
      const bool uses = std::ranges::any_of(
          memory.uses(), [&](OpOperand& use) { return loop->isProperAncestor(use.owner()); });
      if (uses && loop->numResults() > 0 && !loop->result(0).hasUses())
        addOnce(waits, loop->result(0));
    }
    air::AsyncOp(&dealloc).setDependencies(waits);
  }

  static bool counts(const Unit& unit, bool withMemory) {
    return !isComputation(*unit.op) &&
           (withMemory || (!unit.isAlloc && !pingpong::isDealloc(*unit.op)));
  }

  void connect(unsigned i, Groups& sets, bool withMemory) {
    std::vector<Unit>& units = body_.units();
    for (unsigned other : neededBy(i))
      if (counts(units[other], withMemory)) sets.join(i, other);
    for (unsigned other = 0; other < i; ++other) {
      if (!counts(units[other], withMemory) || sets.find(i) == sets.find(other)) continue;
      Operation &a = *units[other].op, &b = *units[i].op;
      if (conflicts_.conflict(a, b) || conflicts_.conflictAcross(a, b, *loop_) ||
          conflicts_.conflictAcross(b, a, *loop_))
        sets.join(i, other);
    }
  }

  /// Whether `op`, or something inside, takes the memory that `alloc` makes, and not its token only.
  static bool touches(Operation& op, Operation& alloc) {
    const Value memory = pingpong::onlyOp(alloc)->result();
    bool found = false;
    op.walk([&](Operation& inner) {
      for (Value operand : inner.operands())
        found |= operand.type().isa<MemRefType>() && air::bufferSource(operand) == memory;
    });
    return found;
  }

  /// Units for whose tokens or values it waits, through computations, pure ops, and allocations of
  /// memory that it does not touch.
  std::vector<unsigned> neededBy(unsigned i) {
    std::vector<unsigned> result;
    std::unordered_set<Operation*> seen;
    std::vector<Operation*> open{body_.units()[i].op};
    while (!open.empty()) {
      Operation* op = open.back();
      open.pop_back();
      op->walk([&](Operation& inner) {
        for (Value operand : inner.operands()) {
          Operation* maker =
              operand.parentBlock() == &loop_.body() ? operand.definingOp() : nullptr;
          if (!maker || maker == op || !seen.insert(maker).second) continue;
          const Unit* unit = body_.unitOf(operand);
          const bool isForRoom = unit && unit->isAlloc && !touches(*body_.units()[i].op, *maker);
          if (unit && !isComputation(*maker) && !isForRoom)
            result.push_back(static_cast<unsigned>(unit - body_.units().data()));
          else
            open.push_back(maker);
        }
      });
    }
    return result;
  }

  // -- The loop of a group -----------------------------------------------------------------------

  Operation* makeLoop(Ops members, std::vector<Values>& results) {
    addComputations(members);
    std::vector<unsigned> carried = carriedBy(members);
    Builder builder = Builder::before(*loop_);
    Values inits;
    for (unsigned i : carried)
      inits.push_back(loop_.initArgs()[i]);
    scf::ForOp loop = scf::ForOp::create(builder, loop_->location(), loop_.lowerBound(),
                                         loop_.upperBound(), loop_.step(), inits);
    loop->setAttributes(loop_->attributes());
    IRMapping mapping;
    mapping.map(loop_.inductionVar(), loop.inductionVar());
    for (unsigned i = 0; i < carried.size(); ++i)
      mapping.map(loop_.regionIterArg(carried[i]), loop.regionIterArg(i));
    copyBody(members, loop, mapping);
    yield(members, carried, loop, mapping);
    for (unsigned i = 0; i < carried.size(); ++i)
      if (covers(members, loop_.yielded(carried[i])))
        results[carried[i]].push_back(loop->result(i));
    return loop.op();
  }

  /// Executes with values that members use.
  void addComputations(Ops& members) {
    std::vector<Operation*> open(members.begin(), members.end());
    while (!open.empty()) {
      Operation* op = open.back();
      open.pop_back();
      op->walk([&](Operation& inner) {
        for (Value operand : inner.operands()) {
          if (isToken(operand) || operand.parentBlock() != &loop_.body()) continue;
          Operation* maker = operand.definingOp();
          if (maker && members.insert(maker).second) open.push_back(maker);
        }
      });
    }
  }

  bool covers(const Ops& members, Value token) {
    for (Value leaf : leavesOf(token, members))
      if (leaf.definingOp() && members.contains(leaf.definingOp())) return true;
    return false;
  }

  /// What a token stands for in the loop of these members: tokens of members, carried tokens, and
  /// tokens from around. Nothing that others fire after anyway.
  Values leavesOf(Value token, const Ops& members) {
    Values leaves, open{token};
    std::unordered_set<Value> seen;
    while (!open.empty()) {
      Value next = open.back();
      open.pop_back();
      if (!isToken(next) || !seen.insert(next).second) continue;
      Operation* maker = next.parentBlock() == &loop_.body() ? next.definingOp() : nullptr;
      if (!maker || members.contains(maker)) {
        leaves.push_back(next);
        continue;
      }
      Values waits = waitsOf(*maker);
      open.insert(open.end(), waits.rbegin(), waits.rend());
    }
    return body_.order().latest(leaves);
  }

  static Values waitsOf(Operation& op) {
    Values waits;
    op.walk([&](Operation& inner) {
      for (Value operand : inner.operands())
        if (isToken(operand) && !op.isAncestor(operand.parentRegion()->parentOp()))
          waits.push_back(operand);
    });
    return waits;
  }

  /// Numbers of the tokens that this loop has to carry.
  std::vector<unsigned> carriedBy(const Ops& members) {
    std::vector<bool> needed(loop_.numIterArgs());
    auto add = [&](Value token) {
      bool grows = false;
      for (Value leaf : leavesOf(token, members)) {
        if (leaf.argumentBlock() != &loop_.body()) continue;
        grows |= !needed[leaf.index() - 1];
        needed[leaf.index() - 1] = true;
      }
      return grows;
    };
    for (Operation* member : members)
      for (Value wait : waitsOf(*member))
        add(wait);
    for (unsigned i = 0; i < needed.size(); ++i)
      needed[i] = needed[i] || covers(members, loop_.yielded(i));
    for (bool grows = true; grows;) {
      grows = false;
      for (unsigned i = 0; i < needed.size(); ++i)
        if (needed[i]) grows |= add(loop_.yielded(i));
    }
    std::vector<unsigned> numbers;
    for (unsigned i = 0; i < needed.size(); ++i)
      if (needed[i]) numbers.push_back(i);
    return numbers;
  }

  void copyBody(const Ops& members, scf::ForOp loop, IRMapping& mapping) {
    Builder builder =
        loop.numIterArgs() ? Builder::atEnd(loop.body()) : Builder::before(*loop.yield());
    for (Operation& op : loop_.body().ops()) {
      if (!members.contains(&op)) continue;
      for (Value wait : waitsOf(op))
        if (!mapping.lookupOrNull(wait))
          mapping.map(wait, standIn(wait, members, builder, mapping));
      Operation* copy = builder.clone(op, mapping);
      if (air::isAsyncOp(*copy)) dropRepeated(*copy);
    }
  }

  static void dropRepeated(Operation& op) {
    Values waits;
    for (Value wait : air::AsyncOp(&op).dependencies())
      addOnce(waits, wait);
    air::AsyncOp(&op).setDependencies(waits);
  }

  Value standIn(Value token, const Ops& members, Builder& builder, IRMapping& mapping) {
    Values stands;
    for (Value leaf : leavesOf(token, members))
      stands.push_back(mapping.lookupOr(leaf));
    if (stands.size() == 1) return stands.front();
    Type type = token.type();
    return builder.create(loop_->location(), "air.wait_all", stands, {&type, 1})->result();
  }

  void yield(const Ops& members, const std::vector<unsigned>& carried, scf::ForOp loop,
             IRMapping& mapping) {
    if (carried.empty()) return;
    Builder builder = Builder::atEnd(loop.body());
    Values ends;
    bool isCovered = false;
    for (unsigned i : carried) {
      ends.push_back(standIn(loop_.yielded(i), members, builder, mapping));
      isCovered |= covers(members, loop_.yielded(i));
    }
    if (!isCovered) ends.front() = withLast(ends.front(), loop, builder);
    scf::YieldOp::create(builder, loop_->location(), ends);
  }

  /// A token of a loop that the old one did not yield: with those that nothing in it waits for.
  Value withLast(Value end, scf::ForOp loop, Builder& builder) {
    Values ends = {end};
    for (Operation& op : loop.body().ops())
      for (unsigned i = 0; i < op.numResults(); ++i)
        if (isToken(op.result(i)) && !op.result(i).hasUses()) addOnce(ends, op.result(i));
    if (ends.size() == 1) return end;
    const Type type = end.type();
    return builder.create(loop_->location(), "air.wait_all", ends, {&type, 1})->result();
  }

  Value joined(const Values& tokens, unsigned result) {
    if (tokens.empty()) return loop_.initArgs()[result];
    if (tokens.size() == 1) return tokens.front();
    Type type = tokens.front().type();
    return Builder::before(*loop_)
        .create(loop_->location(), "air.wait_all", tokens, std::span(&type, 1))
        ->result();
  }

  scf::ForOp loop_;
  pingpong::LoopBody body_;
  air::UnitConflicts conflicts_;
};

// -- The pass -------------------------------------------------------------------------------------

class IsolateLoopNests : public Pass {
 public:
  IsolateLoopNests()
      : Pass("air-isolate-async-dma-loop-nests", "Gives each thing that a loop does its own loop") {
    anchor("builtin.module");
    option("scope", scope_, "take loops apart in: func, segment, launch",
           {"func", "segment", "launch"});
    option("unroll-parallels", unrollsParallels_,
           "unroll parallel loops of puts and gets inside of loops first");
    example("airlite-opt --air-isolate-async-dma-loop-nests='scope=launch' in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::vector<Operation*> ops;
    collect(module, scope_ == "func", ops);
    bool changed = false;
    for (Operation* op : ops) {
      for (Region& region : op->regions())
        for (Block& block : region.blocks())
          changed |= air::mergeHerds(block, context);
      if (!isa<scf::ForOp>(op)) continue;
      if (unrollsParallels_) changed |= unrollParallels(*op, context);
      changed |= isolate(scf::ForOp(op), context);
    }
    return changedIf(changed);
  }

 private:
  /// Ops with something inside, inner ones first.
  void collect(Operation& op, bool isInScope, std::vector<Operation*>& ops) const {
    if (isa<air::HerdOp>(&op)) return;
    isInScope |= (isa<air::SegmentOp>(&op) && scope_ == "segment") ||
                 (isa<air::LaunchOp>(&op) && scope_ == "launch");
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        for (Operation& inner : block.ops())
          collect(inner, isInScope, ops);
    if (isInScope && op.numRegions() > 0) ops.push_back(&op);
  }

  static bool unrollParallels(Operation& loop, PassContext& context) {
    if (!air::unrollParallelsIn(loop, context)) return false;
    air::tidyTransfers(loop);
    air::declareCopies(context);
    return true;
  }

  bool isolate(scf::ForOp loop, PassContext& context) {
    std::vector<Operation*> made = split(loop, context);
    bool changed = made.size() > 1;
    for (Operation* op : made) {
      if (!air::onlyHerd(scf::ForOp(op))) continue;
      std::string_view obstacle = air::moveLoopIntoHerd(scf::ForOp(op));
      if (!obstacle.empty()) context.remark(*op, obstacle);
      changed |= obstacle.empty();
    }
    return changed;
  }

  std::vector<Operation*> split(scf::ForOp loop, PassContext& context) {
    std::vector<Operation*> whole{loop.op()};
    if (air::onlyHerd(loop)) return whole;
    if (!carriesTokensOnly(loop)) return whole;
    std::vector<Operation*> shared;
    {
      Splitter splitter(loop);
      if (!splitter.obstacle().empty()) {
        context.remark(*loop, splitter.obstacle());
        return whole;
      }
      const std::vector<std::vector<Operation*>> groups = splitter.groups(false);
      if (groups.size() < 2) return whole;
      shared = splitter.sharedBuffers(groups);
    }
    hoistBuffers(loop, shared, context);
    Splitter splitter(loop);
    std::vector<std::vector<Operation*>> groups = splitter.groups(true);
    return groups.size() < 2 ? whole : splitter.split(groups);
  }

  static bool carriesTokensOnly(scf::ForOp loop) {
    std::vector<Value> carried = loop.regionIterArgs();
    return !carried.empty() && std::all_of(carried.begin(), carried.end(), isToken);
  }

  static void hoistBuffers(scf::ForOp loop, const std::vector<Operation*>& executes,
                           PassContext& context) {
    std::vector<Operation*> allocs;
    for (Operation* execute : executes)
      if (Operation* only = pingpong::onlyOp(*execute); !only->hasAttr(pingpong::kHoist))
        allocs.push_back(only);
    for (Operation* alloc : allocs)
      alloc->setAttr(pingpong::kHoist, IntegerAttr::getBool(loop->context(), true));
    if (!allocs.empty()) pingpong::hoistAllocs(*loop, context);
    for (Operation* alloc : allocs)
      alloc->removeAttr(pingpong::kHoist);
  }

  std::string scope_ = "segment";
  bool unrollsParallels_ = false;
};

}  // namespace

void registerIsolateLoopNests(PassRegistry& registry) { registry.add<IsolateLoopNests>(); }

}  // namespace airlite
