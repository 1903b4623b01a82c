// convert-scf-to-cf: replaces structured control flow by blocks and branches of the cf dialect.
//
// Matches scf.for, while, if, index_switch and execute_region. scf.parallel becomes nested
// sequential loops first, its reductions values that the loops carry; so does scf.forall without
// shared outputs. Attributes of the loops are dropped.
//
// Declines, with an error at the op: scf.forall with shared outputs, and control flow inside an op
// that holds a single block only (a herd, an affine loop): it cannot have branches.
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Cf.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/Lowering.hpp"

namespace airlite {

namespace {

using Values = std::vector<Value>;

// -- Parallel loops as sequential ones -----------------------------------------------------------

struct LoopBounds {
  Values lower, upper, steps;
};

/// Nested loops in front of `op`, each carrying `inits`. The innermost still yields its own iter
/// args; the others yield the results of the loop inside.
std::vector<scf::ForOp> createNest(Rewriter& rewriter, Operation& op, const LoopBounds& bounds,
                                   const Values& inits) {
  std::vector<scf::ForOp> loops;
  Values carried = inits;
  rewriter.setBefore(op);
  for (size_t i = 0; i < bounds.steps.size(); ++i) {
    loops.push_back(scf::ForOp::create(rewriter, op.location(), bounds.lower[i], bounds.upper[i],
                                       bounds.steps[i], carried));
    carried = loops.back().regionIterArgs();
    rewriter.setToStart(loops.back().body());
  }
  if (inits.empty()) return loops;
  for (size_t i = 0; i < loops.size(); ++i) {
    rewriter.setToEnd(loops[i].body());
    Values yields = i + 1 < loops.size() ? loops[i + 1]->resultValues() : loops[i].regionIterArgs();
    scf::YieldOp::create(rewriter, op.location(), yields);
  }
  return loops;
}

Values inductionVars(const std::vector<scf::ForOp>& loops) {
  Values values;
  for (scf::ForOp loop : loops)
    values.push_back(loop.inductionVar());
  return values;
}

/// Applies the reductions to what the innermost loop carries.
void inlineReductions(Rewriter& rewriter, scf::ReduceOp reduce, scf::ForOp inner) {
  Operation& yield = *inner.yield();
  Values results;
  for (unsigned i = 0; i < reduce.numReductions(); ++i) {
    Block& block = reduce.reduction(i);
    Operation* end = &block.back();
    Values values{inner.regionIterArg(i), reduce.values()[i]};
    rewriter.inlineBlockBefore(block, yield, values);
    results.push_back(end->operand(0));
    rewriter.eraseOp(*end);
  }
  rewriter.modify(yield, [&] { yield.setOperands(results); });
  rewriter.eraseOp(*reduce);
}

}  // namespace

LogicalResult parallelToLoops(Operation& op, Rewriter& rewriter) {
  scf::ParallelOp loop(&op);
  LoopBounds bounds{loop.lowerBounds().vec(), loop.upperBounds().vec(), loop.steps().vec()};
  std::vector<scf::ForOp> loops = createNest(rewriter, op, bounds, loop.initVals().vec());
  scf::ReduceOp reduce = loop.reduce();
  rewriter.inlineBlockBefore(loop.body(), *loops.back().yield(), inductionVars(loops));
  inlineReductions(rewriter, reduce, loops.back());
  rewriter.replaceOp(op, loops.front()->resultValues());
  return success();
}

namespace {

Values mixedBounds(Rewriter& rewriter, Operation& op, std::span<const int64_t> statics,
                   OperandRange dynamic) {
  Values values;
  unsigned next = 0;
  for (int64_t value : statics) {
    bool isDynamic = value == kDynamic;
    values.push_back(isDynamic ? dynamic[next++] : rewriter.constantIndex(op.location(), value));
  }
  return values;
}

}  // namespace

LogicalResult forallToLoops(Operation& op, Rewriter& rewriter) {
  scf::ForallOp loop(&op);
  if (op.numResults() != 0 || !loop.terminator().body().empty())
    return op.emitOpError() << "not supported: scf.forall with shared outputs has no sequential "
                               "form here";
  LoopBounds bounds;
  bounds.lower = mixedBounds(rewriter, op, loop.staticLowerBounds(), loop.dynamicLowerBounds());
  bounds.upper = mixedBounds(rewriter, op, loop.staticUpperBounds(), loop.dynamicUpperBounds());
  bounds.steps = mixedBounds(rewriter, op, loop.staticSteps(), loop.dynamicSteps());
  rewriter.eraseOp(*loop.terminator());
  if (loop.rank() == 0) {
    rewriter.inlineBlockBefore(loop.body(), op, {});
  } else {
    std::vector<scf::ForOp> loops = createNest(rewriter, op, bounds, {});
    rewriter.inlineBlockBefore(loop.body(), *loops.back().yield(), inductionVars(loops));
  }
  rewriter.eraseOp(op);
  return success();
}

// -- Blocks --------------------------------------------------------------------------------------

namespace {

/// The ops after `op` as a block of their own, with an argument for each result of `op`.
Block& continuation(Operation& op, bool withArguments) {
  Block* block = op.block();
  Block* rest = block->splitBefore(op.next());
  for (unsigned i = 0; withArguments && i < op.numResults(); ++i)
    rest->addArgument(op.result(i).type(), op.location());
  return *rest;
}

void branch(Builder& builder, Location location, Block& target, std::span<const Value> values) {
  cf::BranchOp::create(builder, location, target, values);
}

/// Moves the blocks of `region` in front of `before`; the first of them.
Block& moveBlocks(Region& region, Block& before) {
  Block& first = region.front();
  while (!region.empty())
    region.front().moveBefore(&before);
  return first;
}

/// The terminator of a region's last block, where structured control flow ends.
Operation& endOf(Region& region) { return region.back().back(); }

/// `end` becomes a branch to `target` with its operands.
void branchInstead(Operation& end, Block& target) {
  Values values = end.operands().vec();
  Builder builder = Builder::before(end);
  branch(builder, end.location(), target, values);
  end.erase();
}

/// Ends the block that `op` stands in with a branch.
void enter(Operation& op, Block& target, std::span<const Value> values) {
  Builder builder = Builder::atEnd(*op.block());
  branch(builder, op.location(), target, values);
}

void finish(Operation& op, std::span<const Value> values) {
  op.replaceAllUsesWith(values);
  op.erase();
}

/// A region that is absent: straight on.
Block& regionOrRest(Region& region, Block& rest) {
  if (region.empty()) return rest;
  Operation& end = endOf(region);
  Block& first = moveBlocks(region, rest);
  branchInstead(end, rest);
  return first;
}

// -- One op at a time, inner ones first ----------------------------------------------------------

Value createCompare(Builder& builder, Location location, arith::CmpIPredicate predicate, Value lhs,
                    Value rhs) {
  Attribute attr = builder.i64Attr(static_cast<int64_t>(predicate));
  return builder
      .create(location, "arith.cmpi", {lhs, rhs}, {builder.intType(1)},
              {builder.named("predicate", attr)})
      ->result();
}

/// before: br ^cond(lower, inits); ^cond(i, args): body or rest; body: ... br ^cond(i + step, ..).
void convertFor(Operation& op) {
  scf::ForOp loop(&op);
  Location location = op.location();
  Operation& yield = endOf(loop.region());
  Values entering{loop.lowerBound()};
  for (Value init : loop.initArgs())
    entering.push_back(init);
  Value upper = loop.upperBound(), step = loop.step();

  Block& rest = continuation(op, false);
  Block& body = moveBlocks(loop.region(), rest);
  Block* condition = Block::create(op.context());
  rest.parent()->insert(condition, &body);
  for (unsigned i = 0; i < body.numArguments(); ++i) {
    Value argument = condition->addArgument(body.argument(i).type(), location);
    body.argument(i).replaceAllUsesWith(argument);
  }
  while (body.numArguments() != 0)
    body.eraseArgument(body.numArguments() - 1);

  enter(op, *condition, entering);
  Builder builder = Builder::atEnd(*condition);
  Value variable = condition->argument(0);
  Value more = createCompare(builder, location, arith::CmpIPredicate::slt, variable, upper);
  cf::CondBranchOp::create(builder, location, more, body, {}, rest, {});
  builder.setBefore(yield);
  Values again{
      builder.create(location, "arith.addi", {variable, step}, {variable.type()})->result()};
  for (Value value : yield.operands())
    again.push_back(value);
  branch(builder, location, *condition, again);
  yield.erase();
  Values results = condition->arguments();
  results.erase(results.begin());
  finish(op, results);
}

void convertIf(Operation& op) {
  scf::IfOp conditional(&op);
  Block& rest = continuation(op, true);
  Block& yes = regionOrRest(conditional.thenRegion(), rest);
  Block& no = regionOrRest(conditional.elseRegion(), rest);
  Builder builder = Builder::atEnd(*op.block());
  cf::CondBranchOp::create(builder, op.location(), conditional.condition(), yes, {}, no, {});
  Values results = rest.arguments();
  finish(op, results);
}

void convertWhile(Operation& op) {
  scf::WhileOp loop(&op);
  Operation& condition = endOf(loop.before());
  Operation& yield = endOf(loop.after());
  Block& rest = continuation(op, false);
  Block& before = moveBlocks(loop.before(), rest);
  Block& after = moveBlocks(loop.after(), rest);
  Values inits = op.operands().vec();
  enter(op, before, inits);
  Values passed = scf::ConditionOp(&condition).args().vec();
  Builder builder = Builder::before(condition);
  cf::CondBranchOp::create(builder, condition.location(), condition.operand(0), after, passed, rest,
                           {});
  condition.erase();
  branchInstead(yield, before);
  finish(op, passed);
}

/// 64-bit flag and values, so that no case is cut.
void convertSwitch(Operation& op) {
  scf::IndexSwitchOp select(&op);
  Context& context = op.context();
  std::vector<int64_t> cases(select.cases().begin(), select.cases().end());
  Block& rest = continuation(op, true);
  OperationState state(context, op.location(), "cf.switch");
  for (unsigned i = 0; i < op.numRegions(); ++i)
    state.successors.push_back(&regionOrRest(op.region(i), rest));
  Builder builder = Builder::atEnd(*op.block());
  Type i64 = builder.intType(64);
  state.operands = {
      builder.create(op.location(), "arith.index_cast", {select.arg()}, {i64})->result()};
  int32_t segments[] = {1, 0, 0};
  state.setOperandSegments(context, segments);
  std::vector<int32_t> caseSegments(cases.size(), 0);
  state.addAttribute(context, "case_operand_segments",
                     DenseArrayAttr::getI32(context, caseSegments));
  std::vector<Attribute> values;
  for (int64_t value : cases)
    values.push_back(IntegerAttr::get(i64, value));
  auto size = static_cast<int64_t>(values.size());
  if (size != 0)
    state.addAttribute(
        context, "case_values",
        DenseElementsAttr::get(RankedTensorType::get(context, {&size, 1}, i64), values));
  builder.create(state);
  Values results = rest.arguments();
  finish(op, results);
}

void convertExecuteRegion(Operation& op) {
  std::vector<Operation*> ends;
  for (Block& block : op.region().blocks())
    if (block.back().is("scf.yield")) ends.push_back(&block.back());
  Block& rest = continuation(op, true);
  Block& first = moveBlocks(op.region(), rest);
  enter(op, first, {});
  for (Operation* end : ends)
    branchInstead(*end, rest);
  Values results = rest.arguments();
  finish(op, results);
}

using ConvertFn = void (*)(Operation& op);

ConvertFn conversionOf(const Operation& op) {
  if (op.is("scf.for")) return convertFor;
  if (op.is("scf.if")) return convertIf;
  if (op.is("scf.while")) return convertWhile;
  if (op.is("scf.index_switch")) return convertSwitch;
  if (op.is("scf.execute_region")) return convertExecuteRegion;
  return nullptr;
}

bool isParallel(const Operation& op) { return op.is("scf.parallel") || op.is("scf.forall"); }

/// The op whose single block cannot be split for `op`; null when there is none.
Operation* singleBlockAround(Operation& op) {
  Operation* parent = op.parentOp();
  if (!parent || conversionOf(*parent) || isParallel(*parent)) return nullptr;
  if (parent->is("scf.reduce")) return nullptr;
  return parent->hasTrait(Trait::SingleBlock) ? parent : nullptr;
}

/// Says what cannot be converted before anything is changed.
LogicalResult checkPlaces(const std::vector<Operation*>& ops) {
  for (Operation* op : ops) {
    if (Operation* parent = singleBlockAround(*op))
      return op->emitOpError() << "not supported: branches inside '" << parent->name()
                               << "', which holds a single block";
    if (!op->next())
      return op->emitOpError() << "not supported: branches at the end of a block without a "
                                  "terminator";
  }
  return success();
}

std::vector<Operation*> collect(Operation& root, FunctionRef<bool(Operation&)> wanted,
                                WalkOrder order) {
  std::vector<Operation*> ops;
  root.walk(
      [&](Operation& op) {
        if (&op != &root && wanted(op)) ops.push_back(&op);
      },
      order);
  return ops;
}

class ScfToCf : public Pass {
 public:
  ScfToCf() : Pass("convert-scf-to-cf", "Replaces structured control flow by branches") {
    example("airlite-opt --convert-scf-to-cf in.mlir");
  }
  PassResult run(Operation& op, PassContext&) override {
    bool changed = false;
    if (failed(convertScfToCf(op, &changed))) return PassResult::Failed;
    return changedIf(changed);
  }
};

}  // namespace

LogicalResult convertScfToCf(Operation& root, bool* changed) {
  auto isAny = [](Operation& op) { return conversionOf(op) || isParallel(op); };
  std::vector<Operation*> all = collect(root, isAny, WalkOrder::PreOrder);
  if (changed) *changed = !all.empty();
  if (failed(checkPlaces(all))) return failure();
  Rewriter rewriter(root.context());
  for (Operation* op : all) {
    if (!isParallel(*op)) continue;
    rewriter.setBefore(*op);
    LogicalResult done =
        op->is("scf.parallel") ? parallelToLoops(*op, rewriter) : forallToLoops(*op, rewriter);
    if (failed(done)) return failure();
  }
  auto isSequential = [](Operation& op) { return conversionOf(op) != nullptr; };
  for (Operation* op : collect(root, isSequential, WalkOrder::PostOrder))
    conversionOf (*op)(*op);
  return success();
}

void registerScfToCf(PassRegistry& registry) { registry.add<ScfToCf>(); }

}  // namespace airlite
