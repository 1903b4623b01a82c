#include "ChannelBundles.hpp"

#include "Sites.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace airlite::npu {

namespace {

class BundleSplit {
 public:
  BundleSplit(air::ChannelOp channel, std::vector<Operation*> uses)
      : channel_(channel), uses_(std::move(uses)), sizes_(channel.sizes()) {}

  bool run() {
    int64_t places = 1;
    for (int64_t size : sizes_)
      places *= size;
    if (places == 1 || !areKnown()) return false;
    makeChannels();
    for (Operation* use : uses_)
      rename(air::ChannelAccessOp(use));
    channel_->erase();
    return true;
  }

 private:
  bool areKnown() const {
    return std::ranges::all_of(uses_, [&](Operation* use) {
      const air::ChannelAccessOp access(use);
      for (unsigned i = 0; i < access.indices().size() && i < sizes_.size(); ++i)
        if (sizes_[i] > 1 && !constantIntOf(access.indices()[i])) return false;
      return access.indices().size() == sizes_.size();
    });
  }

  void makeChannels() {
    std::vector<int64_t> place(sizes_.size());
    Builder builder = Builder::before(*channel_.op());
    SymbolMap symbols(*channel_->parentOp());
    do {
      std::string name(channel_.symbol());
      for (int64_t index : place)
        name += "_" + std::to_string(index);
      Operation* made = builder.clone(*channel_.op());
      made->setAttr("sym_name", builder.stringAttr(symbols.unusedName(name)));
      setLists(*made, builder);
      symbols.add(*made);
      channels_[place] = made;
    } while (next(place));
  }

  /// The next place in row-major order; false at the end.
  bool next(std::vector<int64_t>& place) const {
    for (size_t i = place.size(); i-- > 0; place[i] = 0)
      if (++place[i] < sizes_[i]) return true;
    return false;
  }

  void setLists(Operation& made, Builder& builder) const {
    std::vector<int64_t> shape = channel_.broadcastShape().value_or(std::vector<int64_t>());
    std::vector<Attribute> ones, reached;
    for (size_t i = 0; i < sizes_.size(); ++i) {
      ones.push_back(builder.i64Attr(1));
      if (i < shape.size()) reached.push_back(builder.i64Attr(sizes_[i] > 1 ? 1 : shape[i]));
    }
    made.setAttr("size", ArrayAttr::get(builder.context(), ones));
    if (!reached.empty())
      made.setAttr("broadcast_shape", ArrayAttr::get(builder.context(), reached));
  }

  void rename(air::ChannelAccessOp access) {
    std::vector<int64_t> place;
    std::vector<Value> indices;
    Builder builder = Builder::before(*access.op());
    const bool keepsIndices = channel_.broadcastShape().has_value() && !access.isPut();
    for (unsigned i = 0; i < sizes_.size(); ++i) {
      const bool isSplit = sizes_[i] > 1;
      place.push_back(isSplit ? *constantIntOf(access.indices()[i]) : 0);
      if (keepsIndices)
        indices.push_back(isSplit ? builder.constantIndex(access->location(), 0)
                                  : access.indices()[i]);
    }
    const auto found = channels_.find(place);
    if (found == channels_.end()) return;  // outside of the channel: it waits without end
    access->setOperandGroup(1, indices);
    access->setAttr("chan_name", SymbolRefAttr::get(builder.context(), symbolName(*found->second)));
  }

  air::ChannelOp channel_;
  std::vector<Operation*> uses_;
  std::vector<int64_t> sizes_;
  std::map<std::vector<int64_t>, Operation*> channels_;
};

/// Waits for all that the execute waits for, and does what it does. What waits for it waits for nothing.
void inlineExecute(air::AsyncOp execute) {
  Builder builder = Builder::before(*execute.op());
  const std::vector<Value> before = execute.dependencies().vec();
  if (!before.empty()) builder.create(execute->location(), "air.wait_all", before, {});
  Block& body = execute->region().front();
  const std::vector<Value> results = body.back().operands().vec();
  body.back().erase();
  Rewriter rewriter(execute->context());
  rewriter.inlineBlockBefore(body, *execute.op(), {});
  for (unsigned i = 0; i < results.size(); ++i)
    execute->result(i + 1).replaceAllUsesWith(results[i]);
  const Type token = execute->result(0).type();
  Operation* done = builder.create(execute->location(), "air.wait_all", {}, std::span(&token, 1));
  execute->result(0).replaceAllUsesWith(done->result());
  rewriter.eraseOp(*execute.op());
}

}  // namespace

bool splitChannelBundles(Operation& module) {
  std::vector<Operation*> channels;
  std::unordered_map<Operation*, std::vector<Operation*>> uses;
  module.walk([&](Operation& op) {
    if (isa<air::ChannelOp>(&op)) channels.push_back(&op);
    if (!air::isChannelAccess(op)) return;
    if (air::ChannelOp channel = air::ChannelAccessOp(&op).channel())
      uses[channel.op()].push_back(&op);
  });
  bool changed = false;
  for (Operation* channel : channels)
    changed |= BundleSplit(air::ChannelOp(channel), uses[channel]).run();
  return changed;
}

bool inlineExecutes(Operation& module) {
  std::vector<Operation*> executes;
  module.walk([&](Operation& op) {
    if (op.is("air.execute")) executes.push_back(&op);
  });
  for (Operation* execute : executes)
    inlineExecute(air::AsyncOp(execute));
  return !executes.empty();
}

}  // namespace airlite::npu
