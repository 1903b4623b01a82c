// air-loops-to-linalg: loops around loads, arithmetic and stores become linalg ops on whole arrays.
//
// Matches, in the body of a function and of its loops, ops on memory of the host that follow each other: loops of constant bounds
// (scf.for, scf.parallel, scf.forall, affine.for, affine.parallel), conditionals (scf.if), loads, stores and pure ops
// (LoopStatements.hpp). Each statement becomes a linalg.generic, or a linalg.fill, over all rounds of the loops around it: the loops
// whose variables tell the element that it stores are parallel, the others reduce. What loops carry from round to
// round, and memory that they allocate, becomes an array with an element for each round, or
// the element itself where its last value is stored. So the tiles, cores and transfers of the program are chosen as for any other op.
// With `herds`, the same in herds for loops on memory of cores: so products reach the matrix unit, rows the vector unit.
//
// A dimension of which loops take turns (`row * 64 + column`) becomes several (memref.expand_shape), and
// parts of arrays become views. Stores to the same element of several arrays that use each other's old values are one op.
//
// Declines, with a remark: other ops; more than 2,048 ops, or 512 with vectors; bounds that are not constant; views that loops make; elements that are stored where data decide;
// statements that cannot run for all rounds one after the other, since a round uses what another one stores
// (in place stencils, running sums); indices outside of an array; in herds what has no rows.
#include "StatementOrder.hpp"
#include "StatementViews.hpp"
#include "VectorRolls.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"
#include "transform/channels/AccessLists.hpp"
#include "transform/hierarchy/OpRuns.hpp"
#include "transform/lowering/HeapMemory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

namespace airlite {

namespace {

using linalg::IteratorKind;
using Group = tiling::StatementGroup;
using tiling::LoopStatements;
using tiling::PlaceUse;
using tiling::Statement;
using tiling::StatementPlace;
using tiling::StatementRead;

/// An operand of an op: a part of a memory, and which of its elements each round has.
struct Operand {
  Value view;
  AffineMap map;
};

/// Writes the body of the op of a group: what its statements compute of elements and rounds.
class BodyWriter {
 public:
  /// The op has as inputs the elements of `places`, and windows.
  BodyWriter(const LoopStatements& nest, std::span<Operation* const> ops, const Group& group,
             const std::vector<StatementPlace>& places, linalg::StructuredOp made,
             int64_t firstLoop)
      : nest_(nest),
        ops_(ops),
        group_(group),
        location_(made->location()),
        body_(Builder::atEnd(made.body())),
        firstLoop_(firstLoop) {
    for (size_t i = 0; i < places.size(); ++i)
      elements_.emplace_back(places[i], made.body().argument(static_cast<unsigned>(i)));
    for (size_t i = 0; i < group.size(); ++i)
      elements_.emplace_back(group[i]->to,
                             made.body().argument(made.numInputs() + static_cast<unsigned>(i)));
  }

  void write() {
    std::vector<Value> results;
    for (const Statement* statement : group_) {
      statement_ = statement;
      results.push_back(resultOf(*statement));
    }
    body_.create(location_, "linalg.yield", results, {});
  }

 private:
  Value resultOf(const Statement& statement) {
    Value result = valueOf(statement.value);
    if (statement.choice)
      result = select(valueOf(statement.choice), result, valueOf(statement.other));
    const Value old = elementAt(statement.to);
    for (const tiling::StatementCondition& condition : statement.conditions) {
      const Value is = valueOf(condition.condition);
      result = select(is, condition.isTrue ? result : old, condition.isTrue ? old : result);
    }
    return result;
  }

  Value select(Value condition, Value yes, Value no) {
    return body_.create(location_, "arith.select", {condition, yes, no}, {yes.type()})->result();
  }

  Value elementAt(const StatementPlace& place) const {
    return std::ranges::find(elements_, place, &std::pair<StatementPlace, Value>::first)->second;
  }

  /// In the body of the op what is computed in the loops.
  Value valueOf(Value value) {
    if (const tiling::StatementRead* read = nest_.readOf(value, *statement_))
      return elementAt(read->place);
    if (!isInRun(value, ops_)) return value;
    if (const auto known = values_.find(value); known != values_.end()) return known->second;
    const Value made = makeValue(value);
    values_[value] = made;
    return made;
  }

  Value makeValue(Value value) {
    if (value.isBlockArgument()) return roundOf(value);
    Operation& op = *value.definingOp();
    if (isa<scf::IfOp>(&op)) {
      const scf::IfOp branch(&op);
      const Value condition = valueOf(branch.condition());
      const Value yes = valueOf(branch.thenYield().values()[value.index()]);
      return select(condition, yes, valueOf(branch.elseYield().values()[value.index()]));
    }
    IRMapping mapping;
    for (Value operand : op.operands())
      mapping.map(operand, valueOf(operand));
    return body_.clone(op, mapping)->result(value.index());
  }

  int64_t dimOf(size_t loop) const {
    const std::vector<size_t>& loops = group_[0]->loops;
    return firstLoop_ + (std::ranges::find(loops, loop) - loops.begin());
  }

  /// The variable of a loop.
  Value roundOf(Value variable) {
    const size_t loop = static_cast<size_t>(
        std::ranges::find(nest_.loops, variable, &tiling::StatementLoop::variable) -
        nest_.loops.begin());
    const tiling::StatementLoop& rounds = nest_.loops[loop];
    if (rounds.count == 1) return body_.constantIndex(location_, rounds.lower);
    const Value round = body_
                            .create(location_, "linalg.index", {}, {body_.indexType()},
                                    {body_.named("dim", body_.i64Attr(dimOf(loop)))})
                            ->result();
    const auto combine = [&](std::string_view name, Value a, int64_t b, int64_t neutral) {
      if (b == neutral) return a;
      return body_.create(location_, name, {a, body_.constantIndex(location_, b)}, {a.type()})
          ->result();
    };
    const int64_t last = rounds.lower + rounds.step * (rounds.count - 1);
    const bool isTurned = tiling::isTurned(*group_[0], loop);
    return combine("arith.addi",
                   combine("arith.muli", round, isTurned ? -rounds.step : rounds.step, 1),
                   isTurned ? last : rounds.lower, 0);
  }

  const LoopStatements& nest_;
  std::span<Operation* const> ops_;
  const Group& group_;
  Location location_;
  Builder body_;
  int64_t firstLoop_;                                       ///< of the op, that is one of the group
  const Statement* statement_ = nullptr;                    ///< the one that is written
  std::vector<std::pair<StatementPlace, Value>> elements_;  ///< that the body has
  std::unordered_map<Value, Value> values_;                 ///< computed in it
};

/// Writes the ops of a group in front of an op.
class OpWriter {
 public:
  OpWriter(const LoopStatements& nest, std::span<Operation* const> ops, Operation& before,
           bool roundsFirst)
      : nest_(nest),
        ops_(ops),
        roundsFirst_(roundsFirst),
        before_(before),
        builder_(Builder::before(before)),
        memrefs_(nest.memories.size()),
        location_(before.location()) {}

  /// Memory for what loops carry and allocate.
  void allocate(Location location) {
    for (size_t i = 0; i < memrefs_.size(); ++i) {
      const tiling::StatementMemory& memory = nest_.memories[i];
      if (!memory.memref)
        memrefs_[i] = allocate(location, nest_.shapeOf(i), memory.element);
      else
        memrefs_[i] = memory.part.empty() ? memory.memref : partOf(location, memory);
    }
  }

  void free(Location location) {
    for (Value memref : allocated_)
      memref::DeallocOp::create(builder_, location, memref);
  }

  void write(const Group& group) {
    statement_ = group[0];
    location_ = statement_->op->location();
    if (fills(group)) return;
    std::vector<StatementPlace> places;
    for (const Statement* statement : group)
      for (const StatementRead& read : tiling::readsOf(nest_, *statement))
        if (!isStored(group, read.place) && std::ranges::find(places, read.place) == places.end())
          places.push_back(read.place);
    std::vector<Value> inputs, outputs;
    std::vector<AffineMap> maps;
    for (const StatementPlace& place : places)
      add(operandAt(place, PlaceUse::Load), inputs, maps);
    std::vector<AffineMap> outputMaps;
    for (const Statement* statement : group)
      add(operandAt(statement->to, PlaceUse::Store), outputs, outputMaps);
    std::vector<AffineMap> all = maps;
    all.insert(all.end(), outputMaps.begin(), outputMaps.end());
    if (const auto window = windowFor(all, group)) add(*window, inputs, maps);
    maps.insert(maps.end(), outputMaps.begin(), outputMaps.end());
    if (hasRound() && roundsFirst_)
      for (AffineMap& map : maps)
        map = withRoundFirst(map);
    auto made = linalg::createGeneric(builder_, location_, inputs, outputs, maps, kinds());
    BodyWriter(nest_, ops_, group, places, made, hasRound() && roundsFirst_ ? 1 : 0).write();
  }

 private:
  struct MadeView {
    size_t memory;
    tiling::PlaceView view;
    Value value;
  };

  Value allocate(Location location, std::span<const int64_t> shape, Type element) {
    const auto type = MemRefType::get(element.context(), shape, element, Attribute(), nest_.space);
    allocated_.push_back(memref::AllocOp::create(builder_, location, type).result());
    return allocated_.back();
  }

  /// With one element along dimensions whose index is given.
  Value partOf(Location location, const tiling::StatementMemory& memory) {
    const auto shape = memory.memref.type().cast<MemRefType>().shape();
    std::vector<memref::MixedIndex> offsets, sizes;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      offsets.emplace_back(int64_t{0});
      if (memory.part[dim])
        offsets.back() = air::materialize(*memory.part[dim], before_, constants_);
      sizes.emplace_back(memory.part[dim] ? int64_t{1} : shape[dim]);
    }
    const std::vector<memref::MixedIndex> strides(shape.size(), int64_t{1});
    return memref::SubViewOp::create(builder_, location, memory.memref, offsets, sizes, strides)
        ->result();
  }

  const std::vector<size_t>& loops() const { return statement_->loops; }
  /// A loop of one round comes after the others, or before them.
  bool hasRound() const { return tiling::needsRound(statement_->to); }
  unsigned numLoops() const { return static_cast<unsigned>(loops().size()) + hasRound(); }

  static void add(const Operand& operand, std::vector<Value>& views, std::vector<AffineMap>& maps) {
    views.push_back(operand.view);
    maps.push_back(operand.map);
  }

  static bool isStored(const Group& group, const StatementPlace& place) {
    return std::ranges::any_of(group,
                               [&](const Statement* statement) { return statement->to == place; });
  }

  std::vector<IteratorKind> kinds() const {
    std::vector<IteratorKind> kinds;
    for (size_t loop : loops())
      kinds.push_back(statement_->to.movesAlong(loop) ? IteratorKind::Parallel
                                                      : IteratorKind::Reduction);
    if (hasRound())
      kinds.insert(roundsFirst_ ? kinds.begin() : kinds.end(), IteratorKind::Parallel);
    return kinds;
  }
  /// Cores sum up rows, whose loop is the last one.
  AffineMap withRoundFirst(AffineMap map) const {
    std::vector<AffineExpr> dims, results;
    for (unsigned i = 0; i < numLoops(); ++i)
      dims.push_back(AffineExpr::dim(builder_.context(), (i + 1) % numLoops()));
    for (AffineExpr result : map.results())
      results.push_back(result.replace(dims, {}));
    return AffineMap::get(builder_.context(), numLoops(), 0, results);
  }

  /// A number that is the same in all rounds is what linalg.fill is for.
  bool fills(const Group& group) {
    const Statement& statement = *group[0];
    if (group.size() > 1 || statement.choice || !statement.conditions.empty()) return false;
    Operation* made = statement.value.definingOp();
    Value number = statement.value;
    if (made && made->is("arith.constant"))
      number = builder_.clone(*made)->result();
    else if (isInRun(number, ops_))
      return false;
    const Value view = operandAt(statement.to, PlaceUse::Store).view;
    linalg::createNamedOp(builder_, location_, "linalg.fill", std::span(&number, 1),
                          std::span(&view, 1));
    return true;
  }

  Operand operandAt(const StatementPlace& place, PlaceUse use) {
    const auto view = *tiling::viewOfPlace(nest_, *statement_, place, use);
    const Value part = viewFor(place.memory, view);
    if (statement_->reduces() && view.isBackwards()) return forwards(view, part);
    return {part, view.map(builder_.context(), numLoops())};
  }

  /// Recipes have no tiles of sums of elements that come backwards: a copy has them the other way round.
  Operand forwards(const tiling::PlaceView& view, Value part) {
    const auto type = part.type().cast<MemRefType>();
    const Value copy = allocate(location_, type.shape(), type.elementType());
    std::vector<AffineExpr> from, to;
    Context& context = builder_.context();
    for (unsigned dim = 0; dim < type.rank(); ++dim) {
      to.push_back(AffineExpr::dim(context, dim));
      from.push_back(view.isBackwards(dim) ? -to.back() + (type.dim(dim) - 1) : to.back());
    }
    const auto rank = static_cast<unsigned>(type.rank());
    const auto mapTo = [&](const std::vector<AffineExpr>& results) {
      return AffineMap::get(context, rank, 0, results);
    };
    auto made = linalg::createGeneric(builder_, location_, {&part, 1}, {&copy, 1},
                                      std::vector{mapTo(from), mapTo(to)},
                                      std::vector<IteratorKind>(rank, IteratorKind::Parallel));
    Builder body = Builder::atEnd(made.body());
    body.create(location_, "linalg.yield", {made.body().argument(0)}, {});
    return {copy, view.forwards().map(context, numLoops())};
  }

  /// Ops on the same part have one name for it.
  Value viewFor(size_t memory, const tiling::PlaceView& view) {
    for (const MadeView& made : views_)
      if (made.memory == memory && made.view.isPartOf(view)) return made.value;
    views_.push_back({memory, view, tiling::makeView(view, builder_, location_, memrefs_[memory])});
    return views_.back().value;
  }

  /// An op takes the rounds of a loop from a dimension of an operand along which it moves alone. Others get one of a shape only, as
  /// the windows of pooling ops have it.
  std::optional<Operand> windowFor(const std::vector<AffineMap>& maps, const Group& group) {
    std::vector<int64_t> shape;
    std::vector<AffineExpr> results;
    Context& context = builder_.context();
    for (unsigned i = 0; i < loops().size(); ++i) {
      const AffineExpr dim = AffineExpr::dim(context, i);
      const bool isAlone = std::ranges::any_of(maps, [&](AffineMap map) {
        return std::ranges::find(map.results(), dim) != map.results().end();
      });
      if (isAlone) continue;
      shape.push_back(nest_.loops[loops()[i]].count);
      results.push_back(dim);
    }
    if (shape.empty()) return std::nullopt;
    return Operand{allocate(location_, shape, group[0]->value.type()),
                   AffineMap::get(context, numLoops(), 0, results)};
  }

  const LoopStatements& nest_;
  std::span<Operation* const> ops_;
  bool roundsFirst_;  ///< loops of one round come before the others
  Operation& before_;
  Builder builder_;
  air::IndexConstants constants_;
  std::vector<Value> memrefs_, allocated_;
  std::vector<MadeView> views_;
  const Statement* statement_ = nullptr;  ///< the first of the group that is written
  Location location_;
};

class LoopsToLinalg : public Pass {
  /// Each pair of statements is compared.
  static constexpr size_t kMostOps = 2048;
  /// Each vector that is stored is computed anew.
  static constexpr size_t kMostVectorOps = 512;

 public:
  LoopsToLinalg() : Pass("air-loops-to-linalg", "Turns loops on arrays into linalg ops") {
    anchor("func.func");
    option("reductions", onlyReductions_, "only loops that reduce, and those that follow them");
    option("herds", inHerds_, "loops in herds on memory of cores, not those of functions");
    example("airlite-opt --air-loops-to-linalg in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    if (function.region(0).empty() || !function.region(0).hasOneBlock())
      return PassResult::Unchanged;
    context_ = &context;
    bool changed = false;
    if (inHerds_)
      function.walk([&](Operation& op) {
        if (isa<air::HerdOp>(&op)) changed |= raiseBlock(op.region(0).front());
      });
    else
      changed = raiseBlock(function.region(0).front());
    if (changed)
      context.declareEffectChange(CountedEffect::Store, "loops of stores become ops on arrays");
    return changedIf(changed);
  }

 private:
  bool raiseBlock(Block& block) {
    bool changed = false;
    for (const std::vector<Operation*>& run :
         opRuns(block, [&](Operation& op) { return isWork(op); }))
      if (std::ranges::any_of(run, [](Operation* op) { return tiling::isStatementLoop(*op); }))
        changed |= raiseRun(run);
    return inHerds_ ? raiseInside(block) || changed : changed;
  }

  /// Of herds: regions of any op that is left.
  bool raiseInside(Block& block) {
    std::vector<Block*> blocks;
    for (Operation& op : block.ops())
      if (!linalg::asStructured(&op))
        for (Region& region : op.regions())
          for (Block& inner : region.blocks())
            blocks.push_back(&inner);
    bool changed = false;
    for (Block* inner : blocks)
      changed |= raiseBlock(*inner);
    return changed;
  }

  /// All together, else each loop, else those in it.
  bool raiseRun(const std::vector<Operation*>& run) {
    const bool isOne = std::ranges::count_if(run, [&](Operation* op) { return isWork(*op); }) == 1;
    if (!isOne && raise(run, false)) return true;
    bool changed = false;
    for (Operation* op : run) {
      if (!tiling::isStatementLoop(*op)) continue;
      if (raise({op}, true))
        changed = true;
      else if (!inHerds_ && (op->is("scf.for") || op->is("affine.for")))
        changed |= raiseBlock(op->region(0).front());
    }
    return changed;
  }

  bool isWork(const Operation& op) const {
    return tiling::isStatementLoop(op) || tiling::isElementLoad(op) || tiling::isElementStore(op) ||
           op.is("scf.if") || (inHerds_ && tiling::isVectorWork(op));
  }

  bool raise(const std::vector<Operation*>& ops, bool tells) {
    return inHerds_ && tiling::needsRolling(ops) ? raiseRolled(ops, tells) : raiseLoops(ops, tells);
  }

  bool raiseLoops(const std::vector<Operation*>& ops, bool tells) {
    if (!hasStore(ops)) return false;
    const auto declines = [&](std::string_view why) { return stays(ops, tells, "a loop", why); };
    if (numOps(ops) > kMostOps) return declines(fmt::format("it has more than {} ops", kMostOps));
    const LoopStatements nest =
        tiling::readStatements(ops, inHerds_ ? air::MemoryLevel::L1 : air::MemoryLevel::L3);
    if (!nest.why.empty()) return declines(nest.why);
    if (onlyReductions_ && std::ranges::none_of(nest.statements, &Statement::reduces))
      return declines("it has no reduction");
    if (leavesResults(ops)) return declines("a result is used after it");
    if (inHerds_ && std::ranges::none_of(nest.statements, [&](const Statement& statement) {
          return hasRow(nest, statement);
        }))
      return declines("no loop goes along a row, so vectors would have no use");
    const tiling::StatementOrder order = tiling::orderStatements(nest);
    if (!order.why.empty()) return declines(order.why);
    if (const std::string_view why = checkViews(nest); !why.empty()) return declines(why);
    Operation& after = *ops.back()->next();
    OpWriter writer(nest, ops, after, inHerds_);
    writer.allocate(ops.front()->location());
    for (const Group& group : order.groups)
      writer.write(group);
    writer.free(ops.front()->location());
    const std::vector<Operation*> stack = stackOf(ops);
    erase(ops);
    for (Operation* alloca : stack)
      if (alloca->result().hasUses())
        moveToHeap(*alloca);
      else
        alloca->erase();
    return true;
  }

  /// Vector code, as loops over lanes.
  bool raiseRolled(const std::vector<Operation*>& ops, bool tells) {
    const auto declines = [&](std::string_view why) {
      return stays(ops, tells, "a loop of vectors", why);
    };
    if (numOps(ops) > kMostVectorOps)
      return declines(fmt::format("it has more than {} ops", kMostVectorOps));
    if (leavesResults(ops)) return declines("a result is used after it");
    const tiling::RolledOps rolled = tiling::rollVectors(ops);
    if (!rolled.why.empty()) return declines(rolled.why);
    Operation& after = *rolled.ops.back()->next();
    if (!raiseLoops(rolled.ops, tells)) {
      rolled.erase();
      return false;
    }
    Builder builder = Builder::before(after);
    for (Operation* alloc : rolled.memory)
      memref::DeallocOp::create(builder, alloc->location(), alloc->result());
    erase(ops);
    return true;
  }

  /// False, with a remark on what the ops stay where somebody wants to know.
  bool stays(const std::vector<Operation*>& ops, bool tells, std::string_view what,
             std::string_view why) const {
    if (tells) context_->remark(*ops.front(), fmt::format("stays {}: {}", what, why));
    return false;
  }

  /// Some loop stores, or loads, elements that follow each other.
  static bool hasRow(const LoopStatements& nest, const Statement& statement) {
    const auto isRow = [&](const StatementPlace& place) {
      return !place.index.empty() && std::ranges::any_of(statement.loops, [&](size_t loop) {
        return std::abs(LoopStatements::factor(place.index.back(), loop)) == 1;
      });
    };
    const std::vector<StatementRead> reads = tiling::readsOf(nest, statement);
    return isRow(statement.to) ||
           std::ranges::any_of(reads, [&](const StatementRead& read) { return isRow(read.place); });
  }

  /// Memory of the stack outside of the ops, which rounds may have their own of.
  static std::vector<Operation*> stackOf(const std::vector<Operation*>& ops) {
    std::set<Operation*> found;
    std::vector<Operation*> stack;
    for (Operation* op : ops)
      op->walk([&](Operation& inner) {
        for (Value operand : inner.operands())
          if (Operation* made = operand.definingOp(); made && isa<memref::AllocaOp>(made) &&
                                                      !isInRun(*made, ops) &&
                                                      found.insert(made).second)
            stack.push_back(made);
      });
    return stack;
  }

  static size_t numOps(const std::vector<Operation*>& ops) {
    size_t count = 0;
    for (Operation* op : ops)
      op->walk([&](Operation&) { ++count; });
    return count;
  }

  static bool hasStore(const std::vector<Operation*>& ops) {
    bool found = false;
    for (Operation* op : ops)
      op->walk([&](Operation& inner) { found |= tiling::isElementStore(inner); });
    return found;
  }

  static std::string_view checkViews(const LoopStatements& nest) {
    for (const Statement& statement : nest.statements) {
      if (!tiling::viewOfPlace(nest, statement, statement.to, PlaceUse::Store))
        return "no view has the elements that it stores";
      for (const StatementRead& read : tiling::readsOf(nest, statement))
        if (!(read.place == statement.to) &&
            !tiling::viewOfPlace(nest, statement, read.place, PlaceUse::Load))
          return "no view has the elements that it loads";
    }
    return {};
  }

  /// What is computed of elements or rounds is used outside of the ops.
  bool leavesResults(const std::vector<Operation*>& ops) const {
    std::set<const Operation*> working;
    for (Operation* op : ops) {
      const bool dependsOnWork = std::ranges::any_of(op->operands(), [&](Value operand) {
        return operand.definingOp() && working.contains(operand.definingOp());
      });
      if (!isWork(*op) && !dependsOnWork) continue;
      working.insert(op);
      for (unsigned i = 0; i < op->numResults(); ++i)
        for (OpOperand& use : op->result(i).uses())
          if (!isInRun(*use.owner(), ops)) return true;
    }
    return false;
  }

  /// The last ones first. What is pure and used by others stays.
  static void erase(const std::vector<Operation*>& ops) {
    for (auto op = ops.rbegin(); op != ops.rend(); ++op) {
      bool isUsed = false;
      for (unsigned i = 0; i < (*op)->numResults(); ++i)
        isUsed |= (*op)->result(i).hasUses();
      if (!isUsed) (*op)->erase();
    }
  }

  bool onlyReductions_ = false, inHerds_ = false;
  PassContext* context_ = nullptr;
};

}  // namespace

void registerLoopsToLinalg(PassRegistry& registry) { registry.add<LoopsToLinalg>(); }

}  // namespace airlite
