// air-hoist-ops-not-using-ping-pong: a labelled loop keeps what uses its buffers.
//
// Matches scf.for with `unroll = 2` that carries one token and allocates a buffer with
// `hoist_alloc` in its body. Herds and parallel loops of the body that use no such buffer, nor
// anything else that is computed with effects there, go to a loop of their own in front of it, with
// the same bounds, initial token and attributes. In each of the two loops, the token of an op that
// is in the other one is replaced by what that op waited for. What comes after the loop waits for
// both where it waited for an op that has gone. The loop is marked `isolated = true`.
//
// Declines, with a remark:
//  - a body that blocks, or whose tokens do not cover what is done
//  - an op that conflicts with one that stays, in this or another iteration: the loops overlap
#include "PingPong.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/UnitConflicts.hpp"

#include <algorithm>
#include <unordered_set>

namespace airlite {

namespace pingpong {

namespace {

using Values = std::vector<Value>;

bool isLabelled(scf::ForOp loop) {
  auto factor = loop->attrOf<IntegerAttr>(kUnroll);
  if (!factor || factor.value() != 2 || loop->hasAttr(kIsolated)) return false;
  for (Operation& op : loop.body().ops()) {
    Operation* only = onlyOp(op);
    if (only && isa<memref::AllocOp>(only) && hasMark(*only, kHoist)) return true;
  }
  return false;
}

/// Tokens for which a unit waits as a whole.
Values waitsOf(Operation& op) {
  if (air::isAsyncOp(op)) return air::AsyncOp(&op).dependencies().vec();
  Values tokens;
  op.walk([&](Operation& inner) {
    for (Value operand : inner.operands())
      if (air::isTokenType(operand.type()) && !op.isAncestor(operand.parentRegion()->parentOp()))
        tokens.push_back(operand);
  });
  return tokens;
}

class Isolator {
 public:
  Isolator(scf::ForOp loop, PassContext& context) : loop_(loop), body_(loop), context_(context) {}

  void run() {
    if (body_.obstacle().empty())
      findLeaving();
    else if (std::any_of(loop_.body().ops().begin(), loop_.body().ops().end(), isCandidate))
      context_.remark(*loop_, body_.obstacle());
    if (!leaving_.empty()) split();
    loop_->setAttr(kIsolated, IntegerAttr::getBool(loop_->context(), true));
  }

 private:
  static bool isCandidate(Operation& op) {
    return isa<air::HerdOp>(&op) || isa<scf::ParallelOp>(&op);
  }

  // -- What leaves -------------------------------------------------------------------------------

  void findLeaving() {
    for (Unit& unit : body_.units())
      if (isCandidate(*unit.op) && usesNothingOfBody(*unit.op)) leaving_.insert(unit.op);
    // One that stays after all may be in the way of others.
    for (bool changed = true; changed;) {
      changed = false;
      for (Unit& unit : body_.units())
        if (leaving_.contains(unit.op) && isInTheWay(*unit.op)) {
          leaving_.erase(unit.op);
          context_.remark(*unit.op, "it conflicts with an op that stays in the loop");
          changed = true;
        }
    }
  }

  /// But for tokens and pure computations.
  bool usesNothingOfBody(Operation& op) {
    bool result = true;
    op.walk([&](Operation& inner) {
      for (Value operand : inner.operands())
        result &= air::isTokenType(operand.type()) || isComputed(operand);
    });
    return result;
  }

  bool isComputed(Value value) {
    if (value.parentBlock() != &loop_.body() || value == loop_.inductionVar()) return true;
    Operation* op = value.definingOp();
    if (!op || !isPure(*op) || op->numRegions() > 0) return false;
    return std::all_of(op->operands().begin(), op->operands().end(),
                       [&](Value operand) { return isComputed(operand); });
  }

  bool isInTheWay(Operation& op) {
    for (Unit& unit : body_.units()) {
      if (leaving_.contains(unit.op)) continue;
      if (conflicts_.conflict(op, *unit.op) || conflicts_.conflictAcross(op, *unit.op, *loop_) ||
          conflicts_.conflictAcross(*unit.op, op, *loop_))
        return true;
    }
    return false;
  }

  // -- Two loops ---------------------------------------------------------------------------------

  void split() {
    bool isCovered = coversLeaving(loop_.yielded(0));
    Value result = makeLoop();
    if (isCovered) replaceAfter(result);
    for (Unit& unit : body_.units())
      if (leaving_.contains(unit.op)) bypass(unit);
    for (auto unit = body_.units().rbegin(); unit != body_.units().rend(); ++unit)
      if (leaving_.contains(unit->op)) unit->op->erase();
  }

  bool coversLeaving(Value token) {
    Values open{token};
    std::unordered_set<Value> seen;
    while (!open.empty()) {
      Value next = open.back();
      open.pop_back();
      if (!seen.insert(next).second || next.parentBlock() != &loop_.body()) continue;
      Operation* op = next.definingOp();
      if (!op) continue;
      if (leaving_.contains(op)) return true;
      for (Value wait : waitsOf(*op))
        open.push_back(wait);
    }
    return false;
  }

  Value makeLoop() {
    Builder builder = Builder::before(*loop_);
    Values inits = loop_.initArgs().vec();
    scf::ForOp loop = scf::ForOp::create(builder, loop_->location(), loop_.lowerBound(),
                                         loop_.upperBound(), loop_.step(), inits);
    loop->setAttributes(loop_->attributes());
    loop->removeAttr(kUnroll);
    mapping_.map(loop_.inductionVar(), loop.inductionVar());
    mapping_.map(loop_.regionIterArg(0), loop.regionIterArg(0));
    Builder body = Builder::atEnd(loop.body());
    for (Unit& unit : body_.units())
      if (leaving_.contains(unit.op)) copy(*unit.op, body);
    Type type = loop_.yielded(0).type();
    Value last = standIn(loop_.yielded(0), body);
    Value end = body.create(loop_->location(), "air.wait_all", {last}, {type})->result();
    scf::YieldOp::create(body, loop_->location(), {&end, 1});
    return loop->result();
  }

  void copy(Operation& op, Builder& builder) {
    op.walk([&](Operation& inner) {
      for (Value operand : inner.operands()) {
        if (operand.parentBlock() != &loop_.body() || mapping_.lookupOrNull(operand)) continue;
        if (air::isTokenType(operand.type()))
          mapping_.map(operand, standIn(operand, builder));
        else
          copy(*operand.definingOp(), builder);
      }
    });
    builder.clone(op, mapping_);
  }

  /// In the new loop: the copy of what leaves; of what stays, all that it waits for.
  Value standIn(Value token, Builder& builder) {
    if (token.parentBlock() != &loop_.body()) return token;
    if (Value known = mapping_.lookupOrNull(token)) return known;
    Operation& op = *token.definingOp();
    Values waits = waitsOf(op), stands;
    for (Value wait : waits)
      if (Value stand = standIn(wait, builder);
          std::find(stands.begin(), stands.end(), stand) == stands.end())
        stands.push_back(stand);
    Type type = token.type();
    Value result =
        waits.size() == 1
            ? stands.front()
            : builder.create(op.location(), "air.wait_all", stands, {&type, 1})->result();
    for (Value end : op.resultValues())
      if (air::isTokenType(end.type())) mapping_.map(end, result);
    return result;
  }

  /// Who waits for the loop waits for the new one too.
  void replaceAfter(Value result) {
    if (!loop_->result().hasUses()) return;
    Value both[] = {loop_->result(), result};
    Type type = result.type();
    Operation* join =
        Builder::after(*loop_).create(loop_->location(), "air.wait_all", both, std::span(&type, 1));
    loop_->result().replaceUsesIf(join->result(),
                                  [&](OpOperand& use) { return use.owner() != join; });
  }

  /// In the old loop: who waited for `unit` waits for what it waited for.
  void bypass(Unit& unit) {
    Values waits = waitsOf(*unit.op);
    Type type = unit.ends.front().type();
    for (Value end : unit.op->resultValues()) {
      if (!end.hasUses()) continue;
      Value stand = waits.size() == 1 ? waits.front()
                                      : Builder::before(*unit.op)
                                            .create(unit.op->location(), "air.wait_all", waits,
                                                    std::span(&type, 1))
                                            ->result();
      end.replaceAllUsesWith(stand);
    }
  }

  scf::ForOp loop_;
  LoopBody body_;
  PassContext& context_;
  air::UnitConflicts conflicts_;
  std::unordered_set<Operation*> leaving_;
  IRMapping mapping_;
};

class Isolate : public Pass {
 public:
  Isolate()
      : Pass("air-hoist-ops-not-using-ping-pong",
             "Moves herds out of loops whose buffers are to be doubled") {
    anchor("builtin.module");
    example("airlite-opt --air-hoist-ops-not-using-ping-pong in.mlir");
  }
  PassResult run(Operation& module, PassContext& context) override {
    return changedIf(isolateLoops(module, context));
  }
};

}  // namespace

bool isolateLoops(Operation& root, PassContext& context) {
  std::vector<Operation*> loops;
  root.walk([&](Operation& op) {
    if (isa<scf::ForOp>(&op) && isLabelled(scf::ForOp(&op))) loops.push_back(&op);
  });
  bool changed = false;
  for (Operation* op : loops) {
    scf::ForOp loop(op);
    if (loop.numIterArgs() != 1 || !air::isTokenType(loop.regionIterArg(0).type())) {
      context.remark(*op, "it carries something else than one token");
      continue;
    }
    Isolator(loop, context).run();
    changed = true;
  }
  return changed;
}

}  // namespace pingpong

void registerIsolatePingPong(PassRegistry& registry) { registry.add<pingpong::Isolate>(); }

}  // namespace airlite
