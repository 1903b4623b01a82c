// The memref dialect: the definition of each op, and the builders of its typed views.
#include "MemRefInternal.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"

namespace airlite {

namespace memref {
namespace {

bool isRank1(Type type, unsigned width) {
  auto memref = type.dynCast<MemRefType>();
  return memref && memref.rank() == 1 &&
         (width == 0 || memref.elementType().isSignlessInteger(width));
}

const TypeConstraint kBytes = {"1D memref of 8-bit signless integer values",
                               [](Type t) { return isRank1(t, 8); }};
const TypeConstraint kRank1 = {"1D memref of any type values",
                               [](Type t) { return isRank1(t, 0); }};
const TypeConstraint kShapeOperand = {"1D memref of signless integer or index values", [](Type t) {
                                        Type element = elementTypeOrSelf(t);
                                        return isRank1(t, 0) &&
                                               (element.isSignlessInteger() || element.isIndex());
                                      }};
const TypeConstraint kNumber = {"signless integer or floating-point",
                                [](Type t) { return t.isSignlessInteger() || t.isFloat(); }};
const TypeConstraint kMemRefOfNumber = {
    "memref of signless integer or floating-point values", [](Type t) {
      Type element = elementTypeOrSelf(t);
      return t.isa<MemRefType>() && (element.isSignlessInteger() || element.isFloat());
    }};

int64_t intOf(Attribute attr) { return attr.cast<IntegerAttr>().value(); }
bool isIntOf(Attribute attr, unsigned width) {
  auto value = attr.dynCast<IntegerAttr>();
  return value && value.type().isSignlessInteger(width);
}
Type buildI64(Context& context) { return IntegerType::get(context, 64); }

const AttrConstraint kAlignment = {"64-bit signless integer attribute whose minimum value is 0",
                                   [](Attribute a) { return isIntOf(a, 64) && intOf(a) >= 0; },
                                   AttrSyntax::Integer, buildI64};
const AttrConstraint kPositiveI32 = {"32-bit signless integer attribute whose value is positive",
                                     [](Attribute a) { return isIntOf(a, 32) && intOf(a) > 0; }};
const AttrConstraint kLocality = {
    "32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3",
    [](Attribute a) { return isIntOf(a, 32) && intOf(a) >= 0 && intOf(a) <= 3; }};
const AttrConstraint kMemRefTypeAttr = {"memref type attribute", [](Attribute a) {
                                          auto type = a.dynCast<TypeAttr>();
                                          return type && type.value().isa<MemRefType>();
                                        }};

constexpr std::string_view kAtomicNames[] = {"addf", "addi",     "assign", "maximumf", "maxs",
                                             "maxu", "minimumf", "mins",   "minu",     "mulf",
                                             "muli", "ori",      "andi",   "maxnumf",  "minnumf"};

Attribute atomicFromKeyword(Context& context, std::string_view word) {
  for (size_t i = 0; i < std::size(kAtomicNames); ++i)
    if (kAtomicNames[i] == word)
      return IntegerAttr::get(IntegerType::get(context, 64), static_cast<int64_t>(i));
  return Attribute();
}
bool isAtomicKind(Attribute attr) {
  return isIntOf(attr, 64) && intOf(attr) >= 0 &&
         intOf(attr) < static_cast<int64_t>(std::size(kAtomicNames));
}
const AttrConstraint kAtomicKind = {
    "one of the atomic kinds [addf, addi, assign, maximumf, maxs, maxu, minimumf, mins, minu, "
    "mulf, muli, ori, andi, maxnumf, minnumf]",
    isAtomicKind,
    AttrSyntax::Keyword,
    nullptr,
    kAtomicNames,
    atomicFromKeyword,
    [](Attribute a) { return kAtomicNames[static_cast<size_t>(intOf(a))]; }};

Type elementOf(Type type) { return elementTypeOrSelf(type); }

void nameMetadata(Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
  unsigned rank = (op.numResults() - 2) / 2;
  suggest(op.result(0), "base_buffer");
  suggest(op.result(1), "offset");
  if (rank) suggest(op.result(2), "sizes");
  if (rank) suggest(op.result(2 + rank), "strides");
}

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
  if (!op.numOperands()) return true;
  effects.push_back({Effect::Read, op.operand(0)});
  effects.push_back({Effect::Sync, op.operand(0)});
  return true;
}

// -- Definitions, by topic ----------------------------------------------------------------------

void defineAllocations(Dialect& d) {
  constexpr std::string_view format =
      "`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)";
  d.op<AllocOp>("alloc")
      .doc("Allocates a buffer; one operand for each `?` of the type.")
      .variadicOperand("dynamicSizes", types::index)
      .variadicOperand("symbolOperands", types::index)
      .result("memref", types::anyRankedMemRef)
      .optionalAttr("alignment", kAlignment)
      .traits(Trait::AttrSizedOperandSegments)
      .effects({{Effect::Allocate, "memref"}})
      .nameResult("alloc")
      .format(format)
      .example("%alloc = memref.alloc(%n) {alignment = 64 : i64} : memref<?x4xf32>")
      .verifyAlone(verifyAllocLike)
      .canonicalize("alloc-constant-sizes", simplifyAllocConstants)
      .canonicalize("alloc-only-written", removeDeadAlloc);
  d.op<AllocaOp>("alloca")
      .doc("Allocates a buffer that ends with the allocation scope around it.")
      .variadicOperand("dynamicSizes", types::index)
      .variadicOperand("symbolOperands", types::index)
      .result("memref", types::anyRankedMemRef)
      .optionalAttr("alignment", kAlignment)
      .traits(Trait::AttrSizedOperandSegments)
      .effects({{Effect::Allocate, "memref"}})
      .nameResult("alloca")
      .format(format)
      .example("%alloca = memref.alloca() : memref<4xf32>")
      .verifyAlone(verifyAllocLike)
      .canonicalize("alloc-constant-sizes", simplifyAllocConstants)
      .canonicalize("alloc-only-written", removeDeadAlloc);
  d.op<DeallocOp>("dealloc")
      .doc("Gives back what memref.alloc has allocated.")
      .operand("memref", types::anyMemRef)
      .effects({{Effect::Free, "memref"}})
      .format("$memref attr-dict `:` type($memref)")
      .example("memref.dealloc %alloc : memref<4xf32>")
      .fold(foldCastsIntoOperands);
  d.op("realloc")
      .doc("Changes the size of a one-dimensional buffer; the old one is gone after it.")
      .operand("source", kRank1)
      .optionalOperand("dynamicResultSize", types::index)
      .result("result", kRank1)
      .optionalAttr("alignment", kAlignment)
      .effects({{Effect::Free, "source"}, {Effect::Read, "source"}, {Effect::Allocate, "result"}})
      .format("$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` "
              "type($result)")
      .example("%0 = memref.realloc %src(%n) : memref<64xf32> to memref<?xf32>")
      .verify(verifyRealloc);
  d.op("alloca_scope")
      .doc("Buffers that memref.alloca makes inside end with the region.")
      .variadicResult("results", types::any)
      .region("bodyRegion")
      .traits(Trait::AllocationScope | Trait::RecursiveEffects)
      .terminatedBy("memref.alloca_scope.return")
      .syntax(AllocaScopeSyntax::parse, AllocaScopeSyntax::print)
      .example("memref.alloca_scope {\n  %0 = memref.alloca() : memref<4xf32>\n}")
      .verify(verifyAllocaScope)
      .canonicalize("inline-alloca-scope", inlineAllocaScope);
  d.op("alloca_scope.return")
      .doc("Ends a memref.alloca_scope and gives its results.")
      .variadicOperand("values", types::any)
      .traits(Trait::Terminator | Trait::ReturnLike | Trait::Pure)
      .parent({"memref.alloca_scope"})
      .format("attr-dict ($values^ `:` type($values))?")
      .example("%r = memref.alloca_scope -> (i32) {\n  %0 = memref.alloca() : memref<i32>\n"
               "  %1 = memref.load %0[] : memref<i32>\n  memref.alloca_scope.return %1 : i32\n}");
}

void defineAccesses(Dialect& d) {
  d.op<LoadOp>("load")
      .doc("Reads one element.")
      .operand("memref", types::anyRankedMemRef)
      .variadicOperand("indices", types::index)
      .result("result", types::any)
      .defaultAttr("nontemporal", attrs::boolean, "false")
      .typeFrom("result", "memref", elementOf, "element type of 'memref'")
      .effects({{Effect::Read, "memref"}})
      .format("$memref `[` $indices `]` attr-dict `:` type($memref)")
      .example("%0 = memref.load %m[%i, %j] : memref<4x4xf32>")
      .verifyAlone(verifyLoad)
      .fold(foldCastsIntoOperands);
  d.op<StoreOp>("store")
      .doc("Writes one element.")
      .operand("value", types::any)
      .operand("memref", types::anyRankedMemRef)
      .variadicOperand("indices", types::index)
      .defaultAttr("nontemporal", attrs::boolean, "false")
      .typeFrom("value", "memref", elementOf, "element type of 'memref'")
      .effects({{Effect::Write, "memref"}})
      .format("$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)")
      .example("memref.store %0, %m[%i, %j] : memref<4x4xf32>")
      .verifyAlone(verifyStore)
      .fold(foldCastsIntoOperands);
  d.op<CopyOp>("copy")
      .doc("Copies all elements; the two must not overlap partially.")
      .operand("source", types::anyMemRef)
      .operand("target", types::anyMemRef)
      .effects({{Effect::Read, "source"}, {Effect::Write, "target"}})
      .format("$source `,` $target attr-dict `:` type($source) `to` type($target)")
      .example("memref.copy %a, %b : memref<4xf32> to memref<4xf32>")
      .verifyAlone(verifyCopy)
      .fold(foldCastsIntoOperands)
      .canonicalize("self-copy", eraseSelfCopy);
  d.op("prefetch")
      .doc("Asks for an element to be brought into a cache.")
      .operand("memref", types::anyRankedMemRef)
      .variadicOperand("indices", types::index)
      .attr("isWrite", attrs::boolean)
      .attr("localityHint", kLocality)
      .attr("isDataCache", attrs::boolean)
      .syntax(PrefetchSyntax::parse, PrefetchSyntax::print)
      .example("memref.prefetch %m[%i], read, locality<3>, data : memref<4xf32>")
      .verifyAlone(verifyPrefetch)
      .fold(foldCastsIntoOperands);
}

void defineAtomics(Dialect& d) {
  d.op<AtomicRmwOp>("atomic_rmw")
      .doc("Atomically combines an element with a value; gives the element before.")
      .operand("value", kNumber)
      .operand("memref", kMemRefOfNumber)
      .variadicOperand("indices", types::index)
      .result("result", kNumber)
      .attr("kind", kAtomicKind)
      .sameType({"value", "result"})
      .effects({{Effect::Read, "memref"}, {Effect::Write, "memref"}})
      .format("$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` "
              "type($memref) `)` `->` type($result)")
      .example("%0 = memref.atomic_rmw addi %v, %m[%i] : (i32, memref<4xi32>) -> i32")
      .verify(verifyAtomicRmw)
      .fold(foldCastsIntoOperands);
  d.op("generic_atomic_rmw")
      .doc("Atomically replaces an element by what the region makes of it; gives the element "
           "before.")
      .operand("memref", kMemRefOfNumber)
      .variadicOperand("indices", types::index)
      .result("result", kNumber)
      .region("atomic_body")
      .traits(Trait::SingleBlock)
      .effects({{Effect::Read, "memref"}, {Effect::Write, "memref"}})
      .syntax(GenericAtomicSyntax::parse, GenericAtomicSyntax::print)
      .example("%0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {\n^bb0(%old: i32):\n"
               "  memref.atomic_yield %old : i32\n}")
      .verify(verifyGenericAtomic);
  d.op("atomic_yield")
      .doc("The new value of a memref.generic_atomic_rmw.")
      .operand("result", types::any)
      .traits(Trait::Terminator | Trait::Pure)
      .parent({"memref.generic_atomic_rmw"})
      .format("$result attr-dict `:` type($result)")
      .example("%0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {\n^bb0(%old: i32):\n"
               "  %new = arith.addi %old, %x : i32\n  memref.atomic_yield %new : i32\n}")
      .verify(verifyAtomicYield);
  d.op<DmaStartOp>("dma_start")
      .doc("Starts a transfer of `numElements` elements that memref.dma_wait on the tag ends.")
      .variadicOperand("operands", types::indexOrMemRefOrVector)
      .effects(dmaStartEffects)
      .syntax(DmaStartSyntax::parse, DmaStartSyntax::print)
      .example("memref.dma_start %a[%i], %b[%j], %n, %tag[%c0] : memref<4xf32>, "
               "memref<4xf32, 1>, memref<1xi32>")
      .verify(verifyDmaStart)
      .fold(foldCastsIntoOperands);
  d.op("dma_wait")
      .doc("Waits for the transfer of a tag element.")
      .variadicOperand("operands", types::indexOrMemRefOrVector)
      .effects(dmaWaitEffects)
      .syntax(DmaWaitSyntax::parse, DmaWaitSyntax::print)
      .example("memref.dma_wait %tag[%c0], %n : memref<1xi32>")
      .verify(verifyDmaWait)
      .fold(foldCastsIntoOperands);
}

void defineCasts(Dialect& d) {
  constexpr std::string_view format = "$source attr-dict `:` type($source) `to` type($result)";
  d.op<CastOp>("cast")
      .doc("The same memref with more or less known statically.")
      .operand("source", types::anyMemRef)
      .result("result", types::anyMemRef)
      .traits(Trait::Pure | Trait::ViewLike)
      .nameResult("cast")
      .format(format)
      .example("%cast = memref.cast %m : memref<4xf32> to memref<?xf32>")
      .verifyAlone(verifyCast)
      .fold(foldCast);
  d.op("memory_space_cast")
      .doc("The same memref seen in another memory space.")
      .operand("source", types::anyMemRef)
      .result("result", types::anyMemRef)
      .traits(Trait::Pure | Trait::ViewLike)
      .nameResult("memspacecast")
      .format(format)
      .example("%1 = memref.memory_space_cast %0 : memref<16xf32, 1> to memref<16xf32>")
      .verifyAlone(verifyMemorySpaceCast)
      .fold(foldMemorySpaceCast);
  d.op<ReinterpretCastOp>("reinterpret_cast")
      .doc("The buffer of a memref with a new offset, new sizes and new strides.")
      .operand("source", types::anyMemRef)
      .variadicOperand("offsets", types::index)
      .variadicOperand("sizes", types::index)
      .variadicOperand("strides", types::index)
      .result("result", types::anyRankedMemRef)
      .attr("static_offsets", attrs::denseI64)
      .attr("static_sizes", attrs::denseI64)
      .attr("static_strides", attrs::denseI64)
      .traits(Trait::Pure | Trait::ViewLike | Trait::AttrSizedOperandSegments)
      .nameResult("reinterpret_cast")
      .syntax(ReinterpretCastSyntax::parse, ReinterpretCastSyntax::print)
      .example("%reinterpret_cast = memref.reinterpret_cast %m to offset: [%o], sizes: [4], "
               "strides: [1] : memref<*xf32> to memref<4xf32, strided<[1], offset: ?>>")
      .verifyAlone(verifyReinterpretCast)
      .fold(foldReinterpretCast)
      .canonicalize("reinterpret-cast-of-metadata", reinterpretCastOfMetadata)
      .canonicalize("reinterpret-cast-constants", reinterpretCastConstants);
  d.op("assume_alignment")
      .doc("Promises that the memref is aligned to that many bytes.")
      .operand("memref", types::anyMemRef)
      .optionalResult("result", types::anyMemRef)
      .attr("alignment", kPositiveI32)
      .nameResult("assume_align")
      .syntax(AssumeAlignmentSyntax::parse, AssumeAlignmentSyntax::print)
      .example("memref.assume_alignment %m, 64 : memref<4xf32>")
      .verify(verifyAssumeAlignment);
}

void defineViews(Dialect& d) {
  d.op<SubViewOp>("subview")
      .doc("A strided part of a memref; dims of size 1 may be left out of the result.")
      .operand("source", types::anyRankedMemRef)
      .variadicOperand("offsets", types::index)
      .variadicOperand("sizes", types::index)
      .variadicOperand("strides", types::index)
      .result("result", types::anyRankedMemRef)
      .attr("static_offsets", attrs::denseI64)
      .attr("static_sizes", attrs::denseI64)
      .attr("static_strides", attrs::denseI64)
      .traits(Trait::Pure | Trait::ViewLike | Trait::AttrSizedOperandSegments)
      .nameResult("subview")
      .syntax(SubViewSyntax::parse, SubViewSyntax::print)
      .example("%subview = memref.subview %m[%i, 0] [2, 4] [1, 1] : memref<8x4xf32> to "
               "memref<2x4xf32, strided<[4, 1], offset: ?>>")
      .verifyAlone(verifySubView)
      .fold(foldSubView)
      .canonicalize("subview-constant-arguments", subViewConstantArguments)
      .canonicalize("subview-of-cast", subViewOfCast)
      .canonicalize("subview-of-everything", trivialSubView);
  d.op<ViewOp>("view")
      .doc("A memref of another type inside a buffer of bytes.")
      .operand("source", kBytes)
      .operand("byte_shift", types::index)
      .variadicOperand("sizes", types::index)
      .result("result", types::anyRankedMemRef)
      .traits(Trait::Pure | Trait::ViewLike)
      .nameResult("view")
      .format("$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` "
              "type($result)")
      .example("%view = memref.view %m[%c0][%n] : memref<128xi8> to memref<?x4xf32>")
      .verifyAlone(verifyView)
      .fold(foldView)
      .canonicalize("view-constant-sizes", viewConstantSizes);
  d.op<TransposeOp>("transpose")
      .doc("The same buffer with its dims in another order.")
      .operand("in", types::anyRankedMemRef)
      .result("result", types::anyRankedMemRef)
      .attr("permutation", attrs::affineMap)
      .traits(Trait::Pure | Trait::ViewLike)
      .nameResult("transpose")
      .syntax(TransposeSyntax::parse, TransposeSyntax::print)
      .example("%transpose = memref.transpose %m (d0, d1) -> (d1, d0) : memref<4x8xf32> to "
               "memref<8x4xf32, strided<[1, 8]>>")
      .verifyAlone(verifyTranspose)
      .fold(foldTranspose)
      .canonicalize("transpose-of-transpose", composeTransposes);
}

void defineReshapes(Dialect& d) {
  d.op<ExpandShapeOp>("expand_shape")
      .doc("Splits dims: each group of result dims comes from one source dim.")
      .operand("src", types::anyRankedMemRef)
      .variadicOperand("output_shape", types::index)
      .result("result", types::anyRankedMemRef)
      .attr("reassociation", attrs::array)
      .attr("static_output_shape", attrs::denseI64)
      .traits(Trait::Pure | Trait::ViewLike)
      .nameResult("expand_shape")
      .syntax(ExpandShapeSyntax::parse, ExpandShapeSyntax::print)
      .example("%expand_shape = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : "
               "memref<8xf32> into memref<2x4xf32>")
      .verifyAlone(verifyExpandShape)
      .fold(foldReshapeView)
      .canonicalize("expand-of-expand", composeExpandOfExpand)
      .canonicalize("compose-expand-of-collapse", composeExpandOfCollapse);
  d.op<CollapseShapeOp>("collapse_shape")
      .doc("Merges dims: each group of source dims becomes one result dim.")
      .operand("src", types::anyRankedMemRef)
      .result("result", types::anyRankedMemRef)
      .attr("reassociation", attrs::array)
      .traits(Trait::Pure | Trait::ViewLike)
      .nameResult("collapse_shape")
      .syntax(CollapseShapeSyntax::parse, CollapseShapeSyntax::print)
      .example("%collapse_shape = memref.collapse_shape %m [[0, 1]] : memref<2x4xf32> into "
               "memref<8xf32>")
      .verifyAlone(verifyCollapseShape)
      .fold(foldReshapeView)
      .canonicalize("collapse-of-collapse", composeCollapseOfCollapse)
      .canonicalize("collapse-of-expand", composeMixedReshapes);
  d.op("reshape")
      .doc("The same contiguous buffer with the shape that a memref of sizes holds.")
      .operand("source", types::anyMemRef)
      .operand("shape", kShapeOperand)
      .result("result", types::anyMemRef)
      .traits(Trait::ViewLike)
      .effects({{Effect::Read, "shape"}})
      .nameResult("reshape")
      .format("$source `(` $shape `)` attr-dict `:` functional-type(operands, results)")
      .example("%reshape = memref.reshape %m(%shape) : (memref<4xf32>, memref<2xindex>) -> "
               "memref<2x2xf32>")
      .verify(verifyReshape);
}

void defineQueries(Dialect& d) {
  d.op<DimOp>("dim")
      .doc("The size of one dimension; the index must be in bounds.")
      .operand("source", types::anyMemRef)
      .operand("index", types::index)
      .result("result", types::index)
      .effects({})
      .nameResult("dim")
      .format("attr-dict $source `,` $index `:` type($source)")
      .example("%dim = memref.dim %m, %c0 : memref<?xf32>")
      .fold(foldDim)
      .canonicalize("dim-of-reshape", dimOfReshape);
  d.op("rank")
      .doc("The number of dimensions.")
      .operand("memref", types::anyMemRef)
      .result("result", types::index)
      .traits(Trait::Pure)
      .format("$memref attr-dict `:` type($memref)")
      .example("%0 = memref.rank %m : memref<*xf32>")
      .fold(foldRank);
  d.op("extract_strided_metadata")
      .doc("Base buffer, offset, sizes and strides of a memref.")
      .operand("source", types::anyRankedMemRef)
      .result("base_buffer", types::anyRankedMemRef)
      .result("offset", types::index)
      .variadicResult("sizes_and_strides", types::index)
      .traits(Trait::Pure | Trait::ViewLike)
      .nameResults(nameMetadata)
      .format("$source `:` type($source) `->` type(results) attr-dict")
      .example("%base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %m : "
               "memref<?xf32> -> memref<f32>, index, index, index")
      .verify(verifyStridedMetadata)
      .fold(foldCastsIntoOperands)
      .canonicalize("metadata-constants", metadataConstants);
  d.op("extract_aligned_pointer_as_index")
      .doc("The address of the first element as a number.")
      .operand("source", types::anyMemRef)
      .result("aligned_pointer", types::index)
      .traits(Trait::Pure)
      .nameResult("intptr")
      .format("$source `:` type($source) `->` type($aligned_pointer) attr-dict")
      .example("%0 = memref.extract_aligned_pointer_as_index %m : memref<16xf32> -> index");
}

void defineGlobals(Dialect& d) {
  d.op<GlobalOp>("global")
      .doc("A buffer that lives as long as the program.")
      .attr("sym_name", attrs::symbolName)
      .optionalAttr("sym_visibility", attrs::string)
      .attr("type", kMemRefTypeAttr)
      .optionalAttr("initial_value", attrs::any)
      .optionalAttr("constant", attrs::unit)
      .optionalAttr("alignment", attrs::i64)
      .traits(Trait::Symbol)
      .syntax(GlobalSyntax::parse, GlobalSyntax::print)
      .example("memref.global \"private\" constant @c : memref<2xf32> = dense<[1.0, 2.0]>")
      .verify(verifyGlobal);
  d.op<GetGlobalOp>("get_global")
      .doc("The memref of a memref.global.")
      .result("result", types::anyRankedMemRef)
      .attr("name", attrs::flatSymbolRef)
      .traits(Trait::Pure)
      .format("$name `:` type($result) attr-dict")
      .example("memref.global \"private\" constant @c : memref<2xf32> = dense<[1.0, 2.0]>\n"
               "%0 = memref.get_global @c : memref<2xf32>")
      .verify(verifyGetGlobal);
}

}  // namespace

// -- Typed views --------------------------------------------------------------------------------

std::optional<int64_t> AllocLikeOp::alignment() const {
  auto value = op_->attrOf<IntegerAttr>("alignment");
  return value ? std::optional(value.value()) : std::nullopt;
}

static Operation* createAlloc(Builder& builder, Location location, std::string_view name,
                              MemRefType type, std::span<const Value> dynamicSizes) {
  OperationState state(builder.context(), location, name);
  state.addOperands(dynamicSizes);
  int32_t segments[] = {static_cast<int32_t>(dynamicSizes.size()), 0};
  state.setOperandSegments(builder.context(), segments);
  state.resultTypes.push_back(type);
  return builder.create(state);
}

AllocOp AllocOp::create(Builder& builder, Location location, MemRefType type,
                        std::span<const Value> dynamicSizes) {
  return AllocOp(createAlloc(builder, location, "memref.alloc", type, dynamicSizes));
}
AllocaOp AllocaOp::create(Builder& builder, Location location, MemRefType type,
                          std::span<const Value> dynamicSizes) {
  return AllocaOp(createAlloc(builder, location, "memref.alloca", type, dynamicSizes));
}

DeallocOp DeallocOp::create(Builder& builder, Location location, Value memref) {
  return DeallocOp(builder.create(location, "memref.dealloc", {memref}, {}));
}

LoadOp LoadOp::create(Builder& builder, Location location, Value memref,
                      std::span<const Value> indices) {
  OperationState state(builder.context(), location, "memref.load");
  state.operands.push_back(memref);
  state.addOperands(indices);
  state.resultTypes.push_back(elementTypeOrSelf(memref.type()));
  return LoadOp(builder.create(state));
}

StoreOp StoreOp::create(Builder& builder, Location location, Value value, Value memref,
                        std::span<const Value> indices) {
  OperationState state(builder.context(), location, "memref.store");
  state.operands = {value, memref};
  state.addOperands(indices);
  return StoreOp(builder.create(state));
}

CopyOp CopyOp::create(Builder& builder, Location location, Value source, Value target) {
  return CopyOp(builder.create(location, "memref.copy", {source, target}, {}));
}

CastOp CastOp::create(Builder& builder, Location location, Value source, Type type) {
  return CastOp(builder.create(location, "memref.cast", {source}, {type}));
}

DimOp DimOp::create(Builder& builder, Location location, Value source, int64_t index) {
  Value at = builder.constantIndex(location, index);
  return DimOp(builder.create(location, "memref.dim", {source, at}, {builder.indexType()}));
}

MemRefType GlobalOp::type() const {
  return op_->attrOf<TypeAttr>("type").value().cast<MemRefType>();
}

Value viewSource(Value value) {
  return lastOfChain(value, [](Value view) {
    Operation* op = view.definingOp();
    return op && op->hasTrait(Trait::ViewLike) ? op->operand(0) : Value();
  });
}

Value lastOfChain(Value value, FunctionRef<Value(Value)> next) {
  // The value of each step whose number is a power of two is remembered until the next such step.
  Value before;
  for (uint64_t step = 1;; ++step) {
    Value following = next(value);
    if (!following || following == before) return value;
    if ((step & (step - 1)) == 0) before = value;
    value = following;
  }
}

}  // namespace memref

void registerMemRef(Context& context) {
  Dialect d(context, "memref", "Buffers, their accesses and views.");
  memref::defineAllocations(d);
  memref::defineAccesses(d);
  memref::defineAtomics(d);
  memref::defineCasts(d);
  memref::defineViews(d);
  memref::defineReshapes(d);
  memref::defineQueries(d);
  memref::defineGlobals(d);
}

}  // namespace airlite
