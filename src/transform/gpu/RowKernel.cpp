// The kernel of a chain of ops on rows. A tile of a wave has some rows, or a part of one; what rows need
// in between exists in registers alone. Floats of 16 bits are computed in 32.
#include "RowKernel.hpp"

#include "RowTile.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Vector.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace airlite::gpu {
namespace {

/// One class: bodies, reductions and stores share the values that have been made, and each is a few lines.
class RowWriter : public RowTile {
 public:
  RowWriter(const RowChain& chain, const RowPlan& plan, const amdgpu::GpuDevice& device)
      : RowTile(chain, plan, device) {}

  void write() {
    if (plan_.waves > 1)
      openRow([&] { allocShared(); });
    else
      openTiles();
    readOldNumbers();
    if (plan_.kind == RowPlan::Looped)
      writeLooped();
    else
      writeHeld();
    close();
  }

 private:
  /// Numbers of rows that are written in the end are read before lanes and waves meet for the first time.
  void readOldNumbers() {
    for (size_t i = 0; i < chain_.nodes.size(); ++i) {
      const RowNode& node = chain_.nodes[i];
      if (node.kind != RowNode::Memory || node.place.hasColumns) continue;
      if (std::ranges::any_of(chain_.stores, [&](const RowChain::Store& store) {
            return store.place.memref == node.place.memref;
          }))
        evaluate(static_cast<int>(i));
    }
  }

  // -- Values --------------------------------------------------------------------------------------

  Value evaluate(int number) {
    if (const auto known = values_.find(number); known != values_.end()) return known->second;
    const RowNode& node = at(number);
    Value made;
    if (node.kind == RowNode::Number) made = convert(node.value, widened(node.value.type()));
    if (node.kind == RowNode::Memory) made = readMemory(node);
    if (node.kind == RowNode::Map)
      made = computeBody(node, node.op.body().back().operand(node.output));
    return values_[number] = made;
  }

  struct Computed {
    Value value;
    unsigned over = kOverNothing;
  };

  /// `wanted` of the body, each op on no more than what it differs over. Returned as the node's own.
  Value computeBody(const RowNode& node, Value wanted) {
    std::unordered_map<Value, Computed> known;
    for (unsigned i = 0; i < node.arguments.size(); ++i) {
      const int argument = node.arguments[i];
      if (argument == RowNode::kNone) continue;
      known[node.op.bodyArgument(i)] = {evaluate(argument), at(argument).over};
    }
    for (Operation& inner : node.op.body().ops()) {
      if (inner.hasTrait(Trait::Terminator)) break;
      if (isReady(inner, node, known)) compute(inner, known);
    }
    const Computed& result =
        known.contains(wanted) ? known[wanted] : Computed{outside(wanted), kOverNothing};
    const unsigned over = node.kind == RowNode::Reduce ? bodyOver() : node.over;
    return raise(result.value, result.over, over);
  }

  unsigned bodyOver() const { return (chain_.rowLoops ? kOverRows : kOverNothing) | kOverColumns; }

  /// Ops of other outputs' reductions have operands that are not there.
  static bool isReady(Operation& inner, const RowNode& node,
                      const std::unordered_map<Value, Computed>& known) {
    return std::ranges::all_of(inner.operands(), [&](Value operand) {
      return operand.parentBlock() != &node.op.body() || known.contains(operand);
    });
  }

  Value outside(Value value) { return convert(value, widened(value.type())); }

  void compute(Operation& inner, std::unordered_map<Value, Computed>& known) {
    const Type type = widened(inner.result().type());
    if (inner.is("arith.constant")) {
      known[inner.result()] = {constant(inner, type), kOverNothing};
      return;
    }
    if (inner.is("linalg.index")) {
      known[inner.result()] =
          placesIn(static_cast<unsigned>(inner.attrOf<IntegerAttr>("dim").value()));
      return;
    }
    unsigned over = kOverNothing;
    for (Value operand : inner.operands())
      if (known.contains(operand)) over |= known[operand].over;
    std::vector<Value> operands;
    for (Value operand : inner.operands()) {
      const bool isHere = known.contains(operand);
      const Value value = isHere ? known[operand].value : outside(operand);
      operands.push_back(raise(value, isHere ? known[operand].over : kOverNothing, over));
    }
    const bool keepsType = (inner.is("arith.extf") || inner.is("arith.truncf")) &&
                           elementTypeOrSelf(operands[0].type()) == type;
    const Type own = inner.result().type();
    const bool isRounded = inner.is("arith.truncf") && own.isFloat8();
    if (keepsType || isRounded) {
      const Value value = isRounded ? convert(convert(operands[0], own), type) : operands[0];
      known[inner.result()] = {value, over};
      return;
    }
    Operation* made = builder_.clone(inner);
    for (unsigned i = 0; i < operands.size(); ++i)
      made->setOperand(i, operands[i]);
    made->result().setType(typeOf(over, type));
    known[inner.result()] = {made->result(), over};
  }

  /// The numbers of a loop.
  Computed placesIn(unsigned loop) {
    const unsigned over = chain_.overLoop(loop);
    const Value first = chain_.isColumn(loop) ? column_ : row_;
    const auto shape = shapeOf(over);
    if (shape.empty()) return {first, over};
    const auto type = VectorType::get(context(), shape, builder_.indexType());
    const Value step = builder_.create(location(), "vector.step", {}, {type})->result();
    return {binary("arith.addi", step, broadcast(first, type)), over};
  }

  Value constant(Operation& inner, Type type) {
    if (inner.result().type() == type)
      return builder_.constant(inner.location(), inner.attr("value"));
    const double number = inner.attrOf<FloatAttr>("value").value();
    return builder_.constant(inner.location(), numberAttr(type, number));
  }

  // -- Reductions ----------------------------------------------------------------------------------

  Type sumType(const RowNode& node) const {
    return widened(elementTypeOrSelf(node.op.outputs()[node.output].type()));
  }

  Value neutral(const RowNode& node, unsigned over) {
    const Type element = sumType(node);
    const Attribute value = vector::neutralOf(node.combine, element);
    const auto shape = shapeOf(over);
    if (shape.empty()) return builder_.constant(location(), value);
    return builder_.constant(
        location(),
        DenseElementsAttr::get(VectorType::get(context(), shape, element), std::span(&value, 1)));
  }

  Value combine(const RowNode& node, Value a, Value b) {
    return binary(vector::combiningOp(node.combine, elementTypeOrSelf(a.type()).isFloat()), a, b);
  }

  /// What the node reduces, neutral past the end of the row.
  Value reducedTile(const RowNode& node) {
    Operation& combiner = *node.op.body().back().operand(node.output).definingOp();
    const Value old = node.op.bodyArgument(node.op.numInputs() + node.output);
    const Value fresh = combiner.operand(combiner.operand(0) == old ? 1 : 0);
    const Value tile = computeBody(node, fresh);
    if (hasWholeColumns()) return tile;
    const Value operands[] = {inside(), tile, neutral(node, bodyOver())};
    const Type types[] = {tile.type()};
    return builder_.create(location(), "arith.select", operands, types)->result();
  }

  /// Which elements of a tile lie in their rows. Numbers of 32 bits: tiles are small.
  Value inside() {
    if (inside_) return inside_;
    const Type i32 = builder_.intType(32);
    const auto wide = vectorType({plan_.columns}, builder_.indexType());
    const Value step = builder_.create(location(), "vector.step", {}, {wide})->result();
    const Value places = cast(step, vectorType({plan_.columns}, i32));
    const Value rest = binary("arith.subi", columns_, column_);
    const Value left =
        binary("arith.maxsi", binary("arith.minsi", rest, index(plan_.columns)), index(0));
    const Value end = broadcast(cast(left, i32), vectorType({plan_.columns}, i32));
    inside_ = raise(isBelow(places, end), kOverColumns, bodyOver());
    return inside_;
  }

  Value cast(Value value, Type type) {
    return builder_.create(location(), "arith.index_cast", {value}, {type})->result();
  }

  /// Of a tile to what its rows have.
  Value reduce(const RowNode& node, Value tile) {
    const Type element = elementTypeOrSelf(tile.type());
    const auto kind =
        builder_.named("kind", DialectAttr::getKeyword(context(), "vector.kind", node.combine));
    if (!isInRows())
      return builder_.create(location(), "vector.reduction", {tile}, {element}, {kind})->result();
    const int64_t columns[] = {1};
    const Value before = neutral(node, kOverRows);
    return builder_
        .create(
            location(), "vector.multi_reduction", {tile, before}, {before.type()},
            {kind, builder_.named("reduction_dims", DenseArrayAttr::getI64(context(), columns))})
        ->result();
  }

  std::vector<int> reductionsOf(int depth) const {
    std::vector<int> numbers;
    for (size_t i = 0; i < chain_.nodes.size(); ++i)
      if (chain_.nodes[i].kind == RowNode::Reduce && chain_.nodes[i].depth == depth)
        numbers.push_back(static_cast<int>(i));
    return numbers;
  }

  int deepest() const {
    int depth = 0;
    for (const RowNode& node : chain_.nodes)
      depth = std::max(depth, node.depth);
    return depth;
  }

  // -- Between waves -------------------------------------------------------------------------------

  void allocShared() {
    for (size_t i = 0; i < chain_.nodes.size(); ++i) {
      const RowNode& node = chain_.nodes[i];
      if (node.kind != RowNode::Reduce) continue;
      const int64_t shape[] = {plan_.waves};
      const auto type =
          MemRefType::get(context(), shape, sumType(node), Attribute(), builder_.i64Attr(1));
      shared_[static_cast<int>(i)] = memref::AllocOp::create(builder_, location(), type)->result();
    }
  }

  /// What each wave has of its part becomes what the row has, in all waves the same.
  void finishReductions(const std::vector<int>& numbers, std::vector<Value> parts) {
    if (plan_.waves > 1) {
      for (size_t i = 0; i < numbers.size(); ++i)
        memref::StoreOp::create(builder_, location(), parts[i], shared_.at(numbers[i]),
                                std::vector{wave_});
      workgroupBarrier();
      for (size_t i = 0; i < numbers.size(); ++i)
        parts[i] = combineShared(numbers[i]);
    }
    for (size_t i = 0; i < numbers.size(); ++i) {
      const RowNode& node = at(numbers[i]);
      const Value before = raise(evaluate(node.before), at(node.before).over, node.over);
      values_[numbers[i]] = combine(node, before, parts[i]);
    }
  }

  Value combineShared(int number) {
    const RowNode& node = at(number);
    std::vector<Value> parts;
    for (int64_t wave = 0; wave < plan_.waves; ++wave)
      parts.push_back(
          memref::LoadOp::create(builder_, location(), shared_.at(number), std::vector{index(wave)})
              .result());
    for (; parts.size() > 1; parts.resize(parts.size() / 2))
      for (size_t i = 0; i < parts.size() / 2; ++i)
        parts[i] = combine(node, parts[2 * i], parts[2 * i + 1]);
    return parts[0];
  }

  // -- The two ways --------------------------------------------------------------------------------

  void writeHeld() {
    for (int depth = 1; depth <= deepest(); ++depth) {
      const auto numbers = reductionsOf(depth);
      std::vector<Value> parts;
      for (int number : numbers) {
        const RowNode& node = at(number);
        parts.push_back(reduce(node, reducedTile(node)));
      }
      finishReductions(numbers, parts);
    }
    storeRows();
    storeStatistics();
  }

  void writeLooped() {
    for (int depth = 1; depth <= deepest(); ++depth) {
      const auto numbers = reductionsOf(depth);
      prepareNumbers();
      std::vector<Value> sums;
      for (int number : numbers)
        sums.push_back(neutral(at(number), bodyOver()));
      sums = overTiles(sums, [&](std::vector<Value> now) {
        for (size_t i = 0; i < numbers.size(); ++i) {
          const RowNode& node = at(numbers[i]);
          now[i] = combine(node, now[i], reducedTile(node));
        }
        return now;
      });
      for (size_t i = 0; i < numbers.size(); ++i)
        sums[i] = reduce(at(numbers[i]), sums[i]);
      finishReductions(numbers, sums);
    }
    prepareNumbers();
    const bool hasRows = std::ranges::any_of(
        chain_.stores, [](const RowChain::Store& store) { return store.place.hasColumns; });
    if (hasRows)
      overTiles({}, [&](const std::vector<Value>& now) {
        storeRows();
        return now;
      });
    storeStatistics();
  }

  /// What does not differ over columns is computed before the loops that need it.
  void prepareNumbers() {
    for (size_t i = 0; i < chain_.nodes.size(); ++i) {
      const RowNode& node = chain_.nodes[i];
      const bool isDone = node.kind == RowNode::Reduce || (node.over & kOverColumns);
      if (!isDone && isMade(node)) evaluate(static_cast<int>(i));
    }
  }

  /// The reductions that it needs have been made.
  bool isMade(const RowNode& node) const {
    return std::ranges::all_of(node.arguments, [&](int argument) {
      if (argument == RowNode::kNone || values_.contains(argument)) return true;
      const RowNode& other = at(argument);
      return other.kind != RowNode::Reduce && isMade(other);
    });
  }

  /// A loop over the tiles of a wave; `body` makes the values that it carries.
  template <class Body> std::vector<Value> overTiles(const std::vector<Value>& first, Body body) {
    const Value start = times(wave_, plan_.columns);
    scf::ForOp loop = scf::ForOp::create(builder_, location(), start, columns_,
                                         index(plan_.columns * plan_.waves), first);
    const auto outside = values_;
    if (first.empty())
      builder_.setBefore(*loop.body().terminator());
    else
      builder_.setToEnd(loop.body());
    column_ = loop.inductionVar();
    inside_ = Value();
    const std::vector<Value> next = body(loop.regionIterArgs());
    if (!first.empty()) scf::YieldOp::create(builder_, location(), next);
    builder_.setAfter(*loop.op());
    values_ = outside;
    inside_ = Value();
    return loop->resultValues();
  }

  // -- Results -------------------------------------------------------------------------------------

  void storeRows() {
    // All that is read lies before the first store: memory may be both.
    std::vector<Value> values;
    for (const auto& store : chain_.stores)
      values.push_back(store.place.hasColumns ? resultOf(store) : Value());
    for (size_t i = 0; i < values.size(); ++i) {
      const RowPlace& place = chain_.stores[i].place;
      if (values[i]) KernelWriter::write(vectorPlace(place, place.over()), values[i]);
    }
  }

  Value resultOf(const RowChain::Store& store) {
    const Value value = raise(evaluate(store.node), at(store.node).over, store.place.over());
    return convert(value, elementTypeOrSelf(store.place.memref.type()));
  }

  /// By the first wave of a row.
  void storeStatistics() {
    std::vector<std::pair<RowPlace, Value>> results;
    for (const auto& store : chain_.stores)
      if (!store.place.hasColumns) results.emplace_back(store.place, resultOf(store));
    if (results.empty()) return;
    std::optional<scf::IfOp> guard;
    if (plan_.waves > 1) {
      guard = scf::IfOp::create(builder_, location(), {}, isBelow(wave_, index(1)));
      builder_.setBefore(guard->thenBlock().back());
    }
    for (auto& [place, value] : results)
      storeStatistic(place, value);
    if (guard) builder_.setAfter(*guard->op());
  }

  void storeStatistic(const RowPlace& place, Value value) {
    if (value.type().isa<VectorType>())
      return KernelWriter::write(vectorPlace(place, kOverRows), value);
    Value memref;
    const auto indices = numberIndices(place, memref);
    memref::StoreOp::create(builder_, location(), value, memref, indices);
  }

  Value inside_;  ///< made once for each tile
  std::unordered_map<int, Value> values_;
  std::unordered_map<int, Value> shared_;
};

}  // namespace

void createRowLaunch(const RowChain& chain, const RowPlan& plan, const amdgpu::GpuDevice& device) {
  RowWriter(chain, plan, device).write();
}

}  // namespace airlite::gpu
