// What a program hands out has been written: elements that nobody wrote are followed in one play,
// through transfers, channels and computations, to the arguments and results of the function.
#include "Definedness.hpp"
#include "Findings.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <algorithm>
#include <unordered_map>

namespace airlite::analysis {

namespace {

/// What a place of a channel has been sent, and how far each destination has come in it.
struct LaneContent {
  UndefinedStream sent;
  struct Cursor {
    size_t part = 0;
    int64_t taken = 0;  // of that part
  };
  std::vector<Cursor> cursors;
  bool isCounted = true;  // false: how much is sent or taken is not known, all is defined
};

/// One class: each step of the playback changes which memory is known and what lies in the channels, and the next step asks for both.
class DefinednessChecker {
 public:
  DefinednessChecker(const CheckedRun& run, const Playback& playback, Findings& findings)
      : run_(run), in_(run.unfolding), playback_(playback), findings_(findings), memory_(in_) {
    lanes_.resize(in_.lanes.size());
    for (size_t i = 0; i < lanes_.size(); ++i)
      lanes_[i].cursors.resize(in_.lanes[i].numDestinations);
    for (const Point& point : in_.points) {
      const bool isTransfer = point.kind == PointKind::Send || point.kind == PointKind::Receive;
      if (isTransfer && (point.elements < 0 || in_.lanes[point.lane].isMixed))
        lanes_[point.lane].isCounted = false;
    }
  }

  bool check() {
    for (PointId id : playback_.order) {
      const Point& point = in_.points[id];
      if (point.kind == PointKind::Step)
        step(point);
      else if (point.kind == PointKind::Send)
        send(point);
      else if (point.kind == PointKind::Receive)
        receive(point);
      if (memory_.budget < 0) return false;
    }
    report();
    return true;
  }

 private:
  std::span<const Touch> touchesOf(const Point& point) const {
    return std::span(in_.touches).subspan(point.firstTouch, point.numTouches);
  }
  std::span<const MaybeTouch> maybesOf(const Point& point) const {
    return std::span(in_.maybes).subspan(point.firstMaybe, point.numMaybes);
  }

  // -- Computations and copies

  void step(const Point& point) {
    if (!seesUndefined(point) && !mayDefine(point)) return define(point);
    if (isa<air::DmaMemcpyNdOp>(point.op)) {
      if (!copy(point)) define(point);
      return;
    }
    DefinedNest nest(in_, point, memory_);
    if (!nest.run()) define(point);
  }

  /// Writes under a condition, say: whether they happen shows when it is run.
  bool mayDefine(const Point& point) {
    return std::ranges::any_of(maybesOf(point), [&](const MaybeTouch& touch) {
      return touch.kind != AccessKind::Read && touch.buffer != kNone &&
             memory_.hasUndefined(touch.buffer);
    });
  }

  bool seesUndefined(const Point& point) {
    for (const Touch& touch : touchesOf(point)) {
      if (touch.kind != AccessKind::Read || !memory_.hasUndefined(touch.buffer)) continue;
      const auto piece = memory_.pieceOf(touch);
      if (piece && memory_.seesUndefined(touch.buffer, *piece)) return true;
    }
    if (makesMemory(*point.op)) return true;
    const auto maybes = maybesOf(point);
    return std::any_of(maybes.begin(), maybes.end(), [&](const MaybeTouch& touch) {
      return touch.kind == AccessKind::Read && touch.buffer != kNone &&
             memory_.hasUndefined(touch.buffer);
    });
  }

  /// Memory that no other point sees: what it reads of it is known only inside.
  bool makesMemory(Operation& op) {
    const auto [known, isNew] = makesMemory_.emplace(&op, false);
    if (isNew && op.numRegions() > 0)
      op.walk([&](Operation& inner) {
        const bool isMade = isa<memref::AllocOp>(&inner) || isa<memref::AllocaOp>(&inner);
        known->second |= isMade && !inner.hasAttr(air::kZeroMemory);
      });
    return known->second;
  }

  /// All that the point writes, or may write.
  void define(const Point& point) {
    for (const Touch& touch : touchesOf(point)) {
      if (touch.kind != AccessKind::Write) continue;
      if (in_.buffers[touch.buffer].isUnknown)
        memory_.defineAll();
      else if (const auto piece = memory_.pieceOf(touch))
        memory_.define(touch.buffer, *piece);
      else
        memory_.define(touch.buffer);
    }
    for (const MaybeTouch& touch : maybesOf(point)) {
      if (touch.kind == AccessKind::Read) continue;
      // What was written to an argument in the runs that are unfolded has been handed out.
      const bool isHandedOut =
          touch.isOfOpenRun && touch.buffer != kNone && isArgument(in_.buffers[touch.buffer].value);
      if (isHandedOut) continue;
      if (touch.buffer == kNone)
        memory_.defineAll();
      else
        memory_.define(touch.buffer);
    }
  }

  /// Null unless the point has exactly one touch of this kind, and nothing uncertain.
  const Touch* only(const Point& point, AccessKind kind) const {
    const Touch* found = nullptr;
    if (point.numMaybes > 0) return nullptr;
    for (const Touch& touch : touchesOf(point)) {
      if (touch.kind != kind) continue;
      if (found) return nullptr;
      found = &touch;
    }
    return found;
  }

  bool read(const Point& point, const Touch& touch, UndefinedStream& stream) {
    const auto piece = memory_.pieceOf(touch);
    return piece &&
           memory_.append(stream, *point.op, point.instance, in_.buffers[touch.buffer].value,
                          memory_.of(touch.buffer), *piece);
  }

  bool write(const Touch& touch, const UndefinedStream& stream) {
    if (in_.buffers[touch.buffer].isUnknown) return false;
    const auto piece = memory_.pieceOf(touch);
    return piece && memory_.take(stream, memory_.of(touch.buffer), *piece);
  }

  bool copy(const Point& point) {
    const Touch *from = only(point, AccessKind::Read), *to = only(point, AccessKind::Write);
    UndefinedStream stream;
    return from && to && read(point, *from, stream) && write(*to, stream);
  }

  // -- Channels

  void send(const Point& point) {
    LaneContent& lane = lanes_[point.lane];
    if (!lane.isCounted) return;
    const Touch* from = only(point, AccessKind::Read);
    UndefinedStream once;
    int64_t count = 0;
    if (from && memory_.hasUndefined(from->buffer) && read(point, *from, once))
      for (const UndefinedStream::Part& part : once.parts)
        count += part.count;
    // A source that is sent several times.
    if (count <= 0 || point.elements % count != 0)
      return lane.sent.append(point.elements, kIsDefined);
    for (int64_t i = 0; i < point.elements / count; ++i)
      for (const UndefinedStream::Part& part : once.parts)
        lane.sent.append(part.count, part.origin);
  }

  void receive(const Point& point) {
    LaneContent& lane = lanes_[point.lane];
    const Touch* to = only(point, AccessKind::Write);
    if (!lane.isCounted) return define(point);
    const UndefinedStream taken = take(lane, lane.cursors[point.destination], point.elements);
    if (!to || !write(*to, taken)) define(point);
  }

  static UndefinedStream take(LaneContent& lane, LaneContent::Cursor& cursor, int64_t elements) {
    UndefinedStream taken;
    while (elements > 0 && cursor.part < lane.sent.parts.size()) {
      const UndefinedStream::Part& part = lane.sent.parts[cursor.part];
      const int64_t here = std::min(elements, part.count - cursor.taken);
      taken.append(here, part.origin);
      elements -= here;
      cursor.taken += here;
      // The last part may still grow.
      if (cursor.taken < part.count || cursor.part + 1 == lane.sent.parts.size()) {
        if (here == 0) break;
        continue;
      }
      ++cursor.part;
      cursor.taken = 0;
    }
    taken.append(elements, kIsDefined);
    return taken;
  }

  // -- What is handed out

  void report() {
    for (uint32_t i = 0; i < in_.buffers.size(); ++i)
      if (isArgument(in_.buffers[i].value)) reportIn(i, false);
    for (uint32_t result : in_.results)
      if (result != kNone) reportIn(result, true);
  }

  bool isArgument(Value value) const {
    return value.isBlockArgument() &&
           value.argumentBlock() == &func::FuncOp(&run_.function).entry();
  }

  void reportIn(uint32_t buffer, bool isResult) {
    if (in_.buffers[buffer].isUnknown) return;
    for (const UndefinedRun& run : memory_.of(buffer).runs()) {
      if (run.origin == kNeverWritten)
        reportUnwritten(in_.buffers[buffer].value, run.begin);
      else
        reportRead(memory_.read(run.origin), in_.buffers[buffer].value, run.begin, isResult);
    }
  }

  static std::string elementText(Value buffer, int64_t element) {
    const MemRefType type = buffer.type().cast<MemRefType>();
    std::vector<int64_t> index(type.shape().size());
    for (size_t i = index.size(); i-- > 0;) {
      index[i] = element % type.shape()[i];
      element /= type.shape()[i];
    }
    return indexText(index);
  }

  void reportUnwritten(Value buffer, int64_t element) {
    Operation& alloc = *buffer.definingOp();
    if (!findings_.add({FindingKind::Undefined, &run_.function, &alloc, nullptr})) return;
    InFlightDiagnostic error = alloc.emitError();
    error << valueText(buffer) << " is returned, and nobody has written its element "
          << elementText(buffer, element);
    noteAssumptions(error, in_);
  }

  void reportRead(const UndefinedRead& read, Value out, int64_t element, bool isResult) {
    Operation* alloc = read.buffer.definingOp();
    if (!findings_.add({FindingKind::Undefined, &run_.function, read.op, alloc})) return;
    InFlightDiagnostic error = read.op->emitError();
    error << quoted(*read.op) << instanceText(in_, read.instance) << " reads element "
          << elementText(read.buffer, read.element) << " of " << valueText(read.buffer)
          << ", which nobody has written";
    error.note(read.buffer.location())
        << "the memory is this one: " << read.buffer.type()
        << "; fill it first (linalg.fill, or a transfer of all that is read), or read only what "
           "has been written";
    error.note(out.location()) << "it decides what element " << elementText(out, element) << " of "
                               << (isResult ? "a result of the function is"
                                            : "this argument is at the end");
    noteAssumptions(error, in_);
  }

  const CheckedRun& run_;
  const Unfolding& in_;
  const Playback& playback_;
  Findings& findings_;
  DefinedMemory memory_;
  std::unordered_map<Operation*, bool> makesMemory_;
  std::vector<LaneContent> lanes_;
};

}  // namespace

bool checkDefinedness(const CheckedRun& run, const Playback& playback, Findings& findings) {
  if (run.unfolding.hasOpenBranches) return true;
  return DefinednessChecker(run, playback, findings).check();
}

}  // namespace airlite::analysis
