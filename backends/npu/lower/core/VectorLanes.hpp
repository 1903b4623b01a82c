// Vectors lane by lane: what element of a vector stands at a position, as scalar ops, and vectors in
// buffers of their own, filled by loops. air-aie-scalarize-vectors decides which vectors are kept in
// buffers; this is how their elements are computed. How an op is written is a rule in VectorLaneRules.cpp
// (arithmetic, rearrangements), VectorLaneSums.cpp (reductions, products) or VectorLaneMemory.cpp.
#pragma once

#include "LaneBuilder.hpp"
#include "VectorBuffers.hpp"

#include <span>
#include <string_view>
#include <unordered_set>

namespace airlite::npu {

class VectorLanes;

/// How an op on vectors is written by scalars. One of the three is there.
struct LaneRule {
  std::string_view name;
  /// The element of result number `result` at a position. Such an op needs no buffer when its
  /// elements are computed where they are used.
  Value (*lane)(VectorLanes& lanes, Operation& op, unsigned result,
                const LanePosition& at) = nullptr;
  /// Fills the buffer of the only result.
  void (*fill)(VectorLanes& lanes, Operation& op, Value buffer) = nullptr;
  /// Writes an op that has no vector as a result; gives its scalar result, or null.
  Value (*run)(VectorLanes& lanes, Operation& op) = nullptr;
  /// Does it look at each lane of its operands once at most, at the position that is asked for?
  bool isLanewise = false;
  bool readsOnce = false;  // each lane once at most, wherever
};

/// How `op` is written; null when it has no vectors or is not known.
const LaneRule* laneRuleOf(Operation& op);
// The rules of VectorLaneSums.cpp and VectorLaneMemory.cpp, for laneRuleOf.
std::span<const LaneRule> sumRules();
std::span<const LaneRule> memoryRules();

class VectorLanes {
 public:
  /// Of the program `root`; buffers are made in `table` (an aie.device or builtin.module).
  VectorLanes(Operation& root, Operation& table)
      : build_(root.context()), buffers_(build_, root, table) {}
  VectorLanes(const VectorLanes&) = delete;

  /// Makes the ops that elements are computed by.
  LaneBuilder& build() { return build_; }
  VectorBuffers& buffers() { return buffers_; }

  /// Do the lanes of `op` cost nothing to make anew, wherever they are needed?
  static bool isFree(Operation& op);
  /// Elements of `op` are computed where they are used.
  void defer(Operation& op) { deferred_.insert(&op); }
  /// Computes all results of `op` into buffers, here.
  void materialize(Operation& op, const LaneRule& rule);
  /// The buffer gets the elements of `vector`, here.
  void copyInto(Value buffer, Value vector);
  /// The element of a vector, here; a scalar itself.
  Value lane(Value vector, const LanePosition& at);

 private:
  bool isLinear(Value vector) const;
  void fillLanes(Operation& op, const LaneRule& rule, unsigned result, Value buffer);

  LaneBuilder build_;
  VectorBuffers buffers_;
  std::unordered_set<Operation*> deferred_;
};

}  // namespace airlite::npu
