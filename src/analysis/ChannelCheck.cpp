// P1 and P2: balance of channels, and the words for a program that is stuck.
#include "Findings.hpp"

#include <algorithm>
#include <map>

namespace airlite::analysis {

std::string quoted(const Operation& op) { return "'" + std::string(op.name()) + "'"; }

static std::string placeText(Operation* channel, std::span<const int64_t> index) {
  return "'@" + std::string(air::ChannelOp(channel).symbol()) +
         (index.empty() ? "" : indexText(index)) + "'";
}

std::string laneText(const Lane& lane) {
  return placeText(air::ChannelOp(lane.channel).op(), lane.index);
}

std::string instanceText(const Unfolding& unfolding, InstanceId instance) {
  std::string text;
  for (; instance != kNone; instance = unfolding.instances[instance].outer) {
    const Instance& at = unfolding.instances[instance];
    if (at.index.empty()) continue;
    bool isLoop = !air::asHierarchy(at.op);
    text += (text.empty() ? " in " : ", ") +
            (isLoop && at.index.size() == 1 ? "iteration " + std::to_string(at.index[0])
                                            : indexText(at.index)) +
            " of " + quoted(*at.op);
    if (at.lane >= 0) text += ", lane " + std::to_string(at.lane);
  }
  return text;
}

void noteAssumptions(InFlightDiagnostic& diagnostic, const Unfolding& unfolding) {
  constexpr size_t kMost = 4;
  for (size_t i = 0; i < unfolding.assumptions.size() && i < kMost; ++i) {
    const Assumption& assumption = unfolding.assumptions[i];
    diagnostic.note(assumption.value.location())
        << "it happens where this value is " << assumption.number;
  }
}

// -- Balance --------------------------------------------------------------------------------------

namespace {

struct Side {
  int64_t count = 0, elements = 0;  // or bytes, of a mixed lane
  std::map<Operation*, int64_t> runs;

  void add(const Point& point, int64_t amount) {
    ++count;
    elements += std::max<int64_t>(amount, 0);
    ++runs[point.op];
  }
};

struct Balance {
  Side puts;
  std::vector<Side> gets;  // of each destination
  bool hasUnknownSize = false;

  bool agrees(const Side& got) const {
    return hasUnknownSize ? puts.count == got.count : puts.elements == got.elements;
  }
};

std::string plural(int64_t count, std::string_view word) {
  return std::to_string(count) + " " + std::string(word) + (count == 1 ? "" : "s");
}

Operation* firstOf(const Side& side) {
  auto earlier = [](const auto& a, const auto& b) {
    return a.first->location().offset() < b.first->location().offset();
  };
  return std::min_element(side.runs.begin(), side.runs.end(), earlier)->first;
}

bool haveOneSize(const Side& puts, const Side& gets) {
  return puts.count == 0 || gets.count == 0 ||
         puts.elements * gets.count == gets.elements * puts.count;
}

std::string balanceText(const Side& puts, const Side& gets, std::string_view unit) {
  std::string text = plural(puts.count, "put") + " and " + plural(gets.count, "get");
  if (haveOneSize(puts, gets)) return text;
  return text + ", " + plural(puts.elements, unit) + " sent and " + std::to_string(gets.elements) +
         " taken";
}

void noteRuns(InFlightDiagnostic& error, const Side& side, std::string_view what) {
  std::vector<std::pair<Operation*, int64_t>> runs(side.runs.begin(), side.runs.end());
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
    return a.first->location().offset() < b.first->location().offset();
  });
  for (const auto& [op, count] : runs)
    error.note(op->location()) << "this " << what << " runs " << plural(count, "time");
}

void reportUnbalanced(const CheckedRun& run, const Lane& lane, const Balance& balance,
                      size_t destination, Findings& findings) {
  const Side& puts = balance.puts;
  const Side& gets = balance.gets[destination];
  bool tooManyPuts = balance.hasUnknownSize || puts.elements == gets.elements
                         ? puts.count > gets.count
                         : puts.elements > gets.elements;
  Operation* at = firstOf(tooManyPuts ? puts : gets);
  Operation* channel = air::ChannelOp(lane.channel).op();
  if (!findings.add({FindingKind::Unbalanced, &run.function, channel, nullptr})) return;
  InFlightDiagnostic error = at->emitError();
  error << "channel " << laneText(lane)
        << " is not balanced: " << balanceText(puts, gets, lane.isMixed ? "byte" : "element");
  if (balance.gets.size() > 1) error << " at destination " << destination << " of its broadcast";
  noteRuns(error, puts, "put");
  noteRuns(error, gets, "get");
  if (puts.count == 0) error.note(channel->location()) << "no put sends to this place";
  if (gets.count == 0) error.note(channel->location()) << "no get takes from this place";
  noteAssumptions(error, run.unfolding);
}

}  // namespace

void checkBalance(const CheckedRun& run, Findings& findings) {
  const Unfolding& unfolding = run.unfolding;
  std::vector<Balance> balances(unfolding.lanes.size());
  for (size_t i = 0; i < balances.size(); ++i)
    balances[i].gets.resize(unfolding.lanes[i].numDestinations);
  for (const Point& point : unfolding.points) {
    if (point.kind != PointKind::Send && point.kind != PointKind::Receive) continue;
    Balance& balance = balances[point.lane];
    balance.hasUnknownSize |= point.elements < 0;
    (point.kind == PointKind::Send ? balance.puts : balance.gets[point.destination])
        .add(point, unfolding.amountOf(point));
  }
  for (size_t i = 0; i < balances.size(); ++i)
    for (size_t d = 0; d < balances[i].gets.size(); ++d)
      if (!balances[i].agrees(balances[i].gets[d]))
        reportUnbalanced(run, unfolding.lanes[i], balances[i], d, findings);
}

// -- Balance for all numbers ----------------------------------------------------------------------

std::string balancedText(const ProvenBalance& proven) {
  air::ChannelOp channel = proven.channel;
  std::string text = "balanced whatever the open numbers are";
  if (proven.puts.empty()) return text;
  return text + ": " + proven.puts + (proven.areElements ? " elements" : " puts and gets") +
         " at " + placeText(channel.op(), proven.place);
}

bool reportNeverBalanced(Operation& function, const ProvenBalance& proven, Findings& findings) {
  air::ChannelOp channel = proven.channel;
  if (!findings.add({FindingKind::Unbalanced, &function, channel.op(), nullptr})) return false;
  InFlightDiagnostic error = proven.ops.front()->emitError();
  error << "channel " << placeText(channel.op(), proven.place)
        << " is never balanced: " << proven.puts
        << (proven.areElements ? " elements are put" : " puts") << " and " << proven.gets
        << (proven.areElements ? " are got" : " gets");
  if (proven.isBroadcast) error << " at destination " << proven.destination << " of its broadcast";
  for (size_t i = 1; i < proven.ops.size(); ++i)
    error.note(proven.ops[i]->location())
        << (isa<air::ChannelPutOp>(proven.ops[i]) ? "another put" : "a get") << " is here";
  return true;
}

// -- Deadlock -------------------------------------------------------------------------------------

namespace {

class Stuck {
 public:
  Stuck(const CheckedRun& run, const Playback& playback)
      : run_(run),
        in_(run.unfolding),
        playback_(playback),
        before_(
            graph::Digraph(static_cast<graph::NodeId>(in_.points.size()), in_.arcs).reversed()) {
    for (PointId i = 0; i < in_.points.size(); ++i) {
      if (playback_.happened[i]) continue;
      const Point& point = in_.points[i];
      if (playback_.ready[i]) blocked_.push_back(i);
      if (point.kind == PointKind::Send) left_.try_emplace({point.lane, true}, i);
      if (point.kind == PointKind::Receive) left_.try_emplace({point.lane, false}, i);
    }
    std::stable_sort(blocked_.begin(), blocked_.end(), [&](PointId a, PointId b) {
      return in_.points[a].op->location().offset() < in_.points[b].op->location().offset();
    });
  }

  /// A cycle where there is one, a wait that nobody ends where there is not.
  void report(Findings& findings) {
    std::vector<Wait> path;
    for (PointId start : blocked_)
      if (findCycle(start, path)) return show(path, true, findings);
    if (!blocked_.empty()) show({{blocked_.front(), kNone}}, false, findings);
  }

 private:
  struct Wait {
    PointId point;  // that waits
    PointId until;  // this has happened; kNone: nothing is left that could end it
  };

  /// What would end the wait of a blocked point.
  PointId enderOf(PointId id) const {
    const Point& point = in_.points[id];
    if (point.kind == PointKind::Acquire) return holderOf(point);
    auto found = left_.find({point.lane, point.kind == PointKind::Receive});
    return found == left_.end() ? kNone : found->second;
  }

  PointId holderOf(const Point& acquire) const {
    for (PointId i = 0; i < in_.points.size(); ++i) {
      const Point& point = in_.points[i];
      if (point.kind != PointKind::Release || playback_.happened[i]) continue;
      if (playback_.happened[point.begin] && shareLock(in_.points[point.begin], acquire)) return i;
    }
    return kNone;
  }

  bool shareLock(const Point& a, const Point& b) const {
    for (uint32_t i = 0; i < a.numLocks; ++i)
      for (uint32_t j = 0; j < b.numLocks; ++j)
        if (in_.locks[a.firstLock + i] == in_.locks[b.firstLock + j]) return true;
    return false;
  }

  /// The blocked point that keeps `point` from happening.
  PointId blockerOf(PointId point) const {
    while (point != kNone && !playback_.ready[point]) {
      PointId next = kNone;
      for (PointId before : before_.successors(point))
        if (!playback_.happened[before] && (next == kNone || before < next)) next = before;
      point = next;
    }
    return point;
  }

  bool findCycle(PointId start, std::vector<Wait>& path) const {
    path.clear();
    std::map<PointId, size_t> position;
    for (PointId at = start; at != kNone;) {
      auto [found, isNew] = position.try_emplace(at, path.size());
      if (!isNew) {
        path.erase(path.begin(), path.begin() + static_cast<ptrdiff_t>(found->second));
        return true;
      }
      PointId until = enderOf(at);
      path.push_back({at, until});
      at = until == kNone ? kNone : blockerOf(until);
    }
    return false;
  }

  std::string waitText(PointId id) const {
    const Point& point = in_.points[id];
    std::string who = quoted(*point.op);
    if (point.kind != PointKind::Acquire) who += " of " + laneText(in_.lanes[point.lane]);
    who += instanceText(in_, point.instance);
    switch (point.kind) {
      case PointKind::Send:
        return who + " waits for a free slot of the channel, whose depth is " +
               std::to_string(in_.lanes[point.lane].depth);
      case PointKind::Sent: return who + " waits until a get takes its data";
      case PointKind::Acquire: return who + " waits for what shares an affinity token with it";
      default: return who + " waits for a put";
    }
  }

  std::string enderText(const Wait& wait, PointId next) const {
    PointKind kind = in_.points[wait.point].kind;
    std::string what = kind == PointKind::Receive   ? "the put that could come"
                       : kind == PointKind::Acquire ? "what holds the token"
                                                    : "the get that could come";
    if (in_.points[wait.until].op == in_.points[next].op) return what + " is this one";
    return what + " is this one, after " +
           (next == wait.point ? "the op that waits" : "the wait shown next");
  }

  void show(std::vector<Wait> path, bool isCycle, Findings& findings) {
    rotate(path);
    Operation* first = in_.points[path.front().point].op;
    if (!findings.add({FindingKind::Deadlock, &run_.function, first, nullptr})) return;
    InFlightDiagnostic error = first->emitError();
    error << "deadlock: " << waitText(path.front().point);
    for (size_t i = 0; i < path.size(); ++i) {
      if (i > 0) error.note(in_.points[path[i].point].op->location()) << waitText(path[i].point);
      if (path[i].until == kNone) continue;
      PointId next = path[(i + 1) % path.size()].point;
      error.note(in_.points[path[i].until].op->location()) << enderText(path[i], next);
    }
    if (isCycle && path.size() > 1)
      error.note(first->location()) << "and so the first one waits for itself";
    if (blocked_.size() > path.size())
      error.note(first->location())
          << blocked_.size() - path.size() << " more wait for these or for others";
    if (std::ranges::any_of(path, [&](const Wait& wait) { return blocks(wait.point); }))
      error.note(first->location())
          << "without tokens each op waits for its end; as the AIR tools take it, transfers "
             "continue "
             "where memory lets them: air-dependency, or --async-transfers";
    noteAssumptions(error, in_);
  }

  /// A put or get of the host or a segment that the ops after it wait for.
  bool blocks(PointId id) const {
    Operation* op = in_.points[id].op;
    return (op->is("air.channel.put") || op->is("air.channel.get")) && op->numResults() == 0 &&
           !op->parentOf<air::HerdOp>();
  }

  /// The same cycle begins at the same op, whatever was found first.
  void rotate(std::vector<Wait>& path) const {
    auto first = std::min_element(path.begin(), path.end(), [&](const Wait& a, const Wait& b) {
      return in_.points[a.point].op->location().offset() <
             in_.points[b.point].op->location().offset();
    });
    std::rotate(path.begin(), first, path.end());
  }

  const CheckedRun& run_;
  const Unfolding& in_;
  const Playback& playback_;
  graph::Digraph before_;
  std::vector<PointId> blocked_;
  std::map<std::pair<uint32_t, bool>, PointId> left_;  // the first put (get) left of each lane
};

}  // namespace

void reportDeadlock(const CheckedRun& run, const Playback& playback, Findings& findings) {
  Stuck(run, playback).report(findings);
}

}  // namespace airlite::analysis
