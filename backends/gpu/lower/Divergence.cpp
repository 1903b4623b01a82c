// Which values differ between the work-items of a workgroup: ids of threads, lanes and herds, what
// private memory holds, and all that is computed from those. A fixed point over the body.
#include "Divergence.hpp"

#include <algorithm>

namespace airlite::gpu {

Divergence::Divergence(const Kernel& kernel) {
  do {
    grew_ = false;
    kernel.func->walk([&](Operation& op) { visit(op); }, WalkOrder::PreOrder);
  } while (grew_);
}

void Divergence::add(Value value) { grew_ |= values_.insert(value).second; }

void Divergence::addResults(Operation& op) {
  for (Value result : op.resultValues())
    add(result);
}

bool Divergence::anyOperand(const Operation& op) const {
  OperandRange operands = op.operands();
  return std::any_of(operands.begin(), operands.end(), [&](Value v) { return (*this)(v); });
}

bool Divergence::isSource(Operation& op) const {
  for (std::string_view id : {"gpu.thread_id", "gpu.lane_id", "gpu.subgroup_id", "gpu.global_id",
                              "gpu.shuffle", "memref.atomic_rmw", "memref.generic_atomic_rmw"})
    if (op.is(id)) return true;
  std::vector<EffectInstance> effects;
  if (op.numResults() == 0 || !effectsOf(op, effects)) return false;
  return std::any_of(effects.begin(), effects.end(), [](const EffectInstance& effect) {
    return effect.effect == Effect::Read && effect.value &&
           isLevel(effect.value, air::MemoryLevel::L1);
  });
}

/// Operands that say which part of the op runs; the others are only handed on.
static OperandRange controlOperands(Operation& op) {
  if (op.is("scf.for")) return op.operands().slice(0, 3);
  if (op.is("scf.while")) return op.operands().slice(0, 0);
  if (op.is("scf.parallel")) {
    unsigned inits = op.operandGroupBounds(3).second;
    return op.operands().slice(0, op.numOperands() - inits);
  }
  return op.operands();
}

bool Divergence::ofControl(Operation& op) const {
  for (Value operand : controlOperands(op))
    if ((*this)(operand)) return true;
  if (!op.is("scf.while") || op.region().empty() || op.region().front().empty()) return false;
  Operation& condition = op.region().front().back();
  return condition.numOperands() && (*this)(condition.operand(0));
}

/// Values that regions hand on differ when anything handed on does, or the control does.
void Divergence::visitRegions(Operation& op) {
  bool control = ofControl(op);
  bool differs = control || anyOperand(op);
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      if (Operation* end = block.terminator()) differs = differs || anyOperand(*end);
  if (!differs) return;
  addResults(op);
  bool isFor = op.is("scf.for") || op.is("affine.for");
  for (Region& region : op.regions())
    for (Block& block : region.blocks())
      for (Value argument : block.arguments())
        if (control || !(isFor && argument.index() == 0)) add(argument);
}

void Divergence::visit(Operation& op) {
  if (isa<air::HerdOp>(&op)) {
    for (Value id : air::HerdOp(&op).body().arguments())
      add(id);
    return;
  }
  if (op.is("gpu.func")) return;
  if (op.numRegions()) return visitRegions(op);
  if (isSource(op) || anyOperand(op)) addResults(op);
}

}  // namespace airlite::gpu
