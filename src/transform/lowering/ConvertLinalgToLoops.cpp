// convert-linalg-to-loops, convert-linalg-to-affine-loops: each structured linalg op on memrefs
// becomes a nest of loops, one per iterator and in their order, around one load per operand that
// the body uses, the body, and one store per output. linalg.index becomes the loop variable, an
// index that is more than a loop variable an affine.apply.
//
// An op on tensors is left as it is (with a remark), and so are linalg.softmax, linalg.pack and
// linalg.unpack, which have no single body. With `irregular` so are ops that air-tile-linalg can read.
#include "airlite/analysis/LoopIndex.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/LinalgToLoops.hpp"
#include "transform/hierarchy/CoreWork.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

namespace airlite {

namespace linalg {
namespace {

class LoopEmitter {
 public:
  LoopEmitter(StructuredOp op, Rewriter& rewriter, LoopKind kind, LoopNest nest)
      : op_(op),
        rewriter_(rewriter),
        kind_(kind),
        order_(std::move(nest.order)),
        rounds_(std::move(nest.rounds)),
        maps_(op.indexingMaps()),
        ivs_(op.numLoops()),
        firsts_(op.numLoops()) {
    for (unsigned i = 0; order_.size() < ivs_.size(); ++i)
      order_.push_back(i);
    rounds_.resize(ivs_.size(), 1);
  }

  void emit() {
    rewriter_.setBefore(*op_);
    std::vector<Value> bounds = emitBounds();
    for (unsigned loop : order_)
      openLoop(loop, bounds[loop]);
    emitRounds();
    rewriter_.eraseOp(*op_);
  }

 private:
  Location location() const { return op_->location(); }
  Context& context() const { return op_->context(); }
  bool isAffine() const { return kind_ == LoopKind::Affine; }

  /// One constant op for each number, in front of the loops.
  Value constant(int64_t value) {
    Value& made = constants_[value];
    if (!made) made = rewriter_.constantIndex(location(), value);
    return made;
  }

  /// Sizes of the loops; an affine loop has constant ones in its map, so there they are null.
  std::vector<Value> emitBounds() {
    std::vector<int64_t> sizes = op_.loopSizes();
    std::vector<StructuredOp::LoopSource> sources = op_.loopSources();
    if (!isAffine() && !sizes.empty()) {
      constant(0);
      constant(1);
    }
    std::vector<Value> bounds;
    for (size_t i = 0; i < sizes.size(); ++i) {
      sizes_.push_back(sizes[i]);
      if (sizes[i] != kDynamic)
        bounds.push_back(isAffine() ? Value() : constant(sizes[i]));
      else
        bounds.push_back(emitDim(op_->operand(sources[i].operand), sources[i].dim));
    }
    return bounds;
  }

  Value emitDim(Value memref, unsigned dim) {
    return rewriter_
        .create(location(), "memref.dim", {memref, constant(dim)}, {rewriter_.indexType()})
        ->result();
  }

  // -- Loops ------------------------------------------------------------------------------------

  /// Opens a loop and continues inside it, in front of its terminator.
  void openLoop(unsigned loop, Value bound) {
    if (rounds_[loop] > 1 && rounds_[loop] == sizes_[loop]) return;
    Block& body =
        isAffine() ? openAffineLoop(loop, bound) : openScfLoop(bound, constant(rounds_[loop]));
    firsts_[loop] = ivs_[loop] = body.argument(0);
    rewriter_.setInsertPoint({&body, &body.back()});
  }

  Block& openScfLoop(Value bound, Value step) {
    return scf::ForOp::create(rewriter_, location(), constant(0), bound, step).body();
  }

  Block& openAffineLoop(unsigned loop, Value bound) {
    OperationState state(context(), location(), "affine.for");
    AffineExpr size =
        bound ? AffineExpr::symbol(context(), 0) : AffineExpr::constant(context(), sizes_[loop]);
    if (bound) state.operands.push_back(bound);
    int32_t segments[] = {0, bound ? 1 : 0, 0};
    state.setOperandSegments(context(), segments);
    AffineMap upper = AffineMap::get(context(), 0, bound ? 1 : 0, std::span(&size, 1));
    state.addAttribute(context(), "lowerBoundMap",
                       AffineMapAttr::get(AffineMap::constant(context(), 0)));
    state.addAttribute(context(), "upperBoundMap", AffineMapAttr::get(upper));
    state.addAttribute(context(), "step", rewriter_.indexAttr(rounds_[loop]));
    Block& body = state.addRegion().addBlock(context());
    body.addArgument(rewriter_.indexType(), location());
    Builder::atEnd(body).create(location(), "affine.yield", {}, {});
    rewriter_.create(state);
    return body;
  }

  // -- Indices ----------------------------------------------------------------------------------

  Value emitIndex(AffineExpr expr) {
    if (expr.kind() == AffineKind::Dim) return ivs_[expr.position()];
    if (auto value = expr.constantValue()) return rewriter_.constantIndex(location(), *value);
    // Only the loop variables that occur are operands.
    std::vector<Value> operands;
    std::vector<AffineExpr> dims(ivs_.size());
    for (unsigned i = 0; i < ivs_.size(); ++i) {
      if (!expr.usesDim(i)) continue;
      dims[i] = AffineExpr::dim(context(), static_cast<unsigned>(operands.size()));
      operands.push_back(ivs_[i]);
    }
    AffineExpr compact = expr.replace(dims, {});
    AffineMap map = AffineMap::get(context(), static_cast<unsigned>(operands.size()), 0,
                                   std::span(&compact, 1));
    Type result[] = {rewriter_.indexType()};
    NamedAttribute attrs[] = {rewriter_.named("map", AffineMapAttr::get(map))};
    return rewriter_.create(location(), "affine.apply", operands, result, attrs)->result();
  }

  std::vector<Value> emitIndices(unsigned operand) {
    std::vector<Value> indices;
    for (AffineExpr expr : maps_[operand].results())
      indices.push_back(emitIndex(expr));
    return indices;
  }

  // -- Accesses ---------------------------------------------------------------------------------

  /// affine.load and affine.store of plain indices.
  Operation* createAffineAccess(std::string_view name, std::vector<Value> operands,
                                std::span<const Value> indices, std::span<const Type> results) {
    operands.insert(operands.end(), indices.begin(), indices.end());
    AffineMap map = AffineMap::identity(context(), static_cast<unsigned>(indices.size()));
    NamedAttribute attrs[] = {rewriter_.named("map", AffineMapAttr::get(map))};
    return rewriter_.create(location(), name, operands, results, attrs);
  }

  Value emitLoad(unsigned operand) {
    Value memref = op_->operand(operand);
    if (!memref.type().isa<MemRefType>()) return memref;  // a scalar
    std::vector<Value> indices = emitIndices(operand);
    if (!isAffine()) return memref::LoadOp::create(rewriter_, location(), memref, indices).result();
    Type element[] = {elementTypeOrSelf(memref.type())};
    return createAffineAccess("affine.load", {memref}, indices, element)->result();
  }

  void emitStore(Value value, unsigned operand) {
    Value memref = op_->operand(operand);
    std::vector<Value> indices = emitIndices(operand);
    if (!isAffine())
      memref::StoreOp::create(rewriter_, location(), value, memref, indices);
    else
      createAffineAccess("affine.store", {value, memref}, indices, {});
  }

  // -- Body -------------------------------------------------------------------------------------

  /// The rounds that the body holds. Results are loaded before the first and stored after the last.
  void emitRounds() {
    std::vector<Value> results(op_.numOutputs());
    const auto rounds =
        std::accumulate(rounds_.begin(), rounds_.end(), int64_t{1}, std::multiplies<>());
    for (int64_t round = 0; round < rounds; ++round) {
      setRound(round);
      emitBody(results);
    }
    for (unsigned i = 0; i < op_.numOutputs(); ++i)
      emitStore(results[i], op_.numInputs() + i);
  }

  /// The loop variables of one of the rounds; those of the innermost loop follow each other.
  void setRound(int64_t round) {
    for (size_t i = order_.size(); i-- > 0;) {
      const unsigned loop = order_[i];
      const int64_t within = round % rounds_[loop];
      round /= rounds_[loop];
      if (rounds_[loop] > 1) ivs_[loop] = variableAt(firsts_[loop], within);
    }
  }
  Value variableAt(Value first, int64_t round) {
    if (first && round == 0) return first;
    Value further = rewriter_.constantIndex(location(), round);
    if (!first) return further;
    return rewriter_.create(location(), "arith.addi", {first, further}, {first.type()})->result();
  }

  /// `results`: what the round before has left of them, where there is one.
  void emitBody(std::vector<Value>& results) {
    IRMapping mapping;
    for (unsigned i = 0; i < op_->numOperands(); ++i) {
      Value argument = op_.bodyArgument(i);
      if (!argument || !argument.hasUses()) continue;
      const Value before = i < op_.numInputs() ? Value() : results[i - op_.numInputs()];
      mapping.map(argument, before ? before : emitLoad(i));
    }
    Operation& end = op_.body().back();
    for (Operation& inner : op_.body().ops()) {
      if (&inner == &end) break;
      cloneBodyOp(inner, mapping);
    }
    for (unsigned i = 0; i < op_.numOutputs(); ++i)
      results[i] = mapping.lookupOr(end.operand(i));
  }

  void cloneBodyOp(Operation& inner, IRMapping& mapping) {
    if (!inner.is("linalg.index")) {
      rewriter_.clone(inner, mapping);
      return;
    }
    auto dim = static_cast<size_t>(inner.attrOf<IntegerAttr>("dim").value());
    mapping.map(inner.result(), ivs_[dim]);
  }

  StructuredOp op_;
  Rewriter& rewriter_;
  LoopKind kind_;
  std::vector<unsigned> order_;
  std::vector<int64_t> rounds_;
  std::vector<AffineMap> maps_;
  std::vector<int64_t> sizes_;
  std::vector<Value> ivs_, firsts_;  ///< loop variables, now and as the loops have them
  std::map<int64_t, Value> constants_;
};

/// Innermost first: an op inside the body of another has become loops when that body is copied.
std::vector<Operation*> collectOps(Operation& root) {
  std::vector<Operation*> ops;
  root.walk([&](Operation& op) {
    bool isPartOfBody = op.hasTrait(Trait::Terminator) || op.is("linalg.index");
    if (op.def().dialect == "linalg" && !isPartOfBody) ops.push_back(&op);
  });
  return ops;
}

}  // namespace

std::string_view loopObstacle(Operation& op) {
  StructuredOp structured = asStructured(&op);
  for (Value operand : op.operands())
    if (operand.type().isa<RankedTensorType>() || operand.type().isa<UnrankedTensorType>())
      return "not supported: linalg op on tensors";
  if (!structured) return "not supported: no loops for this op";
  if (sumDepth(op))
    return "not supported: loops that add products at once, as 'air.sum_depth' says";
  if (!structured.onBuffers() || op.numResults()) return "not supported: linalg op on tensors";
  if (structured.loopSources().size() != structured.numLoops())
    return "not supported: the size of a loop is not the size of an operand's dimension";
  return "";
}

void lowerToLoops(StructuredOp op, Rewriter& rewriter, LoopKind kind, LoopNest nest) {
  LoopEmitter(op, rewriter, kind, std::move(nest)).emit();
}

LogicalResult convertLinalgToLoops(Operation& root, LoopKind kind, const LoopNestOf& nestOf) {
  LogicalResult result = success();
  Rewriter rewriter(root.context());
  for (Operation* op : collectOps(root)) {
    std::string_view obstacle = loopObstacle(*op);
    if (obstacle.empty())
      lowerToLoops(StructuredOp(op), rewriter, kind,
                   nestOf ? nestOf(StructuredOp(op)) : LoopNest());
    else
      result = op->emitOpError() << obstacle;
  }
  return result;
}

}  // namespace linalg

namespace {

/// Whether an operand is indexed by what tiles have no part of: a quotient, a remainder, a sum with a constant, a loop that
/// runs backwards. Tiles can have all of such a loop where nothing is summed.
bool hasIrregularIndex(linalg::StructuredOp op) {
  const std::vector<AffineMap> maps = op.indexingMaps();
  const std::vector<int64_t> sizes = op.loopSizes();
  const std::vector<linalg::IteratorKind> kinds = op.iterators();
  const bool isParallel = std::ranges::all_of(
      kinds, [](linalg::IteratorKind kind) { return kind == linalg::IteratorKind::Parallel; });
  const auto isIrregular = [&](AffineExpr expr) {
    if (isParallel && analysis::readBackwardsLoop(expr, sizes)) return false;
    const auto index = analysis::readLoopIndex(expr, op.numLoops());
    return !index || index->constant != 0 ||
           std::ranges::any_of(index->factors, [](int64_t factor) { return factor < 0; });
  };
  for (unsigned i = 0; i < op->numOperands(); ++i)
    if (op->operand(i).type().isa<MemRefType>() &&
        std::ranges::any_of(maps[i].results(), isIrregular))
      return true;
  return false;
}

bool isMadeInside(Value value, const Operation& op) {
  const Operation* at = value.parentBlock()->parentOp();
  while (at && at != &op)
    at = at->parentOp();
  return at;
}

/// Whether the body reads tables besides its operands, at places that it computes, perhaps under a condition, or has loops of its own.
bool hasIrregularBody(Operation& op) {
  return anyInside(op, [&](Operation& inner) {
    const bool readsTable = inner.is("memref.load") && !isMadeInside(inner.operand(0), op);
    return readsTable || inner.is("scf.for") || inner.is("affine.for");
  });
}

/// Of the host: in no launch, segment or herd.
bool isOnHost(Operation& op) {
  Operation* at = op.parentOp();
  while (at && !air::asHierarchy(at))
    at = at->parentOp();
  return !at;
}

class LinalgToLoopsPass : public Pass {
 protected:
  LinalgToLoopsPass(std::string_view name, std::string_view summary, linalg::LoopKind kind)
      : Pass(name, summary), kind_(kind) {
    option("irregular", onlyIrregular_,
           "only ops of the host that cannot be tiled, with a quotient, a remainder or a constant "
           "in an index, a loop that runs backwards beside a reduction, or a load or loop in the "
           "body");
  }

 public:
  PassResult run(Operation& op, PassContext& context) override {
    context.declareEffectChange(CountedEffect::Store, "linalg ops become stores");
    Rewriter rewriter(op.context());
    bool changed = false;
    for (Operation* found : linalg::collectOps(op)) {
      if (onlyIrregular_ && !isMeant(*found)) continue;
      std::string_view obstacle = linalg::loopObstacle(*found);
      if (!obstacle.empty()) {
        context.remark(*found, obstacle);
        continue;
      }
      linalg::lowerToLoops(linalg::StructuredOp(found), rewriter, kind_);
      changed = true;
    }
    return changedIf(changed);
  }

 private:
  static bool isMeant(Operation& op) {
    linalg::StructuredOp structured = linalg::asStructured(&op);
    return structured && isOnHost(op) && (hasIrregularIndex(structured) || hasIrregularBody(op));
  }

  linalg::LoopKind kind_;
  bool onlyIrregular_ = false;
};

class LinalgToScfLoops : public LinalgToLoopsPass {
 public:
  LinalgToScfLoops()
      : LinalgToLoopsPass("convert-linalg-to-loops",
                          "Lowers linalg ops on memrefs to scf.for loops", linalg::LoopKind::Scf) {
    example("airlite-opt --convert-linalg-to-loops in.mlir");
  }
};

class LinalgToAffineLoops : public LinalgToLoopsPass {
 public:
  LinalgToAffineLoops()
      : LinalgToLoopsPass("convert-linalg-to-affine-loops",
                          "Lowers linalg ops on memrefs to affine.for loops",
                          linalg::LoopKind::Affine) {
    example("airlite-opt --convert-linalg-to-affine-loops in.mlir");
  }
};

}  // namespace

void registerLinalgToLoops(PassRegistry& registry) {
  registry.add<LinalgToScfLoops>();
  registry.add<LinalgToAffineLoops>();
}

}  // namespace airlite
