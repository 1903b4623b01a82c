// The linalg dialect: definitions, and the view of structured ops that everybody works with.
#include "LinalgInternal.hpp"
#include "MemRefInternal.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/support/Bf16Pieces.hpp"

#include <algorithm>
#include <array>

namespace airlite {

namespace linalg {
namespace {

constexpr std::string_view kIteratorNames[] = {"parallel", "reduction", "window"};
constexpr std::string_view kTypeFns[] = {"cast_signed", "cast_unsigned"};
constexpr std::string_view kUnaryFns[] = {"exp",    "log",        "abs",   "ceil", "floor",
                                          "negf",   "reciprocal", "round", "sqrt", "rsqrt",
                                          "square", "tanh",       "erf"};
constexpr std::string_view kBinaryFns[] = {
    "add",        "sub",        "mul",          "div",          "div_unsigned",
    "max_signed", "min_signed", "max_unsigned", "min_unsigned", "powf"};

constexpr std::string_view kElementwiseKinds[] = {
    "exp",        "log",        "abs",          "ceil",         "floor",  "negf",
    "reciprocal", "round",      "sqrt",         "rsqrt",        "square", "tanh",
    "erf",        "add",        "sub",          "mul",          "div",    "div_unsigned",
    "max_signed", "min_signed", "max_unsigned", "min_unsigned", "powf",   "select"};

bool isKeyword(Attribute attr, std::string_view name) {
  auto dialect = attr.dynCast<DialectAttr>();
  return dialect && dialect.name() == name && !dialect.parameters().empty();
}

const AttrConstraint kTypeFn = {"a type function: cast_signed or cast_unsigned",
                                [](Attribute a) { return isKeyword(a, "linalg.type_fn"); }};
const AttrConstraint kUnaryFn = {"a unary function",
                                 [](Attribute a) { return isKeyword(a, "linalg.unary_fn"); }};
const AttrConstraint kBinaryFn = {"a binary function",
                                  [](Attribute a) { return isKeyword(a, "linalg.binary_fn"); }};
const AttrConstraint kElementwiseKind = {"a function of one to three elements", [](Attribute a) {
                                           return isKeyword(a, "linalg.elementwise_kind");
                                         }};
const AttrConstraint kIterators = {
    "Iterator type should be an enum.", [](Attribute a) {
      auto array = a.dynCast<ArrayAttr>();
      return array && std::all_of(array.value().begin(), array.value().end(), [](Attribute kind) {
               return isKeyword(kind, "linalg.iterator_type");
             });
    }};

template <unsigned rank> bool isWindowAttr(Attribute attr) {
  auto values = attr.dynCast<DenseElementsAttr>();
  return values && values.type().elementType().isSignlessInteger(64) && values.type().rank() == 1 &&
         values.type().dim(0) == rank;
}
const AttrConstraint kWindow[] = {
    {"64-bit signless int elements attribute of shape [1]", isWindowAttr<1>},
    {"64-bit signless int elements attribute of shape [2]", isWindowAttr<2>},
    {"64-bit signless int elements attribute of shape [3]", isWindowAttr<3>},
};

void defineAttributes(Dialect& d) {
  d.attr({"linalg.iterator_type", "The kind of a loop.", kIteratorNames});
  d.attr({"linalg.type_fn", "How elements are converted.", kTypeFns});
  d.attr({"linalg.unary_fn", "A function of one element.", kUnaryFns});
  d.attr({"linalg.binary_fn", "A function of two elements.", kBinaryFns});
  d.attr({"linalg.elementwise_kind", "A function of one to three elements.", kElementwiseKinds});
}

// -- Definitions --------------------------------------------------------------------------------

void nameGenericArguments(Region& region, FunctionRef<void(Value, std::string_view)> suggest) {
  StructuredOp op(region.parentOp());
  if (region.empty()) return;
  for (unsigned i = 0; i < region.front().numArguments(); ++i)
    suggest(region.front().argument(i), i < op.numInputs() ? "in" : "out");
}
void nameReduceArguments(Region& region, FunctionRef<void(Value, std::string_view)> suggest) {
  StructuredOp op(region.parentOp());
  if (region.empty()) return;
  for (unsigned i = 0; i < region.front().numArguments(); ++i)
    suggest(region.front().argument(i), i < op.numInputs() ? "in" : "init");
}

/// What structured ops have in common after their operands are declared.
OpDef& structured(OpDef& def) {
  return def.region("region")
      .traits(Trait::SingleBlock | Trait::RecursiveEffects)
      .effects(structuredEffects)
      .fold(memref::foldCastsIntoOperands)
      .canonicalize("empty-operand", eraseEmpty)
      .canonicalize("tensor-casts", foldTensorCasts);
}

OpDef& inputsAndOutputs(OpDef& def) {
  return def.variadicOperand("inputs", types::any)
      .variadicOperand("outputs", types::anyShaped)
      .variadicResult("result_tensors", types::anyRankedTensor)
      .traits(Trait::AttrSizedOperandSegments);
}

void defineNamed(Dialect& d) {
  for (const NamedOp& row : namedOps()) {
    OpDef& def = inputsAndOutputs(d.op(row.mnemonic)).doc(row.doc).example(namedExample);
    structured(def).syntax(parseNamed, printNamed).verify(verifyNamed);
    if (unsigned rank = windowRank(row)) {
      def.optionalAttr("strides", kWindow[rank - 1]);
      def.optionalAttr("dilations", kWindow[rank - 1]);
    }
    if (row.rule == MapRule::Given)
      def.attr(kMapsAttr, attrs::affineMapArray);
    else if (takesMaps(row))
      def.optionalAttr(kMapsAttr, attrs::affineMapArray);
    if (row.inputs == 0) def.attr(kKindAttr, kElementwiseKind);
    if (row.mnemonic == "elemwise_unary") def.optionalAttr("fun", kUnaryFn);
    if (row.mnemonic == "elemwise_binary") def.optionalAttr("fun", kBinaryFn);
    def.optionalAttr("cast", kTypeFn);
    if (row.mnemonic == "copy")
      def.canonicalize("self-copy", eraseSelfCopy).canonicalize("copy-of-fill", foldCopyOfFill);
    if (row.mnemonic == "fill") def.canonicalize("repeated-fill", eraseRepeatedFill);
  }
}

void defineGeneric(Dialect& d) {
  structured(inputsAndOutputs(d.op("generic")))
      .doc("Computes each element of the outputs with its body, once per point of the loops.")
      .attr("indexing_maps", attrs::affineMapArray)
      .attr("iterator_types", kIterators)
      .optionalAttr("doc", attrs::string)
      .optionalAttr("library_call", attrs::string)
      .nameArguments(nameGenericArguments)
      .syntax(parseGeneric, printGeneric)
      .example("linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], "
               "iterator_types = [\"parallel\"]} "
               "ins(%a : memref<4xf32>) outs(%b : memref<4xf32>) {\n"
               "^bb0(%in: f32, %out: f32):\n  linalg.yield %in : f32\n}")
      .verify(verifyStructured)
      .canonicalize("identity-generic", eraseIdentityGeneric);
  structured(d.op("map")
                 .variadicOperand("inputs", types::anyShaped)
                 .operand("init", types::anyShaped)
                 .variadicResult("result", types::anyRankedTensor))
      .doc("Computes each element from the elements at the same place.")
      .nameResult("mapped")
      .nameArguments(nameGenericArguments)
      .syntax(parseMap, printMap)
      .example("%mapped = linalg.map ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%c : "
               "tensor<4x8xf32>)\n  (%x: f32, %y: f32) {\n    %0 = arith.mulf %x, %y : f32\n"
               "    linalg.yield %0 : f32\n  }")
      .verify(verifyMap);
  structured(d.op("reduce")
                 .variadicOperand("inputs", types::anyShaped)
                 .variadicOperand("inits", types::anyShaped)
                 .variadicResult("results", types::anyRankedTensor))
      .doc("Combines the elements along some dims.")
      .attr("dimensions", attrs::denseI64)
      .nameResult("reduced")
      .nameArguments(nameReduceArguments)
      .syntax(parseReduce, printReduce)
      .example("%reduced = linalg.reduce ins(%a : tensor<4x8xf32>) outs(%b : tensor<4xf32>) "
               "dimensions = [1]\n  (%in: f32, %init: f32) {\n"
               "    %0 = arith.addf %in, %init : f32\n    linalg.yield %0 : f32\n  }")
      .verify(verifyReduce);
}

void defineDataMovement(Dialect& d) {
  structured(d.op("transpose")
                 .operand("input", types::anyShaped)
                 .operand("init", types::anyShaped)
                 .variadicResult("result", types::anyRankedTensor))
      .doc("Writes the elements with the dims in another order.")
      .attr("permutation", attrs::denseI64)
      .nameResult("transposed")
      .syntax(parseTranspose, printTranspose)
      .example("%transposed = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%b : "
               "tensor<8x4xf32>) permutation = [1, 0]")
      .verify(verifyTranspose)
      .canonicalize("trivial-transpose", foldTransposes);
  structured(d.op("broadcast")
                 .operand("input", types::anyShaped)
                 .operand("init", types::anyShaped)
                 .variadicResult("result", types::anyRankedTensor))
      .doc("Repeats the elements along new dims.")
      .attr("dimensions", attrs::denseI64)
      .nameResult("broadcasted")
      .syntax(parseBroadcast, printBroadcast)
      .example("%broadcasted = linalg.broadcast ins(%a : tensor<8xf32>) outs(%b : "
               "tensor<4x8xf32>) dimensions = [0]")
      .verify(verifyBroadcast);
  d.op("softmax")
      .doc("exp(x - max) / sum(exp(x - max)) along one dim.")
      .operand("input", types::anyShaped)
      .operand("output", types::anyShaped)
      .variadicResult("result", types::anyRankedTensor)
      .attr("dimension", attrs::i64)
      .effects(inOutEffects)
      .syntax(parseSoftmax, printSoftmax)
      .example("%0 = linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%b : "
               "tensor<4x8xf32>) -> tensor<4x8xf32>")
      .verify(verifySoftmax);
}

void definePacking(Dialect& d) {
  d.op("pack")
      .doc("Cuts a tensor into tiles, filling up the last ones with a padding value.")
      .operand("source", types::anyShaped)
      .operand("dest", types::anyShaped)
      .optionalOperand("padding_value", types::any)
      .variadicOperand("inner_tiles", types::index)
      .variadicResult("result", types::anyRankedTensor)
      .optionalAttr("outer_dims_perm", attrs::denseI64)
      .attr("inner_dims_pos", attrs::denseI64)
      .attr("static_inner_tiles", attrs::denseI64)
      .traits(Trait::AttrSizedOperandSegments)
      .effects(inOutEffects)
      .nameResult("pack")
      .syntax(parsePack, printPack)
      .example("%pack = linalg.pack %t inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %d : "
               "tensor<16x16xf32> -> tensor<2x4x8x4xf32>")
      .verify(verifyPack)
      .fold(foldPack);
  d.op("unpack")
      .doc("Puts the tiles of a packed tensor back together.")
      .operand("source", types::anyShaped)
      .operand("dest", types::anyShaped)
      .variadicOperand("inner_tiles", types::index)
      .variadicResult("result", types::anyRankedTensor)
      .optionalAttr("outer_dims_perm", attrs::denseI64)
      .attr("inner_dims_pos", attrs::denseI64)
      .attr("static_inner_tiles", attrs::denseI64)
      .effects(inOutEffects)
      .nameResult("unpack")
      .syntax(parsePack, printPack)
      .example("%unpack = linalg.unpack %t inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %d "
               ": tensor<2x4x8x4xf32> -> tensor<16x16xf32>")
      .verify(verifyUnpack)
      .fold(foldPack);
}

void defineBodyOps(Dialect& d) {
  d.op("yield")
      .doc("The new elements of the outputs.")
      .variadicOperand("values", types::any)
      .traits(Trait::Terminator | Trait::ReturnLike | Trait::Pure)
      .format("attr-dict ($values^ `:` type($values))?")
      .example("linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> "
               "(i)>], iterator_types = [\"parallel\"]} ins(%a : memref<4xf32>) outs(%b : "
               "memref<4xf32>) {\n^bb0(%in: f32, %out: f32):\n"
               "  %0 = arith.addf %in, %out : f32\n  linalg.yield %0 : f32\n}")
      .verify(verifyYield);
  d.op("index")
      .doc("The position in one of the loops around.")
      .result("result", types::index)
      .attr("dim", attrs::i64)
      .traits(Trait::Pure)
      .format("$dim attr-dict `:` type($result)")
      .example("linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types "
               "= [\"parallel\", \"parallel\"]} outs(%m : memref<4x8xindex>) {\n"
               "^bb0(%out: index):\n  %column = linalg.index 1 : index\n"
               "  linalg.yield %column : index\n}")
      .verify(verifyIndex);
}

// -- Maps of the ops that are neither generic nor in the table ----------------------------------

std::vector<int64_t> dimsAttr(const Operation& op, std::string_view name) {
  auto attr = op.attrOf<DenseArrayAttr>(name);
  if (!attr) return {};
  return {attr.values().begin(), attr.values().end()};
}

unsigned rankOf(Value value) {
  auto type = value.type().dynCast<ShapedType>();
  return type && type.hasRank() ? static_cast<unsigned>(type.rank()) : 0;
}

/// The map that leaves `dropped` out.
AffineMap withoutDims(Context& context, unsigned rank, const std::vector<int64_t>& dropped) {
  std::vector<AffineExpr> results;
  for (unsigned i = 0; i < rank; ++i)
    if (std::find(dropped.begin(), dropped.end(), int64_t(i)) == dropped.end())
      results.push_back(AffineExpr::dim(context, i));
  return AffineMap::get(context, rank, 0, results);
}

AffineMap transposedInput(const Operation& op, unsigned rank) {
  std::vector<AffineExpr> results(rank, AffineExpr::constant(op.context(), 0));
  std::vector<int64_t> permutation = dimsAttr(op, "permutation");
  for (unsigned i = 0; i < permutation.size() && i < rank; ++i)
    if (permutation[i] >= 0 && permutation[i] < static_cast<int64_t>(rank))
      results[static_cast<size_t>(permutation[i])] = AffineExpr::dim(op.context(), i);
  return AffineMap::get(op.context(), rank, 0, results);
}

/// Loops of map, transpose and broadcast go over the output, of reduce over the input.
unsigned movementRank(const Operation& op) {
  if (op.numOperands() == 0) return 0;
  return rankOf(op.operand(op.is("linalg.reduce") ? 0 : op.numOperands() - 1));
}

std::vector<AffineMap> movementMaps(const Operation& op) {
  Context& context = op.context();
  unsigned rank = movementRank(op);
  std::vector<AffineMap> maps(op.numOperands(), AffineMap::identity(context, rank));
  if (maps.empty()) return maps;
  std::vector<int64_t> dims = dimsAttr(op, "dimensions");
  if (op.is("linalg.transpose")) maps[0] = transposedInput(op, rank);
  if (op.is("linalg.broadcast")) maps[0] = withoutDims(context, rank, dims);
  if (op.is("linalg.reduce"))
    for (unsigned i = op.operandGroup(0u).size(); i < maps.size(); ++i)
      maps[i] = withoutDims(context, rank, dims);
  return maps;
}

std::vector<IteratorKind> movementIterators(const Operation& op) {
  std::vector<IteratorKind> kinds(movementRank(op), IteratorKind::Parallel);
  if (op.is("linalg.reduce"))
    for (int64_t dim : dimsAttr(op, "dimensions"))
      if (dim >= 0 && dim < static_cast<int64_t>(kinds.size()))
        kinds[static_cast<size_t>(dim)] = IteratorKind::Reduction;
  return kinds;
}

bool isMovement(const Operation& op) {
  return op.is("linalg.map") || op.is("linalg.reduce") || op.is("linalg.transpose") ||
         op.is("linalg.broadcast");
}

}  // namespace

Attribute iteratorAttr(Context& context, IteratorKind kind) {
  return DialectAttr::getKeyword(context, "linalg.iterator_type", iteratorName(kind));
}
std::string_view iteratorName(IteratorKind kind) {
  return kIteratorNames[static_cast<size_t>(kind)];
}
Attribute iteratorFromText(Context& context, std::string_view text) {
  for (std::string_view name : kIteratorNames)
    if (name == text) return DialectAttr::getKeyword(context, "linalg.iterator_type", text);
  return Attribute();
}

// -- StructuredOp -------------------------------------------------------------------------------

bool StructuredOp::classof(const Operation* op) {
  return op && (op->is("linalg.generic") || isMovement(*op) || findNamedOp(op->name()));
}

StructuredOp asStructured(Operation* op) {
  return StructuredOp::classof(op) ? StructuredOp(op) : StructuredOp();
}

namespace {

bool isExtended(Value value, Value argument) {
  Operation* op = value.definingOp();
  if (value == argument) return true;
  return op && (op->is("arith.extsi") || op->is("arith.extf")) && op->operand(0) == argument;
}

}  // namespace

bool isMultiplyAdd(StructuredOp op) {
  if (op.numInputs() != 2 || op.numOutputs() != 1) return false;
  Operation& last = op.body().back();
  Operation* sum = last.numOperands() == 1 ? last.operand(0).definingOp() : nullptr;
  if (!sum || !(sum->is("arith.addi") || sum->is("arith.addf"))) return false;
  Value out = op.bodyArgument(2);
  const unsigned at = sum->operand(0) == out ? 1 : 0;
  Operation* product = sum->operand(at).definingOp();
  if (sum->operand(1 - at) != out || !product) return false;
  if (!product->is("arith.muli") && !product->is("arith.mulf")) return false;
  Value a = op.bodyArgument(0), b = op.bodyArgument(1);
  auto multiplies = [&](unsigned i, unsigned j) {
    return isExtended(product->operand(i), a) && isExtended(product->operand(j), b);
  };
  return multiplies(0, 1) || multiplies(1, 0);
}

bool keepsNarrowSums(Type a, Type b, Type c) {
  if (a != b || !a.isSignlessInteger() || !c.isSignlessInteger()) return false;
  const unsigned factor = a.bitWidth(), sum = c.bitWidth();
  return (factor == 8 || factor == 16) && (sum == factor || sum == 16);
}

bool isProductOfMatrices(StructuredOp op) { return op.onBuffers() && multipliesMatrices(op); }

bool multipliesRowsByVector(StructuredOp op) {
  if (op.numLoops() != 2 || !isProductOfMatrices(op)) return false;
  const std::vector<AffineMap> maps = op.indexingMaps();
  return maps[0].isIdentity() && maps[1].numResults() == 1 && maps[1].result(0).usesDim(1) &&
         maps[1].isProjectedPermutation();
}

bool multipliesMatrices(StructuredOp op) {
  if (!isMultiplyAdd(op)) return false;
  const std::vector<AffineMap> maps = op.indexingMaps();
  const std::vector<IteratorKind> kinds = op.iterators();
  const std::vector<int64_t> sizes = op.loopSizes();
  auto uses = [&](unsigned operand, unsigned loop) {
    return op->operand(operand).type().isa<ShapedType>() &&
           std::ranges::any_of(maps[operand].results(),
                               [&](AffineExpr index) { return index.usesDim(loop); });
  };
  auto isRowOfAll = [&](unsigned loop) {
    return std::ranges::all_of(maps, [&](const AffineMap& map) {
      return map.numResults() != 0 && map.result(map.numResults() - 1).kind() == AffineKind::Dim &&
             map.result(map.numResults() - 1).position() == loop;
    });
  };
  bool sumsBoth = false, hasOwn[2] = {false, false};
  for (unsigned loop = 0; loop < op.numLoops(); ++loop) {
    if (kinds[loop] == IteratorKind::Parallel && sizes[loop] > 1 && isRowOfAll(loop)) return false;
    if (kinds[loop] == IteratorKind::Reduction)
      sumsBoth = sizes[loop] > 1 && uses(0, loop) && uses(1, loop);
    else if (sizes[loop] > 1 && uses(0, loop) != uses(1, loop) && uses(2, loop))
      hasOwn[uses(1, loop)] = true;
  }
  // One filter for a whole image has no columns.
  const bool hasWindows = !maps[0].isProjectedPermutation() || !maps[1].isProjectedPermutation();
  return sumsBoth && (hasWindows ? hasOwn[0] && hasOwn[1] : hasOwn[0] || hasOwn[1]);
}

int64_t sumDepth(const Operation& op) {
  auto depth = op.attrOf<IntegerAttr>(kSumDepth);
  return depth ? depth.value() : 0;
}

FloatUnit floatUnitOf(const Operation& op) {
  if (op.hasAttr(kBlockFloats)) return FloatUnit::Blocks;
  return sumDepth(op) == 1 ? FloatUnit::OneByOne : FloatUnit::EightAtOnce;
}

UnitSums unitSumsOf(StructuredOp op, FloatUnit unit) {
  constexpr int64_t kDepth = 8, kPieces = 3;  // of a group or a block; all bits of an f32
  if (!isProductOfMatrices(op) || multipliesRowsByVector(op)) return {};
  auto elementOf = [&](unsigned operand) { return elementTypeOrSelf(op->operand(operand).type()); };
  const Type a = elementOf(0), b = elementOf(1), c = elementOf(2);
  if (a.isF32() && b.isF32() && c.isF32())
    return {unit == FloatUnit::EightAtOnce ? kDepth : 1, kPieces, false};
  const bool areNarrow = a.isBF16() && b.isBF16() && (c.isF32() || c.isBF16());
  if (!areNarrow) return {};
  return {unit == FloatUnit::OneByOne ? 1 : kDepth, 0, unit == FloatUnit::Blocks};
}

void setUnitSums(Operation& op, UnitSums sums) {
  if (!sums.depth) return;
  auto i64 = IntegerType::get(op.context(), 64);
  op.setAttr(kSumDepth, IntegerAttr::get(i64, sums.depth));
  if (sums.areBlocks) op.setAttr(kBlockFloats, UnitAttr::get(op.context()));
  if (!sums.pieces) return;
  const std::array<int64_t, 2> counts{sums.pieces, sums.pieces};
  op.setAttr(kBf16Pieces, DenseArrayAttr::getI64(op.context(), counts));
}

unsigned unitFloats(Operation& root) {
  unsigned found = kNoUnitFloats;
  root.walk([&](Operation& op) {
    if (sumDepth(op)) found |= kSumsAtOnce;
    if (op.hasAttr(kBf16Pieces)) found |= sumDepth(op) ? kFactorsInPieces : kNumbersInPieces;
    if (op.hasAttr(kSumLanes)) found |= kSumsInLanes;
    if (op.hasAttr(kBlockFloats)) found |= kFactorsInBlocks;
  });
  return found;
}

std::vector<AffineMap> StructuredOp::indexingMaps() const {
  if (const NamedOp* row = findNamedOp(op_->name())) return namedMaps(*row, *op_);
  return op_->is("linalg.generic") ? givenMaps(*op_) : movementMaps(*op_);
}

std::vector<IteratorKind> StructuredOp::iterators() const {
  if (const NamedOp* row = findNamedOp(op_->name())) return namedIterators(*row, *op_);
  if (!op_->is("linalg.generic")) return movementIterators(*op_);
  std::vector<IteratorKind> kinds;
  auto attr = op_->attrOf<ArrayAttr>("iterator_types");
  for (size_t i = 0; attr && i < attr.size(); ++i) {
    auto kind = attr[i].dynCast<DialectAttr>();
    std::string_view word = kind ? kind.keyword() : std::string_view();
    kinds.push_back(word == "reduction" ? IteratorKind::Reduction
                    : word == "window"  ? IteratorKind::Window
                                        : IteratorKind::Parallel);
  }
  return kinds;
}

Value StructuredOp::bodyArgument(unsigned operand) const {
  return operand < body().numArguments() ? body().argument(operand) : Value();
}

bool StructuredOp::usesIndices() const {
  bool found = false;
  op_->walk([&](Operation& inner) { found |= inner.is("linalg.index"); });
  return found;
}

bool StructuredOp::reduces() const {
  return std::ranges::any_of(iterators(),
                             [](IteratorKind kind) { return kind == IteratorKind::Reduction; });
}

bool StructuredOp::readsOutput(unsigned i) const {
  Value argument = bodyArgument(numInputs() + i);
  return argument && argument.hasUses();
}

bool StructuredOp::onBuffers() const {
  OperandRange all = op_->operands();
  return std::all_of(all.begin(), all.end(), [](Value v) {
    return !v.type().isa<ShapedType>() || v.type().isa<MemRefType>();
  });
}

bool StructuredOp::onTensors() const {
  OperandRange all = op_->operands();
  return std::none_of(all.begin(), all.end(), [](Value v) { return v.type().isa<MemRefType>(); });
}

std::vector<StructuredOp::LoopSource> StructuredOp::loopSources() const {
  std::vector<AffineMap> maps = indexingMaps();
  std::vector<LoopSource> sources;
  auto find = [&](unsigned loop) {
    for (unsigned i = 0; i < maps.size() && i < op_->numOperands(); ++i)
      for (unsigned d = 0; d < maps[i].numResults(); ++d) {
        AffineExpr expr = maps[i].result(d);
        if (expr.kind() != AffineKind::Dim || expr.position() != loop) continue;
        sources.push_back({i, d});
        return true;
      }
    return false;
  };
  unsigned loops = numLoops();
  for (unsigned loop = 0; loop < loops; ++loop)
    if (!find(loop)) return {};
  return sources;
}

std::vector<int64_t> StructuredOp::loopSizes() const {
  std::vector<int64_t> sizes;
  for (LoopSource source : loopSources()) {
    auto type = op_->operand(source.operand).type().dynCast<ShapedType>();
    bool known = type && type.hasRank() && source.dim < type.shape().size();
    sizes.push_back(known ? type.dim(source.dim) : kDynamic);
  }
  return sizes;
}

// -- Effects ------------------------------------------------------------------------------------

/// Tensors are values: only what is done to memrefs is an effect.
bool structuredEffects(Operation& op, std::vector<EffectInstance>& effects) {
  StructuredOp structured(&op);
  auto touch = [&](Effect effect, Value value) {
    bool isBuffer = value.type().isa<MemRefType>() || value.type().isa<UnrankedMemRefType>();
    if (isBuffer) effects.push_back({effect, value});
  };
  for (Value input : structured.inputs())
    touch(Effect::Read, input);
  for (unsigned i = 0; i < structured.numOutputs(); ++i) {
    bool reads = op.region().empty() || structured.readsOutput(i);
    if (reads) touch(Effect::Read, structured.outputs()[i]);
    touch(Effect::Write, structured.outputs()[i]);
  }
  return true;
}

bool inOutEffects(Operation& op, std::vector<EffectInstance>& effects) {
  for (unsigned i = 0; i < op.numOperands() && i < 2; ++i)
    if (op.operand(i).type().isa<MemRefType>())
      effects.push_back({i == 0 ? Effect::Read : Effect::Write, op.operand(i)});
  return true;
}

// -- Creation -----------------------------------------------------------------------------------

std::vector<std::string_view> namedOpNames() {
  std::vector<std::string_view> names;
  for (const NamedOp& row : namedOps())
    names.push_back(row.mnemonic);
  return names;
}

static void addStructuredOperands(OperationState& state, Context& context,
                                  std::span<const Value> inputs, std::span<const Value> outputs) {
  state.addOperands(inputs);
  state.addOperands(outputs);
  int32_t segments[] = {static_cast<int32_t>(inputs.size()), static_cast<int32_t>(outputs.size())};
  state.setOperandSegments(context, segments);
  for (Value output : outputs)
    if (output.type().isa<RankedTensorType>()) state.resultTypes.push_back(output.type());
}

Operation* createTranspose(Builder& builder, Location location, Value input, Value output,
                           std::span<const int64_t> permutation) {
  OperationState state(builder.context(), location, "linalg.transpose");
  state.operands = {input, output};
  state.addAttribute(builder.context(), "permutation",
                     DenseArrayAttr::getI64(builder.context(), permutation));
  if (output.type().isa<RankedTensorType>()) state.resultTypes.push_back(output.type());
  Block& body = state.addRegion().addBlock(builder.context());
  for (Value operand : state.operands)
    body.addArgument(elementTypeOrSelf(operand.type()), location);
  Builder::atEnd(body).create(location, "linalg.yield", {body.argument(0)}, {});
  return builder.create(state);
}

std::vector<int64_t> inversePermutation(std::span<const int64_t> permutation) {
  std::vector<int64_t> places(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i)
    places[static_cast<size_t>(permutation[i])] = static_cast<int64_t>(i);
  return places;
}

Operation* createNamedOp(Builder& builder, Location location, std::string_view opName,
                         std::span<const Value> inputs, std::span<const Value> outputs,
                         std::span<const NamedAttribute> attributes) {
  const NamedOp* row = findNamedOp(opName);
  if (!row) return nullptr;
  OperationState state(builder.context(), location, opName);
  addStructuredOperands(state, builder.context(), inputs, outputs);
  for (const NamedAttribute& attr : attributes)
    state.attributes.set(attr.name, attr.value);
  if (failed(buildNamedBody(builder.context(), location, *row, state.attributes, state.operands,
                            state.addRegion())))
    return nullptr;
  return builder.create(state);
}

StructuredOp createGeneric(Builder& builder, Location location, std::span<const Value> inputs,
                           std::span<const Value> outputs, std::span<const AffineMap> maps,
                           std::span<const IteratorKind> iterators) {
  Context& context = builder.context();
  OperationState state(context, location, "linalg.generic");
  addStructuredOperands(state, context, inputs, outputs);
  std::vector<Attribute> mapAttrs, kinds;
  for (AffineMap map : maps)
    mapAttrs.push_back(AffineMapAttr::get(map));
  for (IteratorKind kind : iterators)
    kinds.push_back(iteratorAttr(context, kind));
  state.addAttribute(context, "indexing_maps", ArrayAttr::get(context, mapAttrs));
  state.addAttribute(context, "iterator_types", ArrayAttr::get(context, kinds));
  Block& body = state.addRegion().addBlock(context);
  for (Value operand : state.operands)
    body.addArgument(elementTypeOrSelf(operand.type()), location);
  return StructuredOp(builder.create(state));
}

StructuredOp createGeneric(Builder& builder, StructuredOp op) {
  StructuredOp generic = createGeneric(builder, op->location(), op.inputs().vec(),
                                       op.outputs().vec(), op.indexingMaps(), op.iterators());
  copyDialectAttributes(op, generic);
  copyBody(op, generic);
  return generic;
}

void copyBody(StructuredOp from, StructuredOp made, IRMapping mapping) {
  for (unsigned i = 0; i < from->numOperands(); ++i)
    if (Value element = from.bodyArgument(i)) mapping.map(element, made.bodyArgument(i));
  Builder inside = Builder::atEnd(made.body());
  for (Operation& inner : from.body().ops())
    inside.clone(inner, mapping);
}

void copyDialectAttributes(StructuredOp from, StructuredOp made) {
  for (const NamedAttribute& attr : from->attributes().value())
    if (attr.name.str().find('.') != std::string_view::npos)
      made->setAttr(attr.name.str(), attr.value);
}

std::vector<int64_t> PackView::innerDims() const { return dimsAttr(*op_, "inner_dims_pos"); }
std::vector<int64_t> PackView::innerTiles() const { return dimsAttr(*op_, "static_inner_tiles"); }
std::vector<int64_t> PackView::outerPermutation() const {
  std::vector<int64_t> permutation = dimsAttr(*op_, "outer_dims_perm");
  // Only pack has a padding value.
  bool packs = op_->def().operandIndex("padding_value") >= 0;
  auto unpacked = (packs ? source() : dest()).type().cast<ShapedType>();
  if (permutation.empty())
    for (int64_t i = 0; i < unpacked.rank(); ++i)
      permutation.push_back(i);
  return permutation;
}

}  // namespace linalg

void registerLinalg(Context& context) {
  Dialect d(context, "linalg", "Structured computations on tensors and memrefs.");
  linalg::defineAttributes(d);
  linalg::defineBodyOps(d);
  linalg::defineGeneric(d);
  linalg::defineDataMovement(d);
  linalg::definePacking(d);
  linalg::defineNamed(d);
}

}  // namespace airlite
