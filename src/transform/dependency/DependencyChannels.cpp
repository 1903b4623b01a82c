// The drain rule of air-dependency: a get whose data comes out of a synchronous hierarchy op before
// it in the same scope waits for that op, though they share no memory, so that nobody waits for data that
// cannot exist yet. Only where the op can end without the get: else they would wait for each other.
#include "DependencyGraph.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::air::dependency {

ChannelDepths channelDepths(Operation& module) {
  ChannelDepths depths;
  module.walkWith([&](Operation& op) {
    if (ChannelOp channel = dynCast<ChannelOp>(&op)) {
      auto [known, isNew] = depths.emplace(channel.symbol(), channel.depth());
      // Two modules inside may use one name.
      if (!isNew) known->second = std::min(known->second, channel.depth());
    }
    return op.hasTrait(Trait::Function) ? WalkResult::Skip : WalkResult::Advance;
  });
  return depths;
}

ChannelIndex::ChannelIndex(Operation& function, const ChannelDepths& depths) : depths_(depths) {
  function.walk(
      [&](Operation& op) {
        ++position_;
        if (asHierarchy(&op)) hierarchies_[&op].end = position_;
        if (isa<ChannelPutOp>(&op) || isa<ChannelGetOp>(&op)) add(ChannelAccessOp(&op));
      },
      WalkOrder::PreOrder);
}

void ChannelIndex::add(ChannelAccessOp op) {
  std::string_view name = op.channelName();
  if (op.isPut()) lastPut_[name] = position_;
  for (Operation* up = op->parentOp(); up; up = up->parentOp()) {
    if (!asHierarchy(up)) continue;
    Inside& inside = hierarchies_[up];
    inside.end = position_;
    if (op.isPut())
      inside.puts[name].push_back(op);
    else
      inside.received.insert(name);
  }
}

std::vector<std::string_view> ChannelIndex::drainable(HierarchyOp hierarchy,
                                                      analysis::LinearReader& reader) {
  std::vector<std::string_view> result;
  const Inside& inside = hierarchies_[hierarchy.op()];
  for (std::string_view channel : inside.received)
    if (auto last = lastPut_.find(channel); last != lastPut_.end() && last->second > inside.end)
      return result;
  for (const auto& [channel, puts] : inside.puts)
    if (fits(channel, puts, hierarchy, reader)) result.push_back(channel);
  return result;
}

namespace {

/// How many of the runs of `op` (a loop or hierarchy op around `put`) go through one place of the
/// channel; null when that is not known.
std::optional<int64_t> runsOfOnePlace(Operation& op, ChannelAccessOp put,
                                      analysis::LinearReader& reader) {
  HierarchyOp hierarchy = asHierarchy(&op);
  scf::ParallelOp parallel = dynCast<scf::ParallelOp>(&op);
  if (op.hasTrait(Trait::LoopLike) && !parallel && !isa<scf::ForOp>(&op)) return std::nullopt;
  unsigned variables = hierarchy              ? hierarchy.numDims()
                       : parallel             ? parallel.numLoops()
                       : isa<scf::ForOp>(&op) ? 1
                                              : 0;
  int64_t runs = 1;
  for (unsigned i = 0; i < variables; ++i) {
    Value variable = op.region().front().argument(i);
    bool selects = false;
    for (Value index : put.indices())
      for (const auto& term : reader.read(index).terms)
        selects |= term.symbol == variable;
    if (selects) continue;
    std::optional<analysis::SymbolRange> range = reader.rangeOf(variable);
    if (!range || __builtin_mul_overflow(runs, range->count, &runs)) return std::nullopt;
  }
  return runs;
}

std::optional<int64_t> transfersOfOnePlace(ChannelAccessOp put, HierarchyOp hierarchy,
                                           analysis::LinearReader& reader) {
  int64_t transfers = 1;
  for (Operation* up = put->parentOp(); up; up = up->parentOp()) {
    std::optional<int64_t> runs = runsOfOnePlace(*up, put, reader);
    if (!runs || __builtin_mul_overflow(transfers, *runs, &transfers)) return std::nullopt;
    if (up == hierarchy.op()) return transfers;
  }
  return std::nullopt;
}

}  // namespace

bool ChannelIndex::fits(std::string_view channel, const std::vector<ChannelAccessOp>& puts,
                        HierarchyOp hierarchy, analysis::LinearReader& reader) const {
  auto declared = depths_.find(channel);
  int64_t total = 0, depth = declared == depths_.end() ? 1 : declared->second;
  for (ChannelAccessOp put : puts) {
    std::optional<int64_t> transfers = transfersOfOnePlace(put, hierarchy, reader);
    if (!transfers || __builtin_add_overflow(total, *transfers, &total)) return false;
  }
  return total < depth;
}

}  // namespace airlite::air::dependency
