// The affine dialect: the definition of each op, and the builders of its typed views. Syntax,
// verifiers and rewrites stand in AffineSyntax, AffineAccessSyntax, AffineVerify, AffineOperands,
// AffineCanonicalize and AffineCanonicalizeLoops.
#include "airlite/dialect/Affine.hpp"

#include "AffineInternal.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/ir/Constraints.hpp"

#include <algorithm>

namespace airlite {

namespace affine {

// -- Views ---------------------------------------------------------------------------------------

ApplyOp ApplyOp::create(Builder& builder, Location location, const Application& application) {
  OperationState state(builder.context(), location, "affine.apply");
  state.operands = application.operands;
  state.addAttribute(builder.context(), kMap, AffineMapAttr::get(application.map));
  state.resultTypes.push_back(builder.indexType());
  return ApplyOp(builder.create(state));
}

std::optional<int64_t> ForOp::constantLowerBound() const {
  return lowerBoundMap().numResults() == 1 ? lowerBoundMap().constantResult() : std::nullopt;
}
std::optional<int64_t> ForOp::constantUpperBound() const {
  return upperBoundMap().numResults() == 1 ? upperBoundMap().constantResult() : std::nullopt;
}

std::optional<int64_t> ForOp::tripCount() const {
  std::optional<int64_t> lower = constantLowerBound(), upper = constantUpperBound();
  if (!lower || !upper) return std::nullopt;
  return scf::constantTripCount(*lower, *upper, step());
}

ForOp ForOp::create(Builder& builder, Location location, const Application& lower,
                    const Application& upper, int64_t step, std::span<const Value> inits) {
  Context& context = builder.context();
  OperationState state(context, location, "affine.for");
  state.addOperands(lower.operands);
  state.addOperands(upper.operands);
  state.addOperands(inits);
  int32_t segments[] = {static_cast<int32_t>(lower.operands.size()),
                        static_cast<int32_t>(upper.operands.size()),
                        static_cast<int32_t>(inits.size())};
  state.setOperandSegments(context, segments);
  state.addAttribute(context, kLowerBoundMap, AffineMapAttr::get(lower.map));
  state.addAttribute(context, kUpperBoundMap, AffineMapAttr::get(upper.map));
  state.addAttribute(context, kStep, builder.indexAttr(step));
  for (Value init : inits)
    state.resultTypes.push_back(init.type());
  state.addRegion();
  ForOp loop(builder.create(state));
  Block& body = loop.region().addBlock();
  body.addArgument(builder.indexType(), location);
  for (Value init : inits)
    body.addArgument(init.type(), init.location());
  Builder inside = Builder::atEnd(body);
  if (inits.empty()) inside.create(location, "affine.yield", {}, {});
  return loop;
}

/// The part of a bound map that belongs to dim `i`.
static Application boundGroup(Operation& op, AffineMap map, OperandRange operands,
                              std::string_view groupsName, unsigned i) {
  auto groups = op.attrOf<DenseElementsAttr>(groupsName);
  size_t start = 0, size = 0;
  for (unsigned k = 0; groups && k <= i && k < groups.numElements(); ++k) {
    start += size;
    size = static_cast<size_t>(constantInt(groups.element(k)).value_or(0));
  }
  std::span<const AffineExpr> results = map.results();
  start = std::min(start, results.size());
  size = std::min(size, results.size() - start);
  AffineMap part =
      AffineMap::get(op.context(), map.numDims(), map.numSymbols(), results.subspan(start, size));
  return {part, operands.vec()};
}

Application ParallelOp::lowerBound(unsigned i) const {
  return boundGroup(*op_, lowerBoundsMap(), lowerBoundsOperands(), "lowerBoundsGroups", i);
}
Application ParallelOp::upperBound(unsigned i) const {
  return boundGroup(*op_, upperBoundsMap(), upperBoundsOperands(), "upperBoundsGroups", i);
}
int64_t ParallelOp::step(unsigned i) const {
  return constantInt(op_->attrOf<ArrayAttr>("steps")[i]).value_or(0);
}
int64_t ParallelOp::reduction(unsigned i) const {
  auto kinds = op_->attrOf<ArrayAttr>("reductions");
  return i < kinds.size() ? constantInt(kinds[i]).value_or(-1) : -1;
}

unsigned AccessOp::memrefIndex() const {
  return op_->is("affine.store") || op_->is("affine.vector_store") ? 1 : 0;
}

/// Programs written before there were static entries have no attribute: all are operands.
static std::vector<int64_t> basisOf(Operation& op, size_t dynamic) {
  auto statics = op.attrOf<DenseArrayAttr>(kStaticBasis);
  if (!statics) return std::vector<int64_t>(dynamic, kDynamic);
  return {statics.values().begin(), statics.values().end()};
}
std::vector<int64_t> DelinearizeIndexOp::staticBasis() const {
  return basisOf(*op_, dynamicBasis().size());
}
std::vector<int64_t> LinearizeIndexOp::staticBasis() const {
  return basisOf(*op_, dynamicBasis().size());
}

// -- Definitions ---------------------------------------------------------------------------------

namespace {

const AttrConstraint kLocality = {
    "32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
    [](Attribute a) {
      auto value = a.dynCast<IntegerAttr>();
      return value && value.type().isSignlessInteger(32) && value.value() >= 0 &&
             value.value() <= 3;
    }};

/// The first memref is read, the second written, the tag both. Asked of malformed ops too.
bool dmaStartEffects(Operation& op, std::vector<EffectInstance>& effects) {
  unsigned memrefs = 0;
  for (Value value : op.operands()) {
    if (!value.type().isa<MemRefType>()) continue;
    if (memrefs != 1) effects.push_back({Effect::Read, value});
    if (memrefs != 0) effects.push_back({Effect::Write, value});
    ++memrefs;
  }
  return true;
}

bool dmaWaitEffects(Operation& op, std::vector<EffectInstance>& effects) {
  if (op.numOperands() == 0) return true;
  effects.push_back({Effect::Read, op.operand(0)});
  effects.push_back({Effect::Sync, op.operand(0)});
  return true;
}

void defineMaps(Dialect& d) {
  d.op<ApplyOp>("apply")
      .doc("The value of an affine map with one result.")
      .variadicOperand("mapOperands", types::index)
      .attr("map", attrs::affineMap)
      .result("result", types::index)
      .traits(Trait::Pure)
      .syntax(parseMapOp, printMapOp)
      .verify(verifyApply)
      .fold(foldApply)
      .canonicalize("affine-compose-map", composeMapOp)
      .example("%1 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n]");
  d.op<MinOp>("min")
      .doc("The least of the results of an affine map.")
      .variadicOperand("operands", types::index)
      .attr("map", attrs::affineMap)
      .result("result", types::index)
      .traits(Trait::Pure)
      .syntax(parseMapOp, printMapOp)
      .verify(verifyMinMax)
      .fold(foldMinMax)
      .canonicalize("affine-min-simplify", simplifyMinMax)
      .canonicalize("affine-compose-map", composeMapOp)
      .example("%1 = affine.min affine_map<(d0) -> (d0, 16)>(%i)");
  d.op<MaxOp>("max")
      .doc("The greatest of the results of an affine map.")
      .variadicOperand("operands", types::index)
      .attr("map", attrs::affineMap)
      .result("result", types::index)
      .traits(Trait::Pure)
      .syntax(parseMapOp, printMapOp)
      .verify(verifyMinMax)
      .fold(foldMinMax)
      .canonicalize("affine-max-simplify", simplifyMinMax)
      .canonicalize("affine-compose-map", composeMapOp)
      .example("%1 = affine.max affine_map<(d0) -> (d0, 0)>(%i)");
  d.op<DelinearizeIndexOp>("delinearize_index")
      .doc("Splits an index by a basis, the outermost result first. The first basis element only "
           "bounds the index and may be left out.")
      .operand("linear_index", types::index)
      .variadicOperand("dynamic_basis", types::index)
      .optionalAttr("static_basis", attrs::denseI64)
      .variadicResult("multi_index", types::index)
      .traits(Trait::Pure)
      .syntax(parseDelinearize, printDelinearize)
      .verify(verifyDelinearize)
      .fold(foldDelinearize)
      .example("%0:2 = affine.delinearize_index %i into (4, 8) : index, index");
  d.op<LinearizeIndexOp>("linearize_index")
      .doc("The inverse of affine.delinearize_index. `disjoint` promises that every index is less "
           "than its basis element.")
      .variadicOperand("multi_index", types::index)
      .variadicOperand("dynamic_basis", types::index)
      .optionalAttr("static_basis", attrs::denseI64)
      .optionalAttr("disjoint", attrs::unit)
      .result("linear_index", types::index)
      .traits(Trait::Pure | Trait::AttrSizedOperandSegments)
      .syntax(parseLinearize, printLinearize)
      .verify(verifyLinearize)
      .fold(foldLinearize)
      .example("%0 = affine.linearize_index [%i, %j] by (4, 8) : index");
}

void defineRegions(Dialect& d) {
  d.op<ForOp>("for")
      .doc("Runs its body from the greatest lower bound to below the least upper bound. The bounds "
           "are maps of dims and symbols, the step is a constant.")
      .variadicOperand("lowerBoundOperands", types::index)
      .variadicOperand("upperBoundOperands", types::index)
      .variadicOperand("inits", types::any)
      .attr("lowerBoundMap", attrs::affineMap)
      .attr("upperBoundMap", attrs::affineMap)
      .attr("step", attrs::index)
      .variadicResult("results", types::any)
      .region("region")
      .traits(Trait::AttrSizedOperandSegments | Trait::LoopLike | Trait::RecursiveEffects)
      .terminatedBy("affine.yield")
      .syntax(parseFor, printFor)
      .verify(verifyFor)
      .canonicalize("affine-for-bounds", simplifyForBounds)
      .canonicalize("affine-for-trip-count", simplifyTrivialFor)
      .canonicalize("affine-for-empty", removeEmptyFor)
      .example("affine.for %i = 0 to min affine_map<(d0) -> (d0, 16)>(%n) step 2 { }");
  d.op<IfOp>("if")
      .doc("Runs the then region when the operands are in an integer set, the else region "
           "otherwise.")
      .variadicOperand("operands", types::index)
      .variadicResult("results", types::any)
      .region("thenRegion")
      .region("elseRegion")
      .traits(Trait::RecursiveEffects)
      .terminatedBy("affine.yield")
      .syntax(parseIf, printIf)
      .verify(verifyIf)
      .canonicalize("affine-if-operands", simplifyIfOperands)
      .canonicalize("affine-if-decided", decideIf)
      .canonicalize("affine-if-empty-else", removeEmptyElse)
      .example("affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%i) { } else { }");
  d.op<ParallelOp>("parallel")
      .doc("A loop nest whose iterations may run at the same time; yielded values are combined as "
           "`reductions` say.")
      .variadicOperand("mapOperands", types::index)
      .attr("reductions", attrs::i64Array)
      .attr("lowerBoundsMap", attrs::affineMap)
      .attr("lowerBoundsGroups", attrs::denseElements)
      .attr("upperBoundsMap", attrs::affineMap)
      .attr("upperBoundsGroups", attrs::denseElements)
      .attr("steps", attrs::i64Array)
      .variadicResult("results", types::any)
      .region("region")
      .traits(Trait::LoopLike | Trait::ParallelLoop | Trait::RecursiveEffects)
      .terminatedBy("affine.yield")
      .syntax(parseParallel, printParallel)
      .verify(verifyParallel)
      .canonicalize("affine-parallel-bounds", simplifyParallelBounds)
      .example("affine.parallel (%i, %j) = (0, 0) to (%n, min(%m, 16)) step (1, 4) { }");
  d.op<YieldOp>("yield")
      .doc("Ends a region of affine.for, affine.if or affine.parallel.")
      .variadicOperand("operands", types::any)
      .traits(Trait::Terminator | Trait::ReturnLike | Trait::Pure)
      .format("attr-dict ($operands^ `:` type($operands))?")
      .verify(verifyYield)
      .example("%total = affine.for %i = 0 to 16 iter_args(%acc = %zero) -> (f32) {\n"
               "  %x = affine.load %m[%i] : memref<16xf32>\n  %sum = arith.addf %acc, %x : f32\n"
               "  affine.yield %sum : f32\n}");
}

void defineAccesses(Dialect& d) {
  d.op<LoadOp>("load")
      .doc("Reads an element at affine expressions of dims and symbols.")
      .operand("memref", types::anyRankedMemRef)
      .variadicOperand("indices", types::index)
      .attr("map", attrs::affineMap)
      .result("result", types::any)
      .effects({{Effect::Read, "memref"}})
      .syntax(parseLoad, printLoad)
      .verify(verifyLoad)
      .canonicalize("affine-access-compose", composeAccess)
      .canonicalize("affine-access-cast", foldAccessCast)
      .example("%0 = affine.load %m[%i + 1, symbol(%n)] : memref<16x16xf32>");
  d.op<StoreOp>("store")
      .doc("Writes an element at affine expressions of dims and symbols.")
      .operand("value", types::any)
      .operand("memref", types::anyRankedMemRef)
      .variadicOperand("indices", types::index)
      .attr("map", attrs::affineMap)
      .effects({{Effect::Write, "memref"}})
      .syntax(parseStore, printStore)
      .verify(verifyStore)
      .canonicalize("affine-access-compose", composeAccess)
      .canonicalize("affine-access-cast", foldAccessCast)
      .example("affine.store %v, %m[%i, %j] : memref<16x16xf32>");
  d.op<VectorLoadOp>("vector_load")
      .doc("Reads a vector of consecutive elements.")
      .operand("memref", types::anyRankedMemRef)
      .variadicOperand("indices", types::index)
      .attr("map", attrs::affineMap)
      .result("result", types::anyVector)
      .effects({{Effect::Read, "memref"}})
      .syntax(parseVectorLoad, printVectorLoad)
      .verify(verifyVectorLoad)
      .canonicalize("affine-access-compose", composeAccess)
      .example("%0 = affine.vector_load %m[%i, 0] : memref<16x16xf32>, vector<8xf32>");
  d.op<VectorStoreOp>("vector_store")
      .doc("Writes a vector to consecutive elements.")
      .operand("value", types::anyVector)
      .operand("memref", types::anyRankedMemRef)
      .variadicOperand("indices", types::index)
      .attr("map", attrs::affineMap)
      .effects({{Effect::Write, "memref"}})
      .syntax(parseVectorStore, printVectorStore)
      .verify(verifyVectorStore)
      .canonicalize("affine-access-compose", composeAccess)
      .example("affine.vector_store %v, %m[%i, 0] : memref<16x16xf32>, vector<8xf32>");
  d.op<PrefetchOp>("prefetch")
      .doc("Hints that an element will be read or written soon.")
      .operand("memref", types::anyRankedMemRef)
      .variadicOperand("indices", types::index)
      .attr("isWrite", attrs::boolean)
      .attr("localityHint", kLocality)
      .attr("isDataCache", attrs::boolean)
      .attr("map", attrs::affineMap)
      .effects({{Effect::Read, "memref"}, {Effect::Sync, "memref"}})
      .syntax(parsePrefetch, printPrefetch)
      .verify(verifyPrefetch)
      .canonicalize("affine-access-compose", composeAccess)
      .canonicalize("affine-access-cast", foldAccessCast)
      .example("affine.prefetch %m[%i, 0], read, locality<3>, data : memref<16x16xf32>");
}

void defineTransfers(Dialect& d) {
  d.op<DmaStartOp>("dma_start")
      .doc("Starts a transfer between two memrefs; affine.dma_wait on the tag waits for it.")
      .variadicOperand("operands", types::any)
      .effects(dmaStartEffects)
      .syntax(parseDmaStart, printDmaStart)
      .verify(verifyDmaStart)
      .canonicalize("affine-dma-start-compose", composeDmaStart)
      .example("affine.dma_start %src[%i], %dst[0], %tag[0], %n : memref<64xf32>, "
               "memref<8xf32, 2>, memref<1xi32>");
  d.op<DmaWaitOp>("dma_wait")
      .doc("Waits for the transfer with this tag.")
      .variadicOperand("operands", types::any)
      .effects(dmaWaitEffects)
      .syntax(parseDmaWait, printDmaWait)
      .verify(verifyDmaWait)
      .canonicalize("affine-dma-wait-compose", composeDmaWait)
      .example("affine.dma_wait %tag[0], %n : memref<1xi32>");
}

}  // namespace

}  // namespace affine

void registerAffine(Context& context) {
  Dialect d(context, "affine", "Loops, conditionals and accesses over affine maps and sets.");
  affine::defineMaps(d);
  affine::defineRegions(d);
  affine::defineAccesses(d);
  affine::defineTransfers(d);
}

}  // namespace airlite
