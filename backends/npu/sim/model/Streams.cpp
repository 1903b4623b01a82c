#include "sim/model/Streams.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace airlite::npu::sim::model {
namespace {

/// Words below which nothing is left: rates are quotients.
constexpr double kNothing = 1e-6;
constexpr uint64_t kNever = UINT64_MAX;

uint64_t cyclesFor(double words, double rate) {
  if (rate <= 0) return kNever;
  return std::max<uint64_t>(1, static_cast<uint64_t>(std::ceil(words / rate - kNothing)));
}

}  // namespace

// -- What there is ----------------------------------------------------------------------------------

uint32_t Streams::addEnd(bool isSource) {
  ends_.push_back({});
  ends_.back().isSource = isSource;
  leaders_.push_back(uint32_t(ends_.size() - 1));
  return leaders_.back();
}

void Streams::join(uint32_t a, uint32_t b) {
  const uint32_t from = leaders_[a], to = leaders_[b];
  std::ranges::replace(leaders_, from, to);
}

void Streams::addWays(uint32_t source, int packet, const std::vector<Way>& ways) {
  std::vector<uint32_t>& targets = ways_[{source, packet}];
  for (const Way& way : ways) {
    StreamEnd& target = ends_[way.target];
    targets.push_back(way.target);
    target.capacity = target.capacity == 0 ? way.capacity : std::min(target.capacity, way.capacity);
    target.latency = std::max(target.latency, way.latency);
    if (packet < 0) target.feeder = source;
    join(source, way.target);
  }
}

void Streams::makeGroups() {
  std::map<uint32_t, uint32_t> numbers;
  for (uint32_t i = 0; i < ends_.size(); ++i) {
    const auto [found, isNew] = numbers.try_emplace(leaders_[i], uint32_t(groups_.size()));
    if (isNew) groups_.emplace_back();
    ends_[i].group = found->second;
    Group& group = groups_[found->second];
    (ends_[i].isSource ? group.sources : group.targets).push_back(i);
  }
}

// -- Ends begin and are done --------------------------------------------------------------------------

void Streams::open(uint32_t number, uint64_t now, double words, double fastest, uint64_t run,
                   int packet) {
  StreamEnd& end = ends_[number];
  Group& group = groups_[end.group];
  advance(group, now);
  end.isOpen = true;
  end.left = words;
  end.fastest = end.limit = fastest;
  end.run = run;
  if (run > 0) {
    auto& users = onDdr_[end.isSource];
    if (std::ranges::find(users, number) == users.end()) users.push_back(number);
    ddrChanged_[end.isSource] = true;
  }
  if (end.isSource) {
    const auto ways = ways_.find({number, packet});
    end.targets = ways == ways_.end() ? std::vector<uint32_t>() : ways->second;
    claim(group, number);
  }
  refresh(end.group, now);
}

/// A packet has its targets alone.
void Streams::claim(Group& group, uint32_t number) {
  StreamEnd& source = ends_[number];
  source.waits = source.targets.empty() || std::ranges::any_of(source.targets, [&](uint32_t t) {
                   return ends_[t].feeder != kNone && ends_[t].feeder != number;
                 });
  if (source.waits) return group.waiting.push_back(number);
  for (const uint32_t target : source.targets)
    ends_[target].feeder = number;
}

void Streams::finish(Group& group, uint32_t number) {
  StreamEnd& end = ends_[number];
  end.isOpen = false;
  end.left = end.rate = 0;
  done_.push_back(number);
  if (end.run > 0) ddrChanged_[end.isSource] = true;
  if (!end.isSource || ways_.contains({number, -1})) return;
  for (const uint32_t target : end.targets)
    ends_[target].feeder = kNone;
  for (const uint32_t source : std::exchange(group.waiting, {}))
    claim(group, source);
}

std::vector<uint32_t> Streams::takeDone() { return std::exchange(done_, {}); }

// -- Time passes --------------------------------------------------------------------------------------

void Streams::advance(Group& group, uint64_t now) {
  if (now <= group.at) return;
  const auto cycles = double(now - group.at);
  for (const uint32_t number : group.sources) {
    StreamEnd& source = ends_[number];
    if (!source.isOpen) continue;
    const double words = std::min(source.left, source.rate * cycles);
    source.left -= words;
    for (const uint32_t target : source.targets)
      if (!source.waits) ends_[target].fill += words;
    if (watch_) watch_->moved(number, group.at, now, words);
  }
  for (const uint32_t number : group.targets) {
    StreamEnd& target = ends_[number];
    if (!target.isOpen) continue;
    const double words = std::min({target.left, target.fill, target.rate * cycles});
    target.left -= words;
    target.fill -= words;
    if (watch_) watch_->moved(number, group.at, now, words);
  }
  group.at = now;
  for (const auto* side : {&group.sources, &group.targets})
    for (const uint32_t number : *side)
      if (ends_[number].isOpen && ends_[number].left < kNothing) finish(group, number);
}

void Streams::turn(const Event& event) {
  if (groups_[event.number].version != event.version) return;
  advance(groups_[event.number], event.cycle);
  refresh(event.number, event.cycle);
}

void Streams::stop(uint64_t now) {
  for (Group& group : groups_)
    advance(group, now);
}

// -- Rates --------------------------------------------------------------------------------------------

double Streams::takes(const StreamEnd& target, uint64_t now) const {
  return target.isOpen && now >= target.notBefore ? target.limit : 0;
}

void Streams::setSourceRate(StreamEnd& source, uint64_t now) {
  source.rate = source.isOpen && !source.waits ? source.limit : 0;
  for (const uint32_t number : source.targets) {
    const StreamEnd& target = ends_[number];
    if (target.fill >= target.capacity - kNothing)
      source.rate = std::min(source.rate, takes(target, now));
  }
}

void Streams::setTargetRate(StreamEnd& target, uint64_t now) {
  const double comes = target.feeder == kNone ? 0 : ends_[target.feeder].rate;
  const bool isEmpty = target.fill < kNothing;
  if (comes > 0 && target.isDry) target.notBefore = now + target.latency;
  target.isDry = comes == 0 && isEmpty;
  target.rate = takes(target, now);
  if (isEmpty) target.rate = std::min(target.rate, comes);
}

void Streams::setRates(Group& group, uint64_t now) {
  for (const uint32_t number : group.sources)
    setSourceRate(ends_[number], now);
  for (const uint32_t number : group.targets)
    setTargetRate(ends_[number], now);
}

uint64_t Streams::nextChange(const Group& group, uint64_t now) const {
  uint64_t cycles = kNever;
  const auto in = [&](uint64_t more) { cycles = std::min(cycles, more); };
  for (const uint32_t number : group.sources)
    if (ends_[number].isOpen) in(cyclesFor(ends_[number].left, ends_[number].rate));
  for (const uint32_t number : group.targets) {
    const StreamEnd& target = ends_[number];
    if (target.isOpen) in(cyclesFor(target.left, target.rate));
    if (target.isOpen && target.notBefore > now) in(target.notBefore - now);
    const double grows = (target.feeder == kNone ? 0 : ends_[target.feeder].rate) -
                         (target.isOpen ? target.rate : 0);
    if (grows > kNothing && target.fill < target.capacity - kNothing)
      in(cyclesFor(target.capacity - target.fill, grows));
    if (grows < -kNothing && target.fill > kNothing) in(cyclesFor(target.fill, -grows));
  }
  return cycles == kNever ? kNever : now + cycles;
}

void Streams::refresh(uint32_t number, uint64_t now) {
  Group& group = groups_[number];
  setRates(group, now);
  ++group.version;
  const uint64_t next = nextChange(group, now);
  if (next != kNever) events_.add(next, Turn::Streams, number, group.version);
  for (const auto* side : {&group.sources, &group.targets})
    for (const uint32_t end : *side)
      if (ends_[end].run > 0 && wantsDdr(ends_[end]) != ends_[end].wantsDdr)
        ddrChanged_[ends_[end].isSource] = true;
}

// -- DDR ----------------------------------------------------------------------------------------------

/// Whether it would use DDR if DDR were free.
bool Streams::wantsDdr(const StreamEnd& end) const {
  if (!end.isOpen || end.run == 0) return false;
  if (end.isSource) return !end.waits && end.rate > 0;
  return end.fill > kNothing || (end.feeder != kNone && ends_[end.feeder].rate > 0);
}

/// What those that use it leave each other.
void Streams::shareDdr(bool ofSources, uint64_t now) {
  std::vector<std::pair<DdrUser, uint32_t>> users;
  for (const uint32_t number : onDdr_[ofSources]) {
    StreamEnd& end = ends_[number];
    end.wantsDdr = wantsDdr(end);
    if (end.wantsDdr) users.push_back({{end.run, end.fastest}, number});
  }
  if (users.empty()) return;
  std::ranges::sort(users);
  std::vector<DdrUser> asking;
  for (const auto& [user, number] : users)
    asking.push_back(user);
  const std::vector<double>& shares = ddr_.of(asking);
  for (size_t i = 0; i < users.size(); ++i) {
    StreamEnd& end = ends_[users[i].second];
    const double limit = std::min(end.fastest, shares[i]);
    if (std::abs(limit - end.limit) < kNothing) continue;
    advance(groups_[end.group], now);
    end.limit = limit;
    refresh(end.group, now);
  }
}

void Streams::settle(uint64_t now) {
  // A new share may fill or empty a FIFO at once, which changes who wants one: a few rounds, or the next
  // event, find the balance.
  for (int round = 0; round < 4 && (ddrChanged_[0] || ddrChanged_[1]); ++round)
    for (const bool ofSources : {false, true})
      if (std::exchange(ddrChanged_[ofSources], false)) shareDdr(ofSources, now);
}

}  // namespace airlite::npu::sim::model
