// The tensor dialect: the definition of each op, and the builders of its typed views.
#include "IndexLists.hpp"
#include "LinalgInternal.hpp"
#include "TensorInternal.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/text/Format.hpp"

namespace airlite {

namespace tensor {
namespace {

const TypeConstraint kStaticTensor = {"statically shaped tensor of any type values", [](Type t) {
                                        auto tensor = t.dynCast<RankedTensorType>();
                                        return tensor && tensor.hasStaticShape();
                                      }};
const TypeConstraint kDimSource = {"non-0-ranked or unranked tensor", [](Type t) {
                                     auto tensor = t.dynCast<RankedTensorType>();
                                     return t.isa<UnrankedTensorType>() ||
                                            (tensor && tensor.rank() != 0);
                                   }};
const TypeConstraint kNumberTensor = {
    "tensor of signless integer or unsigned integer or signed integer or floating-point values",
    [](Type t) {
      Type element = elementTypeOrSelf(t);
      return types::anyTensor.accepts(t) && (element.isInteger() || element.isFloat());
    }};
const TypeConstraint kIndexTensor = {
    "ranked tensor of signless integer or index values", [](Type t) {
      Type element = elementTypeOrSelf(t);
      return t.isa<RankedTensorType>() && (element.isSignlessInteger() || element.isIndex());
    }};
const TypeConstraint kShapeTensor = {
    "1D tensor of signless integer or index values",
    [](Type t) { return kIndexTensor.accepts(t) && t.cast<RankedTensorType>().rank() == 1; }};
const AttrConstraint kDim = {
    "64-bit signless integer attribute whose value is non-negative",
    [](Attribute a) { return attrs::i64.accepts(a) && a.cast<IntegerAttr>().value() >= 0; },
    AttrSyntax::Integer, attrs::i64.build};

Type elementOf(Type type) { return elementTypeOrSelf(type); }

// -- custom<DimList>($dims): `[0, 2]` -----------------------------------------------------------

LogicalResult parseDimList(OpParser& parser, FormatValues& values,
                           std::span<const std::string_view> names) {
  std::vector<int64_t> dims;
  if (failed(parser.parseList(Delimiter::Square,
                              [&] { return parser.parseInteger(dims.emplace_back()); })))
    return failure();
  values.attributes().set(Identifier::get(parser.context(), names[0]),
                          DenseArrayAttr::getI64(parser.context(), dims));
  return success();
}

void printDimList(OpPrinter& printer, Operation& op, std::span<const std::string_view> names) {
  printer << '[';
  printer.printList(op.attrOf<DenseArrayAttr>(names[0]).values(),
                    [&](int64_t dim) { printer << dim; });
  printer << ']';
}

// -- Definitions, by topic ----------------------------------------------------------------------

void defineCreation(Dialect& d) {
  d.op<EmptyOp>("empty")
      .doc("A tensor whose elements are not said; one operand for each `?` of the type.")
      .variadicOperand("dynamicSizes", types::index)
      .result("result", types::anyRankedTensor)
      .traits(Trait::Pure)
      .format("`(` $dynamicSizes `)` attr-dict `:` type($result)")
      .example("%0 = tensor.empty(%n) : tensor<?x4xf32>")
      .verify(verifyEmpty)
      .canonicalize("empty-constant-sizes", emptyConstantSizes);
  d.op("from_elements")
      .doc("A tensor of the given elements, in row-major order.")
      .variadicOperand("elements", types::any)
      .result("result", kStaticTensor)
      .typeFrom("elements", "result", elementOf, "element type of 'result'")
      .traits(Trait::Pure)
      .nameResult("from_elements")
      .format("$elements attr-dict `:` type($result)")
      .example("%from_elements = tensor.from_elements %a, %b : tensor<2xf32>")
      .verify(verifyFromElements)
      .fold(foldFromElements);
  d.op("generate")
      .doc("A tensor whose elements the body computes from their positions.")
      .variadicOperand("dynamicExtents", types::index)
      .result("result", types::anyRankedTensor)
      .region("body")
      .traits(Trait::RecursiveEffects | Trait::SingleBlock)
      .nameResult("generated")
      .format("$dynamicExtents $body attr-dict `:` type($result)")
      .example("%generated = tensor.generate %n {\n^bb0(%i: index):\n  tensor.yield %f : f32\n} : "
               "tensor<?xf32>")
      .verify(verifyGenerate)
      .canonicalize("generate-constant-sizes", generateConstantSizes);
  d.op("splat")
      .doc("A tensor of equal elements.")
      .operand("input", types::any)
      .variadicOperand("dynamicSizes", types::index)
      .result("aggregate", types::anyRankedTensor)
      .typeFrom("input", "aggregate", elementOf, "element type of 'aggregate'")
      .traits(Trait::Pure)
      .nameResult("splat")
      .format("$input (`[` $dynamicSizes^ `]`)? attr-dict `:` type($aggregate)")
      .example("%splat = tensor.splat %f : tensor<4xf32>")
      .verify(verifySplat)
      .fold(foldSplat);
  d.op("yield")
      .doc("The element that the body of tensor.generate or tensor.pad computes.")
      .operand("value", types::any)
      .traits(Trait::Terminator | Trait::ReturnLike | Trait::Pure)
      .parent({"tensor.generate", "tensor.pad"})
      .format("$value attr-dict `:` type($value)")
      .example("%0 = tensor.generate %n {\n^bb0(%i: index):\n  tensor.yield %i : index\n"
               "} : tensor<?xindex>");
}

void defineElements(Dialect& d) {
  d.op<ExtractOp>("extract")
      .doc("Reads one element; the indices must be in bounds.")
      .operand("tensor", types::anyRankedTensor)
      .variadicOperand("indices", types::index)
      .result("result", types::any)
      .typeFrom("result", "tensor", elementOf, "element type of 'tensor'")
      .effects({})
      .nameResult("extracted")
      .format("$tensor `[` $indices `]` attr-dict `:` type($tensor)")
      .example("%extracted = tensor.extract %t[%i, %j] : tensor<4x4xf32>")
      .verify(verifyExtract)
      .fold(foldExtract)
      .canonicalize("extract-of-generate", extractOfGenerate)
      .canonicalize("extract-of-index-cast", extractOfIndexCast);
  d.op<InsertOp>("insert")
      .doc("The tensor with one element replaced; the indices must be in bounds.")
      .operand("scalar", types::any)
      .operand("dest", types::anyRankedTensor)
      .variadicOperand("indices", types::index)
      .result("result", types::anyRankedTensor)
      .typeFrom("scalar", "dest", elementOf, "element type of 'dest'")
      .sameType({"dest", "result"})
      .effects({})
      .nameResult("inserted")
      .format("$scalar `into` $dest `[` $indices `]` attr-dict `:` type($dest)")
      .example("%inserted = tensor.insert %f into %t[%i, %j] : tensor<4x4xf32>")
      .verify(verifyInsert)
      .fold(foldInsert)
      .canonicalize("insert-of-cast", insertOfCast);
}

OpDef& sliceLists(OpDef& def) {
  return def.variadicOperand("offsets", types::index)
      .variadicOperand("sizes", types::index)
      .variadicOperand("strides", types::index)
      .attr("static_offsets", attrs::denseI64)
      .attr("static_sizes", attrs::denseI64)
      .attr("static_strides", attrs::denseI64)
      .traits(Trait::AttrSizedOperandSegments)
      .canonicalize("slice-constant-arguments", sliceConstantArguments);
}

void defineSlices(Dialect& d) {
  sliceLists(d.op<ExtractSliceOp>("extract_slice").operand("source", types::anyRankedTensor))
      .doc("A strided part of a tensor; dims of size 1 may be left out of the result.")
      .result("result", types::anyRankedTensor)
      .effects({})
      .nameResult("extracted_slice")
      .format("$source `` custom<IndexLists>($offsets, $static_offsets, $sizes, $static_sizes, "
              "$strides, $static_strides) attr-dict `:` type($source) `to` type($result)")
      .example("%extracted_slice = tensor.extract_slice %t[%i, 0] [2, 4] [1, 1] : tensor<8x4xf32> "
               "to tensor<2x4xf32>")
      .verify(verifySlice)
      .fold(foldExtractSlice)
      .canonicalize("extract-slice-of-cast", extractSliceOfCast);
  constexpr std::string_view format =
      "$source `into` $dest `` custom<IndexLists>($offsets, $static_offsets, $sizes, "
      "$static_sizes, $strides, $static_strides) attr-dict `:` type($source) `into` type($dest)";
  sliceLists(d.op<InsertSliceOp>("insert_slice")
                 .operand("source", types::anyRankedTensor)
                 .operand("dest", types::anyRankedTensor))
      .doc("The tensor with a strided part replaced by the source.")
      .result("result", types::anyRankedTensor)
      .sameType({"dest", "result"})
      .effects({})
      .nameResult("inserted_slice")
      .format(format)
      .example("%inserted_slice = tensor.insert_slice %s into %t[%i, 0] [2, 4] [1, 1] : "
               "tensor<2x4xf32> into tensor<8x4xf32>")
      .verify(verifySlice)
      .fold(foldInsertSlice)
      .canonicalize("insert-slice-of-cast", insertSliceOfCast);
  sliceLists(d.op<ParallelInsertSliceOp>("parallel_insert_slice")
                 .operand("source", types::anyRankedTensor)
                 .operand("dest", types::anyRankedTensor))
      .doc("Says which part of a shared output of scf.forall this iteration gives.")
      .effects({{Effect::Write, "dest"}})
      .parent({"scf.forall.in_parallel"})
      .format(format)
      .example("%r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8x4xf32>) {\n"
               "  scf.forall.in_parallel {\n"
               "    tensor.parallel_insert_slice %row into %o[%i, 0] [1, 4] [1, 1] : "
               "tensor<4xf32> into tensor<8x4xf32>\n  }\n}")
      .verify(verifyParallelInsert);
}

void defineCasts(Dialect& d) {
  d.op<CastOp>("cast")
      .doc("The same tensor with more or less known statically.")
      .operand("source", types::anyTensor)
      .result("dest", types::anyTensor)
      .traits(Trait::Pure)
      .nameResult("cast")
      .format("$source attr-dict `:` type($source) `to` type($dest)")
      .example("%cast = tensor.cast %t : tensor<4xf32> to tensor<?xf32>")
      .verify(verifyCast)
      .fold(foldCast)
      .canonicalize("cast-of-cast", castOfCast)
      .canonicalize("cast-of-empty", castOfEmpty)
      .canonicalize("cast-of-extract-slice", castOfExtractSlice);
  d.op("bitcast")
      .doc("The same bits as elements of another type of that width.")
      .operand("source", kNumberTensor)
      .result("dest", kNumberTensor)
      .traits(Trait::Pure)
      .format("$source attr-dict `:` type($source) `to` type($dest)")
      .example("%0 = tensor.bitcast %t : tensor<4xf32> to tensor<4xi32>")
      .verify(verifyBitcast)
      .fold(foldBitcast);
  d.op<DimOp>("dim")
      .doc("The size of one dimension; the index must be in bounds.")
      .operand("source", kDimSource)
      .operand("index", types::index)
      .result("result", types::index)
      .effects({})
      .nameResult("dim")
      .format("attr-dict $source `,` $index `:` type($source)")
      .example("%dim = tensor.dim %t, %c0 : tensor<?xf32>")
      .fold(foldDim)
      .canonicalize("dim-of-reshape", dimOfReshape);
  d.op("rank")
      .doc("The number of dimensions.")
      .operand("tensor", types::anyTensor)
      .result("result", types::index)
      .traits(Trait::Pure)
      .nameResult("rank")
      .format("$tensor attr-dict `:` type($tensor)")
      .example("%rank = tensor.rank %t : tensor<*xf32>")
      .fold(foldRank);
}

void defineReshapes(Dialect& d) {
  d.op("expand_shape")
      .doc("Splits dims into groups of dims.")
      .operand("src", types::anyRankedTensor)
      .variadicOperand("output_shape", types::index)
      .result("result", types::anyRankedTensor)
      .attr("reassociation", attrs::array)
      .attr("static_output_shape", attrs::denseI64)
      .traits(Trait::Pure)
      .nameResult("expanded")
      .format("$src $reassociation `output_shape` custom<IndexLists>($output_shape, "
              "$static_output_shape) attr-dict `:` type($src) `into` type($result)")
      .example("%expanded = tensor.expand_shape %t [[0], [1, 2]] output_shape [%n, 2, 2] : "
               "tensor<?x4xf32> into tensor<?x2x2xf32>")
      .verify(verifyExpandShape)
      .fold(foldReshapeView)
      .canonicalize("compose-reshapes", composeReshapes);
  d.op("collapse_shape")
      .doc("Merges groups of dims into one dim each.")
      .operand("src", types::anyRankedTensor)
      .result("result", types::anyRankedTensor)
      .attr("reassociation", attrs::array)
      .traits(Trait::Pure)
      .nameResult("collapsed")
      .format("$src $reassociation attr-dict `:` type($src) `into` type($result)")
      .example("%collapsed = tensor.collapse_shape %t [[0, 1]] : tensor<?x4xf32> into "
               "tensor<?xf32>")
      .verify(verifyCollapseShape)
      .fold(foldReshapeView)
      .canonicalize("compose-reshapes", composeReshapes)
      .canonicalize("collapse-of-cast", reshapeOfCast);
  d.op("reshape")
      .doc("The elements in row-major order as a tensor of the given shape.")
      .operand("source", types::anyTensor)
      .operand("shape", kShapeTensor)
      .result("result", types::anyTensor)
      .effects({})
      .nameResult("reshape")
      .format("$source `(` $shape `)` attr-dict `:` functional-type(operands, results)")
      .example("%reshape = tensor.reshape %t(%s) : (tensor<4x4xf32>, tensor<1xindex>) -> "
               "tensor<?xf32>")
      .verify(verifyReshape)
      .fold(foldReshape);
}

void defineCombinations(Dialect& d) {
  d.op<PadOp>("pad")
      .doc("Adds elements before and after each dim; the body computes them from their positions.")
      .operand("source", types::anyRankedTensor)
      .variadicOperand("low", types::index)
      .variadicOperand("high", types::index)
      .result("result", types::anyRankedTensor)
      .attr("static_low", attrs::denseI64)
      .attr("static_high", attrs::denseI64)
      .optionalAttr("nofold", attrs::unit)
      .region("region")
      .traits(Trait::AttrSizedOperandSegments | Trait::RecursiveEffects | Trait::SingleBlock)
      .nameResult("padded")
      .format("$source (`nofold` $nofold^)? `low` `` custom<IndexLists>($low, $static_low) `high` "
              "`` custom<IndexLists>($high, $static_high) $region attr-dict `:` type($source) `to` "
              "type($result)")
      .example("%padded = tensor.pad %t low[1, %n] high[1, 0] {\n^bb0(%i: index, %j: index):\n"
               "  tensor.yield %f : f32\n} : tensor<4x4xf32> to tensor<6x?xf32>")
      .verify(verifyPad)
      .fold(foldPad)
      .canonicalize("pad-of-cast", padOfCast)
      .canonicalize("pad-constant-sizes", padConstantSizes)
      .canonicalize("pad-of-nothing", padOfNothing)
      .canonicalize("pad-of-fill", padOfFill);
  d.op("concat")
      .doc("Joins tensors along one dim.")
      .variadicOperand("inputs", types::anyRankedTensor)
      .result("result", types::anyRankedTensor)
      .attr("dim", kDim)
      .effects({})
      .nameResult("concat")
      .format("`dim` `(` $dim `)` $inputs attr-dict `:` functional-type(operands, results)")
      .example("%concat = tensor.concat dim(0) %a, %b : (tensor<3x4xf32>, tensor<1x4xf32>) -> "
               "tensor<4x4xf32>")
      .verify(verifyConcat)
      .fold(foldConcat);
  d.op("gather")
      .doc("Slices of size 1 in the dims listed, at the coordinates that the indices hold.")
      .operand("source", types::anyRankedTensor)
      .operand("indices", kIndexTensor)
      .result("result", types::anyRankedTensor)
      .attr("gather_dims", attrs::denseI64)
      .optionalAttr("unique", attrs::unit)
      .effects({})
      .nameResult("gather")
      .format("$source `[` $indices `]` `gather_dims` `(` custom<DimList>($gather_dims) `)` "
              "(`unique` $unique^)? attr-dict `:` functional-type(operands, results)")
      .example("%gather = tensor.gather %t[%i] gather_dims([0, 2]) unique : (tensor<4x4x4xf32>, "
               "tensor<6x2xindex>) -> tensor<6x1x4x1xf32>")
      .verify(verifyGather);
  d.op("scatter")
      .doc("The destination with slices replaced at the coordinates that the indices hold.")
      .operand("source", types::anyRankedTensor)
      .operand("dest", types::anyRankedTensor)
      .operand("indices", kIndexTensor)
      .result("result", types::anyRankedTensor)
      .attr("scatter_dims", attrs::denseI64)
      .optionalAttr("unique", attrs::unit)
      .sameType({"dest", "result"})
      .effects({})
      .nameResult("scatter")
      .format("$source `into` $dest `[` $indices `]` `scatter_dims` `(` "
              "custom<DimList>($scatter_dims) `)` (`unique` $unique^)? attr-dict `:` "
              "functional-type(operands, results)")
      .example("%scatter = tensor.scatter %s into %t[%i] scatter_dims([0, 2]) unique : "
               "(tensor<6x1x4x1xf32>, tensor<4x4x4xf32>, tensor<6x2xindex>) -> tensor<4x4x4xf32>")
      .verify(verifyScatter);
}

/// pack and unpack lived here before they moved to linalg.
OpDef& packing(OpDef& def, bool padded) {
  def.operand("source", types::anyRankedTensor).operand("dest", types::anyRankedTensor);
  if (padded)
    def.optionalOperand("padding_value", types::any).traits(Trait::AttrSizedOperandSegments);
  def.variadicOperand("inner_tiles", types::index)
      .result("result", types::anyRankedTensor)
      .optionalAttr("outer_dims_perm", attrs::denseI64)
      .attr("inner_dims_pos", attrs::denseI64)
      .attr("static_inner_tiles", attrs::denseI64)
      .sameType({"dest", "result"})
      .effects({})
      .syntax(linalg::parsePack, linalg::printPack)
      .fold(linalg::foldPack);
  def.legacy = true;
  return def;
}

void definePacking(Dialect& d) {
  packing(d.op("pack"), true)
      .doc("The older name of linalg.pack.")
      .nameResult("pack")
      .example("%pack = tensor.pack %t inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %d : "
               "tensor<16x16xf32> -> tensor<2x4x8x4xf32>")
      .verify(linalg::verifyPack);
  packing(d.op("unpack"), false)
      .doc("The older name of linalg.unpack.")
      .nameResult("unpack")
      .example("%unpack = tensor.unpack %d inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %t : "
               "tensor<2x4x8x4xf32> -> tensor<16x16xf32>")
      .verify(linalg::verifyUnpack);
}

}  // namespace

// -- Views --------------------------------------------------------------------------------------

EmptyOp EmptyOp::create(Builder& builder, Location location, std::span<const MixedIndex> sizes,
                        Type element, Attribute encoding) {
  std::vector<int64_t> shape;
  std::vector<Value> values;
  memref::splitMixed(sizes, shape, values);
  Type type[] = {RankedTensorType::get(builder.context(), shape, element, encoding)};
  return EmptyOp(builder.create(location, "tensor.empty", values, type));
}

CastOp CastOp::create(Builder& builder, Location location, Value source, Type type) {
  return CastOp(builder.create(location, "tensor.cast", {source}, {type}));
}

DimOp DimOp::create(Builder& builder, Location location, Value source, int64_t index) {
  Value at = builder.constantIndex(location, index);
  return DimOp(builder.create(location, "tensor.dim", {source, at}, {builder.indexType()}));
}

RankedTensorType SliceView::partType() const {
  Value part = isa<ExtractSliceOp>(op_) ? op_->result() : op_->operand(0);
  return part.type().cast<RankedTensorType>();
}

RankedTensorType SliceView::wholeType() const {
  Value whole = op_->operand(isa<ExtractSliceOp>(op_) ? 0 : 1);
  return whole.type().cast<RankedTensorType>();
}

RankedTensorType SliceView::fullType() const {
  RankedTensorType whole = wholeType();
  return RankedTensorType::get(op_->context(), staticSizes(), whole.elementType(),
                               whole.encoding());
}

std::optional<std::vector<bool>> SliceView::droppedDims() const {
  std::span<const int64_t> full = staticSizes(), part = partType().shape();
  if (!memref::isShapeReduction(full, part)) return std::nullopt;
  std::vector<bool> dropped;
  size_t next = 0;
  for (int64_t size : full) {
    bool kept = next < part.size() && part[next] == size;
    dropped.push_back(!kept);
    next += kept;
  }
  return dropped;
}

ExtractSliceOp ExtractSliceOp::create(Builder& builder, Location location, Value source,
                                      std::span<const MixedIndex> offsets,
                                      std::span<const MixedIndex> sizes,
                                      std::span<const MixedIndex> strides, RankedTensorType type) {
  Context& context = builder.context();
  OperationState state(context, location, "tensor.extract_slice");
  state.operands.push_back(source);
  std::vector<int32_t> segments = {1};
  auto add = [&](std::span<const MixedIndex> list, std::string_view name) {
    std::vector<int64_t> statics;
    std::vector<Value> values;
    memref::splitMixed(list, statics, values);
    segments.push_back(static_cast<int32_t>(values.size()));
    state.addOperands(values);
    state.addAttribute(context, name, DenseArrayAttr::getI64(context, statics));
    return statics;
  };
  add(offsets, "static_offsets");
  std::vector<int64_t> shape = add(sizes, "static_sizes");
  add(strides, "static_strides");
  state.setOperandSegments(context, segments);
  auto whole = source.type().cast<RankedTensorType>();
  state.resultTypes.push_back(
      type ? type : RankedTensorType::get(context, shape, whole.elementType(), whole.encoding()));
  return ExtractSliceOp(builder.create(state));
}

}  // namespace tensor

void registerTensor(Context& context) {
  registerIndexLists();
  registerCustomDirective({"DimList", tensor::parseDimList, tensor::printDimList});
  Dialect d(context, "tensor", "Values with a shape, made and taken apart without memory.");
  tensor::defineCreation(d);
  tensor::defineElements(d);
  tensor::defineSlices(d);
  tensor::defineCasts(d);
  tensor::defineReshapes(d);
  tensor::defineCombinations(d);
  tensor::definePacking(d);
}

}  // namespace airlite
