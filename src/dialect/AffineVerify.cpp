// Verifiers of the affine dialect, and what may stand as a dim or symbol. The wording is what
// users of MLIR tools know.
#include "AffineInternal.hpp"

#include <algorithm>

namespace airlite::affine {

// -- Dims and symbols ----------------------------------------------------------------------------

namespace {

/// Whether all operands of an affine.apply may be dims (or symbols, where the map says so).
bool areValidOperands(MapOp apply, Region* scope, bool asDims) {
  auto map = apply->attrOf<AffineMapAttr>(kMap);
  if (!map || map.value().numInputs() != apply->numOperands()) return false;
  for (unsigned i = 0; i < apply->numOperands(); ++i) {
    bool dim = asDims && i < map.value().numDims();
    Value operand = apply->operand(i);
    if (!(dim ? isValidDim(operand, scope) : isValidSymbol(operand, scope))) return false;
  }
  return true;
}

bool isTopLevel(Value value) {
  Block* block = value.parentBlock();
  Operation* parent = block ? block->parentOp() : nullptr;
  return parent && parent->hasTrait(Trait::AffineScope);
}

bool isTopLevelOf(Value value, Region* scope) { return scope && value.parentRegion() == scope; }

/// The op whose region `scope` is, when values from outside are visible in it.
Region* visibleOutside(Region* scope) {
  Operation* op = scope ? scope->parentOp() : nullptr;
  if (!op || op->hasTrait(Trait::IsolatedFromAbove)) return nullptr;
  return op->parentRegion();
}

/// The size of a memref that is the same everywhere in the scope.
bool isSymbolicSize(Operation& dim, Region* scope) {
  Value shaped = dim.operand(0);
  if (isTopLevel(shaped) || isTopLevelOf(shaped, scope)) return true;
  auto type = shaped.type().dynCast<ShapedType>();
  std::optional<int64_t> which = constantIntOf(dim.operand(1));
  if (!type || !type.hasRank() || !which) return false;
  if (*which < 0 || *which >= type.rank()) return false;
  return !type.isDynamicDim(static_cast<size_t>(*which));
}

bool isDim(Operation& op) { return op.is("memref.dim") || op.is("tensor.dim"); }

}  // namespace

Region* affineScope(Operation* op) {
  for (; op; op = op->parentOp()) {
    Operation* parent = op->parentOp();
    if (!parent || parent->hasTrait(Trait::AffineScope)) return op->parentRegion();
  }
  return nullptr;
}

bool isValidSymbol(Value value, Region* scope) {
  if (!value || !value.type().isIndex()) return false;
  for (Region* region = scope; region; region = visibleOutside(region))
    if (isTopLevelOf(value, region)) return true;
  Operation* op = value.definingOp();
  if (!op) return false;
  if (op->hasTrait(Trait::ConstantLike)) return true;
  if (op->is("affine.apply")) return areValidOperands(MapOp(op), scope, false);
  return isDim(*op) && isSymbolicSize(*op, scope);
}

bool isValidSymbol(Value value) {
  if (!value || !value.type().isIndex()) return false;
  if (isTopLevel(value)) return true;
  Operation* op = value.definingOp();
  return op && isValidSymbol(value, affineScope(op));
}

bool isValidDim(Value value, Region* scope) {
  if (!value || !value.type().isIndex()) return false;
  if (isValidSymbol(value, scope)) return true;
  Operation* op = value.definingOp();
  if (!op) {
    Operation* parent = value.argumentBlock()->parentOp();
    return parent && (parent->is("affine.for") || parent->is("affine.parallel"));
  }
  if (op->is("affine.apply")) return areValidOperands(MapOp(op), scope, true);
  return isDim(*op) && isTopLevel(op->operand(0));
}

bool isValidDim(Value value) {
  if (!value || !value.type().isIndex()) return false;
  if (Operation* op = value.definingOp()) return isValidDim(value, affineScope(op));
  Operation* parent = value.argumentBlock()->parentOp();
  if (!parent) return false;
  return parent->hasTrait(Trait::AffineScope) || parent->is("affine.for") ||
         parent->is("affine.parallel");
}

// -- Checks that several ops share ---------------------------------------------------------------

namespace {

LogicalResult verifyDimsAndSymbols(Operation& op, OperandRange operands, unsigned numDims) {
  Region* scope = affineScope(&op);
  for (unsigned i = 0; i < operands.size(); ++i) {
    if (i < numDims && !isValidDim(operands[i], scope))
      return op.emitOpError() << "operand cannot be used as a dimension id";
    if (i >= numDims && !isValidSymbol(operands[i], scope))
      return op.emitOpError() << "operand cannot be used as a symbol";
  }
  return success();
}

LogicalResult verifySubscripts(Operation& op, AffineMap map, OperandRange operands, int64_t rank) {
  if (map.numResults() != static_cast<size_t>(rank))
    return op.emitOpError() << "affine map num results must equal memref rank";
  if (map.numInputs() != operands.size())
    return op.emitOpError() << "expects as many subscripts as affine map inputs";
  Region* scope = affineScope(&op);
  for (Value index : operands) {
    if (!index.type().isIndex())
      return op.emitOpError() << "index to access memref must have 'index' type";
    if (!isValidDim(index, scope) && !isValidSymbol(index, scope))
      return op.emitOpError() << "index must be a valid dimension or symbol identifier";
  }
  return success();
}

LogicalResult verifyAccess(Operation& op) {
  AccessOp access(&op);
  return verifySubscripts(op, access.map(), access.mapOperands(), access.memrefType().rank());
}

LogicalResult verifyVectorAccess(Operation& op, Type value) {
  if (failed(verifyAccess(op))) return failure();
  auto vector = value.cast<VectorType>();
  if (AccessOp(&op).memrefType().elementType() != vector.elementType())
    return op.emitOpError() << "requires memref and vector types of the same elemental type";
  return success();
}

}  // namespace

// -- apply, min, max -----------------------------------------------------------------------------

static LogicalResult verifyOperandCount(Operation& op) {
  AffineMap map = MapOp(&op).map();
  if (op.numOperands() == map.numInputs()) return success();
  return op.emitOpError() << "operand count and affine map dimension and symbol count must match";
}

LogicalResult verifyApply(Operation& op) {
  if (failed(verifyOperandCount(op))) return failure();
  if (MapOp(&op).map().numResults() == 1) return success();
  return op.emitOpError() << "mapping must produce one value";
}

LogicalResult verifyMinMax(Operation& op) {
  if (failed(verifyOperandCount(op))) return failure();
  if (MapOp(&op).map().numResults() != 0) return success();
  return op.emitOpError() << "affine map expect at least one result";
}

// -- for -----------------------------------------------------------------------------------------

static LogicalResult verifyBound(ForOp loop, const AffineMap& map, OperandRange operands,
                                 std::string_view which) {
  if (map.numResults() == 0)
    return loop->emitOpError() << "expected " << which << " bound map to have at least one result";
  if (operands.size() != map.numInputs())
    return loop->emitOpError() << "operand count and affine map dimension and symbol count of the "
                               << which << " bound must match";
  return verifyDimsAndSymbols(*loop, operands, map.numDims());
}

static LogicalResult verifyForCarried(ForOp loop) {
  OperandRange inits = loop.inits();
  if (inits.size() != loop->numResults())
    return loop->emitOpError() << "mismatch between the number of loop-carried values and results";
  if (loop.body().numArguments() != inits.size() + 1)
    return loop->emitOpError() << "mismatch between the number of basic block args and results";
  for (unsigned i = 0; i < inits.size(); ++i) {
    Type type = loop->result(i).type();
    if (inits[i].type() != type || loop.regionIterArg(i).type() != type)
      return loop->emitOpError() << "types mismatch between " << i
                                 << "-th iter operand, region argument and result";
  }
  return success();
}

LogicalResult verifyFor(Operation& op) {
  ForOp loop(&op);
  if (loop.region().empty()) return op.emitOpError() << "expected a body";
  Block& body = loop.body();
  if (body.numArguments() == 0 || !body.argument(0).type().isIndex())
    return op.emitOpError() << "expected body to have a single index argument for the induction "
                               "variable";
  if (loop.step() <= 0)
    return op.emitOpError() << "expected step to be representable as a positive signed integer";
  if (failed(verifyBound(loop, loop.lowerBoundMap(), loop.lowerBoundOperands(), "lower")) ||
      failed(verifyBound(loop, loop.upperBoundMap(), loop.upperBoundOperands(), "upper")))
    return failure();
  return verifyForCarried(loop);
}

// -- if ------------------------------------------------------------------------------------------

LogicalResult verifyIf(Operation& op) {
  auto condition = op.attrOf<IntegerSetAttr>(kCondition);
  if (!condition) return op.emitOpError() << "requires an integer set attribute named 'condition'";
  IntegerSet set = condition.value();
  if (op.numOperands() != set.numInputs())
    return op.emitOpError() << "operand count and condition integer set dimension and symbol count "
                               "must match";
  if (failed(verifyDimsAndSymbols(op, op.operands(), set.numDims()))) return failure();
  IfOp branch(&op);
  if (branch.thenRegion().empty()) return op.emitOpError() << "expected a then block";
  for (unsigned i = 0; i < 2; ++i)
    if (!op.region(i).empty() && op.region(i).front().numArguments() != 0)
      return op.emitOpError() << "region #" << i << " should have no arguments";
  if (op.numResults() == 0 || branch.hasElse()) return success();
  return op.emitOpError() << " region control flow edge from parent operands to parent results: "
                             "source has 0 operands, but target successor needs "
                          << op.numResults();
}

// -- parallel ------------------------------------------------------------------------------------

namespace {

struct Groups {
  int64_t count = 0;
  int64_t sum = 0;
  bool valid = false;  // integers, one or more each
};

Groups groupsOf(Attribute attribute) {
  auto dense = attribute.dynCast<DenseElementsAttr>();
  Groups groups;
  if (!dense) return groups;
  groups.count = dense.numElements();
  groups.valid = true;
  for (int64_t i = 0; i < groups.count; ++i) {
    int64_t size = constantInt(dense.element(i)).value_or(0);
    groups.valid = groups.valid && size > 0 && size < INT32_MAX;
    groups.sum += groups.valid ? size : 0;
  }
  return groups;
}

bool fitsReduction(std::string_view kind, Type type) {
  if (kind == "assign") return true;
  if (kind.back() == 'f' || kind == "addf" || kind == "mulf") return type.isFloat();
  return type.isIntOrIndex();
}

LogicalResult verifyParallelShape(ParallelOp loop) {
  Operation& op = *loop;
  Groups lower = groupsOf(op.attr("lowerBoundsGroups"));
  Groups upper = groupsOf(op.attr("upperBoundsGroups"));
  auto arguments = static_cast<int64_t>(loop.body().numArguments());
  auto steps = static_cast<int64_t>(loop.numDims());
  if (arguments != lower.count || arguments != upper.count || arguments != steps)
    return op.emitOpError() << "the number of region arguments (" << arguments
                            << ") and the number of map groups for lower (" << lower.count
                            << ") and upper bound (" << upper.count
                            << "), and the number of steps (" << steps << ") must all match";
  if (!lower.valid || lower.sum != loop.lowerBoundsMap().numResults())
    return op.emitOpError() << "expected lower bounds map to have " << lower.sum << " results";
  if (!upper.valid || upper.sum != loop.upperBoundsMap().numResults())
    return op.emitOpError() << "expected upper bounds map to have " << upper.sum << " results";
  for (unsigned i = 0; i < loop.numDims(); ++i)
    if (loop.step(i) <= 0) return op.emitOpError() << "expected steps to be positive integers";
  for (Value argument : loop.body().arguments())
    if (!argument.type().isIndex())
      return op.emitOpError() << "expected region arguments to be of index type";
  unsigned inputs = loop.lowerBoundsMap().numInputs() + loop.upperBoundsMap().numInputs();
  if (op.numOperands() != inputs)
    return op.emitOpError() << "expected " << inputs << " operands of the bound maps";
  return success();
}

LogicalResult verifyReductions(ParallelOp loop) {
  Operation& op = *loop;
  if (op.attrOf<ArrayAttr>("reductions").size() != op.numResults())
    return op.emitOpError() << "a reduction must be specified for each output";
  for (unsigned i = 0; i < op.numResults(); ++i) {
    int64_t kind = loop.reduction(i);
    if (kind < 0 || kind >= static_cast<int64_t>(std::size(kReductionNames)))
      return op.emitOpError() << "invalid reduction attribute";
    if (!fitsReduction(kReductionNames[kind], op.result(i).type()))
      return op.emitOpError() << "result type cannot match reduction attribute";
  }
  return success();
}

}  // namespace

LogicalResult verifyParallel(Operation& op) {
  ParallelOp loop(&op);
  if (loop.region().empty()) return op.emitOpError() << "expected a body";
  if (failed(verifyParallelShape(loop)) || failed(verifyReductions(loop))) return failure();
  if (failed(verifyDimsAndSymbols(op, loop.lowerBoundsOperands(), loop.lowerBoundsMap().numDims())))
    return failure();
  return verifyDimsAndSymbols(op, loop.upperBoundsOperands(), loop.upperBoundsMap().numDims());
}

LogicalResult verifyYield(Operation& op) {
  Operation* parent = op.parentOp();
  bool known = parent && (parent->is("affine.for") || parent->is("affine.if") ||
                          parent->is("affine.parallel"));
  if (!known) return op.emitOpError() << "only terminates affine.if/for/parallel regions";
  if (parent->numResults() != op.numOperands())
    return op.emitOpError()
           << "parent of yield must have same number of results as the yield operands";
  for (unsigned i = 0; i < op.numOperands(); ++i)
    if (op.operand(i).type() != parent->result(i).type())
      return op.emitOpError() << "types mismatch between yield op and its parent";
  return success();
}

// -- Accesses ------------------------------------------------------------------------------------

LogicalResult verifyLoad(Operation& op) {
  if (op.result().type() != AccessOp(&op).memrefType().elementType())
    return op.emitOpError() << "result type must match element type of memref";
  return verifyAccess(op);
}

LogicalResult verifyStore(Operation& op) {
  if (op.operand(0).type() != AccessOp(&op).memrefType().elementType())
    return op.emitOpError() << "value to store must have the same type as memref element type";
  return verifyAccess(op);
}

LogicalResult verifyVectorLoad(Operation& op) { return verifyVectorAccess(op, op.result().type()); }
LogicalResult verifyVectorStore(Operation& op) {
  return verifyVectorAccess(op, op.operand(0).type());
}
LogicalResult verifyPrefetch(Operation& op) { return verifyAccess(op); }

// -- Index arithmetic ----------------------------------------------------------------------------

static LogicalResult verifyBasis(Operation& op, std::span<const int64_t> basis, size_t dynamic) {
  auto wanted = static_cast<size_t>(std::count(basis.begin(), basis.end(), kDynamic));
  if (wanted != dynamic)
    return op.emitOpError() << "mismatch between dynamic and static basis: expected " << wanted
                            << " dynamic basis operands, but found " << dynamic;
  for (int64_t value : basis)
    if (value != kDynamic && value <= 0)
      return op.emitOpError() << "no basis element may be statically non-positive";
  return success();
}

LogicalResult verifyDelinearize(Operation& op) {
  DelinearizeIndexOp split(&op);
  std::vector<int64_t> basis = split.staticBasis();
  if (basis.empty() && op.numResults() != 1) return op.emitOpError() << "basis should not be empty";
  if (basis.size() != op.numResults() && basis.size() + 1 != op.numResults())
    return op.emitOpError() << "should return an index for each basis element";
  return verifyBasis(op, basis, split.dynamicBasis().size());
}

LogicalResult verifyLinearize(Operation& op) {
  LinearizeIndexOp join(&op);
  std::vector<int64_t> basis = join.staticBasis();
  size_t inputs = join.multiIndex().size();
  if (basis.size() != inputs && basis.size() + 1 != inputs)
    return op.emitOpError() << "should be passed a basis element for each index except possibly "
                               "the first";
  return verifyBasis(op, basis, join.dynamicBasis().size());
}

// -- Transfers -----------------------------------------------------------------------------------

static LogicalResult verifyDmaPart(Operation& op, unsigned at, std::string_view mapName,
                                   std::string_view what) {
  AffineMap map = DmaStartOp(&op).map(mapName);
  auto memref = op.operand(at).type().dynCast<MemRefType>();
  if (!memref) return op.emitOpError() << "expected DMA " << what << " to be of memref type";
  return verifySubscripts(op, map, op.operands().slice(at + 1, map.numInputs()), memref.rank());
}

LogicalResult verifyDmaStart(Operation& op) {
  for (std::string_view name : {"src_map", "dst_map", "tag_map"})
    if (!op.attrOf<AffineMapAttr>(name))
      return op.emitOpError() << "requires an affine map attribute named '" << name << "'";
  DmaStartOp dma(&op);
  unsigned plain = dma.numElementsIndex() + 1;
  if (op.numOperands() != plain && op.numOperands() != plain + 2)
    return op.emitOpError() << "incorrect number of operands";
  if (failed(verifyDmaPart(op, dma.sourceIndex(), "src_map", "source")) ||
      failed(verifyDmaPart(op, dma.destIndex(), "dst_map", "destination")) ||
      failed(verifyDmaPart(op, dma.tagIndex(), "tag_map", "tag")))
    return failure();
  for (unsigned i = plain - 1; i < op.numOperands(); ++i)
    if (!op.operand(i).type().isIndex())
      return op.emitOpError() << "expected the number of elements and the strides to be of index "
                                 "type";
  return success();
}

LogicalResult verifyDmaWait(Operation& op) {
  auto map = op.attrOf<AffineMapAttr>("tag_map");
  if (!map) return op.emitOpError() << "requires an affine map attribute named 'tag_map'";
  if (op.numOperands() != map.value().numInputs() + 2)
    return op.emitOpError() << "incorrect number of operands";
  if (!op.operands().back().type().isIndex())
    return op.emitOpError() << "expected the number of elements to be of index type";
  return verifyDmaPart(op, 0, "tag_map", "tag");
}

}  // namespace airlite::affine
