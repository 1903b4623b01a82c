// Accesses that change what another one sees have to be ordered: by tokens, by what blocks, or by
// the data of a channel.
//
// Points are taken in the order of a play. For each buffer the accesses stay in view that a later
// one could race with: one that a later access comes after, and covers, is not needed any more,
// since whatever races with it and not with the later one would come before both.
#include "../text/SsaNames.hpp"
#include "Findings.hpp"
#include "airlite/graph/Algorithms.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace airlite::analysis {

namespace {

/// Pairs of accesses that are compared per function; with more the check is not complete.
constexpr size_t kMostPairs = 50'000'000;

struct Seen {
  PointId point;
  Touch touch;
  int64_t low = INT64_MIN, high = INT64_MAX;  // elements that it lies between
};

void setBounds(Seen& seen) {
  if (seen.touch.isWhole) return;
  __int128 low = seen.touch.start, high = seen.touch.start;
  for (const StridedDim& dim : *seen.touch.dims) {
    if (dim.count == kUnbounded) return;
    __int128 reach = static_cast<__int128>(dim.count - 1) * dim.stride;
    (reach < 0 ? low : high) += reach;
  }
  seen.low = static_cast<int64_t>(std::max<__int128>(low, INT64_MIN));
  seen.high = static_cast<int64_t>(std::min<__int128>(high, INT64_MAX));
}

/// True only when they have an element in common for certain.
bool overlap(const Seen& a, const Seen& b) {
  if (a.touch.isWhole || b.touch.isWhole) return true;
  if (a.high < b.low || b.high < a.low) return false;
  std::vector<StridedDim> terms = *a.touch.dims;
  for (StridedDim dim : *b.touch.dims)
    terms.push_back({dim.count, -dim.stride});
  return hasSolution(terms, b.touch.start - a.touch.start) == Answer::Yes;
}

bool covers(const Seen& later, const Seen& earlier) {
  if (later.touch.kind == AccessKind::Read && earlier.touch.kind == AccessKind::Write) return false;
  if (later.touch.isWhole) return true;
  return !earlier.touch.isWhole && later.touch.start == earlier.touch.start &&
         *later.touch.dims == *earlier.touch.dims;
}

bool isAtomic(const Operation& op) {
  return op.is("memref.atomic_rmw") || op.is("memref.generic_atomic_rmw");
}

bool isFree(const Operation& op) { return op.is("memref.dealloc"); }

bool isBefore(const Operation& a, const Operation& b) {
  return a.location().offset() < b.location().offset();
}

/// One class: pairs are compared while the accesses are collected, so that few are kept.
class Racer {
 public:
  Racer(const CheckedRun& run, const Playback& playback, Findings& findings)
      : run_(run), in_(run.unfolding), playback_(playback), findings_(findings) {
    std::vector<graph::Arc> arcs = in_.arcs;
    arcs.insert(arcs.end(), playback.arcs.begin(), playback.arcs.end());
    order_.emplace(graph::Digraph(static_cast<graph::NodeId>(in_.points.size()), arcs));
  }

  RaceCheck check() {
    buffers_.resize(in_.buffers.size());
    for (PointId point : playback_.order) {
      const Point& at = in_.points[point];
      for (uint32_t i = at.firstTouch; i < at.firstTouch + at.numTouches; ++i)
        addTouch(point, in_.touches[i]);
    }
    for (const std::vector<PointId>& sends : playback_.sendsOf)
      checkRow(sends);
    for (const std::vector<PointId>& receives : playback_.receivesOf)
      checkRow(receives);
    result_.isComplete = pairs_ < kMostPairs;
    return result_;
  }

 private:
  /// Those of one element by its place, which loops of cores have thousands of, and all others.
  struct AccessList {
    std::vector<Seen> several;
    std::map<int64_t, std::vector<Seen>> single;
  };
  struct Accesses {
    AccessList reads, writes;
  };

  void addTouch(PointId point, const Touch& touch) {
    Seen seen{point, touch};
    setBounds(seen);
    Accesses& accesses = buffers_[touch.buffer];
    bool isWrite = touch.kind == AccessKind::Write;
    compare(accesses.writes, seen);
    if (isWrite) compare(accesses.reads, seen);
    AccessList& list = isWrite ? accesses.writes : accesses.reads;
    std::vector<Seen>& own = seen.low == seen.high ? list.single[seen.low] : list.several;
    own.push_back(seen);
    if (!isWrite) forget(own, seen);
  }

  /// Drops what `later` stands for from now on.
  void forget(std::vector<Seen>& reads, const Seen& later) {
    constexpr size_t kLooksBack = 64;
    size_t end = reads.size() - 1, begin = end > kLooksBack ? end - kLooksBack : 0;
    for (size_t i = end; i-- > begin;) {
      bool isNeeded = !covers(later, reads[i]) || !order_->reaches(reads[i].point, later.point);
      if (isNeeded) continue;
      reads.erase(reads.begin() + static_cast<ptrdiff_t>(i));
    }
  }

  void compare(AccessList& list, const Seen& later) {
    compare(list.several, later);
    const auto end = list.single.upper_bound(later.high);
    for (auto at = list.single.lower_bound(later.low); at != end && pairs_ < kMostPairs;) {
      compare(at->second, later);
      at = at->second.empty() ? list.single.erase(at) : std::next(at);
    }
  }

  void compare(std::vector<Seen>& seen, const Seen& later) {
    if (pairs_ >= kMostPairs) return;
    size_t kept = 0;
    for (size_t i = 0; i < seen.size(); ++i) {
      bool stays = pairs_ >= kMostPairs || look(seen[i], later);
      if (stays && kept != i) seen[kept] = std::move(seen[i]);
      kept += stays;
    }
    seen.resize(kept);
  }

  /// False when `later` stands for `earlier` from now on.
  bool look(const Seen& earlier, const Seen& later) {
    ++pairs_;
    if (earlier.point == later.point || !overlap(earlier, later)) return true;
    if (order_->reaches(earlier.point, later.point)) {
      if (isFree(opOf(earlier.point))) reportFreed(earlier, later);
      return !covers(later, earlier);
    }
    const Operation& a = *in_.points[earlier.point].op;
    const Operation& b = *in_.points[later.point].op;
    if (isAtomic(a) && isAtomic(b)) return true;
    if (!writeTheSame(earlier, later) && !areSaidToWriteTheSame(earlier, later))
      report(earlier, later);
    return true;
  }

  /// Instances of one copy that take the same elements to the same place: cores that each fetch
  /// what all of them share. (That the source changes meanwhile is a race of its own.)
  bool writeTheSame(const Seen& a, const Seen& b) const {
    const Point &first = in_.points[a.point], &second = in_.points[b.point];
    bool isOneCopy = first.op == second.op && isa<air::DmaMemcpyNdOp>(first.op) &&
                     first.numTouches == second.numTouches;
    for (uint32_t i = 0; isOneCopy && i < first.numTouches; ++i) {
      const Touch& x = in_.touches[first.firstTouch + i];
      const Touch& y = in_.touches[second.firstTouch + i];
      isOneCopy = x.buffer == y.buffer && x.kind == y.kind && x.isWhole == y.isWhole &&
                  x.start == y.start && x.dims == y.dims;
    }
    return isOneCopy && first.numTouches == 2;
  }

  /// Null: the point is in none.
  const Instance* launchOf(PointId point) const {
    for (InstanceId at = in_.points[point].instance; at != kNone; at = in_.instances[at].outer)
      if (const Instance& instance = in_.instances[at]; isa<air::LaunchOp>(instance.op))
        return &instance;
    return nullptr;
  }

  /// Writes in two instances of a launch with `air.same_values`.
  bool areSaidToWriteTheSame(const Seen& a, const Seen& b) const {
    if (a.touch.kind != AccessKind::Write || b.touch.kind != AccessKind::Write) return false;
    const Instance *first = launchOf(a.point), *second = launchOf(b.point);
    return first && second && first->op == second->op && first->index != second->index &&
           first->op->hasAttr(air::kSameValues);
  }

  /// Transfers through one place have a fixed order, other than that in which they came in line.
  void checkRow(const std::vector<PointId>& row) {
    for (size_t i = 1; i < row.size(); ++i) {
      if (order_->reaches(row[i - 1], in_.points[row[i]].begin)) continue;
      result_.hasFreeOrder = true;
      reportRow(row[i - 1], row[i]);
    }
  }

  // -- Words
  // ---------------------------------------------------------------------------------------

  Operation& opOf(PointId point) const { return *in_.points[point].op; }
  std::string whereOf(PointId point) const { return instanceText(in_, in_.points[point].instance); }

  bool addFinding(Operation*& first, Operation*& second) {
    if (isBefore(*second, *first)) std::swap(first, second);
    return findings_.add({FindingKind::Race, &run_.function, first, second});
  }

  std::string name(Value value) {
    if (!names_) names_.emplace(*topOf(run_.function), false);
    std::string text;
    names_->append(text, value);
    return text;
  }

  static Operation* topOf(Operation& op) {
    Operation* top = &op;
    while (top->parentOp())
      top = top->parentOp();
    return top;
  }

  void report(const Seen& a, const Seen& b) {
    const Seen *first = &a, *second = &b;
    if (isBefore(opOf(b.point), opOf(a.point))) std::swap(first, second);
    Operation *firstOp = &opOf(first->point), *secondOp = &opOf(second->point);
    if (!addFinding(firstOp, secondOp)) return;
    auto verb = [&](const Seen& seen) {
      if (isFree(opOf(seen.point))) return "frees";
      return seen.touch.kind == AccessKind::Write ? "writes" : "reads";
    };
    std::string buffer = name(in_.buffers[a.touch.buffer].value);
    InFlightDiagnostic error = secondOp->emitError();
    error << "race: " << quoted(*secondOp) << whereOf(second->point) << " " << verb(*second) << " "
          << buffer << ", which " << quoted(*firstOp) << whereOf(first->point) << " "
          << verb(*first) << ", and nothing orders the two";
    if (firstOp != secondOp) error.note(firstOp->location()) << "the other access is here";
    noteFix(error, first->point, second->point);
    noteAssumptions(error, in_);
  }

  /// Ordered, and wrong for that.
  void reportFreed(const Seen& freed, const Seen& later) {
    Operation *free = &opOf(freed.point), *use = &opOf(later.point);
    if (!findings_.add({FindingKind::Fault, &run_.function, free, use})) return;
    InFlightDiagnostic error = use->emitError();
    error << quoted(*use) << whereOf(later.point) << (isFree(*use) ? " frees " : " uses ")
          << name(in_.buffers[freed.touch.buffer].value) << ", which has been freed";
    error.note(free->location()) << "it is freed here";
    noteAssumptions(error, in_);
  }

  void reportRow(PointId a, PointId b) {
    Operation *first = &opOf(a), *second = &opOf(b);
    if (isBefore(*second, *first)) std::swap(a, b);
    if (!addFinding(first, second)) return;
    const Point& point = in_.points[a];
    bool isPut = point.kind == PointKind::Send;
    InFlightDiagnostic error = second->emitError();
    error << "race: nothing orders this " << quoted(*second) << whereOf(b) << " and "
          << (first == second ? "the one" : "another one") << whereOf(a) << ", and both "
          << (isPut ? "send to " : "take from ") << laneText(in_.lanes[point.lane])
          << ": which comes first is open";
    if (first != second) error.note(first->location()) << "the other one is here";
    noteFix(error, a, b);
    noteAssumptions(error, in_);
  }

  // -- The missing edge
  // ----------------------------------------------------------------------------

  /// Bodies that a point is in, the outermost first.
  std::vector<InstanceId> pathOf(PointId point) const {
    std::vector<InstanceId> path;
    for (InstanceId at = in_.points[point].instance; at != kNone; at = in_.instances[at].outer)
      path.push_back(at);
    std::reverse(path.begin(), path.end());
    return path;
  }

  /// `first` stands before `second` in the text. Where their bodies part it is seen what is
  /// missing.
  void noteFix(InFlightDiagnostic& error, PointId first, PointId second) {
    std::vector<InstanceId> a = pathOf(first), b = pathOf(second);
    size_t common = 0;
    while (common < a.size() && common < b.size() && a[common] == b[common])
      ++common;
    bool areRuns = common < a.size() && common < b.size() &&
                   in_.instances[a[common]].op == in_.instances[b[common]].op;
    if (!areRuns) return noteEdge(error, opOf(first), opOf(second));
    const Instance &runA = in_.instances[a[common]], &runB = in_.instances[b[common]];
    if (air::asHierarchy(runA.op) || runA.op->hasTrait(Trait::ParallelLoop)) {
      error.note(runA.op->location()) << "the instances of this " << quoted(*runA.op)
                                      << " run side by side: give each its own elements";
      return;
    }
    noteCarried(error, *runA.op, runA.index < runB.index ? opOf(first) : opOf(second));
  }

  /// An op of one iteration that the next one does not wait for.
  void noteCarried(InFlightDiagnostic& error, Operation& loop, Operation& earlier) {
    Operation* inBody = &earlier;
    while (inBody->parentOp() != &loop)
      inBody = inBody->parentOp();
    Value token = tokenOf(*inBody);
    if (token)
      error.note(inBody->location())
          << "missing: " << name(token) << ", the token of this " << quoted(*inBody)
          << ", among what the " << quoted(loop) << " hands to its next iteration";
    else
      error.note(loop.location()) << "missing: a token that this " << quoted(loop)
                                  << " hands to its next iteration";
  }

  static Value tokenOf(Operation& op) {
    Value token = op.numResults() ? op.result(0) : Value();
    return token && air::isTokenType(token.type()) ? token : Value();
  }

  /// Between two ops of one block.
  void noteEdge(InFlightDiagnostic& error, Operation& first, Operation& second) {
    auto [a, b] = siblings(first, second);
    Value token = a && a != b ? tokenOf(*a) : Value();
    if (!token) return;
    error.note(b->location()) << "missing: "
                              << (air::isAsyncOp(*b)
                                      ? name(token) + " in the dependencies of this " + quoted(*b)
                                      : "a wait for " + name(token) + " before this " + quoted(*b))
                              << " (the token of the " << quoted(*a) << " at "
                              << formatLocation(a->context(), a->location()) << ")";
  }

  /// The ancestors of both that stand in one block; null when there are none.
  static std::pair<Operation*, Operation*> siblings(Operation& first, Operation& second) {
    for (Operation* a = &first; a; a = a->parentOp())
      for (Operation* b = &second; b; b = b->parentOp())
        if (a->block() && a->block() == b->block()) return {a, b};
    return {nullptr, nullptr};
  }

  const CheckedRun& run_;
  const Unfolding& in_;
  const Playback& playback_;
  Findings& findings_;
  std::optional<graph::Reachability> order_;
  std::vector<Accesses> buffers_;
  std::optional<text::SsaNames> names_;
  RaceCheck result_;
  size_t pairs_ = 0;
};

}  // namespace

RaceCheck checkRaces(const CheckedRun& run, const Playback& playback, Findings& findings) {
  return Racer(run, playback, findings).check();
}

}  // namespace airlite::analysis
