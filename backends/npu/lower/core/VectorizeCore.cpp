// air-aie-vectorize-core: innermost loops over elements that lie side by side, by vectors.
//
// Matches, in the programs of cores, an innermost scf.for of step 1 whose
// loads and stores go through its elements in order (at i, or at i plus what is a multiple of 32 bytes; loads also at
// 2 i, 4 i or 8 i and any number, StridedRows.hpp)
// and whose arithmetic gives on vectors the same bits as on numbers (isLaneOp), selections by
// comparisons of integers and other uses of them (LaneMasks.hpp) and of indices (IndexTable.hpp) included. It becomes a loop over vectors of 512 bits (or 256, when it is
// short or has elements of two sizes; with elements of 8 and of 32 bits, these have several
// vectors) and one over the rest. What it carries are numbers that are combined with one element
// after the other: each lane has its own, and all lanes are combined after the loop. A NaN stays
// a NaN; which one is the machine's affair. A loop with a long body becomes several first (SplitBody.hpp).
//
// Declines, with a remark: other ops (they stay scalar), other values that are carried, sums of
// floats, sizes that are not constant, and of integers offsets that are not known or no multiple of the lanes, loops that run
// fewer times than a vector has lanes, buffers that are stored and read at different places. Elements of floats that lie
// so, and those at the end of a row that do not fill a vector, go through buffers (GatherElements.hpp).
#include "CoreMemory.hpp"
#include "CoreScope.hpp"
#include "GatherElements.hpp"
#include "IndexTable.hpp"
#include "LaneMasks.hpp"
#include "LegalizePasses.hpp"
#include "SplitBody.hpp"
#include "StridedRows.hpp"
#include "VectorParts.hpp"
#include "VectorUnit.hpp"
#include "airlite/dialect/Reductions.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>

namespace airlite::npu {

namespace {

/// Ops that combine elements in any order, and the kinds that know what changes nothing.
struct Combiner {
  std::string_view name;
  memref::AtomicKind kind;
};
constexpr Combiner kCombiners[] = {
    {"arith.addi", memref::AtomicKind::AddI},
    {"arith.muli", memref::AtomicKind::MulI},
    {"arith.andi", memref::AtomicKind::AndI},
    {"arith.ori", memref::AtomicKind::OrI},
    {"arith.xori", memref::AtomicKind::OrI},
    {"arith.maxsi", memref::AtomicKind::MaxS},
    {"arith.minsi", memref::AtomicKind::MinS},
    {"arith.maxui", memref::AtomicKind::MaxU},
    {"arith.minui", memref::AtomicKind::MinU},
    {"arith.maximumf", memref::AtomicKind::MaximumF},
    {"arith.minimumf", memref::AtomicKind::MinimumF},
};

/// Is `value`, an index, a multiple of `lanes`, a power of two, whenever it is computed?
bool isMultiple(Value value, int64_t lanes) { return divisorOf(value) % lanes == 0; }

// One class: what it notes of accesses and widths while it looks for obstacles is what it rewrites with.
class LoopVectorizer {
 public:
  explicit LoopVectorizer(Operation& loop) : loop_(&loop) {}

  /// Empty when the loop fits, else why it does not.
  std::string_view obstacle() {
    auto count = loop_.tripCount();
    if (!count || constantIntOf(loop_.step()) != 1) return "its bounds are not constant";
    for (unsigned i = 0; i < loop_->numResults(); ++i)
      if (!addReduction(i)) return "it carries values";
    for (Operation& op : loop_.body().ops())
      if (std::string_view why = obstacleAt(op); !why.empty()) return why;
    if (!hasStore_ && reductions_.empty()) return "it stores nothing";
    if (!chooseLanes(*count)) return "no vector has elements of these sizes and is short enough";
    return placeObstacle();
  }

  /// Whether its arithmetic is the vector unit's, wherever its elements lie.
  bool computesByLanes() {
    return loop_->numResults() == 0 && std::ranges::all_of(loop_.body().ops(), [&](Operation& op) {
             const bool isPlaced =
                 isElementAccess(op) || (op.numResults() == 1 && op.result().type().isIndex());
             return isPlaced || obstacleAt(op).empty();
           });
  }

  /// How many elements a vector has, once there is no obstacle.
  int64_t lanes() const { return lanes_; }

  /// Whether a round leaves the same when it is computed once more after later ones.
  bool isRepeatable() const {
    return std::ranges::all_of(accesses_, [&](const Operation* store) {
      return !store->is("memref.store") ||
             std::ranges::count(accesses_, memoryOf(*store),
                                [](const Operation* access) { return memoryOf(*access); }) == 1;
    });
  }

  /// Leaves the loop for the elements that do not fill a vector; false when there are none.
  bool rewrite() {
    int64_t count = *loop_.tripCount() / lanes_ * lanes_,
            first = *constantIntOf(loop_.lowerBound()), rest = *loop_.tripCount() - count;
    bool isAll = rest == 0;
    Rewriter rewriter(loop_->context());
    rewriter.setBefore(*loop_);
    Location location = loop_->location();
    Value end = isAll ? loop_.upperBound() : rewriter.constantIndex(location, first + count);
    const bool readsBeyond = rest != 0 && mayReadBeyond(lanes_);
    if (readsBeyond) isAll = true, end = rewriter.constantIndex(location, first + count);
    std::vector<Value> totals = emitLoop(rewriter, end, readsBeyond ? rest : 0);
    if (isAll) return rewriter.replaceOp(*loop_, totals), false;
    loop_->setOperand(0, end);
    for (unsigned i = 0; i < totals.size(); ++i)
      loop_->setOperand(3 + i, totals[i]);
    return true;
  }

 private:
  bool isInside(Value value) const { return value.parentBlock() == &loop_.body(); }
  std::optional<RowPlace> placeOf(Value index) const { return rowPlaceOf(index, loop_); }
  /// Of a load, with vectors that begin where all their elements are memory; null when there is none.
  std::optional<RowPlace> placeOfLoad(const Operation& load) const {
    auto place = placeOf(indexOf(load));
    const auto memory = memoryOf(load).type().cast<MemRefType>();
    if (place && !choosePhase(*place, indexOf(load), memory)) return std::nullopt;
    return place;
  }
  Value startOf(Value index) const { return isInside(index) ? placeOf(index)->start : Value(); }

  std::string_view obstacleAt(Operation& op) {
    if (op.is("scf.yield")) return "";
    if (op.numResults() == 1 && op.result().type().isIndex())
      return placeOf(op.result()) ? "" : "it computes an index";
    if (isElementAccess(op)) return accessObstacle(op);
    if (isChosenInside(op)) return "";
    const bool isExpanded = VectorParts::expands(op);
    if (isExpanded) widths_.push_back(32);
    if (!isLaneOp(op) && !isExpanded) return "an op has no vector form with the same results";
    for (Type type : op.operandTypes())
      widths_.push_back(type.bitWidth());
    widths_.push_back(op.result().type().bitWidth());
    if (lanesOf(op)) neededLanes_ = lanesOf(op);
    return "";
  }

  /// A comparison of integers that selects numbers of their width, and nothing else; a selection
  /// by one.
  bool isChosenInside(Operation& op) {
    if (op.is("arith.cmpi")) {
      widths_.push_back(op.operand(0).type().bitWidth());
      return isElement(op.operand(0).type()) &&
             std::ranges::all_of(op.result().uses(), [&](OpOperand& use) {
               return use.owner()->is("arith.select") && use.index() == 0 &&
                      use.owner()->result().type().bitWidth() == op.operand(0).type().bitWidth();
             });
    }
    Operation* compare = op.is("arith.select") ? op.operand(0).definingOp() : nullptr;
    return compare && compare->is("arith.cmpi") && isInside(op.operand(0)) &&
           isElement(op.result().type());
  }

  std::string_view accessObstacle(Operation& op) {
    Value memory = memoryOf(op);
    auto type = memory.type().dynCast<MemRefType>();
    if (!type || type.rank() != 1 || !isElement(type.elementType()) || !isOwnMemory(memory))
      return "memory of another kind";
    Value index = indexOf(op);
    if (!isInside(index) && op.is("memref.store")) return "it stores at one place";
    const auto place = placeOf(index);
    if (isInside(index) && !place) return "it goes through memory in another order";
    if (place && place->step > 1 && (op.is("memref.store") || !placeOfLoad(op)))
      return "its elements do not lie side by side";
    accesses_.push_back(&op);
    hasStore_ |= op.is("memref.store");
    if (isInside(index)) widths_.push_back(type.elementType().bitWidth());
    return "";
  }

  /// All elements in one vector each; where they are too different, the narrowest have 256 bits
  /// and the widest several vectors.
  bool chooseLanes(int64_t count) {
    auto [least, most] = std::minmax_element(widths_.begin(), widths_.end());
    for (int64_t lanes : {512 / *most, 256 / *most, 256 / *least}) {
      lanes_ = lanes;
      const int64_t widest = std::min<int64_t>(lanes, 512 / *most);
      if (neededLanes_ && widest < neededLanes_) continue;
      if (lanes * *least >= 256 && (lanes <= count || mayReadBeyond(lanes))) return true;
    }
    return false;
  }

  /// Whether the last vector of a row may read what lies after the row: it is in the same memory, and all that the loop
  /// does is to combine elements.
  bool mayReadBeyond(int64_t lanes) const {
    const int64_t count = (*loop_.tripCount() + lanes - 1) / lanes * lanes;
    return !reductions_.empty() && !hasStore_ &&
           std::ranges::all_of(accesses_, [&](const Operation* access) {
             const Value index = indexOf(*access), start = startOf(index);
             if (!isInside(index)) return true;
             if (placeOf(index)->step > 1) return false;
             const auto first = mostOf(loop_.lowerBound()),
                        before = start ? mostOf(start) : std::optional<int64_t>(0);
             const int64_t size = memoryOf(*access).type().cast<MemRefType>().dim(0);
             return first && before && size != kDynamic && *first + *before + count <= size;
           });
  }

  std::string_view placeObstacle() const {
    for (Operation* op : accesses_) {
      if (isInside(indexOf(*op)) && !isAligned(*op)) return "an access begins inside a vector";
      if (op->is("memref.store") && hasOtherAccess(*op))
        return "a buffer is stored and read at different places";
    }
    return "";
  }
  /// Where an instruction of the load unit can begin, or what it loads can be shifted. Where rounds store what others access,
  /// vectors have to be as far apart as in the program.
  bool isAligned(Operation& access) const {
    const Value memory = memoryOf(access), index = indexOf(access), start = startOf(index);
    int64_t unit = lanes_;
    if (placeOf(index)->step > 1)
      return !isSharedByRounds(access) && isWholeParts(memory.type().cast<MemRefType>());
    if (!isSharedByRounds(access)) {
      if (access.is("memref.load") && isWholeParts(memory.type().cast<MemRefType>())) return true;
      const int64_t bytes = elementTypeOrSelf(memory.type()).bitWidth() / 8;
      unit = std::min(unit, alignmentOf(access, std::min<int64_t>(lanes_ * bytes, 64)) / bytes);
    }
    return isMultiple(loop_.lowerBound(), unit) && (!start || isMultiple(start, unit));
  }
  bool isSharedByRounds(const Operation& access) const {
    return std::ranges::any_of(accesses_, [&](const Operation* other) {
      return memoryOf(*other) == memoryOf(access) && indexOf(*other) != indexOf(access) &&
             (other->is("memref.store") || access.is("memref.store"));
    });
  }
  bool hasOtherAccess(Operation& store) const {
    return std::any_of(accesses_.begin(), accesses_.end(), [&](Operation* op) {
      Value index = indexOf(*op);
      // At another place that the loop steps through, a multiple of the lanes away, earlier vectors
      // have stored what earlier rounds store.
      return memoryOf(*op) == memoryOf(store) && !isInside(index);
    });
  }

  // -- Numbers that the loop carries --------------------------------------------------------------

  /// Only combined with one element after the other, in an order that makes no difference.
  bool addReduction(unsigned i) {
    Value soFar = loop_.regionIterArg(i), next = loop_.yield()->operand(i);
    Operation* combiner = next.definingOp();
    if (!combiner || !isInside(next) || !next.hasOneUse() || !soFar.hasOneUse() ||
        combiner->numOperands() != 2 || !isLaneOp(*combiner))
      return false;
    auto kind = std::ranges::find_if(
        kCombiners, [&](const Combiner& entry) { return combiner->is(entry.name); });
    if (kind == std::end(kCombiners) ||
        (combiner->operand(0) != soFar && combiner->operand(1) != soFar))
      return false;
    reductions_.push_back({combiner, neutralOf(kind->kind, next.type())});
    return reductions_.back().neutral != Attribute();
  }

  // -- Rewriting ----------------------------------------------------------------------------------

  /// The loop over vectors up to `end`, and `rest` elements more; gives the numbers that it carries as they are then.
  std::vector<Value> emitLoop(Rewriter& rewriter, Value end, int64_t rest) {
    VectorParts parts(rewriter, lanes_);
    Location location = loop_->location();
    std::vector<Value> inits;
    for (const Reduction& reduction : reductions_)
      std::ranges::copy(
          parts.constant(location, reduction.neutral, reduction.combiner->result().type()),
          std::back_inserter(inits));
    Value step = rewriter.constantIndex(location, lanes_);
    scf::ForOp vectors =
        scf::ForOp::create(rewriter, location, loop_.lowerBound(), end, step, inits);
    numbers_.map(loop_.inductionVar(), vectors.inductionVar());
    for (unsigned i = 0, first = 0; i < reductions_.size(); ++i)
      for (size_t part = 0; part < parts.count(loop_->result(i).type()); ++part)
        lanesOfValues_[loop_.regionIterArg(i)].push_back(vectors.regionIterArg(first++));
    emitBody(rewriter, parts, vectors);
    rewriter.setAfter(*vectors);
    std::vector<VectorParts::Parts> lanes(reductions_.size());
    for (unsigned i = 0, first = 0; i < reductions_.size(); ++i)
      for (size_t part = 0; part < parts.count(loop_->result(i).type()); ++part)
        lanes[i].push_back(vectors->result(first++));
    if (rest != 0) emitRest(rewriter, parts, lanes, end, rest);
    std::vector<Value> totals;
    for (unsigned i = 0; i < reductions_.size(); ++i)
      totals.push_back(total(rewriter, parts, i, lanes[i]));
    return totals;
  }

  /// Combines `lanes` with a vector at `place` of which `rest` elements count.
  void emitRest(Rewriter& rewriter, VectorParts& parts, std::vector<VectorParts::Parts>& lanes,
                Value place, int64_t rest) {
    numbers_.map(loop_.inductionVar(), place);
    for (unsigned i = 0; i < reductions_.size(); ++i)
      lanesOfValues_[loop_.regionIterArg(i)] = lanes[i];
    for (Operation& op : loop_.body().ops()) {
      if (op.is("scf.yield")) continue;
      for (unsigned i = 0; i < reductions_.size(); ++i)
        if (reductions_[i].combiner == &op) keepFirst(parts, i, rest);
      emit(rewriter, parts, op);
    }
    for (unsigned i = 0; i < reductions_.size(); ++i)
      lanes[i] = lanesOfValues_.at(reductions_[i].combiner->result());
  }

  /// What a combiner combines, with lanes after the first `rest` that change nothing.
  void keepFirst(VectorParts& parts, unsigned i, int64_t rest) {
    Operation& combiner = *reductions_[i].combiner;
    const unsigned at = combiner.operand(0) == loop_.regionIterArg(i) ? 1 : 0;
    lanesOfValues_[combiner.operand(at)] = parts.first(
        combiner.location(), lanesOfOperand(parts, combiner, at), rest, reductions_[i].neutral);
  }

  void emitBody(Rewriter& rewriter, VectorParts& parts, scf::ForOp vectors) {
    if (reductions_.empty())
      rewriter.setBefore(*vectors.yield());
    else
      rewriter.setToEnd(vectors.body());
    for (Operation& op : loop_.body().ops())
      if (!op.is("scf.yield")) emit(rewriter, parts, op);
    if (reductions_.empty()) return;
    std::vector<Value> yielded;
    for (const Reduction& reduction : reductions_)
      std::ranges::copy(lanesOfValues_.at(reduction.combiner->result()),
                        std::back_inserter(yielded));
    scf::YieldOp::create(rewriter, loop_->location(), yielded);
  }

  Value total(Rewriter& rewriter, VectorParts& parts, unsigned i, const VectorParts::Parts& lanes) {
    Operation& combiner = *reductions_[i].combiner;
    Value all = parts.joined(combiner, lanes, reductions_[i].neutral);
    OperationState state(combiner.location(), combiner.def());
    state.operands = {loop_.initArgs()[i], all};
    state.resultTypes = {all.type()};
    state.attributes = NamedAttrList(combiner.attributes());
    return rewriter.create(state)->result();
  }

  void emit(Rewriter& rewriter, VectorParts& parts, Operation& op) {
    bool isScalar = (op.numResults() == 1 && op.result().type().isIndex()) ||
                    (op.is("memref.load") && !isInside(op.operand(1)));
    if (isScalar) {
      rewriter.clone(op, numbers_);
    } else if (op.is("memref.load")) {
      lanesOfValues_[op.result()] = load(rewriter, parts, op);
    } else if (op.is("memref.store")) {
      parts.store(op.location(), lanesOfOperand(parts, op, 0), op.operand(1),
                  numbers_.lookupOr(op.operand(2)));
    } else {
      std::vector<VectorParts::Parts> operands;
      for (unsigned i = 0; i < op.numOperands(); ++i)
        operands.push_back(lanesOfOperand(parts, op, i));
      lanesOfValues_[op.result()] = parts.compute(op, operands);
    }
  }

  VectorParts::Parts load(Rewriter& rewriter, VectorParts& parts, Operation& op) {
    const Location location = op.location();
    const RowPlace place = *placeOfLoad(op);
    if (place.step == 1)
      return parts.load(location, op.operand(0), numbers_.lookupOr(op.operand(1)));
    Value first = numbers_.lookupOr(place.moving);
    if (const Value start = startOfRow(rewriter, location, place))
      first = rewriter.create(location, "arith.addi", {first, start}, {first.type()})->result();
    return parts.loadEvery(location, op.operand(0), first, place.step, place.phase);
  }

  VectorParts::Parts lanesOfOperand(VectorParts& parts, Operation& op, unsigned i) {
    auto found = lanesOfValues_.find(op.operand(i));
    if (found != lanesOfValues_.end()) return found->second;
    const Value number = numbers_.lookupOr(op.operand(i));
    Operation* widener = number.definingOp();
    if (!op.is("arith.muli") || !widener || !isWidener(*widener))
      return parts.broadcast(op.location(), number);
    return widened(parts, *widener);
  }

  /// A number that is widened to 32 bits as lanes that are: a product takes those of 16 bits as they are.
  VectorParts::Parts widened(VectorParts& parts, Operation& widener) {
    Operation* last = &widener;
    if (Value narrow = widener.operand(0); narrow.type().isInteger(8)) {
      Builder builder = Builder::after(widener);
      const Type half = builder.intType(16);
      const Value number =
          builder.create(widener.location(), widener.name(), {narrow}, {half})->result();
      last =
          builder.create(widener.location(), widener.name(), {number}, {widener.result().type()});
    }
    const VectorParts::Parts lanes[] = {parts.broadcast(widener.location(), last->operand(0))};
    return parts.compute(*last, lanes);
  }
  static bool isWidener(const Operation& op) {
    return (op.is("arith.extsi") || op.is("arith.extui")) && op.result().type().isInteger(32) &&
           (op.operand(0).type().isInteger(8) || op.operand(0).type().isInteger(16));
  }

  /// A number that the loop carries: the op that makes the next one, and what it starts with in
  /// each lane.
  struct Reduction {
    Operation* combiner;
    Attribute neutral;
  };

  scf::ForOp loop_;
  std::vector<Operation*> accesses_;
  std::vector<unsigned> widths_;
  bool hasStore_ = false;
  int64_t lanes_ = 0, neededLanes_ = 0;
  std::vector<Reduction> reductions_;
  IRMapping numbers_;
  std::unordered_map<Value, VectorParts::Parts> lanesOfValues_;
};

/// What an index is the sum of, as far as ops of the loop add it up.
void termsOf(Value index, Block& body, std::vector<Value>& terms) {
  Operation* op = index.parentBlock() == &body ? index.definingOp() : nullptr;
  if (!op || !op->is("arith.addi")) return terms.push_back(index);
  for (Value operand : op->operands())
    termsOf(operand, body, terms);
}

/// Indices that are the loop's variable (or a step times it) and several numbers from outside become a sum of it and one number,
/// constants last, so that places nearby have the rest in common.
void sumBeforeLoop(scf::ForOp loop) {
  const auto isOutside = [&](Value term) { return term.parentBlock() != &loop.body(); };
  for (Operation* op : opsInside(*loop.op())) {
    if (!op->is("arith.addi") || !op->result().type().isIndex() || op->block() != &loop.body())
      continue;
    std::vector<Value> terms;
    termsOf(op->result(), loop.body(), terms);
    const auto moving = std::ranges::find_if_not(terms, isOutside);
    if (terms.size() < 3 || moving == terms.end() || !rowPlaceOf(*moving, loop)) continue;
    const Value variable = *moving;
    terms.erase(moving);
    if (!std::ranges::all_of(terms, isOutside)) continue;
    std::ranges::stable_partition(terms, [](Value term) { return !constantIntOf(term); });
    Rewriter rewriter(loop->context());
    rewriter.setBefore(*loop.op());
    Value sum = terms.front();
    for (Value term : std::span(terms).subspan(1))
      sum = rewriter.create(op->location(), "arith.addi", {sum, term}, {sum.type()})->result();
    op->setOperand(0, sum);
    op->setOperand(1, variable);
  }
}

class VectorizeCore : public CorePass {
 public:
  VectorizeCore()
      : CorePass("air-aie-vectorize-core", "Computes rows of elements of cores by vectors") {
    example("airlite-opt --air-aie-vectorize-core design.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "loops become loops over vectors");
    bool changed = false;
    for (const CoreRoot& program : roots(module)) {
      std::vector<Operation*> loops;
      for (Operation* op : opsInside(*program.root))
        if (op->is("scf.for") && isInnermost(*op)) loops.push_back(op);
      std::optional<ScratchBuffers> scratch;
      if (aie::CoreOp core = dynCast<aie::CoreOp>(program.root)) scratch.emplace(core);
      size_t room = kMostParts;
      for (Operation* loop : loops)
        changed |= vectorize(scf::ForOp(loop), program, scratch, room, context);
    }
    return changedIf(changed);
  }

 private:
  static bool vectorize(scf::ForOp loop, const CoreRoot& program,
                        std::optional<ScratchBuffers>& scratch, size_t& room,
                        PassContext& context) {
    indicesFromTable(loop, program);
    if (std::ranges::all_of(loop.body().ops(), mayHaveLanes)) selectByBits(loop);
    numbersForMasks(loop);
    sumBeforeLoop(loop);
    LoopVectorizer whole(*loop.op());
    if (const std::string_view why = whole.obstacle(); !why.empty()) {
      if (!gather(loop, scratch)) return context.remark(*loop.op(), refusal(why)), false;
      return true;
    }
    const std::vector<scf::ForOp> parts =
        scratch ? splitLongBody(loop, *scratch, room) : std::vector<scf::ForOp>{loop};
    if (parts.size() < 2) {
      const int64_t first = *constantIntOf(loop.lowerBound());
      if (whole.rewrite()) vectorizeRest(loop, first, whole.isRepeatable(), scratch);
      return true;
    }
    context.remark(*parts.front().op(),
                   fmt::format("its body is long: {} loops, one after the other", parts.size()));
    for (scf::ForOp part : parts)
      vectorizePart(part, context);
    return true;
  }

  static void vectorizePart(scf::ForOp part, PassContext& context) {
    LoopVectorizer vectorizer(*part.op());
    if (const std::string_view why = vectorizer.obstacle(); !why.empty())
      return context.remark(*part.op(), refusal(why));
    vectorizer.rewrite();
  }

  static std::string refusal(std::string_view why) { return "not vectorized: " + std::string(why); }

  /// The elements of a row from `first` on that are left: by shorter vectors, by one that computes some elements of the row
  /// once more, or through buffers.
  static void vectorizeRest(scf::ForOp loop, int64_t first, bool isRepeatable,
                            std::optional<ScratchBuffers>& scratch) {
    if (loop->numResults() != 0) return;
    LoopVectorizer shorter(*loop.op());
    if (shorter.obstacle().empty() && !shorter.rewrite()) return;
    if (!isRepeatable || !repeatLast(loop, first)) gather(loop, scratch);
  }

  static bool repeatLast(scf::ForOp loop, int64_t first) {
    const Value begin = loop.lowerBound();
    const int64_t end = *constantIntOf(loop.upperBound());
    for (int64_t lanes = 64; lanes >= 8; lanes /= 2) {
      if (end - lanes < first) continue;
      Rewriter rewriter(loop->context());
      rewriter.setBefore(*loop.op());
      loop->setOperand(0, rewriter.constantIndex(loop->location(), end - lanes));
      LoopVectorizer last(*loop.op());
      if (last.obstacle().empty() && last.lanes() == lanes) return last.rewrite(), true;
    }
    loop->setOperand(0, begin);
    return false;
  }

  /// Computes elements that do not fill a vector in memory, by vectors (GatherElements.hpp).
  static bool gather(scf::ForOp loop, std::optional<ScratchBuffers>& scratch) {
    if (!scratch || !LoopVectorizer(*loop.op()).computesByLanes()) return false;
    const std::optional<scf::ForOp> vectors = gatherElements(loop, *scratch);
    if (!vectors) return false;
    LoopVectorizer vectorizer(*vectors->op());
    if (vectorizer.obstacle().empty()) vectorizer.rewrite();
    return true;
  }
};

}  // namespace

void registerVectorizeCore(PassRegistry& registry) { registry.add<VectorizeCore>(); }

}  // namespace airlite::npu
