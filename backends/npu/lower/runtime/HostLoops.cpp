// Loops for iteration spaces, and what the host keeps of herds with DMAs.
#include "HostLoops.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Airrt.hpp"
#include "airlite/ir/OpDef.hpp"

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

// -- Symbols that vary ----------------------------------------------------------------------------

static void makeSymbolsDims(affine::ApplyOp op) {
  AffineMap map = op.map();
  bool isValid = true;
  for (unsigned i = map.numDims(); i < map.numInputs(); ++i)
    isValid = isValid && affine::isValidSymbol(op->operand(i));
  if (isValid) return;
  std::vector<AffineExpr> dims, results;
  for (unsigned i = 0; i < map.numSymbols(); ++i)
    dims.push_back(AffineExpr::dim(op->context(), map.numDims() + i));
  for (AffineExpr result : map.results())
    results.push_back(result.replace({}, dims));
  AffineMap all = AffineMap::get(op->context(), map.numInputs(), 0, results);
  op->setAttr("map", AffineMapAttr::get(all));
}

void repairSymbols(Operation& root) {
  root.walk([](Operation& op) {
    if (isa<affine::ApplyOp>(&op)) makeSymbolsDims(affine::ApplyOp(&op));
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
