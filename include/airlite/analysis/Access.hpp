// Which memory an op touches: buffers, and where it can be said the strided piece.
//
// What an op does is asked of its definition (effects); an op that may do anything touches every
// buffer it gets. Pieces are refinements: an op whose piece is not known touches the whole buffer.
//
//   analysis::AccessReader reader;
//   for (const analysis::BufferAccess& a : reader.all(first))
//     for (const analysis::BufferAccess& b : reader.all(second))
//       if (reader.mayConflict(a, b)) order(first, second);
#pragma once

#include "airlite/analysis/Overlap.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/ir/OpDef.hpp"

#include <map>
#include <string>
#include <string_view>

namespace airlite::analysis {

enum class AccessKind : uint8_t {
  Read,
  Write,  // also: makes or frees the buffer
  Hold,   // a hierarchy op gets the buffer and does nothing with it that can be seen
};

/// A buffer: an allocation, an argument of a function (distinct arguments are distinct memory, a
/// rule of AIR programs), a global.
struct Buffer {
  enum class Kind : uint8_t {
    Local,   // lives from where `value` is defined
    Global,  // `value`: the first that the reader met
    Any,     // cannot be told: may be each
    Hidden,  // no operand names it: what calls without buffers and prints act on
  };
  Value value;  // null: Any or Hidden
  Kind kind = Kind::Local;

  static Buffer any() { return {Value(), Kind::Any}; }
  static Buffer hidden() { return {Value(), Kind::Hidden}; }
  bool isKnown() const { return static_cast<bool>(value); }
  /// Every run of a region of `op` has its own.
  bool isMadeIn(Operation& op) const;
  bool operator==(const Buffer&) const = default;
};

struct BufferAccess {
  Buffer buffer;
  AccessKind kind = AccessKind::Read;
  /// Null: may be all of it.
  std::optional<StridedRegion> region;
  /// Every element of the region (of the buffer) is touched whenever the op runs. False: the region
  /// is all that can be said, and what is touched may be a part of it or nothing.
  bool isCertain = true;
  bool operator==(const BufferAccess&) const = default;
};

/// One of the two changes what the other sees. Hold against Hold counts: what two hierarchy ops do
/// with a buffer that both get is not known.
inline bool kindsConflict(AccessKind a, AccessKind b) {
  return a == AccessKind::Write || b == AccessKind::Write ||
         (a == AccessKind::Hold && b == AccessKind::Hold);
}

/// Keeps what it has found out about values: use one for a program that does not change meanwhile.
class AccessReader {
 public:
  LinearReader& indices() { return indices_; }

  /// The buffer that `memref` is all or a part of.
  Buffer bufferOf(Value memref);
  /// The elements of a memref in its buffer, a dimension each; null when they cannot be told.
  std::optional<StridedRegion> elementsOf(Value memref);
  /// Accesses of `op` itself, not of what is in its regions (but those that its definition states
  /// for it: linalg). A hierarchy op holds the buffers that it gets.
  void direct(Operation& op, std::vector<BufferAccess>& accesses);
  /// Accesses of `op` and everything inside, as seen from around it.
  std::vector<BufferAccess> all(Operation& op);
  /// As seen from around `op`: inner variables become dimensions, buffers made inside go.
  std::vector<BufferAccess> liftedOut(std::vector<BufferAccess> accesses, Operation& op);
  /// May the two touch one element, in one run of what is around both?
  bool mayOverlap(const BufferAccess& a, const BufferAccess& b);
  /// They surely do, whenever the ops of both run.
  bool mustOverlap(const BufferAccess& a, const BufferAccess& b);
  bool mayConflict(const BufferAccess& a, const BufferAccess& b) {
    return kindsConflict(a.kind, b.kind) && mayOverlap(a, b);
  }
  /// The same for a later run of `loop` against an earlier one.
  bool mayConflictAcross(const BufferAccess& later, const BufferAccess& earlier, Operation& loop);

 private:
  /// Where the first element of a memref is, in its buffer. `buffer` unknown: no place either.
  struct Place {
    Buffer buffer;
    std::optional<LinearSum> start;
  };

  const Place& placeOf(Value memref);
  Place findPlace(Value memref);
  Place placeOfResult(Operation& op, Value memref);
  Place placeOfArgument(Value memref);
  Place placeOfView(Operation& op, Place source);
  Place placeOfExecuted(Operation& execute, Value memref);

  std::optional<StridedRegion> wholeOf(Value memref);
  std::optional<StridedRegion> regionOf(Operation& op, const EffectInstance& effect);
  bool touchesAll(Operation& op, const EffectInstance& effect);
  bool runsForCertain(Operation& op);
  std::optional<StridedRegion> regionOfMap(affine::AccessOp op);
  LinearSum readEntry(const air::IndexEntry& entry);
  std::optional<std::vector<StridedDim>> dimsOf(const air::Access& access);
  std::optional<StridedRegion> regionOfLists(Operation& op, AccessKind kind);
  std::optional<StridedRegion> regionOfIndices(Value memref, std::span<const LinearSum> indices,
                                               std::span<const int64_t> shape);
  std::optional<StridedRegion> regionAt(Value memref, OperandRange indices,
                                        std::span<const int64_t> shape);
  std::optional<StridedRegion> placed(Value memref, StridedRegion region);
  void addUnknown(Operation& op, std::vector<BufferAccess>& accesses);
  void addTensorReads(Operation& op, std::vector<BufferAccess>& accesses);
  void addTensorRead(Value tensor, unsigned depth, std::vector<BufferAccess>& accesses);

  LinearReader indices_;
  std::unordered_map<Value, Place> places_;
  unsigned depth_ = 0;
  std::map<std::string, Value, std::less<>> globals_;
};

/// Drops repeated accesses; many pieces of one buffer become the whole of it, so that the number
/// stays small.
void compact(std::vector<BufferAccess>& accesses);

}  // namespace airlite::analysis
