#include "RowsInLanes.hpp"

#include "RootsOfSums.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Vector.hpp"

#include <algorithm>
#include <array>

namespace airlite {

namespace {

/// Vectors that are combined side by side at most, of all rows of a loop: one waits for the round
/// before for four cycles or more, products longer than that.
constexpr size_t kMostChains = 4, kHeavyChains = 2;

/// Rows that go through one loop: of sums only, with numbers of their own (which have a register
/// each) or extremes (which have more ops), and with products, which need many registers.
constexpr size_t kLightRows = 8, kFewRows = 4, kHeavyRows = 2;

/// The ops that need the fewest instructions.
bool isSum(Operation& op) {
  return op.is("linalg.yield") || op.is("arith.constant") || op.is("arith.extf") ||
         op.is("arith.addf") || op.is("arith.subf");
}

bool isExtreme(Operation& op) {
  return op.is("arith.maximumf") || op.is("arith.minimumf") || op.is("arith.maxnumf") ||
         op.is("arith.minnumf");
}

}  // namespace

bool isAlong(AffineMap map, unsigned loop) {
  return map.numResults() != 0 && map.result(map.numResults() - 1).kind() == AffineKind::Dim &&
         map.result(map.numResults() - 1).position() == loop;
}

Value bufferOfRows(Value operand) {
  Operation* made = operand.definingOp();
  const auto view = made ? dynCast<memref::SubViewOp>(made) : memref::SubViewOp();
  if (!view || view.droppedDims() != std::vector<bool>(view.sourceType().rank(), false))
    return operand;
  const auto isAll = [](std::span<const int64_t> numbers, int64_t number) {
    return std::ranges::all_of(numbers, [&](int64_t other) { return other == number; });
  };
  const MemRefType source = view.sourceType();
  const bool fits = source.hasStaticShape() && source.hasIdentityLayout() && source.rank() != 0 &&
                    isAll(view.staticOffsets(), 0) && isAll(view.staticStrides(), 1);
  return fits ? view.source() : operand;
}

RowsInLanes::RowsInLanes(const RowReduction& match, Rewriter& rewriter)
    : match_(match),
      op_(match.op),
      rewriter_(rewriter),
      location_(op_->location()),
      maps_(op_.indexingMaps()),
      vectors_(op_.loopSizes()[match.loop] / kLanes),
      rest_(op_.loopSizes()[match.loop] % kLanes) {}

// -- Ops ------------------------------------------------------------------------------------------

Type RowsInLanes::lanesOf(Type element) const {
  return VectorType::get(element.context(), {&kLanes, 1}, element);
}

Value RowsInLanes::broadcast(Value number) {
  return rewriter_.create(location_, "vector.broadcast", {number}, {lanesOf(number.type())})
      ->result();
}

Value RowsInLanes::constantLanes(Attribute number) {
  auto type = lanesOf(attributeType(number)).cast<ShapedType>();
  return rewriter_.constant(location_, DenseElementsAttr::get(type, {&number, 1}));
}

Value RowsInLanes::wide(Value number) {
  if (!elementTypeOrSelf(number.type()).isBF16()) return number;
  Type type = number.type().isa<VectorType>() ? lanesOf(rewriter_.f32()) : rewriter_.f32();
  return rewriter_.create(location_, "arith.extf", {number}, {type})->result();
}

Value RowsInLanes::combine(Value a, Value b) {
  return rewriter_.create(location_, match_.combiner->name, {a, b}, {a.type()})->result();
}

Value RowsInLanes::plus(Value at, int64_t by) {
  if (by == 0) return at;
  return rewriter_.create(location_, "arith.addi", {at, index(by)}, {at.type()})->result();
}

std::vector<Value> RowsInLanes::placeOf(unsigned operand, const LoopIndices& indices,
                                        Value at) const {
  std::vector<Value> place;
  for (unsigned r = 0; r < maps_[operand].numResults(); ++r) {
    const unsigned loop = maps_[operand].result(r).position();
    place.push_back(loop == match_.loop ? at : indices[loop]);
  }
  return place;
}

Value RowsInLanes::loadNumber(unsigned operand, const LoopIndices& indices, Value at) {
  Value buffer = op_->operand(operand);
  if (!buffer.type().isa<MemRefType>()) return buffer;
  return memref::LoadOp::create(rewriter_, location_, buffer, placeOf(operand, indices, at))
      .result();
}

Value RowsInLanes::loadLanes(unsigned operand, const LoopIndices& indices, Value at) {
  Value buffer = bufferOfRows(op_->operand(operand));
  std::vector<Value> operands{buffer};
  for (Value index : placeOf(operand, indices, at))
    operands.push_back(index);
  Type type = lanesOf(elementTypeOrSelf(buffer.type()));
  return rewriter_.create(location_, "vector.load", operands, std::span(&type, 1))->result();
}

// -- Lanes of rows --------------------------------------------------------------------------------

size_t RowsInLanes::rowsAtOnce() const { return std::min(rowsThatFit(), match_.mostSums); }

size_t RowsInLanes::rowsThatFit() const {
  size_t rows = kLightRows;
  for (unsigned i = 0; i < op_.numInputs(); ++i)
    if (!isAlong(maps_[i], match_.loop)) rows = kFewRows;
  for (Operation& op : op_.body().ops()) {
    if (isExtreme(op)) rows = std::min(rows, kFewRows);
    if (!isExtreme(op) && !isSum(op) && !match_.isForRoundedRoots) return kHeavyRows;
  }
  return rows;
}

size_t RowsInLanes::chainsFor(size_t rows) const {
  const size_t most =
      std::min(rowsThatFit() == kHeavyRows ? kHeavyChains : kMostChains, match_.mostSums);
  size_t chains = std::max<size_t>(most / rows, 1);
  while (chains > 1 && vectors_ / static_cast<int64_t>(chains) < match_.combiner->leastRounds)
    chains /= 2;
  return chains;
}

std::vector<Value> RowsInLanes::combined(const std::vector<LoopIndices>& rows) {
  std::vector<Value> all;
  const size_t atOnce = rowsAtOnce();
  for (size_t first = 0; first < rows.size(); first += atOnce)
    std::ranges::copy(
        combinedAtOnce(std::span(rows).subspan(first, std::min(atOnce, rows.size() - first))),
        std::back_inserter(all));
  return all;
}

IRMapping RowsInLanes::invariants(const LoopIndices& row) {
  IRMapping values;
  for (unsigned i = 0; i < op_.numInputs(); ++i)
    if (!isAlong(maps_[i], match_.loop))
      values.map(op_.bodyArgument(i), broadcast(loadNumber(i, row, Value())));
  for (Operation& op : op_.body().ops())
    for (Value operand : op.operands())
      if (operand.parentBlock() != &op_.body() && !values.lookupOrNull(operand))
        values.map(operand, broadcast(operand));
  return values;
}

std::vector<Value> RowsInLanes::combinedAtOnce(std::span<const LoopIndices> rows) {
  std::vector<IRMapping> values;
  for (const LoopIndices& row : rows)
    values.push_back(invariants(row));
  const auto chains = static_cast<int64_t>(chainsFor(rows.size()));
  const int64_t inChains = vectors_ / chains * chains;
  const std::vector<Value> inLanes = ofVectors(rows, values, chains, inChains);
  std::vector<Value> totals;
  for (size_t row = 0; row < rows.size(); ++row) {
    Value total = inLanes[row];
    for (int64_t vector = inChains; vector < vectors_; ++vector)
      total = combineNumbers(values[row], total, rows[row], index(vector * kLanes));
    if (match_.readsBeyond && rest_ != 0)
      total = combineNumbers(values[row], total, rows[row], index(vectors_ * kLanes), rest_);
    for (size_t i = row + rows.size(); i < inLanes.size(); i += rows.size())
      total = combine(total, inLanes[i]);
    totals.push_back(total);
  }
  return totals;
}

std::vector<Value> RowsInLanes::ofVectors(std::span<const LoopIndices> rows,
                                          std::vector<IRMapping>& values, int64_t chains,
                                          int64_t inChains) {
  const bool isByBits = narrowNumbers() && match_.combiner->bits;
  std::vector<Value> start;
  for (size_t i = 0; i < rows.size() * static_cast<size_t>(chains); ++i)
    for (Value neutral : isByBits ? neutralBits() : std::vector<Value>{neutralLanes()})
      start.push_back(neutral);
  scf::ForOp loop = scf::ForOp::create(rewriter_, location_, index(0), index(inChains * kLanes),
                                       index(chains * kLanes), start);
  InsertPoint after = rewriter_.insertPoint();
  rewriter_.setToEnd(loop.body());
  std::vector<Value> sums;
  for (int64_t chain = 0; chain < chains; ++chain) {
    Value at = plus(loop.inductionVar(), chain * kLanes);
    for (size_t row = 0; row < rows.size(); ++row) {
      const size_t first = sums.size();
      if (isByBits)
        for (Value extreme :
             extremeBits(values[row], {loop.regionIterArg(first), loop.regionIterArg(first + 1)},
                         rows[row], at))
          sums.push_back(extreme);
      else
        sums.push_back(combineNumbers(values[row], loop.regionIterArg(first), rows[row], at));
    }
  }
  rewriter_.create(location_, "scf.yield", sums, {});
  rewriter_.setInsertPoint(after);
  std::vector<Value> lanes;
  for (unsigned i = 0; i < sums.size(); ++i)
    if (isByBits) {
      lanes.push_back(numbersOfBits(loop->result(i), loop->result(i + 1)));
      ++i;
    } else {
      lanes.push_back(loop->result(i));
    }
  return lanes;
}

// -- Extremes of bf16 by their bits -----------------------------------------------------------------

/// Numbers of bf16 whose extreme is taken, as they are or widened; none when they are computed.
Value RowsInLanes::narrowNumbers() const {
  Value value = match_.combined;
  if (Operation* op = value.definingOp(); op && op->is("arith.extf")) value = op->operand(0);
  return value.type().isBF16() && value.isBlockArgument() ? value : Value();
}

std::vector<Value> RowsInLanes::neutralBits() {
  std::vector<Value> both;
  for (int64_t number : match_.combiner->bits->neutral)
    both.push_back(constantLanes(IntegerAttr::get(rewriter_.intType(16), number)));
  return both;
}

std::vector<Value> RowsInLanes::extremeBits(IRMapping& values, std::vector<Value> soFar,
                                            const LoopIndices& row, Value at) {
  for (unsigned i = 0; i < op_.numInputs(); ++i)
    if (isAlong(maps_[i], match_.loop)) values.map(op_.bodyArgument(i), loadLanes(i, row, at));
  Value bits = rewriter_
                   .create(location_, "arith.bitcast", {values.lookupOr(narrowNumbers())},
                           {lanesOf(rewriter_.intType(16))})
                   ->result();
  for (unsigned i = 0; i < soFar.size(); ++i)
    soFar[i] =
        rewriter_.create(location_, match_.combiner->bits->ops[i], {soFar[i], bits}, {bits.type()})
            ->result();
  return soFar;
}

Value RowsInLanes::numbersOfBits(Value greatest, Value least) {
  const Type narrow = lanesOf(FloatType::get(rewriter_.context(), FloatKind::BF16));
  Value zero = constantLanes(IntegerAttr::get(rewriter_.intType(16), int64_t{0}));
  const auto predicate = static_cast<int64_t>(match_.combiner->bits->takesGreatest);
  Value isGreatest =
      rewriter_
          .create(location_, "arith.cmpi", {greatest, zero}, {lanesOf(rewriter_.intType(1))},
                  {rewriter_.named("predicate", rewriter_.i64Attr(predicate))})
          ->result();
  Value bits =
      rewriter_.create(location_, "arith.select", {isGreatest, greatest, least}, {greatest.type()})
          ->result();
  return wide(rewriter_.create(location_, "arith.bitcast", {bits}, {narrow})->result());
}

Value RowsInLanes::neutralLanes() {
  return constantLanes(FloatAttr::get(rewriter_.f32(), match_.combiner->neutral));
}

Value RowsInLanes::combineNumbers(IRMapping& values, Value soFar, const LoopIndices& row, Value at,
                                  int64_t count) {
  for (unsigned i = 0; i < op_.numInputs(); ++i)
    if (isAlong(maps_[i], match_.loop)) values.map(op_.bodyArgument(i), loadLanes(i, row, at));
  return combine(soFar, firstLanes(wide(bodyInLanes(values)), count));
}

Value RowsInLanes::firstLanes(Value numbers, int64_t count) {
  if (count == kLanes) return numbers;
  std::array<int64_t, kLanes> from;
  for (int64_t lane = 0; lane < kLanes; ++lane)
    from[lane] = lane < count ? lane : kLanes + lane;
  return shuffle(numbers, neutralLanes(), from);
}

Value RowsInLanes::bodyInLanes(IRMapping& values) {
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
    if (match_.isForRoundedRoots && op.result() == match_.combined)
      state.attributes.set(rewriter_.named(kForRoundedRoots, Attribute()).name,
                           rewriter_.unitAttr());
    values.map(op.result(), rewriter_.create(state)->result());
  }
  return values.lookupOr(match_.combined);
}

// -- Joining --------------------------------------------------------------------------------------

Value RowsInLanes::shuffle(Value a, Value b, const std::array<int64_t, kLanes>& from) {
  std::vector<Attribute> mask;
  for (int64_t lane : from)
    mask.push_back(rewriter_.i64Attr(lane));
  return rewriter_
      .create(location_, "vector.shuffle", {a, b}, {a.type()},
              {rewriter_.named("mask", ArrayAttr::get(rewriter_.context(), mask))})
      ->result();
}

/// Two vectors become one while there are several: even lanes with odd ones, so that a row has half
/// as many lanes as before, and the rows stay in their order. Then lanes of one vector are combined
/// with those half a row further on.
JoinedRows RowsInLanes::joined(std::vector<Value> rows, bool isDense) {
  std::array<int64_t, kLanes> even, odd, turned;
  for (int64_t lane = 0; lane < kLanes; ++lane)
    even[lane] = 2 * lane, odd[lane] = 2 * lane + 1;
  int64_t stride = kLanes;
  auto halve = [&](Value a, Value b) {
    Value first = shuffle(a, b, even), second = shuffle(a, b, odd);
    return combine(first, second);
  };
  for (; rows.size() > 1; stride /= 2) {
    std::vector<Value> next;
    for (size_t i = 0; i < rows.size(); i += 2)
      next.push_back(halve(rows[i], rows[std::min(i + 1, rows.size() - 1)]));
    rows = next;
  }
  Value lanes = rows.front();
  for (; isDense && stride > 1; stride /= 2)
    lanes = halve(lanes, lanes);
  for (int64_t by = stride / 2; by > 0; by /= 2) {
    for (int64_t lane = 0; lane < kLanes; ++lane)
      turned[lane] = (lane + by) % kLanes;
    lanes = combine(lanes, shuffle(lanes, lanes, turned));
  }
  return {lanes, stride};
}

Value RowsInLanes::extract(const JoinedRows& rows, size_t row) {
  const int64_t lane[] = {static_cast<int64_t>(row) * rows.stride};
  auto result = vector::ExtractOp::create(rewriter_, location_, rows.lanes, lane);
  result->setAttr(linalg::kSumLanes, rewriter_.i64Attr(kLanes));
  return result.result();
}

}  // namespace airlite
