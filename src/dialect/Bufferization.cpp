// The bufferization dialect: where tensors meet buffers.
#include "TensorInternal.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/text/Format.hpp"

#include <algorithm>

namespace airlite {

namespace bufferization {
namespace {

// -- Types --------------------------------------------------------------------------------------

/// The tensor that a buffer holds.
Type tensorTypeOf(Type memref) {
  auto type = memref.dynCast<ShapedType>();
  if (!type) return Type();
  if (!type.hasRank()) return UnrankedTensorType::get(type.context(), type.elementType());
  return RankedTensorType::get(type.context(), type.shape(), type.elementType());
}

/// `memref` alone, as older programs write it, or `memref to tensor`; the other way round for
/// to_buffer.
LogicalResult parseConversion(OpParser& parser, FormatValues& values,
                              std::span<const std::string_view> names) {
  Type source, result;
  Location at = parser.location();
  if (failed(parser.parseType(source))) return failure();
  if (parser.parseOptionalKeyword("to")) {
    if (failed(parser.parseType(result))) return failure();
  } else if (names[0] == "buffer") {
    result = tensorTypeOf(source);
  } else {
    result = source;
    source = tensorTypeOf(result);
  }
  if (!source || !result) return parser.emitError(at) << "expected a shaped type";
  values.types(names[0]).push_back(source);
  values.types(names[1]).push_back(result);
  return success();
}

void printConversion(OpPrinter& printer, Operation& op, std::span<const std::string_view>) {
  printer << op.operand(0).type() << " to " << op.result().type();
}

/// to_memref is written with the type of its result only.
void printBufferType(OpPrinter& printer, Operation& op, std::span<const std::string_view>) {
  printer << op.result().type();
}

// -- Verifiers ----------------------------------------------------------------------------------

LogicalResult verifyToTensor(Operation& op) {
  auto wanted = tensorTypeOf(op.operand(0).type()).cast<ShapedType>();
  auto result = op.result().type().cast<ShapedType>();
  bool same = wanted.elementType() == result.elementType() &&
              wanted.hasRank() == result.hasRank() &&
              std::ranges::equal(wanted.shape(), result.shape());
  if (same) return success();
  return op.emitOpError() << "failed to verify that specified tensor type matches buffer type";
}

LogicalResult verifyToBuffer(Operation& op) {
  auto wanted = op.operand(0).type().cast<ShapedType>();
  auto result = op.result().type().cast<ShapedType>();
  bool same = wanted.elementType() == result.elementType() &&
              wanted.hasRank() == result.hasRank() &&
              std::ranges::equal(wanted.shape(), result.shape());
  if (same) return success();
  return op.emitOpError() << "failed to verify that specified buffer type matches tensor type";
}

LogicalResult verifyAllocTensor(Operation& op) {
  auto type = op.result().type().cast<RankedTensorType>();
  OperandRange sizes = op.operandGroup(0u), copy = op.operandGroup(1u);
  if (!copy.empty() && !sizes.empty())
    return op.emitError() << "dynamic sizes not needed when copying a tensor";
  if (copy.empty() && sizes.size() != type.numDynamicDims())
    return op.emitError() << "expected " << type.numDynamicDims() << " dynamic sizes";
  return success();
}

LogicalResult verifyMaterializeResults(Operation& op, bool tensor) {
  if (tensor && op.numResults() != 1)
    return op.emitOpError() << "tensor 'dest' implies exactly one tensor result";
  if (!tensor && op.numResults() != 0)
    return op.emitOpError() << "memref 'dest' implies zero results";
  if (op.hasAttr("restrict") && tensor)
    return op.emitOpError() << "'restrict' is valid only for memref destinations";
  if (op.hasAttr("writable") == tensor)
    return op.emitOpError() << "'writable' must be specified if and only if the destination is of "
                            << "memref type";
  if (tensor && op.result().type() != op.operand(1).type())
    return op.emitOpError() << "result and destination types must match";
  return success();
}

LogicalResult verifyMaterialize(Operation& op) {
  auto source = op.operand(0).type().cast<ShapedType>();
  auto dest = op.operand(1).type().cast<ShapedType>();
  bool tensor = types::anyTensor.accepts(dest);
  if (!tensor && !types::anyMemRef.accepts(dest))
    return op.emitOpError() << "'dest' must be a tensor or a memref";
  if (source.elementType() != dest.elementType())
    return op.emitOpError() << "failed to verify that all of {source, dest} have same element type";
  if (failed(verifyMaterializeResults(op, tensor))) return failure();
  if (!source.hasRank() || !dest.hasRank()) return success();
  if (source.rank() != dest.rank())
    return op.emitOpError() << "rank mismatch between source and destination shape";
  if (!tensor::shapesAgree(source.shape(), dest.shape()))
    return op.emitOpError() << "source/destination shapes are incompatible";
  return success();
}

LogicalResult verifyClone(Operation& op) {
  if (op.operand(0).type() == op.result().type() ||
      memref::CastOp::compatible(op.operand(0).type(), op.result().type()))
    return success();
  return op.emitOpError() << "operand type " << op.operand(0).type() << " and result type "
                          << op.result().type() << " are cast incompatible";
}

LogicalResult verifyDealloc(Operation& op) {
  if (op.operandGroup(0u).size() != op.operandGroup(1u).size())
    return op.emitOpError() << "must have the same number of conditions as memrefs to deallocate";
  if (op.operandGroup(2u).size() != op.numResults())
    return op.emitOpError()
           << "must have the same number of updated conditions (results) as retained operands";
  return success();
}

// -- Effects, folders, rewrites -----------------------------------------------------------------

/// A tensor destination is only a hint where the result may stand.
bool materializeEffects(Operation& op, std::vector<EffectInstance>& effects) {
  if (op.numOperands() == 2 && types::anyMemRef.accepts(op.operand(1).type()))
    effects.push_back({Effect::Write, op.operand(1)});
  return true;
}

bool isToBuffer(const Operation* op) {
  return op && (op->is("bufferization.to_buffer") || op->is("bufferization.to_memref"));
}

/// to_tensor(to_buffer(t)) is t as long as nobody can have written to the buffer: when the two
/// stand side by side.
LogicalResult foldToTensor(Operation& op, std::span<const Attribute>,
                           std::vector<FoldResult>& results) {
  Operation* source = op.operand(0).definingOp();
  if (!isToBuffer(source) || source->next() != &op ||
      source->operand(0).type() != op.result().type())
    return failure();
  results.push_back(source->operand(0));
  return success();
}

/// to_buffer(to_tensor(m)) is m.
LogicalResult foldToBuffer(Operation& op, std::span<const Attribute>,
                           std::vector<FoldResult>& results) {
  Operation* source = op.operand(0).definingOp();
  if (!source || !source->is("bufferization.to_tensor") ||
      source->operand(0).type() != op.result().type())
    return failure();
  results.push_back(source->operand(0));
  return success();
}

/// to_buffer(to_tensor(m)) where the types say more or less of the same buffer.
LogicalResult bufferOfTensor(Operation& op, Rewriter& rewriter) {
  Operation* source = op.operand(0).definingOp();
  if (!source || !source->is("bufferization.to_tensor")) return failure();
  Value buffer = source->operand(0);
  Type wanted = op.result().type();
  if (!memref::CastOp::compatible(buffer.type(), wanted)) return failure();
  rewriter.setBefore(op);
  rewriter.replaceOp(op, memref::CastOp::create(rewriter, op.location(), buffer, wanted).result());
  return success();
}

/// The buffer of a cast tensor is the cast buffer of the tensor.
LogicalResult bufferOfCast(Operation& op, Rewriter& rewriter) {
  auto cast = dynCast<tensor::CastOp>(op.operand(0).definingOp());
  auto source = cast ? cast.source().type().dynCast<RankedTensorType>() : RankedTensorType();
  auto wanted = op.result().type().dynCast<MemRefType>();
  if (!source || !wanted) return failure();
  // A layout of unknown offset and strides leaves room for any buffer.
  auto type = MemRefType::get(op.context(), source.shape(), source.elementType(), wanted.layout(),
                              wanted.memorySpace());
  if (!memref::CastOp::compatible(type, wanted)) return failure();
  rewriter.setBefore(op);
  Operation* buffer = rewriter.create(op.location(), op.name(), {cast.source()}, {type});
  buffer->setAttributes(op.attributes());
  rewriter.replaceOp(
      op, memref::CastOp::create(rewriter, op.location(), buffer->result(), wanted).result());
  return success();
}

/// Ops looked at for one clone before it is left as it is, so that the time per op does not grow
/// with the program.
constexpr unsigned kBudget = 256;

/// The one op that frees `buffer`, a memref.dealloc; null when there is none or another.
Operation* deallocOf(Value buffer) {
  Operation* found = nullptr;
  std::vector<EffectInstance> effects;
  unsigned budget = kBudget;
  for (OpOperand& use : buffer.uses()) {
    if (budget-- == 0) return nullptr;
    effects.clear();
    effectsOf(*use.owner(), effects);
    bool frees = std::ranges::any_of(effects, [&](const EffectInstance& effect) {
      return effect.effect == Effect::Free && effect.value == buffer;
    });
    if (frees && (found || !use.owner()->is("memref.dealloc"))) return nullptr;
    if (frees) found = use.owner();
  }
  return found;
}

bool mayFree(Operation& root, unsigned& budget) {
  std::vector<EffectInstance> effects;
  WalkResult result = root.walkWith([&](Operation& op) {
    if (budget == 0) return WalkResult::Interrupt;
    --budget;
    effects.clear();
    bool known = effectsOf(op, effects) || op.hasTrait(Trait::RecursiveEffects);
    bool frees = std::ranges::any_of(
        effects, [](const EffectInstance& effect) { return effect.effect == Effect::Free; });
    return !known || frees ? WalkResult::Interrupt : WalkResult::Advance;
  });
  return result == WalkResult::Interrupt;
}

/// `dealloc` comes after `clone` in its block, and nothing in between frees anything.
bool isSafelyAfter(Operation* dealloc, Operation& clone) {
  if (!dealloc || dealloc->block() != clone.block() || !clone.isBeforeInBlock(dealloc))
    return false;
  unsigned budget = kBudget;
  for (Operation* at = clone.next(); at != dealloc; at = at->next())
    if (mayFree(*at, budget)) return false;
  return true;
}

/// A clone is its source when one of the two is freed while the other one lives on: neither is
/// written after the clone.
LogicalResult cloneOfFreed(Operation& op, Rewriter& rewriter) {
  Value source = op.operand(0), clone = op.result();
  if (!clone.hasUses()) {
    rewriter.eraseOp(op);
    return success();
  }
  auto from = source.type().dynCast<MemRefType>(), to = clone.type().dynCast<MemRefType>();
  bool sameMemory =
      from && to && from.layout() == to.layout() && from.memorySpace() == to.memorySpace();
  if (source.type() != clone.type() && !sameMemory) return failure();
  Operation* dealloc = deallocOf(clone);
  bool isClones = isSafelyAfter(dealloc, op);
  if (!isClones) dealloc = deallocOf(source);
  if (!isClones && !isSafelyAfter(dealloc, op)) return failure();
  rewriter.eraseOp(*dealloc);
  rewriter.setBefore(op);
  if (source.type() != clone.type())
    source = memref::CastOp::create(rewriter, op.location(), source, clone.type()).result();
  rewriter.replaceOp(op, source);
  return success();
}

LogicalResult allocTensorConstantSizes(Operation& op, Rewriter& rewriter) {
  auto type = op.result().type().cast<RankedTensorType>();
  if (!op.operandGroup(1u).empty()) return failure();
  std::vector<memref::MixedIndex> sizes = memref::mixedIndices(type.shape(), op.operandGroup(0u));
  if (!memref::makeConstantsStatic(sizes)) return failure();
  std::vector<int64_t> shape;
  std::vector<Value> values;
  memref::splitMixed(sizes, shape, values);
  OperandRange hint = op.operandGroup(2u);
  OperationState state(op.location(), op.def());
  state.attributes = NamedAttrList(op.attributes());
  state.addOperands(values);
  state.addOperands(hint);
  int32_t segments[] = {static_cast<int32_t>(values.size()), 0, static_cast<int32_t>(hint.size())};
  state.setOperandSegments(op.context(), segments);
  state.resultTypes.push_back(
      RankedTensorType::get(op.context(), shape, type.elementType(), type.encoding()));
  rewriter.setBefore(op);
  tensor::replaceWithCast(op, rewriter.create(state)->result(), rewriter);
  return success();
}

/// dealloc without anything to give back, or that nobody asks about.
LogicalResult emptyDealloc(Operation& op, Rewriter& rewriter) {
  if (!op.operandGroup(0u).empty() || op.numResults()) return failure();
  rewriter.eraseOp(op);
  return success();
}

// -- Definitions --------------------------------------------------------------------------------

OpDef& toBuffer(OpDef& def) {
  return def.operand("tensor", types::anyTensor)
      .result("buffer", types::anyMemRef)
      .optionalAttr("read_only", attrs::unit)
      .traits(Trait::Pure)
      .verify(verifyToBuffer)
      .fold(foldToBuffer)
      .canonicalize("buffer-of-tensor", bufferOfTensor)
      .canonicalize("buffer-of-cast", bufferOfCast);
}

void defineConversions(Dialect& d) {
  d.op("to_tensor")
      .doc("The elements of a buffer as a tensor. `restrict`: no other op reaches the buffer; "
           "`writable`: it may be written in place.")
      .operand("buffer", types::anyMemRef)
      .result("result", types::anyTensor)
      .optionalAttr("restrict", attrs::unit)
      .optionalAttr("writable", attrs::unit)
      .effects({{Effect::Read, "buffer"}})
      .format("$buffer (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` "
              "custom<BufferConversion>(type($buffer), type($result))")
      .example("%0 = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>")
      .verify(verifyToTensor)
      .fold(foldToTensor);
  toBuffer(d.op("to_buffer"))
      .doc("A buffer that holds the elements of a tensor.")
      .format("$tensor (`read_only` $read_only^)? attr-dict `:` "
              "custom<BufferConversion>(type($tensor), type($buffer))")
      .example("%0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>");
  toBuffer(d.op("to_memref"))
      .doc("The older name of bufferization.to_buffer.")
      .format("$tensor (`read_only` $read_only^)? attr-dict `:` "
              "custom<BufferType>(type($tensor), type($buffer))")
      .example("%0 = bufferization.to_memref %t : memref<4xf32>")
      .legacy = true;
}

void defineTensors(Dialect& d) {
  d.op("alloc_tensor")
      .doc("A new tensor that gets a buffer of its own, with unspecified elements or those of "
           "`copy`.")
      .variadicOperand("dynamic_sizes", types::index)
      .optionalOperand("copy", types::anyRankedTensor)
      .optionalOperand("size_hint", types::index)
      .result("result", types::anyRankedTensor)
      .optionalAttr("memory_space", attrs::any)
      .sameType({"copy", "result"})
      .traits(Trait::AttrSizedOperandSegments)
      .effects({{Effect::Allocate, "result"}})
      .format(
          "`(` $dynamic_sizes `)` (`copy` `(` $copy^ `)`)? (`size_hint` `` `=` `` $size_hint^)? "
          "attr-dict `:` type($result)")
      .example("%0 = bufferization.alloc_tensor(%n) : tensor<?x4xf32>")
      .verify(verifyAllocTensor)
      .canonicalize("alloc-tensor-constant-sizes", allocTensorConstantSizes);
  d.op("dealloc_tensor")
      .doc("The buffer of a tensor is not needed any more.")
      .operand("tensor", types::anyTensor)
      .effects({{Effect::Free, "tensor"}})
      .format("$tensor attr-dict `:` type($tensor)")
      .example("bufferization.dealloc_tensor %t : tensor<4xf32>");
  d.op("materialize_in_destination")
      .doc("Says where the elements of a tensor are to stand; copies them when they do not.")
      .operand("source", types::anyTensor)
      .operand("dest", types::anyShaped)
      .optionalResult("result", types::anyTensor)
      .optionalAttr("restrict", attrs::unit)
      .optionalAttr("writable", attrs::unit)
      .effects(materializeEffects)
      .format("$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict `:` "
              "functional-type(operands, results)")
      .example("bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, "
               "memref<4xf32>) -> ()")
      .verify(verifyMaterialize);
}

void defineBuffers(Dialect& d) {
  d.op("clone")
      .doc("A buffer with the same elements; neither is written after it.")
      .operand("input", types::anyMemRef)
      .result("output", types::anyMemRef)
      .effects({{Effect::Read, "input"}, {Effect::Allocate, "output"}})
      .format("$input attr-dict `:` type($input) `to` type($output)")
      .example("%0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>")
      .verify(verifyClone)
      .canonicalize("clone-of-freed", cloneOfFreed);
  d.op("dealloc")
      .doc("Gives back those buffers whose condition holds and that no retained memref aliases; "
           "says for each retained memref who owns it now.")
      .variadicOperand("memrefs", types::anyMemRef)
      .variadicOperand("conditions", types::i1)
      .variadicOperand("retained", types::anyMemRef)
      .variadicResult("updatedConditions", types::i1)
      .traits(Trait::AttrSizedOperandSegments)
      .effects({{Effect::Free, "memrefs"}})
      .format("(` ` `(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)? "
              "`` custom<Retained>($retained, type($retained), type($updatedConditions)) attr-dict")
      .example("%0 = bufferization.dealloc (%a : memref<4xf32>) if (%c) retain (%b : "
               "memref<4xf32>)")
      .verify(verifyDealloc)
      .canonicalize("dealloc-of-nothing", emptyDealloc);
}

/// `retain (%a : type)`: one i1 for each.
LogicalResult parseRetained(OpParser& parser, FormatValues& values,
                            std::span<const std::string_view>) {
  if (!parser.parseOptionalKeyword("retain")) return success();
  std::vector<UnresolvedOperand>& operands = values.operands("retained");
  if (failed(parser.parse("(")) || failed(parser.parseOperandList(operands)) ||
      failed(parser.parseColonTypeList(values.types("retained"))) || failed(parser.parse(")")))
    return failure();
  values.types("updatedConditions").assign(operands.size(), IntegerType::get(parser.context(), 1));
  return success();
}

void printRetained(OpPrinter& printer, Operation& op, std::span<const std::string_view>) {
  OperandRange retained = op.operandGroup("retained");
  if (retained.empty()) return;
  std::vector<Type> types;
  for (Value value : retained)
    types.push_back(value.type());
  printer << " retain (" << retained << " : ";
  printer.printTypes(types);
  printer << ')';
}

}  // namespace
}  // namespace bufferization

void registerBufferization(Context& context) {
  using namespace bufferization;
  registerCustomDirective({"BufferConversion", parseConversion, printConversion});
  registerCustomDirective({"BufferType", parseConversion, printBufferType});
  registerCustomDirective({"Retained", parseRetained, printRetained});
  Dialect d(context, "bufferization", "Where tensors meet buffers.");
  defineConversions(d);
  defineTensors(d);
  defineBuffers(d);
}

}  // namespace airlite
