// Rounds of a herd, see the header.
#include "HerdRounds.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <tuple>
#include <utility>

namespace airlite::air {

HerdRounds::HerdRounds(HerdOp herd, const std::vector<Operation*>& exchanged, EventReader& reader)
    : herd_(herd), exchanged_(exchanged), reader_(reader) {
  const auto sizes = sizesOf(herd);
  numCores_ = static_cast<size_t>(sizes->first * sizes->second);
}

bool HerdRounds::refuse(std::string reason) {
  reason_ = std::move(reason);
  return false;
}

bool HerdRounds::plan() {
  flatten(herd_.body(), std::vector<bool>(numCores_, true));
  if (!addEdges() || !setRounds()) return false;
  return valuesFit() || refuse("a value that one core has computed would have to pass a barrier");
}

/// Without effects, or an allocation, of what is there at the begin of the body.
bool HerdRounds::isHoistable(Operation& op) const {
  if (op.numRegions() != 0 || (!isPure(op) && !op.is("memref.alloc"))) return false;
  return std::ranges::all_of(op.operands(), [&](Value operand) {
    Operation* def = operand.definingOp();
    return !def || !herd_.op()->isAncestor(def) ||
           std::ranges::find(hoisted_, def) != hoisted_.end();
  });
}

/// Conditions that ids decide go into what they hold, so that its parts may be in several rounds.
void HerdRounds::flatten(Block& block, const std::vector<bool>& runs) {
  for (Operation& op : block.ops()) {
    if (op.hasTrait(Trait::Terminator)) continue;
    if (isHoistable(op)) {
      hoisted_.push_back(&op);
      continue;
    }
    std::map<Region*, std::vector<bool>> taken;
    bool isDecided = op.numResults() == 0 && isa<scf::IfOp>(&op);
    for (size_t core = 0; core < numCores_ && isDecided; ++core) {
      if (!runs[core]) continue;
      reader_.enter(herd_, core);
      Region* region = takenRegion(op, reader_);
      isDecided = region != nullptr;
      if (isDecided) taken.try_emplace(region, numCores_, false).first->second[core] = true;
    }
    if (!isDecided) {
      statements_.push_back({&op, runs, std::vector<unsigned>(numCores_, 0)});
      continue;
    }
    for (Region& region : op.regions())
      if (!region.empty() && taken.contains(&region)) flatten(region.front(), taken.at(&region));
  }
}

size_t HerdRounds::statementOf(Operation& op) const {
  const auto found = std::ranges::find_if(
      statements_, [&](const Statement& statement) { return statement.op->isAncestor(&op); });
  return static_cast<size_t>(found - statements_.begin());
}

bool HerdRounds::addEdges() {
  for (Operation* channel : exchanged_) {
    const ChannelEvents& events = reader_.of(channel);
    std::map<std::pair<std::vector<int64_t>, int64_t>, const ChannelEvent*> puts;
    for (const ChannelEvent& put : events.puts)
      puts[{put.place, put.number}] = &put;
    for (const ChannelEvent& get : events.gets) {
      const ChannelEvent& put = *puts.at({get.place, get.number});
      const Edge edge{put.core.core, statementOf(*put.op), get.core.core, statementOf(*get.op)};
      if (edge.fromCore == edge.toCore && edge.from == edge.to)
        return refuse("a core puts and gets its own data within one loop");
      edges_.push_back(edge);
    }
    // What a core reads of the memory of a channel, all of its lanes read before one writes there.
    for (const ChannelEvent& get : events.gets)
      for (const ChannelEvent& put : events.puts) {
        if (!(get.core == put.core)) continue;
        const size_t from = statementOf(*get.op), to = statementOf(*put.op);
        if (from == to) return refuse("a core puts and gets by one channel within one loop");
        if (from < to) edges_.push_back({get.core.core, from, put.core.core, to});
      }
  }
  const auto key = [](const Edge& e) { return std::tuple(e.fromCore, e.from, e.toCore, e.to); };
  std::ranges::sort(edges_, {}, key);
  edges_.erase(std::unique(edges_.begin(), edges_.end(),
                           [&](const Edge& a, const Edge& b) { return key(a) == key(b); }),
               edges_.end());
  return true;
}

/// The longest way to each statement of each core, in steps over an edge. A circle has no end.
bool HerdRounds::setRounds() {
  const size_t most = numCores_ * statements_.size() + 1;
  for (bool changed = true; changed;) {
    changed = false;
    const auto raise = [&](unsigned& round, unsigned least) {
      changed = changed || round < least;
      round = std::max(round, least);
      numRounds_ = std::max(numRounds_, round + 1);
    };
    for (size_t core = 0; core < numCores_; ++core)
      for (size_t s = 1; s < statements_.size(); ++s)
        raise(statements_[s].round[core], statements_[s - 1].round[core]);
    for (const Edge& edge : edges_)
      raise(statements_[edge.to].round[edge.toCore],
            statements_[edge.from].round[edge.fromCore] + 1);
    if (numRounds_ > most)
      return refuse(
          "cores wait for each other in turns within one loop: there is no order of the cores");
  }
  return true;
}

/// All cores do it in one round, in a group without a condition.
bool HerdRounds::isWhole(size_t statement) const {
  const Statement& it = statements_[statement];
  if (!std::ranges::all_of(it.runs, [](bool runs) { return runs; })) return false;
  for (const Group& group : groupsOf(it.round[0]))
    if (group.first <= statement && statement <= group.last)
      return std::ranges::all_of(group.cores, [](bool is) { return is; });
  return false;
}

bool HerdRounds::valuesFit() const {
  for (size_t s = 0; s < statements_.size(); ++s)
    for (Value result : statements_[s].op->resultValues())
      for (OpOperand& use : result.uses()) {
        const size_t user = statementOf(*use.owner());
        if (user == statements_.size()) return false;  // of what is done first
        for (size_t core = 0; core < numCores_; ++core) {
          const bool isTogether = statements_[s].round[core] == statements_[user].round[core];
          if (statements_[user].runs[core] && !isTogether && !isWhole(s)) return false;
        }
      }
  return true;
}

/// Cores that do the same statements in this round, in the order of these.
std::vector<HerdRounds::Group> HerdRounds::groupsOf(unsigned round) const {
  std::map<std::vector<size_t>, std::vector<bool>> parts;
  for (size_t core = 0; core < numCores_; ++core) {
    std::vector<size_t> done;
    for (size_t s = 0; s < statements_.size(); ++s)
      if (statements_[s].runs[core] && statements_[s].round[core] == round) done.push_back(s);
    if (!done.empty()) parts.try_emplace(done, numCores_, false).first->second[core] = true;
  }
  std::vector<Group> groups;
  for (const auto& [done, cores] : parts)
    groups.push_back({cores, done.front(), done.back()});
  return groups;
}

Value HerdRounds::isIn(const std::vector<bool>& cores, Value core, Block& block,
                       Operation& before) const {
  Builder builder(block.context(), {&block, &before});
  const Location where = herd_->location();
  const Type flag = builder.intType(1);
  Value result;
  for (size_t i = 0; i < cores.size(); ++i) {
    if (!cores[i]) continue;
    const Value number = builder.constantIndex(where, static_cast<int64_t>(i));
    constexpr int64_t kEqual = 0;
    const Value isIt = builder
                           .create(where, "arith.cmpi", {core, number}, {flag},
                                   {builder.named("predicate", builder.i64Attr(kEqual))})
                           ->result();
    result = result ? builder.create(where, "arith.ori", {result, isIt}, {flag})->result() : isIt;
  }
  return result;
}

/// Erases the transfers of `clone` that none of these cores comes to. Others of the round would seem to
/// touch the same memory.
void HerdRounds::dropOthers(Operation& original, Operation& clone,
                            const std::vector<bool>& cores) const {
  std::vector<Operation*> from, to, dropped;
  original.walk([&](Operation& op) { from.push_back(&op); });
  clone.walk([&](Operation& op) { to.push_back(&op); });
  for (size_t i = 0; i < from.size(); ++i) {
    if (!isChannelAccess(*from[i])) continue;
    const ChannelAccessOp access(from[i]);
    Operation* channel = access.channel().op();
    if (std::ranges::find(exchanged_, channel) == exchanged_.end()) continue;
    const ChannelEvents& events = reader_.of(channel);
    const bool isDone = std::ranges::any_of(
        access.isPut() ? events.puts : events.gets,
        [&](const ChannelEvent& event) { return event.op == from[i] && cores[event.core.core]; });
    if (!isDone) dropped.push_back(to[i]);
  }
  for (Operation* op : dropped)
    op->erase();
}

void HerdRounds::write() {
  Block& body = herd_.body();
  Operation& end = body.back();
  const Location where = herd_->location();
  std::vector<Operation*> old;
  for (Operation& op : body.ops())
    if (&op != &end && std::ranges::find(hoisted_, &op) == hoisted_.end()) old.push_back(&op);
  for (Operation* op : hoisted_)
    op->moveBefore(&end);
  Builder builder = Builder::before(end);
  Value core = builder.constantIndex(where, 0);
  if (herd_.numDims() > 0) core = herd_.id(0);
  if (herd_.numDims() > 1) {
    const Value size = builder.constantIndex(where, sizesOf(herd_)->second);
    core = builder.create(where, "arith.muli", {core, size}, {builder.indexType()})->result();
    core =
        builder.create(where, "arith.addi", {core, herd_.id(1)}, {builder.indexType()})->result();
  }
  IRMapping all;
  for (unsigned round = 0; round < numRounds_; ++round) {
    if (round > 0) builder.create(where, "gpu.barrier", {}, {});
    for (const Group& group : groupsOf(round)) {
      const bool isWholeGroup = std::ranges::all_of(group.cores, [](bool is) { return is; });
      IRMapping own = all;
      IRMapping& mapping = isWholeGroup ? all : own;
      Builder inside = builder;
      if (!isWholeGroup) {
        const Value condition = isIn(group.cores, core, body, end);
        inside = Builder::atStart(scf::IfOp::create(builder, where, {}, condition).thenBlock());
      }
      const size_t member =
          static_cast<size_t>(std::ranges::find(group.cores, true) - group.cores.begin());
      for (size_t s = group.first; s <= group.last; ++s)
        if (statements_[s].runs[member] && statements_[s].round[member] == round)
          dropOthers(*statements_[s].op, *inside.clone(*statements_[s].op, mapping), group.cores);
    }
  }
  for (Operation* op : std::views::reverse(old))
    op->erase();
}

}  // namespace airlite::air
