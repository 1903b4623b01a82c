// gpu-contract-floats: a product that is only added to or subtracted from something becomes a fused
// multiply-add.
//
// Matches arith.addf and arith.subf in kernels, of scalars and vectors of f16, f32 and f64, with an
// arith.mulf as operand that has no other use. The sum is rounded once in place of twice, so results
// differ from those of the program by one rounding of the product for each; `--exact` of
// airlite-compile and airlite-run leaves the pass out. bf16 is left as it is: the devices have no fused
// multiply-add of it. And math.rsqrt in kernels becomes the device's root and reciprocal, each 1 unit in the
// last place off at most in f32 (fastmath<contract,afn>), in place of a root and a quotient in f64.
#include "airlite/dialect/Arith.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

namespace airlite::gpu {
namespace {

bool canFuse(Type type) {
  const Type element = elementTypeOrSelf(type);
  return element.isF16() || element.isF32() || element.isF64();
}

/// The product that is operand `i` of `op` and nothing else; null: none.
Operation* productAt(Operation& op, unsigned i) {
  Operation* product = op.operand(i).definingOp();
  const bool fits = product && product->is("arith.mulf") && product->result().hasOneUse() &&
                    product->block() == op.block();
  return fits ? product : nullptr;
}

class ContractFloats : public Pass {
 public:
  ContractFloats() : Pass("gpu-contract-floats", "Fuses products and sums of floats in kernels") {
    anchor("builtin.module");
    example("airlite-opt --air-to-gpu --gpu-contract-floats in.mlir");
  }

  PassResult run(Operation& module, PassContext&) override {
    std::vector<Operation*> sums;
    module.walk([&](Operation& op) {
      const bool isSum = op.is("arith.addf") || op.is("arith.subf");
      if (isSum && canFuse(op.result().type()) && op.parentOfName("gpu.func")) sums.push_back(&op);
    });
    bool changed = approximateRoots(module);
    for (Operation* sum : sums)
      changed |= fuse(*sum);
    return changedIf(changed);
  }

 private:
  static bool approximateRoots(Operation& module) {
    constexpr uint32_t kFlags = arith::kAllowContract | arith::kApproxFunc;
    bool changed = false;
    module.walk([&](Operation& op) {
      if (!op.is("math.rsqrt") || !op.parentOfName("gpu.func")) return;
      if (elementTypeOrSelf(op.result().type()).isF64()) return;
      const uint32_t flags = arith::fastMathOf(op);
      if ((flags & kFlags) == kFlags) return;
      op.setAttr("fastmath", arith::fastMathAttr(op.context(), flags | kFlags));
      changed = true;
    });
    return changed;
  }

  /// a * b + c, c + a * b, a * b - c, c - a * b.
  static bool fuse(Operation& sum) {
    const bool isFirst = productAt(sum, 0) != nullptr;
    Operation* product = productAt(sum, isFirst ? 0 : 1);
    if (!product) return false;
    Value a = product->operand(0), rest = sum.operand(isFirst ? 1 : 0);
    Rewriter rewriter(sum.context());
    rewriter.setBefore(sum);
    const auto negate = [&](Value& value) {
      value = rewriter.create(sum.location(), "arith.negf", {value}, {value.type()})->result();
    };
    if (sum.is("arith.subf")) negate(isFirst ? rest : a);
    Operation* fused = rewriter.create(sum.location(), "math.fma", {a, product->operand(1), rest},
                                       {sum.result().type()});
    rewriter.replaceOp(sum, fused->result());
    rewriter.eraseOp(*product);
    return true;
  }
};

}  // namespace

void registerContractFloats(PassRegistry& registry) { registry.add<ContractFloats>(); }

}  // namespace airlite::gpu
