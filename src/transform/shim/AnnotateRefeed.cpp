// air-annotate-refeed: a loop that sends one buffer again and again becomes a count.
//
// Matches loops (scf.for, affine.for) of a constant number of iterations around one channel.put
// and calculations on which the iteration has no influence, and nests of them. Nothing can fill the
// buffer anew between two sends, so that no second buffer and no lock in turns is needed. The put
// moves in front of the loops, which go away. How often it sends stands
//  - for a buffer in L1: at the put, as `air.refeed_count`
//  - for one in L2: at its memref.alloc, as `air.refeed_count`: the sends of all its puts together,
//    which is how often a fill is drained; and at the put, as `air.send_count`
// Tokens: the put waits for what the loops waited for, what waited for them waits for it.
//
// Declines, with a remark: a put that depends on the iteration or waits for other tokens than that
// of the loop; a loop that carries more than the token of the put, or whose number of iterations is
// not known; L3; channels that hold several transfers; a buffer in L2 whose puts stand in several
// bodies, so that no number holds for each fill. An error: a buffer in L2 without an allocation to
// hold the count, without which the device would hang.
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "analysis/BufferUses.hpp"
#include "transform/dependency/TokenMoves.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace airlite {

namespace {

using namespace air;

constexpr std::string_view kCount = "air.refeed_count", kSends = "air.send_count";
constexpr int64_t kMostSends = std::numeric_limits<int32_t>::max();

std::optional<int64_t> tripCountOf(Operation& loop) {
  if (isa<scf::ForOp>(&loop)) return scf::ForOp(&loop).tripCount();
  return affine::ForOp(&loop).tripCount();
}

/// A put, and the loops that do nothing but repeat it, inner ones first.
struct Feed {
  ChannelPutOp put;
  std::vector<Operation*> loops;
  int64_t sends = 1;

  Operation& outermost() const { return loops.empty() ? *put.op() : *loops.back(); }
};

class FeedReader {
 public:
  Feed read(ChannelPutOp put) {
    Feed feed{put, {}, sendsOf(*put)};
    Operation* inner = put.op();
    while (isa<scf::ForOp>(inner->parentOp()) || isa<affine::ForOp>(inner->parentOp())) {
      Operation& loop = *inner->parentOp();
      if (!holdsNothingElse(loop, *inner)) break;
      obstacle_ = obstacleTo(loop, *inner, feed);
      if (!obstacle_.empty()) break;
      feed.loops.push_back(inner = &loop);
      feed.sends *= *tripCountOf(loop);
    }
    return feed;
  }

  /// Why the last one has no more loops; empty when there is nothing to be said.
  std::string_view obstacle() const { return obstacle_; }

 private:
  static bool holdsNothingElse(Operation& loop, Operation& inner) {
    for (Operation& op : loop.region().front().ops())
      if (&op != &inner && !op.hasTrait(Trait::Terminator) && !isPure(op)) return false;
    return true;
  }

  std::string_view obstacleTo(Operation& loop, Operation& inner, const Feed& feed) {
    std::optional<int64_t> trips = tripCountOf(loop);
    if (!trips || *trips < 1) return "the number of iterations is not known";
    if (*trips > kMostSends / feed.sends) return "it is sent too often for a count";
    MemoryLevel level = memoryLevel(feed.put.access().memref.type()).value_or(MemoryLevel::L3);
    if (level == MemoryLevel::L3) return "its buffer is not in L1 or L2";
    ChannelOp channel = feed.put.channel();
    if (!channel || channel.depth() > 1) return "the channel holds several transfers";
    if (!carriesItsTokenOnly(loop, inner)) return "the loop carries more than the token of the put";
    if (!waitsForLoopsOnly(feed, loop)) return "it waits for a token that is not that of the loop";
    return isInvariant(feed, loop) ? std::string_view() : "it depends on the iteration";
  }

  static bool carriesItsTokenOnly(Operation& loop, Operation& inner) {
    if (loop.numResults() == 0) return inner.numResults() == 0 || !inner.hasResultUses();
    if (!isa<scf::ForOp>(&loop) || loop.numResults() > 1 || inner.numResults() != 1) return false;
    return isTokenType(loop.result().type()) && scf::ForOp(&loop).yielded(0) == inner.result();
  }

  /// An asynchronous put waits for nothing but what the loops hand on.
  static bool waitsForLoopsOnly(const Feed& feed, Operation& loop) {
    return std::ranges::all_of(feed.put.dependencies().vec(), [&](Value token) {
      return isInside(token, loop) ? isHandedOn(token, loop) : !feed.put.token();
    });
  }

  /// What an inner loop hands on starts with what `loop` hands on.
  static bool isHandedOn(Value token, Operation& loop) {
    while (token.isBlockArgument() && token.argumentBlock()->parentOp() != &loop) {
      token = scf::ForOp(token.argumentBlock()->parentOp()).initArgs()[token.index() - 1];
      if (!isInside(token, loop)) return false;
    }
    return token.isBlockArgument();
  }

  /// Everything but the tokens is computed from values around the loop.
  static bool isInvariant(const Feed& feed, Operation& loop) {
    std::vector<Value> open;
    for (Value operand : feed.put->operands())
      if (!isTokenType(operand.type())) open.push_back(operand);
    while (!open.empty()) {
      Value value = open.back();
      open.pop_back();
      if (!isInside(value, loop)) continue;
      Operation* op = value.definingOp();
      if (!op || op->numRegions() > 0) return false;
      for (Value operand : op->operands())
        open.push_back(operand);
    }
    return true;
  }

  std::string_view obstacle_;
};

class Annotator {
 public:
  explicit Annotator(PassContext& context) : context_(context) {}

  LogicalResult run(Operation& module) {
    std::vector<Feed> feeds;
    module.walk([&](Operation& op) {
      if (isa<ChannelPutOp>(&op)) read(ChannelPutOp(&op), feeds);
    });
    std::map<Operation*, std::vector<Feed>> ofBuffer;
    std::vector<Operation*> order;
    for (Feed& feed : feeds) {
      if (memoryLevel(feed.put.access().memref.type()) == MemoryLevel::L1) {
        apply(feed, kCount);
        continue;
      }
      Operation* alloc = allocOf(feed);
      if (!alloc && feed.sends > 1) return fail(feed);
      if (alloc && !ofBuffer.count(alloc)) order.push_back(alloc);
      if (alloc)
        ofBuffer[alloc].push_back(feed);
      else
        apply(feed, kSends);
    }
    for (Operation* alloc : order)
      annotate(*alloc, ofBuffer[alloc]);
    return success();
  }

  bool changed() const { return changed_; }

 private:
  void read(ChannelPutOp put, std::vector<Feed>& feeds) {
    FeedReader reader;
    Feed feed = reader.read(put);
    if (!reader.obstacle().empty()) context_.remark(*put, reader.obstacle());
    if (!feed.loops.empty()) feeds.push_back(feed);
  }

  static Operation* allocOf(const Feed& feed) {
    Operation* op = bufferSource(feed.put.access().memref).definingOp();
    return isa<memref::AllocOp>(op) ? op : nullptr;
  }

  static LogicalResult fail(const Feed& feed) {
    return feed.put->emitOpError() << "is sent " << feed.sends
                                   << " times, and air.refeed_count has no carrier the memtile "
                                      "lock allocator reads: no memref.alloc of its buffer";
  }

  void annotate(Operation& alloc, std::vector<Feed>& feeds) {
    std::optional<int64_t> total = sendsOfAll(alloc, feeds);
    if (!total) {
      for (Feed& feed : feeds)
        context_.remark(*feed.put, "the puts of its buffer do not stand in one body");
      return;
    }
    if (*total > 1) alloc.setAttr(kCount, Builder(alloc.context()).i32Attr(*total));
    for (Feed& feed : feeds)
      apply(feed, kSends);
  }

  /// Of all puts of the buffer, where they run equally often once the loops are gone.
  static std::optional<int64_t> sendsOfAll(Operation& alloc, const std::vector<Feed>& feeds) {
    BufferUses uses(alloc.result());
    if (uses.escapes) return std::nullopt;
    int64_t total = 0;
    for (Operation* op : uses.accesses) {
      if (!isa<ChannelPutOp>(op)) continue;
      auto feed = std::ranges::find_if(feeds, [&](const Feed& f) { return f.put.op() == op; });
      bool isFeed = feed != feeds.end();
      total += isFeed ? feed->sends : sendsOf(*op);
      Block* block = isFeed ? feed->outermost().block() : op->block();
      if (block != feeds.front().outermost().block() || total > kMostSends) return std::nullopt;
    }
    return total;
  }

  void apply(const Feed& feed, std::string_view attribute) {
    Operation &loop = feed.outermost(), &put = *feed.put;
    std::vector<Value> waits = waitsOf(feed);
    moveOut(put, loop);
    AsyncOp(&put).setDependencies(waits);
    if (loop.numResults() > 0) loop.result().replaceAllUsesWith(feed.put.token());
    loop.erase();
    if (feed.sends > 1) put.setAttr(attribute, Builder(put.context()).i32Attr(feed.sends));
    changed_ = true;
  }

  /// With what it is computed from.
  static void moveOut(Operation& op, Operation& loop) {
    for (Value operand : op.operands())
      if (Operation* def = operand.definingOp(); def && isInside(operand, loop))
        moveOut(*def, loop);
    op.moveBefore(&loop);
  }

  static std::vector<Value> waitsOf(const Feed& feed) {
    std::vector<Value> waits;
    for (Value token : feed.put.dependencies()) {
      while (isInside(token, feed.outermost()))
        token = scf::ForOp(token.argumentBlock()->parentOp()).initArgs()[token.index() - 1];
      addOnce(waits, token);
    }
    return waits;
  }

  PassContext& context_;
  bool changed_ = false;
};

class AnnotateRefeed : public Pass {
 public:
  AnnotateRefeed() : Pass("air-annotate-refeed", "Counts how often a put sends its buffer again") {
    anchor("builtin.module");
    example("airlite-opt --air-annotate-refeed in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    Annotator annotator(context);
    if (failed(annotator.run(module))) return PassResult::Failed;
    return changedIf(annotator.changed());
  }
};

}  // namespace

void registerAnnotateRefeed(PassRegistry& registry) { registry.add<AnnotateRefeed>(); }

}  // namespace airlite
