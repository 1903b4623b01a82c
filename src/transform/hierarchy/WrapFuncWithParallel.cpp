// air-wrap-func-with-parallel: puts the body of a function into an scf.parallel.
//
// Matches functions whose last 2 * N arguments, N being the number of `loop-bounds`, are N upper
// bounds and N loop variables (integers or index), as kernel languages pass them. All of the body
// but its return moves into a loop from 0 to the given bounds by 1; its variables, cast to the type
// of the arguments, replace the last N arguments. The signature stays. `actual-sizes` is attached
// to the loop as air.actual_sizes.
//
// Declines: declarations, silently. Functions with other arguments, with results or with several
// blocks, missing or negative bounds, and another number of actual-sizes than of bounds are errors.
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>

namespace airlite {

namespace {

class WrapFuncWithParallel : public Pass {
 public:
  WrapFuncWithParallel()
      : Pass("air-wrap-func-with-parallel", "Puts the body of a function into an scf.parallel") {
    anchor("func.func");
    option("loop-bounds", bounds_, "upper bounds of the loop, one for each dimension");
    option("actual-sizes", actualSizes_, "sizes of the data, attached as air.actual_sizes");
    example("airlite-opt --air-wrap-func-with-parallel='loop-bounds=4,4,1' in.mlir");
  }

  PassResult run(Operation& op, PassContext&) override {
    func::FuncOp function(&op);
    if (function.isDeclaration()) return PassResult::Unchanged;
    if (failed(check(function))) return PassResult::Failed;
    wrap(function);
    return PassResult::Changed;
  }

 private:
  LogicalResult check(func::FuncOp function) const {
    auto negative = [](int64_t bound) { return bound < 0; };
    if (bounds_.empty()) return function->emitError() << "option 'loop-bounds' must be specified";
    if (std::any_of(bounds_.begin(), bounds_.end(), negative))
      return function->emitError() << "expected bounds that are not negative";
    if (!actualSizes_.empty() && actualSizes_.size() != bounds_.size())
      return function->emitError() << "expected as many 'actual-sizes' as 'loop-bounds'";
    if (!function.functionType().results().empty() || !function.body().hasOneBlock())
      return function->emitOpError() << "not supported: results or several blocks";
    size_t numArguments = function.numArguments(), wanted = 2 * bounds_.size();
    bool fits = numArguments >= wanted;
    for (size_t i = numArguments - (fits ? wanted : 0); fits && i < numArguments; ++i)
      fits = function.functionType().inputs()[i].isIntOrIndex();
    if (fits) return success();
    return function->emitOpError()
           << "expected its last " << wanted << " arguments to be upper bounds and loop variables";
  }

  void wrap(func::FuncOp function) const {
    Block& body = function.entry();
    Operation* first = &body.front();
    Builder builder = Builder::before(*first);
    Location location = function->location();
    std::vector<Value> lower, upper, step;
    for (int64_t bound : bounds_) {
      lower.push_back(builder.constantIndex(location, 0));
      upper.push_back(builder.constantIndex(location, bound));
      step.push_back(builder.constantIndex(location, 1));
    }
    auto loop = scf::ParallelOp::create(builder, location, lower, upper, step);
    if (!actualSizes_.empty())
      loop->setAttr("air.actual_sizes", DenseArrayAttr::getI64(builder.context(), actualSizes_));
    if (first != &body.back()) loop.body().splice(&loop.body().back(), body, first, &body.back());
    bindVariables(function, loop);
  }

  void bindVariables(func::FuncOp function, scf::ParallelOp loop) const {
    Builder builder = Builder::atStart(loop.body());
    unsigned first = function.numArguments() - loop.numLoops();
    for (unsigned i = 0; i < loop.numLoops(); ++i) {
      Value argument = function.argument(first + i), variable = loop.inductionVars()[i];
      if (!argument.hasUses()) continue;
      if (!argument.type().isIndex())
        variable =
            builder.create(loop->location(), "arith.index_cast", {variable}, {argument.type()})
                ->result();
      argument.replaceAllUsesWith(variable);
    }
  }

  std::vector<int64_t> bounds_, actualSizes_;
};

}  // namespace

void registerWrapFuncWithParallel(PassRegistry& registry) { registry.add<WrapFuncWithParallel>(); }

}  // namespace airlite
