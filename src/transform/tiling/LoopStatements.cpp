#include "LoopStatements.hpp"

#include "airlite/analysis/Access.hpp"
#include "airlite/analysis/LinearSum.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "analysis/ParallelBounds.hpp"
#include "transform/hierarchy/OpRuns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace airlite::tiling {

bool isStatementLoop(const Operation& op) {
  return isParallelLoop(op) || isa<scf::ForOp>(&op) || isa<affine::ForOp>(&op);
}
bool isElementLoad(const Operation& op) { return isa<memref::LoadOp>(&op) || op.is("affine.load"); }
bool isElementStore(const Operation& op) {
  return isa<memref::StoreOp>(&op) || op.is("affine.store");
}

ElementAccess elementOf(Operation& op, analysis::LinearReader& indices) {
  ElementAccess element;
  if (op.is("affine.load") || op.is("affine.store")) {
    const affine::AccessOp access(&op);
    const affine::Application application = access.access();
    element.memref = access.memref();
    // Not a loop variable: nothing is known of such an index.
    const analysis::LinearSum unknown{0, {{element.memref, 1}}};
    for (AffineExpr expr : application.map.results())
      element.index.push_back(
          indices.readExpr(expr, application.dims(), application.symbols()).value_or(unknown));
    if (access.memrefIndex()) element.stored = op.operand(0);
    return element;
  }
  const unsigned at = isElementStore(op) ? 1 : 0;
  element.memref = op.operand(at);
  if (at) element.stored = op.operand(0);
  for (unsigned i = at + 1; i < op.numOperands(); ++i)
    element.index.push_back(indices.read(op.operand(i)));
  return element;
}

LoopView readLoop(Operation& op) {
  LoopView view;
  if (isParallelLoop(op)) {
    const std::vector<ParallelBounds> bounds = parallelBounds(op);
    view.isKnown = op.numResults() == 0 && op.region(0).front().numArguments() == bounds.size();
    for (size_t i = 0; i < bounds.size() && view.isKnown; ++i) {
      const auto& [lower, upper, step] = bounds[i];
      if (!lower || !upper || !step) return {};
      const std::optional<int64_t> count = scf::constantTripCount(*lower, *upper, *step);
      if (!count) return {};
      view.loops.push_back(
          {op.region(0).front().argument(static_cast<unsigned>(i)), *lower, *step, *count});
    }
    return view;
  }
  if (const auto loop = dynCast<affine::ForOp>(&op)) {
    const auto lower = loop.constantLowerBound(), count = loop.tripCount();
    if (!lower || !count) return {};
    view.loops = {{loop.inductionVar(), *lower, loop.step(), *count}};
    view.inits = loop.inits().vec();
  } else {
    const scf::ForOp other(&op);
    const auto lower = constantIntOf(other.lowerBound()), step = constantIntOf(other.step()),
               count = other.tripCount();
    if (!lower || !step || !count || !other.inductionVar().type().isIndex()) return {};
    view.loops = {{other.inductionVar(), *lower, *step, *count}};
    view.inits = other.initArgs().vec();
  }
  for (unsigned i = 0; i < view.inits.size(); ++i)
    view.arguments.push_back(op.region(0).front().argument(i + 1));
  view.isKnown = true;
  return view;
}

namespace {

using analysis::LinearSum;
using analysis::LoopIndex;

/// Which elements of which memories ops touch, and the numbers of the loops that say it.
class PlaceReader {
 public:
  PlaceReader(std::span<Operation* const> ops, air::MemoryLevel level, LoopStatements& nest)
      : ops_(ops), level_(level), nest_(nest) {}

  bool fail(std::string why) {
    if (nest_.why.empty()) nest_.why = std::move(why);
    return false;
  }

  void addLoop(const StatementLoop& loop) {
    if (loop.count > 1) around_.push_back(nest_.loops.size());
    numbers_[loop.variable] = nest_.loops.size();
    nest_.loops.push_back(loop);
  }
  /// Loops of several rounds around what is read now.
  const std::vector<size_t>& around() const { return around_; }
  void leaveLoops(size_t count) { around_.resize(count); }

  /// Of what a loop carries.
  StatementPlace addCarried(Type element) {
    const StatementPlace place{nest_.memories.size(), {}};
    addMemory(element, {});
    return withRounds(place);
  }
  void addAllocation(Operation& op) {
    const auto type = op.result().type().cast<MemRefType>();
    std::vector<int64_t> shape;
    std::ranges::copy_if(type.shape(), std::back_inserter(shape),
                         [](int64_t size) { return size > 1; });
    memories_[op.result()] = nest_.memories.size();
    addMemory(type.elementType(), shape);
  }

  /// Memory of one element outside of the loops that nothing else uses: each round that stores to it first has its own.
  bool isScratch(Value memref) const {
    const Operation* made = memref.definingOp();
    const auto type = memref.type().cast<MemRefType>();
    if (!made || !isa<memref::AllocaOp>(made) || !type.hasStaticShape() || type.numElements() != 1)
      return false;
    return std::ranges::all_of(memref.uses(), [&](OpOperand& use) {
      return (isElementLoad(*use.owner()) || isElementStore(*use.owner())) &&
             isInRun(*use.owner(), ops_);
    });
  }
  /// Before a store to such memory that runs in each round.
  void beginScratch(Value memref) {
    const auto known = memories_.find(memref);
    if (known == memories_.end() ? around_.empty() : !hasEnded(known->second)) return;
    memories_[memref] = nest_.memories.size();
    addMemory(elementTypeOrSelf(memref.type()), {});
  }
  /// Its rounds are over.
  bool hasEnded(size_t memory) const {
    const std::vector<size_t>& loops = nest_.memories[memory].loops;
    return !nest_.memories[memory].memref &&
           (loops.size() > around_.size() ||
            !std::equal(loops.begin(), loops.end(), around_.begin()));
  }

  /// None: data decide which, or no sum of rounds does.
  std::optional<StatementPlace> placeOf(const ElementAccess& element) {
    const std::vector<std::optional<LinearSum>> part = partOf(element);
    StatementPlace place{part.empty() ? memoryOf(element.memref) : memoryOf(element.memref, part),
                         {}};
    if (hasEnded(place.memory)) fail("memory of a round is used after it");
    if (!nest_.why.empty()) return std::nullopt;
    const bool isOwn = isOfLoops(element.memref);  // without dimensions of one element
    const auto shape = element.memref.type().cast<MemRefType>().shape();
    std::vector<LoopIndex> own;
    for (size_t dim = 0; dim < element.index.size(); ++dim) {
      if (isOwn && shape[dim] == 1) continue;
      const bool isGiven = !part.empty() && part[dim];
      const auto index = indexOf(isGiven ? LinearSum() : element.index[dim]);
      if (!index) return std::nullopt;
      own.push_back(*index);
    }
    place.index = own;
    return isOwn ? withRounds(place) : place;
  }

  ElementAccess elementOf(Operation& op) { return tiling::elementOf(op, indices_); }

  bool touches(Operation& op, Value memref) {
    const analysis::Buffer buffer = buffers_.bufferOf(memref);
    bool found = false;
    op.walk([&](Operation& inner) {
      for (Value operand : inner.operands())
        if (operand.type().isa<MemRefType>()) found |= buffers_.bufferOf(operand) == buffer;
    });
    return found;
  }

  bool isElsewhere(Type type) const { return air::memoryLevel(type) != level_; }

  bool isOfLoops(Value memref) const {
    const auto found = memories_.find(memref);
    return found != memories_.end() && !nest_.memories[found->second].memref;
  }

  size_t memoryOf(Value memref) {
    const auto known = memories_.find(memref);
    if (known != memories_.end()) return known->second;
    return memories_[memref] = addMemref(memref, {});
  }

  /// The part of a buffer that has some given indices.
  size_t memoryOf(Value memref, const std::vector<std::optional<LinearSum>>& part) {
    const auto known = std::ranges::find_if(nest_.memories, [&](const StatementMemory& memory) {
      return memory.memref == memref && memory.part == part;
    });
    if (known != nest_.memories.end()) return static_cast<size_t>(known - nest_.memories.begin());
    return addMemref(memref, part);
  }

  /// Two names of one memory say nothing of the elements that both have.
  void checkBuffers() {
    std::vector<bool> isWritten(nest_.memories.size(), false);
    for (const Statement& statement : nest_.statements)
      isWritten[statement.to.memory] = true;
    for (size_t a = 0; a < nest_.memories.size(); ++a)
      for (size_t b = 0; b < nest_.memories.size(); ++b) {
        const Value first = nest_.memories[a].memref, second = nest_.memories[b].memref;
        if (!isWritten[a] || !first || !second || a == b) continue;
        const analysis::Buffer one = buffers_.bufferOf(first), other = buffers_.bufferOf(second);
        if (!one.isKnown() || !other.isKnown() || one == other)
          fail("two names of one memory are used, one of them to write it");
      }
  }

 private:
  bool isMadeInside(Value memref) const {
    return memref.definingOp() && isInRun(*memref.definingOp(), ops_);
  }

  size_t addMemref(Value memref, const std::vector<std::optional<LinearSum>>& part) {
    const auto type = memref.type().cast<MemRefType>();
    nest_.memories.push_back({memref, type.elementType(), {}, {}, part});
    nest_.space = type.memorySpace();
    if (isElsewhere(type))
      fail(fmt::format("it uses memory that is not {}", air::levelName(level_)));
    if (isMadeInside(memref)) fail("a view of memory is made in it");
    return nest_.memories.size() - 1;
  }

  /// There is an element, or array, for each round of the loops around. Of one element it has a dimension: ops on memory without
  /// any stay on the host.
  void addMemory(Type element, std::vector<int64_t> shape) {
    if (around_.empty() && shape.empty()) shape = {1};
    nest_.memories.push_back({Value(), element, around_, std::move(shape), {}});
  }

  /// Of memory in loops there is one for each of their rounds.
  StatementPlace withRounds(const StatementPlace& inRound) const {
    StatementPlace place{inRound.memory, {}};
    for (size_t loop : nest_.memories[place.memory].loops) {
      LoopIndex index{0, std::vector<int64_t>(loop + 1, 0)};
      index.factors[loop] = 1;
      place.index.push_back(std::move(index));
    }
    place.index.insert(place.index.end(), inRound.index.begin(), inRound.index.end());
    if (place.index.empty()) place.index.push_back({});
    return place;
  }

  /// Memory of cores whose indices are given along some dimensions; empty: along none.
  std::vector<std::optional<LinearSum>> partOf(const ElementAccess& element) const {
    if (level_ != air::MemoryLevel::L1 || isOfLoops(element.memref)) return {};
    std::vector<std::optional<LinearSum>> part(element.index.size());
    bool found = false;
    for (size_t dim = 0; dim < part.size(); ++dim) {
      const LinearSum& sum = element.index[dim];
      const auto isGiven = [&](const LinearSum::Term& term) { return isFromOutside(term.symbol); };
      if (sum.isConstant() || !std::ranges::all_of(sum.terms, isGiven)) continue;
      part[dim] = sum;
      found = true;
    }
    return found ? part : std::vector<std::optional<LinearSum>>();
  }
  bool isFromOutside(Value symbol) const {
    if (numbers_.contains(symbol) || !symbol.type().isIndex()) return false;
    return !isInRun(symbol, ops_);
  }

  std::optional<LoopIndex> indexOf(const LinearSum& sum) const {
    LoopIndex index{sum.constant, std::vector<int64_t>(nest_.loops.size(), 0)};
    for (const LinearSum::Term& term : sum.terms) {
      const auto loop = numbers_.find(term.symbol);
      if (loop == numbers_.end()) return std::nullopt;
      const StatementLoop& rounds = nest_.loops[loop->second];
      index.constant += term.coefficient * rounds.lower;
      if (rounds.count > 1) index.factors[loop->second] = term.coefficient * rounds.step;
    }
    while (!index.factors.empty() && index.factors.back() == 0)
      index.factors.pop_back();
    return index;
  }

  std::span<Operation* const> ops_;
  air::MemoryLevel level_;
  LoopStatements& nest_;
  analysis::LinearReader indices_{analysis::LinearReader::Reach::Body};
  analysis::AccessReader buffers_;
  std::vector<size_t> around_;
  std::unordered_map<Value, size_t> numbers_;   ///< of loops, by their variables
  std::unordered_map<Value, size_t> memories_;  ///< their numbers
};

/// One class: a statement is read in the loops and with the memories that those around it have given numbers.
class StatementReader {
 public:
  StatementReader(std::span<Operation* const> ops, air::MemoryLevel level)
      : ops_(ops), places_(ops, level, nest_) {}

  LoopStatements run() {
    for (Operation* op : ops_)
      if (!read(*op)) return std::move(nest_);
    for (const Statement& statement : nest_.statements)
      if (gathered_.contains(statement.to.memory)) {
        fail("an element is loaded from where data decide, of memory that is written");
        break;
      }
    if (nest_.why.empty()) places_.checkBuffers();
    for (size_t i = 0; i < nest_.statements.size(); ++i)
      noteStored(i);
    return std::move(nest_);
  }

 private:
  bool fail(std::string why) { return places_.fail(std::move(why)); }

  bool read(Operation& op) {
    if (isStatementLoop(op)) return readLoop(op);
    if (isa<scf::IfOp>(&op)) return readIf(op);
    if (isElementStore(op)) return folded_.contains(&op) || readStore(op);
    if (isElementLoad(op)) return readLoad(op);
    if (isa<memref::AllocOp>(&op) || isa<memref::AllocaOp>(&op)) return readAllocation(op);
    if (op.is("memref.dealloc") && places_.isOfLoops(op.operand(0))) return true;
    if (op.numRegions() || !isPure(op))
      return fail(fmt::format("'{}' is not arithmetic on elements", op.name()));
    if (!conditions_.empty() && arith::dividesIntegers(op))
      return fail(fmt::format("'{}' runs only on a condition", op.name()));
    return true;
  }

  /// All but the terminator.
  bool readBody(Block& block) {
    for (Operation& op : block.ops())
      if (!op.hasTrait(Trait::Terminator) && !read(op)) return false;
    return true;
  }

  static bool isElement(Type type) {
    return type.isa<IntegerType>() || type.isa<FloatType>() || type.isIndex();
  }

  // -- Values that are stored ----------------------------------------------------------------------

  /// In each round at a place of its own, until another statement stores there.
  void noteStored(size_t i) {
    const Statement& statement = nest_.statements[i];
    if (statement.choice || !statement.conditions.empty() || statement.reduces()) return;
    if (nest_.stored.contains(statement.value) || !costsMuch(statement.value)) return;
    size_t last = i + 1;
    while (last < nest_.statements.size() &&
           nest_.statements[last].to.memory != statement.to.memory)
      ++last;
    nest_.stored[statement.value] = {{statement.to, i + 1, statement.loops.size()}, last};
  }

  /// A function or a quotient is computed for it.
  bool costsMuch(Value value) const {
    std::set<const Operation*> seen;
    std::vector<Operation*> left{value.definingOp()};
    while (!left.empty()) {
      Operation* op = left.back();
      left.pop_back();
      if (!op || !isInRun(*op, ops_) || !seen.insert(op).second) continue;
      if (op->numResults() == 1 && nest_.reads.contains(op->result())) continue;
      if (op->name().starts_with("math.") || op->is("arith.divf") || arith::dividesIntegers(*op))
        return true;
      for (Value operand : op->operands())
        left.push_back(operand.definingOp());
    }
    return false;
  }

  // -- Loops ---------------------------------------------------------------------------------------

  bool readLoop(Operation& op) {
    const LoopView view = tiling::readLoop(op);
    if (!view.isKnown) return fail("the bounds of a loop are not constant, or it has results");
    if (std::ranges::any_of(view.loops, [](const StatementLoop& loop) { return loop.count < 1; }))
      return fail("a loop has no rounds");
    if (!std::ranges::all_of(view.inits, [](Value init) { return isElement(init.type()); }))
      return fail("a loop carries what is no element");
    std::vector<StatementPlace> carried;
    for (size_t i = 0; i < view.inits.size(); ++i)
      carried.push_back(placeOfCarried(op, i, view.inits[i]));
    const size_t before = places_.around().size();
    for (const StatementLoop& loop : view.loops)
      places_.addLoop(loop);
    for (size_t i = 0; i < carried.size(); ++i)
      nest_.reads[view.arguments[i]] = readOf(carried[i]);
    Block& body = op.region(0).front();
    ++depth_;
    if (!readBody(body)) return false;
    --depth_;
    for (size_t i = 0; i < carried.size(); ++i)
      addCarried(carried[i], body.back().operand(static_cast<unsigned>(i)), body.back());
    places_.leaveLoops(before);
    for (size_t i = 0; i < carried.size(); ++i)
      nest_.reads[op.result(static_cast<unsigned>(i))] = readOf(carried[i]);
    return true;
  }

  /// Where what a loop carries lies: where the loop around it has it, where its last value is stored, or in memory of its own.
  StatementPlace placeOfCarried(Operation& loop, size_t i, Value init) {
    const Value result = loop.result(static_cast<unsigned>(i));
    if (const StatementPlace* place = carriedAround(loop, init, result)) return *place;
    if (const auto place = storedTo(loop, result)) {
      addCarried(*place, init, loop);
      return *place;
    }
    const StatementPlace place = places_.addCarried(init.type());
    addCarried(place, init, loop);
    return place;
  }

  /// The loop around `loop` carries `init` in, and `result` out: nothing else happens to it there.
  const StatementPlace* carriedAround(Operation& loop, Value init, Value result) const {
    Operation& outer = *loop.parentOp();
    if (!isStatementLoop(outer) || !init.isBlockArgument() || init.argumentBlock() != loop.block())
      return nullptr;
    const auto known = nest_.reads.find(init);
    if (known == nest_.reads.end() || !init.hasOneUse() || !result.hasOneUse()) return nullptr;
    const OpOperand& use = *result.uses().begin();
    const bool goesOn = use.owner() == &loop.block()->back() && use.index() + 1 == init.index();
    return goesOn ? &known->second.place : nullptr;
  }

  /// The only use of a loop's result is a store after it, to memory that nothing between touches.
  std::optional<StatementPlace> storedTo(Operation& loop, Value result) {
    if (!result.hasOneUse()) return std::nullopt;
    Operation& store = *result.uses().begin()->owner();
    if (!isElementStore(store) || store.block() != loop.block()) return std::nullopt;
    const ElementAccess element = places_.elementOf(store);
    if (element.stored != result || places_.isScratch(element.memref)) return std::nullopt;
    for (Operation* op = &loop; op != &store; op = op->next())
      if (places_.touches(*op, element.memref)) return std::nullopt;
    const auto place = places_.placeOf(element);
    if (place) folded_.insert(&store);
    return place;
  }

  /// The value goes to the place, if it is not what lies there. Nothing reads what a loop carries in memory of its own where the
  /// condition around the loop fails.
  void addCarried(const StatementPlace& place, Value value, Operation& op) {
    const auto known = nest_.reads.find(value);
    if (known != nest_.reads.end() && known->second.place == place &&
        !isWrittenSince(place.memory, known->second.after))
      return;
    add(place, value, &op);
    if (!nest_.memories[place.memory].memref) nest_.statements.back().conditions.clear();
  }

  bool isWrittenSince(size_t memory, size_t after) const {
    return std::any_of(nest_.statements.begin() + static_cast<ptrdiff_t>(after),
                       nest_.statements.end(),
                       [&](const Statement& other) { return other.to.memory == memory; });
  }

  void add(const StatementPlace& to, Value value, Operation* op) {
    nest_.statements.push_back({places_.around(), to, value, {}, {}, conditions_, op});
  }

  StatementRead readOf(const StatementPlace& place) const {
    return {place, nest_.statements.size(), places_.around().size()};
  }

  // -- Conditionals --------------------------------------------------------------------------------

  bool readIf(Operation& op) {
    const scf::IfOp branch(&op);
    const size_t first = nest_.statements.size();
    for (bool isTrue : {true, false}) {
      if (!isTrue && !branch.hasElse()) break;
      conditions_.push_back({branch.condition(), isTrue});
      if (!readBody(isTrue ? branch.thenBlock() : branch.elseBlock())) return false;
      conditions_.pop_back();
    }
    if (op.numResults() == 0) joinBranches(first, branch.condition());
    return true;
  }

  /// Branches that store one element, the same, are one statement.
  void joinBranches(size_t first, Value condition) {
    if (nest_.statements.size() != first + 2) return;
    Statement &yes = nest_.statements[first], &no = nest_.statements[first + 1];
    const auto isBranch = [&](const Statement& statement) {
      return statement.conditions.size() == conditions_.size() + 1 && !statement.choice;
    };
    if (!isBranch(yes) || !isBranch(no) || !(yes.to == no.to) || yes.loops != no.loops) return;
    if (!yes.conditions.back().isTrue || no.conditions.back().isTrue) return;
    yes.choice = condition;
    yes.other = no.value;
    yes.conditions.pop_back();
    nest_.statements.pop_back();
    for (auto& [value, read] : nest_.reads)
      read.after = std::min(read.after, first);
  }

  // -- Elements ------------------------------------------------------------------------------------

  bool readStore(Operation& op) {
    const ElementAccess element = places_.elementOf(op);
    if (conditions_.empty() && places_.isScratch(element.memref))
      places_.beginScratch(element.memref);
    const auto place = places_.placeOf(element);
    if (!place) return fail("an element is stored to where data decide, or a product of indices");
    add(*place, element.stored, &op);
    return true;
  }

  bool readLoad(Operation& op) {
    const ElementAccess element = places_.elementOf(op);
    if (const auto place = places_.placeOf(element)) {
      nest_.reads[op.result()] = readOf(*place);
      return true;
    }
    if (op.is("affine.load")) return fail("an index of a load is no sum of loop variables");
    if (!conditions_.empty())
      return fail("an element is loaded from where data decide, on a condition");
    const size_t memory = places_.memoryOf(element.memref);
    if (!nest_.memories[memory].memref)
      return fail("an element is loaded from where data decide, of memory in a loop");
    gathered_.insert(memory);
    return true;
  }

  bool readAllocation(Operation& op) {
    const auto type = op.result().type().cast<MemRefType>();
    if (depth_ == 0 || !type.hasStaticShape() || !type.hasIdentityLayout() ||
        places_.isElsewhere(type))
      return fail("memory is allocated");
    const auto isElement = [](Operation* user) {
      return isElementLoad(*user) || isElementStore(*user) || user->is("memref.dealloc");
    };
    for (OpOperand& use : op.result().uses())
      if (!isElement(use.owner())) return fail("memory of a loop is used as a whole");
    places_.addAllocation(op);
    return true;
  }

  std::span<Operation* const> ops_;
  LoopStatements nest_;
  PlaceReader places_;
  size_t depth_ = 0;  ///< of loops around what is read now
  std::vector<StatementCondition> conditions_;
  std::set<const Operation*> folded_;  ///< stores that loops do themselves
  std::set<size_t> gathered_;          ///< memories that are read where data decide
};

}  // namespace

bool StatementPlace::movesAlong(size_t loop) const {
  return std::ranges::any_of(
      index, [&](const LoopIndex& entry) { return LoopStatements::factor(entry, loop) != 0; });
}

bool Statement::reduces() const {
  return std::ranges::any_of(loops, [&](size_t loop) { return !to.movesAlong(loop); });
}

const StatementRead* LoopStatements::readOf(Value value, const Statement& statement) const {
  if (const auto read = reads.find(value); read != reads.end()) return &read->second;
  const auto found = stored.find(value);
  if (found == stored.end()) return nullptr;
  const auto& [read, last] = found->second;
  const auto number = static_cast<size_t>(&statement - statements.data());
  if (number < read.after || number > last) return nullptr;
  // Of statements that store side by side one op is made, which has the value.
  const Statement& storing = statements[read.after - 1];
  const bool isInItsRound = storing.loops == statement.loops;
  return isInItsRound && storing.to.index != statement.to.index ? &read : nullptr;
}

std::vector<int64_t> LoopStatements::shapeOf(size_t memory) const {
  const StatementMemory& of = memories[memory];
  if (of.memref) {
    const auto ofAll = of.memref.type().cast<MemRefType>().shape();
    std::vector<int64_t> shape(ofAll.begin(), ofAll.end());
    for (size_t dim = 0; dim < of.part.size(); ++dim)
      if (of.part[dim]) shape[dim] = 1;
    return shape;
  }
  std::vector<int64_t> shape;
  for (size_t loop : of.loops)
    shape.push_back(loops[loop].count);
  shape.insert(shape.end(), of.shape.begin(), of.shape.end());
  return shape;
}

LoopStatements readStatements(std::span<Operation* const> ops, air::MemoryLevel level) {
  return StatementReader(ops, level).run();
}

}  // namespace airlite::tiling
