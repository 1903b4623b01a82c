// air-aie-unaligned-vectors: vectors that begin at any element, by those that begin where an instruction can.
//
// Matches, in the programs of cores, vector.load of 256 and 512 bits and vector.store of 256 bits whose place is not known to be a
// multiple of 32 bytes (VectorUnit says for which of them memory is long enough). A load takes the 64 bytes around it, or the parts of 32
// bytes that its first byte, its middle and its last byte lie in, and shifts them (aievec.shift). A store takes the 64 bytes around it, puts its 32 bytes
// into them, and stores all of them: the other bytes keep what they held. What an index has in common for a whole loop is summed
// apart, so that it leaves the loop.
//
// Runs after air-aie-flatten-memrefs, since memory has one dimension, and again on what air-aie-vectorize-core makes.
#include "CoreScope.hpp"
#include "LaneShuffles.hpp"
#include "LegalizePasses.hpp"
#include "VectorUnit.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <numeric>
#include <vector>

namespace airlite::npu {

namespace {

/// Of the load unit: what begins at a multiple of 32 bytes.
constexpr int64_t kWideBytes = 2 * kShiftedBytes;

class UnalignedAccess {
 public:
  UnalignedAccess(Operation& op, const VectorAccess& access)
      : op_(op), memory_(access.memory), type_(access.type), build_(op.context()) {
    build_.setBefore(op);
    bytes_ = type_.elementType().bitWidth() / 8;
    lanes_ = kShiftedBytes / bytes_;
    split(access.indices[0]);
  }

  /// Where the vector begins at a multiple of 32 bytes, its last byte lies in its last part: nothing after it is asked for.
  void load() {
    const bool isOnePart = type_.numElements() == lanes_;
    if (isOnePart && isWide() && goesOn()) {
      const Value around = wide();
      return build_.replaceOp(op_, half(shift(around, around, bytesBefore_), 0));
    }
    const Value last = placeOfLast();
    if (isOnePart) {
      const Value both = pair(last);
      return build_.replaceOp(op_, half(shift(both, both, bytesBefore_), 0));
    }
    const Value all = isWide() ? wide() : pair(placeOf(lanes_)), after = part(last);
    build_.replaceOp(op_, shift(all, joined(after, after), bytesBefore_));
  }

  void store() {
    const Value around = isWide() ? wide() : pair(placeOf(lanes_)),
                old = shift(around, around, bytesBefore_);
    const Value after = half(old, lanes_), all = number(kWideBytes),
                back = binary("arith.subi", all, bytesBefore_);
    const Value both = joined(op_.operand(0), after),
                put = shift(both, both, binary("arith.andi", back, number(kWideBytes - 1)));
    if (isWide())
      build_.create(op_.location(), "vector.store", {put, memory_, first_}, {});
    else
      for (const int64_t lane : {int64_t{0}, lanes_})
        build_.create(op_.location(), "vector.store", {half(put, lane), memory_, placeOf(lane)},
                      {});
    op_.erase();
  }

 private:
  /// Whether one access takes 64 bytes that begin at a multiple of 32.
  bool isWide() { return alignmentOf(op_, kWideBytes) == kShiftedBytes; }

  /// Whether memory goes on for 64 bytes from the first part on. Where it is known how much is missing, vectors that begin nearby share
  /// parts.
  bool goesOn() const {
    const auto most = mostOf(op_.operand(1));
    return most && !constantIntOf(rest_) &&
           *most + 2 * lanes_ <= memory_.type().cast<MemRefType>().dim(0);
  }

  /// The index as a multiple of 32 bytes, and the bytes that are missing.
  void split(Value index) {
    Value whole, rest = index;
    if (Operation* sum = index.definingOp(); sum && sum->is("arith.addi"))
      for (unsigned i : {0U, 1U})
        if (divisorOf(sum->operand(i)) % lanes_ == 0)
          whole = sum->operand(i), rest = sum->operand(1 - i);
    const Value floor = binary("arith.andi", rest, build_.constantIndex(op_.location(), -lanes_));
    const Value before = binary("arith.subi", rest, floor);
    const Value lanesBefore = build_
                                  .create(op_.location(), "arith.index_cast", {before},
                                          {IntegerType::get(op_.context(), 32)})
                                  ->result();
    bytesBefore_ = bytes_ == 1 ? lanesBefore : binary("arith.muli", lanesBefore, number(bytes_));
    rest_ = rest, whole_ = whole;
    first_ = with(whole, floor);
  }

  /// The part of 32 bytes that the last byte lies in.
  Value placeOfLast() {
    const Value further = build_.constantIndex(op_.location(), type_.numElements() - 1),
                last = binary("arith.addi", rest_, further);
    return with(whole_, binary("arith.andi", last, build_.constantIndex(op_.location(), -lanes_)));
  }
  Value with(Value whole, Value rest) { return whole ? binary("arith.addi", rest, whole) : rest; }

  Value binary(std::string_view name, Value a, Value b) {
    return build_.create(op_.location(), name, {a, b}, {a.type()})->result();
  }
  Value number(int64_t value) {
    const NamedAttribute attr = build_.named("value", build_.i32Attr(value));
    return build_
        .create(op_.location(), "arith.constant", {}, {IntegerType::get(op_.context(), 32)}, {attr})
        ->result();
  }
  Value placeOf(int64_t lane) {
    return lane == 0 ? first_
                     : binary("arith.addi", first_, build_.constantIndex(op_.location(), lane));
  }
  VectorType typeOf(int64_t lanes) const {
    return VectorType::get(type_.context(), std::span(&lanes, 1), type_.elementType());
  }
  VectorType wideType() const { return typeOf(2 * lanes_); }

  Value lanesAt(Value place, VectorType type) {
    return build_.create(op_.location(), "vector.load", {memory_, place}, {type})->result();
  }
  /// 32 bytes at such a place, and 64 from the first on.
  Value part(Value place) { return lanesAt(place, typeOf(lanes_)); }
  Value wide() { return lanesAt(first_, wideType()); }
  /// The first 32 bytes, and 32 of another place: halves of one register, which are loaded in their order.
  Value pair(Value other) {
    const Value low = part(first_);
    return joined(low, part(other));
  }
  Value joined(Value low, Value high) {
    std::vector<int64_t> all(static_cast<size_t>(2 * lanes_));
    std::iota(all.begin(), all.end(), 0);
    return shuffleLanes(build_, op_.location(), low, high, all);
  }

  /// 64 of the 128 bytes of two vectors.
  Value shift(Value low, Value high, Value by) {
    return build_.create(op_.location(), "aievec.shift", {low, high, by}, {wideType()})->result();
  }

  /// 32 bytes of 64.
  Value half(Value both, int64_t first) {
    return sliceLanes(build_, op_.location(), both, first, lanes_);
  }

  Operation& op_;
  Value memory_;
  VectorType type_;
  Rewriter build_;
  int64_t bytes_ = 1, lanes_ = 1;
  Value first_, bytesBefore_;
  Value whole_,
      rest_;  ///< of the index: what is known to be a multiple of 32 bytes (null: nothing), what is not
};

class UnalignedVectors : public CorePass {
 public:
  UnalignedVectors()
      : CorePass("air-aie-unaligned-vectors", "Shifts vectors of cores that begin at any element") {
    example("airlite-opt --air-aie-unaligned-vectors design.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(
        CountedEffect::Store, "a vector that begins at any element is stored with its neighbours");
    bool changed = false;
    for (const CoreRoot& program : roots(module)) {
      VectorUnit unit;
      for (Operation* op : opsInside(*program.root))
        changed |= rewrite(unit, *op);
    }
    return changedIf(changed);
  }

 private:
  static bool rewrite(VectorUnit& unit, Operation& op) {
    const bool isLoad = op.is("vector.load");
    if (!isLoad && !op.is("vector.store")) return false;
    const auto access = vectorAccessOf(op);
    const Type element = access ? access->type.elementType() : Type();
    if (!access || access->indices.size() != 1 || !isUnitVector(access->type) || unit.isAligned(op))
      return false;
    if (!isLoad && access->type.numElements() * element.bitWidth() != 8 * kShiftedBytes)
      return false;
    UnalignedAccess unaligned(op, *access);
    isLoad ? unaligned.load() : unaligned.store();
    return true;
  }
};

}  // namespace

void registerUnalignedVectors(PassRegistry& registry) { registry.add<UnalignedVectors>(); }

}  // namespace airlite::npu
