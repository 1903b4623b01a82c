#include "EvenRounds.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/ir/Symbols.hpp"
#include "transform/hierarchy/Hierarchy.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace airlite::air {
namespace {

Operation* channelOf(Operation& access) { return ChannelAccessOp(&access).channel().op(); }

/// One end of one place of a channel, as far as the program says the same of both.
bool isSamePlace(Operation& a, Operation& b) {
  const ChannelAccessOp first(&a), second(&b);
  if (first.isPut() != second.isPut() || channelOf(a) != channelOf(b)) return false;
  return std::ranges::equal(first.indices(), second.indices(), [](Value x, Value y) {
    const auto number = constantIntOf(x);
    return x == y || (number && number == constantIntOf(y));
  });
}

/// A loop with transfers, of a process or of a herd, and of one of its channels: those of a round, and the
/// single ones next to the loop.
struct Transfers {
  std::vector<Operation*> before, each, after;
};

class EndLoop {
 public:
  EndLoop(Operation& loop, bool isOfHerd) : loop_(&loop), isOfHerd_(isOfHerd) {}

  scf::ForOp loop() const { return loop_; }

  /// Of constants, more than one and without values that go from round to round; 0: others.
  int64_t rounds() const {
    const auto count = loop_.tripCount();
    const bool isKnown =
        !loop_.numIterArgs() && constantIntOf(loop_.lowerBound()) && constantIntOf(loop_.step());
    return isKnown && count && *count > 1 ? *count : 0;
  }

  std::vector<Operation*> channels() const {
    std::vector<Operation*> found;
    for (Operation* access : channelAccessesIn(*loop_.op()))
      if (Operation* channel = channelOf(*access); !std::ranges::count(found, channel))
        found.push_back(channel);
    return found;
  }

  /// None: they are not transfers of one place that every round does.
  std::optional<Transfers> transfersOf(const Operation* channel) const {
    Transfers found;
    for (Operation* access : channelAccessesIn(*loop_.op())) {
      if (channelOf(*access) != channel) continue;
      const bool isFirst = found.each.empty();
      if (access->block() != &loop_.body() || !isPlaceKnown(*access)) return std::nullopt;
      if (!isFirst && !isSamePlace(*access, *found.each.front())) return std::nullopt;
      found.each.push_back(access);
    }
    if (found.each.empty()) return std::nullopt;
    bool isAfter = false;
    for (Operation& op : loop_->block()->ops()) {
      if (&op == loop_.op()) isAfter = true;
      if (isChannelAccess(op) && isSamePlace(op, *found.each.front()))
        (isAfter ? found.after : found.before).push_back(&op);
    }
    return found;
  }

  /// The first and last rounds before the loop and after it.
  void peel(int64_t first, int64_t last) {
    const int64_t count = rounds(), start = *constantIntOf(loop_.lowerBound()),
                  step = *constantIntOf(loop_.step());
    Builder builder = Builder::before(*loop_.op());
    for (int64_t round = 0; round < first; ++round)
      copyRound(builder, start + round * step);
    const Value from = builder.constantIndex(loop_->location(), start + first * step);
    const Value to = builder.constantIndex(loop_->location(), start + (count - last) * step);
    loop_->setOperand(0, from);
    loop_->setOperand(1, to);
    builder.setAfter(*loop_.op());
    for (int64_t round = count - last; round < count; ++round)
      copyRound(builder, start + round * step);
  }

 private:
  /// The cores of a herd do the same, each with its own ids.
  bool isPlaceKnown(Operation& access) const {
    return isOfHerd_ || std::ranges::all_of(ChannelAccessOp(&access).indices(), [](Value index) {
             return constantIntOf(index).has_value();
           });
  }

  void copyRound(Builder& builder, int64_t number) {
    IRMapping mapping;
    mapping.map(loop_.inductionVar(), builder.constantIndex(loop_->location(), number));
    for (Operation& op : loop_.body().ops())
      if (!op.hasTrait(Trait::Terminator)) builder.clone(op, mapping);
  }

  scf::ForOp loop_;
  bool isOfHerd_;
};

std::vector<EndLoop> loopsOf(Block& block) {
  std::vector<EndLoop> loops;
  const auto take = [&](Operation& op, bool isOfHerd) {
    if (isa<scf::ForOp>(&op) && !channelAccessesIn(op).empty()) loops.emplace_back(op, isOfHerd);
  };
  for (Operation& op : block.ops()) {
    take(op, false);
    if (isa<HerdOp>(&op))
      for (Operation& inner : HerdOp(&op).body().ops())
        take(inner, true);
  }
  return loops;
}

struct Peeling {
  int64_t first = 0, last = 0;
};

/// How many rounds of `longer` meet transfers before and after the loop `other`.
std::optional<Peeling> peelingOf(const EndLoop& longer, const EndLoop& other) {
  std::optional<Peeling> all;
  const std::vector<Operation*> shared = other.channels();
  for (Operation* channel : longer.channels()) {
    if (!std::ranges::count(shared, channel)) continue;
    const auto from = longer.transfersOf(channel), to = other.transfersOf(channel);
    if (!from || !to || from->each.size() != to->each.size()) return std::nullopt;
    const int64_t each = std::ssize(to->each);
    const int64_t before = std::ssize(to->before) - std::ssize(from->before);
    const int64_t after = std::ssize(to->after) - std::ssize(from->after);
    if (before < 0 || after < 0 || before % each || after % each) return std::nullopt;
    const Peeling own{before / each, after / each};
    if (all && (all->first != own.first || all->last != own.last)) return std::nullopt;
    all = own;
  }
  if (!all || all->first + all->last + other.rounds() != longer.rounds()) return std::nullopt;
  return all;
}

bool peelOne(Block& block) {
  std::vector<EndLoop> loops = loopsOf(block);
  for (EndLoop& longer : loops)
    for (const EndLoop& other : loops) {
      if (other.rounds() == 0 || longer.rounds() <= other.rounds()) continue;
      const auto peeling = peelingOf(longer, other);
      if (!peeling) continue;
      longer.peel(peeling->first, peeling->last);
      return true;
    }
  return false;
}

/// Another channel like this one.
Operation* createLike(Operation& channel, const std::string& suffix) {
  Operation* table = channel.parentOp();
  std::string name = std::string(ChannelOp(&channel).symbol()) + suffix;
  while (lookupSymbol(table, SymbolRefAttr::get(channel.context(), name)))
    name += "_";
  Operation* made = Builder::before(channel).clone(channel);
  made->setAttr("sym_name", StringAttr::get(channel.context(), name));
  return made;
}

void sendThrough(Operation& channel, const std::vector<Operation*>& accesses) {
  for (Operation* access : accesses)
    access->setAttr("chan_name",
                    SymbolRefAttr::get(channel.context(), ChannelOp(&channel).symbol()));
}

/// What goes before and after the rounds of all loops of a channel gets channels of its own.
void separate(Operation& launch, Operation& channel, const std::vector<EndLoop>& loops) {
  Transfers all;
  std::optional<std::array<size_t, 4>> counts;
  for (const EndLoop& loop : loops) {
    if (!std::ranges::count(loop.channels(), &channel)) continue;
    const auto own = loop.transfersOf(&channel);
    if (!own) return;
    const std::array<size_t, 4> here = {own->before.size(), own->each.size(), own->after.size(),
                                        static_cast<size_t>(loop.rounds())};
    if (here[3] == 0 || (counts && *counts != here)) return;
    counts = here;
    const auto append = [](std::vector<Operation*>& to, const std::vector<Operation*>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(all.before, own->before);
    append(all.each, own->each);
    append(all.after, own->after);
  }
  size_t every = 0;
  for (Operation* access : channelAccessesIn(launch))
    every += channelOf(*access) == &channel;
  if (every != all.before.size() + all.each.size() + all.after.size()) return;
  if (!all.before.empty()) sendThrough(*createLike(channel, "_first"), all.before);
  if (!all.after.empty()) sendThrough(*createLike(channel, "_last"), all.after);
}

void evenIn(Operation& launch, Block& block) {
  constexpr int kMostPeelings = 64;
  int peelings = 0;
  while (peelings < kMostPeelings && peelOne(block))
    ++peelings;
  const std::vector<EndLoop> loops = loopsOf(block);
  std::vector<Operation*> channels;
  for (const EndLoop& loop : loops)
    for (Operation* channel : loop.channels())
      if (!std::ranges::count(channels, channel)) channels.push_back(channel);
  for (Operation* channel : channels)
    separate(launch, *channel, loops);
  for (Operation& op : block.ops())
    if (isa<scf::ForOp>(&op) || isa<SegmentOp>(&op)) evenIn(launch, op.region().front());
}

}  // namespace

void evenRounds(Operation& launch) { evenIn(launch, launch.region().front()); }

}  // namespace airlite::air
