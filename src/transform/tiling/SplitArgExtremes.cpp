// air-split-arg-extremes: the place of the greatest or least number of each row is looked for once that number is known.
//
// Matches, in a function, a linalg.generic on buffers of the host that keeps the extreme of each row (its last loop, which alone is not parallel)
// and the index at which it was found, as argmax is written: a comparison with the extreme so far selects both.
//
//   v, k = select(x > v, x, v), select(x > v, j, k)
//     ->  m = max(x); p = min(select(x == m, j, none)); v, k = select(m > v, m, v), select(m > v, p, k)
//
// Reductions of one result each have lanes. With >= the last place is found, the greatest one. A zero may get the other sign; with
// `signed-zeros` what is looked for is twice the place and, of floats, the sign of its number, which the extreme is given in the end.
//
// Declines: fewer rows than `least-rows`, indices other than i32 and i64, other loops, results that lie otherwise than one for each row.
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace airlite {

namespace {

using arith::CmpFPredicate;
using arith::CmpIPredicate;
using linalg::IteratorKind;
using linalg::StructuredOp;

/// How a number beats the extreme so far.
struct ArgOrder {
  bool isGreater = true;  ///< else less
  bool isStrict = true;   ///< the first of equal numbers counts, else the last
};

/// Of `number ? soFar`; none for other predicates.
std::optional<ArgOrder> orderOf(Operation& compare, bool isSwapped) {
  std::optional<ArgOrder> order;
  if (compare.is("arith.cmpi")) {
    switch (arith::CmpIOp(&compare).predicate()) {
      case CmpIPredicate::sgt: order = {true, true}; break;
      case CmpIPredicate::sge: order = {true, false}; break;
      case CmpIPredicate::slt: order = {false, true}; break;
      case CmpIPredicate::sle: order = {false, false}; break;
      default: break;
    }
  } else if (compare.is("arith.cmpf")) {
    switch (arith::CmpFOp(&compare).predicate()) {
      case CmpFPredicate::OGT: order = {true, true}; break;
      case CmpFPredicate::OGE: order = {true, false}; break;
      case CmpFPredicate::OLT: order = {false, true}; break;
      case CmpFPredicate::OLE: order = {false, false}; break;
      default: break;
    }
  }
  if (order && isSwapped) order->isGreater = !order->isGreater;
  return order;
}

struct ArgExtreme {
  StructuredOp op;
  Operation* compare = nullptr;
  ArgOrder order;
};

/// Whether `value` is `select %compare, onTrue, onFalse`.
bool isChoice(Value value, Operation& compare, Value onTrue, Value onFalse) {
  const Operation* op = value.definingOp();
  return op && op->is("arith.select") && op->operand(0) == compare.result() &&
         op->operand(1) == onTrue && op->operand(2) == onFalse;
}

/// The index of the last loop as an integer, or null.
Value placeIn(StructuredOp op) {
  for (Operation& inner : op.body().ops()) {
    if (!inner.is("arith.index_cast")) continue;
    const Type type = inner.result().type();
    if (!type.isInteger(32) && !type.isInteger(64)) continue;
    const Operation* index = inner.operand(0).definingOp();
    if (index && index->is("linalg.index") &&
        index->attrOf<IntegerAttr>("dim").value() == op.numLoops() - 1)
      return inner.result();
  }
  return {};
}

/// Rows of known length, short enough for places of 32 bits, one of which may be a sign.
bool isRowwise(StructuredOp op, int64_t leastRows) {
  const std::vector<IteratorKind> kinds = op.iterators();
  const std::vector<int64_t> sizes = op.loopSizes();
  if (std::ranges::count(kinds, IteratorKind::Parallel) + 1 != std::ssize(kinds) ||
      kinds.back() != IteratorKind::Reduction || std::ranges::count(sizes, kDynamic) != 0)
    return false;
  int64_t rows = 1;
  for (size_t i = 0; i + 1 < sizes.size(); ++i)
    rows *= sizes[i];
  return rows >= leastRows && sizes.back() <= std::numeric_limits<int32_t>::max() / 2 &&
         op.indexingMaps()[0].isIdentity();
}

/// Whether a result has one element for each row; the dimension of the columns may be left, with one element.
bool hasOnePerRow(AffineMap map) {
  unsigned rows = 0;
  for (AffineExpr result : map.results()) {
    if (result.isConstant(0)) continue;
    if (result.kind() != AffineKind::Dim || result.position() != rows++) return false;
  }
  return rows + 1 == map.numDims();
}

std::optional<ArgExtreme> matchArg(Operation& op, int64_t leastRows) {
  const StructuredOp structured = linalg::asStructured(&op);
  if (!structured || !op.is("linalg.generic") || !structured.onBuffers() ||
      structured.numInputs() != 1 || structured.numOutputs() != 2 ||
      !isRowwise(structured, leastRows) || !hasOnePerRow(structured.indexingMaps()[1]) ||
      !hasOnePerRow(structured.indexingMaps()[2]))
    return std::nullopt;
  const Value number = structured.bodyArgument(0), soFar = structured.bodyArgument(1),
              placeSoFar = structured.bodyArgument(2), place = placeIn(structured);
  const Operation& yield = structured.body().back();
  Operation* select = yield.operand(1).definingOp();
  Operation* compare =
      select && select->is("arith.select") ? select->operand(0).definingOp() : nullptr;
  if (!place || !compare || compare->numOperands() != 2) return std::nullopt;
  const bool isPlain = compare->operand(0) == number && compare->operand(1) == soFar,
             isSwapped = compare->operand(0) == soFar && compare->operand(1) == number;
  const auto order = isPlain || isSwapped ? orderOf(*compare, isSwapped) : std::nullopt;
  if (!order || !isChoice(yield.operand(1), *compare, place, placeSoFar) ||
      !isChoice(yield.operand(0), *compare, number, soFar))
    return std::nullopt;
  return ArgExtreme{structured, compare, *order};
}

class ArgSplitter {
 public:
  ArgSplitter(const ArgExtreme& found, bool hasSigns)
      : op_(found.op),
        compare_(*found.compare),
        order_(found.order),
        rewriter_(op_->context()),
        location_(op_->location()),
        element_(op_.bodyArgument(0).type()),
        place_(op_.bodyArgument(2).type()),
        word_(rewriter_.intType(32)),
        hasSigns_(hasSigns && element_.isFloat()),
        none_(order_.isStrict ? std::numeric_limits<int32_t>::max() : -1) {}

  void run() {
    rewriter_.setBefore(*op_.op());
    const Value extremes = filled(neutral()), places = filled(IntegerAttr::get(word_, none_));
    findExtremes(extremes);
    findPlaces(extremes, places);
    choose(extremes, places);
    rewriter_.eraseOp(*op_.op());
  }

 private:
  unsigned rowLoops() const { return op_.numLoops() - 1; }
  /// Of the extremes and places.
  AffineMap rows() const {
    std::vector<AffineExpr> dims;
    for (unsigned loop = 0; loop < rowLoops(); ++loop)
      dims.push_back(AffineExpr::dim(op_->context(), loop));
    return AffineMap::get(op_->context(), rowLoops() + 1, 0, dims);
  }
  bool isFloat() const { return element_.isFloat(); }

  Attribute neutral() const {
    if (isFloat()) {
      const double infinity = std::numeric_limits<double>::infinity();
      return FloatAttr::get(element_, order_.isGreater ? -infinity : infinity);
    }
    const int64_t half = int64_t{1} << (element_.bitWidth() - 1);
    return IntegerAttr::get(element_, order_.isGreater ? -half : half - 1);
  }

  /// A number for each row.
  Value filled(Attribute number) {
    const Value value = rewriter_.constant(location_, number);
    const std::vector<int64_t> sizes = op_.loopSizes();
    const auto type =
        MemRefType::get(op_->context(), std::span(sizes).first(rowLoops()), value.type());
    const Value buffer = memref::AllocOp::create(rewriter_, location_, type).result();
    linalg::createNamedOp(rewriter_, location_, "linalg.fill", {&value, 1}, {&buffer, 1});
    return buffer;
  }

  static Value make(Builder& body, Location location, std::string_view name,
                    std::initializer_list<Value> operands, Type type) {
    return body.create(location, name, operands, {type})->result();
  }
  static void yield(Builder& body, Location location, std::initializer_list<Value> values) {
    body.create(location, "linalg.yield", values, {});
  }

  void findExtremes(Value extremes) {
    const Value input = op_->operand(0);
    StructuredOp made =
        linalg::createGeneric(rewriter_, location_, {&input, 1}, {&extremes, 1},
                              std::vector{op_.indexingMaps()[0], rows()}, op_.iterators());
    Builder body = Builder::atEnd(made.body());
    const std::string_view name = isFloat() ? (order_.isGreater ? "arith.maxnumf" : "arith.minnumf")
                                            : (order_.isGreater ? "arith.maxsi" : "arith.minsi");
    yield(body, location_,
          {make(body, location_, name, {made.bodyArgument(0), made.bodyArgument(1)}, element_)});
  }

  Value equal(Builder& body, Value a, Value b) const {
    const int64_t predicate = isFloat() ? static_cast<int64_t>(CmpFPredicate::OEQ)
                                        : static_cast<int64_t>(CmpIPredicate::eq);
    return body
        .create(location_, isFloat() ? "arith.cmpf" : "arith.cmpi", {a, b}, {body.intType(1)},
                {body.named("predicate", body.i64Attr(predicate))})
        ->result();
  }

  Value number(Builder& body, Type type, double value) const {
    return body.constant(location_, type.isFloat()
                                        ? Attribute(FloatAttr::get(type, value))
                                        : IntegerAttr::get(type, static_cast<int64_t>(value)));
  }

  /// Twice the place, and one more for a number with a sign.
  Value signedPlace(Builder& body, Value place, Value of) const {
    if (!hasSigns_) return place;
    const Value one = number(body, element_, 1), zero = number(body, element_, 0),
                sign = make(body, location_, "math.copysign", {one, of}, element_),
                isNegative = body.create(location_, "arith.cmpf", {sign, zero}, {body.intType(1)},
                                         {body.named("predicate", body.i64Attr(static_cast<int64_t>(
                                                                      CmpFPredicate::OLT)))})
                                 ->result(),
                twice = make(body, location_, "arith.shli", {place, number(body, word_, 1)}, word_),
                next = make(body, location_, "arith.ori", {twice, number(body, word_, 1)}, word_);
    return make(body, location_, "arith.select", {isNegative, next, twice}, word_);
  }

  /// The extreme with the sign of what is at the place that was found.
  Value withSign(Builder& body, Value extreme, Value found) const {
    if (!hasSigns_) return extreme;
    const Value one = number(body, element_, 1), minus = number(body, element_, -1),
                bit = make(body, location_, "arith.andi", {found, number(body, word_, 1)}, word_),
                isNegative =
                    body.create(location_, "arith.cmpi", {bit, number(body, word_, 1)},
                                {body.intType(1)},
                                {body.named("predicate",
                                            body.i64Attr(static_cast<int64_t>(CmpIPredicate::eq)))})
                        ->result(),
                sign = make(body, location_, "arith.select", {isNegative, minus, one}, element_);
    return make(body, location_, "math.copysign", {extreme, sign}, element_);
  }

  void findPlaces(Value extremes, Value places) {
    const Value inputs[] = {op_->operand(0), extremes};
    StructuredOp made =
        linalg::createGeneric(rewriter_, location_, inputs, {&places, 1},
                              std::vector{op_.indexingMaps()[0], rows(), rows()}, op_.iterators());
    Builder body = Builder::atEnd(made.body());
    const Value column = body.create(location_, "linalg.index", {}, {body.indexType()},
                                     {body.named("dim", body.i64Attr(rowLoops()))})
                             ->result();
    const Value place =
                    signedPlace(body, make(body, location_, "arith.index_cast", {column}, word_),
                                made.bodyArgument(0)),
                none = body.constant(location_, IntegerAttr::get(word_, none_)),
                isIt = equal(body, made.bodyArgument(0), made.bodyArgument(1)),
                candidate = make(body, location_, "arith.select", {isIt, place, none}, word_);
    yield(body, location_,
          {make(body, location_, order_.isStrict ? "arith.minsi" : "arith.maxsi",
                {candidate, made.bodyArgument(2)}, word_)});
  }

  /// The maps of `choose`, which has the loops of the rows.
  std::vector<AffineMap> mapsOfRows() const {
    std::vector<AffineMap> maps(2, AffineMap::identity(op_->context(), rowLoops()));
    for (unsigned output = 1; output <= 2; ++output)
      maps.push_back(
          AffineMap::get(op_->context(), rowLoops(), 0, op_.indexingMaps()[output].results()));
    return maps;
  }

  /// A row of nothing but NaN has no place; its extreme, the neutral one, can still equal what the result was.
  Value withPlace(Builder& body, Value isBetter, Value place) const {
    if (!isFloat() || order_.isStrict) return isBetter;
    const Value none = body.constant(location_, IntegerAttr::get(word_, none_));
    const auto predicate = body.i64Attr(static_cast<int64_t>(CmpIPredicate::ne));
    const Value isPlace = body.create(location_, "arith.cmpi", {place, none}, {body.intType(1)},
                                      {body.named("predicate", predicate)})
                              ->result();
    return make(body, location_, "arith.andi", {isBetter, isPlace}, body.intType(1));
  }

  /// What the results were before the op may be better.
  void choose(Value extremes, Value places) {
    const Value inputs[] = {extremes, places};
    StructuredOp made =
        linalg::createGeneric(rewriter_, location_, inputs, op_.outputs().vec(), mapsOfRows(),
                              std::vector(rowLoops(), IteratorKind::Parallel));
    Builder body = Builder::atEnd(made.body());
    IRMapping values;
    values.map(op_.bodyArgument(0), made.bodyArgument(0));
    values.map(op_.bodyArgument(1), made.bodyArgument(2));
    const Value isBetter =
        withPlace(body, body.clone(compare_, values)->result(), made.bodyArgument(1));
    Value place = made.bodyArgument(1);
    const Value extreme = withSign(body, made.bodyArgument(0), place);
    if (hasSigns_)
      place = make(body, location_, "arith.shrsi", {place, number(body, word_, 1)}, word_);
    if (place_ != word_) place = make(body, location_, "arith.extsi", {place}, place_);
    yield(
        body, location_,
        {make(body, location_, "arith.select", {isBetter, extreme, made.bodyArgument(2)}, element_),
         make(body, location_, "arith.select", {isBetter, place, made.bodyArgument(3)}, place_)});
  }

  StructuredOp op_;
  Operation& compare_;
  const ArgOrder order_;
  Rewriter rewriter_;
  Location location_;
  const Type element_, place_, word_;
  const bool hasSigns_;
  const int64_t none_;
};

class SplitArgExtremes : public Pass {
 public:
  SplitArgExtremes()
      : Pass("air-split-arg-extremes", "Finds the extreme of rows first, and then its place") {
    anchor("func.func");
    option("least-rows", leastRows_, "rows of an op that is split");
    option("signed-zeros", signedZeros_, "extremes that are zero have the sign of the program");
    example("airlite-opt --air-split-arg-extremes in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<ArgExtreme> found;
    function.walk([&](Operation& op) {
      if (op.parentOp() != &function) return;
      if (const auto arg = matchArg(op, leastRows_)) found.push_back(*arg);
    });
    if (found.empty()) return PassResult::Unchanged;
    context.declareEffectChange(CountedEffect::Store, "extremes and places have buffers");
    for (const ArgExtreme& arg : found)
      ArgSplitter(arg, signedZeros_).run();
    return PassResult::Changed;
  }

 private:
  bool signedZeros_ = false;
  int64_t leastRows_ = 16;  // with fewer air-fuse-rows makes no nest
};

}  // namespace

void registerSplitArgExtremes(PassRegistry& registry) { registry.add<SplitArgExtremes>(); }

}  // namespace airlite
