// transform.air.normalize_for_bounds: a loop that counts in the steps of what it computes.
//
// Matches an scf.for with constant bounds and step whose variable is used once, by an affine.apply
// a*i + b of it alone with a > 0. The bounds become those of the result, the step a times as large,
// and the variable takes the place of the result. Declines, with a remark: other bounds and uses,
// numbers that get too large.
#include "ScriptRewrites.hpp"
#include "airlite/analysis/LinearSum.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite {

namespace {

constexpr int64_t kLargest = int64_t{1} << 50;  // what sums of indices are followed to

/// The apply that is the only user of the variable; null when there is none.
Operation* onlyApply(scf::ForOp loop) {
  Value variable = loop.inductionVar();
  if (!variable.type().isIndex() || !variable.hasOneUse()) return nullptr;
  Operation* user = variable.uses().first->owner();
  return isa<affine::ApplyOp>(user) && user->numOperands() == 1 ? user : nullptr;
}

bool scaled(int64_t value, int64_t factor, int64_t add, int64_t& result) {
  if (__builtin_mul_overflow(value, factor, &result)) return false;
  if (__builtin_add_overflow(result, add, &result)) return false;
  return result < kLargest && result > -kLargest;
}

}  // namespace

bool normalizeForBounds(Operation& op, PassContext& context) {
  auto decline = [&](std::string_view why) { return context.remark(op, why), false; };
  scf::ForOp loop(&op);
  Operation* apply = onlyApply(loop);
  if (!apply) return decline("stays: its variable is not used by one affine.apply of it alone");
  std::optional<int64_t> lower = constantIntOf(loop.lowerBound()),
                         upper = constantIntOf(loop.upperBound()),
                         step = constantIntOf(loop.step());
  if (!lower || !upper || !step) return decline("stays: its bounds are not constant");
  analysis::LinearReader reader;
  analysis::LinearSum sum = reader.read(apply->result());
  bool isLinear = sum.terms.size() == 1 && sum.terms[0].symbol == loop.inductionVar() &&
                  sum.terms[0].coefficient > 0;
  if (!isLinear)
    return decline("stays: the affine.apply is not a positive multiple of its variable");
  int64_t factor = sum.terms[0].coefficient, bounds[3];
  bool fits = scaled(*lower, factor, sum.constant, bounds[0]) &&
              scaled(*upper, factor, sum.constant, bounds[1]) &&
              scaled(*step, factor, 0, bounds[2]);
  if (!fits) return decline("stays: its bounds would get too large");
  Builder builder = Builder::before(op);
  for (unsigned i = 0; i < 3; ++i)
    op.setOperand(i, builder.constantIndex(op.location(), bounds[i]));
  apply->result().replaceAllUsesWith(loop.inductionVar());
  apply->erase();
  return true;
}

}  // namespace airlite
