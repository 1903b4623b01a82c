// air-split-channels-by-launch: each launch gets channels of its own.
//
// Matches channels with puts and gets in several launches. A launch ends when its transfers are done, and transfers at one place of
// a channel are ordered (air-verify-program), so a launch takes what it has sent itself.
//
// An NPU loads the segments of each launch by themselves, so a channel cannot be a stream of two of them.
//
// Declines, with a remark: channels that are used outside of launches, and those that a launch only sends to or only takes from.
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

namespace airlite {

namespace {

/// What one launch does with a channel.
struct LaunchUse {
  Operation* launch = nullptr;  // null: outside of launches
  std::vector<Operation*> puts, gets;
};

Operation* outermostLaunch(Operation& op) {
  Operation* found = nullptr;
  for (Operation* around = op.parentOp(); around; around = around->parentOp())
    if (isa<air::LaunchOp>(around)) found = around;
  return found;
}

/// By the names of channels, launches in the order of the program.
std::unordered_map<std::string, std::vector<LaunchUse>> usesIn(Operation& module) {
  std::unordered_map<std::string, std::vector<LaunchUse>> uses;
  module.walk([&](Operation& op) {
    if (!air::isChannelAccess(op)) return;
    const air::ChannelAccessOp access(&op);
    std::vector<LaunchUse>& list = uses[std::string(access.channelName())];
    Operation* launch = outermostLaunch(op);
    auto use = std::ranges::find(list, launch, &LaunchUse::launch);
    if (use == list.end()) use = list.insert(list.end(), {launch, {}, {}});
    (access.isPut() ? use->puts : use->gets).push_back(&op);
  });
  return uses;
}

std::string_view obstacleTo(const std::vector<LaunchUse>& uses) {
  for (const LaunchUse& use : uses) {
    if (!use.launch) return "stays one channel: it is used outside of launches";
    if (use.puts.empty() || use.gets.empty())
      return "stays one channel: launches send data to each other";
  }
  return {};
}

class SplitChannelsByLaunch : public Pass {
 public:
  SplitChannelsByLaunch()
      : Pass("air-split-channels-by-launch", "Gives each launch channels of its own") {
    anchor("builtin.module");
    example("airlite-opt --air-split-channels-by-launch in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::vector<air::ChannelOp> channels;
    module.walk([&](Operation& op) {
      if (const auto channel = dynCast<air::ChannelOp>(&op)) channels.push_back(channel);
    });
    const std::unordered_map<std::string, std::vector<LaunchUse>> uses = usesIn(module);
    bool changed = false;
    for (const air::ChannelOp channel : channels)
      if (const auto found = uses.find(std::string(channel.symbol()));
          found != uses.end() && found->second.size() > 1)
        changed |= trySplit(channel, found->second, context);
    return changedIf(changed);
  }

 private:
  static bool trySplit(air::ChannelOp channel, const std::vector<LaunchUse>& uses,
                       PassContext& context) {
    const std::string_view why = obstacleTo(uses);
    if (!why.empty()) return context.remark(*channel.op(), why), false;
    for (size_t i = 1; i < uses.size(); ++i)
      moveToCopy(channel, uses[i]);
    return true;
  }

  static void moveToCopy(air::ChannelOp channel, const LaunchUse& use) {
    Builder builder = Builder::before(*channel.op());
    const std::string name = SymbolMap(*channel->parentOp()).unusedName(channel.symbol());
    Operation* copy = builder.clone(*channel.op());
    copy->setAttr("sym_name", builder.stringAttr(name));
    for (const std::vector<Operation*>& ops : {use.puts, use.gets})
      for (Operation* op : ops)
        op->setAttr("chan_name", SymbolRefAttr::get(builder.context(), name));
  }
};

}  // namespace

void registerSplitChannelsByLaunch(PassRegistry& registry) {
  registry.add<SplitChannelsByLaunch>();
}

}  // namespace airlite
