// Sibling ping-pong loops on one set of buffers, a step of air-ping-pong-transform.
//
// Matches two loops of one block that air-construct-ping-pong-dependency-pattern has made, the
// second right after the first by tokens, whose gets read one and the same set of channels, all of
// them declared with `air.shared_resident_ring`, into buffers of the same types in the same order.
// The second then uses the buffers of the first and begins with the tokens that the first ends
// with, so the turns continue. Its own buffers go away, and the first loop's are freed where its own
// were.
//
// Declines, with a remark: buffers that are used elsewhere or not freed once; a second loop that
// waits for more than the first and its buffers; one that would fetch what the first still uses.
#include "PingPong.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "analysis/UnitConflicts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace airlite::pingpong {

namespace {

using Values = std::vector<Value>;

/// The buffers of a loop: where each is made and freed, in the order of the gets.
struct Ring {
  scf::ForOp loop;
  std::vector<Operation*> allocs, deallocs;  // executes
  std::vector<bool> isOfSecondCopy;
  std::set<std::string_view> channels;

  Value buffer(size_t i) const { return allocs[i]->result(allocs[i]->numResults() - 1); }
};

bool isMarked(air::ChannelAccessOp get) {
  air::ChannelOp channel = get.channel();
  return channel && channel->hasAttr("air.shared_resident_ring");
}

/// False when the buffer is not one of `loop` alone, made in front of it and freed after.
bool addBuffer(Ring& ring, air::ChannelAccessOp get) {
  Value memref = get.access().memref;
  Operation* alloc = memref.definingOp();
  if (!alloc || !onlyOp(*alloc) || !isa<memref::AllocOp>(onlyOp(*alloc))) return false;
  if (alloc->block() != ring.loop->block()) return false;
  if (std::find(ring.allocs.begin(), ring.allocs.end(), alloc) != ring.allocs.end()) return true;
  Operation* dealloc = nullptr;
  for (OpOperand& use : memref.uses()) {
    if (ring.loop->isAncestor(use.owner())) continue;
    Operation* execute = use.owner()->parentOp();
    if (dealloc || !use.owner()->is("memref.dealloc") || !onlyOp(*execute)) return false;
    if (execute->block() != ring.loop->block()) return false;
    dealloc = execute;
  }
  if (!dealloc) return false;
  ring.allocs.push_back(alloc);
  ring.deallocs.push_back(dealloc);
  std::vector<Value> waits = get.dependencies().vec();
  Value done = ring.loop.regionIterArg(1);
  ring.isOfSecondCopy.push_back(std::find(waits.begin(), waits.end(), done) != waits.end());
  return true;
}

/// Nothing when the loop gets from no marked channel; `obstacle` when from others too.
std::optional<Ring> ringOf(scf::ForOp loop, std::string_view& obstacle) {
  Ring ring{loop, {}, {}, {}, {}};
  bool hasOthers = false, isOwn = true;
  loop->walk([&](Operation& op) {
    if (!isa<air::ChannelGetOp>(&op)) return;
    air::ChannelAccessOp get(&op);
    hasOthers |= !isMarked(get) || op.parentOp() != loop.op();
    ring.channels.insert(get.channelName());
    isOwn &= addBuffer(ring, get);
  });
  auto marked = [&](std::string_view name) {
    for (Operation& op : loop.body().ops())
      if (isa<air::ChannelGetOp>(&op) && air::ChannelAccessOp(&op).channelName() == name)
        return isMarked(air::ChannelAccessOp(&op));
    return false;
  };
  if (std::none_of(ring.channels.begin(), ring.channels.end(), marked)) return std::nullopt;
  if (hasOthers) obstacle = "it gets from channels without a shared ring as well";
  if (!isOwn) obstacle = "its buffers are not its own";
  return ring;
}

class Sharing {
 public:
  Sharing(const Ring& first, Ring& second) : first_(first), second_(second) {}

  std::string_view run() {
    if (first_.isOfSecondCopy != second_.isOfSecondCopy) return "its buffers are others";
    for (size_t i = 0; i < first_.allocs.size(); ++i)
      if (first_.buffer(i).type() != second_.buffer(i).type()) return "its buffers are others";
    if (!followsDirectly()) return "it waits for more than the loop before it";
    if (fetchesTooEarly()) return "it would fetch what the loop before it still uses";
    share();
    return {};
  }

 private:
  static bool isIn(const std::vector<Operation*>& ops, Operation* op) {
    return std::find(ops.begin(), ops.end(), op) != ops.end();
  }

  /// The second loop waits for the first, the ends of its buffers, and what the first waits for.
  bool followsDirectly() {
    graph::TokenOrder order(*first_.loop->parentOp());
    Value end = first_.loop->result(1);
    std::unordered_set<Value> seen;
    Values open = second_.loop.initArgs().vec();
    bool followsFirst = false;
    while (!open.empty()) {
      Value token = open.back();
      open.pop_back();
      if (!seen.insert(token).second) continue;
      Operation* op = token.definingOp();
      if (op == first_.loop.op()) {
        followsFirst = true;
      } else if (op && (isIn(first_.deallocs, op) || isIn(second_.allocs, op) || isJoin(*op))) {
        Values waits = air::AsyncOp(op).dependencies().vec();
        open.insert(open.end(), waits.begin(), waits.end());
      } else if (!order.isImplied(token, end)) {
        return false;
      }
    }
    return followsFirst;
  }

  /// The first producers of the second loop begin before the last consumers of the first have
  /// ended. Which ops those are is not asked: all that get against all that do not.
  bool fetchesTooEarly() {
    air::UnitConflicts conflicts;
    for (Operation& later : second_.loop.body().ops()) {
      if (!fetches(later)) continue;
      for (Operation& earlier : first_.loop.body().ops())
        if (hasTokenResult(earlier) && !fetches(earlier) && conflicts.conflict(later, earlier))
          return true;
    }
    return false;
  }

  /// It waits for the token of the last producers or those of the copy before: it is one itself.
  static bool fetches(Operation& op) {
    if (isa<air::ChannelGetOp>(&op)) return true;
    if (isJoin(op)) return false;
    scf::ForOp loop(op.parentOp());
    Value produced = loop.regionIterArg(3), done = loop.regionIterArg(1);
    bool waits = false;
    op.walk([&](Operation& inner) {
      for (Value operand : inner.operands())
        waits |= operand == produced || operand == done;
    });
    return waits;
  }

  void share() {
    for (size_t i = 0; i < first_.allocs.size(); ++i)
      second_.buffer(i).replaceAllUsesWith(first_.buffer(i));
    for (unsigned i = 0; i < 4; ++i)
      second_.loop->setOperand(3 + i, first_.loop->result(i));
    for (Operation* op : first_.deallocs)
      bypass(*op);
    for (Operation* op : second_.allocs)
      bypass(*op);
    second_.allocs = first_.allocs;
  }

  /// Who waited for `execute` waits for what it waited for.
  static void bypass(Operation& execute) {
    Value token = execute.result();
    if (token.hasUses()) {
      Values waits = air::AsyncOp(&execute).dependencies().vec();
      Type type = token.type();
      token.replaceAllUsesWith(
          Builder::before(execute)
              .create(execute.location(), "air.wait_all", waits, std::span(&type, 1))
              ->result());
    }
    execute.erase();
  }

  const Ring& first_;
  Ring& second_;
};

}  // namespace

bool shareRings(const std::vector<Operation*>& loops, PassContext& context) {
  std::map<std::pair<Block*, std::set<std::string_view>>, Ring> last;
  bool changed = false;
  for (Operation* loop : loops) {
    std::string_view obstacle;
    std::optional<Ring> ring = ringOf(scf::ForOp(loop), obstacle);
    if (!ring) continue;
    if (!obstacle.empty()) {
      context.remark(*loop, obstacle);
      continue;
    }
    auto [before, isFirst] = last.try_emplace({loop->block(), ring->channels}, *ring);
    if (isFirst) continue;
    obstacle = Sharing(before->second, *ring).run();
    if (!obstacle.empty()) context.remark(*loop, obstacle);
    changed |= obstacle.empty();
    before->second = *ring;
  }
  return changed;
}

}  // namespace airlite::pingpong
