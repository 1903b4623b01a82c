// Finds attention: from the second product back through the steps of a softmax (as air-decompose-softmax
// makes them, or as they are written) and elementwise ops to the first one.
#include "Attention.hpp"

#include "Followers.hpp"
#include "RowChain.hpp"
#include "TileWriter.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace airlite::gpu {
namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

// -- Bodies ----------------------------------------------------------------------------------------

/// The value before conversions between floats.
Value unconverted(Value value) {
  Operation* op = value.definingOp();
  while (op && (op->is("arith.extf") || op->is("arith.truncf"))) {
    value = op->operand(0);
    op = value.definingOp();
  }
  return value;
}

Value yielded(StructuredOp op) { return unconverted(op.body().back().operand(0)); }

/// The operand whose element `value` is; -1: none.
int operandOf(StructuredOp op, Value value) {
  value = unconverted(value);
  for (unsigned i = 0; i < op->numOperands(); ++i)
    if (op.bodyArgument(i) && op.bodyArgument(i) == value) return static_cast<int>(i);
  return -1;
}

Operation* opOf(Value value, std::string_view name) {
  Operation* op = value.definingOp();
  return op && op->is(name) ? op : nullptr;
}

std::optional<double> floatOf(Value value) {
  const auto number = constantOf(value).dynCast<FloatAttr>();
  return number ? std::optional(number.value()) : std::nullopt;
}

bool isMinusInfinity(Value value) {
  const auto number = floatOf(unconverted(value));
  return number && std::isinf(*number) && *number < 0;
}

/// a * m + b * n + c of the indices m and n of an op.
struct Linear {
  int64_t m = 0, n = 0, c = 0;
};

std::optional<Linear> linearOf(Value value, unsigned m, unsigned n) {
  if (const auto number = constantIntOf(value)) return Linear{0, 0, *number};
  Operation* op = value.definingOp();
  if (!op) return std::nullopt;
  if (op->is("arith.index_cast")) return linearOf(op->operand(0), m, n);
  if (op->is("linalg.index")) {
    const auto loop = static_cast<unsigned>(op->attrOf<IntegerAttr>("dim").value());
    if (loop != m && loop != n) return std::nullopt;
    return Linear{loop == m, loop == n, 0};
  }
  if (!op->is("arith.addi") && !op->is("arith.subi")) return std::nullopt;
  const auto a = linearOf(op->operand(0), m, n), b = linearOf(op->operand(1), m, n);
  if (!a || !b) return std::nullopt;
  const int64_t sign = op->is("arith.addi") ? 1 : -1;
  return Linear{a->m + sign * b->m, a->n + sign * b->n, a->c + sign * b->c};
}

/// How a comparison leaves keys to queries; empty: it does not leave those below a limit.
std::optional<CausalLimit> limitOf(Operation& comparison, unsigned m, unsigned n) {
  using P = arith::CmpIPredicate;
  const auto kind = static_cast<P>(comparison.attrOf<IntegerAttr>("predicate").value());
  const auto a = linearOf(comparison.operand(0), m, n), b = linearOf(comparison.operand(1), m, n);
  if (!a || !b) return std::nullopt;
  const bool isUnsigned = kind == P::ult || kind == P::ule || kind == P::ugt || kind == P::uge;
  for (const Linear& side : {*a, *b})
    if (isUnsigned && (side.m < 0 || side.n < 0 || side.c < 0)) return std::nullopt;
  bool isLess = kind == P::ult || kind == P::slt || kind == P::ule || kind == P::sle;
  const bool isMore = kind == P::ugt || kind == P::sgt || kind == P::uge || kind == P::sge;
  if (!isLess && !isMore) return std::nullopt;
  const bool orEqual = kind == P::ule || kind == P::sle || kind == P::uge || kind == P::sge;
  Linear left{a->m - b->m, a->n - b->n, a->c - b->c};  // compared with 0
  if (left.m == 1 && left.n == -1) {
    left = {-1, 1, -left.c};
    isLess = !isLess;
  }
  if (left.m != -1 || left.n != 1) return std::nullopt;
  CausalLimit limit;
  limit.comparison = comparison.result();
  limit.isInside = isLess;
  // n - m + c < 0, or its opposite.
  limit.offset = -left.c + (isLess == orEqual ? 1 : 0);
  return limit;
}

/// The comparisons that are put together by ops of this name to `condition`.
void addComparisons(Value condition, std::string_view name, std::vector<Operation*>& into) {
  Operation* op = condition.definingOp();
  if (op && op->is(name)) {
    addComparisons(op->operand(0), name, into);
    addComparisons(op->operand(1), name, into);
  } else if (op && op->is("arith.cmpi")) {
    into.push_back(op);
  }
}

/// Of a select that leaves the keys for which all of some comparisons are true, or none is.
std::optional<CausalLimit> causalLimit(StructuredOp op, unsigned m, unsigned n) {
  Operation* choice = opOf(yielded(op), "arith.select");
  if (!choice) return std::nullopt;
  const bool leavesTrue = isMinusInfinity(choice->operand(2));
  if (!leavesTrue && !isMinusInfinity(choice->operand(1))) return std::nullopt;
  std::vector<Operation*> comparisons;
  addComparisons(choice->operand(0), leavesTrue ? "arith.andi" : "arith.ori", comparisons);
  std::optional<CausalLimit> found;
  std::optional<int64_t> first;
  for (Operation* comparison : comparisons) {
    const auto limit =
        comparison->block() == &op.body() ? limitOf(*comparison, m, n) : std::nullopt;
    if (!limit) continue;
    // The others are left, those from a limit on.
    if (limit->isInside != leavesTrue)
      first = limit->offset;
    else if (!found)
      found = limit;
  }
  if (!found) return std::nullopt;
  found->op = op;
  found->first = first;
  return found;
}

// -- Memory ----------------------------------------------------------------------------------------

/// The fill with `number` that is all that `memref` holds before `op`.
Operation* fillBefore(Operation& op, Value memref, double number) {
  StructuredOp writer = writerBefore(op, memref, true);
  if (!writer || !writer->is("linalg.fill")) return nullptr;
  const auto value = floatOf(writer->operand(0));
  const bool isSame = value && *value == number && std::signbit(*value) == std::signbit(number);
  return isSame ? writer.op() : nullptr;
}

// -- Steps -----------------------------------------------------------------------------------------

/// One class: each step back is a few lines, and all of them collect what is replaced.
class AttentionFinder {
 public:
  AttentionFinder(StructuredOp op, std::string& why) : why_(why) { a_.result = op; }

  std::optional<Attention> find() {
    if (!findProbabilities()) return std::nullopt;
    why_ = obstacle();
    if (!why_.empty()) return std::nullopt;
    return std::move(a_);
  }

 private:
  /// Back from either factor; true where a softmax makes it.
  bool findProbabilities() {
    if (!a_.result.onBuffers() || !linalg::isMultiplyAdd(a_.result)) return false;
    for (unsigned i = 0; i < 2; ++i) {
      members_ = {a_.result.op()};
      inner_.clear();
      if (!elementTypeOrSelf(a_.result->operand(i).type()).isFloat()) continue;
      const auto type = a_.result->operand(i).type().dynCast<MemRefType>();
      if (!type) continue;
      a_.rank = static_cast<unsigned>(type.rank());
      probabilities_ = i;
      if (findSoftmax(a_.result->operand(i))) return true;
    }
    return false;
  }

  StructuredOp takeWriter(StructuredOp before, Value memref) {
    StructuredOp op = writerBefore(*before, memref);
    if (op && op.numOutputs() == 1 && op.iterators().size() == a_.rank) {
      members_.insert(op.op());
      addInner(memref);
      return op;
    }
    return StructuredOp(nullptr);
  }

  void addInner(Value memref) {
    if (!std::ranges::count(inner_, memref)) inner_.push_back(memref);
  }

  static bool isWhole(StructuredOp op, int operand) {
    return operand >= 0 && op.indexingMaps()[static_cast<size_t>(operand)].isIdentity();
  }

  static bool isPointwise(StructuredOp op) {
    return std::ranges::all_of(op.iterators(),
                               [](IteratorKind kind) { return kind == IteratorKind::Parallel; }) &&
           isWhole(op, static_cast<int>(op.numInputs()));
  }

  /// One number for each row: all loops but that of the keys, in their order, zeros apart.
  bool isRow(StructuredOp op, int operand) {
    if (operand < 0) return false;
    std::vector<unsigned> loops;
    for (AffineExpr result : op.indexingMaps()[static_cast<size_t>(operand)].results()) {
      if (result.kind() == AffineKind::Constant && result.constantValue() == 0) continue;
      if (result.kind() != AffineKind::Dim) return false;
      loops.push_back(result.position());
    }
    std::vector<unsigned> wanted;
    for (unsigned loop = 0; loop < a_.rank; ++loop)
      if (loop != a_.n) wanted.push_back(loop);
    return loops == wanted;
  }

  /// `memref` is e / sum(e), e = exp(x - max(x)); x is scores_ then.
  bool findSoftmax(Value memref) {
    StructuredOp at = a_.result, quotient{nullptr};
    while (!quotient) {
      StructuredOp op = takeWriter(at, memref);
      if (!op || !isPointwise(op)) return false;
      if (opOf(yielded(op), "arith.divf")) quotient = op;
      const int source = operandOf(op, yielded(op));
      if (!quotient &&
          (!isWhole(op, source) || op->operand(static_cast<unsigned>(source)) == memref))
        return false;
      if (!quotient) memref = op->operand(static_cast<unsigned>(source));
      at = op;
    }
    Operation* division = opOf(yielded(quotient), "arith.divf");
    const int top = operandOf(quotient, division->operand(0)),
              bottom = operandOf(quotient, division->operand(1));
    if (!isWhole(quotient, top) || bottom < 0) return false;
    const Value e = quotient->operand(static_cast<unsigned>(top));
    StructuredOp sum =
        findReduction(quotient, quotient->operand(static_cast<unsigned>(bottom)), e, {"add"}, 0);
    if (!sum || !isRow(quotient, bottom)) return false;
    StructuredOp exponential = takeWriter(sum, e);
    if (!exponential || exponential.op() != takeWriter(quotient, e).op()) return false;
    return findExponential(exponential);
  }

  bool findExponential(StructuredOp op) {
    Operation* exp = isPointwise(op) ? opOf(yielded(op), "math.exp") : nullptr;
    Operation* difference = exp ? opOf(unconverted(exp->operand(0)), "arith.subf") : nullptr;
    if (!difference) return false;
    const int x = operandOf(op, difference->operand(0)),
              most = operandOf(op, difference->operand(1));
    if (!isWhole(op, x) || most < 0 || !isRow(op, most)) return false;
    scores_ = op->operand(static_cast<unsigned>(x));
    maximum_ = findReduction(op, op->operand(static_cast<unsigned>(most)), scores_,
                             {"maxnumf", "maximumf"}, -std::numeric_limits<double>::infinity());
    // What both read is the same.
    return maximum_ && writerBefore(*op, scores_).op() == writerBefore(*maximum_, scores_).op();
  }

  /// The op that reduces all of `from` to `rows` along one dimension, which becomes the keys'.
  StructuredOp findReduction(StructuredOp user, Value rows, Value from,
                             std::initializer_list<std::string_view> kinds, double start) {
    StructuredOp op = takeWriter(user, rows);
    if (!op || op.numInputs() != 1 || op->operand(0) != from || !isWhole(op, 0))
      return StructuredOp(nullptr);
    Operation* combiner = combinerOf(op, 0);
    if (!combiner || !std::ranges::count(kinds, kindOf(*combiner))) return StructuredOp(nullptr);
    const Value old = op.bodyArgument(1);
    const Value fresh = combiner->operand(combiner->operand(0) == old ? 1 : 0);
    if (operandOf(op, fresh) != 0) return StructuredOp(nullptr);
    const auto loops = op.iterators();
    if (std::ranges::count(loops, IteratorKind::Reduction) != 1) return StructuredOp(nullptr);
    const auto keys =
        static_cast<unsigned>(std::ranges::find(loops, IteratorKind::Reduction) - loops.begin());
    if (start != 0 && keys != a_.n) return StructuredOp(nullptr);  // the sum was found before
    a_.n = keys;
    Operation* fill = fillBefore(*op, rows, start);
    if (!fill || !isRow(op, 1)) return StructuredOp(nullptr);
    members_.insert(fill);
    return op;
  }

  // -- Before and after the softmax

  std::string obstacle() {
    if (const auto why = findScores(); !why.empty()) return why;
    if (const auto why = takeShapes(); !why.empty()) return why;
    takeFill();
    takeAfter();
    if (const auto why = memoryObstacle(); !why.empty()) return why;
    // What follows a limit could make numbers of minus infinity.
    if (!a_.onScores.empty()) a_.limit = causalLimit(a_.onScores.back().op, a_.m, a_.n);
    return "";
  }

  /// Elementwise ops back to the product.
  std::string findScores() {
    StructuredOp at = maximum_;
    Value memref = scores_;
    while (true) {
      StructuredOp op = writerBefore(*at, memref);
      if (!op) return "what makes its scores is not known";
      members_.insert(op.op());
      addInner(memref);
      if (linalg::isMultiplyAdd(op)) {
        a_.scores = op;
        Operation* fill = fillBefore(*op, memref, 0);
        if (!fill) return "its scores do not start at zero";
        members_.insert(fill);
        return "";
      }
      if (!isTileOp(op)) return "an op on its scores is not elementwise";
      const int source = lineage(op);
      if (source < 0) return "what makes its scores is no product";
      if (!takesOnce(op, static_cast<unsigned>(source)))
        return "an op on its scores takes them at several places";
      a_.onScores.insert(a_.onScores.begin(), {op, static_cast<unsigned>(source)});
      memref = op->operand(static_cast<unsigned>(source));
      at = op;
    }
  }

  /// Of the memory that operand `source` and the result are, the body reads the former alone.
  static bool takesOnce(StructuredOp op, unsigned source) {
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      const Value argument = op.bodyArgument(i), operand = op->operand(i);
      if (i == source || !argument || !argument.hasUses()) continue;
      for (Value scores : {op->operand(source), op.outputs()[0]})
        if (operand.type().isa<MemRefType>() &&
            memref::viewSource(operand) == memref::viewSource(scores))
          return false;
    }
    return true;
  }

  /// The operand of an elementwise op that comes from a product through such ops: what the op overwrites, or
  /// an input; -1: none.
  static int lineage(StructuredOp op) {
    for (unsigned i = op->numOperands(); i-- > 0;) {
      const bool isUsed = i < op.numInputs() || op.readsOutput(0);
      if (!isUsed || !op->operand(i).type().isa<MemRefType>() || !isWhole(op, static_cast<int>(i)))
        continue;
      StructuredOp writer = writerBefore(*op, op->operand(i));
      if (!writer || writer.numOutputs() != 1) continue;
      if (linalg::isMultiplyAdd(writer)) return static_cast<int>(i);
      if (isTileOp(writer) && lineage(writer) >= 0) return static_cast<int>(i);
    }
    return -1;
  }

  static bool hasLoop(AffineMap map, unsigned loop) {
    return std::ranges::any_of(map.results(),
                               [&](AffineExpr result) { return result.usesDim(loop); });
  }

  /// `map` with loop i called names[i].
  AffineMap renamed(AffineMap map, const std::vector<unsigned>& names) const {
    std::vector<AffineExpr> results;
    for (AffineExpr result : map.results())
      results.push_back(AffineExpr::dim(a_.scores->context(), names[result.position()]));
    return AffineMap::get(a_.scores->context(), a_.rank + 2, 0, results);
  }

  /// Names of the loops of a product one of whose operands is the scores: `extra` is the one that they lack.
  std::vector<unsigned> namesOf(StructuredOp product, unsigned operand, unsigned extra) const {
    std::vector<unsigned> names(product.numLoops(), extra);
    const AffineMap map = product.indexingMaps()[operand];
    for (unsigned i = 0; i < map.numResults(); ++i)
      names[map.result(i).position()] = i;
    return names;
  }

  std::string takeShapes() {
    for (StructuredOp product : {a_.scores, a_.result}) {
      if (product.numLoops() != a_.rank + 1) return "a product has other loops than its operands";
      for (AffineMap map : product.indexingMaps())
        if (!map.isProjectedPermutation()) return "an operand is not indexed by loops alone";
    }
    const auto first = namesOf(a_.scores, 2, a_.d());
    const auto second = namesOf(a_.result, probabilities_, a_.e());
    const auto mapsOf = a_.scores.indexingMaps(), mapsTo = a_.result.indexingMaps();
    const AffineMap maps[] = {renamed(mapsOf[0], first), renamed(mapsOf[1], first)};
    const unsigned keys = hasLoop(maps[0], a_.n) ? 0 : 1;
    a_.k = a_.scores->operand(keys);
    a_.mapK = maps[keys];
    a_.q = a_.scores->operand(1 - keys);
    a_.mapQ = maps[1 - keys];
    a_.v = a_.result->operand(1 - probabilities_);
    a_.mapV = renamed(mapsTo[1 - probabilities_], second);
    a_.o = a_.result->operand(2);
    a_.mapO = renamed(mapsTo[2], second);
    if (const auto why = loopObstacle(); !why.empty()) return why;
    takeSizes();
    return elementObstacle();
  }

  std::string loopObstacle() {
    if (hasLoop(a_.mapQ, a_.n) || !hasLoop(a_.mapK, a_.n) || !hasLoop(a_.mapV, a_.n) ||
        hasLoop(a_.mapO, a_.n))
      return "the softmax does not run over the keys";
    if (!hasLoop(a_.mapQ, a_.d()) || !hasLoop(a_.mapK, a_.d()) || !hasLoop(a_.mapV, a_.e()) ||
        !hasLoop(a_.mapO, a_.e()))
      return "a product has not one loop of rows, of columns and of sums";
    bool hasQueries = false;
    for (unsigned loop = 0; loop < a_.rank; ++loop) {
      if (loop == a_.n) continue;
      if (!hasLoop(a_.mapO, loop)) return "a loop of its scores is no loop of its result";
      if (hasLoop(a_.mapK, loop) || hasLoop(a_.mapV, loop) || !hasLoop(a_.mapQ, loop)) continue;
      a_.m = loop;
      hasQueries = true;
    }
    return hasQueries ? "" : "it has no loop of queries";
  }

  void takeSizes() {
    a_.sizes.assign(a_.rank + 2, kDynamic);
    const std::pair<Value, AffineMap> operands[] = {
        {a_.q, a_.mapQ}, {a_.k, a_.mapK}, {a_.v, a_.mapV}, {a_.o, a_.mapO}};
    for (const auto& [memref, map] : operands)
      for (unsigned i = 0; i < map.numResults(); ++i)
        if (const int64_t size = memref.type().cast<MemRefType>().dim(i); size != kDynamic)
          a_.sizes[map.result(i).position()] = size;
  }

  /// Floats of eight bits are widened to the elements that they are multiplied with. Null: the two are not multiplied.
  static Type widerOf(Type a, Type b) {
    if (a == b) return a;
    if (a.isFloat8()) std::swap(a, b);
    return b.isFloat8() && !a.isFloat8() ? a : Type();
  }

  std::string elementObstacle() {
    const auto elementOf = [](Value memref) { return elementTypeOrSelf(memref.type()); };
    const Type probability = elementOf(a_.result->operand(probabilities_));
    a_.factor = widerOf(elementOf(a_.q), elementOf(a_.k));
    a_.value = widerOf(probability, elementOf(a_.v));
    a_.sum = elementOf(a_.o);
    const auto isKnown = [](Type type) { return type.isF16() || type.isBF16() || type.isF32(); };
    if (!a_.factor) return "queries and keys differ in their elements";
    if (!a_.value || probability != a_.value)
      return "the probabilities are no factors of the type of the values";
    if (!isKnown(a_.factor) || !isKnown(a_.value) || !isKnown(a_.sum))
      return "its elements are not f16, bf16 or f32, keys and values of floats of eight bits";
    for (Value memref : {a_.q, a_.k, a_.v, a_.o})
      if (!memref.type().cast<MemRefType>().stridedForm()) return "an operand has no strides";
    if (a_.sizes[a_.d()] == kDynamic || a_.sizes[a_.e()] == kDynamic)
      return "the size of a head is only known at run time";
    return "";
  }

  void takeFill() {
    Operation* fill = fillBefore(*a_.result, a_.o, 0);
    a_.startsAtZero = fill != nullptr;
    if (fill) members_.insert(fill);
  }

  void takeAfter() {
    Made made{a_.result, a_.o, {members_.begin(), members_.end()}, {a_.q, a_.k, a_.v}};
    for (const auto& [op, source] : a_.onScores)
      made.read.insert(made.read.end(), op.inputs().begin(), op.inputs().end());
    a_.after = followersOf(made);
    Value from = a_.o;
    for (StructuredOp op : a_.after) {
      members_.insert(op.op());
      if (op.outputs()[0] != from) addInner(from);
      from = op.outputs()[0];
    }
  }

  std::string memoryObstacle() {
    const std::vector<Operation*> members(members_.begin(), members_.end());
    for (Value memref : inner_)
      if (!isUsedOnlyBy(memref, members)) return "others need its scores or probabilities too";
    const Value to = a_.after.empty() ? a_.o : a_.after.back().outputs()[0];
    std::vector<Value> read = {a_.q, a_.k, a_.v};
    for (const auto& [op, source] : a_.onScores)
      read.insert(read.end(), op.inputs().begin(), op.inputs().end());
    for (Value memref : read)
      if (memref.type().isa<MemRefType>() && memref::viewSource(memref) == memref::viewSource(to))
        return "it overwrites what other workgroups still read";
    return orderObstacle();
  }

  /// Between its ops nobody touches memory.
  std::string orderObstacle() {
    const Operation* first = nullptr;
    for (Operation* op = &a_.last(); op; op = op->prev()) {
      if (members_.count(op)) {
        a_.ops.insert(a_.ops.begin(), op);
        first = op;
      }
    }
    // The fill of the result may stand far above.
    while (first->is("linalg.fill") && first->operand(1) == a_.o)
      first = a_.ops[1];
    for (Operation* op = &a_.last(); op != first; op = op->prev())
      if (!members_.count(op) && !mayBePassed(*op)) return "another op lies between its ops";
    a_.buffers = inner_;
    return a_.ops.size() == members_.size() ? "" : "its ops lie in several blocks";
  }

  std::string& why_;
  Attention a_;
  unsigned probabilities_ = 0;  ///< operand of the second product
  Value scores_;                ///< what the softmax reads
  StructuredOp maximum_{nullptr};
  std::set<Operation*> members_;
  std::vector<Value> inner_;  ///< memory that only members use
};

}  // namespace

std::optional<Attention> attentionOf(StructuredOp op, std::string& why) {
  return AttentionFinder(op, why).find();
}

}  // namespace airlite::gpu
