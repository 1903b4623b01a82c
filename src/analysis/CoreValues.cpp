#include "airlite/analysis/CoreValues.hpp"

#include "airlite/dialect/IndexValues.hpp"

namespace airlite::analysis {

CoreValues::CoreValues(air::HerdOp herd, const std::vector<int64_t>& id) {
  for (unsigned i = 0; i < herd.numDims(); ++i)
    known_[herd.id(i)] = id[i];
}

std::optional<int64_t> CoreValues::operator()(Value value) {
  if (auto found = known_.find(value); found != known_.end()) return found->second;
  known_[value] = std::nullopt;  // no value depends on itself; keeps bad programs finite
  const std::optional<int64_t> result = computeNumber(value, *this);
  known_[value] = result;
  return result;
}

}  // namespace airlite::analysis
