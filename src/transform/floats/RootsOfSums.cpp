// See RootsOfSums.hpp.
#include "RootsOfSums.hpp"

#include "FloatOps.hpp"
#include "airlite/dialect/Air.hpp"

#include <algorithm>

namespace airlite {

namespace {

using linalg::StructuredOp;

/// What a value is: the sum, times what is known to be positive, or a root of that.
enum class RootStage : uint8_t { Sum, Root };

/// Ops from the sum to the rounding that are followed.
constexpr unsigned kMostRootSteps = 12;

bool isPositive(Value value) {
  const auto number = floatConstantOf(value);
  return number && *number > 0;
}

class RootUses {
 public:
  bool areRounded(Value value, RootStage stage, unsigned steps = kMostRootSteps) const {
    return steps && value.hasUses() && std::ranges::all_of(value.uses(), [&](OpOperand& use) {
             return isRounded(use, stage, steps - 1);
           });
  }

  /// The same of the numbers in the buffer that `maker` computes, which has no other readers.
  bool areRoundedIn(Value buffer, Operation& maker, RootStage stage, unsigned steps) const {
    return isAllocated(buffer) && std::ranges::all_of(buffer.uses(), [&](OpOperand& use) {
             Operation& user = *use.owner();
             if (&user == &maker) return use.index() >= StructuredOp(&maker).numInputs();
             if (user.is("memref.dealloc") || user.is("linalg.fill")) return true;
             const StructuredOp reader = linalg::asStructured(&user);
             return reader && user.is("linalg.generic") && use.index() < reader.numInputs() &&
                    areRounded(reader.bodyArgument(use.index()), stage, steps);
           });
  }

 private:
  /// Memory of a core that nothing else has a name for.
  static bool isAllocated(Value buffer) {
    Operation* made = buffer.definingOp();
    if (made && made->is("memref.alloc")) return true;
    if (!made || !isa<air::ExecuteOp>(made)) return false;
    // The results of an execute are its token, and what its terminator gives.
    Operation& end = air::ExecuteOp(made).body().back();
    for (unsigned i = 0; i < end.numOperands(); ++i)
      if (Value given = end.operand(i); made->result(i + 1) == buffer)
        return given.definingOp() && given.definingOp()->is("memref.alloc") && given.hasOneUse();
    return false;
  }

  bool isRounded(OpOperand& use, RootStage stage, unsigned steps) const {
    Operation& user = *use.owner();
    if (user.is("linalg.yield")) return isRoundedAfter(use, stage, steps);
    if (user.is("arith.truncf")) return stage == RootStage::Root;
    if (user.numOperands() == 2 && user.operand(0) == user.operand(1)) return false;
    if (stage == RootStage::Root)
      return (user.is("arith.mulf") || user.is("arith.divf")) &&
             areRounded(user.result(), stage, steps);
    if (user.is("math.sqrt") || user.is("math.rsqrt"))
      return areRounded(user.result(), RootStage::Root, steps);
    const bool keepsSign = user.is("arith.mulf") || user.is("arith.addf") ||
                           (user.is("arith.divf") && use.index() == 0);
    return keepsSign && isPositive(user.operand(1 - use.index())) &&
           areRounded(user.result(), stage, steps);
  }

  /// What an elementwise op makes of it for others to read.
  bool isRoundedAfter(OpOperand& yielded, RootStage stage, unsigned steps) const {
    Operation* parent = yielded.owner()->parentOp();
    const StructuredOp maker = parent ? linalg::asStructured(parent) : StructuredOp();
    if (!maker || !maker.onBuffers()) return false;
    return areRoundedIn(parent->operand(maker.numInputs() + yielded.index()), *parent, stage,
                        steps);
  }
};

}  // namespace

bool isForRoundedRoots(StructuredOp sum) {
  Operation& op = *sum.op();
  return sum.onBuffers() && sum.numOutputs() == 1 &&
         RootUses().areRoundedIn(op.operand(sum.numInputs()), op, RootStage::Sum, kMostRootSteps);
}

}  // namespace airlite
