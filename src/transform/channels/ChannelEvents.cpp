// Follows cores through what holds their transfers, see the header.
#include "ChannelEvents.hpp"

#include "AccessLists.hpp"
#include "airlite/dialect/IndexValues.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>

namespace airlite::air {

std::optional<std::pair<int64_t, int64_t>> sizesOf(HierarchyOp level) {
  if (!isa<HerdOp>(level.op())) return std::pair<int64_t, int64_t>(1, 1);
  const auto sizes = level.constantSizes();
  if (!sizes || sizes->size() > 2) return std::nullopt;
  return std::pair(sizes->empty() ? 1 : (*sizes)[0], sizes->size() < 2 ? 1 : (*sizes)[1]);
}

Operation* levelAround(Operation& op) {
  Operation* at = op.parentOp();
  while (at && !asHierarchy(at))
    at = at->parentOp();
  return at;
}

EventReader::EventReader(const std::vector<Operation*>& accesses, Block* scope)
    : accesses_(accesses), scope_(scope) {
  for (Operation* access : accesses) {
    events_[ChannelAccessOp(access).channel().op()];
    Operation* level = levelAround(*access);
    for (Operation* at = access; at != level; at = at->parentOp())
      around_.insert(at);
    if (std::ranges::find(levels_, level) == levels_.end()) levels_.push_back(level);
  }
}

bool EventReader::refuse(Operation& at, std::string reason) {
  place_ = &at;
  reason_ = std::move(reason);
  return false;
}

std::optional<int64_t> EventReader::operator()(Value value) {
  if (auto found = known_.find(value); found != known_.end()) return found->second;
  return computeNumber(value, *this);
}

void EventReader::enter(HierarchyOp level, size_t core) {
  const auto sizes = sizesOf(level);
  core_ = {level.op(), core};
  known_.clear();
  runs_.clear();
  const auto at = static_cast<int64_t>(core);
  if (!isa<HerdOp>(level.op())) return;  // which instance of a launch runs makes no difference
  if (level.numDims() > 0) known_[level.id(0)] = at / sizes->second;
  if (level.numDims() > 1) known_[level.id(1)] = at % sizes->second;
}

bool EventReader::read() {
  constexpr int64_t kMostCores = 1024;
  for (Operation* op : levels_) {
    const HierarchyOp level = asHierarchy(op);
    const auto sizes = sizesOf(level);
    if (!sizes || sizes->first > kMostCores || sizes->second > kMostCores ||
        sizes->first * sizes->second > kMostCores)
      return refuse(*op, "the size of the herd is not constant, or above 1024");
    for (int64_t core = 0; core < sizes->first * sizes->second; ++core) {
      enter(level, static_cast<size_t>(core));
      const bool isAroundScope = scope_ && op->isAncestor(scope_->parentOp());
      if (!follow(isAroundScope ? *scope_ : level.body())) return false;
    }
  }
  for (auto& [channel, events] : events_)
    if (!number(ChannelOp(channel), events)) return false;
  return true;
}

bool EventReader::follow(Block& block) {
  for (Operation& op : block.ops()) {
    if (!around_.contains(&op)) continue;
    if (isChannelAccess(op)) {
      if (!record(op)) return false;
      continue;
    }
    if (isa<scf::ForOp>(&op)) {
      if (!followLoop(op)) return false;
      continue;
    }
    Region* taken = takenRegion(op, *this);
    if (!taken)
      return refuse(op, "a transfer stands in what ids and loops do not decide: '" +
                            std::string(op.name()) + "'");
    if (!taken->empty() && !follow(taken->front())) return false;
  }
  return true;
}

bool EventReader::followLoop(Operation& op) {
  scf::ForOp loop(&op);
  const auto from = (*this)(loop.lowerBound()), to = (*this)(loop.upperBound()),
             by = (*this)(loop.step());
  if (!from || !to || !by || *by < 1)
    return refuse(op, "a transfer stands in a loop whose bounds ids and loops do not decide");
  runs_.push_back(0);
  for (int64_t i = *from; i < *to; i += *by, ++runs_.back()) {
    known_[loop.inductionVar()] = i;
    if (!follow(loop.body())) return false;
    if (*to - i <= *by) break;  // the next number may not fit 64 bits
  }
  runs_.pop_back();
  known_.erase(loop.inductionVar());
  return true;
}

bool EventReader::record(Operation& op) {
  constexpr size_t kMost = 65'536;
  if (++count_ > kMost) return refuse(op, "more than 65536 transfers");
  const ChannelAccessOp access(&op);
  const auto place = numbersOf(access.indices().vec(), *this);
  if (!place) return refuse(op, "an index of the channel is no number that ids and loops decide");
  ChannelEvents& events = events_.at(access.channel().op());
  const auto elements = elementsOf(access.access());
  if (!elements) return refuse(op, "the number of elements that it moves is not known");
  (access.isPut() ? events.puts : events.gets)
      .push_back({&op, core_, runs_, *place, *elements, 0, 0});
  return true;
}

/// The place of the puts that a destination takes from.
static std::vector<int64_t> sourceOf(const std::vector<int64_t>& place,
                                     const std::vector<int64_t>& sizes) {
  std::vector<int64_t> source = place;
  for (size_t i = 0; i < source.size() && i < sizes.size(); ++i)
    if (sizes[i] == 1) source[i] = 0;
  return source;
}

bool EventReader::number(ChannelOp channel, ChannelEvents& events) {
  struct Queue {
    Process core;
    int64_t count = 0, elements = 0;
  };
  const auto numberAll = [&](std::vector<ChannelEvent>& list,
                             std::map<std::vector<int64_t>, Queue>& queues) {
    for (ChannelEvent& event : list) {
      Queue& queue = queues.try_emplace(event.place, Queue{event.core}).first->second;
      // Which of two cores comes first is open.
      if (!(queue.core == event.core)) return refuse(*event.op, "several cores use one place");
      event.number = queue.count++;
      event.start = queue.elements;
      if (__builtin_add_overflow(queue.elements, event.elements, &queue.elements))
        return refuse(*event.op, "its transfers are too many");
    }
    return true;
  };
  std::map<std::vector<int64_t>, Queue> sent, taken;
  if (!numberAll(events.puts, sent) || !numberAll(events.gets, taken)) return false;
  const std::vector<int64_t> sizes = channel.sizes();
  for (const auto& [place, queue] : taken) {
    const auto source = sent.find(sourceOf(place, sizes));
    if (source == sent.end() || source->second.elements != queue.elements)
      return refuse(*channel.op(), "a place is not given as many elements as are taken from it");
    events.most = std::max(events.most, queue.elements);
  }
  for (ChannelEvent& event : events.gets)
    event.place = sourceOf(event.place, sizes);
  return true;
}

}  // namespace airlite::air
