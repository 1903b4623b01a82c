// air-split-reductions: what is reduced along rows is computed first, where it is more than products and sums of floats.
//
// Matches, in a function, a linalg.generic on buffers of the host that reduces each of its rows (its first loop is parallel, the others are
// not) to one float by addf, mulf or an extreme, and whose body computes with integers or indices besides, as the sum of what a mask selects does, or has
// functions, as a sum of exponentials. What is reduced becomes an elementwise op of its own, into a buffer that air-fuse-rows keeps in
// the cores. That op has lanes for all types, and its loops stay short, where those of several rows of f32 side by side have hundreds
// of instructions.
//
//   s[i] += select(j == t[i], x[i, j], 0)  ->  v[i, j] = select(j == t[i], x[i, j], 0); s[i] += v[i, j]
//
// Declines: few rows or numbers, columns, several results.
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>
#include <vector>

namespace airlite {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

/// With fewer rows or numbers the runs that are added take longer than the loop without lanes.
constexpr int64_t kLeastRows = 32, kLeastNumbers = 4096;

bool isFloatOrCondition(Type type) { return type.isF32() || type.isBF16() || type.isInteger(1); }

/// What air-vectorize-reductions computes along a row.
bool isOfFloats(Operation& op) {
  return op.is("linalg.yield") || op.is("arith.constant") ||
         (std::ranges::all_of(op.operandTypes(), isFloatOrCondition) && op.numOperands() != 0);
}

/// A series of many steps, unlike what the unit has or the bits of a number tell.
bool isFunction(const Operation& op) {
  constexpr std::string_view kShort[] = {"math.absf",  "math.copysign", "math.fma",
                                         "math.floor", "math.ceil",     "math.trunc",
                                         "math.round", "math.roundeven"};
  return op.is("arith.divf") ||
         (op.name().starts_with("math.") &&
          std::ranges::none_of(kShort, [&](std::string_view name) { return op.is(name); }));
}

bool isCombiner(const Operation& op) {
  constexpr std::string_view kNames[] = {"arith.addf",     "arith.mulf",    "arith.maximumf",
                                         "arith.minimumf", "arith.maxnumf", "arith.minnumf"};
  return std::ranges::any_of(kNames, [&](std::string_view name) { return op.is(name); });
}

/// Whether numbers next to each other are of one row; columns have lanes as they are.
bool readsAlongRows(StructuredOp op) {
  const std::vector<AffineMap> maps = op.indexingMaps();
  return std::any_of(maps.begin(), maps.begin() + op.numInputs(), [&](AffineMap map) {
    if (map.numResults() == 0) return false;
    const AffineExpr last = map.results().back();
    return last.kind() == AffineKind::Dim && last.position() + 1 == op.numLoops();
  });
}

bool reducesRows(StructuredOp op) {
  const std::vector<IteratorKind> kinds = op.iterators();
  const std::vector<int64_t> sizes = op.loopSizes();
  return kinds.size() > 1 && kinds[0] == IteratorKind::Parallel && sizes[0] >= kLeastRows &&
         std::ranges::find(sizes, kDynamic) == sizes.end() &&
         std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>()) >=
             kLeastNumbers &&
         std::all_of(kinds.begin() + 1, kinds.end(),
                     [](IteratorKind kind) { return kind == IteratorKind::Reduction; });
}

/// The op of the body that combines the result so far with something; null: another body.
Operation* combinerOf(StructuredOp op) {
  if (op.numOutputs() != 1) return nullptr;
  const Value result = op.body().back().operand(0), soFar = op.bodyArgument(op.numInputs());
  Operation* combiner = result.definingOp();
  const bool isIt = combiner && combiner->block() == &op.body() && isCombiner(*combiner) &&
                    result.hasOneUse() && soFar.hasOneUse() &&
                    (combiner->operand(0) == soFar) != (combiner->operand(1) == soFar);
  return isIt ? combiner : nullptr;
}

bool isMatch(Operation& op) {
  const StructuredOp structured = linalg::asStructured(&op);
  if (!structured || !op.is("linalg.generic") || !structured.onBuffers() ||
      !reducesRows(structured) || !readsAlongRows(structured) || !combinerOf(structured))
    return false;
  const auto isSimple = [](Operation& inner) { return inner.numRegions() == 0 && isPure(inner); };
  return std::ranges::all_of(
             structured.body().ops(),
             [&](Operation& inner) { return inner.is("linalg.yield") || isSimple(inner); }) &&
         std::ranges::any_of(structured.body().ops(), [](Operation& inner) {
           return !isOfFloats(inner) || isFunction(inner);
         });
}

class ReductionSplitter {
 public:
  explicit ReductionSplitter(StructuredOp op)
      : op_(op), combiner_(*combinerOf(op)), rewriter_(op->context()) {
    const Value soFar = op.bodyArgument(op.numInputs());
    combined_ = combiner_.operand(combiner_.operand(0) == soFar ? 1 : 0);
  }

  void run() {
    rewriter_.setBefore(*op_.op());
    const Value numbers =
        memref::AllocOp::create(rewriter_, op_->location(),
                                MemRefType::get(op_->context(), op_.loopSizes(), combined_.type()))
            .result();
    compute(numbers);
    reduce(numbers);
    rewriter_.eraseOp(*op_.op());
  }

 private:
  AffineMap identity() const { return AffineMap::identity(op_->context(), op_.numLoops()); }

  void compute(Value numbers) {
    std::vector<AffineMap> maps = op_.indexingMaps();
    maps.back() = identity();
    const std::vector<IteratorKind> kinds(op_.numLoops(), IteratorKind::Parallel);
    StructuredOp made = linalg::createGeneric(rewriter_, op_->location(), op_.inputs().vec(),
                                              {&numbers, 1}, maps, kinds);
    IRMapping values;
    for (unsigned i = 0; i < op_.numInputs(); ++i)
      values.map(op_.bodyArgument(i), made.bodyArgument(i));
    Builder body = Builder::atEnd(made.body());
    for (Operation& inner : op_.body().ops())
      if (&inner != &combiner_ && !inner.is("linalg.yield")) body.clone(inner, values);
    body.create(op_->location(), "linalg.yield", {values.lookupOr(combined_)}, {});
  }

  void reduce(Value numbers) {
    const Value result = op_.outputs()[0];
    const std::vector<AffineMap> maps = {identity(), op_.indexingMaps().back()};
    StructuredOp made = linalg::createGeneric(rewriter_, op_->location(), {&numbers, 1},
                                              {&result, 1}, maps, op_.iterators());
    IRMapping values;
    values.map(combined_, made.bodyArgument(0));
    values.map(op_.bodyArgument(op_.numInputs()), made.bodyArgument(1));
    Builder body = Builder::atEnd(made.body());
    const Value sum = body.clone(combiner_, values)->result();
    body.create(op_->location(), "linalg.yield", {sum}, {});
  }

  StructuredOp op_;
  Operation& combiner_;
  Value combined_;
  Rewriter rewriter_;
};

class SplitReductions : public Pass {
 public:
  SplitReductions()
      : Pass("air-split-reductions",
             "Computes first what rows are reduced of, where it is more than products of floats") {
    anchor("func.func");
    example("airlite-opt --air-split-reductions in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<StructuredOp> found;
    function.walk([&](Operation& op) {
      if (op.parentOp() == &function && isMatch(op)) found.push_back(StructuredOp(&op));
    });
    if (found.empty()) return PassResult::Unchanged;
    context.declareEffectChange(CountedEffect::Store, "numbers are stored before they are reduced");
    for (StructuredOp op : found)
      ReductionSplitter(op).run();
    return PassResult::Changed;
  }
};

}  // namespace

void registerSplitReductions(PassRegistry& registry) { registry.add<SplitReductions>(); }

}  // namespace airlite
