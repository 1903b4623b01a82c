#include "airlite/runner/Timeline.hpp"

#include "airlite/analysis/Unfolding.hpp"
#include "airlite/ir/Diagnostic.hpp"
#include "airlite/ir/OpDef.hpp"
#include "analysis/Playback.hpp"
#include "runner/Costs.hpp"
#include "runner/CustomOps.hpp"
#include "runner/Places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <queue>
#include <utility>

namespace airlite::runner {
namespace {

using analysis::Point;
using analysis::PointId;
using analysis::PointKind;

/// Ports of one direction of a memory, or a tile that computes: so many can be in use.
struct Pool {
  std::string name;
  uint64_t count = 1, used = 0, busy = 0;
  std::deque<PointId> waiting = {};
};

/// What a point needs while it lasts.
struct Need {
  uint64_t cycles = 0;
  std::vector<uint32_t> pools = {};
};

/// One run: points that may begin, those that wait for a resource, those that last.
class Scheduler {
 public:
  Scheduler(const analysis::Unfolding& events, const Machine& machine, Timeline& out)
      : in_(events), machine_(machine), places_(events, machine, out.places), out_(out) {}

  bool run() {
    if (!places_.check()) return false;
    const analysis::Playback play = analysis::play(in_, 0);
    if (play.isStuck()) return hang(play);
    prepare(play);
    for (PointId point = 0; point < in_.points.size(); ++point)
      if (pending_[point] == 0) reach(point);
    openLaunches();
    while (!lasting_.empty() && !isBad_) {
      const auto [cycle, order, point] = lasting_.top();
      lasting_.pop();
      now_ = cycle;
      finish(point);
      openLaunches();
    }
    out_.cycles = now_;
    for (const Pool& pool : pools_)
      if (pool.busy != 0) out_.resources.push_back({pool.name, pool.count, pool.busy});
    return !isBad_ && checkAll();
  }

 private:
  bool hang(const analysis::Playback& play) const {
    for (PointId point = 0; point < in_.points.size(); ++point)
      if (!play.happened[point] && play.ready[point]) {
        in_.points[point].op->emitOpError() << "waits for ever: the program hangs";
        return false;
      }
    return false;
  }

  bool checkAll() const {
    for (PointId point = 0; point < in_.points.size(); ++point)
      if (pending_[point] != 0 || !isDone_[point]) {
        in_.points[point].op->emitOpError()
            << "does not happen: an instance of a launch waits for a later one";
        return false;
      }
    return true;
  }

  void prepare(const analysis::Playback& play) {
    std::vector<graph::Arc> arcs = in_.arcs;
    arcs.insert(arcs.end(), play.arcs.begin(), play.arcs.end());
    after_ = graph::Digraph(graph::NodeId(in_.points.size()), arcs);
    pending_.assign(in_.points.size(), 0);
    isDone_.assign(in_.points.size(), false);
    for (const graph::Arc& arc : arcs)
      ++pending_[arc.to];
    for (const graph::Arc& arc : play.arcs)
      if (in_.points[arc.from].kind == PointKind::Send) senders_.emplace(arc.to, arc.from);
    left_.assign(places_.numLaunches(), 0);
    held_.resize(places_.numLaunches());
    for (const Point& point : in_.points)
      if (const auto launch = places_.launchOf(point.instance)) ++left_[*launch];
  }

  // -- Points -----------------------------------------------------------------------------------------

  /// All before it is done. Instances of launches run one after the other.
  void reach(PointId point) {
    const auto launch = places_.launchOf(in_.points[point].instance);
    if (launch && *launch > open_) return held_[*launch].push_back(point);
    attempt(point);
  }

  void openLaunches() {
    while (open_ < left_.size() && left_[open_] == 0) {
      out_.launchEnds.push_back(now_);
      if (++open_ == left_.size()) return;
      for (const PointId point : std::exchange(held_[open_], {}))
        attempt(point);
    }
  }

  void attempt(PointId point) {
    const auto [known, isNew] = needs_.try_emplace(point);
    if (isNew && !findNeed(point, known->second)) isBad_ = true;
    if (isBad_) return;
    const Need& need = known->second;
    for (const uint32_t pool : need.pools)
      if (pools_[pool].used == pools_[pool].count) return pools_[pool].waiting.push_back(point);
    for (const uint32_t pool : need.pools) {
      ++pools_[pool].used;
      pools_[pool].busy += need.cycles;
    }
    begins_[point] = now_;
    lasting_.push({now_ + need.cycles, order_++, point});
  }

  void finish(PointId point) {
    const Need need = std::move(needs_.at(point));
    needs_.erase(point);
    isDone_[point] = true;
    if (need.cycles != 0) note(point);
    begins_.erase(point);
    for (const uint32_t pool : need.pools)
      --pools_[pool].used;
    for (const uint32_t pool : need.pools)
      for (const PointId waiting : std::exchange(pools_[pool].waiting, {}))
        attempt(waiting);
    if (const auto launch = places_.launchOf(in_.points[point].instance)) --left_[*launch];
    for (const PointId next : after_.successors(point))
      if (--pending_[next] == 0) reach(next);
  }

  void note(PointId id) {
    const Point& point = in_.points[id];
    std::string name(point.op->name());
    if (air::isChannelAccess(*point.op))
      name += fmt::format(" @{}", air::ChannelAccessOp(point.op).channelName());
    out_.events.push_back(
        {point.op, std::move(name), places_.placeOf(point.instance), begins_.at(id), now_});
  }

  // -- What they need -----------------------------------------------------------------------------------

  bool findNeed(PointId id, Need& need) {
    const Point& point = in_.points[id];
    if (point.kind == PointKind::Receive) return findTransfer(id, need);
    if (point.kind != PointKind::Step) return true;
    if (point.op->is("air.dma_memcpy_nd")) return findDma(point, need);
    if (point.op->is("memref.dealloc")) return need.cycles = 1, true;
    const auto cycles = computeCycles(*point.op, machine_);
    if (!cycles) return false;
    need.cycles = *cycles;
    if (const auto core = places_.coreOf(point.instance))
      need.pools = {poolOf(fmt::format("{} computing", out_.places[*core]), 1)};
    return true;
  }

  bool findDma(const Point& point, Need& need) {
    const air::DmaMemcpyNdOp dma(point.op);
    const air::Access from = dma.src(), to = dma.dst();
    const auto sent = elementsOf(*point.op, from), taken = elementsOf(*point.op, to);
    if (!sent || !taken) return false;
    return addTransfer(*point.op, std::min(*sent, *taken), from.memref, point.instance, to.memref,
                       point.instance, need);
  }

  /// Of a get; the put ended as soon as there was room.
  bool findTransfer(PointId id, Need& need) {
    const Point& point = in_.points[id];
    const auto sender = senders_.find(id);
    if (sender == senders_.end()) return true;  // of nothing
    const Point& put = in_.points[sender->second];
    const air::Access to = air::ChannelAccessOp(point.op).access(),
                      from = air::ChannelAccessOp(put.op).access();
    const auto elements =
        point.elements >= 0 ? std::optional(uint64_t(point.elements)) : elementsOf(*point.op, to);
    if (!elements) return false;
    return addTransfer(*point.op, *elements, from.memref, put.instance, to.memref, point.instance,
                       need);
  }

  bool addTransfer(Operation& op, uint64_t elements, Value from, analysis::InstanceId sender,
                   Value to, analysis::InstanceId receiver, Need& need) {
    const auto fromLevel = air::memoryLevel(from.type()), toLevel = air::memoryLevel(to.type());
    if (!fromLevel || !toLevel) {
      op.emitOpError() << "not supported: memory that is not of a level";
      return false;
    }
    const auto bytes = bytesOfElement(op, elementTypeOrSelf(to.type()), machine_);
    if (!bytes) return false;
    need.cycles = transferCycles(elements * *bytes, *fromLevel, *toLevel, machine_);
    need.pools = {portPool(*fromLevel, sender, true), portPool(*toLevel, receiver, false)};
    return true;
  }

  uint32_t portPool(air::MemoryLevel level, analysis::InstanceId instance, bool isOut) {
    const auto [owner, factor] = places_.ownerOf(level, instance);
    const MemoryPorts& ports = portsOf(machine_, level);
    return poolOf(fmt::format("{} of {}, {}", isOut ? "outbound ports" : "inbound ports",
                              air::levelName(level), out_.places[owner]),
                  (isOut ? ports.outbound : ports.inbound).count * factor);
  }

  uint32_t poolOf(const std::string& name, uint64_t count) {
    const auto [known, isNew] = numbers_.try_emplace(name, uint32_t(pools_.size()));
    if (isNew) pools_.push_back({name, count});
    return known->second;
  }

  using Lasting = std::tuple<uint64_t, uint64_t, PointId>;

  const analysis::Unfolding& in_;
  const Machine& machine_;
  Places places_;
  Timeline& out_;
  graph::Digraph after_;
  std::vector<uint32_t> pending_;
  std::vector<bool> isDone_;
  std::multimap<PointId, PointId> senders_;
  std::vector<uint64_t> left_;              ///< points of each launch instance
  std::vector<std::vector<PointId>> held_;  ///< of launch instances that have not begun
  size_t open_ = 0;                         ///< the instance that runs
  std::map<PointId, Need> needs_;
  std::map<PointId, uint64_t> begins_;
  std::deque<Pool> pools_;
  std::map<std::string, uint32_t> numbers_;
  std::priority_queue<Lasting, std::vector<Lasting>, std::greater<>> lasting_;
  uint64_t now_ = 0, order_ = 0;
  bool isBad_ = false;
};

}  // namespace

std::optional<Timeline> runOnMachine(Operation& function, const Machine& machine) {
  Operation* module = &function;
  while (module->parentOp())
    module = module->parentOp();
  if (!callCustomOps(*module)) return std::nullopt;
  analysis::Unfolder unfolder(*module);
  const analysis::Unfolding events = unfolder.unfold(function, {});
  for (const analysis::UnfoldingFault& fault : events.faults)
    fault.op->emitOpError() << fault.message;
  if (!events.faults.empty()) return std::nullopt;
  if (!events.isComplete()) {
    events.stoppedAt->emitOpError() << "not supported by the model: " << events.stoppedBecause;
    return std::nullopt;
  }
  if (!events.locks.empty()) {
    function.emitOpError() << "not supported by the model: affinity lists";
    return std::nullopt;
  }
  Timeline timeline;
  if (!Scheduler(events, machine, timeline).run()) return std::nullopt;
  return timeline;
}

std::string reportOf(const Timeline& timeline) {
  std::string text = fmt::format("{} cycles\n", timeline.cycles);
  uint64_t before = 0;
  for (size_t i = 0; i < timeline.launchEnds.size(); ++i) {
    text += fmt::format("  launch {}: {} cycles\n", i, timeline.launchEnds[i] - before);
    before = timeline.launchEnds[i];
  }
  for (const ResourceUse& use : timeline.resources)
    text += fmt::format(
        "  {}: {} of them, busy {:.1f}%\n", use.name, use.count,
        100.0 * double(use.busy) / double(std::max<uint64_t>(1, timeline.cycles * use.count)));
  return text;
}

}  // namespace airlite::runner
