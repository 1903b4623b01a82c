// See SharedNest.hpp.
#include "SharedNest.hpp"

#include "LoopStatements.hpp"
#include "airlite/analysis/LinearSum.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/support/FunctionRef.hpp"
#include "transform/hierarchy/CoreWork.hpp"

#include <algorithm>

namespace airlite::tiling {

namespace {

using analysis::LinearReader;
using analysis::LinearSum;
using memref::MixedIndex;

/// Writes the nest for some of the rounds of a loop without affine ops in it. One class: each level uses the buffers and places of the one around it.
class NestWriter {
 public:
  NestWriter(const SharedLoop& loop, const std::vector<SharedBuffer>& buffers, SharedRounds rounds)
      : loop_(loop),
        buffers_(buffers),
        rounds_(rounds),
        location_(loop.op->location()),
        builder_(Builder::before(*loop.op)) {}

  void write() {
    std::vector<Value> views;
    for (const SharedBuffer& buffer : buffers_)
      views.push_back(buffer.dim ? viewOf(buffer) : buffer.memref);
    const Value zero = number(0), end = number(rounds_.ofColumn()),
                step = number(rounds_.ofLaunch());
    const auto launch = scf::ParallelOp::create(builder_, location_, std::span(&zero, 1),
                                                std::span(&end, 1), std::span(&step, 1));
    builder_.setBefore(launch.body().back());
    writeLaunch(views, launch.inductionVars()[0]);
  }

  /// The rounds in their order, `tile` of them at a time, by one core: what they have in common stays in its memory.
  void writeStream() {
    const Value zero = number(0), one = number(1);
    const auto nest = [&](size_t dims) {
      const std::vector<Value> lower(dims, zero), upper(dims, one), step(dims, one);
      const auto loop = scf::ParallelOp::create(builder_, location_, lower, upper, step);
      builder_.setBefore(loop.body().back());
    };
    std::vector<Value> coming(buffers_.size()), going(buffers_.size()), own(buffers_.size()), kept;
    for (size_t i = 0; i < buffers_.size(); ++i) {
      if (!buffers_[i].dim) continue;
      const Value view = viewOf(buffers_[i]);
      if (buffers_[i].comesIn()) coming[i] = view;
      if (buffers_[i].isStored) going[i] = view;
    }
    nest(1);
    nest(2);
    for (size_t i = 0; i < buffers_.size(); ++i) {
      if (buffers_[i].dim) continue;
      kept.push_back(own[i] = allocate(buffers_[i], shapeOf(buffers_[i], 0, 0), 2));
      copy(buffers_[i].memref, own[i]);
    }
    loop(rounds_.count, rounds_.shares.tile, loop_.carried, [&](Value at, const Carried& carried) {
      return writeCore(coming, going, own, zero, zero, at, carried);
    });
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (buffers_[i].isShared()) copy(own[i], buffers_[i].memref);
    free(kept);
  }

 private:
  using Carried = std::vector<Value>;

  Value number(int64_t value) { return builder_.constantIndex(location_, value); }

  /// The body gets the loop's variable and what is carried into a round, and returns what is carried on.
  Carried loop(int64_t end, int64_t step, const Carried& inits,
               FunctionRef<Carried(Value, const Carried&)> body) {
    const auto made =
        scf::ForOp::create(builder_, location_, number(0), number(end), number(step), inits);
    const InsertPoint after = builder_.insertPoint();
    if (inits.empty())
      builder_.setBefore(made.body().back());
    else
      builder_.setToEnd(made.body());
    const Carried on = body(made.inductionVar(), made.regionIterArgs());
    builder_.setToEnd(made.body());
    if (!inits.empty()) scf::YieldOp::create(builder_, location_, on);
    builder_.setInsertPoint(after);
    Carried results;
    for (unsigned i = 0; i < made->numResults(); ++i)
      results.push_back(made->result(i));
    return results;
  }

  /// first + sum of factor * value.
  Value place(int64_t first, const std::vector<std::pair<Value, int64_t>>& terms) {
    AffineExpr expr = AffineExpr::constant(builder_.context(), first);
    affine::Application application;
    for (const auto& [value, factor] : terms) {
      const auto number = static_cast<unsigned>(application.operands.size());
      expr = expr + AffineExpr::dim(builder_.context(), number) * factor;
      application.operands.push_back(value);
    }
    application.map =
        AffineMap::get(builder_.context(), static_cast<unsigned>(application.operands.size()), 0,
                       std::span(&expr, 1));
    return affine::ApplyOp::create(builder_, location_, application)->result();
  }

  /// The shape of a part of so many elements along the dimension; with `columns`, these come first.
  static std::vector<int64_t> shapeOf(const SharedBuffer& buffer, int64_t extent, int64_t columns) {
    const auto shape = buffer.type().shape();
    std::vector<int64_t> made(shape.begin(), shape.end());
    if (!buffer.dim) return made;
    made[*buffer.dim] = extent;
    if (columns) made.insert(made.begin() + *buffer.dim, columns);
    return made;
  }

  Value allocate(const SharedBuffer& buffer, std::vector<int64_t> shape, int64_t space) {
    const Attribute level = IntegerAttr::get(builder_.intType(32), space);
    const auto type =
        MemRefType::get(builder_.context(), shape, buffer.type().elementType(), Attribute(), level);
    return memref::AllocOp::create(builder_, location_, type).result();
  }
  void copy(Value from, Value to) { memref::CopyOp::create(builder_, location_, from, to); }
  void free(const std::vector<Value>& memories) {
    for (Value memory : memories)
      memref::DeallocOp::create(builder_, location_, memory);
  }

  /// Of the host's buffer the rounds of the nest, with a dimension for the columns.
  Value viewOf(const SharedBuffer& buffer) {
    const auto shape = buffer.type().shape();
    const int64_t first = buffer.first + buffer.perRound * rounds_.begin,
                  extent = buffer.perRound * rounds_.count;
    Value view = buffer.memref;
    if (first != 0 || extent != shape[*buffer.dim]) {
      std::vector<MixedIndex> offsets(shape.size(), 0), sizes(shape.begin(), shape.end()),
          ones(shape.size(), 1);
      offsets[*buffer.dim] = first;
      sizes[*buffer.dim] = extent;
      view = memref::SubViewOp::create(builder_, location_, view, offsets, sizes, ones).result();
    }
    memref::Reassociation groups;
    int64_t next = 0;
    for (unsigned dim = 0; dim < shape.size(); ++dim) {
      groups.push_back({next++});
      if (dim == *buffer.dim) groups.back().push_back(next++);
    }
    const std::vector<int64_t> expanded =
        shapeOf(buffer, extent / rounds_.shares.columns, rounds_.shares.columns);
    return memref::ExpandShapeOp::create(builder_, location_, view, expanded, groups).result();
  }

  /// Of memory with a dimension for columns: rounds from `at` on, of all columns (`column` null) or of one.
  Value partOf(const SharedBuffer& buffer, Value memory, Value column, Value at, int64_t rounds) {
    if (!buffer.dim) return memory;
    const auto type = memory.type().cast<MemRefType>();
    const auto shape = type.shape();
    std::vector<MixedIndex> offsets(shape.size(), 0), sizes(shape.begin(), shape.end()),
        ones(shape.size(), 1);
    const unsigned dim = *buffer.dim;
    offsets[dim + 1] = buffer.perRound == 1 ? at : place(0, {{at, buffer.perRound}});
    sizes[dim + 1] = buffer.perRound * rounds;
    if (!column)
      return memref::SubViewOp::create(builder_, location_, memory, offsets, sizes, ones).result();
    offsets[dim] = column;
    sizes[dim] = 1;
    std::vector<bool> dropped(shape.size(), false);
    dropped[dim] = true;
    std::vector<int64_t> statics(shape.size(), 0), extents(shape.begin(), shape.end()),
        strides(shape.size(), 1);
    statics[dim] = statics[dim + 1] = kDynamic;
    extents[dim] = 1;
    extents[dim + 1] = buffer.perRound * rounds;
    const MemRefType reduced =
        memref::SubViewOp::inferReducedType(type, statics, extents, strides, dropped);
    return memref::SubViewOp::create(builder_, location_, memory, offsets, sizes, ones, reduced)
        .result();
  }

  /// In L2 what comes and what goes have buffers of their own, which air-split-l2-memref divides.
  void writeLaunch(const std::vector<Value>& views, Value at) {
    const int64_t rounds = rounds_.ofLaunch(), columns = rounds_.shares.columns;
    std::vector<Value> coming(views.size()), going(views.size()), all;
    for (size_t i = 0; i < buffers_.size(); ++i)
      for (auto* memories : {&coming, &going}) {
        const bool isNeeded = memories == &coming ? buffers_[i].comesIn() : buffers_[i].isStored;
        if (!isNeeded) continue;
        (*memories)[i] =
            allocate(buffers_[i], shapeOf(buffers_[i], buffers_[i].perRound * rounds, columns), 1);
        all.push_back((*memories)[i]);
      }
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (coming[i]) copy(partOf(buffers_[i], views[i], Value(), at, rounds), coming[i]);
    const Value zero = number(0), one = number(1);
    const Value lower[] = {zero, zero}, upper[] = {number(columns), number(rounds)},
                step[] = {one, number(rounds_.shares.tile)};
    const auto herd = scf::ParallelOp::create(builder_, location_, lower, upper, step);
    const InsertPoint saved = builder_.insertPoint();
    builder_.setBefore(herd.body().back());
    writeCore(coming, going, std::vector<Value>(views.size()), at, herd.inductionVars()[0],
              herd.inductionVars()[1], {});
    builder_.setInsertPoint(saved);
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (going[i]) copy(going[i], partOf(buffers_[i], views[i], Value(), at, rounds));
    free(all);
  }

  /// The rounds of a core from its place on, on what comes from and goes to memory with a dimension for columns; `own` has what is in L1
  /// already.
  Carried writeCore(const std::vector<Value>& coming, const std::vector<Value>& going,
                    std::vector<Value> own, Value launch, Value column, Value core,
                    const Carried& carried) {
    const int64_t tile = rounds_.shares.tile;
    std::vector<Value> made;
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (!own[i])
        made.push_back(own[i] = allocate(buffers_[i],
                                         shapeOf(buffers_[i], buffers_[i].perRound * tile, 0), 2));
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (coming[i]) copy(partOf(buffers_[i], coming[i], column, core, tile), own[i]);
    const Carried on = loop_.isInside
                           ? writeInside(own, launch, column, core)
                           : loop(tile, 1, carried, [&](Value round, const Carried& values) {
                               return writeRound(loop_.body(), IRMapping(), own, round, launch,
                                                 column, core, values);
                             });
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (going[i]) copy(own[i], partOf(buffers_[i], going[i], column, core, tile));
    free(made);
    return on;
  }

  /// The loop in the body, around the rounds. What else is in the body are constants of that loop.
  Carried writeInside(const std::vector<Value>& own, Value launch, Value column, Value core) {
    IRMapping mapping;
    for (Operation& op : loop_.body().ops()) {
      if (op.hasTrait(Trait::Terminator)) continue;
      if (!isStatementLoop(op)) {
        builder_.clone(op, mapping);
        continue;
      }
      const StatementLoop around = readLoop(op).loops[0];
      loop(around.count, 1, {}, [&](Value at, const Carried&) {
        mapping.map(around.variable, place(around.lower, {{at, around.step}}));
        return loop(rounds_.shares.tile, 1, {}, [&](Value round, const Carried& values) {
          return writeRound(op.region(0).front(), mapping, own, round, launch, column, core,
                            values);
        });
      });
    }
    return {};
  }

  Carried writeRound(Block& body, IRMapping mapping, const std::vector<Value>& own, Value round,
                     Value launch, Value column, Value core, const Carried& carried) {
    const int64_t step = loop_.step;
    for (unsigned i = 0; i < carried.size(); ++i)
      mapping.map(loop_.body().argument(i + 1), carried[i]);
    mapping.map(
        loop_.variable,
        place(loop_.lower + step * rounds_.begin,
              {{column, step * rounds_.ofColumn()}, {launch, step}, {core, step}, {round, step}}));
    for (const StatementLoop& inner : loop_.inner) {
      const auto loop =
          scf::ForOp::create(builder_, location_, number(inner.lower),
                             number(inner.lower + inner.step * inner.count), number(inner.step));
      mapping.map(inner.variable, loop.inductionVar());
      builder_.setBefore(loop.body().back());
    }
    std::vector<Operation*> originals, clones;
    for (Operation& op : body.ops()) {
      if (op.hasTrait(Trait::Terminator)) continue;
      op.walk([&](Operation& inner) { originals.push_back(&inner); });
      builder_.clone(op, mapping)->walk([&](Operation& inner) { clones.push_back(&inner); });
    }
    for (size_t i = 0; i < originals.size(); ++i)
      if (isOwnMemory(*originals[i])) moveToL1(*clones[i]);
    for (size_t i = 0; i < originals.size(); ++i)
      if (isAccess(*originals[i])) moveAccess(*originals[i], *clones[i], mapping, own, round);
    Carried on;
    for (unsigned i = 0; i < carried.size(); ++i)
      on.push_back(mapping.lookupOr(loop_.body().back().operand(i)));
    return on;
  }

  /// From the host's buffer to the one of the core. It is erased where its indices change.
  void moveAccess(Operation& original, Operation& clone, IRMapping& mapping,
                  const std::vector<Value>& own, Value round) {
    const ElementAccess access = elementOf(original, indices_);
    const auto found = std::ranges::find(buffers_, access.memref, &SharedBuffer::memref);
    if (found == buffers_.end()) return;
    const Value memory = own[static_cast<size_t>(found - buffers_.begin())];
    if (!found->dim) return clone.replaceUsesOfWith(access.memref, memory);
    builder_.setBefore(clone);
    std::vector<Value> operands = clone.operands().vec();
    const unsigned at = access.stored ? 1 : 0;
    operands[at] = memory;
    operands[at + 1 + *found->dim] = placeInPart(*found, access.index[*found->dim], mapping, round);
    if (access.stored) {
      builder_.create(clone.location(), "memref.store", operands, {});
    } else {
      const Type type[] = {clone.result().type()};
      Operation* load = builder_.create(clone.location(), "memref.load", operands, type);
      clone.result().replaceAllUsesWith(load->result());
      mapping.map(original.result(), load->result());
    }
    clone.erase();
  }

  Value placeInPart(const SharedBuffer& buffer, const LinearSum& index, const IRMapping& mapping,
                    Value round) {
    int64_t first = index.constant - buffer.first;
    std::vector<std::pair<Value, int64_t>> terms = {{round, buffer.perRound}};
    for (const LinearSum::Term& term : index.terms)
      if (term.symbol == loop_.variable)
        first += term.coefficient * loop_.lower;
      else
        terms.emplace_back(mapping.lookupOr(term.symbol), term.coefficient);
    return place(first, terms);
  }

  /// Memory that rounds have of their own.
  void moveToL1(Operation& made) {
    const auto type = made.result().type().cast<MemRefType>();
    builder_.setBefore(made);
    const Attribute level = IntegerAttr::get(builder_.intType(32), 2);
    const Value memory =
        memref::AllocOp::create(builder_, made.location(), type.withMemorySpace(level)).result();
    if (isa<memref::AllocaOp>(&made)) {
      builder_.setBefore(made.block()->back());
      memref::DeallocOp::create(builder_, made.location(), memory);
    }
    made.result().replaceAllUsesWith(memory);
    made.erase();
  }

  const SharedLoop& loop_;
  const std::vector<SharedBuffer>& buffers_;
  SharedRounds rounds_;
  Location location_;
  Builder builder_;
  LinearReader indices_{LinearReader::Reach::Body};
};

}  // namespace

void writeShares(const SharedLoop& loop, const std::vector<SharedBuffer>& buffers,
                 const SharedRounds& rounds) {
  NestWriter(loop, buffers, rounds).write();
}

void writeStream(const SharedLoop& loop, const std::vector<SharedBuffer>& buffers,
                 const SharedRounds& rounds) {
  NestWriter(loop, buffers, rounds).writeStream();
}

}  // namespace airlite::tiling
