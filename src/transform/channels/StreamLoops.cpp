#include "StreamLoops.hpp"

#include "ProgramSteps.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace airlite::air {
namespace {

/// Of constants.
struct Rounds {
  int64_t first = 0, step = 1, count = 0;
};

/// Those of a loop that hands on no values; none: they are not known, or only one.
std::optional<Rounds> roundsOf(Operation& op) {
  const scf::ForOp loop = dynCast<scf::ForOp>(&op);
  if (!loop || loop.numIterArgs()) return std::nullopt;
  const auto first = constantIntOf(loop.lowerBound()), step = constantIntOf(loop.step());
  const auto count = loop.tripCount();
  if (!first || !step || !count || *count < 2) return std::nullopt;
  return Rounds{*first, *step, *count};
}

std::unordered_set<Operation*> channelsIn(Operation& root) {
  std::unordered_set<Operation*> channels;
  root.walk([&](Operation& op) {
    if (isChannelAccess(op)) channels.insert(ChannelAccessOp(&op).channel().op());
  });
  return channels;
}

// -- Herds ----------------------------------------------------------------------------------------

/// A herd that is a loop with transfers, and what stands before and after it.
class HerdOfRounds {
 public:
  explicit HerdOfRounds(HerdOp herd) : herd_(herd) {
    for (Operation& op : herd.body().ops())
      if (!op.hasTrait(Trait::Terminator)) ops_.push_back(&op);
    findRepeatable();
  }

  /// The loop; null: the herd cannot be divided.
  Operation* loop() {
    if (herd_->numResults()) return nullptr;
    for (size_t i = 0; i < ops_.size(); ++i) {
      if (!isa<scf::ForOp>(ops_[i]) || channelsIn(*ops_[i]).empty()) continue;
      if (loop_) return nullptr;
      loop_ = i;
    }
    return loop_ && roundsOf(*ops_[*loop_]) && valuesFit() ? ops_[*loop_] : nullptr;
  }

  /// Returns the loop of the process, with the herd of a round in it.
  Operation* divide() {
    hoistBuffers();
    Builder builder = Builder::before(*herd_.op());
    copyPart(builder, Part::Before);
    const Rounds rounds = *roundsOf(*ops_[*loop_]);
    const Location where = herd_->location();
    scf::ForOp outer =
        scf::ForOp::create(builder, where, builder.constantIndex(where, rounds.first),
                           builder.constantIndex(where, rounds.first + rounds.step * rounds.count),
                           builder.constantIndex(where, rounds.step));
    Builder inside = Builder::before(outer.body().back());
    openRound(copyPart(inside, Part::Loop), outer);
    builder.setAfter(*outer.op());
    copyPart(builder, Part::After);
    herd_->erase();
    return outer.op();
  }

 private:
  enum class Part { Before, Loop, After };

  Part partOf(size_t op) const {
    return op < *loop_ ? Part::Before : op == *loop_ ? Part::Loop : Part::After;
  }

  static bool isBuffer(const Operation& op) {
    return op.is("memref.alloc") && op.numOperands() == 0;
  }

  /// Every part may have it for itself: a number that is computed from ids, arguments and such numbers, a view of such memory.
  void findRepeatable() {
    repeatable_.clear();
    for (Operation* op : ops_) {
      const bool isAny = op->numRegions() == 0 && isMemoryEffectFree(*op) && !isBuffer(*op);
      repeatable_[op] =
          isAny && std::ranges::all_of(op->operands(), [&](Value operand) {
            const auto maker = repeatable_.find(operand.definingOp());
            return maker == repeatable_.end() || maker->second || isBuffer(*maker->first);
          });
    }
  }

  /// What a part takes from the one before is memory, or computed from what all have.
  bool valuesFit() const {
    for (size_t i = 0; i < ops_.size(); ++i) {
      if (isRepeatable(i) || isBuffer(*ops_[i])) continue;
      for (Value result : ops_[i]->resultValues())
        for (OpOperand& use : result.uses())
          if (partOf(topLevel(*use.owner())) != partOf(i)) return false;
    }
    return true;
  }

  bool isRepeatable(size_t op) const { return repeatable_.at(ops_[op]); }

  size_t topLevel(Operation& op) const {
    Operation* at = &op;
    while (at->block() != &herd_.body())
      at = at->parentOp();
    return static_cast<size_t>(std::ranges::find(ops_, at) - ops_.begin());
  }

  /// Only the part that makes a buffer uses it, and no view of it, which every part would have.
  bool isOfOnePart(size_t buffer) const {
    return std::ranges::all_of(ops_[buffer]->result().uses(), [&](OpOperand& use) {
      const size_t user = topLevel(*use.owner());
      return partOf(user) == partOf(buffer) && !isRepeatable(user);
    });
  }

  /// Memory of L1 that several parts use.
  void hoistBuffers() {
    Builder builder = Builder::before(*herd_.op());
    for (size_t i = 0; i < ops_.size(); ++i) {
      if (!isBuffer(*ops_[i]) || isOfOnePart(i)) continue;
      Value buffer = ops_[i]->result();
      std::vector<Operation*> ends;
      for (OpOperand& use : buffer.uses())
        if (use.owner()->is("memref.dealloc")) ends.push_back(use.owner());
      buffer.replaceAllUsesWith(builder.clone(*ops_[i])->result());
      ends.push_back(ops_[i]);
      for (Operation* end : ends) {
        if (const auto at = std::ranges::find(ops_, end); at != ops_.end()) {
          const auto number = static_cast<size_t>(at - ops_.begin());
          if (number < *loop_) --*loop_;
          if (number <= i) --i;
          ops_.erase(at);
        }
        end->erase();
      }
    }
    findRepeatable();
  }

  bool doesSomething(Part part) const {
    for (size_t i = 0; i < ops_.size(); ++i)
      if (partOf(i) == part && !isRepeatable(i)) return true;
    return false;
  }

  /// A herd with this part of the body; null: there is nothing to do.
  Operation* copyPart(Builder& builder, Part part) const {
    if (!doesSomething(part)) return nullptr;
    Operation* copy = builder.clone(*herd_.op());
    std::vector<Operation*> ops;
    for (Operation& op : HerdOp(copy).body().ops())
      ops.push_back(&op);
    for (size_t i = ops_.size(); i-- > 0;)
      if (partOf(i) != part && !isRepeatable(i)) ops[i]->erase();
    isolate(HerdOp(copy));
    return copy;
  }

  /// The body of the loop in `herd` becomes that of the herd.
  static void openRound(Operation* herd, scf::ForOp outer) {
    Operation* loop = nullptr;
    for (Operation& op : HerdOp(herd).body().ops())
      if (isa<scf::ForOp>(&op) && !channelsIn(op).empty()) loop = &op;
    Block& body = scf::ForOp(loop).body();
    scf::ForOp(loop).inductionVar().replaceAllUsesWith(outer.inductionVar());
    body.back().erase();
    if (!body.empty()) loop->block()->splice(loop, body, &body.front());
    loop->erase();
    isolate(HerdOp(herd));
  }

  HerdOp herd_;
  std::vector<Operation*> ops_;
  std::unordered_map<Operation*, bool> repeatable_;
  std::optional<size_t> loop_;
};

// -- Loops ----------------------------------------------------------------------------------------

/// A loop of the process, or of one of its herds, with transfers.
struct Stream {
  Operation* op = nullptr;  // of the block
  Rounds rounds;
  std::unordered_set<Operation*> channels;
};

std::optional<Stream> streamOf(Operation& op) {
  Operation* loop = isa<HerdOp>(&op) ? HerdOfRounds(HerdOp(&op)).loop() : &op;
  const auto rounds = loop ? roundsOf(*loop) : std::nullopt;
  if (!rounds) return std::nullopt;
  Stream stream{&op, *rounds, channelsIn(*loop)};
  return stream.channels.empty() ? std::nullopt : std::optional(std::move(stream));
}

/// Loops with the same number of rounds that share channels: the first group of several; empty: there is none.
std::vector<Stream> firstGroup(Block& block) {
  std::vector<Stream> streams;
  for (Operation& op : block.ops())
    if (auto stream = streamOf(op)) streams.push_back(std::move(*stream));
  std::vector<size_t> groups(streams.size());
  std::iota(groups.begin(), groups.end(), size_t{0});
  for (size_t i = 0; i < streams.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (streams[i].rounds.count == streams[j].rounds.count &&
          intersect(streams[i].channels, streams[j].channels))
        std::ranges::replace(groups, std::max(groups[i], groups[j]),
                             std::min(groups[i], groups[j]));
  for (size_t group = 0; group < streams.size(); ++group) {
    std::vector<Stream> members;
    for (size_t i = 0; i < streams.size(); ++i)
      if (groups[i] == group) members.push_back(streams[i]);
    if (members.size() > 1) return members;
  }
  return {};
}

/// Rounds of different loops meet in nothing but channels, each of which is filled and emptied by one of them.
bool areApart(const std::vector<Step>& steps, const std::vector<size_t>& loops) {
  for (const size_t a : loops) {
    if (steps[a].doesAnything) return false;
    for (const size_t b : loops)
      if (a < b && meet(steps[a], steps[b])) return false;
  }
  return true;
}

/// Steps in an order in which `loops` follow each other, and puts come before gets; empty: there is none.
std::vector<size_t> orderAround(const std::vector<Step>& steps, const std::vector<size_t>& loops) {
  const size_t count = steps.size();
  const auto nodeOf = [&](size_t step) {
    return std::ranges::count(loops, step) ? loops.front() : step;
  };
  std::vector<std::unordered_set<size_t>> before(count);
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < count; ++j) {
      const bool isFixed = i < j && keepOrder(steps[i], steps[j], i);
      if (nodeOf(i) != nodeOf(j) && (isFixed || intersect(steps[i].puts, steps[j].gets)))
        before[nodeOf(j)].insert(nodeOf(i));
    }
  std::vector<size_t> order;
  std::unordered_set<size_t> done;
  for (bool progress = true; progress;) {
    progress = false;
    for (size_t i = 0; i < count && !progress; ++i) {
      const bool isReady =
          nodeOf(i) == i && !done.contains(i) &&
          std::ranges::all_of(before[i], [&](size_t other) { return done.contains(other); });
      if (!isReady) continue;
      progress = true;
      done.insert(i);
      if (i != loops.front())
        order.push_back(i);
      else
        order.insert(order.end(), loops.begin(), loops.end());
    }
  }
  return order.size() == count ? order : std::vector<size_t>();
}

/// Puts the body of `other` after that of `loop`, with the number that its round has.
void append(scf::ForOp loop, scf::ForOp other) {
  const Rounds to = *roundsOf(*loop.op()), from = *roundsOf(*other.op());
  Builder builder = Builder::before(loop.body().back());
  const Location where = other->location();
  const auto compute = [&](std::string_view op, Value a, int64_t b) {
    return builder.create(where, op, {a, builder.constantIndex(where, b)}, {builder.indexType()})
        ->result();
  };
  Value number = loop.inductionVar();
  if (to.first != from.first || to.step != from.step) {
    number = compute("arith.divsi", compute("arith.subi", number, to.first), to.step);
    number = compute("arith.addi", compute("arith.muli", number, from.step), from.first);
  }
  other.inductionVar().replaceAllUsesWith(number);
  Block& body = other.body();
  body.back().erase();
  if (!body.empty()) loop.body().splice(&loop.body().back(), body, &body.front());
  other->erase();
}

/// One loop of a group; null: it has to stay.
Operation* fuse(Block& block, const std::vector<Stream>& group) {
  std::vector<Operation*> ops;
  for (const Stream& stream : group) {
    if (!isa<HerdOp>(stream.op)) {
      ops.push_back(stream.op);
      continue;
    }
    HerdOfRounds herd{HerdOp(stream.op)};
    herd.loop();
    ops.push_back(herd.divide());
  }
  const std::vector<Step> steps = stepsOf(block);
  std::vector<size_t> loops;
  for (size_t i = 0; i < steps.size(); ++i)
    if (std::ranges::count(ops, steps[i].op)) loops.push_back(i);
  const std::vector<size_t> order =
      areApart(steps, loops) ? orderAround(steps, loops) : std::vector<size_t>();
  if (order.empty()) return nullptr;
  for (const size_t number : order)
    steps[number].op->moveBefore(&block.back());
  const scf::ForOp first(steps[loops.front()].op);
  for (size_t i = 1; i < loops.size(); ++i)
    append(first, scf::ForOp(steps[loops[i]].op));
  return first.op();
}

void fuseIn(Block& block) {
  constexpr size_t kMostSteps = 512;  // each is compared with each
  while (true) {
    const std::vector<Stream> group = firstGroup(block);
    if (group.empty() || stepsOf(block).size() > kMostSteps || !fuse(block, group)) break;
  }
  for (Operation& op : block.ops())
    if (isa<scf::ForOp>(&op) || isa<SegmentOp>(&op)) fuseIn(op.region().front());
}

}  // namespace

void fuseStreams(Operation& launch) { fuseIn(launch.region().front()); }

}  // namespace airlite::air
