// Loops for iteration spaces, and what the host keeps of herds with DMAs.
#include "HostLoops.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Airrt.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>

namespace airlite::npu {

void createNest(Builder& builder, Location location, std::span<const int64_t> lower,
                std::span<const int64_t> upper, std::span<const int64_t> steps,
                std::vector<Operation*>& loops, std::vector<Value>& variables) {
  auto bound = [&](int64_t value) {
    return affine::Application{AffineMap::constant(builder.context(), value), {}};
  };
  for (size_t i = 0; i < lower.size(); ++i) {
    auto loop =
        affine::ForOp::create(builder, location, bound(lower[i]), bound(upper[i]), steps[i]);
    loops.push_back(loop.op());
    variables.push_back(loop.inductionVar());
    builder.setToStart(loop.body());
  }
}

void inlineBefore(Block& body, Operation& before, std::span<const Value> values) {
  if (body.terminator()) body.terminator()->erase();
  for (unsigned i = 0; i < body.numArguments(); ++i)
    body.argument(i).replaceAllUsesWith(values[i]);
  if (!body.empty()) before.block()->splice(&before, body, &body.front());
}

// -- Parallel loops -------------------------------------------------------------------------------

static bool readConstants(OperandRange values, std::vector<int64_t>& constants) {
  for (Value value : values) {
    auto known = constantIntOf(value);
    if (!known) return false;
    constants.push_back(*known);
  }
  return true;
}

bool readBounds(scf::ParallelOp loop, std::vector<int64_t>& lower, std::vector<int64_t>& upper,
                std::vector<int64_t>& steps) {
  return readConstants(loop.lowerBounds(), lower) && readConstants(loop.upperBounds(), upper) &&
         readConstants(loop.steps(), steps) && *std::min_element(steps.begin(), steps.end()) > 0;
}

bool choosesPlaces(Operation& loop) {
  bool found = false;
  loop.walk([&](Operation& op) {
    if (!op.hasAttr("metadataArray")) return;
    for (Value index : air::ChannelAccessOp(&op).indices())
      found |= index.argumentBlock() == &loop.region().front();
  });
  return found;
}

namespace {

class PlaceUnroller {
 public:
  explicit PlaceUnroller(scf::ParallelOp loop)
      : loop_(loop), builder_(Builder::before(*loop.op())), tokens_(loop->numResults()) {}

  bool run() {
    if (!readBounds(loop_, lower_, upper_, steps_)) return false;
    for (Value result : loop_->resultValues())
      if (!air::isTokenType(result.type())) return false;
    copyFrom(0);
    for (unsigned i = 0; i < loop_->numResults(); ++i)
      join(i);
    loop_->erase();
    return true;
  }
  std::vector<Operation*> take() { return std::move(copies_); }

 private:
  /// The body for each value of the variables from `dim` on.
  void copyFrom(unsigned dim) {
    if (dim == loop_.numLoops()) return copyBody();
    for (int64_t i = lower_[dim]; i < upper_[dim]; i += steps_[dim]) {
      mapping_.map(loop_.inductionVars()[dim], builder_.constantIndex(loop_->location(), i));
      copyFrom(dim + 1);
    }
  }

  void copyBody() {
    for (Operation& op : loop_.body().ops())
      if (!op.hasTrait(Trait::Terminator)) copies_.push_back(builder_.clone(op, mapping_));
    OperandRange reduced = loop_.reduce().values();
    for (unsigned i = 0; i < reduced.size(); ++i)
      tokens_[i].push_back(mapping_.lookupOr(reduced[i]));
  }

  void join(unsigned i) {
    tokens_[i].insert(tokens_[i].begin(), loop_.initVals()[i]);
    Operation* joined = builder_.create(loop_->location(), "air.wait_all", tokens_[i],
                                        std::vector{loop_->result(i).type()});
    loop_->result(i).replaceAllUsesWith(joined->result());
    copies_.push_back(joined);
  }

  scf::ParallelOp loop_;
  Builder builder_;
  IRMapping mapping_;
  std::vector<int64_t> lower_, upper_, steps_;
  std::vector<std::vector<Value>> tokens_;  // by result
  std::vector<Operation*> copies_;
};

}  // namespace

std::optional<std::vector<Operation*>> unrollPlaces(scf::ParallelOp loop) {
  PlaceUnroller unroller(loop);
  return unroller.run() ? std::optional(unroller.take()) : std::nullopt;
}

// -- Symbols that vary ----------------------------------------------------------------------------

/// Of a map or set with these inputs at the start of the operands: is one no symbol where it should
/// be?
static bool hasWrongSymbol(Operation& op, unsigned numDims, unsigned numInputs) {
  for (unsigned i = numDims; i < numInputs; ++i)
    if (!affine::isValidSymbol(op.operand(i))) return true;
  return false;
}

/// With dims for symbols, after the dims that there are.
static std::vector<AffineExpr> withDims(Context& context, std::span<const AffineExpr> exprs,
                                        unsigned numDims, unsigned numSymbols) {
  std::vector<AffineExpr> dims, results;
  for (unsigned i = 0; i < numSymbols; ++i)
    dims.push_back(AffineExpr::dim(context, numDims + i));
  for (AffineExpr expr : exprs)
    results.push_back(expr.replace({}, dims));
  return results;
}

static void makeSymbolsDims(affine::ApplyOp op) {
  AffineMap map = op.map();
  if (!hasWrongSymbol(*op.op(), map.numDims(), map.numInputs())) return;
  auto results = withDims(op->context(), map.results(), map.numDims(), map.numSymbols());
  AffineMap all = AffineMap::get(op->context(), map.numInputs(), 0, results);
  op->setAttr("map", AffineMapAttr::get(all));
}

static void makeSymbolsDims(affine::IfOp op) {
  IntegerSet set = op.condition();
  if (!hasWrongSymbol(*op.op(), set.numDims(), set.numInputs())) return;
  auto constraints = withDims(op->context(), set.constraints(), set.numDims(), set.numSymbols());
  std::vector<bool> equality;
  for (unsigned i = 0; i < constraints.size(); ++i)
    equality.push_back(set.isEquality(i));
  op->setAttr("condition", IntegerSetAttr::get(IntegerSet::get(op->context(), set.numInputs(), 0,
                                                               constraints, equality)));
}

void repairSymbols(Operation& root) {
  root.walk([](Operation& op) {
    if (isa<affine::ApplyOp>(&op)) makeSymbolsDims(affine::ApplyOp(&op));
    if (isa<affine::IfOp>(&op)) makeSymbolsDims(affine::IfOp(&op));
  });
}

// -- Herds with DMAs ------------------------------------------------------------------------------

static bool hasTransfer(Operation& op) {
  bool found = false;
  op.walk([&](Operation& inner) { found |= isa<airrt::DmaMemcpyNdOp>(&inner); });
  return found;
}

static LogicalResult keepTransfers(Block& block) {
  for (Operation* op = block.empty() ? nullptr : &block.back(); op;) {
    Operation* before = op->prev();
    bool isKept = op->hasTrait(Trait::Terminator) || op->name().starts_with("airrt.") ||
                  (isPure(*op) && op->hasResultUses());
    if (op->numRegions() && hasTransfer(*op)) {
      isKept = true;
      for (Region& region : op->regions())
        for (Block& inner : region.blocks())
          if (failed(keepTransfers(inner))) return failure();
    }
    if (!isKept && op->hasResultUses())
      return op->emitOpError() << "not supported: a transfer of the host that depends on what a "
                                  "core computes";
    if (!isKept) op->erase();
    op = before;
  }
  return success();
}

LogicalResult copyOutHerd(air::HerdOp herd) {
  auto sizes = herd.constantSizes();
  if (!sizes || sizes->size() != 2)
    return herd->emitOpError() << "not supported: DMAs of a herd without two constant sizes";
  constexpr int64_t kZeros[] = {0, 0}, kOnes[] = {1, 1};
  std::vector<Operation*> loops;
  std::vector<Value> values;
  Builder builder = Builder::before(*herd.op());
  createNest(builder, herd->location(), kZeros, *sizes, kOnes, loops, values);
  loops[0]->setAttr("air.herd", builder.stringAttr("outer"));
  loops[1]->setAttr("air.herd", builder.stringAttr("inner"));
  for (Value size : herd.sizes())
    values.push_back(size);
  for (Value operand : herd.kernelOperands())
    values.push_back(operand);
  Block& body = loops[1]->region().front();
  inlineBefore(herd.body(), body.back(), values);
  return keepTransfers(body);
}

}  // namespace airlite::npu
