// air-unroll-loop-for-pipelining-pattern: unrolls the loops that an earlier pass has marked.
//
// Matches scf.for with `unroll = N`. The body becomes N copies, one after the other: what a copy
// carries, tokens as well as other values, is what the copy before yields; the step becomes N times
// as large. Ops with effects in copy k get `unrolled_iteration = k : i32`, the loop loses `unroll`.
// The loop yields what the last copy yields; where each copy's token fires after that of the copy
// before anyway, it yields the join of all copies' tokens, so that later passes find the end of
// each copy in one place. A loop inside of another is unrolled first.
//
// Declines, with a remark: a factor that is not a positive integer, bounds or a step that are not
// constant, a trip count that is not a multiple of N, a step that leaves its type, copies of more
// than kMaxOps operations, a put or get that is in order from run to run only since it is one op
// (docs/interpreter.md): air-enforce-channel-fifo-order orders it by tokens.
#include "PingPong.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/graph/TokenOrder.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/dependency/OwnRuns.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

namespace airlite {

namespace {

// More than any core or controller has room for.
constexpr int64_t kMaxOps = 1 << 20;

/// `value` is a signed number of that type.
bool fits(int64_t value, Type type) {
  unsigned width = type.isIndex() ? 64 : type.cast<IntegerType>().width();
  return width >= 64 || (value >> (width - 1) == 0 || value >> (width - 1) == -1);
}

class Unroller {
 public:
  explicit Unroller(scf::ForOp loop) : loop_(loop) {}

  /// Empty when the loop was unrolled, else why not.
  std::string_view run() {
    auto factor = loop_->attrOf<IntegerAttr>(pingpong::kUnroll);
    if (!factor || factor.value() < 1) return "its unroll factor is not a positive integer";
    factor_ = factor.value();
    std::optional<int64_t> trips = loop_.tripCount(), step = constantIntOf(loop_.step());
    if (!trips || !step) return "its trip count is not constant";
    if (*trips % factor_ != 0) return "its trip count is not a multiple of the unroll factor";
    if (__builtin_mul_overflow(*step, factor_, &step_) || !fits(step_, loop_.step().type()))
      return "the step of the unrolled loop leaves its type";
    if (factor_ > kMaxOps / air::countOps(*loop_)) return "its copies would be too many operations";
    if (!air::ordersRunsByTokens(loop_))
      return "no token orders the runs of a put or get in its body";
    loop_->removeAttr(pingpong::kUnroll);
    if (factor_ > 1) unroll(*step);
    return {};
  }

 private:
  void unroll(int64_t step) {
    findChains();
    Operation& yield = *loop_.yield();
    for (Operation& op : loop_.body().ops())
      if (&op != &yield) body_.push_back(&op);
    last_ = loop_.yield().values().vec();
    for (Value value : last_)
      ends_.push_back({value});
    for (int64_t copy = 1; copy < factor_; ++copy)
      addCopy(copy, step);
    for (Operation* op : body_)
      tag(*op, 0);
    yield.setOperands(yieldedValues());
    Builder builder = Builder::before(*loop_);
    loop_->setOperand(2, constantLike(builder, step_));
  }

  /// Which carried tokens each iteration chains to those of the one before.
  void findChains() {
    graph::TokenOrder order(*loop_);
    for (unsigned i = 0; i < loop_.numIterArgs(); ++i)
      chained_.push_back(air::isTokenType(loop_.regionIterArg(i).type()) &&
                         order.isImplied(loop_.regionIterArg(i), loop_.yielded(i)));
  }

  void addCopy(int64_t copy, int64_t step) {
    Builder builder = Builder::before(*loop_.yield());
    IRMapping mapping;
    if (loop_.inductionVar().hasUses()) {
      Value offset = constantLike(builder, copy * step);
      Value variable = builder
                           .create(loop_->location(), "arith.addi", {loop_.inductionVar(), offset},
                                   {offset.type()})
                           ->result();
      mapping.map(loop_.inductionVar(), variable);
    }
    for (unsigned i = 0; i < loop_.numIterArgs(); ++i)
      mapping.map(loop_.regionIterArg(i), last_[i]);
    for (Operation* op : body_)
      tag(*builder.clone(*op, mapping), copy);
    for (unsigned i = 0; i < last_.size(); ++i) {
      last_[i] = mapping.lookupOr(ends_[i].front());
      ends_[i].push_back(last_[i]);
    }
  }

  static void tag(Operation& op, int64_t copy) {
    if (op.hasTrait(Trait::AsyncOp) || !isPure(op))
      op.setAttr(pingpong::kIteration, Builder(op.context()).i32Attr(copy));
  }

  std::vector<Value> yieldedValues() {
    Builder builder = Builder::before(*loop_.yield());
    std::vector<Value> values = last_;
    for (unsigned i = 0; i < values.size(); ++i) {
      if (!chained_[i]) continue;
      Type type = values[i].type();
      values[i] = builder.create(loop_->location(), "air.wait_all", ends_[i], std::span(&type, 1))
                      ->result();
    }
    return values;
  }

  Value constantLike(Builder& builder, int64_t value) {
    Type type = loop_.step().type();
    return builder.constant(loop_->location(), IntegerAttr::get(type, value));
  }

  scf::ForOp loop_;
  int64_t factor_ = 1, step_ = 1;  // of the unrolled loop
  std::vector<Operation*> body_;
  std::vector<bool> chained_;
  std::vector<Value> last_;               // what the last copy yields
  std::vector<std::vector<Value>> ends_;  // what each copy yields, by result
};

class UnrollForPipelining : public Pass {
 public:
  UnrollForPipelining()
      : Pass("air-unroll-loop-for-pipelining-pattern", "Unrolls loops with an unroll factor") {
    anchor("builtin.module");
    example("airlite-opt --air-unroll-loop-for-pipelining-pattern in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    return changedIf(pingpong::unrollLoops(module, context));
  }
};

void declareCopies(PassContext& context) {
  for (CountedEffect effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet,
                               CountedEffect::Dma, CountedEffect::Store})
    context.declareEffectChange(effect, "one for each copy of a loop body");
}

}  // namespace

bool pingpong::unrollLoops(Operation& root, PassContext& context) {
  std::vector<Operation*> loops;  // inner ones first; copies have no factor any more
  root.walk([&](Operation& op) {
    if (isa<scf::ForOp>(&op) && op.hasAttr(kUnroll)) loops.push_back(&op);
  });
  bool changed = false;
  for (Operation* loop : loops) {
    std::string_view obstacle = Unroller(scf::ForOp(loop)).run();
    if (!obstacle.empty()) context.remark(*loop, obstacle);
    changed |= obstacle.empty();
  }
  if (changed) declareCopies(context);
  return changed;
}

void registerUnrollForPipelining(PassRegistry& registry) { registry.add<UnrollForPipelining>(); }

}  // namespace airlite
