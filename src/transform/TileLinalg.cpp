// air-tile-linalg: a structured linalg op on memrefs in L3 becomes the tiled loop nest that the
// passes after it map to the hierarchy.
//
//   scf.parallel            one iteration per launch instance: its tile of the parallel loops
//     alloc, copies         its part of each operand in L2 (l2=false: none); inputs come in pieces
//                           of `l2-tile` along reduction loops, in an scf.for
//     scf.parallel          one iteration per core of the herd
//       alloc, fill or copy the core's part of the output in L1
//       scf.for             over the tiles of the reduction loops
//         alloc, copies     its part of each input in L1
//         the op            on L1, as a linalg.generic on blocks when the tiles are packed
//       copy                L1 to L2
//     copy                  L2 to L3
//
// Tile sizes, herd and blocks are options; what they leave open is chosen (TilePlan.cpp): a herd
// over the last two parallel loops, tiles of at most 64 that divide the loops and fit into L1 twice,
// blocks of the matrix unit for products. Copies of packed tiles are linalg.pack and linalg.unpack.
// A linalg.fill of the whole output right before the op moves into the cores.
//
// Declines, with a remark: ops on tensors or inside of a hierarchy op or parallel loop, operands
// that are not in L3 or of dynamic shape, indices that are not sums of multiples of loops, outputs
// that share memory with another operand, tiles that do not fit into L1.
#include "TilePlan.hpp"
#include "airlite/analysis/Access.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Rewriter.hpp"
#include "airlite/pass/Pass.hpp"

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

// -- The fill before the op ---------------------------------------------------------------------

bool mayTouch(analysis::AccessReader& reader, Operation& op, const analysis::Buffer& buffer) {
  std::vector<analysis::BufferAccess> accesses = reader.all(op);
  return std::any_of(accesses.begin(), accesses.end(), [&](const analysis::BufferAccess& access) {
    return reader.mayOverlap(access, {buffer, analysis::AccessKind::Write});
  });
}

/// The linalg.fill of the one output that only this op needs; null when there is none.
Operation* fillBefore(StructuredOp op, const TilePlan& plan) {
  const TiledOperand& output = plan.operands.back();
  if (op.numOutputs() != 1 || !output.isMemRef || !output.isRead) return nullptr;
  analysis::AccessReader reader;
  analysis::Buffer buffer = reader.bufferOf(output.value);
  for (Value input : op.inputs())
    if (input.type().isa<MemRefType>() && reader.mayOverlap({reader.bufferOf(input)}, {buffer}))
      return nullptr;
  Operation* before = op->prev();
  while (before && !mayTouch(reader, *before, buffer))
    before = before->prev();
  bool isFill = before && before->is("linalg.fill") &&
                StructuredOp(before).outputs()[0] == output.value;
  return isFill ? before : nullptr;
}

// -- The pass -----------------------------------------------------------------------------------

bool isHostCode(Operation& op) {
  for (Operation* above = op.parentOp(); above; above = above->parentOp())
    if (air::asHierarchy(above) || above->is("air.execute") || above->is("scf.parallel") ||
        above->is("scf.forall") || above->is("affine.parallel") || linalg::asStructured(above))
      return false;
  return true;
}

class TileLinalg : public Pass {
 public:
  TileLinalg() : Pass("air-tile-linalg", "Tiles linalg ops to launch, herd, L2 and L1") {
    anchor("func.func");
    option("herd", wishes_.herd, "cores along the last two parallel loops, at most");
    option("l1-tile", wishes_.coreTile,
           "elements per loop that a core computes at a time, at most; 0 or none: chosen");
    option("l2-tile", wishes_.copyTile,
           "elements per reduction loop that one copy brings into L2, at most; 0 or none: as L1");
    option("pack", wishes_.pack, "lay L1 tiles out in blocks of the matrix unit");
    option("blocks", wishes_.blocks, "block size per loop; none: by element type, for products");
    option("l1-bytes", wishes_.l1Bytes, "L1 memory of a core");
    option("l2", useL2_, "bring operands into L2 first");
    example("airlite-opt --air-tile-linalg='herd=4,4 l1-tile=32,32,32' in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    if (!checkOptions(function)) return PassResult::Failed;
    context.declareEffectChange(CountedEffect::Store, "tiles are computed in buffers of their own");
    std::vector<Operation*> ops;
    function.walk([&](Operation& op) {
      if (linalg::asStructured(&op)) ops.push_back(&op);
    });
    bool changed = false;
    Rewriter rewriter(function.context());
    // Last first: a fill is asked for by the op after it before its own turn comes.
    for (; !ops.empty(); ops.pop_back())
      changed |= ops.back() && tile(ops, rewriter, context);
    return changedIf(changed);
  }

 private:
  bool checkOptions(Operation& function) const {
    auto isBelow = [](const std::vector<int64_t>& list, int64_t least) {
      return std::any_of(list.begin(), list.end(), [&](int64_t entry) { return entry < least; });
    };
    auto refuse = [&](std::string_view what) {
      emitError(function.context(), function.location()) << "air-tile-linalg: " << what;
      return false;
    };
    if (wishes_.herd.empty() || wishes_.herd.size() > 2 || isBelow(wishes_.herd, 1))
      return refuse("'herd' must be one or two positive numbers");
    if (isBelow(wishes_.coreTile, 0)) return refuse("'l1-tile' must not be negative");
    if (isBelow(wishes_.copyTile, 0)) return refuse("'l2-tile' must not be negative");
    if (isBelow(wishes_.blocks, 0)) return refuse("'blocks' must not be negative");
    if (wishes_.l1Bytes < 1) return refuse("'l1-bytes' must be positive");
    return true;
  }

  bool tile(std::vector<Operation*>& ops, Rewriter& rewriter, PassContext& context) const {
    Operation& op = *ops.back();
    if (!isHostCode(op)) {
      context.remark(op, "not tiled: it is inside of a hierarchy op or parallel loop");
      return false;
    }
    std::string obstacle;
    std::optional<TilePlan> plan = planTiles(StructuredOp(&op), wishes_, obstacle);
    if (!plan) {
      context.remark(op, "not tiled: " + obstacle);
      return false;
    }
    context.remark(op, "tiled: " + plan->str());
    Operation* fill = fillBefore(StructuredOp(&op), *plan);
    if (fill) *std::find(ops.begin(), ops.end(), fill) = nullptr;
    Tiler(StructuredOp(&op), *plan, fill, useL2_, rewriter).emit();
    return true;
  }

  TileWishes wishes_;
  bool useL2_ = true;
};

}  // namespace

void registerTileLinalg(PassRegistry& registry) { registry.add<TileLinalg>(); }

}  // namespace airlite
