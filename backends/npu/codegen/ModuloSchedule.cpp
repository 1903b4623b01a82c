#include "ModuloSchedule.hpp"

#include "Dependences.hpp"
#include "LoopGraph.hpp"
#include "LoopPressure.hpp"
#include "Reservations.hpp"
#include "SlackSchedule.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <climits>
#include <map>
#include <numeric>
#include <optional>
#include <random>

namespace airlite::npu::codegen {

namespace {

/// What share of the accesses of the two go to the same bank.
double bankShare(const LoopNode& a, const LoopNode& b) {
  return double(std::popcount(a.banks & b.banks)) /
         std::max(1, std::popcount(a.banks) * std::popcount(b.banks));
}

/// Whether `b`, issued `distance` cycles after `a`, needs a bank in the cycle in which `a` does.
bool meetInBank(const LoopNode& a, const LoopNode& b, int distance, int interval) {
  return a.banks & b.banks && (distance + b.bankCycle - a.bankCycle) % interval == 0;
}

/// Cycles of a round in which the core waits for a bank, on average.
double bankStalls(const std::vector<LoopNode>& nodes, const LoopSchedule& schedule) {
  double stalls = 0;
  for (size_t a = 0; a < nodes.size(); ++a)
    for (size_t b = a + 1; b < nodes.size(); ++b)
      if (meetInBank(nodes[a], nodes[b], schedule.cycles[b] - schedule.cycles[a],
                     schedule.interval))
        stalls += bankShare(nodes[a], nodes[b]);
  return stalls;
}

constexpr int kUnplaced = INT_MIN;

/// How instructions are placed: each as early as it may be, from the start of a round on, or as
/// late as it may be, from its end back, which lets values live for a shorter time.
enum class Direction : int8_t { Forward = 1, Backward = -1 };

class IterativeScheduler {
 public:
  IterativeScheduler(const std::vector<LoopNode>& nodes, const std::vector<RoundEdge>& edges,
                     const LoopResources& resources)
      : nodes_(nodes),
        edges_(edges),
        resources_(resources),
        before_(nodes.size()),
        after_(nodes.size()),
        usable_(nodes.size()) {}

  /// False when results that later rounds read need a larger interval.
  bool findHeights(int interval) {
    interval_ = interval;
    return codegen::findHeights(nodes_.size(), edges_, interval, height_);
  }

  /// From the start of a round to its last result, with the heights that were found last.
  int longestWay() const { return *std::ranges::max_element(height_); }

  /// With `avoidsBanks` no two accesses of a bank that surely is the same go to it in one cycle.
  /// Each `variant` but 0 has an order that is a little different.
  bool run(Direction direction, bool avoidsBanks, uint32_t variant) {
    constexpr size_t kBudget = 12;
    avoidsBanks_ = avoidsBanks;
    direction_ = static_cast<int>(direction);
    times_.assign(nodes_.size(), kUnplaced);
    lastTimes_.assign(nodes_.size(), kUnplaced);
    chosen_.assign(nodes_.size(), 0);
    table_.emplace(resources_.units(), interval_);
    order_ = orderOf();
    if (variant) vary(variant);
    rankOrder();
    findDistances();
    if (!findUsable()) return false;
    size_t budget = nodes_.size() * kBudget;
    for (size_t placed = 0; placed < nodes_.size();) {
      if (!budget--) return false;
      placed += 1;
      placed -= place(nextNode());
    }
    return true;
  }

  std::vector<int> times() const {
    std::vector<int> times = times_;
    for (int& time : times)
      time *= direction_;
    return times;
  }
  const std::vector<size_t>& choices() const { return chosen_; }

 private:
  /// From the start, what has the longest way to the end of a round goes first. From the end back,
  /// the order of the program: who wrote it has put loads next to their users.
  std::vector<uint32_t> orderOf() const {
    std::vector<uint32_t> order(nodes_.size());
    std::iota(order.begin(), order.end(), 0u);
    if (direction_ < 0) {
      std::ranges::reverse(order);
      return order;
    }
    std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) {
      return height_[a] != height_[b] ? height_[a] > height_[b]
                                      : nodes_[a].choices.size() < nodes_[b].choices.size();
    });
    return order;
  }

  /// Moves each instruction back by a few places, by numbers that depend on `variant` alone.
  void vary(uint32_t variant) {
    constexpr uint32_t kFarthest = 12;
    std::minstd_rand random(variant);
    std::vector<uint32_t> place(nodes_.size());
    for (uint32_t i = 0; i < order_.size(); ++i)
      place[order_[i]] = i + static_cast<uint32_t>(random() % kFarthest);
    std::ranges::stable_sort(order_, {}, [&](uint32_t node) { return place[node]; });
  }

  /// A node to which another one keeps so many cycles.
  struct Neighbor {
    uint32_t node;
    int distance;
  };

  /// The edges as the direction has them, with the distances that this interval leaves.
  void findDistances() {
    for (uint32_t node = 0; node < nodes_.size(); ++node) {
      before_[node].clear();
      after_[node].clear();
    }
    for (const RoundEdge& edge : edges_) {
      if (edge.from == edge.to) continue;
      const uint32_t first = direction_ > 0 ? edge.from : edge.to,
                     second = direction_ > 0 ? edge.to : edge.from;
      const int distance = edge.distance - edge.rounds * interval_;
      before_[second].push_back({first, distance});
      after_[first].push_back({second, distance});
    }
  }

  /// The choices of each node that are not in their own way in another round; false when a node's
  /// first one is.
  bool findUsable() {
    for (uint32_t node = 0; node < nodes_.size(); ++node) {
      usable_[node].clear();
      for (size_t choice = 0; choice < nodes_[node].choices.size(); ++choice)
        if (!resources_.hitsItself(node, choice, interval_)) usable_[node].push_back(choice);
      if (usable_[node].empty() || usable_[node].front() != 0) return false;
    }
    return true;
  }

  void rankOrder() {
    rank_.resize(order_.size());
    for (uint32_t rank = 0; rank < order_.size(); ++rank)
      rank_[order_[rank]] = rank;
    next_ = 0;
  }

  /// The first one in order that has no place.
  uint32_t nextNode() {
    while (times_[order_[next_]] != kUnplaced)
      ++next_;
    return order_[next_];
  }

  /// Places a node, where necessary in place of others: returns how many had to go.
  size_t place(uint32_t node) {
    int earliest = 0;
    for (const Neighbor& first : before_[node])
      if (const int time = times_[first.node]; time != kUnplaced)
        earliest = std::max(earliest, time + first.distance);
    for (int time = earliest; time < earliest + interval_; ++time)
      if (auto choice = fitOf(node, time)) return settle(node, time, *choice);
    int forced =
        lastTimes_[node] == kUnplaced ? earliest : std::max(earliest, lastTimes_[node] + 1);
    return settle(node, forced, 0, evict(node, forced));
  }

  size_t settle(uint32_t node, int time, size_t choice, size_t evicted = 0) {
    put(node, time, choice);
    lastTimes_[node] = time;
    return evicted + evictSuccessors(node);
  }

  size_t evictSuccessors(uint32_t node) {
    size_t count = 0;
    const int time = times_[node];
    for (const Neighbor& second : after_[node])
      if (times_[second.node] != kUnplaced && times_[second.node] < time + second.distance)
        count += remove(second.node);
    for (const Neighbor& first : before_[node])
      if (times_[first.node] != kUnplaced && time < times_[first.node] + first.distance)
        count += remove(first.node);
    return count;
  }

  /// Takes out all that stands in the way of the first choice of `node` at `time`.
  size_t evict(uint32_t node, int time) {
    size_t count = 0;
    const Reservation wanted = placeOf(node, 0, time);
    for (uint32_t other = 0; other < nodes_.size(); ++other)
      if (other != node && times_[other] != kUnplaced &&
          table_->exclude(wanted, placeOf(other, chosen_[other], times_[other])))
        count += remove(other);
    return count;
  }

  Reservation placeOf(uint32_t node, size_t choice, int time) const {
    return resources_.at(node, choice, direction_ * time, avoidsBanks_);
  }

  std::optional<size_t> fitOf(uint32_t node, int time) {
    for (size_t choice : usable_[node])
      if (table_->isFree(placeOf(node, choice, time))) return choice;
    return std::nullopt;
  }

  void put(uint32_t node, int time, size_t choice) {
    times_[node] = time;
    chosen_[node] = choice;
    table_->put(placeOf(node, choice, time));
  }

  size_t remove(uint32_t node) {
    if (times_[node] == kUnplaced) return 0;
    table_->remove(placeOf(node, chosen_[node], times_[node]));
    times_[node] = kUnplaced;
    next_ = std::min(next_, rank_[node]);
    return 1;
  }

  const std::vector<LoopNode>& nodes_;
  const std::vector<RoundEdge>& edges_;
  const LoopResources& resources_;
  std::vector<std::vector<Neighbor>> before_, after_;  // of each node
  std::vector<std::vector<size_t>> usable_;            // choices of each node
  int interval_ = 1, direction_ = 1;
  bool avoidsBanks_ = false;
  std::vector<int> height_, times_, lastTimes_;
  std::vector<size_t> chosen_;
  std::optional<ReservationTable> table_;
  std::vector<uint32_t> order_, rank_;  ///< nodes, and where each stands among them
  uint32_t next_ = 0;                   ///< all before it in order have places
};

/// A store of part of a word in the last bundle of a short loop is lost when the loop goes round
/// (errata under rules.zol of the instruction set).
bool losesStore(const LoopSchedule& schedule, const std::vector<MachineInst>& body) {
  constexpr int kLongestShort = 7;  // bundles of 16 bytes
  if (schedule.interval > kLongestShort) return false;
  for (size_t i = 0; i < body.size(); ++i)
    if (body[i].row().is(isa::kPartWord) &&
        schedule.cycles[i] % schedule.interval == schedule.interval - 1)
      return true;
  return false;
}

/// Cycles from 0 on; where the loop has its seam does not matter to what is computed.
void normalize(LoopSchedule& schedule, const std::vector<MachineInst>& body) {
  int first = *std::ranges::min_element(schedule.cycles);
  for (int& cycle : schedule.cycles)
    cycle -= first;
  for (int turn = 0; turn < schedule.interval && losesStore(schedule, body); ++turn)
    for (int& cycle : schedule.cycles)
      ++cycle;
  schedule.stages = *std::ranges::max_element(schedule.cycles) / schedule.interval + 1;
}

}  // namespace

class LoopSearch::State {
 public:
  State(std::vector<MachineInst> body, std::span<const RegClass> classes, const RoundCount& count)
      : body_(std::move(body)), classes_(classes.begin(), classes.end()), count_(count) {
    if (body_.empty() || !makeLoopNodes(body_, classes, nodes_, why_)) return;
    preferFreeSlots(nodes_);
    edges_ = edgesOf(nodes_);
    ordered_ = orderOfProducts(nodes_);
    ordered_.insert(ordered_.end(), edges_.begin(), edges_.end());
    units_.emplace(nodes_);
    resources_.emplace(nodes_, *units_);
    inOrder_.emplace(nodes_, ordered_, *resources_);
    free_.emplace(nodes_, edges_, *resources_);
    slack_.emplace(nodes_, edges_, *resources_);
    relief_.emplace(nodes_, edges_, *resources_, classes_);
    bound.slots = slotBound(nodes_);
    bound.recurrence = recurrenceBound(nodes_.size(), edges_);
    banks_ = bankBound(nodes_);
    isAie2_ = &isa::setOf(body_.front().form) == &isa::aie2();
    limit_ = std::min(int64_t{count_.rounds} * plainCycles() - kSetUp, count_.below);
    interval_ = std::max(bound.slots, bound.recurrence);
    last_ = std::min(isWorthMoves() ? 3 * interval_ + 8 : interval_ + interval_ / 2 + 8,
                     kLargestInterval);
  }

  const ScheduledBody* best() {
    // A larger interval may be better still, with fewer stalls.
    while (hasMore() && (found_.empty() || bestFound()->cycles > leastCycles()))
      searchInterval();
    return found_.empty() ? nullptr : &*bestFound();
  }

  void rejectBest() {
    wasRejected_ = true;
    found_.erase(bestFound());
  }

  /// Of AIE2P, which has few: AIE2 has lists for bodies that are so large.
  bool lacksRegisters() const { return wasRejected_ && !isAie2_; }

  std::string why() const {
    if (!why_.empty()) return why_;
    if (wasRejected_) return "no schedule gets by with the registers that there are";
    return wasTooSlow_ || interval_ <= last_ ? "it runs too few rounds"
                                             : "no schedule with overlapping rounds was found";
  }

  LoopBound bound;

 private:
  struct Attempt {
    bool isInOrder;
    Direction direction;
    bool avoidsBanks;
    size_t found = 0;
  };

  /// Intervals that may give nothing, one after the other: longer ones are rarely better, and those
  /// of large bodies take long to search. AIE2P has few accumulators, so that a little room between
  /// values is what a body needs.
  int mostFailures() const {
    constexpr int kEffort = 1000, kLeast = 3, kMost = 18, kOfAie2p = 12;
    if (!isAie2_) return kOfAie2p;
    if (isAlternative()) return kLeast;
    return std::clamp(kEffort / std::max(static_cast<int>(nodes_.size()), 1), kLeast, kMost);
  }

  int64_t leastCycles() const { return int64_t{count_.rounds} * interval_; }
  /// Of intervals of two rounds a part of so much is not missed.
  static constexpr int kPairStep = 24;
  /// Of AIE2P, whose registers are few, intervals may be much longer than the slots allow: then by a tenth.
  int stepAfter(int interval) const {
    constexpr int kShortStep = 10, kNear = 8;
    if (count_.isPair) return std::max(1, interval / kPairStep);
    const bool isNear = isAie2_ || interval <= bound.slots + bound.slots / kNear;
    return isNear ? 1 : std::max(1, interval / kShortStep);
  }
  /// What setting the loop up takes besides.
  static constexpr int64_t kSetUp = 8;

  /// Cycles of a round whose end the next one waits for: the longest way through it, its
  /// instructions, or its accesses to one bank, and the jump. Of AIE2P, whose bodies share a few registers,
  /// lists were found to take at least half as long again.
  int plainCycles() {
    constexpr int kNoOverlap = 1 << 20, kInstructionsPerCycle = 2;
    free_->findHeights(kNoOverlap);
    const int least = std::max(
        {free_->longestWay(), static_cast<int>(nodes_.size()) / kInstructionsPerCycle, banks_});
    return (isAie2_ ? least : least + least / 2) + static_cast<int>(isa::kDelaySlots);
  }

  bool hasMore() const {
    return interval_ <= last_ && leastCycles() < limit_ && failures_ < mostFailures();
  }
  std::vector<ScheduledBody>::iterator bestFound() {
    return std::ranges::min_element(found_, {}, &ScheduledBody::cycles);
  }

  /// How many more orders are tried for an interval: where it is worth the time.
  /// Where no order has led to a schedule, others seldom do.
  uint32_t variants() const {
    constexpr size_t kEffort = 3200, kMost = 24, kFew = 4;
    if (!isAie2_) return kFew;
    return static_cast<uint32_t>(
        std::min(kEffort / nodes_.size(), isAlternative() || !tried_ ? kFew : kMost));
  }
  /// Whether there is a schedule already, of another body.
  bool isAlternative() const { return count_.below != INT64_MAX; }
  /// A schedule of this interval in which nothing waits for a bank.
  bool hasBest() const {
    return std::ranges::any_of(found_, [&](const ScheduledBody& body) {
      return body.schedule.interval == interval_ && !body.waits;
    });
  }

  void searchInterval() {
    constexpr size_t kEnough = 6;
    const bool isOrdered = inOrder_->findHeights(interval_), isFree = free_->findHeights(interval_);
    const size_t before = found_.size();
    tried_ = 0;
    leastExcess_ = INT_MAX;
    for (Attempt& attempt : attempts_) {
      if (givesUpEarly()) break;
      if (attempt.avoidsBanks && banks_ > interval_) continue;
      if (attempt.isInOrder && count_.isPair) continue;  // one round after the other
      IterativeScheduler& scheduler = attempt.isInOrder ? *inOrder_ : *free_;
      if (attempt.found < kEnough && (attempt.isInOrder ? isOrdered : isFree) &&
          scheduler.run(attempt.direction, attempt.avoidsBanks, 0))
        attempt.found += add(scheduler, attempt.avoidsBanks);
    }
    for (bool avoidsBanks : {true, false})
      if (isFree && !(avoidsBanks && banks_ > interval_) && !hasBest() && !givesUpEarly() &&
          slack_->run(interval_, avoidsBanks))
        add(*slack_, avoidsBanks);
    for (uint32_t variant = 1; variant <= variants() && !hasBest() && !isHopeless(); ++variant) {
      IterativeScheduler& scheduler = variant % 2 && isOrdered ? *inOrder_ : *free_;
      if ((isOrdered || isFree) && scheduler.run(Direction::Backward, banks_ <= interval_, variant))
        add(scheduler, banks_ <= interval_);
    }
    failures_ = found_.size() == before ? failures_ + 1 : 0;
    interval_ += stepAfter(interval_);
  }

  template <class Scheduler> bool add(const Scheduler& scheduler, bool avoidsBanks) {
    Placement placement{scheduler.times(), scheduler.choices()};
    // Before the long search for registers.
    if (!isAie2_ && hasTooFewRounds(scheduleOf(placement))) return false;
    if (!getsRegisters(placement, avoidsBanks)) return wasRejected_ = true, false;
    ScheduledBody candidate;
    candidate.schedule = scheduleOf(placement);
    if (losesStore(candidate.schedule, body_) || hasTooFewRounds(candidate.schedule)) return false;
    const auto before = static_cast<uint32_t>(candidate.schedule.stagesBefore());
    const double stalls = bankStalls(nodes_, candidate.schedule);
    candidate.waits = stalls > 0;
    candidate.cycles = static_cast<int64_t>((count_.rounds + before) * (interval_ + stalls));
    wasTooSlow_ |= candidate.cycles >= limit_;
    if (candidate.cycles >= limit_) return false;
    for (uint32_t n = 0; n < nodes_.size(); ++n)
      candidate.forms.push_back(nodes_[n].choices[placement.choices[n]].form());
    found_.push_back(std::move(candidate));
    return true;
  }

  LoopSchedule scheduleOf(const Placement& placement) const {
    LoopSchedule schedule{interval_, 0, placement.times, count_.leftOut};
    normalize(schedule, body_);
    return schedule;
  }
  /// Whether so many rounds would be under way when the loop begins.
  bool hasTooFewRounds(const LoopSchedule& schedule) const {
    return static_cast<uint32_t>(schedule.stagesBefore()) >= count_.rounds;
  }

  /// Whether no more values are alive than there are registers, after moves where that helps.
  bool getsRegisters(Placement& placement, bool avoidsBanks) {
    const int excess = excessOf(placement, avoidsBanks);
    leastExcess_ = std::min(leastExcess_, excess);
    ++tried_;
    return excess == 0;
  }

  /// Of AIE2P: whether the loop runs often enough for a long search.
  bool isWorthMoves() const {
    constexpr uint32_t kFewRounds = 12;
    return !isAie2_ && count_.rounds >= kFewRounds;
  }

  /// Of AIE2P, whose intervals are many, moves are tried for so many schedules of a loop, and where few values are too many.
  int excessOf(Placement& placement, bool avoidsBanks) {
    constexpr int kMostReliefs = 60, kFewValues = 8;
    if (!isAie2_) {
      const int plain = LoopPressure(nodes_, classes_, interval_, placement.times).excess();
      if (plain == 0 || plain > kFewValues || !isWorthMoves() || ++reliefs_ > kMostReliefs)
        return plain;
    }
    return relief_->run(placement, interval_, avoidsBanks);
  }

  /// Whether schedules of this interval were found that are far from getting by with the registers.
  bool isHopeless() const {
    constexpr int kTried = 4, kTriedOfAie2p = 1, kFar = 3;
    return tried_ >= (isAie2_ ? kTried : kTriedOfAie2p) && leastExcess_ >= kFar;
  }

  /// Of AIE2P, with many intervals to come.
  bool givesUpEarly() const { return !isAie2_ && isHopeless(); }

  std::vector<MachineInst> body_;
  std::vector<RegClass> classes_;
  RoundCount count_;
  int64_t limit_ = 0;  ///< schedules that take so many cycles are of no use
  std::vector<LoopNode> nodes_;
  std::vector<RoundEdge> edges_, ordered_;
  std::optional<UnitTable> units_;
  std::optional<LoopResources> resources_;
  std::optional<IterativeScheduler> inOrder_, free_;
  std::optional<SlackScheduler> slack_;
  std::optional<PressureRelief> relief_;
  std::array<Attempt, 6> attempts_ = {{{true, Direction::Backward, true},
                                       {true, Direction::Backward, false},
                                       {false, Direction::Backward, true},
                                       {false, Direction::Backward, false},
                                       {false, Direction::Forward, true},
                                       {false, Direction::Forward, false}}};
  std::vector<ScheduledBody> found_;
  int interval_ = 1, last_ = 0, banks_ = 0, failures_ = 0;
  int tried_ = 0, reliefs_ = 0,
      leastExcess_ = 0;  ///< of the schedules of this interval, before they are rejected
  bool wasRejected_ = false, wasTooSlow_ = false, isAie2_ = true;
  std::string why_;
};

LoopSearch::LoopSearch(std::vector<MachineInst> body, std::span<const RegClass> classes,
                       const RoundCount& count)
    : state_(std::make_unique<State>(std::move(body), classes, count)) {}
LoopSearch::~LoopSearch() = default;
LoopSearch::LoopSearch(LoopSearch&&) noexcept = default;
LoopSearch& LoopSearch::operator=(LoopSearch&&) noexcept = default;
const LoopBound& LoopSearch::bound() const { return state_->bound; }
const ScheduledBody* LoopSearch::best() { return state_->best(); }
void LoopSearch::rejectBest() { state_->rejectBest(); }
std::string LoopSearch::why() const { return state_->why(); }
bool LoopSearch::lacksRegisters() const { return state_->lacksRegisters(); }

}  // namespace airlite::npu::codegen
