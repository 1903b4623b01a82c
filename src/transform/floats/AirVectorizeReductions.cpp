// air-vectorize-reductions: sums and extremes over rows of floats, 16 numbers at a time.
//
// Matches, in air.herd, a linalg.generic on buffers of static shape with one result of f32 that is
// combined with what the body computes by addf, maximumf, minimumf, maxnumf or minnumf, or of bf16,
// which is then combined in f32 and rounded once, over a loop
// of 16 rounds or more along which every input lies in a row (its last index) or does not move. The
// op becomes loops: along that one 16 lanes are combined each with its own numbers, in long rows two
// or four times 16 side by side, then the lanes with each other (8 and 8, 4 and 4, ...), then the
// numbers that are left, then the result so far.
// So the order of a sum is another one; the lane that has the result is marked with air.sum_lanes
// (linalg::kSumLanes).
//
// Declines: products of matrices, which the matrix unit makes; rows that do not begin at a multiple
// of 32 bytes, other element types, ops that are not elementwise, linalg.index.
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <limits>

namespace airlite {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

constexpr int64_t kLanes = 16, kAlignment = 32;
/// Vectors that are combined side by side at most: one waits for the round before for four cycles or
/// more.
constexpr int64_t kMostChains = 4;

struct Combiner {
  std::string_view name;
  double neutral;
  int64_t leastRounds;  ///< fewer do not overlap well, so that more chains gain nothing
};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Combiner kCombiners[] = {{"arith.addf", 0, 8},
                                   {"arith.maximumf", -kInfinity, 4},
                                   {"arith.maxnumf", -kInfinity, 4},
                                   {"arith.minimumf", kInfinity, 4},
                                   {"arith.minnumf", kInfinity, 4}};

/// An op that fits, and along which loop.
struct Match {
  StructuredOp op;
  unsigned loop = 0;
  const Combiner* combiner = nullptr;
  Operation* combining = nullptr;  ///< in the body
  Value combined;                  ///< its operand that is not the result so far
};

bool isScalarFloat(Type type) { return type.isF32() || type.isBF16(); }

bool findCombiner(Match& match) {
  StructuredOp op = match.op;
  if (op.numOutputs() != 1 || op.body().back().numOperands() != 1) return false;
  Value result = op.body().back().operand(0), soFar = op.bodyArgument(op.numInputs());
  Operation* combining = result.definingOp();
  if (!combining || combining->block() != &op.body() || !result.hasOneUse() || !soFar.hasOneUse())
    return false;
  if (!isScalarFloat(soFar.type())) return false;
  for (const Combiner& combiner : kCombiners)
    if (combining->is(combiner.name)) match.combiner = &combiner;
  const unsigned at = combining->operand(0) == soFar ? 1 : 0;
  if (!match.combiner || combining->operand(1 - at) != soFar) return false;
  match.combining = combining;
  match.combined = combining->operand(at);
  return true;
}

bool isElementwise(Operation& op) {
  if (op.is("linalg.yield") || op.is("arith.constant")) return true;
  if (op.numRegions() != 0 || op.numResults() != 1 || !op.hasTrait(Trait::Elementwise))
    return false;
  auto isNumber = [](Type type) { return isScalarFloat(type) || type.isInteger(1); };
  return std::ranges::all_of(op.operandTypes(), isNumber) && isNumber(op.result().type());
}

/// Does the operand lie in rows along the loop, or not move with it?
bool fitsLoop(StructuredOp op, unsigned input, AffineMap map, unsigned loop) {
  auto type = op->operand(input).type().dynCast<MemRefType>();
  if (!type) return isScalarFloat(op->operand(input).type());
  if (!type.hasStaticShape() || !type.hasIdentityLayout() || !isScalarFloat(type.elementType()))
    return false;
  bool isRow = false;
  for (unsigned r = 0; r < map.numResults(); ++r) {
    AffineExpr index = map.result(r);
    if (index.kind() != AffineKind::Dim) return false;
    if (index.position() != loop) continue;
    if (r + 1 != map.numResults()) return false;
    isRow = true;
  }
  const int64_t bytes = type.elementType().bitWidth() / 8;
  return !isRow || type.rank() == 1 || type.dim(type.rank() - 1) * bytes % kAlignment == 0;
}

bool isAlong(AffineMap map, unsigned loop) {
  return map.numResults() != 0 && map.result(map.numResults() - 1).kind() == AffineKind::Dim &&
         map.result(map.numResults() - 1).position() == loop;
}

bool isProductOfUnit(StructuredOp op) {
  return linalg::sumDepth(*op.op()) || linalg::unitSumsOf(op).depth;
}

std::optional<Match> match(Operation& op) {
  Match found{StructuredOp(&op)};
  if (!op.is("linalg.generic") || !found.op.onBuffers() || isProductOfUnit(found.op) ||
      !findCombiner(found) || !std::ranges::all_of(found.op.body().ops(), isElementwise))
    return std::nullopt;
  const std::vector<AffineMap> maps = found.op.indexingMaps();
  const std::vector<IteratorKind> kinds = found.op.iterators();
  const std::vector<int64_t> sizes = found.op.loopSizes();
  for (unsigned loop = 0; loop < kinds.size(); ++loop) {
    if (kinds[loop] != IteratorKind::Reduction || sizes[loop] < kLanes) continue;
    bool fits = true, hasRow = false;
    for (unsigned i = 0; i < found.op.numInputs(); ++i) {
      fits &= fitsLoop(found.op, i, maps[i], loop);
      hasRow |= isAlong(maps[i], loop);
    }
    // The result's buffer: one number at a time.
    fits &= fitsLoop(found.op, found.op.numInputs(), maps.back(), loop);
    found.loop = loop;
    if (fits && hasRow && !isAlong(maps.back(), loop)) return found;
  }
  return std::nullopt;
}

// -- Rewriting ------------------------------------------------------------------------------------

class RowLoops {
 public:
  explicit RowLoops(const Match& match)
      : match_(match),
        op_(match.op),
        location_(op_->location()),
        maps_(op_.indexingMaps()),
        sizes_(op_.loopSizes()),
        inLanes_(sizes_[match.loop] / kLanes * kLanes),
        chains_(chainsFor(inLanes_ / kLanes, match.combiner->leastRounds)),
        rewriter_(op_->context()) {}

  void rewrite() {
    rewriter_.setBefore(*op_.op());
    indices_.resize(sizes_.size());
    zero_ = index(0), one_ = index(1);
    end_ = index(inLanes_), all_ = index(sizes_[match_.loop]);
    for (unsigned loop = 0; loop < sizes_.size(); ++loop)
      if (loop != match_.loop) enterLoop(loop);
    Value total = joined(sumInLanes());
    if (inLanes_ != sizes_[match_.loop]) total = sumRest(total);
    std::vector<Value> place = placeOf(op_.numInputs(), Value());
    Value buffer = op_->operand(op_.numInputs());
    Value soFar = memref::LoadOp::create(rewriter_, location_, buffer, place).result();
    total = combine(wide(soFar), total);
    if (soFar.type() != total.type())
      total = rewriter_.create(location_, "arith.truncf", {total}, {soFar.type()})->result();
    memref::StoreOp::create(rewriter_, location_, total, buffer, place);
    rewriter_.eraseOp(*op_.op());
  }

 private:
  /// How many of `vectors` are combined side by side.
  static int64_t chainsFor(int64_t vectors, int64_t leastRounds) {
    int64_t chains = kMostChains;
    while (chains > 1 && vectors / chains < leastRounds)
      chains /= 2;
    return chains;
  }

  Value index(int64_t value) { return rewriter_.constantIndex(location_, value); }
  Type lanesOf(Type element) const {
    return VectorType::get(element.context(), {&kLanes, 1}, element);
  }

  void enterLoop(unsigned loop) {
    scf::ForOp made = scf::ForOp::create(rewriter_, location_, zero_, index(sizes_[loop]), one_);
    indices_[loop] = made.inductionVar();
    rewriter_.setBefore(*made.yield());
  }

  /// The indices of an operand when the loop is at `at`.
  std::vector<Value> placeOf(unsigned operand, Value at) const {
    std::vector<Value> place;
    for (unsigned r = 0; r < maps_[operand].numResults(); ++r) {
      const unsigned loop = maps_[operand].result(r).position();
      place.push_back(loop == match_.loop ? at : indices_[loop]);
    }
    return place;
  }

  Value loadNumber(unsigned operand, Value at) {
    Value buffer = op_->operand(operand);
    if (!buffer.type().isa<MemRefType>()) return buffer;
    return memref::LoadOp::create(rewriter_, location_, buffer, placeOf(operand, at)).result();
  }

  Value broadcast(Value number) {
    return rewriter_.create(location_, "vector.broadcast", {number}, {lanesOf(number.type())})
        ->result();
  }

  Value constantLanes(Attribute number) {
    auto type = lanesOf(attributeType(number)).cast<ShapedType>();
    return rewriter_.constant(location_, DenseElementsAttr::get(type, {&number, 1}));
  }

  /// As f32.
  Value wide(Value number) {
    if (!elementTypeOrSelf(number.type()).isBF16()) return number;
    Type type = number.type().isa<VectorType>() ? lanesOf(rewriter_.f32()) : rewriter_.f32();
    return rewriter_.create(location_, "arith.extf", {number}, {type})->result();
  }

  Value combine(Value a, Value b) {
    return rewriter_.create(location_, match_.combiner->name, {a, b}, {a.type()})->result();
  }

  Value sumInLanes() {
    IRMapping values;
    for (unsigned i = 0; i < op_.numInputs(); ++i)
      if (!isAlong(maps_[i], match_.loop))
        values.map(op_.bodyArgument(i), broadcast(loadNumber(i, Value())));
    for (Operation& op : op_.body().ops())
      for (Value operand : op.operands())
        if (operand.parentBlock() != &op_.body() && !values.lookupOrNull(operand))
          values.map(operand, broadcast(operand));
    const int64_t step = chains_ * kLanes, inChains = inLanes_ / step * step;
    const std::vector<Value> start(
        static_cast<size_t>(chains_),
        constantLanes(FloatAttr::get(rewriter_.f32(), match_.combiner->neutral)));
    scf::ForOp rows =
        scf::ForOp::create(rewriter_, location_, zero_, index(inChains), index(step), start);
    InsertPoint behind = rewriter_.insertPoint();
    rewriter_.setToEnd(rows.body());
    std::vector<Value> sums;
    for (int64_t chain = 0; chain < chains_; ++chain) {
      Value at = rows.inductionVar();
      if (chain)
        at = rewriter_.create(location_, "arith.addi", {at, index(chain * kLanes)}, {at.type()})
                 ->result();
      sums.push_back(combineRow(values, rows.regionIterArgs()[static_cast<size_t>(chain)], at));
    }
    rewriter_.create(location_, "scf.yield", sums, {});
    rewriter_.setInsertPoint(behind);
    Value sum = rows->result(0);
    for (int64_t at = inChains; at < inLanes_; at += kLanes)
      sum = combineRow(values, sum, index(at));
    for (unsigned chain = 1; chain < chains_; ++chain)
      sum = combine(sum, rows->result(chain));
    return sum;
  }

  /// With the 16 numbers at `at`.
  Value combineRow(IRMapping& values, Value soFar, Value at) {
    for (unsigned i = 0; i < op_.numInputs(); ++i)
      if (isAlong(maps_[i], match_.loop)) values.map(op_.bodyArgument(i), loadLanes(i, at));
    return combine(soFar, wide(bodyInLanes(values)));
  }

  Value loadLanes(unsigned operand, Value at) {
    Value buffer = op_->operand(operand);
    std::vector<Value> operands{buffer};
    for (Value index : placeOf(operand, at))
      operands.push_back(index);
    Type type = lanesOf(elementTypeOrSelf(buffer.type()));
    return rewriter_.create(location_, "vector.load", operands, std::span(&type, 1))->result();
  }

  Value bodyInLanes(IRMapping& values) {
    for (Operation& op : op_.body().ops()) {
      if (op.is("linalg.yield") || &op == match_.combining) continue;
      if (op.is("arith.constant")) {
        values.map(op.result(), constantLanes(op.attr("value")));
        continue;
      }
      OperationState state(op.location(), op.def());
      for (Value operand : op.operands())
        state.operands.push_back(values.lookupOr(operand));
      state.resultTypes = {lanesOf(op.result().type())};
      state.attributes = NamedAttrList(op.attributes());
      values.map(op.result(), rewriter_.create(state)->result());
    }
    return values.lookupOr(match_.combined);
  }

  /// All lanes combined.
  Value joined(Value lanes) {
    for (int64_t by = kLanes / 2; by > 0; by /= 2) {
      std::vector<Attribute> from;
      for (int64_t lane = 0; lane < kLanes; ++lane)
        from.push_back(rewriter_.i64Attr((lane + by) % kLanes));
      Value turned =
          rewriter_
              .create(location_, "vector.shuffle", {lanes, lanes}, {lanes.type()},
                      {rewriter_.named("mask", ArrayAttr::get(rewriter_.context(), from))})
              ->result();
      lanes = combine(lanes, turned);
    }
    const int64_t first[] = {0};
    auto result = vector::ExtractOp::create(rewriter_, location_, lanes, first);
    result->setAttr(linalg::kSumLanes, rewriter_.i64Attr(kLanes));
    return result.result();
  }

  /// The numbers that fill no row of lanes.
  Value sumRest(Value total) {
    scf::ForOp rest = scf::ForOp::create(rewriter_, location_, end_, all_, one_, {&total, 1});
    InsertPoint behind = rewriter_.insertPoint();
    rewriter_.setToEnd(rest.body());
    IRMapping values;
    for (unsigned i = 0; i < op_.numInputs(); ++i)
      values.map(op_.bodyArgument(i), loadNumber(i, rest.inductionVar()));
    for (Operation& op : op_.body().ops())
      if (!op.is("linalg.yield") && &op != match_.combining) rewriter_.clone(op, values);
    Value sum = combine(rest.regionIterArgs()[0], wide(values.lookupOr(match_.combined)));
    rewriter_.create(location_, "scf.yield", {sum}, {});
    rewriter_.setInsertPoint(behind);
    return rest->result(0);
  }

  const Match& match_;
  StructuredOp op_;
  Location location_;
  std::vector<AffineMap> maps_;
  std::vector<int64_t> sizes_;
  const int64_t inLanes_;  ///< of the loop's rounds: those that fill vectors
  const int64_t chains_;
  Rewriter rewriter_;
  std::vector<Value> indices_;
  Value zero_, one_, end_, all_;
};

class VectorizeReductions : public Pass {
 public:
  VectorizeReductions()
      : Pass("air-vectorize-reductions", "Combines rows of floats in herds 16 at a time") {
    option("everywhere", everywhere_, "not only in herds");
    example("airlite-opt --air-vectorize-reductions in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "structured ops become loops");
    std::vector<Match> found;
    module.walk([&](Operation& op) {
      if (!everywhere_ && !op.parentOf<air::HerdOp>()) return;
      if (auto fit = match(op)) found.push_back(*fit);
    });
    for (const Match& fit : found)
      RowLoops(fit).rewrite();
    return changedIf(!found.empty());
  }

 private:
  bool everywhere_ = false;
};

}  // namespace

void registerVectorizeReductions(PassRegistry& registry) { registry.add<VectorizeReductions>(); }

}  // namespace airlite
