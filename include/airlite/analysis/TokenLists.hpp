// Affinity and concurrency lists (compute model, section 1.5) that nothing can meet: they
// contradict each other, the order that dependencies impose, or the device.
//
//   for (const TokenConflict& conflict : findTokenConflicts(acdg, analysis, nullptr))
//     visit(*conflict.first, *conflict.second);
#pragma once

#include "airlite/analysis/Resources.hpp"
#include "airlite/graph/Acdg.hpp"

#include <vector>

namespace airlite::analysis {

struct TokenConflict {
  enum class Kind : uint8_t {
    /// `first` and `second` must overlap (concurrency) and share their resources (affinity), which
    /// only one can hold at a time. `path`: first, the ops that link the two by affinity, second.
    Affinity,
    /// They must overlap, but `second` begins after `first` has ended. `path`: the nodes between.
    Order,
    /// `members` must be there at once, each fits the device, all together do not.
    Device,
  };
  Kind kind;
  Operation* first = nullptr;
  Operation* second = nullptr;
  std::vector<Operation*> path = {};
  // Device only:
  Resource resource = Resource::ComputeTiles;
  int64_t needed = 0, limit = 0;
  std::vector<Contributor> members = {};
};

/// The first conflict of each kind of each concurrency group. Dependencies count where the ops
/// between are certain to run; `device` null: the third kind is left out.
std::vector<TokenConflict> findTokenConflicts(const graph::Acdg& acdg,
                                              const ResourceAnalysis& analysis,
                                              const DeviceLimits* device);

/// Reports an error for each. Without `device`, `analysis` is not looked at and may be empty.
LogicalResult checkTokenLists(Operation& root, const ResourceAnalysis& analysis,
                              const DeviceLimits* device);

}  // namespace airlite::analysis
