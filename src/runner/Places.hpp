// Where the instances of a program are on a machine: launches in their order, units of segments, tiles of
// cores. Private to runner/.
#pragma once

#include "airlite/analysis/Unfolding.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/runner/Machine.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace airlite::runner {

class Places {
 public:
  /// `names` receives the name of each place; the first one is the host.
  Places(const analysis::Unfolding& events, const Machine& machine,
         std::vector<std::string>& names);

  /// Whether the machine has room for each segment and herd; false after errors.
  bool check() const;
  size_t numLaunches() const { return numLaunches_; }
  /// The launch instance around an instance, in the order in which they run.
  std::optional<size_t> launchOf(analysis::InstanceId instance) const {
    return launchOf_[instance];
  }
  uint32_t placeOf(analysis::InstanceId instance) const { return placeOf_[instance]; }
  /// The place of the core around an instance.
  std::optional<uint32_t> coreOf(analysis::InstanceId instance) const;
  /// Whose ports of a level are used there, and how often the machine has them there.
  std::pair<uint32_t, uint64_t> ownerOf(air::MemoryLevel level,
                                        analysis::InstanceId instance) const;

 private:
  analysis::InstanceId around(analysis::InstanceId instance, bool wantsCore) const;
  uint64_t unitsOf(Operation& segment) const;
  bool checkSegment(Operation& op) const;
  bool checkHerd(Operation& op) const;
  uint32_t add(std::string name);

  const analysis::Unfolding& events_;
  const Machine& machine_;
  std::vector<std::string>& names_;
  size_t numLaunches_ = 0;
  std::vector<std::optional<size_t>> launchOf_;
  std::vector<uint32_t> placeOf_;
  std::map<std::string, uint32_t> numbers_;
};

}  // namespace airlite::runner
