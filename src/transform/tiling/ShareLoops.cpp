// air-share-loops: the rounds of a loop that do not need each other are shared out to cores.
//
// Matches, in the body of a function, loops of constant bounds around whatever a core can do with single elements of buffers of the
// host: loops, conditionals, loads, stores, pure ops, small buffers of their own. Of each buffer that rounds store to they have to have
// parts of their own, along one of its dimensions; a buffer that they only load from comes in such parts, or as a whole.
// So running sums, recurrences, sorts and tables along the rows of a matrix, which no linalg op says, are the work of all cores:
//
//   scf.parallel            one iteration per launch instance
//     alloc, copies         the rows of its cores in L2, and what all rounds load
//     scf.parallel          one iteration per core of the herd
//       alloc, copies       the rows of a core in L1
//       scf.for             its rounds, as they were
//       copies              L1 to L2
//     copies                L2 to L3
//
// Where rounds store to a buffer as a whole that others load or store, or carry values on, one core has all rounds in order: such buffers stay in its
// memory, parts of the others come and go. This is for loops whose buffers have no room in L1 (else air-loops-to-cores brings all of them).
//
// How many columns, cores and rounds at a time is chosen as for rows of linalg ops (RowShares.hpp); rounds that are left
// over are a launch of their own.
//
// Declines, with a remark: other ops (calls, views), bounds that are not constant, loops whose results are used, parts that are no whole words
// or have no room in L1, rounds that need each other where L1 has room for all, and loops that are so short that one core is as fast.
#include "airlite/analysis/LinearSum.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"
#include "airlite/transform/Lowering.hpp"
#include "analysis/ParallelBounds.hpp"
#include "transform/hierarchy/CoreWork.hpp"
#include "transform/tiling/LoopStatements.hpp"
#include "transform/tiling/RowShares.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_set>

namespace airlite {

namespace {

using analysis::LinearReader;
using analysis::LinearSum;
using analysis::SymbolRange;
using memref::MixedIndex;
using tiling::ElementAccess;

/// Of constant bounds: the variable is lower + step * k in round k.
struct Rounds {
  Value variable;
  int64_t lower = 0, step = 1, count = 0;
};

/// A loop of which the rounds are shared out; of a parallel one those of its first dimension.
struct SharedLoop : Rounds {
  Operation* op = nullptr;
  std::vector<Rounds> inner;  ///< the other dimensions
  std::vector<Value>
      carried;  ///< what values that it carries from round to round begin with; nothing uses them after it

  Block& body() const { return op->region(0).front(); }
};

/// A buffer of the host, and what rounds touch of it.
struct SharedBuffer {
  Value memref;
  bool isLoaded = false, isStored = false;
  bool isFilled = false;  ///< every round stores all of its part and loads nothing
  /// Along which round k has the elements from `first + perRound * k` on; none: all rounds load all of the buffer.
  std::optional<unsigned> dim;
  int64_t first = 0, perRound = 0;

  MemRefType type() const { return memref.type().cast<MemRefType>(); }
  int64_t elementBytes() const { return type().elementType().bitWidth() / 8; }
  bool comesIn() const { return isLoaded || !isFilled; }
  /// A round stores to what others load or store.
  bool isShared() const { return !dim && isStored; }
  /// Of all dimensions after the one that is shared out.
  int64_t elementsOfRow() const {
    const auto shape = type().shape();
    return std::accumulate(shape.begin() + *dim + 1, shape.end(), int64_t{1}, std::multiplies<>());
  }
  /// Of a round, or of all.
  int64_t bytes() const {
    const int64_t all = type().numElements() * elementBytes();
    return dim ? all / type().dim(*dim) * perRound : all;
  }
};

std::optional<int64_t> roundsOf(const ParallelBounds& bounds) {
  if (!bounds.lower || !bounds.upper || !bounds.step) return std::nullopt;
  return scf::constantTripCount(*bounds.lower, *bounds.upper, *bounds.step);
}

std::optional<SharedLoop> parallelLoopOf(Operation& op) {
  Block& body = op.region(0).front();
  const std::vector<ParallelBounds> bounds = parallelBounds(op);
  if (op.numResults() || bounds.empty() || body.numArguments() != bounds.size())
    return std::nullopt;
  std::vector<Rounds> dimensions;
  for (unsigned i = 0; i < bounds.size(); ++i) {
    const auto count = roundsOf(bounds[i]);
    if (!count) return std::nullopt;
    dimensions.push_back({body.argument(i), *bounds[i].lower, *bounds[i].step, *count});
  }
  return SharedLoop{dimensions[0], &op, {dimensions.begin() + 1, dimensions.end()}, {}};
}

bool hasUses(Operation& op) {
  for (unsigned i = 0; i < op.numResults(); ++i)
    if (op.result(i).hasUses()) return true;
  return false;
}

/// None: its bounds are not constant, or others use its results.
std::optional<SharedLoop> loopOf(Operation& op) {
  if (hasUses(op)) return std::nullopt;
  if (isParallelLoop(op)) return parallelLoopOf(op);
  if (const auto loop = dynCast<affine::ForOp>(&op)) {
    const auto lower = loop.constantLowerBound(), count = loop.tripCount();
    if (!lower || !count) return std::nullopt;
    return SharedLoop{
        {loop.inductionVar(), *lower, loop.step(), *count}, &op, {}, loop.inits().vec()};
  }
  const scf::ForOp loop(&op);
  const auto lower = constantIntOf(loop.lowerBound()), step = constantIntOf(loop.step()),
             count = loop.tripCount();
  if (!lower || !step || !count || !loop.inductionVar().type().isIndex()) return std::nullopt;
  return SharedLoop{{loop.inductionVar(), *lower, *step, *count}, &op, {}, loop.initArgs().vec()};
}

/// Memory of rounds, named by loads and stores only.
bool isOwnMemory(Operation& op) {
  if (!isa<memref::AllocOp>(&op) && !isa<memref::AllocaOp>(&op)) return false;
  const auto type = op.result().type().cast<MemRefType>();
  return isL3(type) && isWhole(op.result()) &&
         std::ranges::all_of(op.result().uses(), [](OpOperand& use) {
           return isAccess(*use.owner()) || use.owner()->is("memref.dealloc");
         });
}

// -- What rounds touch ------------------------------------------------------------------------------

/// Finds the part of each buffer that a round touches. One class: its steps share the accesses of the loop.
class PartReader {
 public:
  explicit PartReader(const SharedLoop& loop) : loop_(loop) {}

  /// Empty, or why the rounds cannot be shared out.
  std::string_view read(std::vector<SharedBuffer>& buffers) {
    loop_.op->walk([&](Operation& op) {
      if (isAccess(op)) accesses_.push_back({&op, tiling::elementOf(op, indices_)});
    });
    for (const auto& [op, access] : accesses_) {
      if (isInside(access.memref)) continue;
      auto found = std::ranges::find(buffers, access.memref, &SharedBuffer::memref);
      if (found == buffers.end()) found = buffers.insert(found, SharedBuffer{access.memref});
      (access.stored ? found->isStored : found->isLoaded) = true;
    }
    for (SharedBuffer& buffer : buffers)
      if (std::string_view why = readBuffer(buffer); !why.empty()) return why;
    return {};
  }

 private:
  struct Access {
    Operation* op;
    ElementAccess element;
  };

  bool isInside(Value value) const {
    Operation* made = value.definingOp();
    return made && loop_.op->isProperAncestor(made);
  }

  std::string_view readBuffer(SharedBuffer& buffer) {
    if (!isL3(buffer.memref.type()) || !isWhole(buffer.memref))
      return "a buffer has no static shape of its own";
    if (hasOtherUses(buffer.memref, *loop_.op)) return "a buffer is used otherwise";
    for (unsigned dim = 0; dim < buffer.type().rank() && !buffer.dim; ++dim)
      readDim(buffer, dim);
    buffer.isFilled = buffer.dim && !buffer.isLoaded && isFilled(buffer);
    return {};
  }

  /// Sets the part of a round where the dimension says it.
  void readDim(SharedBuffer& buffer, unsigned dim) {
    int64_t low = 0, high = 0, factor = 0;
    for (const Access& access : accesses_) {
      if (access.element.memref != buffer.memref) continue;
      const LinearSum& index = access.element.index[dim];
      const int64_t own = factorOf(index, loop_.variable);
      const auto range = rangeOf(index);
      if (own <= 0 || !range || (factor && own != factor)) return;
      low = factor ? std::min(low, range->first) : range->first;
      high = factor ? std::max(high, range->second) : range->second;
      factor = own;
    }
    const int64_t perRound = factor * loop_.step, size = buffer.type().dim(dim);
    const int64_t begin = factor * loop_.lower + low,
                  first = std::min(begin, size - perRound * loop_.count);
    if (first < 0 || begin - first + high - low >= perRound) return;
    buffer.dim = dim;
    buffer.first = first;
    buffer.perRound = perRound;
  }

  static int64_t factorOf(const LinearSum& sum, Value symbol) {
    for (const LinearSum::Term& term : sum.terms)
      if (term.symbol == symbol) return term.coefficient;
    return 0;
  }

  /// The least and the greatest of what is added to the multiple of the loop's variable.
  std::optional<std::pair<int64_t, int64_t>> rangeOf(const LinearSum& sum) {
    int64_t low = sum.constant, high = sum.constant;
    for (const LinearSum::Term& term : sum.terms) {
      if (term.symbol == loop_.variable) continue;
      const std::optional<SymbolRange> range = indices_.rangeOf(term.symbol);
      if (!range || range->count < 1) return std::nullopt;
      const int64_t a = term.coefficient * range->lower,
                    b = a + term.coefficient * range->step * (range->count - 1);
      low += std::min(a, b);
      high += std::max(a, b);
    }
    return std::pair(low, high);
  }

  /// Whether one of the stores runs for all elements of a round's part.
  bool isFilled(const SharedBuffer& buffer) {
    return std::ranges::any_of(accesses_, [&](const Access& access) {
      return access.element.memref == buffer.memref && fills(buffer, access);
    });
  }
  bool fills(const SharedBuffer& buffer, const Access& access) {
    std::unordered_set<Value> counted;
    for (Operation* above = access.op->parentOp(); above != loop_.op; above = above->parentOp())
      if (!alwaysRuns(*above)) return false;
    for (unsigned dim = 0; dim < buffer.type().rank(); ++dim) {
      const bool isShared = dim == *buffer.dim;
      LinearSum index = access.element.index[dim];
      if (isShared)
        std::erase_if(index.terms, [&](const auto& t) { return t.symbol == loop_.variable; });
      const int64_t first =
                        isShared ? buffer.first - buffer.perRound / loop_.step * loop_.lower : 0,
                    size = isShared ? buffer.perRound : buffer.type().dim(dim);
      if (!counts(index, first, size, counted)) return false;
    }
    return true;
  }
  bool alwaysRuns(Operation& loop) {
    if (!loop.is("affine.for") && !loop.is("scf.for")) return false;
    const auto range = indices_.rangeOf(loop.region(0).front().argument(0));
    return range && range->count > 0;
  }
  /// Whether the sum takes all `size` values from `first` on; each symbol counts once.
  bool counts(const LinearSum& sum, int64_t first, int64_t size,
              std::unordered_set<Value>& counted) {
    if (sum.terms.empty()) return size == 1 && sum.constant == first;
    if (sum.terms.size() > 1) return false;
    const auto& [symbol, coefficient] = sum.terms[0];
    const std::optional<SymbolRange> range = indices_.rangeOf(symbol);
    return range && coefficient * range->step == 1 && range->count == size &&
           sum.constant + coefficient * range->lower == first && counted.insert(symbol).second;
  }

  const SharedLoop& loop_;
  LinearReader indices_{LinearReader::Reach::Body};
  std::vector<Access> accesses_;
};

// -- The nest ---------------------------------------------------------------------------------------

/// Rounds from `begin` on, as many as `shares` has in launches of `columns * cores * tile`.
struct SharedRounds {
  int64_t begin = 0, count = 0;
  tiling::RowShares shares;

  int64_t ofColumn() const { return count / shares.columns; }
  int64_t ofLaunch() const { return shares.cores * shares.tile; }
};

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
    std::vector<Value> views, own(buffers_.size()), all;
    for (const SharedBuffer& buffer : buffers_)
      views.push_back(buffer.dim ? viewOf(buffer) : buffer.memref);
    nest(1);
    nest(2);
    for (size_t i = 0; i < buffers_.size(); ++i) {
      if (buffers_[i].dim) continue;
      all.push_back(own[i] = allocate(buffers_[i], shapeOf(buffers_[i], 0, 0), 2));
      copy(views[i], own[i]);
    }
    loop(rounds_.count, rounds_.shares.tile, loop_.carried,
         [&](Value at, const std::vector<Value>& carried) {
           return writeChunk(views, own, at, zero, carried);
         });
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (buffers_[i].isShared()) copy(own[i], views[i]);
    free(all);
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
    writeCore(coming, going, at, herd.inductionVars()[0], herd.inductionVars()[1]);
    builder_.setInsertPoint(saved);
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (going[i]) copy(going[i], partOf(buffers_[i], views[i], Value(), at, rounds));
    free(all);
  }

  void writeCore(const std::vector<Value>& coming, const std::vector<Value>& going, Value launch,
                 Value column, Value core) {
    const int64_t tile = rounds_.shares.tile;
    std::vector<Value> own;
    for (const SharedBuffer& buffer : buffers_)
      own.push_back(allocate(buffer, shapeOf(buffer, buffer.perRound * tile, 0), 2));
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (coming[i]) copy(partOf(buffers_[i], coming[i], column, core, tile), own[i]);
    loop(tile, 1, {}, [&](Value round, const Carried&) {
      return writeRound(own, round, launch, column, core, {});
    });
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (going[i]) copy(own[i], partOf(buffers_[i], going[i], column, core, tile));
    free(own);
  }

  /// Rounds of a stream from `at` on; `own` are buffers that stay.
  Carried writeChunk(const std::vector<Value>& views, std::vector<Value> own, Value at, Value zero,
                     const Carried& carried) {
    const int64_t tile = rounds_.shares.tile;
    std::vector<Value> parts;
    for (size_t i = 0; i < buffers_.size(); ++i) {
      if (!buffers_[i].dim) continue;
      parts.push_back(
          own[i] = allocate(buffers_[i], shapeOf(buffers_[i], buffers_[i].perRound * tile, 0), 2));
      if (buffers_[i].comesIn()) copy(partOf(buffers_[i], views[i], zero, at, tile), own[i]);
    }
    const Carried on = loop(tile, 1, carried, [&](Value round, const Carried& values) {
      return writeRound(own, round, at, zero, zero, values);
    });
    for (size_t i = 0; i < buffers_.size(); ++i)
      if (buffers_[i].dim && buffers_[i].isStored)
        copy(own[i], partOf(buffers_[i], views[i], zero, at, tile));
    free(parts);
    return on;
  }

  Carried writeRound(const std::vector<Value>& own, Value round, Value launch, Value column,
                     Value core, const Carried& carried) {
    const int64_t step = loop_.step;
    IRMapping mapping;
    for (unsigned i = 0; i < carried.size(); ++i)
      mapping.map(loop_.body().argument(i + 1), carried[i]);
    mapping.map(
        loop_.variable,
        place(loop_.lower + step * rounds_.begin,
              {{column, step * rounds_.ofColumn()}, {launch, step}, {core, step}, {round, step}}));
    for (const Rounds& inner : loop_.inner) {
      const auto loop =
          scf::ForOp::create(builder_, location_, number(inner.lower),
                             number(inner.lower + inner.step * inner.count), number(inner.step));
      mapping.map(inner.variable, loop.inductionVar());
      builder_.setBefore(loop.body().back());
    }
    std::vector<Operation*> originals, clones;
    for (Operation& op : loop_.body().ops()) {
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
    const ElementAccess access = tiling::elementOf(original, indices_);
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

// -- The pass ---------------------------------------------------------------------------------------

/// Cycles of an op on numbers, about: scalar floats, functions and divisions are routines.
int64_t cyclesOf(Operation& op) {
  constexpr int64_t kOfFloat = 8, kOfDivision = 40, kOfFunction = 80;
  if (op.numResults() != 1) return 1;
  if (op.name().starts_with("math.") || op.is("arith.divf")) return kOfFunction;
  if (arith::dividesIntegers(op)) return kOfDivision;
  return op.name().starts_with("arith.") && elementTypeOrSelf(op.result().type()).isFloat()
             ? kOfFloat
             : 1;
}

/// Cycles of a core for a block, about.
int64_t cyclesOf(Block& block) {
  constexpr int64_t kUnknownRounds = 16;
  int64_t cycles = 0;
  for (Operation& op : block.ops()) {
    int64_t rounds = 1;
    if (op.is("scf.while")) rounds = kUnknownRounds;
    if (op.is("affine.for")) rounds = affine::ForOp(&op).tripCount().value_or(kUnknownRounds);
    if (op.is("scf.for")) rounds = scf::ForOp(&op).tripCount().value_or(kUnknownRounds);
    if (isParallelLoop(op))
      for (const ParallelBounds& dimension : parallelBounds(op))
        rounds *= roundsOf(dimension).value_or(kUnknownRounds);
    cycles += cyclesOf(op);
    for (unsigned i = 0; i < op.numRegions(); ++i)
      for (Block& inner : op.region(i).blocks())
        cycles += rounds * cyclesOf(inner);
  }
  return cycles;
}

/// Nothing but work on single elements, of buffers of the host or of its own.
bool isForShares(Operation& loop) {
  return !anyInside(loop, [](Operation& op) {
    if (isOwnMemory(op)) return false;
    if (op.is("memref.dealloc"))
      return !(op.operand(0).definingOp() && isOwnMemory(*op.operand(0).definingOp()));
    return !isCoreOp(op);
  });
}

class ShareLoops : public Pass {
 public:
  ShareLoops() : Pass("air-share-loops", "Shares the rounds of loops out to cores") {
    anchor("func.func");
    option("herd", herd_, "cores of a herd along its two dimensions, at most");
    option("l1-bytes", l1Bytes_, "L1 memory that buffers of the host may take");
    option("least-cycles", leastCycles_, "of one core for a loop, about; with fewer it stays");
    example("airlite-opt --air-share-loops='herd=4,4' in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    context_ = &context;
    if (function.region(0).empty() || !function.region(0).hasOneBlock())
      return PassResult::Unchanged;
    std::vector<Operation*> loops;
    for (Operation& op : function.region(0).front().ops())
      if ((op.is("scf.for") || op.is("affine.for") || isParallelLoop(op)) && isForShares(op))
        loops.push_back(&op);
    bool changed = false;
    for (Operation* loop : loops)
      changed |= share(*loop);
    if (changed)
      context.declareEffectChange(CountedEffect::Store, "buffers of the host go to cores and back");
    return changedIf(changed);
  }

 private:
  bool share(Operation& op) {
    std::string why = shareOr(op);
    if (!why.empty()) context_->remark(op, "is not shared out: " + why);
    return why.empty();
  }

  /// Empty, or why the loop stays as it is.
  std::string shareOr(Operation& op) {
    const std::optional<SharedLoop> loop = loopOf(op);
    if (!loop) return "its bounds are not constant, or its results are used";
    int64_t cycles = cyclesOf(loop->body());
    for (const Rounds& inner : loop->inner)
      cycles *= inner.count;
    // Of what has memory of its own air-loops-to-cores makes nothing.
    if (isForCore(op) && (loop->count < 2 || loop->count * cycles < leastCycles_))
      return "one core is as fast";
    std::vector<SharedBuffer> buffers;
    if (std::string_view why = PartReader(*loop).read(buffers); !why.empty())
      return std::string(why);
    const auto words = wordsOf(buffers);
    if (!words || loop->count % *words) return "parts of buffers are no whole words";
    const tiling::RowWork work = workOf(*loop, buffers, cycles, *words);
    if (!loop->carried.empty() || std::ranges::any_of(buffers, &SharedBuffer::isShared))
      return streamOr(*loop, buffers, work);
    if (work.l1Bytes == 0) return "it stores nothing";
    const tiling::RowLimits limits{herd_[0], herd_.size() > 1 ? herd_[1] : 1, kTransferStartCycles,
                                   l1Bytes_};
    tiling::SplitShares shares = tiling::splitRows(work, limits);
    if (!shares.shares.tile) return "its parts of buffers have no room in L1 memory";
    // What all rounds load comes again for each launch instance.
    const int64_t whole = shares.head / (shares.shares.columns * shares.shares.cores);
    if (work.broadcasts && work.l1FixedBytes + whole * work.l1Bytes <= l1Bytes_)
      shares.shares.tile = whole;
    if (failed(lowerAffine(op))) return "";
    NestWriter(*loop, buffers, {0, shares.head, shares.shares}).write();
    if (const int64_t rest = loop->count - shares.head)
      NestWriter(*loop, buffers, {shares.head, rest, {1, 1, rest}}).write();
    op.erase();
    return {};
  }

  /// Of rounds that need each other: one core has them in order.
  std::string streamOr(const SharedLoop& loop, const std::vector<SharedBuffer>& buffers,
                       const tiling::RowWork& work) const {
    const int64_t whole = loop.count * work.l1Bytes + work.l1FixedBytes;
    if (work.l1Bytes == 0 || (isForCore(*loop.op) && whole <= l1Bytes_))
      return "rounds store to the same elements, load what others store, or carry values on";
    // Two buffers of each part: one is filled while the core has the other.
    int64_t tile = (l1Bytes_ - work.l1FixedBytes) / (2 * work.l1Bytes) / work.unit * work.unit;
    while (tile > 0 && loop.count % tile)
      tile -= work.unit;
    if (tile <= 0) return "its parts of buffers have no room in L1 memory";
    if (failed(lowerAffine(*loop.op))) return "";
    NestWriter(loop, buffers, {0, loop.count, {1, 1, tile}}).writeStream();
    loop.op->erase();
    return {};
  }

  /// Rounds whose parts of all buffers are whole words; none: no number of rounds is.
  static std::optional<int64_t> wordsOf(const std::vector<SharedBuffer>& buffers) {
    int64_t rounds = 1;
    for (const SharedBuffer& buffer : buffers) {
      if (buffer.dim) {
        const int64_t row = buffer.elementsOfRow() * buffer.elementBytes();
        const auto shape = buffer.type().shape();
        const bool isAlone = std::all_of(shape.begin(), shape.begin() + *buffer.dim,
                                         [](int64_t size) { return size == 1; });
        if (buffer.first * row % aie::kWordBytes ||
            (!isAlone && shape[*buffer.dim] * row % aie::kWordBytes))
          return std::nullopt;
        const int64_t part = buffer.perRound * row;
        rounds = std::lcm(rounds, aie::kWordBytes / std::gcd(part, aie::kWordBytes));
      } else if (buffer.bytes() % aie::kWordBytes) {
        return std::nullopt;
      }
    }
    return rounds;
  }

  static tiling::RowWork workOf(const SharedLoop& loop, const std::vector<SharedBuffer>& buffers,
                                int64_t cycles, int64_t words) {
    tiling::RowWork work{
        .rows = loop.count, .cycles = double(cycles), .unit = words, .words = words};
    for (const SharedBuffer& buffer : buffers) {
      const bool comesIn = buffer.comesIn();
      if (!buffer.dim) {
        ++work.broadcasts;
        work.l1FixedBytes += buffer.bytes();
        continue;
      }
      work.inputs += comesIn;
      work.outputs += buffer.isStored;
      work.l1Bytes += buffer.bytes();
      work.streamBytes = std::max(work.streamBytes, buffer.bytes());
    }
    loop.op->walk([&](Operation& op) {
      if (isOwnMemory(op)) {
        const auto type = op.result().type().cast<MemRefType>();
        work.l1FixedBytes += type.numElements() * (type.elementType().bitWidth() / 8);
      }
    });
    return work;
  }

  std::vector<int64_t> herd_ = wholeHerd(aie::defaultNpu());
  int64_t l1Bytes_ = tileBytes(aie::defaultNpu()), leastCycles_ = 4096;
  PassContext* context_ = nullptr;
};

}  // namespace

void registerShareLoops(PassRegistry& registry) { registry.add<ShareLoops>(); }

}  // namespace airlite
