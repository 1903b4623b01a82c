// Vectors lane by lane: what element of a vector stands at a position, as scalar ops, and vectors
// in buffers of their own, filled by loops. air-aie-scalarize-vectors decides which vectors are
// kept in buffers; this is how their elements are computed.
#pragma once

#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace airlite::npu {

/// A position in a vector: an index for each dimension, or its number in row-major order.
struct LanePosition {
  std::vector<Value> index;
  Value linear;
};

class VectorLanes;

/// How an op on vectors is written by scalars. One of the three is there.
struct LaneRule {
  std::string_view name;
  /// The element of result number `result` at a position. Such an op needs no buffer when its
  /// elements are computed where they are used.
  Value (VectorLanes::*lane)(Operation& op, unsigned result, const LanePosition& at) = nullptr;
  /// Fills the buffer of the only result.
  void (VectorLanes::*fill)(Operation& op, Value buffer) = nullptr;
  /// Writes an op that has no vector as a result; gives its scalar result, or null.
  Value (VectorLanes::*run)(Operation& op) = nullptr;
  /// Does it look at each lane of its operands once at most, at the position that is asked for?
  bool isLanewise = false;
  bool readsOnce = false;  // each lane once at most, wherever
};

/// How `op` is written; null when it has no vectors or is not known.
const LaneRule* laneRuleOf(Operation& op);

class VectorLanes {
 public:
  /// Of the program `root`; buffers are made in `table` (an aie.device or builtin.module).
  VectorLanes(Operation& root, Operation& table)
      : root_(root), table_(table), rewriter_(root.context()) {}

  Rewriter& rewriter() { return rewriter_; }
  void setLocation(Location location) { location_ = location; }

  // -- Buffers ------------------------------------------------------------------------------------

  Value newBuffer(VectorType type);
  /// Null when it has none.
  Value bufferOf(Value vector) const;
  void setBuffer(Value vector, Value buffer) { buffers_[vector] = buffer; }
  /// Elements of `op` are computed where they are used.
  void defer(Operation& op) { deferred_.insert(&op); }
  /// Computes all results of `op` into buffers, here.
  void materialize(Operation& op, const LaneRule& rule);
  /// The buffer gets the elements of `vector`, here.
  void copyInto(Value buffer, Value vector);
  void copyBuffer(Value to, Value from);
  /// A vector of the unit with the elements of a buffer, here.
  Value loadVector(Value buffer, VectorType type);
  /// Vectors that no rule knows and no register holds; an error has been reported at the first.
  bool failed() const { return failed_; }

  /// Do the lanes of `op` cost nothing to make anew, wherever they are needed?
  static bool isFree(Operation& op);

  // -- Elements of ops (rules) --------------------------------------------------------------------

  Value elementwise(Operation& op, unsigned result, const LanePosition& at);
  Value fusedMultiplyAdd(Operation& op, unsigned, const LanePosition& at);
  Value constantLane(Operation& op, unsigned, const LanePosition& at);
  Value broadcast(Operation& op, unsigned, const LanePosition& at);
  Value shapeCast(Operation& op, unsigned, const LanePosition& at);
  Value transpose(Operation& op, unsigned, const LanePosition& at);
  Value extractSlice(Operation& op, unsigned, const LanePosition& at);
  Value extractVector(Operation& op, unsigned, const LanePosition& at);
  Value deinterleave(Operation& op, unsigned result, const LanePosition& at);
  Value step(Operation& op, unsigned, const LanePosition& at);
  Value constantMask(Operation& op, unsigned, const LanePosition& at);
  Value createMask(Operation& op, unsigned, const LanePosition& at);
  Value outerProduct(Operation& op, unsigned, const LanePosition& at);
  Value bitcast(Operation& op, unsigned, const LanePosition& at);
  Value load(Operation& op, unsigned, const LanePosition& at);
  Value transferRead(Operation& op, unsigned, const LanePosition& at);
  Value maskedLoad(Operation& op, unsigned, const LanePosition& at);
  Value gather(Operation& op, unsigned, const LanePosition& at);

  void insert(Operation& op, Value buffer);
  void insertSlice(Operation& op, Value buffer);
  void fromElements(Operation& op, Value buffer);
  void shuffle(Operation& op, Value buffer);
  void interleave(Operation& op, Value buffer);
  void multiReduction(Operation& op, Value buffer);
  void contract(Operation& op, Value buffer);
  void expandLoad(Operation& op, Value buffer);

  Value extractScalar(Operation& op);
  Value reduction(Operation& op);
  Value multiReductionToScalar(Operation& op);
  Value contractToScalar(Operation& op);
  Value store(Operation& op);
  Value transferWrite(Operation& op);
  Value maskedStore(Operation& op);
  Value scatter(Operation& op);
  Value compressStore(Operation& op);

 private:
  using Shape = std::vector<int64_t>;
  using Body = std::function<void(const LanePosition&)>;
  using Fold = std::function<Value(const LanePosition&, Value)>;

  // -- Small ops ----------------------------------------------------------------------------------
  Value number(int64_t value) { return rewriter_.constantIndex(location_, value); }
  Value constant(Attribute value) { return rewriter_.constant(location_, value); }
  Value make(std::string_view name, std::vector<Value> operands, Type type);
  Value add(Value a, Value b);
  Value scaled(Value index, int64_t factor, int64_t offset = 0);
  Value less(Value index, Value size, bool isUnsigned);
  Value both(Value a, Value b);
  Value indexOfLane(Value lane);
  /// `yes()` where the condition holds, else `no()`.
  Value choose(Value condition, Type type, const std::function<Value()>& yes,
               const std::function<Value()>& no);
  void when(Value condition, const std::function<void()>& body);
  Value combine(std::string_view kind, Value a, Value b);

  // -- Positions and loops ------------------------------------------------------------------------
  Value linearOf(const LanePosition& at, const Shape& shape);
  std::vector<Value> indexOf(const LanePosition& at, const Shape& shape);
  LanePosition constantPosition(int64_t linear) { return {{}, number(linear)}; }
  void forEach(const Shape& shape, const Body& body);
  /// One loop over all lanes, whatever the dimensions.
  void forEachLinear(const Shape& shape, const Body& body);
  /// `value = fold(position, value)` over a shape, in row-major order.
  Value reduce(const Shape& shape, Value value, const Fold& fold, int64_t first = 0);
  Value reduceFrom(const Shape& shape, LanePosition& at, Value value, const Fold& fold,
                   int64_t first);

  // -- Vectors ------------------------------------------------------------------------------------
  Value lane(Value vector, const LanePosition& at);
  Value loadLane(Value buffer, VectorType type, const LanePosition& at);
  void storeLane(Value value, Value buffer, VectorType type, const LanePosition& at);
  Value spill(Value vector);
  bool isLinear(Value vector) const;
  void fillLanes(Operation& op, const LaneRule& rule, unsigned result, Value buffer);
  std::vector<Value> slicePosition(Operation& op, const LanePosition& at, const Shape& shape,
                                   size_t lead);
  std::vector<Value> positionOperands(Operation& op);
  Value mask(Operation& op, const LanePosition& at) {
    return lane(op.operand(op.numOperands() - 2), at);
  }

  // -- Memory -------------------------------------------------------------------------------------
  Value loadElement(Value memory, const std::vector<Value>& indices);
  void storeElement(Value value, Value memory, const std::vector<Value>& indices);
  std::vector<Value> minorIndices(OperandRange indices, const LanePosition& at, const Shape& shape);
  std::vector<Value> transferIndices(Operation& op, const LanePosition& at);
  Value transferCondition(Operation& op, const std::vector<Value>& indices, const LanePosition& at);
  std::vector<Value> pickedIndices(Operation& op, const LanePosition& at);
  Value sizeOf(Value memory, unsigned dim);

  // -- Products -----------------------------------------------------------------------------------
  Value widened(Value value, Type type);
  struct Contraction;
  Value contractAt(Operation& op, const Contraction& contraction, std::vector<Value> index);
  Value reduceAt(Operation& op, const std::vector<Value>& kept);

  Operation& root_;
  Operation& table_;
  Rewriter rewriter_;
  Location location_;
  std::unordered_map<Value, Value> buffers_;
  std::unordered_set<Operation*> deferred_;
  bool failed_ = false;
};

}  // namespace airlite::npu
