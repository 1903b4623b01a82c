// Verifiers of the memref ops that are not views.
#include "MemRefInternal.hpp"
#include "airlite/ir/Resources.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::memref {

namespace {

bool isPowerOfTwo(int64_t value) { return value > 0 && (value & (value - 1)) == 0; }

bool known(int64_t a, int64_t b) { return a != kDynamic && b != kDynamic; }

bool shapesCompatible(std::span<const int64_t> a, std::span<const int64_t> b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (known(a[i], b[i]) && a[i] != b[i]) return false;
  return true;
}

bool layoutsCompatible(MemRefType a, MemRefType b) {
  if (a.layout() == b.layout()) return true;
  auto left = a.stridedForm(), right = b.stridedForm();
  if (!left || !right || left->strides.size() != right->strides.size()) return false;
  if (known(left->offset, right->offset) && left->offset != right->offset) return false;
  return shapesCompatible(left->strides, right->strides);
}

}  // namespace

// -- Allocation ---------------------------------------------------------------------------------

LogicalResult verifyAllocLike(Operation& op) {
  AllocLikeOp alloc(&op);
  MemRefType type = alloc.type();
  if (alloc.dynamicSizes().size() != type.numDynamicDims())
    return op.emitOpError()
           << "dimension operand count does not equal memref dynamic dimension count";
  auto map = type.layout().dynCast<AffineMapAttr>();
  unsigned symbols = map ? map.value().numSymbols() : 0;
  if (alloc.symbolOperands().size() != symbols)
    return op.emitOpError() << "symbol operand count does not equal memref symbol count: expected "
                            << symbols << ", got " << alloc.symbolOperands().size();
  return success();
}

LogicalResult verifyRealloc(Operation& op) {
  auto source = op.operand(0).type().cast<MemRefType>();
  auto result = op.result().type().cast<MemRefType>();
  if (!source.hasIdentityLayout())
    return op.emitError() << "unsupported layout for source memref type " << source;
  if (!result.hasIdentityLayout())
    return op.emitError() << "unsupported layout for result memref type " << result;
  if (source.memorySpace() != result.memorySpace())
    return op.emitError() << "different memory spaces specified for source memref type " << source
                          << " and result memref type " << result;
  if (source.elementType() != result.elementType())
    return op.emitError() << "different element types specified for source memref type " << source
                          << " and result memref type " << result;
  bool hasSize = op.numOperands() == 2;
  if (result.numDynamicDims() && !hasSize)
    return op.emitError() << "missing dimension operand for result type " << result;
  if (!result.numDynamicDims() && hasSize)
    return op.emitError() << "unnecessary dimension operand for result type " << result;
  return success();
}

LogicalResult verifyAllocaScope(Operation& op) {
  if (!op.region().hasOneBlock()) return op.emitOpError() << "expected a region with one block";
  Operation* end = op.region().front().terminator();
  if (!end || !end->is("memref.alloca_scope.return")) return success();  // reported by its shape
  std::vector<Type> given = end->operandTypes(), wanted = op.resultTypes();
  if (given.size() != wanted.size())
    return op.emitOpError() << "along control flow edge from Region #0 to parent results: source "
                            << "has " << given.size() << " operands, but target successor needs "
                            << wanted.size();
  for (size_t i = 0; i < given.size(); ++i)
    if (given[i] != wanted[i])
      return op.emitOpError() << "along control flow edge from Region #0 to parent results: "
                              << "source type #" << i << " " << given[i]
                              << " should match input type #" << i << " " << wanted[i];
  return success();
}

// -- Accesses -----------------------------------------------------------------------------------

LogicalResult verifyLoad(Operation& op) {
  LoadOp load(&op);
  if (load.indices().size() == static_cast<size_t>(load.memrefType().rank())) return success();
  return op.emitOpError() << "incorrect number of indices for load, expected "
                          << load.memrefType().rank() << " but got " << load.indices().size();
}

LogicalResult verifyStore(Operation& op) {
  StoreOp store(&op);
  if (store.indices().size() == static_cast<size_t>(store.memrefType().rank())) return success();
  return op.emitOpError() << "store index operand count not equal to memref rank";
}

LogicalResult verifyPrefetch(Operation& op) {
  auto rank = static_cast<size_t>(op.operand(0).type().cast<MemRefType>().rank());
  if (op.operandGroup(1u).size() != rank)
    return op.emitOpError() << "too few indices: expected " << rank << ", found "
                            << op.operandGroup(1u).size();
  return success();
}

LogicalResult verifyCopy(Operation& op) {
  CopyOp copy(&op);
  auto source = copy.source().type().cast<ShapedType>();
  auto target = copy.target().type().cast<ShapedType>();
  if (source.elementType() != target.elementType())
    return op.emitOpError() << "requires the same element type for all operands";
  if (source.hasRank() && target.hasRank() && !shapesCompatible(source.shape(), target.shape()))
    return op.emitOpError() << "requires the same shape for all operands";
  return success();
}

// -- Casts --------------------------------------------------------------------------------------

bool CastOp::compatible(Type from, Type to) {
  auto source = from.dynCast<ShapedType>(), target = to.dynCast<ShapedType>();
  if (!source || !target || source.elementType() != target.elementType() ||
      memorySpaceOf(from) != memorySpaceOf(to))
    return false;
  auto sourceMemRef = from.dynCast<MemRefType>(), targetMemRef = to.dynCast<MemRefType>();
  if (!sourceMemRef || !targetMemRef) return bool(sourceMemRef) != bool(targetMemRef);
  return shapesCompatible(source.shape(), target.shape()) &&
         layoutsCompatible(sourceMemRef, targetMemRef);
}

static LogicalResult castIncompatible(Operation& op) {
  return op.emitOpError() << "operand type " << op.operand(0).type() << " and result type "
                          << op.result().type() << " are cast incompatible";
}

LogicalResult verifyCast(Operation& op) {
  bool fits = CastOp::compatible(op.operand(0).type(), op.result().type());
  return fits ? success() : castIncompatible(op);
}

LogicalResult verifyMemorySpaceCast(Operation& op) {
  auto source = op.operand(0).type().cast<ShapedType>();
  auto target = op.result().type().cast<ShapedType>();
  if (source.elementType() != target.elementType() || source.kind() != target.kind())
    return castIncompatible(op);
  auto from = source.dynCast<MemRefType>(), to = target.dynCast<MemRefType>();
  if (!from) return success();
  bool same = std::ranges::equal(from.shape(), to.shape()) && from.layout() == to.layout();
  return same ? success() : castIncompatible(op);
}

LogicalResult verifyReshape(Operation& op) {
  Type source = op.operand(0).type(), result = op.result().type();
  if (elementTypeOrSelf(source) != elementTypeOrSelf(result))
    return op.emitOpError()
           << "element types of source and destination memref types should be the same";
  auto from = source.dynCast<MemRefType>(), to = result.dynCast<MemRefType>();
  if (from && !from.hasIdentityLayout())
    return op.emitOpError() << "source memref type should have identity affine map";
  if (!to) return success();
  if (!to.hasIdentityLayout())
    return op.emitOpError() << "result memref type should have identity affine map";
  int64_t length = op.operand(1).type().cast<MemRefType>().dim(0);
  if (length == kDynamic)
    return op.emitOpError() << "cannot use shape operand with dynamic length to reshape to "
                            << "statically-ranked memref type";
  if (length != to.rank())
    return op.emitOpError() << "length of shape operand differs from the result's memref rank";
  return success();
}

LogicalResult verifyView(Operation& op) {
  ViewOp view(&op);
  auto source = view.source().type().cast<MemRefType>();
  MemRefType result = view.resultType();
  if (!source.hasIdentityLayout())
    return op.emitError() << "unsupported map for base memref type " << source;
  if (!result.hasIdentityLayout())
    return op.emitError() << "unsupported map for result memref type " << result;
  if (source.memorySpace() != result.memorySpace())
    return op.emitError() << "different memory spaces specified for base memref type " << source
                          << " and view memref type " << result;
  if (view.sizes().size() != result.numDynamicDims())
    return op.emitError() << "incorrect number of size operands for type " << result;
  return success();
}

LogicalResult verifyAssumeAlignment(Operation& op) {
  if (!isPowerOfTwo(op.attrOf<IntegerAttr>("alignment").value()))
    return op.emitOpError() << "alignment must be power of 2";
  if (op.numResults() && op.result().type() != op.operand(0).type())
    return op.emitOpError() << "result type " << op.result().type()
                            << " does not match operand type " << op.operand(0).type();
  return success();
}

LogicalResult verifyStridedMetadata(Operation& op) {
  auto source = op.operand(0).type().cast<MemRefType>();
  auto base =
      MemRefType::get(op.context(), {}, source.elementType(), Attribute(), source.memorySpace());
  if (op.result(0).type() != base)
    return op.emitOpError() << "expected the base buffer to have type " << base << ", found "
                            << op.result(0).type();
  if (static_cast<int64_t>(op.numResults()) != 2 + 2 * source.rank())
    return op.emitOpError() << "expected " << 2 + 2 * source.rank() << " results (base, offset, "
                            << "sizes, strides), found " << op.numResults();
  return success();
}

// -- Globals ------------------------------------------------------------------------------------

static LogicalResult verifyInitialValue(Operation& op, MemRefType type, Attribute value) {
  if (value.isa<UnitAttr>()) return success();
  if (!isElements(value))
    return op.emitOpError() << "initial value should be a unit or elements attribute, but got "
                            << value;
  auto tensor = RankedTensorType::get(op.context(), type.shape(), type.elementType());
  if (attributeType(value) != tensor)
    return op.emitOpError() << "initial value expected to be of type " << tensor
                            << ", but was of type " << attributeType(value);
  return success();
}

LogicalResult verifyGlobal(Operation& op) {
  GlobalOp global(&op);
  MemRefType type = global.type();
  if (!type.hasStaticShape())
    return op.emitOpError() << "type should be static shaped memref, but got " << type;
  if (Attribute value = op.attr("initial_value"))
    if (failed(verifyInitialValue(op, type, value))) return failure();
  auto alignment = op.attrOf<IntegerAttr>("alignment");
  if (alignment && !isPowerOfTwo(alignment.value()))
    return op.emitError() << "alignment attribute value " << alignment.value()
                          << " is not a power of 2";
  return success();
}

LogicalResult verifyGetGlobal(Operation& op) {
  GetGlobalOp get(&op);
  GlobalOp global = dynCast<GlobalOp>(lookupSymbol(&op, get.name()));
  if (!global)
    return op.emitOpError() << "'" << get.name().leaf()
                            << "' does not reference a valid global memref";
  if (global.type() != get.result().type())
    return op.emitOpError() << "result type " << get.result().type() << " does not match type "
                            << global.type() << " of the global memref @" << global.name();
  return success();
}

// -- Atomics ------------------------------------------------------------------------------------

LogicalResult verifyAtomicRmw(Operation& op) {
  AtomicRmwOp atomic(&op);
  auto memref = atomic.memref().type().cast<MemRefType>();
  if (static_cast<int64_t>(atomic.indices().size()) != memref.rank())
    return op.emitOpError() << "expects the number of subscripts to be equal to memref rank";
  Type value = atomic.value().type();
  if (value != memref.elementType())
    return op.emitOpError() << "failed to verify that value type matches element type of memref";
  std::string_view kind = op.def().findAttr("kind")->constraint->toKeyword(op.attr("kind"));
  if (kind == "assign") return success();
  bool isFloat = kind.ends_with('f');
  if (isFloat && !value.isFloat())
    return op.emitOpError() << "with kind '" << kind << "' expects a floating-point type";
  if (!isFloat && !value.isInteger())
    return op.emitOpError() << "with kind '" << kind << "' expects an integer type";
  return success();
}

/// Ops in the body of a generic_atomic_rmw may run several times: they must have no effects.
static LogicalResult verifyAtomicBody(Operation& op) {
  WalkResult result = op.walkWith([&](Operation& nested) {
    if (&nested == &op || isMemoryEffectFree(nested)) return WalkResult::Advance;
    nested.emitError() << "body of 'memref.generic_atomic_rmw' should contain only operations "
                       << "with no side effects";
    return WalkResult::Interrupt;
  });
  return failure(result == WalkResult::Interrupt);
}

LogicalResult verifyGenericAtomic(Operation& op) {
  auto memref = op.operand(0).type().cast<MemRefType>();
  if (op.result().type() != memref.elementType())
    return op.emitOpError() << "failed to verify that result type matches element type of memref";
  if (static_cast<int64_t>(op.operandGroup(1u).size()) != memref.rank())
    return op.emitOpError() << "expects the number of subscripts to be equal to memref rank";
  if (!op.region().hasOneBlock()) return op.emitOpError() << "expected a region with one block";
  if (op.region().front().numArguments() != 1)
    return op.emitOpError() << "expected single number of entry block arguments";
  if (op.region().front().argument(0).type() != op.result().type())
    return op.emitOpError() << "expected block argument of the same type result type";
  return verifyAtomicBody(op);
}

LogicalResult verifyAtomicYield(Operation& op) {
  Operation* parent = op.parentOp();
  if (!parent || parent->numResults() != 1) return success();  // reported as a wrong parent
  Type wanted = parent->result().type(), given = op.operand(0).type();
  if (wanted == given) return success();
  return op.emitOpError() << "types mismatch between yield op: " << given
                          << " and its parent: " << wanted;
}

// -- DMA ----------------------------------------------------------------------------------------

namespace {

/// Checks one `memref[indices]` of a flat operand list and moves `at` after it.
LogicalResult verifyDmaMemRef(Operation& op, unsigned& at, std::string_view what) {
  if (at >= op.numOperands() || !op.operand(at).type().isa<MemRefType>())
    return op.emitOpError() << "expected " << what << " to be of memref type";
  auto rank = static_cast<unsigned>(op.operand(at).type().cast<MemRefType>().rank());
  for (unsigned i = 0; i < rank; ++i)
    if (at + 1 + i >= op.numOperands() || !op.operand(at + 1 + i).type().isIndex())
      return op.emitOpError() << "expected " << what << " indices to be of index type";
  at += 1 + rank;
  return success();
}

}  // namespace

LogicalResult verifyDmaStart(Operation& op) {
  unsigned at = 0;
  if (failed(verifyDmaMemRef(op, at, "source")) || failed(verifyDmaMemRef(op, at, "destination")))
    return failure();
  if (at >= op.numOperands() || !op.operand(at).type().isIndex())
    return op.emitOpError() << "expected num elements to be of index type";
  if (failed(verifyDmaMemRef(op, ++at, "tag"))) return failure();
  if (at == op.numOperands()) return success();
  if (at + 2 != op.numOperands()) return op.emitOpError() << "incorrect number of operands";
  bool isIndex = op.operand(at).type().isIndex() && op.operand(at + 1).type().isIndex();
  if (isIndex) return success();
  return op.emitOpError() << "expected stride and num elements per stride to be of type index";
}

LogicalResult verifyDmaWait(Operation& op) {
  if (op.numOperands() < 2 || !op.operand(0).type().isa<MemRefType>())
    return op.emitOpError() << "expected a tag memref, its indices and a number of elements";
  auto rank = static_cast<unsigned>(op.operand(0).type().cast<MemRefType>().rank());
  if (op.numOperands() - 2 != rank)
    return op.emitOpError() << "expected tagIndices to have the same number of elements as the "
                            << "tagMemRef rank, expected " << rank << ", but got "
                            << op.numOperands() - 2;
  for (unsigned i = 1; i < op.numOperands(); ++i)
    if (!op.operand(i).type().isIndex())
      return op.emitOpError() << "expected operand #" << i << " to be of index type";
  return success();
}

}  // namespace airlite::memref
