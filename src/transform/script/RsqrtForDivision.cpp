// transform.air.convert_divf_sqrt_to_rsqrt: math.rsqrt for 1 / math.sqrt, which vector units have
// in one instruction.
//
// Matches an arith.divf of the constant 1.0 (or a vector of ones) by a math.sqrt that nothing else
// uses. The result is rounded once and not twice: its last bit may differ, which the script that
// asks for this accepts.
#include "ScriptRewrites.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite {

namespace {

bool isOne(Value value) {
  Attribute constant = constantOf(value);
  if (!constant) return false;
  if (auto number = constant.dynCast<FloatAttr>()) return number.value() == 1.0;
  auto elements = constant.dynCast<DenseElementsAttr>();
  if (!elements || !elements.isSplat()) return false;
  auto number = elements.splatValue().dynCast<FloatAttr>();
  return number && number.value() == 1.0;
}

/// The square root that `division` is one by; null when it is something else.
Operation* rootOf(Operation& division) {
  if (!division.is("arith.divf") || !isOne(division.operand(0))) return nullptr;
  Operation* root = division.operand(1).definingOp();
  return root && root->is("math.sqrt") && root->result().hasOneUse() ? root : nullptr;
}

}  // namespace

void rsqrtForDivision(Operation& target, std::unordered_set<Operation*>& erased) {
  std::vector<Operation*> divisions;
  target.walk([&](Operation& op) {
    if (rootOf(op)) divisions.push_back(&op);
  });
  for (Operation* division : divisions) {
    Operation* root = rootOf(*division);
    Value result = Builder::before(*division)
                       .create(division->location(), "math.rsqrt", {root->operand(0)},
                               {division->result().type()})
                       ->result();
    division->result().replaceAllUsesWith(result);
    erased.insert({division, root});
    division->erase();
    root->erase();
  }
}

}  // namespace airlite
