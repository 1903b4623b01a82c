// Loops whose iterations may run at the same time: each is a process. A loop that reduces numbers
// runs in order, since a sum of floats depends on it.
#include "Access.hpp"
#include "Async.hpp"
#include "airlite/dialect/Evaluate.hpp"
#include "airlite/dialect/Reductions.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Tensor.hpp"
#include "dialect/ConstantFolding.hpp"

namespace airlite::interp {

namespace {

/// What the body of a loop does beside its ops.
struct Around {
  std::function<void(Builder& body)> atStart;
  std::function<void(Builder& body, Operation& end)> atEnd;
};

/// in: lower bounds, upper bounds, steps. The bodies run side by side, the parent waits for them.
void emitLoop(Builder& b, Operation& op, std::span<const Value> counters,
              const Builder::Registers& in, bool bodiesOnly, const Around& around = {}) {
  Code& code = *b.arena().makeCode(&op);
  Builder body(b.compiler(), code, &b);
  Instances instances;
  instances.code = &code;
  instances.dims = static_cast<uint32_t>(counters.size());
  instances.bodiesOnly = bodiesOnly;
  for (Value counter : counters)
    instances.ids.push_back(body.define(counter));
  if (around.atStart) around.atStart(body);
  // The terminator of a loop without numbers to reduce has nothing to say but that it is over.
  body.region(op.region(0), [&](Operation& end) {
    if (around.atEnd) around.atEnd(body, end);
    body.emit(doEnd, end);
  });
  uint32_t token = b.temporary();
  emitInstances(b, op, instances, in, token);
  emitAwait(b, op, {token});
}

bool allTokens(Operation& op) {
  for (Value result : op.resultValues())
    if (!air::isTokenType(result.type())) return false;
  return op.numResults() > 0;
}

Builder::Registers boundsOf(Builder& b, scf::ParallelOp loop) {
  Builder::Registers in = b.useAll(loop.lowerBounds());
  for (Value bound : loop.upperBounds())
    in.push_back(b.use(bound));
  for (Value step : loop.steps())
    in.push_back(b.use(step));
  return in;
}

/// Values are combined in the order of the iterations.
class ReducingLoop {
 public:
  ReducingLoop(Builder& b, scf::ParallelOp loop) : b_(b), loop_(loop) {}

  void emit() {
    uint32_t first = b_.defineResults(*loop_);
    for (uint32_t i = 0; i < loop_->numResults(); ++i)
      results_.push_back(first + i);
    b_.move(*loop_, b_.useAll(loop_.initVals()), results_);
    nest(0);
  }

 private:
  void nest(unsigned depth) {
    if (depth == loop_.numLoops()) {
      b_.region(loop_.region(), [&](Operation& end) { reduce(end); });
      return;
    }
    b_.forLoop(*loop_, b_.use(loop_.lowerBounds()[depth]), b_.use(loop_.upperBounds()[depth]),
               b_.use(loop_.steps()[depth]), 64, b_.define(loop_.inductionVars()[depth]),
               [&] { nest(depth + 1); });
  }

  void reduce(Operation& end) {
    scf::ReduceOp reduce(&end);
    for (unsigned i = 0; i < reduce.numReductions(); ++i) {
      Block& block = reduce.reduction(i);
      b_.move(end, {results_[i], b_.use(reduce.values()[i])},
              {b_.define(block.argument(0)), b_.define(block.argument(1))});
      b_.block(block, b_.yieldTo({results_[i]}));
    }
  }

  Builder& b_;
  scf::ParallelOp loop_;
  Builder::Registers results_;
};

bool compileParallel(Builder& b, Operation& op) {
  scf::ParallelOp loop(&op);
  if (loop.numLoops() > kMaxRank) return false;
  std::vector<Value> counters = loop.inductionVars();
  if (allTokens(op)) {
    uint32_t first = b.defineResults(op);
    emitAsync(b, op, b.useAll(loop.initVals()), true,
              [&](Builder& inner) { emitLoop(inner, op, counters, boundsOf(inner, loop), false); });
    for (uint32_t i = 1; i < op.numResults(); ++i)
      b.move(op, {first}, {first + i});
    return true;
  }
  for (Value result : op.resultValues())
    if (air::isTokenType(result.type())) return false;
  if (op.numResults())
    ReducingLoop(b, loop).emit();
  else
    emitLoop(b, op, counters, boundsOf(b, loop), true);
  return true;
}

void appendBounds(Builder& b, Operation& op, std::span<const int64_t> statics, OperandRange values,
                  Builder::Registers& in) {
  for (uint32_t reg : mixedRegisters(b, op, memref::mixedIndices(statics, values)))
    in.push_back(reg);
}

/// Every iteration sees its outputs as they were before the loop, and puts its parts into copies of
/// them, which are the results.
class SharedOutputs {
 public:
  explicit SharedOutputs(scf::ForallOp loop) : loop_(loop) {}

  bool areKnown() {
    for (Value output : loop_.outputs())
      if (!layoutOf(elementTypeOrSelf(output.type())).bytes) return false;
    for (Operation& op : loop_.terminator()->region(0).front().ops()) {
      if (!isa<tensor::ParallelInsertSliceOp>(&op)) return false;
      auto dropped = tensor::ParallelInsertSliceOp(&op).droppedDims();
      if (!dropped || dropped->size() > kMaxRank) return false;
    }
    return true;
  }

  void copy(Builder& b) {
    uint32_t first = b.defineResults(*loop_);
    for (unsigned i = 0; i < loop_.outputs().size(); ++i) {
      Value output = loop_.outputs()[i];
      // The bodies see what a register holds when they start.
      before_.push_back(emitCopyTensor(b, *loop_, b.use(output), output.type(), b.temporary()));
      results_.push_back(emitCopyTensor(b, *loop_, before_[i], output.type(), first + i));
    }
  }

  void insert(Builder& body, Operation& end) {
    for (Operation& op : end.region(0).front().ops()) {
      tensor::ParallelInsertSliceOp slice(&op);
      unsigned output = slice.dest().index() - loop_.rank();
      uint32_t window = body.temporary();
      emitSubView(body, op, body.capture(results_[output]), slice, *slice.droppedDims(), window);
      emitCopy(body, op, body.use(op.operand(0)), window, elementTypeOrSelf(op.operand(0).type()));
    }
  }

  void bind(Builder& body) {
    for (unsigned i = 0; i < before_.size(); ++i)
      body.bind(loop_.outputArg(i), body.capture(before_[i]));
  }

 private:
  scf::ForallOp loop_;
  Builder::Registers before_, results_;
};

bool compileForall(Builder& b, Operation& op) {
  scf::ForallOp loop(&op);
  SharedOutputs outputs(loop);
  if (loop.rank() > kMaxRank || !outputs.areKnown()) return false;
  outputs.copy(b);
  Builder::Registers in;
  appendBounds(b, op, loop.staticLowerBounds(), loop.dynamicLowerBounds(), in);
  appendBounds(b, op, loop.staticUpperBounds(), loop.dynamicUpperBounds(), in);
  appendBounds(b, op, loop.staticSteps(), loop.dynamicSteps(), in);
  auto counters = loop.body().arguments();
  emitLoop(b, op, std::span(counters).first(loop.rank()), in, true,
           {[&](Builder& body) { outputs.bind(body); },
            [&](Builder& body, Operation& end) { outputs.insert(body, end); }});
  return true;
}

/// in: what has been combined so far, one more value.
Step doCombine(Run& run, const Inst& inst) {
  const auto& element = *static_cast<const ElementOp*>(inst.data);
  const Slot &before = run.in(inst, 0), &value = run.in(inst, 1);
  for (const Slot* slot : {&before, &value})
    if (!slot->isBits()) {
      if (!slot->isPoison()) return Step::Retry;
      run.out(inst).setPoison(slot->bits());
      return Step::Next;
    }
  uint64_t in[] = {before.bits(), value.bits()}, out[2];
  element.compute(element, in, out);
  run.out(inst).setBits(out[0]);
  return Step::Next;
}

/// As LowerAffine writes it: from the neutral elements on, in the order of the iterations.
class AffineReduction {
 public:
  AffineReduction(Builder& b, affine::ParallelOp loop) : b_(b), loop_(loop) {}

  bool emit() {
    for (unsigned i = 0; i < loop_->numResults(); ++i) {
      auto kind = static_cast<memref::AtomicKind>(loop_.reduction(i));
      Type type = loop_->result(i).type();
      Attribute start = neutralOf(kind, type);
      std::optional<ElementOp> element = namedElementOp(combinerOf(kind), type, type);
      std::optional<folding::ConstantBits> bits = folding::ConstantBits::get(start);
      if (!start || !element || !bits) return false;
      elements_.push_back(*element);
      starts_.push_back(bits->at(0));
    }
    uint32_t first = b_.defineResults(*loop_);
    for (uint32_t i = 0; i < starts_.size(); ++i) {
      results_.push_back(first + i);
      uint32_t start = b_.constant(*loop_, static_cast<int64_t>(starts_[i]));
      b_.move(*loop_, {start}, {results_[i]});
    }
    nest(0);
    return true;
  }

 private:
  void nest(unsigned depth) {
    if (depth == loop_.numDims()) {
      b_.region(loop_.region(), [&](Operation& end) { combine(end); });
      return;
    }
    uint32_t lower = extremeOf(b_, *loop_, applyMap(b_, *loop_, loop_.lowerBound(depth)), true);
    uint32_t upper = extremeOf(b_, *loop_, applyMap(b_, *loop_, loop_.upperBound(depth)), false);
    b_.forLoop(*loop_, lower, upper, b_.constant(*loop_, loop_.step(depth)), 64,
               b_.define(loop_.inductionVar(depth)), [&] { nest(depth + 1); });
  }

  void combine(Operation& end) {
    for (unsigned i = 0; i < elements_.size(); ++i)
      b_.emit(doCombine, end, {results_[i], b_.use(end.operand(i))}, results_[i]).data =
          b_.arena().make<ElementOp>(elements_[i]);
  }

  Builder& b_;
  affine::ParallelOp loop_;
  std::vector<ElementOp> elements_;
  std::vector<uint64_t> starts_;
  Builder::Registers results_;
};

bool compileAffineParallel(Builder& b, Operation& op) {
  affine::ParallelOp loop(&op);
  if (loop.numDims() > kMaxRank) return false;
  if (op.numResults()) return AffineReduction(b, loop).emit();
  Builder::Registers in;
  for (unsigned i = 0; i < loop.numDims(); ++i)
    in.push_back(extremeOf(b, op, applyMap(b, op, loop.lowerBound(i)), true));
  for (unsigned i = 0; i < loop.numDims(); ++i)
    in.push_back(extremeOf(b, op, applyMap(b, op, loop.upperBound(i)), false));
  for (unsigned i = 0; i < loop.numDims(); ++i)
    in.push_back(b.constant(op, loop.step(i)));
  emitLoop(b, op, loop.body().arguments(), in, true);
  return true;
}

}  // namespace

void addParallel(CompileTable& table) {
  table["scf.parallel"] = compileParallel;
  table["scf.forall"] = compileForall;
  table["affine.parallel"] = compileAffineParallel;
}

}  // namespace airlite::interp
