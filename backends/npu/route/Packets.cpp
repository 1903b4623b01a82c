#include "Packets.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace airlite::npu {
namespace {

using Masters = std::vector<Port>;
using Target = std::pair<uint8_t, uint8_t>;  // arbiter, msel

constexpr uint32_t idsTakenBy(unsigned id, unsigned mask) {
  uint32_t ids = 0;
  for (unsigned i = 0; i < packetIdCount; ++i)
    if (((i ^ id) & mask) == 0) ids |= 1u << i;
  return ids;
}

struct Cube {
  uint8_t id;
  uint8_t mask;
  uint32_t ids;
};

/// All different (id, mask), those that look at most bits first.
std::vector<Cube> makeCubes() {
  std::vector<Cube> cubes;
  for (unsigned mask = 0; mask < packetIdCount; ++mask)
    for (unsigned id = 0; id < packetIdCount; ++id)
      if ((id & ~mask) == 0) cubes.push_back({uint8_t(id), uint8_t(mask), idsTakenBy(id, mask)});
  std::ranges::stable_sort(
      cubes, [](auto& a, auto& b) { return std::popcount(a.mask) > std::popcount(b.mask); });
  return cubes;
}

/// Few cubes that take all of `ids` and nothing outside `allowed`: always the one that takes most
/// of what is left, so not always the fewest.
std::vector<Cube> cover(uint32_t ids, uint32_t allowed) {
  static const std::vector<Cube> cubes = makeCubes();
  std::vector<Cube> chosen;
  while (ids) {
    const Cube* best = nullptr;
    for (const auto& cube : cubes) {
      if (cube.ids & ~allowed) continue;
      if (!best || std::popcount(cube.ids & ids) > std::popcount(best->ids & ids)) best = &cube;
    }
    chosen.push_back(*best);
    ids &= ~best->ids;
  }
  return chosen;
}

/// The distinct sets of masters of a switch, each with its arbiter and msel.
class Arbiters {
 public:
  explicit Arbiters(const std::set<Masters>& sets) {
    for (auto& group : groupsOf(sets))
      if (!place(group)) isShort_ = true;
  }

  bool isShort() const { return isShort_; }
  Target of(const Masters& masters) const {
    const auto it = targets_.find(masters);
    return it == targets_.end() ? Target{} : it->second;
  }

  std::vector<PacketMaster> masters() const {
    std::map<Port, PacketMaster> found;
    for (const auto& [masters, target] : targets_)
      for (const Port port : masters) {
        auto& master = found.try_emplace(port, PacketMaster{port, target.first}).first->second;
        master.msels |= uint8_t(1u << target.second);
      }
    std::vector<PacketMaster> list;
    for (const auto& [port, master] : found)
      list.push_back(master);
    return list;
  }

 private:
  using Group = std::vector<Masters>;

  static bool overlaps(const Group& group, const Masters& masters) {
    return std::ranges::any_of(group, [&](const Masters& other) {
      return std::ranges::find_first_of(other, masters) != other.end();
    });
  }

  /// Sets that are tied to one arbiter because a master is in several, largest groups first.
  static std::vector<Group> groupsOf(const std::set<Masters>& sets) {
    std::vector<Group> groups;
    for (const auto& masters : sets) {
      Group joined{masters};
      for (auto& group : groups)
        if (overlaps(group, masters)) {
          joined.insert(joined.end(), group.begin(), group.end());
          group.clear();
        }
      std::erase_if(groups, [](const Group& group) { return group.empty(); });
      groups.push_back(std::move(joined));
    }
    for (auto& group : groups)
      std::ranges::sort(group);
    std::ranges::sort(groups, [](const Group& a, const Group& b) {
      return a.size() != b.size() ? a.size() > b.size() : a < b;
    });
    return groups;
  }

  /// In the emptiest arbiter: flows that share one wait for each other.
  bool place(const Group& group) {
    const auto emptiest = std::ranges::min_element(used_);
    if (*emptiest + group.size() > mselCount) return false;
    for (const auto& masters : group)
      targets_[masters] = {uint8_t(emptiest - used_.begin()), uint8_t((*emptiest)++)};
    return true;
  }

  std::array<unsigned, arbiterCount> used_{};
  std::map<Masters, Target> targets_;
  bool isShort_ = false;
};

/// The ids of one slave, by where they go.
struct SlaveUse {
  bool isSource = false;
  uint32_t all = 0;
  std::map<Masters, uint32_t> ids;
};

std::vector<PacketRule> rulesOf(Port slave, const SlaveUse& use, bool exactly,
                                const Arbiters& arbiters) {
  std::vector<PacketRule> rules;
  for (const auto& [masters, ids] : use.ids) {
    const auto [arbiter, msel] = arbiters.of(masters);
    for (const auto& cube : cover(ids, exactly ? ids : ~use.all | ids))
      rules.push_back({slave, uint8_t(rules.size()), cube.id, cube.mask, msel, arbiter});
  }
  return rules;
}

std::vector<PacketRule> fewRules(Port slave, const SlaveUse& use, const Arbiters& arbiters) {
  auto rules = rulesOf(slave, use, true, arbiters);
  if (rules.size() <= slotCount || use.isSource) return rules;
  return rulesOf(slave, use, false, arbiters);
}

}  // namespace

PacketPlan planPackets(const std::vector<PacketUse>& uses) {
  std::map<Port, SlaveUse> slaves;
  std::set<Masters> sets;
  for (const auto& use : uses) {
    auto& slave = slaves[use.slave];
    slave.isSource |= use.isSource;
    slave.all |= use.ids;
    slave.ids[use.masters] |= use.ids;
    sets.insert(use.masters);
  }
  const Arbiters arbiters(sets);
  PacketPlan plan{.isShortOfArbiters = arbiters.isShort()};
  for (const auto& [port, slave] : slaves) {
    const auto rules = fewRules(port, slave, arbiters);
    if (rules.size() > slotCount) plan.crowdedSlaves.push_back(port);
    plan.rules.insert(plan.rules.end(), rules.begin(), rules.end());
  }
  plan.masters = arbiters.masters();
  return plan;
}

}  // namespace airlite::npu
