// air-merge-segments: segments of a launch that exchange data through channels become one.
//
// Matches asynchronous segments without iteration space directly in a launch, where a channel has one end in one
// of them and the other end in another one. What they hold is asynchronous, but for a herd at the end. It runs side
// by side in one segment, which waits for what any of them waited for, and what waited for any of them waits for it.
//
// An NPU loads each segment by itself, so a channel between two of them could never be a stream.
//
// Declines, with a remark: segments that wait for each other, that hold ops for which what follows waits (air-dependency
// makes them asynchronous), or that take part in affinity or concurrency lists.
#include "Hierarchy.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace airlite {

namespace {

using air::HerdOp;
using air::HierarchyOp;
using air::SegmentOp;

std::set<std::string> channelsIn(Operation& segment) {
  std::set<std::string> names;
  segment.walk([&](Operation& op) {
    if (air::isChannelAccess(op)) names.emplace(air::ChannelAccessOp(&op).channelName());
  });
  return names;
}

/// The segments of a launch in groups that are joined by channels.
std::vector<std::vector<SegmentOp>> groupsOf(air::LaunchOp launch) {
  std::vector<std::vector<SegmentOp>> groups;
  std::vector<std::set<std::string>> names;
  for (Operation& op : launch.body().ops()) {
    const auto segment = dynCast<SegmentOp>(&op);
    if (!segment) continue;
    std::vector<SegmentOp> group{segment};
    std::set<std::string> own = channelsIn(op);
    for (size_t i = groups.size(); i-- > 0;) {
      const bool meets = std::ranges::any_of(names[i], [&](auto& name) { return own.count(name); });
      if (!meets) continue;
      group.insert(group.begin(), groups[i].begin(), groups[i].end());
      own.insert(names[i].begin(), names[i].end());
      groups.erase(groups.begin() + static_cast<ptrdiff_t>(i));
      names.erase(names.begin() + static_cast<ptrdiff_t>(i));
    }
    groups.push_back(std::move(group));
    names.push_back(std::move(own));
  }
  return groups;
}

/// Nothing that follows it waits for it.
bool isSideBySide(Operation& op) {
  if (isPure(op) || op.hasTrait(Trait::Terminator) || op.is("memref.alloc")) return true;
  return std::ranges::any_of(op.resultTypes(), air::isTokenType);
}

/// A herd at the end for which the segment waits; null for none.
HerdOp lastHerd(SegmentOp segment) {
  for (Operation* op = segment.body().back().prev(); op; op = op->prev())
    if (!isSideBySide(*op)) return isa<HerdOp>(op) ? HerdOp(op) : HerdOp();
  return HerdOp();
}

bool runsSideBySide(SegmentOp segment) {
  const HerdOp herd = lastHerd(segment);
  return std::ranges::all_of(segment.body().ops(),
                             [&](Operation& op) { return isSideBySide(op) || &op == herd.op(); });
}

std::string_view obstacleTo(const std::vector<SegmentOp>& group) {
  for (const SegmentOp& segment : group) {
    const HerdOp herd = lastHerd(segment);
    if (!segment.token() || segment.numDims() != 0)
      return "is not merged: it is not asynchronous, or has an iteration space";
    if (!runsSideBySide(segment)) return "is not merged: what it holds is not asynchronous";
    const bool isListed = !segment.affinity().empty() || !segment.concurrency().empty();
    if (isListed || (herd && (!herd.affinity().empty() || !herd.concurrency().empty())))
      return "is not merged: it takes part in affinity or concurrency lists";
    for (const SegmentOp& other : group)
      for (const Value token : segment.dependencies().vec())
        if (token == other.token()) return "is not merged: it waits for another one of them";
  }
  return {};
}

/// The herd as an asynchronous one at the builder's place.
void moveHerd(Builder& builder, HerdOp herd) {
  const std::vector<Value> none;
  std::vector<Value> sizes = herd.sizes().vec();
  HierarchyOp made = air::createHierarchy(builder, herd->location(), "air.herd", sizes, &none);
  air::copyAttributes(herd, made);
  air::addKernelOperands(made, herd.kernelOperands().vec());
  for (unsigned i = 0; i < herd.body().numArguments(); ++i)
    herd.body().argument(i).replaceAllUsesWith(made.body().argument(i));
  while (&herd.body().front() != &herd.body().back())
    herd.body().front().moveBefore(&made.body().back());
  herd->erase();
}

void merge(const std::vector<SegmentOp>& group) {
  std::vector<Value> dependencies;
  for (const SegmentOp& segment : group)
    for (const Value token : segment.dependencies().vec())
      if (std::ranges::find(dependencies, token) == dependencies.end())
        dependencies.push_back(token);
  // Where the last one stands: what the others wait for comes before.
  Builder builder = Builder::before(*group.back().op());
  HierarchyOp merged =
      air::createHierarchy(builder, group[0]->location(), "air.segment", {}, &dependencies);
  air::copyAttributes(group[0], merged);
  builder.setBefore(merged.body().back());
  for (const SegmentOp& segment : group) {
    for (unsigned i = 0; i < segment.numKernelOperands(); ++i)
      segment.kernelArgument(i).replaceAllUsesWith(segment.kernelOperands()[i]);
    const HerdOp herd = lastHerd(segment);
    while (&segment.body().front() != &segment.body().back()) {
      Operation& op = segment.body().front();
      if (&op == herd.op())
        moveHerd(builder, herd);
      else
        op.moveBefore(&merged.body().back());
    }
    segment.token().replaceAllUsesWith(merged.token());
    segment->erase();
  }
  air::isolate(merged);
}

/// Something in front of the merged segment would use its token.
bool isUsedBeforeLast(const std::vector<SegmentOp>& group) {
  return std::ranges::any_of(group, [&](const SegmentOp& segment) {
    return std::ranges::any_of(segment.token().uses(), [&](OpOperand& use) {
      Operation* user = use.owner();
      while (user->block() != segment->block())
        user = user->parentOp();
      return user->isBeforeInBlock(group.back().op());
    });
  });
}

class MergeSegments : public Pass {
 public:
  MergeSegments()
      : Pass("air-merge-segments", "Makes one of segments that exchange data through channels") {
    anchor("builtin.module");
    example("airlite-opt --air-merge-segments in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::vector<air::LaunchOp> launches;
    module.walk([&](Operation& op) {
      if (auto launch = dynCast<air::LaunchOp>(&op)) launches.push_back(launch);
    });
    bool changed = false;
    for (const air::LaunchOp launch : launches)
      for (const std::vector<SegmentOp>& group : groupsOf(launch))
        if (group.size() > 1) changed |= tryMerge(group, context);
    return changedIf(changed);
  }

 private:
  static bool tryMerge(const std::vector<SegmentOp>& group, PassContext& context) {
    std::string_view why = obstacleTo(group);
    if (why.empty() && isUsedBeforeLast(group))
      why = "is not merged: something between them waits for one of them";
    if (why.empty()) return merge(group), true;
    context.remark(*group[0].op(), why);
    return false;
  }
};

}  // namespace

void registerMergeSegments(PassRegistry& registry) { registry.add<MergeSegments>(); }

}  // namespace airlite
