// The vector dialect: the definition of each op and attribute, and the accessors of its views.
#include "MemRefInternal.hpp"
#include "VectorInternal.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"

#include <algorithm>

namespace airlite {

namespace vector {
namespace {

constexpr std::string_view kKinds[] = {"add",   "mul",      "minui",   "minsi", "minnumf",
                                       "maxui", "maxsi",    "maxnumf", "and",   "or",
                                       "xor",   "maximumf", "minimumf"};
constexpr std::string_view kIterators[] = {"parallel", "reduction"};
constexpr std::string_view kPunctuation[] = {"no_punctuation", "newline", "comma", "open", "close"};

bool isKeyword(Attribute attr, std::string_view name) {
  auto dialect = attr.dynCast<DialectAttr>();
  return dialect && dialect.name() == name && !dialect.parameters().empty();
}

const AttrConstraint kKind = {"Kind of combining function for contractions and reductions",
                              [](Attribute a) { return isKeyword(a, "vector.kind"); }};
const AttrConstraint kPunctuationAttr = {
    "Punctuation for separating vectors or vector elements",
    [](Attribute a) { return isKeyword(a, "vector.punctuation"); }};
const AttrConstraint kFastMath = {"Floating point fast math flags",
                                  [](Attribute a) { return isKeyword(a, "arith.fastmath"); }};
const AttrConstraint kBools = {
    "1-bit boolean array attribute", [](Attribute a) {
      auto array = a.dynCast<ArrayAttr>();
      return array && std::all_of(array.value().begin(), array.value().end(), [](Attribute b) {
               auto value = b.dynCast<IntegerAttr>();
               return value && value.isBool();
             });
    }};
const AttrConstraint kContractIterators = {
    "array of iterator types", [](Attribute a) {
      auto array = a.dynCast<ArrayAttr>();
      return array && std::all_of(array.value().begin(), array.value().end(), [](Attribute kind) {
               return isKeyword(kind, "vector.iterator_type");
             });
    }};

bool isVector(Type type) { return type.isa<VectorType>(); }
bool isRank1Vector(Type type) { return isVector(type) && type.cast<VectorType>().rank() == 1; }
const TypeConstraint kVector = {"vector of any type values", isVector};
const TypeConstraint kRank1 = {"vector of any type values of ranks 1", isRank1Vector};
const TypeConstraint kRank0Or1 = {"vector of any type values of ranks 0/1", [](Type t) {
                                    return isVector(t) && t.cast<VectorType>().rank() <= 1;
                                  }};
const TypeConstraint kMask = {"vector of 1-bit signless integer values", [](Type t) {
                                return isVector(t) && elementTypeOrSelf(t).isInteger(1);
                              }};
const TypeConstraint kFloatVector = {"vector of floating-point values", [](Type t) {
                                       return isVector(t) && elementTypeOrSelf(t).isFloat();
                                     }};
const TypeConstraint kIndexVector = {"vector of signless integer or index values", [](Type t) {
                                       Type element = elementTypeOrSelf(t);
                                       return isVector(t) &&
                                              (element.isSignlessInteger() || element.isIndex());
                                     }};
const TypeConstraint kStep = {"1-D vector of index values", [](Type t) {
                                return isRank1Vector(t) && elementTypeOrSelf(t).isIndex();
                              }};
const TypeConstraint kShaped = {"memref or ranked tensor", [](Type t) {
                                  return t.isa<MemRefType>() || t.isa<RankedTensorType>();
                                }};

Type elementOf(Type type) { return elementTypeOrSelf(type); }
Type sameTypeAs(Type type) { return type; }

void defineAttributes(Dialect& d) {
  d.attr({"vector.kind", "How elements are combined.", kKinds});
  d.attr({"vector.iterator_type", "The kind of a dimension of a contraction.", kIterators});
  d.attr({"vector.punctuation", "What vector.print ends with.", kPunctuation});
}

// -- Memory -------------------------------------------------------------------------------------

void defineLoads(Dialect& d) {
  d.op<LoadOp>("load")
      .doc("Reads consecutive elements. The first one is at a multiple of `alignment` bytes.")
      .operand("base", types::anyRankedMemRef)
      .variadicOperand("indices", types::index)
      .result("result", kVector)
      .defaultAttr("nontemporal", attrs::boolean, "false")
      .optionalAttr("alignment", attrs::i64)
      .effects({{Effect::Read, "base"}})
      .format("$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)")
      .example("%0 = vector.load %m[%i, %j] : memref<8x16xf32>, vector<8xf32>")
      .verify(verifyLoad)
      .fold(memref::foldCastsIntoOperands);
  d.op<StoreOp>("store")
      .doc("Writes consecutive elements. The first one is at a multiple of `alignment` bytes.")
      .operand("valueToStore", kVector)
      .operand("base", types::anyRankedMemRef)
      .variadicOperand("indices", types::index)
      .defaultAttr("nontemporal", attrs::boolean, "false")
      .optionalAttr("alignment", attrs::i64)
      .effects({{Effect::Write, "base"}})
      .format("$valueToStore `,` $base `[` $indices `]` attr-dict `:` type($base) `,` "
              "type($valueToStore)")
      .example("vector.store %v, %m[%i, %j] : memref<8x16xf32>, vector<8xf32>")
      .verify(verifyStore)
      .fold(memref::foldCastsIntoOperands);
  d.op<TransferReadOp>("transfer_read")
      .doc("Reads a slice; elements out of bounds are the padding.")
      .operand("source", kShaped)
      .variadicOperand("indices", types::index)
      .operand("padding", types::any)
      .optionalOperand("mask", kMask)
      .result("vector", kVector)
      .attr("permutation_map", attrs::affineMap)
      .optionalAttr("in_bounds", kBools)
      .traits(Trait::AttrSizedOperandSegments)
      .effects([](Operation& op, std::vector<EffectInstance>& effects) {
        if (op.operand(0).type().isa<MemRefType>())
          effects.push_back({Effect::Read, op.operand(0)});
        return true;
      })
      .syntax(parseTransferRead, printTransfer)
      .example("%0 = vector.transfer_read %m[%i, %j], %pad {in_bounds = [true]} : "
               "memref<8x16xf32>, vector<8xf32>")
      .verify(verifyTransfer)
      .fold(foldTransfer);
  d.op<TransferWriteOp>("transfer_write")
      .doc("Writes a slice; elements out of bounds are left out.")
      .operand("vector", kVector)
      .operand("source", kShaped)
      .variadicOperand("indices", types::index)
      .optionalOperand("mask", kMask)
      .variadicResult("result", types::anyRankedTensor)
      .attr("permutation_map", attrs::affineMap)
      .optionalAttr("in_bounds", kBools)
      .traits(Trait::AttrSizedOperandSegments)
      .effects([](Operation& op, std::vector<EffectInstance>& effects) {
        if (op.operand(1).type().isa<MemRefType>())
          effects.push_back({Effect::Write, op.operand(1)});
        return true;
      })
      .syntax(parseTransferWrite, printTransfer)
      .example("vector.transfer_write %v, %m[%i, %j] {in_bounds = [true]} : vector<8xf32>, "
               "memref<8x16xf32>")
      .verify(verifyTransfer)
      .fold(foldTransfer);
}

void defineMaskedAccesses(Dialect& d) {
  constexpr std::pair<std::string_view, std::string_view> kLoads[] = {
      {"maskedload", "%0 = vector.maskedload %m[%i], %mask, %others : memref<64xf32>, "
                     "vector<8xi1>, vector<8xf32> into vector<8xf32>"},
      {"expandload", "%0 = vector.expandload %m[%i], %mask, %others : memref<64xf32>, "
                     "vector<8xi1>, vector<8xf32> into vector<8xf32>"}};
  for (auto [name, example] : kLoads)
    d.op<LoadOp>(name)
        .doc("Reads the elements that a mask selects; the others come from `pass_thru`.")
        .operand("base", types::anyRankedMemRef)
        .variadicOperand("indices", types::index)
        .operand("mask", kMask)
        .operand("pass_thru", kVector)
        .result("result", kVector)
        .effects({{Effect::Read, "base"}})
        .format("$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` "
                "type($mask) `,` type($pass_thru) `into` type($result)")
        .example(example)
        .verify(verifyMaskedAccess)
        .fold(memref::foldCastsIntoOperands)
        .canonicalize("known-mask", loadWithKnownMask);
  constexpr std::pair<std::string_view, std::string_view> kStores[] = {
      {"maskedstore",
       "vector.maskedstore %m[%i], %mask, %v : memref<64xf32>, vector<8xi1>, vector<8xf32>"},
      {"compressstore",
       "vector.compressstore %m[%i], %mask, %v : memref<64xf32>, vector<8xi1>, vector<8xf32>"}};
  for (auto [name, example] : kStores)
    d.op(name)
        .doc("Writes the elements that a mask selects.")
        .operand("base", types::anyRankedMemRef)
        .variadicOperand("indices", types::index)
        .operand("mask", kMask)
        .operand("valueToStore", kVector)
        .effects({{Effect::Write, "base"}})
        .format("$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict `:` type($base) "
                "`,` type($mask) `,` type($valueToStore)")
        .example(example)
        .verify(verifyMaskedAccess)
        .fold(memref::foldCastsIntoOperands)
        .canonicalize("known-mask", storeWithKnownMask);
  d.op("gather")
      .doc("Reads elements at positions that a vector holds.")
      .operand("base", kShaped)
      .variadicOperand("indices", types::index)
      .operand("index_vec", kIndexVector)
      .operand("mask", kMask)
      .operand("pass_thru", kVector)
      .result("result", kVector)
      .effects({{Effect::Read, "base"}})
      .format("$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $pass_thru attr-dict `:` "
              "type($base) `,` type($index_vec) `,` type($mask) `,` type($pass_thru) `into` "
              "type($result)")
      .example("%0 = vector.gather %m[%i] [%numbers], %mask, %others : memref<64xf32>, "
               "vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>")
      .verify(verifyGatherScatter);
  d.op("scatter")
      .doc("Writes elements at positions that a vector holds.")
      .operand("base", types::anyRankedMemRef)
      .variadicOperand("indices", types::index)
      .operand("index_vec", kIndexVector)
      .operand("mask", kMask)
      .operand("valueToStore", kVector)
      .effects({{Effect::Write, "base"}})
      .format("$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $valueToStore attr-dict "
              "`:` type($base) `,` type($index_vec) `,` type($mask) `,` type($valueToStore)")
      .example("vector.scatter %m[%i] [%numbers], %mask, %v : memref<64xf32>, vector<8xi32>, "
               "vector<8xi1>, vector<8xf32>")
      .verify(verifyGatherScatter);
}

// -- Elements and slices ------------------------------------------------------------------------

void defineElementOps(Dialect& d) {
  d.op<ExtractOp>("extract")
      .doc("The element or slice at a position.")
      .operand("vector", kVector)
      .variadicOperand("dynamic_position", types::index)
      .result("result", types::any)
      .attr("static_position", attrs::denseI64)
      .traits(Trait::Pure)
      .syntax(parseExtract, printExtract)
      .example("%0 = vector.extract %v[0] : vector<8xf32> from vector<4x8xf32>")
      .verify(verifyExtract)
      .fold(foldExtract)
      .canonicalize("extract-of-broadcast", extractOfBroadcast);
  d.op<InsertOp>("insert")
      .doc("The vector with another element or slice at a position.")
      .operand("source", types::any)
      .operand("dest", kVector)
      .variadicOperand("dynamic_position", types::index)
      .result("result", kVector)
      .attr("static_position", attrs::denseI64)
      .sameType({"dest", "result"})
      .traits(Trait::Pure)
      .syntax(parseInsert, printInsert)
      .example("%0 = vector.insert %row, %v[2] : vector<8xf32> into vector<4x8xf32>")
      .verify(verifyInsert)
      .fold(foldInsert);
  d.op("extractelement")
      .doc("The element of a vector at an index.")
      .operand("vector", kRank0Or1)
      .optionalOperand("position", types::signlessIntOrIndexLike)
      .result("result", types::any)
      .typeFrom("result", "vector", elementOf, "element type of 'vector'")
      .traits(Trait::Pure)
      .format("$vector `[` ($position^ `:` type($position))? `]` attr-dict `:` type($vector)")
      .example("%0 = vector.extractelement %v[%i : index] : vector<8xf32>")
      .verify(verifyElementAccess)
      .fold(foldExtractElement);
  d.op("insertelement")
      .doc("The vector with another element at an index.")
      .operand("source", types::any)
      .operand("dest", kRank0Or1)
      .optionalOperand("position", types::signlessIntOrIndexLike)
      .result("result", kRank0Or1)
      .sameType({"dest", "result"})
      .typeFrom("source", "result", elementOf, "element type of 'result'")
      .traits(Trait::Pure)
      .format("$source `,` $dest `[` ($position^ `:` type($position))? `]` attr-dict `:` "
              "type($result)")
      .example("%0 = vector.insertelement %f, %v[%i : index] : vector<8xf32>")
      .verify(verifyElementAccess);
}

void defineSlices(Dialect& d) {
  d.op("extract_strided_slice")
      .doc("A slice of a vector.")
      .operand("vector", kVector)
      .result("result", kVector)
      .attr("offsets", attrs::i64Array)
      .attr("sizes", attrs::i64Array)
      .attr("strides", attrs::i64Array)
      .traits(Trait::Pure)
      .format("$vector attr-dict `:` type($vector) `to` type($result)")
      .example("%0 = vector.extract_strided_slice %v {offsets = [1, 4], sizes = [2, 4], strides "
               "= [1, 1]} : vector<4x8xf32> to vector<2x4xf32>")
      .verify(verifyExtractSlice)
      .fold(foldExtractSlice)
      .canonicalize("slice-of-broadcast", sliceOfBroadcast);
  d.op("insert_strided_slice")
      .doc("The vector with a slice replaced.")
      .operand("source", kVector)
      .operand("dest", kVector)
      .result("result", kVector)
      .attr("offsets", attrs::i64Array)
      .attr("strides", attrs::i64Array)
      .sameType({"dest", "result"})
      .traits(Trait::Pure)
      .format("$source `,` $dest attr-dict `:` type($source) `into` type($dest)")
      .example("%0 = vector.insert_strided_slice %part, %v {offsets = [1, 4], strides = [1, 1]} "
               ": vector<2x4xf32> into vector<4x8xf32>")
      .verify(verifyInsertSlice)
      .fold(foldInsertSlice);
  d.op("from_elements")
      .doc("A vector of the given elements, in row-major order.")
      .variadicOperand("elements", types::any)
      .result("result", kVector)
      .traits(Trait::Pure)
      .format("$elements attr-dict `:` type($result)")
      .example("%0 = vector.from_elements %a, %b, %c, %d : vector<2x2xf32>")
      .typeFrom("elements", "result", elementOf, "element type of 'result'")
      .verify(verifyFromElements);
}

// -- Shapes -------------------------------------------------------------------------------------

void defineShapeOps(Dialect& d) {
  constexpr std::string_view cast = "$source attr-dict `:` type($source) `to` type($result)";
  d.op<BroadcastOp>("broadcast")
      .doc("Repeats a scalar or vector to a larger shape.")
      .operand("source", types::any)
      .result("result", kVector)
      .traits(Trait::Pure)
      .format(cast)
      .example("%0 = vector.broadcast %f : f32 to vector<4x8xf32>")
      .verify(verifyBroadcast)
      .fold(foldBroadcast);
  d.op<ShapeCastOp>("shape_cast")
      .doc("The same elements in row-major order with another shape.")
      .operand("source", kVector)
      .result("result", kVector)
      .traits(Trait::Pure)
      .format(cast)
      .example("%0 = vector.shape_cast %v : vector<4x8xf32> to vector<32xf32>")
      .verify(verifyShapeCast)
      .fold(foldShapeCast);
  d.op("bitcast")
      .doc("The same bits with another element type.")
      .operand("source", kVector)
      .result("result", kVector)
      .traits(Trait::Pure)
      .format(cast)
      .example("%0 = vector.bitcast %v : vector<8xf32> to vector<16xf16>")
      .verify(verifyBitCast)
      .fold(foldBitCast);
  d.op("transpose")
      .doc("The vector with its dims in another order.")
      .operand("vector", kVector)
      .result("result", kVector)
      .attr("permutation", attrs::denseI64)
      .traits(Trait::Pure)
      .syntax(parseTranspose, printTranspose)
      .example("%0 = vector.transpose %v, [1, 0] : vector<4x8xf32> to vector<8x4xf32>")
      .verify(verifyTranspose)
      .fold(foldTranspose)
      .canonicalize("transpose-of-broadcast", transposeOfBroadcast);
}

void defineRearrangements(Dialect& d) {
  d.op("shuffle")
      .doc("Elements of two vectors, chosen by number.")
      .operand("v1", kVector)
      .operand("v2", kVector)
      .result("vector", kVector)
      .attr("mask", attrs::i64Array)
      .traits(Trait::Pure)
      .syntax(parseShuffle, printShuffle)
      .example("%0 = vector.shuffle %a, %b [0, 4, 1, 5] : vector<4xf32>, vector<4xf32>")
      .verify(verifyShuffle)
      .fold(foldShuffle);
  d.op("splat")
      .doc("A vector of one element repeated.")
      .operand("input", types::intIndexOrFloat)
      .result("aggregate", kVector)
      .typeFrom("input", "aggregate", elementOf, "element type of 'aggregate'")
      .traits(Trait::Pure)
      .format("$input attr-dict `:` type($aggregate)")
      .example("%0 = vector.splat %f : vector<8xf32>")
      .fold(foldSplat);
  d.op("interleave")
      .doc("Elements of two vectors in turn.")
      .operand("lhs", kVector)
      .operand("rhs", kVector)
      .result("result", kVector)
      .sameType({"lhs", "rhs"})
      .traits(Trait::Pure)
      .format("$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)")
      .example("%0 = vector.interleave %a, %b : vector<4xf32> -> vector<8xf32>")
      .verify(verifyInterleave);
  d.op("deinterleave")
      .doc("The even and the odd elements.")
      .operand("source", kVector)
      .result("res1", kVector)
      .result("res2", kVector)
      .sameType({"res1", "res2"})
      .traits(Trait::Pure)
      .nameResults([](Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
        suggest(op.result(0), "res1");
        suggest(op.result(1), "res2");
      })
      .format("$source attr-dict `:` type($source) `->` type($res1)")
      .example("%even, %odd = vector.deinterleave %v : vector<8xf32> -> vector<4xf32>")
      .verify(verifyDeinterleave);
}

// -- Masks and numbers --------------------------------------------------------------------------

void defineMasks(Dialect& d) {
  d.op("constant_mask")
      .doc("A mask that is set up to the given size of each dim.")
      .result("mask", kMask)
      .attr("mask_dim_sizes", attrs::i64Array)
      .traits(Trait::Pure)
      .format("$mask_dim_sizes attr-dict `:` type($mask)")
      .example("%0 = vector.constant_mask [3, 8] : vector<4x8xi1>")
      .verify(verifyConstantMask);
  d.op("create_mask")
      .doc("A mask that is set up to a size of each dim.")
      .variadicOperand("sizes", types::index)
      .result("mask", kMask)
      .traits(Trait::Pure)
      .format("$sizes attr-dict `:` type($mask)")
      .example("%0 = vector.create_mask %rows, %columns : vector<4x8xi1>")
      .verify(verifyCreateMask)
      .canonicalize("mask-of-constants", createMaskOfConstants);
  d.op("step")
      .doc("0, 1, 2, ...")
      .result("result", kStep)
      .traits(Trait::Pure)
      .format("attr-dict `:` type($result)")
      .example("%0 = vector.step : vector<8xindex>");
  d.op("print")
      .doc("Prints a value or a text.")
      .optionalOperand("source", types::any)
      .optionalAttr("punctuation", kPunctuationAttr)
      .optionalAttr("stringLiteral", attrs::any)
      .effects({{Effect::Write, ""}})
      .syntax(parsePrint, printPrint)
      .example("vector.print %v : vector<8xf32>");
  d.op("yield")
      .doc("Hands values to the op around it.")
      .variadicOperand("values", types::any)
      .traits(Trait::Terminator | Trait::ReturnLike | Trait::Pure)
      .format("attr-dict ($values^ `:` type($values))?")
      .example("vector.yield %v : vector<8xf32>");
}

// -- Arithmetic ---------------------------------------------------------------------------------

void defineArithmetic(Dialect& d) {
  d.op<FmaOp>("fma")
      .doc("a * b + c, rounded once.")
      .operand("lhs", kFloatVector)
      .operand("rhs", kFloatVector)
      .operand("acc", kFloatVector)
      .result("result", kFloatVector)
      .sameType({"lhs", "rhs", "acc", "result"})
      .traits(Trait::Pure)
      .format("$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)")
      .example("%0 = vector.fma %a, %b, %c : vector<8xf32>");
  d.op<ContractOp>("contract")
      .doc("A product of vectors, summed up along the reduction dims.")
      .operand("lhs", kVector)
      .operand("rhs", kVector)
      .operand("acc", types::any)
      .result("result", types::any)
      .attr("indexing_maps", attrs::affineMapArray)
      .attr("iterator_types", kContractIterators)
      .optionalAttr("kind", kKind)
      .traits(Trait::Pure)
      .typeFrom("result", "acc", sameTypeAs, "type of 'acc'")
      .syntax(parseContract, printContract)
      .example("%0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
               "affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], "
               "iterator_types = [\"parallel\", \"parallel\", \"reduction\"], kind = "
               "#vector.kind<add>} %a, %b, %c : vector<4x8xf32>, vector<8x16xf32> into "
               "vector<4x16xf32>")
      .verify(verifyContract);
  d.op("outerproduct")
      .doc("All products of elements of two vectors, combined with an accumulator.")
      .operand("lhs", kVector)
      .operand("rhs", types::any)
      .optionalOperand("acc", kVector)
      .result("result", kVector)
      .optionalAttr("kind", kKind)
      .traits(Trait::Pure)
      .syntax(parseOuterProduct, printOuterProduct)
      .example("%0 = vector.outerproduct %a, %b, %c {kind = #vector.kind<add>} : vector<4xf32>, "
               "vector<8xf32>")
      .verify(verifyOuterProduct);
  d.op<ReductionOp>("reduction")
      .doc("All elements combined to one.")
      .operand("vector", kVector)
      .optionalOperand("acc", types::any)
      .result("dest", types::any)
      .attr("kind", kKind)
      .defaultAttr("fastmath", kFastMath, "#arith.fastmath<none>")
      .traits(Trait::Pure)
      .syntax(parseReduction, printReduction)
      .example("%0 = vector.reduction <add>, %v : vector<8xf32> into f32")
      .verify(verifyReduction)
      .canonicalize("one-element", reductionOfOneElement);
  d.op<MultiReductionOp>("multi_reduction")
      .doc("The elements combined along some dims.")
      .operand("source", kVector)
      .operand("acc", types::any)
      .result("dest", types::any)
      .attr("kind", kKind)
      .attr("reduction_dims", attrs::any)
      .traits(Trait::Pure)
      .syntax(parseMultiReduction, printMultiReduction)
      .example("%0 = vector.multi_reduction <add>, %v, %acc [1] : vector<4x8xf32> to "
               "vector<4xf32>")
      .verify(verifyMultiReduction)
      .fold(foldMultiReduction);
}

}  // namespace

// -- Helpers and views --------------------------------------------------------------------------

std::span<const std::string_view> kindNames() { return kKinds; }

Attribute kindAttr(Context& context, std::string_view word) {
  bool known = std::find(std::begin(kKinds), std::end(kKinds), word) != std::end(kKinds);
  return known ? Attribute(DialectAttr::getKeyword(context, "vector.kind", word)) : Attribute();
}

AffineMap minorIdentity(Context& context, unsigned dims, unsigned results) {
  std::vector<AffineExpr> exprs;
  for (unsigned i = dims - std::min(results, dims); i < dims; ++i)
    exprs.push_back(AffineExpr::dim(context, i));
  return AffineMap::get(context, dims, 0, exprs);
}

std::vector<int64_t> integers(Attribute array) {
  std::vector<int64_t> values;
  if (auto dense = array.dynCast<DenseArrayAttr>())
    values.assign(dense.values().begin(), dense.values().end());
  else if (auto list = array.dynCast<ArrayAttr>())
    for (Attribute entry : list.value())
      values.push_back(constantInt(entry).value_or(-1));
  return values;
}

Attribute integerArray(Context& context, std::span<const int64_t> values) {
  std::vector<Attribute> entries;
  for (int64_t value : values)
    entries.push_back(IntegerAttr::get(IntegerType::get(context, 64), value));
  return ArrayAttr::get(context, entries);
}

Type elementAtDepth(VectorType type, size_t depth) {
  if (depth >= type.shape().size()) return type.elementType();
  return VectorType::get(type.context(), type.shape().subspan(depth), type.elementType());
}

Value TransferOp::mask() const {
  OperandRange mask = op_->operandGroup("mask");
  return mask.empty() ? Value() : mask[0];
}

bool TransferOp::isBroadcastDim(unsigned dim) const {
  return permutationMap().result(dim).isConstant(0);
}

bool TransferOp::isInBounds(unsigned dim) const {
  auto flags = op_->attrOf<ArrayAttr>("in_bounds");
  return flags && dim < flags.size() && constantInt(flags[dim]).value_or(0) != 0;
}

bool TransferOp::isAllInBounds() const {
  for (unsigned i = 0; i < vectorType().shape().size(); ++i)
    if (!isInBounds(i)) return false;
  return true;
}

bool TransferOp::isMinorIdentity() const {
  AffineMap map = permutationMap();
  return map == minorIdentity(map.context(), map.numDims(), map.numResults());
}

bool isElementwise(const Operation& op) {
  return op.hasTrait(Trait::Elementwise) || op.is("arith.select") || op.is("vector.fma");
}

bool MultiReductionOp::isReducedDim(unsigned dim) const {
  std::vector<int64_t> dims = integers(op_->attr("reduction_dims"));
  return std::find(dims.begin(), dims.end(), static_cast<int64_t>(dim)) != dims.end();
}

std::vector<int64_t> MultiReductionOp::keptDims() const {
  std::vector<int64_t> kept;
  const auto rank = static_cast<unsigned>(source().type().cast<VectorType>().shape().size());
  for (unsigned dim = 0; dim < rank; ++dim)
    if (!isReducedDim(dim)) kept.push_back(dim);
  return kept;
}

std::string_view ContractOp::kind() const {
  auto kind = op_->attrOf<DialectAttr>("kind");
  return kind ? kind.keyword() : "add";
}

std::vector<AffineMap> ContractOp::indexingMaps() const {
  std::vector<AffineMap> maps;
  for (Attribute map : op_->attrOf<ArrayAttr>("indexing_maps").value())
    maps.push_back(map.cast<AffineMapAttr>().value());
  return maps;
}

ContractOp ContractOp::create(Builder& builder, Location location, Value lhs, Value rhs, Value sum,
                              std::array<unsigned, 2> lhsLoops, std::array<unsigned, 2> rhsLoops) {
  Context& context = builder.context();
  const auto map = [&](std::array<unsigned, 2> loops) {
    const AffineExpr dims[] = {AffineExpr::dim(context, loops[0]),
                               AffineExpr::dim(context, loops[1])};
    return Attribute(AffineMapAttr::get(AffineMap::get(context, 3, 0, dims)));
  };
  const auto iterator = [&](std::string_view word) {
    return Attribute(DialectAttr::getKeyword(context, "vector.iterator_type", word));
  };
  const Attribute maps[] = {map(lhsLoops), map(rhsLoops), map({0, 1})};
  const Attribute kinds[] = {iterator("parallel"), iterator("parallel"), iterator("reduction")};
  return ContractOp(builder.create(
      location, "vector.contract", {lhs, rhs, sum}, {sum.type()},
      {builder.named("indexing_maps", ArrayAttr::get(context, maps)),
       builder.named("iterator_types", ArrayAttr::get(context, kinds)),
       builder.named("kind", DialectAttr::getKeyword(context, "vector.kind", "add"))}));
}

std::vector<std::string_view> ContractOp::iterators() const {
  std::vector<std::string_view> kinds;
  for (Attribute kind : op_->attrOf<ArrayAttr>("iterator_types").value())
    kinds.push_back(kind.cast<DialectAttr>().keyword());
  return kinds;
}

std::vector<int64_t> maskOf(const Operation& op) {
  std::vector<int64_t> numbers;
  for (Attribute number : op.attrOf<ArrayAttr>("mask").value())
    numbers.push_back(number.cast<IntegerAttr>().value());
  return numbers;
}

std::optional<int64_t> rotationOf(const Operation& op) {
  auto mask = op.attrOf<ArrayAttr>("mask");
  auto type = op.operand(0).type().dynCast<VectorType>();
  if (!mask || op.operand(0) != op.operand(1) || !type || type.rank() != 1 ||
      op.result().type() != type)
    return std::nullopt;
  const int64_t lanes = type.dim(0);
  auto from = [&](int64_t lane) {
    return mask[static_cast<size_t>(lane)].cast<IntegerAttr>().value();
  };
  for (int64_t lane = 0; lane < lanes; ++lane)
    if (from(lane) < 0 || from(lane) % lanes != (from(0) + lane) % lanes) return std::nullopt;
  return from(0) % lanes;
}

bool isConcatenation(const Operation& op) {
  auto type = op.operand(0).type().dynCast<VectorType>();
  if (!op.is("vector.shuffle") || !type || type.rank() != 1 || op.operand(1).type() != type)
    return false;
  const std::vector<int64_t> mask = maskOf(op);
  for (size_t lane = 0; lane < mask.size(); ++lane)
    if (mask[lane] != static_cast<int64_t>(lane)) return false;
  return static_cast<int64_t>(mask.size()) == 2 * type.dim(0);
}

std::optional<uint64_t> blendOf(const Operation& op) {
  auto mask = op.attrOf<ArrayAttr>("mask");
  auto type = op.result().type().dynCast<VectorType>();
  if (!mask || !type || type.rank() != 1 || type.dim(0) > 64 || op.operand(0).type() != type ||
      op.operand(1).type() != type)
    return std::nullopt;
  uint64_t second = 0;
  for (int64_t lane = 0; lane < type.dim(0); ++lane) {
    const int64_t from = mask[static_cast<size_t>(lane)].cast<IntegerAttr>().value();
    if (from != lane && from != lane + type.dim(0)) return std::nullopt;
    if (from != lane) second |= uint64_t{1} << lane;
  }
  return second;
}

ExtractOp ExtractOp::create(Builder& builder, Location location, Value source,
                            std::span<const int64_t> position) {
  NamedAttribute attr =
      builder.named("static_position", DenseArrayAttr::getI64(builder.context(), position));
  Type type = elementAtDepth(source.type().cast<VectorType>(), position.size());
  return ExtractOp(builder.create(location, "vector.extract", {source}, {type}, {attr}));
}

}  // namespace vector

void registerVector(Context& context) {
  Dialect d(context, "vector", "Vectors of any rank: accesses, shapes, arithmetic.");
  vector::defineAttributes(d);
  vector::defineLoads(d);
  vector::defineMaskedAccesses(d);
  vector::defineElementOps(d);
  vector::defineSlices(d);
  vector::defineShapeOps(d);
  vector::defineRearrangements(d);
  vector::defineMasks(d);
  vector::defineArithmetic(d);
}

}  // namespace airlite
