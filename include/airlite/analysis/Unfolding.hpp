// What a function does, op by op: its control unfolded with concrete numbers, every instance of a
// hierarchy op and every iteration by itself, as a graph of points that come before each other.
//
// Computations without tokens, channels or transfers inside are one point, however many loops they
// consist of. Numbers that the program does not fix (arguments, what is loaded from memory) are
// assumed: the unfolding is one of many, and says which it is.
//
//   analysis::Unfolder unfolder(*module);
//   analysis::Unfolding events = unfolder.unfold(function, {});
//   if (events.isComplete()) use(events.points, events.arcs);
#pragma once

#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/graph/Digraph.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace airlite::analysis {

using PointId = uint32_t;
using InstanceId = uint32_t;
inline constexpr uint32_t kNone = UINT32_MAX;

enum class PointKind : uint8_t {
  Step,     // an op that touches memory: dma, computation
  Offer,    // a put or get is next in its process: it waits in line at its channel
  Send,     // a put has a slot and reads its source
  Sent,     // a put is done
  Receive,  // a get has its data and writes it
  Acquire,  // what its affinity tokens stand for is its own from here
  Release,  // ... to here
  Join,     // everything that leads here is done
};

/// One run of a body: an instance of a hierarchy op, an iteration, a called function.
struct Instance {
  Operation* op = nullptr;
  InstanceId outer = kNone;
  std::vector<int64_t> index;
  int64_t lane = -1;  // of a core that runs its body once for each lane
};

struct Point {
  PointKind kind = PointKind::Join;
  Operation* op = nullptr;
  InstanceId instance = 0;
  uint32_t lane = kNone;     // of Send, Sent, Receive
  uint32_t destination = 0;  // of Receive: which of those that a broadcast reaches
  int64_t elements = 0;      // of Send and Receive; -1: not known
  /// Of Send and Receive: their Offer; of Sent: its Send; of Release: its Acquire.
  PointId begin = kNone;
  uint32_t firstTouch = 0, numTouches = 0;
  uint32_t firstMaybe = 0, numMaybes = 0;
  uint32_t firstLock = 0, numLocks = 0;  // of Acquire
};

/// Elements of a buffer that a point touches.
struct Touch {
  uint32_t buffer = 0;
  AccessKind kind = AccessKind::Read;
  bool isWhole = false;  // all of the buffer; else:
  int64_t start = 0;
  const std::vector<StridedDim>* dims = nullptr;  // owned by the unfolder or the unfolding
};

/// What a point may do with a part of a buffer, or with none of it. Where the program does not fix how
/// often a body runs, a point after it stands for the runs that are not unfolded.
struct MaybeTouch {
  uint32_t buffer = kNone;  // kNone: any
  AccessKind kind = AccessKind::Read;
  bool isOfOpenRun = false;  // of a run that is not unfolded
};

/// One place of a channel array: its own queue.
struct Lane {
  air::ChannelOp channel;
  std::vector<int64_t> index;
  int64_t depth = 1;
  uint32_t numDestinations = 1;
  int64_t elementBytes = 0;  // of what it transfers; 0: nothing yet, or a type without a size
  bool isMixed = false;      // elements of several sizes: bytes are what counts
};

/// One allocation, as often as it is run; an argument.
struct UnfoldedBuffer {
  Value value;
  bool isPerCore = false;   // L1 of a launch or segment: each core of a herd has its own
  uint32_t copyOf = kNone;  // such a one of a core: the buffer that it is a copy of
  bool isUnknown = false;   // which buffer this is cannot be told
};

struct Assumption {
  Value value;
  int64_t number = 0;
};

/// Something that is wrong on its own, found while unfolding.
struct UnfoldingFault {
  Operation* op = nullptr;
  InstanceId instance = 0;
  std::string message;
};

struct Unfolding {
  std::vector<Point> points;
  std::vector<graph::Arc> arcs;  // between points; acyclic
  std::vector<Instance> instances;
  std::vector<Touch> touches;
  std::vector<MaybeTouch> maybes;
  std::deque<std::vector<StridedDim>> ownDims;  // of transfers whose sizes are computed
  std::vector<uint64_t> locks;
  std::vector<Lane> lanes;
  std::vector<UnfoldedBuffer> buffers;
  std::vector<Assumption> assumptions;
  std::vector<UnfoldingFault> faults;
  std::vector<uint32_t> results;  // buffers that the function returns
  /// Not everything could be unfolded: where, and why. What is there is then a part.
  Operation* stoppedAt = nullptr;
  std::string stoppedBecause;
  bool isTooLarge = false;  // that is why: maxPoints
  /// Branches between blocks were followed that the program does not fix.
  bool hasOpenBranches = false;
  /// Accesses that may touch a part of what they are said to, and are left out.
  size_t uncertainTouches = 0;

  /// Which regions of conditionals were taken, as bits.
  std::map<Operation*, uint64_t> taken;

  bool isComplete() const { return stoppedAt == nullptr; }
  /// What a Send or Receive moves, in elements, or in bytes where its lane is mixed; -1: not known.
  int64_t amountOf(const Point& point) const;
};

struct UnfoldOptions {
  /// Larger programs are given up.
  size_t maxPoints = 1'000'000;
  /// Not 0: loops without channels inside run so many times at most, launches have so many
  /// instances (where their channels are their own). The unfolding is a part of the whole then.
  int64_t maxRepetitions = 0;
  /// What a value that the program does not fix is; asked once per value.
  std::function<int64_t(Value)> assume = [](Value) { return int64_t{1}; };
  /// How often loops run whose condition is assumed to hold.
  int64_t assumedTrips = 1;
};

/// Unfolds functions of one module, which must stay as it is while this lives.
class Unfolder {
 public:
  explicit Unfolder(Operation& module);
  ~Unfolder();
  /// `function`: a func.func with a body. O(points).
  Unfolding unfold(Operation& function, const UnfoldOptions& options);

 private:
  struct Plans;
  std::unique_ptr<Plans> plans_;
};

}  // namespace airlite::analysis
