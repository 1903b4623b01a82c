// air-align-rows: rows of buffers in L1 begin where a vector may begin.
//
// Matches, in air.herd, buffers of static shape in L1 whose last dimension is not a whole number of vectors, and that
// structured ops use row by row: rows that are summed up, or rows to which each row adds the same. Where all that a loop of these ops
// indexes are such rows, all of them become longer: the op computes what lies after a row, too, which nobody reads. An op that
// combines the elements of a row gets a subview of the rows as they were. Puts and gets of whole buffers name the rows.
//
//   x : memref<16x60xbf16>, sum over d1        ->  x : memref<16x64xbf16>, sum over subview x[0, 0] [16, 60] [1, 1]
//   y[d0, d1] = x[d0, d1] * s[d0]              ->  the same, of 64 elements
//   put (x[] [] [])                            ->  put (x[0, 0] [16, 60] [64, 1])
//
// Rows that no DMA can move apart, since they are not whole words or have more of them than a descriptor counts and no divisor that it
// counts (383 words), come and go in a buffer of their own, and the core copies them, by vectors of 32 bytes; rows of bf16 that are
// shorter, and what lies after the vectors where all rows together are not whole words, by linalg.copy.
//
// Declines: several such rows of i8 and i16, buffers that something else uses, elementwise ops only
// (which take all rows as one), products of matrices, bodies that may fail for any element (integer division), and, with a
// remark, rows for which there is no room.
#include "airlite/device/AieDevices.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"
#include "analysis/BufferUses.hpp"
#include "transform/channels/AccessLists.hpp"
#include "transform/lowering/RowMemory.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace airlite {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

constexpr int64_t kWordBytes = aie::kWordBytes;

/// The loop that indexes the last dimension of an operand, and no other one.
std::optional<unsigned> rowLoopOf(AffineMap map) {
  if (map.numResults() == 0) return std::nullopt;
  const AffineExpr last = map.result(map.numResults() - 1);
  if (last.kind() != AffineKind::Dim) return std::nullopt;
  for (unsigned r = 0; r + 1 < map.numResults(); ++r)
    if (map.result(r).usesDim(last.position())) return std::nullopt;
  return last.position();
}

bool usesLoop(AffineMap map, unsigned loop) {
  return std::ranges::any_of(map.results(),
                             [&](AffineExpr result) { return result.usesDim(loop); });
}

MemRefType withLength(MemRefType type, int64_t length) {
  std::vector<int64_t> shape(type.shape().begin(), type.shape().end());
  shape.back() = length;
  return MemRefType::get(type.context(), shape, type.elementType(), Attribute(),
                         type.memorySpace());
}

/// The rows of `buffer`, which is becoming longer, as they were in a buffer of type `old`, from their element `first` on.
Value rowsOf(Builder& builder, Location location, Value buffer, MemRefType old, int64_t first = 0) {
  const auto mixed = [](std::span<const int64_t> numbers) {
    return std::vector<memref::MixedIndex>(numbers.begin(), numbers.end());
  };
  const std::vector<int64_t> ones(old.rank(), 1);
  std::vector<int64_t> offsets(old.rank(), 0), sizes(old.shape().begin(), old.shape().end());
  offsets.back() = first, sizes.back() -= first;
  return memref::SubViewOp::create(builder, location, buffer, mixed(offsets), mixed(sizes),
                                   mixed(ones))
      ->result();
}

/// Copies the rows of a buffer of type `type`, `elementsInVectors` of each, between one that has them apart and `packed`, which has
/// them one after the other.
class RowCopy {
 public:
  RowCopy(Builder& builder, Location location, MemRefType type, Value rows, Value packed)
      : builder_(builder), location_(location), type_(type), rows_(rows), packed_(packed) {}

  void write(bool isPut) {
    const InsertPoint saved = builder_.insertPoint();
    std::vector<Value> apart = {rows_}, together;
    int64_t stride = type_.numElements();
    for (unsigned dim = 0; dim + 1 < type_.rank(); ++dim) {
      apart.push_back(enterLoop(type_.dim(dim), 1));
      stride /= type_.dim(dim);
      together.push_back(binary("arith.muli", apart.back(), number(stride)));
    }
    const int64_t lanes = rows::lanesOf(type_.elementType());
    apart.push_back(enterLoop(rows::elementsInVectors(type_), lanes));
    Value place = apart.back();
    for (Value part : together)
      place = binary("arith.addi", place, part);
    if (isPut)
      move(apart, {packed_, place});
    else
      move({packed_, place}, apart);
    builder_.setInsertPoint(saved);
  }

 private:
  Value number(int64_t value) { return builder_.constantIndex(location_, value); }
  Value binary(std::string_view name, Value a, Value b) {
    return builder_.create(location_, name, {a, b}, {a.type()})->result();
  }

  /// What follows is written into the loop. Returns its index.
  Value enterLoop(int64_t end, int64_t step) {
    auto loop = scf::ForOp::create(builder_, location_, number(0), number(end), number(step));
    builder_.setInsertPoint({&loop.body(), &loop.body().back()});
    return loop.inductionVar();
  }

  /// Each a buffer with its indices.
  void move(const std::vector<Value>& from, const std::vector<Value>& to) {
    const int64_t lanes = rows::lanesOf(type_.elementType());
    const Type vector =
        VectorType::get(builder_.context(), std::span(&lanes, 1), type_.elementType());
    std::vector<Value> store = {
        builder_.create(location_, "vector.load", from, std::span(&vector, 1))->result()};
    store.insert(store.end(), to.begin(), to.end());
    builder_.create(location_, "vector.store", store, std::span<const Type>());
  }

  Builder& builder_;
  Location location_;
  MemRefType type_;
  Value rows_, packed_;
};

/// Puts and gets of a buffer go through another one, in which its rows lie one after the other.
class RowPacking {
 public:
  /// `packed`: the type of the buffer as it was.
  RowPacking(memref::AllocOp alloc, const air::BufferUses& uses, MemRefType packed,
             air::IndexConstants& constants)
      : uses_(uses), type_(packed), constants_(constants) {
    Operation* made = alloc.op();
    while (made->parentOp()->is("air.execute"))
      made = made->parentOp();
    Builder builder = Builder::before(*made);
    packed_ =
        memref::AllocOp::create(builder, alloc->location(), rows::packedType(packed)).result();
  }

  void run() {
    for (Operation* op : uses_.accesses)
      if (air::isChannelAccess(*op)) move(air::ChannelAccessOp(op));
    for (Operation* dealloc : uses_.deallocs) {
      Builder builder = Builder::after(*dealloc);
      memref::DeallocOp::create(builder, dealloc->location(), packed_);
    }
  }

 private:
  void move(air::ChannelAccessOp op) {
    const Value rows = op.access().memref;
    Builder builder = op.isPut() ? Builder::before(*op.op()) : Builder::after(*op.op());
    for (unsigned i = 0; i < op->numOperands(); ++i)
      if (op->operand(i) == rows) op->setOperand(i, packed_);
    if (rows::areMovedByVectors(type_)) {
      analysis::AccessList all;
      all.dims = {{{}, type_.numElements(), 1}};
      air::writeAccessList(op, all, *op, constants_);
    }
    const Value token = op.token();
    if (!token) return copy(builder, op, rows);
    const std::vector<Value> before =
        op.isPut() ? op.dependencies().vec() : std::vector<Value>{token};
    Operation* execute = addExecute(builder, op, before);
    Builder inside = Builder::before(air::ExecuteOp(execute).body().back());
    copy(inside, op, rows);
    const Value done = execute->result(0);
    if (op.isPut()) return op.setDependencies({&done, 1});
    std::vector<OpOperand*> waiting;
    for (OpOperand& use : token.uses())
      if (use.owner() != execute) waiting.push_back(&use);
    for (OpOperand* use : waiting)
      use->owner()->setOperand(use->index(), done);
  }

  static Operation* addExecute(Builder& builder, air::ChannelAccessOp op,
                               const std::vector<Value>& before) {
    OperationState state(op->context(), op->location(), "air.execute");
    state.operands = before;
    state.resultTypes = {op.token().type()};
    Block& body = state.addRegion().addBlock(op->context());
    Operation* execute = builder.create(state);
    Builder::atEnd(body).create(op->location(), "air.execute_terminator", {}, {});
    return execute;
  }

  void copy(Builder& builder, air::ChannelAccessOp op, Value rows) const {
    const int64_t inVectors = rows::elementsInVectors(type_);
    if (inVectors) RowCopy(builder, op->location(), type_, rows, packed_).write(op.isPut());
    if (rows::areMovedByVectors(type_)) return;
    const Value apart = rowsOf(builder, op->location(), rows, type_, inVectors),
                together = restOfPacked(builder, op->location(), inVectors),
                source = op.isPut() ? apart : together, target = op.isPut() ? together : apart;
    linalg::createNamedOp(builder, op->location(), "linalg.copy", {&source, 1}, {&target, 1});
  }

  Value restOfPacked(Builder& builder, Location location, int64_t first) const {
    if (first == 0) return packed_;
    memref::Reassociation all(1);
    for (int64_t dim = 0; dim < type_.rank(); ++dim)
      all[0].push_back(dim);
    const Value rows =
        memref::ExpandShapeOp::create(builder, location, packed_, type_.shape(), all).result();
    return rowsOf(builder, location, rows, type_, first);
  }

  const air::BufferUses& uses_;
  MemRefType type_;
  air::IndexConstants& constants_;
  Value packed_;
};

/// Buffers of a herd whose rows become longer, and those of one op together.
class HerdRows {
 public:
  HerdRows(air::HerdOp herd, int64_t alignment, int64_t room)
      : herd_(herd), alignment_(alignment), room_(room) {}

  /// False when nothing was changed.
  bool run(PassContext& context) {
    const std::vector<memref::AllocOp> allocs = allocations();
    if (std::ranges::none_of(allocs, [&](memref::AllocOp alloc) { return isUneven(alloc.type()); }))
      return false;
    collect(allocs);
    while (dropUnfit())
      continue;
    bool changed = false;
    for (const Group& group : groups())
      changed |= isWorth(group) && align(group, context);
    return changed;
  }

 private:
  struct Buffer {
    memref::AllocOp alloc;
    air::BufferUses uses;
  };
  /// Numbers of buffers, in the order of the program.
  using Group = std::set<size_t>;

  /// Of static shape.
  std::vector<memref::AllocOp> allocations() const {
    std::vector<memref::AllocOp> found;
    herd_->walk([&](Operation& op) {
      auto alloc = dynCast<memref::AllocOp>(&op);
      if (alloc && alloc.type().hasStaticShape()) found.push_back(alloc);
    });
    return found;
  }

  /// Its rows may become longer; others are a whole number of vectors of any element.
  bool isUneven(MemRefType type) const {
    const int64_t most = std::max(rows::kLeastUnit, alignment_);
    return isRows(type) && (type.dim(type.rank() - 1) % rows::kLeastUnit != 0 ||
                            type.dim(type.rank() - 1) % most != 0);
  }

  void collect(const std::vector<memref::AllocOp>& allocs) {
    for (memref::AllocOp alloc : allocs) {
      bytes_ += rows::bytesOf(alloc.type());
      if (isRows(alloc.type())) all_.push_back({alloc, air::BufferUses(alloc.result())});
    }
  }

  static bool isRows(MemRefType type) {
    if (type.rank() == 0 || !type.hasIdentityLayout() || !rows::isRowElement(type.elementType()) ||
        air::memoryLevel(type) != air::MemoryLevel::L1)
      return false;
    const bool isOneRow = type.numElements() == type.dim(type.rank() - 1);
    return rows::areWords(type) || type.elementType().isBF16() || rows::elementsInVectors(type) ||
           isOneRow;
  }

  /// The number of the buffer that an operand names; none for others.
  std::optional<size_t> bufferOf(Value value) const {
    if (!value.type().isa<MemRefType>()) return std::nullopt;
    const Value source = air::bufferSource(value);
    const auto found = std::ranges::find_if(
        all_, [&](const Buffer& buffer) { return buffer.alloc.result() == source; });
    if (found == all_.end()) return std::nullopt;
    return static_cast<size_t>(found - all_.begin());
  }

  // -- Which buffers ------------------------------------------------------------------------------

  bool dropUnfit() {
    std::vector<Buffer> fit;
    for (size_t number = 0; number < all_.size(); ++number)
      if (fits(number)) fit.push_back(all_[number]);
    std::swap(fit, all_);
    return fit.size() != all_.size();
  }

  bool fits(size_t number) const {
    const air::BufferUses& uses = all_[number].uses;
    return !uses.escapes && std::ranges::all_of(uses.accesses, [&](Operation* op) {
      if (air::isChannelAccess(*op)) return air::ChannelAccessOp(op).access().isWhole();
      const StructuredOp structured = linalg::asStructured(op);
      return structured && fits(structured, number);
    });
  }

  bool fits(StructuredOp op, size_t number) const {
    if (!op.onBuffers() || !rows::isTotal(op)) return false;
    if (linalg::isProductOfMatrices(op) && !linalg::multipliesRowsByVector(op)) return false;
    const std::vector<AffineMap> maps = op.indexingMaps();
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      if (bufferOf(op->operand(i)) != number) continue;
      const auto loop = rowLoopOf(maps[i]);
      if (!loop || !areRowsAlong(op, maps, *loop)) return false;
    }
    return true;
  }

  /// Whether all that the loop indexes are rows of the same length.
  bool areRowsAlong(StructuredOp op, const std::vector<AffineMap>& maps, unsigned loop) const {
    const IteratorKind kind = op.iterators()[loop];
    if (kind == IteratorKind::Window) return false;
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      const bool isRow = usesLoop(maps[i], loop), isOutput = i >= op.numInputs();
      if (isRow && (!bufferOf(op->operand(i)) || rowLoopOf(maps[i]) != loop)) return false;
      if (!isRow && isOutput && kind == IteratorKind::Parallel) return false;
    }
    return true;
  }

  // -- Which of them together -----------------------------------------------------------------------

  /// Buffers that ops index by one loop.
  std::vector<Group> groups() const {
    std::vector<Group> found;
    for (size_t number = 0; number < all_.size(); ++number) {
      Group group = {number};
      for (Operation* op : all_[number].uses.accesses)
        if (StructuredOp structured = linalg::asStructured(op))
          for (size_t other : rowsBeside(structured, number))
            group.insert(other);
      std::erase_if(found, [&](const Group& other) {
        const bool meets = std::ranges::any_of(other, [&](size_t n) { return group.contains(n); });
        if (meets) group.insert(other.begin(), other.end());
        return meets;
      });
      found.push_back(group);
    }
    return found;
  }

  Group rowsBeside(StructuredOp op, size_t number) const {
    const std::vector<AffineMap> maps = op.indexingMaps();
    std::set<unsigned> loops;
    for (unsigned i = 0; i < op->numOperands(); ++i)
      if (bufferOf(op->operand(i)) == number) loops.insert(*rowLoopOf(maps[i]));
    Group beside;
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      const auto other = bufferOf(op->operand(i));
      const auto loop = other ? rowLoopOf(maps[i]) : std::nullopt;
      if (loop && loops.contains(*loop)) beside.insert(*other);
    }
    return beside;
  }

  /// Whether an op goes through the rows one by one: others see one long row.
  bool isWorth(const Group& group) const {
    return std::ranges::any_of(group, [&](size_t number) {
      const MemRefType type = all_[number].alloc.type();
      const bool areMany = type.numElements() != type.dim(type.rank() - 1);
      return areMany && std::ranges::any_of(all_[number].uses.accesses, [](Operation* op) {
               const StructuredOp structured = linalg::asStructured(op);
               if (!structured) return false;
               const std::vector<AffineMap> maps = structured.indexingMaps();
               return std::ranges::any_of(maps, [&](AffineMap map) {
                 return map.numResults() != 0 && !(map == maps.back());
               });
             });
    });
  }

  // -- Rewriting ------------------------------------------------------------------------------------

  bool align(const Group& group, PassContext& context) {
    int64_t unit = rows::kLeastUnit;
    for (size_t number : group)
      unit = std::max(unit, alignment_ / rows::bytesOf(all_[number].alloc.type().elementType()));
    const MemRefType first = all_[*group.begin()].alloc.type();
    const int64_t length = first.dim(first.rank() - 1), padded = (length + unit - 1) / unit * unit;
    if (padded == length) return false;
    int64_t more = 0;
    for (size_t number : group) {
      const MemRefType type = all_[number].alloc.type();
      more += rows::alignedBytes(type, unit, isMoved(all_[number])) - rows::bytesOf(type);
    }
    if (bytes_ + more > room_) {
      context.remark(*all_[*group.begin()].alloc,
                     "its rows begin inside of vectors: there is no room for longer ones");
      return false;
    }
    bytes_ += more;
    for (size_t number : group)
      lengthen(all_[number], padded);
    return true;
  }

  void lengthen(const Buffer& buffer, int64_t padded) {
    const MemRefType old = buffer.alloc.type();
    const bool isPacked = isMoved(buffer) && !rows::areMovable(old, padded);
    rows::setType(buffer.alloc, withLength(old, padded));
    for (Operation* op : buffer.uses.accesses) {
      if (!air::isChannelAccess(*op))
        viewRows(StructuredOp(op), buffer, old);
      else if (!isPacked)
        nameRows(air::ChannelAccessOp(op), old, padded);
    }
    if (isPacked) RowPacking(buffer.alloc, buffer.uses, old, constants_).run();
  }

  static bool isMoved(const Buffer& buffer) {
    return std::ranges::any_of(buffer.uses.accesses,
                               [](Operation* op) { return air::isChannelAccess(*op); });
  }

  void nameRows(air::ChannelAccessOp op, MemRefType old, int64_t padded) {
    air::writeAccessList(op, rows::listOfRows(old, padded), *op, constants_);
  }

  /// An op that combines the elements of a row sees no more of them than before.
  static void viewRows(StructuredOp op, const Buffer& buffer, MemRefType old) {
    const std::vector<AffineMap> maps = op.indexingMaps();
    for (unsigned i = 0; i < op->numOperands(); ++i) {
      const Value value = op->operand(i);
      if (!value.type().isa<MemRefType>() || air::bufferSource(value) != buffer.alloc.result() ||
          op.iterators()[*rowLoopOf(maps[i])] == IteratorKind::Parallel)
        continue;
      Builder builder = Builder::before(*op.op());
      op->setOperand(i, rowsOf(builder, op->location(), value, old));
    }
  }

  air::HerdOp herd_;
  const int64_t alignment_, room_;
  int64_t bytes_ = 0;
  std::vector<Buffer> all_;
  air::IndexConstants constants_;
};

class AlignRows : public Pass {
 public:
  AlignRows() : Pass("air-align-rows", "Rows of buffers in L1 begin where vectors may begin") {
    option("bytes", bytes_, "that a vector in memory is aligned to; of AIE2P 64");
    option("l1-bytes", l1Bytes_, "memory of a core that buffers may take");
    example("airlite-opt --air-align-rows in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    if (bytes_ < kWordBytes || bytes_ % kWordBytes != 0) {
      emitError(module.context(), module.location())
          << "air-align-rows: expected 'bytes' to be a multiple of " << kWordBytes;
      return PassResult::Failed;
    }
    context.declareEffectChange(CountedEffect::Store, "cores copy rows by vectors");
    bool changed = false;
    module.walk([&](Operation& op) {
      if (auto herd = dynCast<air::HerdOp>(&op))
        changed |= HerdRows(herd, bytes_, l1Bytes_).run(context);
    });
    return changedIf(changed);
  }

 private:
  int64_t bytes_ = 32, l1Bytes_ = tileBytes(aie::defaultNpu());
};

}  // namespace

void registerAlignRows(PassRegistry& registry) { registry.add<AlignRows>(); }

}  // namespace airlite
