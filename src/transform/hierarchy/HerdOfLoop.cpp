// A loop around a herd becomes a loop inside of it.
#include "HerdOfLoop.hpp"

#include "Hierarchy.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "analysis/CoreConflicts.hpp"
#include "transform/dependency/TokenMoves.hpp"
#include "transform/dependency/TokenWaits.hpp"
#include "transform/pingpong/PingPong.hpp"

#include <algorithm>

namespace airlite::air {

namespace {

using Values = std::vector<Value>;
constexpr unsigned kKernelGroup = 2;

class Mover {
 public:
  Mover(scf::ForOp loop, HerdOp herd) : loop_(loop), herd_(herd) {}

  std::string_view run() {
    if (std::string_view why = obstacle(); !why.empty()) return why;
    if (std::string_view why = findTokens(); !why.empty()) return why;
    if (otherCoresMayConflict(herd_, herd_))
      return "its cores may touch what another one does in the next iteration";
    moveHerd();
    scf::ForOp inner = makeLoop();
    replaceArguments(inner);
    isolate(herd_);
    replaceLoop();
    return {};
  }

 private:
  // -- What is asked -----------------------------------------------------------------------------

  std::string_view obstacle() {
    for (Value size : herd_.sizes())
      if (isInside(size, *loop_)) return "the sizes of the herd are computed in the loop";
    for (Value operand : herd_.kernelOperands())
      if (!isComputed(operand)) return "the herd is given what the loop does not compute";
    if (!herd_.affinity().empty() || !herd_.concurrency().empty())
      return "the herd has lists of tokens that share or run with it";
    return {};
  }

  /// From the variable of the loop and what is around, by pure ops.
  bool isComputed(Value value) {
    if (!isInside(value, *loop_) || value == loop_.inductionVar()) return true;
    Operation* op = value.definingOp();
    return op && isPure(*op) && op->numRegions() == 0 &&
           std::all_of(op->operands().begin(), op->operands().end(),
                       [&](Value operand) { return isComputed(operand); });
  }

  /// Each iteration must wait for the one before, and the loop for the last.
  std::string_view findTokens() {
    Value token = herd_.token();
    if (!token && loop_.numIterArgs() > 0) return "the loop carries something";
    if (!token) return {};
    if (loop_.numIterArgs() != 1 || !isTokenType(loop_.regionIterArg(0).type()))
      return "the loop carries something else than one token";
    pingpong::LoopBody body(loop_);
    if (!body.obstacle().empty()) return body.obstacle();
    bool waits = body.order().isImplied(token, loop_.yielded(0));
    bool follows = false;
    for (Value wait : herd_.dependencies()) {
      follows |= body.order().isImplied(loop_.regionIterArg(0), wait);
      for (Value leaf : body.leavesOf(wait))
        if (!isInside(leaf, *loop_)) waits_.push_back(leaf);
    }
    if (!waits || !follows) return "its iterations may overlap";
    waits_.insert(waits_.begin(), loop_.initArgs()[0]);
    return {};
  }

  // -- Rewriting ---------------------------------------------------------------------------------

  void moveHerd() {
    pingpong::LoopBody body(*herd_);
    carries_ = body.obstacle().empty() && !body.units().empty();
    herd_->moveBefore(loop_.op());
    if (herd_.token()) herd_.setDependencies(waits_);
  }

  /// Around all that the herd does.
  scf::ForOp makeLoop() {
    Block& outer = herd_.body();
    Operation *first = &outer.front(), *end = &outer.back();
    Builder builder = Builder::atStart(outer);
    Values inits;
    if (carries_) inits.push_back(start(builder));
    scf::ForOp inner = scf::ForOp::create(builder, loop_->location(), loop_.lowerBound(),
                                          loop_.upperBound(), loop_.step(), inits);
    inner->setAttributes(loop_->attributes());
    if (carries_) {
      Builder::atEnd(inner.body()).create(loop_->location(), "scf.yield", inits, {});
    }
    inner.body().splice(inner.yield().op(), outer, first, end);
    if (carries_) carry(inner);
    return inner;
  }

  Value start(Builder& builder) {
    Type type = loop_->numResults() ? loop_->result().type()
                                    : DialectType::get(builder.context(), "air.async.token");
    return builder.create(loop_->location(), "air.wait_all", std::span<const Value>(), {&type, 1})
        ->result();
  }

  /// What waits for nothing in an iteration waits for the one before.
  void carry(scf::ForOp inner) {
    pingpong::LoopBody body(inner);
    Value carried = inner.regionIterArg(0);
    std::vector<bool> hasDependents(body.units().size());
    Values ends;
    for (pingpong::Unit& unit : body.units())
      for (unsigned before : unit.before)
        hasDependents[before] = true;
    for (unsigned i = 0; i < body.units().size(); ++i) {
      const pingpong::Unit& unit = body.units()[i];
      if (unit.before.empty() || !isAsyncOp(*unit.op)) addWait(*unit.op, carried);
      if (!hasDependents[i]) ends.insert(ends.end(), unit.ends.begin(), unit.ends.end());
    }
    inner.yield()->setOperand(0, join(*inner.yield(), ends));
  }

  static Value join(Operation& before, const Values& tokens) {
    if (tokens.size() == 1) return tokens.front();
    Type type = tokens.front().type();
    return Builder::before(before)
        .create(before.location(), "air.wait_all", tokens, std::span(&type, 1))
        ->result();
  }

  /// What the loop gives to the herd is computed in the herd.
  void replaceArguments(scf::ForOp inner) {
    IRMapping mapping;
    mapping.map(loop_.inductionVar(), inner.inductionVar());
    Builder builder = Builder::atStart(inner.body());
    Values kept;
    std::vector<unsigned> dropped;
    for (unsigned i = 0; i < herd_.numKernelOperands(); ++i) {
      Value operand = herd_.kernelOperands()[i];
      if (!isInside(operand, *loop_)) {
        kept.push_back(operand);
        continue;
      }
      herd_.kernelArgument(i).replaceAllUsesWith(compute(operand, builder, mapping));
      dropped.push_back(herd_.kernelArgument(i).index());
    }
    herd_->setOperandGroup(kKernelGroup, kept);
    for (auto index = dropped.rbegin(); index != dropped.rend(); ++index)
      herd_.body().eraseArgument(*index);
  }

  Value compute(Value value, Builder& builder, IRMapping& mapping) {
    if (!isInside(value, *loop_)) return value;
    if (Value known = mapping.lookupOrNull(value)) return known;
    Operation& op = *value.definingOp();
    for (Value operand : op.operands())
      compute(operand, builder, mapping);
    builder.clone(op, mapping);
    return mapping.lookupOr(value);
  }

  void replaceLoop() {
    if (loop_->numResults()) loop_->result().replaceAllUsesWith(herd_.token());
    loop_->erase();
  }

  scf::ForOp loop_;
  HerdOp herd_;
  Values waits_;
  bool carries_ = false;
};

}  // namespace

HerdOp onlyHerd(scf::ForOp loop) {
  HerdOp herd;
  for (Operation& op : loop.body().ops()) {
    if (isPure(op) || pingpong::isJoin(op) || op.hasTrait(Trait::Terminator)) continue;
    if (herd || !isa<HerdOp>(&op)) return HerdOp();
    herd = HerdOp(&op);
  }
  return herd;
}

std::string_view moveLoopIntoHerd(scf::ForOp loop) {
  HerdOp herd = onlyHerd(loop);
  pingpong::LoopBody body(*herd);
  if (!body.obstacle().empty() && pingpong::runsAsyncOps(*herd))
    return "the herd starts work that the next iteration would have to wait for";
  return Mover(loop, herd).run();
}

}  // namespace airlite::air
