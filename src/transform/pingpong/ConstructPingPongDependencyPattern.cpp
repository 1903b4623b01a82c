// air-construct-ping-pong-dependency-pattern: two iterations of a loop that overlap.
//
// Matches scf.for that carries one token and whose body is two copies of an iteration
// (`unrolled_iteration = 0` and `1` on its ops, as air-unroll-loop-for-pipelining-pattern leaves
// them), one after the other. In each copy the producers, which wait for nothing else in the copy
// and write one of its buffers, may run while the others of the copy before, the consumers, do. The
// loop then carries four tokens: the consumers of copy 0 are done, those of copy 1 are, the last
// consumers are, the last producers are.
//
//   producers of copy 0 wait for:  last producers, consumers of copy 0
//   consumers of copy 0 wait for:  last consumers, and in the copy what they waited for
//   producers of copy 1 wait for:  producers of copy 0, consumers of copy 1
//   consumers of copy 1 wait for:  consumers of copy 0, and in the copy what they waited for
//
// So only one order is given up, that of the consumers of a copy and the producers of the next. A
// producer that conflicts with such a consumer (memory, or the order of a channel) is a consumer.
// What waited for the loop waits for the consumers of copy 1, which end last of all. The marks of
// the body and the loop are taken away.
//
// Declines, with a remark:
//  - a loop that carries anything else; bodies that block, or whose tokens do not cover what is
//  done
//  - copies that are not one after the other in text and by tokens: waits would be added
//  - when no producers or no consumers are left
#include "PingPong.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/TokenReach.hpp"
#include "analysis/UnitConflicts.hpp"
#include "transform/dependency/TokenMoves.hpp"

#include <algorithm>
#include <unordered_set>

namespace airlite {

namespace pingpong {

namespace {

using Values = std::vector<Value>;

using air::addOnce;

/// The mark of an op, or of what is in its branches; -1 without.
int64_t copyMark(Operation& op) {
  if (auto mark = op.attrOf<IntegerAttr>(kIteration)) return mark.value();
  if (!air::isConditional(op)) return -1;
  int64_t found = -1;
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (Operation& inner : block.ops())
        found = std::max(found, copyMark(inner));
  return found;
}

bool writes(air::UnitConflicts& conflicts, Operation& op) {
  std::vector<analysis::BufferAccess> accesses = conflicts.reader().all(op);
  return std::any_of(accesses.begin(), accesses.end(), [](const analysis::BufferAccess& access) {
    return access.kind == analysis::AccessKind::Write && access.buffer.isKnown();
  });
}

/// One class: all its questions are about one loop and the border between its two copies.
class Constructor {
 public:
  explicit Constructor(scf::ForOp loop) : loop_(loop), body_(loop) {}

  /// Empty when the loop was rewritten, else why not.
  std::string_view run() {
    if (!body_.obstacle().empty()) return body_.obstacle();
    if (std::string_view why = findCopies(); !why.empty()) return why;
    if (!isSerial()) return "the tokens do not put one copy after the other";
    findDependents();
    findProducers();
    for (unsigned copy : {0u, 1u}) {
      if (count(copy, true) == 0) return "nothing can be fetched ahead";
      if (count(copy, false) == 0) return "nothing uses what is fetched";
    }
    rewrite();
    return {};
  }

  scf::ForOp loop() const { return loop_; }

 private:
  std::vector<Unit>& units() { return body_.units(); }
  bool isIn(unsigned unit, unsigned copy) const { return (unit >= border_) == (copy == 1); }
  long count(unsigned copy, bool producers) {
    long n = 0;
    for (unsigned i = 0; i < units().size(); ++i)
      n += isIn(i, copy) && isProducer_[i] == producers && (!producers || !units()[i].isAlloc);
    return n;
  }

  // -- What is what ------------------------------------------------------------------------------

  /// Copy 1 begins with the first op that is marked so, and the allocations right in front of it.
  /// Others, and deallocations, may bear the marks of a loop inside.
  std::string_view findCopies() {
    unsigned n = static_cast<unsigned>(units().size());
    border_ = n;
    for (unsigned i = 0; i < n; ++i) {
      if (units()[i].isAlloc || isDealloc(*units()[i].op)) continue;
      int64_t copy = copyMark(*units()[i].op);
      if (copy > 1) return "it is unrolled more than twice";
      if (copy == 1) border_ = std::min(border_, i);
      if (copy == 0 && i > border_) return "the copies of its iterations are mixed";
    }
    while (border_ < n && border_ > 0 && units()[border_ - 1].isAlloc &&
           copyMark(*units()[border_ - 1].op) == 1)
      --border_;
    return border_ == 0 || border_ == n ? "its body is not two copies of an iteration" : "";
  }

  /// Every wait that the four tokens make is there already: nothing can hang that did not.
  bool isSerial() {
    Value carried = loop_.regionIterArg(0), yielded = loop_.yielded(0);
    for (unsigned i = 0; i < units().size(); ++i) {
      Unit& unit = units()[i];
      if (!isOver(unit, yielded)) return false;
      if (unit.isAlloc) continue;  // keeps nobody waiting
      if (i < border_ && !body_.startsAfter(unit, carried)) return false;
      for (unsigned j = 0; j < border_ && i >= border_; ++j)
        if (!startsAfterEnd(unit, units()[j])) return false;
    }
    return true;
  }

  /// Of ops that wait for nobody but their tokens it is enough that those have fired.
  bool isOver(Unit& unit, Value token) {
    if (body_.isOverBefore(unit, token)) return true;
    Operation* op = unit.op;
    if (!isa<air::ExecuteOp>(op) || conflicts_.mayWait(*op)) return false;
    for (Value wait : air::AsyncOp(op).dependencies())
      if (!body_.order().isImplied(wait, token)) return false;
    return true;
  }

  bool startsAfterEnd(Unit& later, Unit& earlier) {
    auto isAfter = [&](Value end) { return body_.startsAfter(later, end); };
    if (std::all_of(earlier.ends.begin(), earlier.ends.end(), isAfter)) return true;
    if (!isa<air::ExecuteOp>(earlier.op) || conflicts_.mayWait(*earlier.op)) return false;
    OperandRange waits = air::AsyncOp(earlier.op).dependencies();
    return std::all_of(waits.begin(), waits.end(), isAfter);
  }

  void findDependents() {
    hasDependents_.resize(units().size());
    for (unsigned i = 0; i < units().size(); ++i)
      for (unsigned before : units()[i].before)
        if (isIn(before, 0) == isIn(i, 0)) hasDependents_[before] = true;
  }

  bool isFront(unsigned i) {
    const std::vector<unsigned>& before = units()[i].before;
    return std::none_of(before.begin(), before.end(), [&](unsigned other) {
      return isIn(other, 0) == isIn(i, 0) && !units()[other].isAlloc;
    });
  }

  void findProducers() {
    isProducer_.resize(units().size());
    for (unsigned i = 0; i < units().size(); ++i)
      isProducer_[i] =
          units()[i].isAlloc ? isFront(i) : isFront(i) && writes(conflicts_, *units()[i].op);
    // One that becomes a consumer may be in the way of others.
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i = 0; i < units().size(); ++i)
        if (isProducer_[i] && isInTheWay(i)) {
          isProducer_[i] = false;
          changed = true;
        }
    }
  }

  /// Of the consumers of the copy before.
  bool isInTheWay(unsigned producer) {
    for (unsigned i = 0; i < units().size(); ++i) {
      if (isProducer_[i] || isIn(i, 0) == isIn(producer, 0)) continue;
      Operation &later = *units()[producer].op, &earlier = *units()[i].op;
      if (isIn(producer, 1) ? conflicts_.conflict(later, earlier)
                            : conflicts_.conflictAcross(later, earlier, *loop_))
        return true;
    }
    return false;
  }

  // -- Rewriting ---------------------------------------------------------------------------------

  void rewrite() {
    Block& body = loop_.body();
    Type type = loop_.regionIterArg(0).type();
    for (unsigned i = 1; i < 4; ++i)
      body.addArgument(type, loop_->location());
    Value done0 = body.argument(1), done1 = body.argument(2);
    Value consumed = body.argument(3), produced = body.argument(4);
    // Copy 1 first: its units know those of copy 0 by the lists that go.
    Value consumed0 = joinedEnds(0, false), consumed1 = joinedEnds(1, false);
    Values produced0 = producersOf(0);
    produced0.push_back(done1);
    wire(1, produced0, {consumed0});
    wire(0, {produced, done0}, {consumed});
    Value produced1 = joinedEnds(1, true);
    Operation& yield = *loop_.yield();
    Value yields[] = {consumed0, consumed1, consumed1, produced1};
    yield.setOperands(yields);
    renew();
  }

  Values producersOf(unsigned copy) {
    Values tokens;
    for (unsigned i = 0; i < units().size(); ++i)
      if (isIn(i, copy) && isProducer_[i] && !units()[i].isAlloc)
        tokens.insert(tokens.end(), units()[i].ends.begin(), units()[i].ends.end());
    return tokens;
  }

  /// Fires when the producers of a copy are done, or all that nothing in the copy waits for.
  Value joinedEnds(unsigned copy, bool producers) {
    Values ends = producers ? producersOf(copy) : Values();
    Operation* last = producers ? loop_.yield()->prev() : nullptr;
    for (unsigned i = 0; i < units().size() && !producers; ++i) {
      if (!isIn(i, copy) || hasDependents_[i]) continue;
      ends.insert(ends.end(), units()[i].ends.begin(), units()[i].ends.end());
      last = units()[i].op;
    }
    if (ends.size() == 1 && air::isAsyncOp(*ends.front().definingOp())) return ends.front();
    Type type = ends.front().type();
    return Builder::after(*last)
        .create(loop_->location(), "air.wait_all", ends, std::span(&type, 1))
        ->result();
  }

  void wire(unsigned copy, const Values& ofProducers, const Values& ofConsumers) {
    for (unsigned i = 0; i < units().size(); ++i) {
      if (!isIn(i, copy)) continue;
      Values waits = isProducer_[i] ? ofProducers : ofConsumers;
      if (isAfterConsumer(i)) waits.clear();
      wire(*units()[i].op, copy, waits);
    }
  }

  /// It waits already for what waits for the last consumers.
  bool isAfterConsumer(unsigned i) {
    const std::vector<unsigned>& before = units()[i].before;
    return !isProducer_[i] && air::isAsyncOp(*units()[i].op) &&
           std::any_of(before.begin(), before.end(), [&](unsigned other) {
             return isIn(other, 0) == isIn(i, 0) && !isProducer_[other];
           });
  }

  void wire(Operation& op, unsigned copy, const Values& waits) {
    if (air::isAsyncOp(op)) {
      Values list = waits;
      for (Value token : kept(air::AsyncOp(&op).dependencies(), copy))
        addOnce(list, token);
      air::AsyncOp(&op).setDependencies(list);
      return;
    }
    if (isa<scf::ForOp>(&op))
      wireInits(op, scf::ForOp(&op).initArgs(), copy, waits);
    else if (isa<scf::ParallelOp>(&op))
      wireInits(op, scf::ParallelOp(&op).initVals(), copy, waits);
    bool isTiedByInits = !air::isConditional(op);
    for (Region& region : op.regions())
      for (Block& block : region.blocks())
        for (Operation& inner : block.ops())
          if (hasTokenResult(inner)) wire(inner, copy, isTiedByInits ? Values() : waits);
  }

  void wireInits(Operation& op, OperandRange inits, unsigned copy, const Values& waits) {
    for (unsigned i = 0; i < inits.size(); ++i) {
      Type type = inits[i].type();
      if (!air::isTokenType(type)) continue;
      Values list = waits;
      for (Value token : kept({&inits.use(i), 1}, copy))
        addOnce(list, token);
      if (list == Values{inits[i]}) continue;
      inits.use(i).set(Builder::before(op)
                           .create(op.location(), "air.wait_all", list, std::span(&type, 1))
                           ->result());
    }
  }

  /// Tokens that are not of the other copy or the iteration before.
  Values kept(OperandRange tokens, unsigned copy) {
    Values list;
    for (Value token : tokens) {
      if (!air::isTokenType(token.type())) continue;
      for (Value leaf : body_.leavesOf(token)) {
        const Unit* unit = body_.unitOf(leaf);
        bool isOfBody = leaf.parentBlock() == &loop_.body();
        if (!isOfBody || (unit && isIn(static_cast<unsigned>(unit - units().data()), copy)))
          addOnce(list, leaf);
      }
    }
    return list;
  }

  /// The loop again with its four tokens.
  void renew() {
    Value init = loop_.initArgs()[0];
    OperationState state(loop_->location(), loop_->def());
    state.addOperands(loop_->operands());
    state.operands.insert(state.operands.end(), 3, init);
    state.resultTypes.assign(4, init.type());
    state.attributes = loop_->attributes();
    state.addRegion().takeBody(loop_->region());
    Operation* loop = Builder::before(*loop_).create(state);
    loop_->result().replaceAllUsesWith(loop->result(1));
    loop_->erase();
    loop_ = scf::ForOp(loop);
    cleanUp();
  }

  void cleanUp() {
    for (std::string_view mark : {kUnroll, kIsolated})
      loop_->removeAttr(mark);
    loop_->walk([&](Operation& op) {
      for (std::string_view mark : {kIteration, kFront, kBack})
        op.removeAttr(mark);
    });
    std::vector<Operation*> joins;
    for (Operation& op : loop_.body().ops())
      if (isJoin(op)) joins.push_back(&op);
    for (auto join = joins.rbegin(); join != joins.rend(); ++join)
      if (!(*join)->hasResultUses()) (*join)->erase();
  }

  scf::ForOp loop_;
  LoopBody body_;
  air::UnitConflicts conflicts_;
  unsigned border_ = 0;  // the first unit of copy 1
  std::vector<bool> isProducer_, hasDependents_;
};

/// Something in its body is marked as one of several copies.
bool isUnrolled(scf::ForOp loop) {
  for (Operation& op : loop.body().ops()) {
    bool isMemory = onlyOp(op) && (isa<memref::AllocOp>(onlyOp(op)) || isDealloc(op));
    if (!isMemory && copyMark(op) >= 1) return true;
  }
  return false;
}

class Construct : public Pass {
 public:
  Construct()
      : Pass("air-construct-ping-pong-dependency-pattern",
             "Lets the two copies of a loop body overlap") {
    anchor("builtin.module");
    example("airlite-opt --air-construct-ping-pong-dependency-pattern in.mlir");
  }
  PassResult run(Operation& module, PassContext& context) override {
    return changedIf(!constructLoops(module, context).empty());
  }
};

}  // namespace

std::vector<Operation*> constructLoops(Operation& root, PassContext& context) {
  std::vector<Operation*> loops, made;  // inner ones first
  root.walk([&](Operation& op) {
    if (isa<scf::ForOp>(&op)) loops.push_back(&op);
  });
  for (Operation* op : loops) {
    scf::ForOp loop(op);
    if (!isUnrolled(loop)) continue;
    if (loop.numIterArgs() != 1 || !air::isTokenType(loop.regionIterArg(0).type())) {
      context.remark(*op, "it carries something else than one token");
      continue;
    }
    Constructor constructor(loop);
    if (std::string_view obstacle = constructor.run(); !obstacle.empty())
      context.remark(*op, obstacle);
    else
      made.push_back(constructor.loop().op());
  }
  return made;
}

}  // namespace pingpong

void registerConstructPingPong(PassRegistry& registry) { registry.add<pingpong::Construct>(); }

}  // namespace airlite
