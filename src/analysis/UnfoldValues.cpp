// Integer arithmetic of the control of a program, on demand.
#include "UnfoldValues.hpp"

namespace airlite::analysis {

namespace {

/// Deeper expressions are programs made to be slow: their value is assumed.
constexpr unsigned kDeepestUnfolded = 500;

}  // namespace

std::optional<int64_t> UnfoldValues::evaluate(Value value, bool assumes, unsigned depth) {
  if (numberWidth(value.type()) == 0) return std::nullopt;
  if (const Slot* slot = slots_.find(value.impl()); slot && slot->isKnown) return slot->number;
  if (const Memo* memo = memos_.find(value.impl()); memo && memo->epoch == epoch_)
    if (memo->isKnown) return memo->number;
  std::optional<int64_t> number;
  if (depth < kDeepestUnfolded) number = compute(value, assumes, depth + 1);
  if (!number && assumes) number = assume(value);
  if (number) memos_[value.impl()] = {epoch_, true, *number};
  return number;
}

std::optional<int64_t> UnfoldValues::compute(Value value, bool assumes, unsigned depth) {
  // What has been assumed once stays, also where the assumption would not have been made.
  if (const int64_t* known = assumed_.find(value.impl())) return *known;
  const auto evaluateSource = [&](Value source) { return evaluate(source, assumes, depth); };
  return computeNumber(value, evaluateSource, &elements_);
}

std::optional<int64_t> UnfoldValues::assume(Value value) {
  if (const int64_t* known = assumed_.find(value.impl())) return *known;
  int64_t number = options_.assume(value);
  assumed_[value.impl()] = number;
  assumptions.push_back({value, number});
  return number;
}

std::optional<int64_t> UnfoldValues::number(const LinearSum& sum) {
  int64_t total = sum.constant;
  for (const LinearSum::Term& term : sum.terms) {
    std::optional<int64_t> value = number(term.symbol);
    int64_t product = 0;
    if (!value || __builtin_mul_overflow(*value, term.coefficient, &product) ||
        __builtin_add_overflow(total, product, &total))
      return std::nullopt;
  }
  return total;
}

}  // namespace airlite::analysis
