#include "VectorRolls.hpp"

#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "transform/hierarchy/OpRuns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace airlite::tiling {

namespace {

bool isVectorRead(const Operation& op) {
  return op.is("vector.load") || op.is("vector.transfer_read");
}
bool isVectorWrite(const Operation& op) {
  return op.is("vector.store") || op.is("vector.transfer_write");
}
bool isElementAccess(const Operation& op) {
  return isa<memref::LoadOp>(&op) || isa<memref::StoreOp>(&op);
}
bool isView(const Operation& op) {
  return isa<memref::SubViewOp>(&op) || isa<memref::CollapseShapeOp>(&op);
}
bool isVector(Value value) { return value.type().isa<VectorType>(); }

bool hasVector(const Operation& op) {
  const auto types = op.resultTypes();
  return std::ranges::any_of(op.operands(), isVector) ||
         std::ranges::any_of(types, [](Type type) { return type.isa<VectorType>(); });
}

/// A place in memory: of an element, or of the first lane of a vector.
struct Place {
  Value memref;
  std::vector<Value> indices;
};

Place placeOf(Operation& op) {
  const bool writes = isVectorWrite(op) || isa<memref::StoreOp>(&op);
  Place place{op.operand(writes ? 1 : 0), {}};
  const unsigned first = writes ? 2 : 1;
  const size_t rank = place.memref.type().cast<MemRefType>().shape().size();
  for (unsigned i = 0; i < rank; ++i)
    place.indices.push_back(op.operand(first + i));
  return place;
}

std::span<const int64_t> shapeOf(Type vector) { return vector.cast<VectorType>().shape(); }

/// Where a lane is: an index for each dimension of its vector.
using LaneIndex = std::vector<Value>;

/// The copies, which follow the given ops.
class CopiedOps {
 public:
  explicit CopiedOps(std::span<Operation* const> given)
      : given_(given), end_(given.back()->next()) {}

  Operation& end() const { return *end_; }
  /// The last op in front of them.
  const Operation* before() const { return given_.back(); }
  std::vector<Operation*> all() const {
    std::vector<Operation*> ops;
    for (Operation* op = given_.back()->next(); op != end_; op = op->next())
      ops.push_back(op);
    return ops;
  }
  bool contains(const Operation& op) const { return isInRun(op, all()); }

 private:
  std::span<Operation* const> given_;
  Operation* end_;
};

/// Writes index arithmetic: where lanes are in the memory that views, which are made in the copies, are of.
class PlaceWriter {
 public:
  PlaceWriter(Builder& builder, Location location, const CopiedOps& copies)
      : builder_(builder), location_(location), copies_(copies) {}

  Value index(int64_t number) { return builder_.constantIndex(location_, number); }

  Place laneIn(Place place, const LaneIndex& lane) {
    const size_t first = place.indices.size() - lane.size();
    for (size_t i = 0; i < lane.size(); ++i)
      place.indices[first + i] = plus(place.indices[first + i], lane[i]);
    return resolved(std::move(place));
  }

  /// In the memory that views, which are made in the ops, are of.
  Place resolved(Place place) {
    while (Operation* made = place.memref.definingOp()) {
      if (!copies_.contains(*made)) break;
      std::optional<Place> outer;
      if (const auto view = dynCast<memref::SubViewOp>(made)) outer = inSource(view, place);
      if (const auto view = dynCast<memref::CollapseShapeOp>(made)) outer = inSource(view, place);
      if (!outer) break;
      place = *outer;
    }
    return place;
  }

 private:
  Value plus(Value a, Value b) {
    if (constantIntOf(a) == 0) return b;
    if (constantIntOf(b) == 0) return a;
    return builder_.create(location_, "arith.addi", {a, b}, {builder_.indexType()})->result();
  }
  Value times(Value a, memref::MixedIndex b) {
    if (!b.value && b.constant == 1) return a;
    const Value factor = valueOf(b);
    return builder_.create(location_, "arith.muli", {a, factor}, {builder_.indexType()})->result();
  }
  Value valueOf(memref::MixedIndex at) { return at.value ? at.value : index(at.constant); }

  std::optional<Place> inSource(memref::SubViewOp view, const Place& place) {
    const auto dropped = view.droppedDims();
    if (!dropped) return std::nullopt;
    const auto offsets = view.offsets(), strides = view.strides();
    Place outer{view.source(), {}};
    size_t next = 0;
    for (size_t dim = 0; dim < offsets.size(); ++dim) {
      const Value offset = valueOf(offsets[dim]);
      outer.indices.push_back(
          (*dropped)[dim] ? offset : plus(offset, times(place.indices[next++], strides[dim])));
    }
    return outer;
  }

  /// Groups in which only one dimension has several elements.
  std::optional<Place> inSource(memref::CollapseShapeOp view, const Place& place) {
    const auto shape = view.sourceType().shape();
    const memref::Reassociation groups = view.reassociation();
    Place outer{view.source(), std::vector<Value>(shape.size())};
    for (size_t group = 0; group < groups.size(); ++group) {
      const auto isLong = [&](int64_t dim) { return shape[static_cast<size_t>(dim)] != 1; };
      if (std::ranges::count_if(groups[group], isLong) > 1) return std::nullopt;
      auto itself = std::ranges::find_if(groups[group], isLong);
      if (itself == groups[group].end()) itself = groups[group].begin();
      for (int64_t dim : groups[group])
        outer.indices[static_cast<size_t>(dim)] = dim == *itself ? place.indices[group] : index(0);
    }
    return outer;
  }

  Builder& builder_;
  Location location_;
  const CopiedOps& copies_;
};

/// What the copies have stored so far.
class StoredVectors {
 public:
  /// A vector that was stored by a loop over its lanes.
  struct Stored {
    Place place;
    Value vector;
    Value memory;  ///< that the place is in
  };

  explicit StoredVectors(const CopiedOps& copies) : copies_(copies) {}

  void add(Operation& lanes, Stored stored) { stored_[&lanes] = std::move(stored); }
  const std::unordered_map<Operation*, Stored>& all() const { return stored_; }

  /// What the read loads, if it was stored just before.
  Value storedBefore(Operation& read) {
    const Place place = placeOf(read);
    for (Operation* op = read.prev(); op && op != copies_.before(); op = op->prev()) {
      const auto stored = stored_.find(op);
      if (stored != stored_.end() && isSame(stored->second.place, place) &&
          stored->second.vector.type() == read.result().type())
        return stored->second.vector;
      if (mayWrite(*op, place.memref)) return {};
    }
    return {};
  }
  /// Between the read and the sink that needs it, in each round of loops around the sink.
  bool mayChange(Operation& read, Operation& sink) {
    const Value memref = placeOf(read).memref;
    Operation* top = &sink;
    while (top->block() != read.block()) {
      top = top->parentOp();
      if (mayWrite(*top, memref)) return true;
    }
    for (Operation* op = read.next(); op != top; op = op->next())
      if (mayWrite(*op, memref)) return true;
    return false;
  }

 private:
  static bool isSame(const Place& a, const Place& b) {
    const auto isSameIndex = [](Value x, Value y) {
      return x == y || (constantIntOf(x) && constantIntOf(x) == constantIntOf(y));
    };
    return a.memref == b.memref && std::ranges::equal(a.indices, b.indices, isSameIndex);
  }

  bool mayWrite(Operation& op, Value memref) {
    const analysis::Buffer buffer = buffers_.bufferOf(memref);
    bool found = false;
    op.walk([&](Operation& inner) {
      if (inner.numRegions() || isPure(inner) || isVectorRead(inner) ||
          isa<memref::LoadOp>(&inner) || inner.hasTrait(Trait::Terminator))
        return;
      if (!isVectorWrite(inner) && !isa<memref::StoreOp>(&inner)) {
        found = true;
        return;
      }
      const analysis::Buffer written = buffers_.bufferOf(inner.operand(1));
      found |= !buffer.isKnown() || !written.isKnown() || written == buffer;
    });
    return found;
  }

  const CopiedOps& copies_;
  analysis::AccessReader buffers_;
  std::unordered_map<Operation*, Stored> stored_;
};

/// Writes loops over the lanes of vectors, and what one lane of a vector is computed of.
class LaneWriter {
 public:
  LaneWriter(Builder& builder, Location location, PlaceWriter& places, StoredVectors& stored)
      : builder_(builder), location_(location), places_(places), stored_(stored) {}

  /// Why a lane could not be written; empty: all were.
  const std::string& why() const { return why_; }
  /// The outermost loop of the vector that is written; null: it has one lane.
  Operation* sink() const { return sink_; }

  /// Begins with another vector.
  void begin() {
    sink_ = nullptr;
    known_.clear();
  }

  Value binary(std::string_view name, Value a, Value b) {
    return builder_.create(location_, name, {a, b}, {a.type()})->result();
  }

  /// A loop that carries a value, or none where it is null. The builder is in it.
  scf::ForOp enterLoop(int64_t count, Value carried) {
    const Value first = zero(), end = index(count), step = index(1);
    auto loop = scf::ForOp::create(builder_, location_, first, end, step,
                                   std::span(&carried, carried ? 1 : 0));
    if (!sink_) sink_ = loop.op();
    carried ? builder_.setToEnd(loop.body()) : builder_.setBefore(*loop.yield());
    return loop;
  }
  /// Behind a loop that carries a value.
  void leaveLoop(scf::ForOp loop, Value carried) {
    builder_.create(location_, "scf.yield", {carried}, {});
    builder_.setAfter(*loop);
  }

  /// Loops over the dimensions of a vector, the outermost of which is the sink; dimensions of one lane have none.
  LaneIndex enterLanes(std::span<const int64_t> shape) {
    LaneIndex lanes;
    for (int64_t count : shape) {
      if (count == 1) {
        lanes.push_back(zero());
        continue;
      }
      scf::ForOp loop = enterLoop(count, {});
      lanes.push_back(loop.inductionVar());
    }
    return lanes;
  }

  /// One lane of a vector, in the loops that were entered; null: there is none.
  Value laneOf(Value value, const LaneIndex& index) {
    if (!isVector(value)) return value;
    for (const Lane& lane : known_)
      if (lane.vector == value && lane.index == index) return lane.value;
    const Value lane = value.definingOp() ? makeLane(*value.definingOp(), index) : Value();
    if (!lane && why_.empty()) why_ = "a vector is not computed lane by lane";
    known_.push_back({value, index, lane});
    return lane;
  }

 private:
  struct Lane {
    Value vector;
    LaneIndex index;
    Value value;
  };

  Value index(int64_t number) { return places_.index(number); }
  Value zero() { return index(0); }

  Value makeLane(Operation& op, const LaneIndex& index) {
    if (op.is("arith.constant")) {
      const auto elements = op.attr("value").dynCast<DenseElementsAttr>();
      return elements && elements.isSplat() ? builder_.constant(location_, elements.splatValue())
                                            : Value();
    }
    if (isVectorRead(op)) return laneOfRead(op, index);
    if (op.is("vector.broadcast") || op.is("vector.splat")) return laneOfBroadcast(op, index);
    if (op.is("vector.shape_cast")) return laneOfShapeCast(op, index);
    if (op.is("vector.contract")) return laneOfContract(vector::ContractOp(&op), index);
    const bool isFma = op.is("vector.fma");
    if (op.numRegions() || (!isFma && !(vector::isElementwise(op) && isPure(op)))) return {};
    std::vector<Value> operands;
    for (Value operand : op.operands())
      if (operands.emplace_back(laneOf(operand, index)); !operands.back()) return {};
    OperationState state(builder_.context(), location_, isFma ? "math.fma" : op.name());
    state.operands = operands;
    state.resultTypes = {elementTypeOrSelf(op.result().type())};
    state.attributes = op.attributes();
    return builder_.create(state)->result();
  }

  Value laneOfBroadcast(Operation& op, const LaneIndex& index) {
    const Value source = op.operand(0);
    if (!isVector(source)) return source;
    const auto shape = shapeOf(source.type()), made = shapeOf(op.result().type());
    LaneIndex inside(index.end() - static_cast<ptrdiff_t>(shape.size()), index.end());
    for (size_t i = 0; i < shape.size(); ++i)
      if (shape[i] != made[made.size() - shape.size() + i]) inside[i] = zero();
    return laneOf(source, inside);
  }

  /// That adds or leaves out dimensions of one lane.
  Value laneOfShapeCast(Operation& op, const LaneIndex& index) {
    const auto shape = shapeOf(op.operand(0).type()), made = shapeOf(op.result().type());
    std::vector<std::pair<int64_t, Value>> of;
    for (size_t i = 0; i < made.size(); ++i)
      if (made[i] != 1) of.emplace_back(made[i], index[i]);
    LaneIndex inside;
    size_t next = 0;
    for (int64_t count : shape) {
      if (count != 1 && (next == of.size() || of[next].first != count)) return {};
      inside.push_back(count == 1 ? zero() : of[next++].second);
    }
    return next == of.size() ? laneOf(op.operand(0), inside) : Value();
  }

  /// A sum of products, by loops over what is summed up in the order of the op.
  Value laneOfContract(vector::ContractOp contract, const LaneIndex& index) {
    const std::vector<AffineMap> maps = contract.indexingMaps();
    if (contract.kind() != "add" || contract->numOperands() != 3 || linalg::sumDepth(*contract))
      return {};
    LaneIndex loops(maps[0].numDims());
    std::vector<int64_t> sizes(maps[0].numDims(), 1);
    for (unsigned i = 0; i < 2; ++i)
      for (unsigned dim = 0; dim < maps[i].numResults(); ++dim) {
        if (maps[i].result(dim).kind() != AffineKind::Dim) return {};
        sizes[maps[i].result(dim).position()] = shapeOf(contract->operand(i).type())[dim];
      }
    for (unsigned dim = 0; dim < maps[2].numResults(); ++dim)
      loops[maps[2].result(dim).position()] = index[dim];
    const Value first = laneOf(contract.accumulator(), index);
    if (!first) return {};
    const size_t known = known_.size();
    std::vector<scf::ForOp> entered;
    Value sum = first;
    for (size_t dim = 0; dim < loops.size(); ++dim) {
      if (loops[dim]) continue;
      if (sizes[dim] == 1) {
        loops[dim] = zero();
        continue;
      }
      entered.push_back(enterLoop(sizes[dim], sum));
      loops[dim] = entered.back().inductionVar();
      sum = entered.back().regionIterArg(0);
    }
    const auto factor = [&](unsigned i) {
      LaneIndex inside;
      for (AffineExpr result : maps[i].results())
        inside.push_back(loops[result.position()]);
      return widened(laneOf(contract->operand(i), inside), first.type());
    };
    const Value a = factor(0), b = factor(1);
    const bool isFloat = first.type().isFloat();
    if (a && b)
      sum = binary(isFloat ? "arith.addf" : "arith.addi", sum,
                   binary(isFloat ? "arith.mulf" : "arith.muli", a, b));
    for (size_t i = entered.size(); i-- > 0;) {
      leaveLoop(entered[i], sum);
      sum = entered[i]->result(0);
    }
    known_.resize(known);
    return a && b ? sum : Value();
  }

  /// Factors are as wide as their sum.
  Value widened(Value value, Type type) {
    if (!value || value.type() == type) return value;
    return builder_
        .create(location_, type.isFloat() ? "arith.extf" : "arith.extsi", {value}, {type})
        ->result();
  }

  Value laneOfRead(Operation& read, const LaneIndex& index) {
    if (const Value vector = stored_.storedBefore(read)) return laneOf(vector, index);
    if (stored_.mayChange(read, *sink_)) {
      why_ = "memory changes between a load and where its vector is needed";
      return {};
    }
    const Place from = places_.laneIn(placeOf(read), index);
    return memref::LoadOp::create(builder_, location_, from.memref, from.indices).result();
  }

  Builder& builder_;
  Location location_;
  PlaceWriter& places_;
  StoredVectors& stored_;
  Operation* sink_ = nullptr;
  std::vector<Lane> known_;  ///< in the loops that were entered
  std::string why_;
};

/// Copies ops and rewrites the copies. One class: what an op becomes depends on what those before it have become, of any kind.
class VectorRoller {
 public:
  explicit VectorRoller(std::span<Operation* const> ops)
      : given_(ops),
        copies_(ops),
        builder_(Builder::before(copies_.end())),
        location_(ops.front()->location()),
        places_(builder_, location_, copies_),
        stored_(copies_),
        lanes_(builder_, location_, places_, stored_) {}

  RolledOps run() {
    IRMapping mapping;
    for (Operation* op : given_)
      builder_.clone(*op, mapping);
    for (Operation* op : copies_.all())
      if (why_.empty()) roll(*op);
    if (why_.empty()) {
      dropDead();
      dropUnreadStores();
      checkVectors();
    }
    if (why_.empty() && copies_.all().empty()) fail("nothing is stored");
    const RolledOps rolled{copies_.all(), memory_, {}};
    if (why_.empty()) return rolled;
    rolled.erase();
    return {{}, {}, why_};
  }

 private:
  void fail(std::string why) {
    if (why_.empty()) why_ = std::move(why);
  }

  // -- Ops in order --

  void roll(Operation& op) {
    if (auto loop = dynCast<scf::ForOp>(&op)) {
      Operation* made = withoutVectors(loop);
      if (made) rollBody(*made);
    } else if (op.numRegions()) {
      rollBody(op);
    } else if (isVectorWrite(op)) {
      rollWrite(op);
    } else if (op.is("vector.reduction")) {
      rollReduction(op);
    } else if (isElementAccess(op)) {
      foldViews(op);
    } else if (isVectorRead(op)) {
      checkTransfer(op);
    }
  }

  void rollBody(Operation& op) {
    for (Region& region : op.regions())
      for (Block& block : region.blocks()) {
        std::vector<Operation*> ops;
        for (Operation& inner : block.ops())
          ops.push_back(&inner);
        for (Operation* inner : ops)
          if (why_.empty()) roll(*inner);
      }
  }

  bool checkTransfer(Operation& op) {
    const bool writes = isVectorWrite(op);
    const auto memref = op.operand(writes ? 1 : 0).type().dynCast<MemRefType>();
    const Type vector = writes ? op.operand(0).type() : op.result().type();
    if (!memref || shapeOf(vector).empty() || memref.shape().size() < shapeOf(vector).size() ||
        elementTypeOrSelf(vector) != memref.elementType())
      fail("a vector is no part of a memref");
    else if (op.is("vector.transfer_read") || op.is("vector.transfer_write"))
      checkTransfer(vector::TransferOp(&op));
    return why_.empty();
  }
  /// Those that may leave their memory are loops that do so, for others to decline.
  void checkTransfer(vector::TransferOp transfer) {
    if (transfer.mask() || !transfer.isMinorIdentity())
      fail("a transfer has a mask, or does not go along a row");
  }

  void rollWrite(Operation& op) {
    if (!checkTransfer(op)) return;
    builder_.setBefore(op);
    const Value vector = op.operand(0);
    const Place place = placeOf(op);
    lanes_.begin();
    const LaneIndex index = lanes_.enterLanes(shapeOf(vector.type()));
    if (!lanes_.sink()) return fail("a vector has one lane");
    const Value value = lanes_.laneOf(vector, index);
    if (!value) return fail(lanes_.why());
    const Place to = places_.laneIn(place, index);
    memref::StoreOp::create(builder_, location_, value, to.memref, to.indices);
    stored_.add(*lanes_.sink(), {place, vector, to.memref});
    op.erase();
  }

  void rollReduction(Operation& op) {
    const vector::ReductionOp reduction(&op);
    const Type element = op.result().type();
    const auto shape = shapeOf(reduction.source().type());
    const std::string_view combine = vector::combiningOp(reduction.kind(), element.isFloat());
    if (shape.size() != 1 || combine.empty()) return fail("a reduction is of several rows");
    builder_.setBefore(op);
    Value first = reduction.accumulator();
    if (!first) first = builder_.constant(location_, vector::neutralOf(reduction.kind(), element));
    lanes_.begin();
    scf::ForOp lanes = lanes_.enterLoop(shape[0], first);
    Value value = lanes_.laneOf(reduction.source(), {lanes.inductionVar()});
    if (!value) fail(lanes_.why());
    if (!value) value = first;  // what is made goes again
    lanes_.leaveLoop(lanes, lanes_.binary(combine, lanes.regionIterArg(0), value));
    op.result().replaceAllUsesWith(lanes->result(0));
    op.erase();
  }

  /// Of a load or store of one element.
  void foldViews(Operation& op) {
    builder_.setBefore(op);
    const Place place = placeOf(op), outer = places_.resolved(place);
    if (outer.memref == place.memref) return;
    if (isa<memref::StoreOp>(&op))
      memref::StoreOp::create(builder_, location_, op.operand(0), outer.memref, outer.indices);
    else
      op.result().replaceAllUsesWith(
          memref::LoadOp::create(builder_, location_, outer.memref, outer.indices).result());
    op.erase();
  }

  // -- Vectors that loops carry --

  /// The loop, or one in its place that has memory in place of the vectors it carries; null: there is none.
  Operation* withoutVectors(scf::ForOp loop) {
    std::vector<Value> inits;
    std::vector<Value> memory(loop.numIterArgs());
    builder_.setBefore(*loop);
    for (unsigned i = 0; i < loop.numIterArgs(); ++i) {
      const Value init = loop.initArgs()[i];
      if (!isVector(init))
        inits.push_back(init);
      else
        write(init, memory[i] = allocate(*loop, init.type()));
    }
    if (!why_.empty()) return nullptr;
    if (inits.size() == loop.numIterArgs()) return loop.op();
    auto made = scf::ForOp::create(builder_, loop->location(), loop.lowerBound(), loop.upperBound(),
                                   loop.step(), inits);
    inits.empty() ? builder_.setBefore(*made.yield()) : builder_.setToEnd(made.body());
    IRMapping mapping;
    mapping.map(loop.inductionVar(), made.inductionVar());
    for (unsigned i = 0, kept = 0; i < loop.numIterArgs(); ++i)
      mapping.map(loop.regionIterArg(i), memory[i] ? read(memory[i], loop.initArgs()[i].type())
                                                   : made.regionIterArg(kept++));
    for (Operation& op : loop.body().ops())
      if (!op.hasTrait(Trait::Terminator)) builder_.clone(op, mapping);
    std::vector<Value> yielded;
    for (unsigned i = 0; i < loop.numIterArgs(); ++i) {
      const Value value = mapping.lookupOr(loop.yielded(i));
      if (memory[i])
        storeWhole(value, memory[i]);
      else
        yielded.push_back(value);
    }
    if (!inits.empty()) builder_.create(location_, "scf.yield", yielded, {});
    builder_.setAfter(*made);
    for (unsigned i = 0, kept = 0; i < loop.numIterArgs(); ++i)
      loop->result(i).replaceAllUsesWith(memory[i] ? read(memory[i], loop->result(i).type())
                                                   : made->result(kept++));
    loop->erase();
    return made.op();
  }

  Value read(Value memory, Type vector) {
    std::vector<Value> operands(1 + shapeOf(vector).size(), places_.index(0));
    operands[0] = memory;
    return builder_.create(location_, "vector.load", operands, {&vector, 1})->result();
  }
  Operation& storeWhole(Value vector, Value memory) {
    std::vector<Value> operands(2 + shapeOf(vector.type()).size(), places_.index(0));
    operands[0] = vector;
    operands[1] = memory;
    return *builder_.create(location_, "vector.store", operands, {});
  }
  void write(Value vector, Value memory) {
    const InsertPoint here = builder_.insertPoint();
    rollWrite(storeWhole(vector, memory));
    builder_.setInsertPoint(here);
  }

  /// Memory for the lanes of what a loop carries: outside of the ops, or in the loop around.
  Value allocate(Operation& loop, Type vector) {
    const auto type = MemRefType::get(builder_.context(), shapeOf(vector),
                                      elementTypeOrSelf(vector), Attribute(), spaceOfRun());
    const InsertPoint here = builder_.insertPoint();
    const bool isOutside = loop.block() == given_.front()->block();
    if (isOutside) builder_.setBefore(*given_.front());
    const Value made = memref::AllocOp::create(builder_, location_, type).result();
    if (isOutside) memory_.push_back(made.definingOp());
    builder_.setInsertPoint(here);
    return made;
  }
  Attribute spaceOfRun() const {
    Attribute space;
    for (Operation* op : given_)
      op->walk([&](Operation& inner) {
        for (Value operand : inner.operands())
          if (const auto type = operand.type().dynCast<MemRefType>()) space = type.memorySpace();
      });
    return space;
  }

  // -- What is left --

  std::vector<Operation*> allCopies() const {
    std::vector<Operation*> all;
    for (Operation* op : copies_.all())
      op->walk([&](Operation& inner) { all.push_back(&inner); });
    return all;
  }

  static bool isUnused(const Operation& op) {
    for (unsigned i = 0; i < op.numResults(); ++i)
      if (op.result(i).hasUses()) return false;
    return true;
  }

  /// Those that use others come after them, but in loops, which a walk may give first.
  void dropDead() {
    for (bool changed = true; changed;) {
      changed = false;
      const std::vector<Operation*> all = allCopies();
      for (size_t i = all.size(); i-- > 0;) {
        Operation& op = *all[i];
        const bool isLoad = isVectorRead(op) || isa<memref::LoadOp>(&op);
        if (op.numRegions() || op.hasTrait(Trait::Terminator) || !(isLoad || isPure(op)) ||
            !isUnused(op))
          continue;
        op.erase();
        changed = true;
      }
    }
  }

  /// To memory that the given ops, which go, and stores use alone.
  void dropUnreadStores() {
    for (const auto& [lanes, stored] : stored_.all()) {
      const Operation* made = stored.memory.definingOp();
      if (!made || !isa<memref::AllocOp>(made) || copies_.contains(*made)) continue;
      const bool isUnread = std::ranges::all_of(stored.memory.uses(), [&](OpOperand& use) {
        Operation& user = *use.owner();
        return isInRun(user, given_) || user.is("memref.dealloc") ||
               (isa<memref::StoreOp>(&user) && use.index() == 1);
      });
      if (isUnread) lanes->erase();
    }
  }

  void checkVectors() {
    for (const Operation* op : allCopies())
      if (hasVector(*op)) fail(fmt::format("'{}' has no lanes", op->name()));
  }

  std::span<Operation* const> given_;
  CopiedOps copies_;
  std::vector<Operation*> memory_;
  Builder builder_;
  Location location_;
  PlaceWriter places_;
  StoredVectors stored_;
  LaneWriter lanes_;
  std::string why_;
};

}  // namespace

bool isVectorWork(const Operation& op) {
  return isVectorRead(op) || isVectorWrite(op) || op.is("vector.reduction");
}

bool needsRolling(std::span<Operation* const> ops) {
  bool found = false;
  for (Operation* op : ops)
    op->walk([&](Operation& inner) {
      if (!isElementAccess(inner)) {
        found |= isVectorWork(inner);
        return;
      }
      const Operation* made = placeOf(inner).memref.definingOp();
      found |= made && isView(*made) && isInRun(*made, ops);
    });
  return found;
}

void RolledOps::erase() const {
  for (size_t i = ops.size(); i-- > 0;)
    ops[i]->erase();
  for (Operation* alloc : memory)
    alloc->erase();
}

RolledOps rollVectors(std::span<Operation* const> ops) { return VectorRoller(ops).run(); }

}  // namespace airlite::tiling
