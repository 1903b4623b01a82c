// Writes the nest of a tile plan (see TileEmitter.hpp).
#include "TileEmitter.hpp"

#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"

#include <algorithm>
#include <map>

namespace airlite {

using linalg::IteratorKind;
using linalg::StructuredOp;
using memref::MixedIndex;

namespace {

/// The value of each loop variable at a place of the nest, as a sum; no value: zero.
using Position = std::vector<std::vector<Value>>;

/// How a packed buffer is laid out: blocks of `tiles`, the dimensions `inner` in each block.
struct Layout {
  std::vector<int64_t> shape;
  std::vector<int64_t> outerOrder, innerDims, innerTiles;
  bool isPacked() const { return !innerDims.empty(); }
};

class Tiler {
 public:
  Tiler(StructuredOp op, const TilePlan& plan, Operation* fill, bool useL2, Rewriter& rewriter)
      : op_(op), plan_(plan), fill_(fill), useL2_(useL2), rewriter_(rewriter) {}

  void emit() {
    rewriter_.setBefore(*op_);
    Position origin(plan_.numLoops());
    launchLoop(origin);
    rewriter_.eraseOp(*op_);
    if (fill_) rewriter_.eraseOp(*fill_);
  }

 private:
  Location location() const { return op_->location(); }
  Context& context() const { return op_->context(); }
  Value constant(int64_t value) { return rewriter_.constantIndex(location(), value); }

  // -- Loops ------------------------------------------------------------------------------------

  void launchLoop(Position at) {
    std::vector<unsigned> loops;
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
      if (plan_.isParallel(loop)) loops.push_back(loop);
    parallel(loops, plan_.sizes, plan_.launch, at, [&](const Position& here) {
      if (useL2_) throughL2(here);
      else
        herdLoop(here, values(), Position(plan_.numLoops()));
    });
  }

  /// A parallel loop needs a dimension: without one of its own it gets one that runs once.
  void parallel(const std::vector<unsigned>& loops, const std::vector<int64_t>& sizes,
                const std::vector<int64_t>& steps, Position at,
                FunctionRef<void(const Position&)> body) {
    std::vector<Value> lower, upper, step;
    auto dimension = [&](int64_t size, int64_t by) {
      lower.push_back(constant(0));
      upper.push_back(constant(size));
      step.push_back(constant(by));
    };
    for (unsigned loop : loops)
      dimension(sizes[loop], steps[loop]);
    if (loops.empty()) dimension(1, 1);
    auto nest = scf::ParallelOp::create(rewriter_, location(), lower, upper, step);
    for (size_t i = 0; i < loops.size(); ++i)
      at[loops[i]].push_back(nest.inductionVars()[i]);
    inside(nest.body(), [&] { body(at); });
  }

  /// A loop for each of `loops`, outermost first.
  void sequential(std::span<const unsigned> loops, const std::vector<int64_t>& sizes,
                  const std::vector<int64_t>& steps, Position at,
                  FunctionRef<void(const Position&)> body) {
    if (loops.empty()) return body(at);
    unsigned loop = loops.front();
    auto nest = scf::ForOp::create(rewriter_, location(), constant(0), constant(sizes[loop]),
                                   constant(steps[loop]));
    at[loop].push_back(nest.inductionVar());
    inside(nest.body(), [&] { sequential(loops.subspan(1), sizes, steps, at, body); });
  }

  void inside(Block& block, FunctionRef<void()> body) {
    InsertPoint saved = rewriter_.insertPoint();
    rewriter_.setInsertPoint({&block, &block.back()});
    body();
    rewriter_.setInsertPoint(saved);
  }

  /// Reduction loops that run several times in steps of `steps`.
  std::vector<unsigned> reductions(const std::vector<int64_t>& steps) const {
    std::vector<unsigned> loops;
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
      if (!plan_.isParallel(loop) && steps[loop] < plan_.launch[loop]) loops.push_back(loop);
    return loops;
  }

  // -- Places -----------------------------------------------------------------------------------

  std::vector<Value> values() const {
    std::vector<Value> values;
    for (const TiledOperand& operand : plan_.operands)
      values.push_back(operand.value);
    return values;
  }

  /// The sum of factor * values; a constant when there are none.
  MixedIndex sum(const std::vector<std::pair<int64_t, Value>>& terms, int64_t plus) {
    if (terms.empty()) return plus;
    if (terms.size() == 1 && terms[0].first == 1 && plus == 0) return terms[0].second;
    AffineExpr expr = AffineExpr::constant(context(), plus);
    affine::Application application;
    for (auto [factor, value] : terms) {
      auto position = static_cast<unsigned>(application.operands.size());
      expr = AffineExpr::symbol(context(), position) * factor + expr;
      application.operands.push_back(value);
    }
    application.map = AffineMap::get(context(), 0, static_cast<unsigned>(terms.size()),
                                     std::span(&expr, 1));
    return affine::ApplyOp::create(rewriter_, location(), application)->result();
  }

  MixedIndex offset(const LoopIndex& index, const Position& at, bool withConstant) {
    std::vector<std::pair<int64_t, Value>> terms;
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
      if (index.uses(loop))
        for (Value value : at[loop]) terms.push_back({index.factors[loop], value});
    return sum(terms, withConstant ? index.constant : 0);
  }

  /// The part of `memref` that a tile at `at` takes; the memref itself when it is all of it.
  Value part(Value memref, const TiledOperand& operand, const Position& at,
             const std::vector<int64_t>& tile) {
    bool isWhole = memref == operand.value;
    std::vector<MixedIndex> offsets, sizes;
    std::vector<int64_t> extents = operand.extents(tile);
    auto shape = memref.type().cast<MemRefType>().shape();
    bool isAll = std::equal(extents.begin(), extents.end(), shape.begin(), shape.end());
    if (isAll) return memref;
    for (size_t i = 0; i < operand.index.size(); ++i) {
      offsets.push_back(offset(operand.index[i], at, isWhole));
      sizes.push_back(extents[i]);
    }
    std::vector<MixedIndex> ones(sizes.size(), MixedIndex(1));
    return memref::SubViewOp::create(rewriter_, location(), memref, offsets, sizes, ones).result();
  }

  Value alloc(std::span<const int64_t> shape, Value like, int64_t space) {
    MemRefType type = MemRefType::get(context(), shape, elementTypeOrSelf(like.type()), Attribute(),
                                      rewriter_.i32Attr(space));
    return memref::AllocOp::create(rewriter_, location(), type).result();
  }
  void copy(Value from, Value to) { memref::CopyOp::create(rewriter_, location(), from, to); }
  void free(Value memref) {
    if (memref.definingOp() && memref.definingOp()->is("memref.alloc"))
      memref::DeallocOp::create(rewriter_, location(), memref);
  }

  // -- L2 ---------------------------------------------------------------------------------------

  /// `at` is the place of the launch instance.
  void throughL2(const Position& at) {
    std::vector<Value> buffers;
    for (const TiledOperand& operand : plan_.operands)
      buffers.push_back(operand.isMemRef ? alloc(operand.extents(plan_.launch), operand.value, 1)
                                         : operand.value);
    fillL2(at, buffers);
    herdLoop(Position(plan_.numLoops()), buffers, at);
    for (size_t i = 0; i < buffers.size(); ++i)
      if (plan_.operands[i].isWritten)
        copy(buffers[i], part(plan_.operands[i].value, plan_.operands[i], at, plan_.launch));
    for (Value buffer : buffers)
      free(buffer);
  }

  /// Loops along which `operand` can come in pieces: it has them as an index of their own.
  std::vector<unsigned> pieces(const TiledOperand& operand) const {
    std::vector<unsigned> loops;
    for (unsigned loop : reductions(plan_.copy)) {
      auto usesOnly = [&](const LoopIndex& index) {
        return !index.uses(loop) || index.isLoop(loop);
      };
      if (operand.uses(loop) && std::all_of(operand.index.begin(), operand.index.end(), usesOnly))
        loops.push_back(loop);
    }
    return loops;
  }

  /// Operands that come in pieces along the same loops share one nest.
  void fillL2(const Position& at, const std::vector<Value>& buffers) {
    std::map<std::vector<unsigned>, std::vector<size_t>> groups;
    for (size_t i = 0; i < plan_.operands.size(); ++i)
      if (plan_.operands[i].isMemRef && isCopiedIn(i))
        groups[pieces(plan_.operands[i])].push_back(i);
    for (const auto& [loops, members] : groups) {
      std::vector<int64_t> tile = plan_.launch;
      for (unsigned loop : loops)
        tile[loop] = plan_.copy[loop];
      sequential(loops, plan_.launch, plan_.copy, Position(plan_.numLoops()),
                 [&](const Position& local) {
                   for (size_t i : members) {
                     const TiledOperand& operand = plan_.operands[i];
                     Value from = part(operand.value, operand, joined(at, local), tile);
                     copy(from, part(buffers[i], operand, local, tile));
                   }
                 });
    }
  }

  /// A fill inside of the cores makes the old elements of an output unnecessary.
  bool isCopiedIn(size_t operand) const {
    return plan_.operands[operand].isRead && !(plan_.operands[operand].isWritten && fill_);
  }

  static Position joined(Position a, const Position& b) {
    for (size_t i = 0; i < a.size(); ++i)
      a[i].insert(a[i].end(), b[i].begin(), b[i].end());
    return a;
  }

  // -- Cores ------------------------------------------------------------------------------------

  /// `sources` are L2 buffers or the operands; `at` is the place of the instance in these, `above`
  /// what is missing of it for the op.
  void herdLoop(const Position& at, const std::vector<Value>& sources, const Position& above) {
    parallel(plan_.herdLoops, plan_.launch, plan_.core, at, [&](const Position& core) {
      std::vector<Value> buffers(sources.size());
      for (size_t i = 0; i < sources.size(); ++i)
        if (plan_.operands[i].isWritten) buffers[i] = outputBuffer(i, sources[i], core);
      sequential(reductions(plan_.core), plan_.launch, plan_.core, core,
                 [&](const Position& step) { computeStep(step, sources, buffers, above); });
      for (size_t i = 0; i < sources.size(); ++i) {
        if (!plan_.operands[i].isWritten) continue;
        moveOut(i, buffers[i], part(sources[i], plan_.operands[i], core, plan_.core));
        free(buffers[i]);
      }
    });
  }

  Value outputBuffer(size_t operand, Value source, const Position& at) {
    const TiledOperand& plan = plan_.operands[operand];
    Value buffer = alloc(layout(plan).shape, plan.value, 2);
    if (fill_) fillBuffer(buffer);
    else if (plan.isRead)
      moveIn(operand, part(source, plan, at, plan_.core), buffer);
    return buffer;
  }

  void fillBuffer(Value buffer) {
    Value input[] = {StructuredOp(fill_).inputs()[0]}, output[] = {buffer};
    linalg::createNamedOp(rewriter_, fill_->location(), "linalg.fill", input, output);
  }

  void computeStep(const Position& at, const std::vector<Value>& sources,
                   std::vector<Value> buffers, const Position& above) {
    std::vector<Value> made;
    for (size_t i = 0; i < sources.size(); ++i) {
      const TiledOperand& plan = plan_.operands[i];
      if (!plan.isMemRef) buffers[i] = plan.value;
      if (buffers[i]) continue;
      buffers[i] = alloc(layout(plan).shape, plan.value, 2);
      moveIn(i, part(sources[i], plan, at, plan_.core), buffers[i]);
      made.push_back(buffers[i]);
    }
    Position place = joined(above, at);
    if (plan_.isPacked()) computeOnBlocks(buffers, place);
    else
      computePlain(buffers, place);
    for (Value buffer : made)
      free(buffer);
  }

  // -- The op on tiles --------------------------------------------------------------------------

  void computePlain(const std::vector<Value>& buffers, const Position& at) {
    IRMapping mapping;
    for (unsigned i = 0; i < op_->numOperands(); ++i)
      mapping.map(op_->operand(i), buffers[i]);
    Operation* tile = rewriter_.clone(*op_.op(), mapping);
    // One value may stand at several operands.
    for (unsigned i = 0; i < op_->numOperands(); ++i)
      tile->setOperand(i, buffers[i]);
    shiftIndices(*tile, [&](unsigned loop, Value index) { return shifted(index, loop, at); });
  }

  Value shifted(Value index, unsigned loop, const Position& at) {
    std::vector<std::pair<int64_t, Value>> terms{{1, index}};
    for (Value value : at[loop]) terms.push_back({1, value});
    return sum(terms, 0).value;
  }

  /// linalg.index counts from the beginning of the tile: what uses it gets `place(loop, index)`.
  void shiftIndices(Operation& tile, FunctionRef<Value(unsigned, Value)> place) {
    std::vector<Operation*> indices;
    tile.walk([&](Operation& inner) {
      if (inner.is("linalg.index")) indices.push_back(&inner);
    });
    for (Operation* index : indices) {
      InsertPoint saved = rewriter_.insertPoint();
      rewriter_.setAfter(*index);
      std::vector<OpOperand*> uses;
      for (OpOperand& use : index->result().uses())
        uses.push_back(&use);
      Value value = place(static_cast<unsigned>(index->attrOf<IntegerAttr>("dim").value()),
                          index->result());
      for (OpOperand* use : uses)
        use->set(value);
      rewriter_.setInsertPoint(saved);
    }
  }

  // -- Blocks -----------------------------------------------------------------------------------

  /// The loop whose blocks cut dimension `dim` of an operand.
  std::optional<unsigned> blockedLoop(const TiledOperand& operand, size_t dim) const {
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
      if (plan_.blocks[loop] > 1 && operand.index[dim].isLoop(loop)) return loop;
    return std::nullopt;
  }

  /// Outer dimensions: those that are not cut, then the blocks, the last dimension first, so that
  /// the blocks of one column lie one after the other (GEMM case study, air-dependency).
  Layout layout(const TiledOperand& operand) const {
    Layout result;
    std::vector<int64_t> extents = operand.extents(plan_.core), cut;
    for (size_t dim = 0; dim < extents.size(); ++dim) {
      std::optional<unsigned> loop = blockedLoop(operand, dim);
      if (!loop) {
        result.outerOrder.push_back(static_cast<int64_t>(dim));
        continue;
      }
      cut.insert(cut.begin(), static_cast<int64_t>(dim));
      result.innerDims.push_back(static_cast<int64_t>(dim));
      result.innerTiles.push_back(plan_.blocks[*loop]);
      extents[dim] /= plan_.blocks[*loop];
    }
    result.outerOrder.insert(result.outerOrder.end(), cut.begin(), cut.end());
    for (int64_t dim : result.outerOrder)
      result.shape.push_back(extents[static_cast<size_t>(dim)]);
    result.shape.insert(result.shape.end(), result.innerTiles.begin(), result.innerTiles.end());
    return result;
  }

  void moveIn(size_t operand, Value from, Value to) {
    Layout packed = layout(plan_.operands[operand]);
    if (packed.isPacked()) repack("linalg.pack", from, to, packed);
    else
      copy(from, to);
  }
  void moveOut(size_t operand, Value from, Value to) {
    Layout packed = layout(plan_.operands[operand]);
    if (packed.isPacked()) repack("linalg.unpack", from, to, packed);
    else
      copy(from, to);
  }

  void repack(std::string_view name, Value from, Value to, const Layout& layout) {
    OperationState state(context(), location(), name);
    state.operands = {from, to};
    if (name == "linalg.pack") {
      int32_t segments[] = {1, 1, 0, 0};
      state.setOperandSegments(context(), segments);
    }
    auto add = [&](std::string_view key, const std::vector<int64_t>& list) {
      state.addAttribute(context(), key, DenseArrayAttr::getI64(context(), list));
    };
    add("outer_dims_perm", layout.outerOrder);
    add("inner_dims_pos", layout.innerDims);
    add("static_inner_tiles", layout.innerTiles);
    rewriter_.insert(Operation::create(context(), state));
  }

  /// Loops of the blocked op: those of the op, then one within the blocks of each blocked loop.
  std::vector<unsigned> innerLoops() const {
    std::vector<unsigned> inner(plan_.numLoops(), 0);
    unsigned next = plan_.numLoops();
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
      if (plan_.blocks[loop] > 1) inner[loop] = next++;
    return inner;
  }

  AffineMap blockedMap(unsigned operand, AffineMap map, unsigned numLoops,
                       const std::vector<unsigned>& inner) const {
    const TiledOperand& plan = plan_.operands[operand];
    std::vector<AffineExpr> results;
    if (plan.isMemRef) {
      Layout packed = layout(plan);
      for (int64_t dim : packed.outerOrder)
        results.push_back(map.result(static_cast<unsigned>(dim)));
      for (int64_t dim : packed.innerDims)
        results.push_back(
            AffineExpr::dim(context(), inner[*blockedLoop(plan, static_cast<size_t>(dim))]));
    }
    return AffineMap::get(context(), numLoops, 0, results);
  }

  void computeOnBlocks(const std::vector<Value>& buffers, const Position& at) {
    std::vector<unsigned> inner = innerLoops();
    std::vector<IteratorKind> kinds = plan_.kinds;
    for (unsigned loop = 0; loop < plan_.numLoops(); ++loop)
      if (inner[loop]) kinds.push_back(plan_.kinds[loop]);
    std::vector<AffineMap> maps = op_.indexingMaps();
    for (unsigned i = 0; i < maps.size(); ++i)
      maps[i] = blockedMap(i, maps[i], static_cast<unsigned>(kinds.size()), inner);
    std::span<const Value> all(buffers);
    StructuredOp tile =
        linalg::createGeneric(rewriter_, location(), all.first(op_.numInputs()),
                              all.subspan(op_.numInputs()), maps, kinds);
    fillBody(tile);
    shiftIndices(*tile, [&](unsigned loop, Value index) {
      return shifted(inner[loop] ? inBlocks(index, loop, inner[loop]) : index, loop, at);
    });
  }

  void fillBody(StructuredOp tile) {
    IRMapping mapping;
    for (unsigned i = 0; i < op_->numOperands(); ++i)
      if (Value argument = op_.bodyArgument(i)) mapping.map(argument, tile.bodyArgument(i));
    InsertPoint saved = rewriter_.insertPoint();
    rewriter_.setToEnd(tile.body());
    for (Operation& inner : op_.body().ops())
      rewriter_.clone(inner, mapping);
    rewriter_.setInsertPoint(saved);
  }

  /// index of the block * size of a block + index within.
  Value inBlocks(Value index, unsigned loop, unsigned innerLoop) {
    Value within = rewriter_
                       .create(location(), "linalg.index", {}, {rewriter_.indexType()},
                               {rewriter_.named("dim", rewriter_.i64Attr(innerLoop))})
                       ->result();
    return sum({{plan_.blocks[loop], index}, {1, within}}, 0).value;
  }

  StructuredOp op_;
  const TilePlan& plan_;
  Operation* fill_;
  bool useL2_;
  Rewriter& rewriter_;
};

}  // namespace

void emitTiles(StructuredOp op, const TilePlan& plan, Operation* fill, bool useL2,
               Rewriter& rewriter) {
  Tiler(op, plan, fill, useL2, rewriter).emit();
}

}  // namespace airlite
