// air-enforce-channel-fifo-order: transfers through one end of a channel in the order of the
// program.
//
// A channel hands out what it gets in order, but asynchronous puts (or gets) of one place that wait
// for different things may start in any order. Matches puts of one block on the same place of the
// same channel (the same indices: one value, or equal constants), and gets likewise. Produces a
// dependency of each on the nearest one before it. Puts and gets are not ordered against each
// other: they have to meet.
//
// Declines: ops of different blocks, and the runs of a loop, are left to the tokens between them.
// Behind a transfer that blocks there is nothing to add. Indices that may be equal or not (two
// values) count as different places, with a remark.
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/transform/Passes.hpp"

#include <algorithm>
#include <map>

namespace airlite {

namespace {

/// What an index says about the place: a constant, or which value it is.
struct Index {
  std::optional<int64_t> constant;
  const detail::ValueImpl* value = nullptr;
  auto operator<=>(const Index&) const = default;
};

/// One end of one place.
struct End {
  bool isPut;
  std::string_view channel;
  std::vector<Index> indices;
  auto operator<=>(const End&) const = default;
};

End endOf(air::ChannelAccessOp op) {
  End end{op.isPut(), op.channelName(), {}};
  for (Value value : op.indices()) {
    std::optional<int64_t> constant = constantIntOf(value);
    end.indices.push_back({constant, constant ? nullptr : value.impl()});
  }
  return end;
}

class EnforceChannelFifo : public Pass {
 public:
  EnforceChannelFifo()
      : Pass("air-enforce-channel-fifo-order",
             "Orders the transfers through one end of a channel by tokens") {
    anchor("builtin.module");
    example("airlite-opt --air-enforce-channel-fifo-order in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    std::vector<Block*> blocks;
    module.walk([&](Operation& op) {
      for (Region& region : op.regions())
        for (Block& block : region.blocks())
          blocks.push_back(&block);
    });
    bool changed = false;
    for (Block* block : blocks)
      changed |= enforceIn(*block, context);
    return changedIf(changed);
  }

 private:
  static bool enforceIn(Block& block, PassContext& context) {
    std::map<End, Operation*> last;
    std::map<std::pair<bool, std::string_view>, End> lastOfChannel;
    bool changed = false;
    for (Operation& op : block.ops()) {
      if (!isa<air::ChannelPutOp>(&op) && !isa<air::ChannelGetOp>(&op)) continue;
      End end = endOf(air::ChannelAccessOp(&op));
      auto [other, isFirst] = lastOfChannel.try_emplace({end.isPut, end.channel}, end);
      if (!isFirst && mayBeSame(other->second, end))
        context.remark(op,
                       "left unordered: whether it is at the same place as the one before "
                       "cannot be told from the indices");
      other->second = end;
      Operation*& before = last[end];
      if (before) changed |= addDependency(*before, op);
      before = &op;
    }
    return changed;
  }

  /// Different for all that is known, but not for certain.
  static bool mayBeSame(const End& a, const End& b) {
    if (a == b || a.indices.size() != b.indices.size()) return false;
    for (size_t i = 0; i < a.indices.size(); ++i) {
      const Index &x = a.indices[i], &y = b.indices[i];
      if (x.constant && y.constant && *x.constant != *y.constant) return false;
    }
    return true;
  }

  static bool addDependency(Operation& before, Operation& op) {
    Value token = air::AsyncOp(&before).token();
    std::vector<Value> tokens = air::AsyncOp(&op).dependencies().vec();
    if (!token || std::find(tokens.begin(), tokens.end(), token) != tokens.end()) return false;
    tokens.push_back(token);
    air::AsyncOp(&op).setDependencies(tokens);
    return true;
  }
};

}  // namespace

void registerEnforceChannelFifo(PassRegistry& registry) { registry.add<EnforceChannelFifo>(); }

}  // namespace airlite
