// Folders and canonicalizations of affine maps and accesses.
#include "AffineInternal.hpp"

#include <algorithm>

namespace airlite::affine {

namespace {

/// The operand that a map result is, when it is just a dim or symbol.
Value inputOf(AffineExpr expr, AffineMap map, OperandRange operands) {
  bool isDim = expr.kind() == AffineKind::Dim;
  if (!isDim && expr.kind() != AffineKind::Symbol) return Value();
  unsigned position = expr.position() + (isDim ? 0 : map.numDims());
  return position < operands.size() ? operands[position] : Value();
}

/// The values of the map when all operands are constants.
std::optional<std::vector<int64_t>> evaluateMap(AffineMap map,
                                                std::span<const Attribute> operands) {
  std::vector<int64_t> values;
  for (Attribute operand : operands) {
    auto constant = operand.dynCast<IntegerAttr>();
    if (!constant) return std::nullopt;
    values.push_back(constant.value());
  }
  if (values.size() != map.numInputs()) return std::nullopt;
  std::span<const int64_t> all(values);
  return map.evaluate(all.first(map.numDims()), all.subspan(map.numDims()));
}

void setMap(Rewriter& rewriter, Operation& op, std::string_view name, unsigned firstOperand,
            unsigned oldCount, const Application& application) {
  std::vector<Value> operands = op.operands().vec();
  auto start = operands.begin() + firstOperand;
  start = operands.erase(start, start + oldCount);
  operands.insert(start, application.operands.begin(), application.operands.end());
  rewriter.modify(op, [&] {
    op.setOperands(operands);
    op.setAttr(name, AffineMapAttr::get(application.map));
  });
}

/// Composes the map called `name` with its operands, which start at `firstOperand`.
bool composePart(Operation& op, Rewriter& rewriter, std::string_view name, unsigned firstOperand) {
  auto attr = op.attrOf<AffineMapAttr>(name);
  if (!attr) return false;
  unsigned count = attr.value().numInputs();
  Application application{attr.value(), op.operands().slice(firstOperand, count).vec()};
  if (!composeAndSimplify(application)) return false;
  setMap(rewriter, op, name, firstOperand, count, application);
  return true;
}

bool isMin(const Operation& op) { return op.is("affine.min"); }

}  // namespace

// -- apply, min, max -----------------------------------------------------------------------------

LogicalResult foldApply(Operation& op, std::span<const Attribute> operands, FoldResults& results) {
  AffineMap map = MapOp(&op).map();
  if (Value input = inputOf(map.result(0), map, op.operands())) {
    results.emplace_back(input);
    return success();
  }
  std::optional<std::vector<int64_t>> values = evaluateMap(map, operands);
  if (!values && map.constantResult()) values = {*map.constantResult()};
  if (!values) return failure();
  results.emplace_back(IntegerAttr::getIndex(op.context(), values->front()));
  return success();
}

LogicalResult foldMinMax(Operation& op, std::span<const Attribute> operands, FoldResults& results) {
  AffineMap map = MapOp(&op).map();
  Value input = map.numResults() == 1 ? inputOf(map.result(0), map, op.operands()) : Value();
  if (input) {
    results.emplace_back(input);
    return success();
  }
  std::optional<std::vector<int64_t>> values = evaluateMap(map, operands);
  if (!values) return failure();
  auto [least, greatest] = std::minmax_element(values->begin(), values->end());
  results.emplace_back(IntegerAttr::getIndex(op.context(), isMin(op) ? *least : *greatest));
  return success();
}

LogicalResult composeMapOp(Operation& op, Rewriter& rewriter) {
  return success(composePart(op, rewriter, kMap, 0));
}

namespace {

/// Results of the map, and operands, with what min(min(a, b), c) takes from the inner op.
struct MergedMinMax {
  std::vector<AffineExpr> exprs;
  std::vector<Value> dims, symbols;
};

MapOp innerOf(Operation& op, AffineExpr expr) {
  Value input = inputOf(expr, MapOp(&op).map(), op.operands());
  Operation* inner = input ? input.definingOp() : nullptr;
  return inner && &inner->def() == &op.def() ? MapOp(inner) : MapOp();
}

void mergeInner(MergedMinMax& merged, MapOp inner) {
  Application application = inner.application();
  AffineMap map = application.map;
  auto dimShift = static_cast<unsigned>(merged.dims.size());
  auto symbolShift = static_cast<unsigned>(merged.symbols.size());
  for (AffineExpr expr : map.results())
    merged.exprs.push_back(
        expr.shiftDims(map.numDims(), dimShift).shiftSymbols(map.numSymbols(), symbolShift));
  for (Value value : application.dims())
    merged.dims.push_back(value);
  for (Value value : application.symbols())
    merged.symbols.push_back(value);
}

bool mergeNested(Operation& op, Rewriter& rewriter) {
  Application outer = MapOp(&op).application();
  MergedMinMax merged;
  merged.dims.assign(outer.dims().begin(), outer.dims().end());
  merged.symbols.assign(outer.symbols().begin(), outer.symbols().end());
  bool changed = false;
  for (AffineExpr expr : outer.map.results()) {
    MapOp inner = innerOf(op, expr);
    changed = changed || inner;
    if (inner)
      mergeInner(merged, inner);
    else
      merged.exprs.push_back(expr);
  }
  if (!changed) return false;
  std::vector<Value> operands = merged.dims;
  operands.insert(operands.end(), merged.symbols.begin(), merged.symbols.end());
  AffineMap map = AffineMap::get(op.context(), static_cast<unsigned>(merged.dims.size()),
                                 static_cast<unsigned>(merged.symbols.size()), merged.exprs);
  setMap(rewriter, op, kMap, 0, op.numOperands(), {map, operands});
  return true;
}

/// Orders the results by their coefficients: constants come first. False when one is not linear.
bool sortResults(AffineMap map, std::vector<AffineExpr>& results) {
  using Keyed = std::pair<std::vector<int64_t>, AffineExpr>;
  std::vector<Keyed> keyed;
  for (AffineExpr expr : results) {
    auto coefficients = linearCoefficients(expr, map.numDims(), map.numSymbols());
    if (!coefficients) return false;
    keyed.emplace_back(std::move(*coefficients), expr);
  }
  std::stable_sort(keyed.begin(), keyed.end(),
                   [](const Keyed& a, const Keyed& b) { return a.first < b.first; });
  for (size_t i = 0; i < keyed.size(); ++i)
    results[i] = keyed[i].second;
  return true;
}

bool normalizeResults(Operation& op, Rewriter& rewriter) {
  AffineMap map = MapOp(&op).map();
  std::vector<AffineExpr> results;
  for (AffineExpr expr : map.results())
    if (std::find(results.begin(), results.end(), expr) == results.end()) results.push_back(expr);
  sortResults(map, results);
  AffineMap next = AffineMap::get(op.context(), map.numDims(), map.numSymbols(), results);
  if (next == map) return false;
  rewriter.modify(op, [&] { op.setAttr(kMap, AffineMapAttr::get(next)); });
  return true;
}

}  // namespace

LogicalResult simplifyMinMax(Operation& op, Rewriter& rewriter) {
  Application application = MapOp(&op).application();
  if (application.map.numResults() == 1) {
    ApplyOp apply = ApplyOp::create(rewriter, op.location(), application);
    rewriter.replaceOp(op, *apply);
    return success();
  }
  return success(mergeNested(op, rewriter) || normalizeResults(op, rewriter));
}

// -- Accesses ------------------------------------------------------------------------------------

LogicalResult composeAccess(Operation& op, Rewriter& rewriter) {
  return success(composePart(op, rewriter, kMap, AccessOp(&op).memrefIndex() + 1));
}

LogicalResult composeDmaStart(Operation& op, Rewriter& rewriter) {
  DmaStartOp dma(&op);
  // From the back, so that positions before stay right.
  bool changed = composePart(op, rewriter, "tag_map", dma.tagIndex() + 1);
  changed |= composePart(op, rewriter, "dst_map", dma.destIndex() + 1);
  changed |= composePart(op, rewriter, "src_map", dma.sourceIndex() + 1);
  return success(changed);
}

LogicalResult composeDmaWait(Operation& op, Rewriter& rewriter) {
  return success(composePart(op, rewriter, "tag_map", 1));
}

LogicalResult foldAccessCast(Operation& op, Rewriter& rewriter) {
  unsigned at = AccessOp(&op).memrefIndex();
  Operation* cast = op.operand(at).definingOp();
  if (!cast || !cast->is("memref.cast")) return failure();
  auto source = cast->operand(0).type().dynCast<MemRefType>();
  if (!source || source.rank() != AccessOp(&op).memrefType().rank()) return failure();
  rewriter.modify(op, [&] { op.setOperand(at, cast->operand(0)); });
  return success();
}

// -- Index arithmetic ----------------------------------------------------------------------------

namespace {

/// The basis with constant operands filled in; nothing when an element is not a positive constant.
std::optional<std::vector<int64_t>> constantBasis(std::vector<int64_t> basis,
                                                  std::span<const Attribute> dynamic) {
  size_t next = 0;
  for (int64_t& value : basis) {
    if (value != kDynamic) continue;
    auto constant = next < dynamic.size() ? dynamic[next].dynCast<IntegerAttr>() : IntegerAttr();
    ++next;
    if (!constant || constant.value() <= 0) return std::nullopt;
    value = constant.value();
  }
  return basis;
}

int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

LogicalResult foldDelinearize(Operation& op, std::span<const Attribute> operands,
                              FoldResults& results) {
  DelinearizeIndexOp split(&op);
  auto index = operands[0].dynCast<IntegerAttr>();
  auto basis = constantBasis(split.staticBasis(), operands.subspan(1));
  if (!index || !basis) return failure();
  if (split.hasOuterBound() && !basis->empty()) basis->erase(basis->begin());
  std::vector<int64_t> values(op.numResults());
  int64_t rest = index.value();
  for (size_t i = basis->size(); i > 0; --i) {
    int64_t quotient = floorDivide(rest, (*basis)[i - 1]);
    values[i] = rest - quotient * (*basis)[i - 1];
    rest = quotient;
  }
  values[0] = rest;
  for (int64_t value : values)
    results.emplace_back(IntegerAttr::getIndex(op.context(), value));
  return success();
}

LogicalResult foldLinearize(Operation& op, std::span<const Attribute> operands,
                            FoldResults& results) {
  LinearizeIndexOp join(&op);
  size_t count = join.multiIndex().size();
  auto basis = constantBasis(join.staticBasis(), operands.subspan(count));
  if (!basis) return failure();
  if (join.hasOuterBound() && !basis->empty()) basis->erase(basis->begin());
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    auto index = operands[i].dynCast<IntegerAttr>();
    if (!index) return failure();
    if (i != 0) sum *= static_cast<uint64_t>((*basis)[i - 1]);
    sum += static_cast<uint64_t>(index.value());
  }
  results.emplace_back(IntegerAttr::getIndex(op.context(), static_cast<int64_t>(sum)));
  return success();
}

}  // namespace airlite::affine
