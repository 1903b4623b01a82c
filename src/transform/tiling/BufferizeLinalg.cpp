// air-bufferize-linalg, one-shot-bufferize: linalg ops on tensors become linalg ops on buffers.
//
// Matches functions of one block whose tensors are arguments, results, made by
// tensor.empty, bufferization.alloc_tensor, a constant, ops of the tensor dialect that view, cut or put
// together (cast, extract_slice, insert_slice, collapse_shape, expand_shape, reshape between known shapes, pad by a number, concat)
// or say what each element is (splat, generate, gather, from_elements of up to 16 elements),
// elementwise ops of other dialects (arith.addf of two tensors), packs and unpacks, or linalg ops, and used by these,
// tensor.extract, also in the body of a linalg op, and the return. bufferization.to_tensor is a tensor whose buffer is known, which is written in
// place if it is `writable`; materialize_in_destination is a copy of the buffer, to_buffer the
// buffer itself if it is `read_only` or nothing else uses the tensor, which the function has made, else a
// copy. A constant of one number is a fill, another one a
// constant global of the module. Arguments and results become memrefs; each result of a linalg op is
// a buffer: that of its output when nothing else uses the tensor and the function has made it in the
// same block, else a new one, into which the output is copied when the op reads it (filled, where the output is
// one number). Arguments are
// never written. A tensor that an scf.for carries is one buffer for all of its rounds, into which each round
// copies what it hands on, unless it has computed it there. Buffers that are not returned are freed at the
// end of the block that makes them.
//
// Declines, with a remark at the op that stands in the way: other ops on tensors, tensors that go
// into or out of another loop or a branch as its values, and open sizes at all ops but arguments, results, tensor.empty, tensor.dim,
// linalg ops and elementwise ones. one-shot-bufferize,
// which programs from other tools name, has the options of the pass of MLIR of this name. It fails
// where the other one declines, and leaves tensors that are arguments or results to
// `bufferize-function-boundaries`.
#include "StructuredTensors.hpp"
#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/dialect/Tensor.hpp"
#include "airlite/dialect/Vector.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace airlite {

using tensor::isTensor;
using tensor::usesTensors;

namespace {

MemRefType bufferType(Type tensor) {
  auto type = tensor.cast<RankedTensorType>();
  return MemRefType::get(tensor.context(), type.shape(), type.elementType());
}

/// In the memory that a block may allocate: L1 in a herd, L2 in a segment.
MemRefType bufferTypeIn(Block& block, Type tensor) {
  Operation* level = block.parentOp();
  while (level && !isa<air::HerdOp>(level) && !isa<air::SegmentOp>(level))
    level = level->parentOp();
  const MemRefType type = bufferType(tensor);
  if (!level) return type;
  const auto memory = isa<air::HerdOp>(level) ? air::MemoryLevel::L1 : air::MemoryLevel::L2;
  return type.withMemorySpace(
      IntegerAttr::get(IntegerType::get(tensor.context(), 32), static_cast<int64_t>(memory)));
}

std::vector<Type> bufferTypes(std::span<const Type> types) {
  std::vector<Type> all;
  for (Type type : types)
    all.push_back(isTensor(type) ? bufferType(type) : type);
  return all;
}

/// A constant tensor of one number.
Attribute splatOf(Operation& op) {
  auto elements = op.attrOf<DenseElementsAttr>("value");
  return op.is("arith.constant") && elements && elements.isSplat() ? elements.splatValue()
                                                                   : Attribute();
}

bool isConstant(const Operation& op) {
  return op.is("arith.constant") && op.attrOf<DenseElementsAttr>("value");
}

bool isKnownShape(Type type) {
  auto tensor = type.dynCast<RankedTensorType>();
  return !isTensor(type) || (tensor && tensor.hasStaticShape());
}

bool isMaterialize(const Operation& op) {
  return op.is("bufferization.materialize_in_destination");
}
bool isToBuffer(const Operation& op) {
  return op.is("bufferization.to_buffer") || op.is("bufferization.to_memref");
}

/// An op between tensors and buffers, or a tensor without a content.
bool isBufferOp(const Operation& op) {
  return op.is("bufferization.to_tensor") || op.is("bufferization.alloc_tensor") ||
         isToBuffer(op) || (isMaterialize(op) && op.operand(1).type().isa<MemRefType>());
}

bool isReshape(const Operation& op) {
  return op.is("tensor.collapse_shape") || op.is("tensor.expand_shape");
}

/// Ops of the tensor dialect that view, cut or put together.
bool isTensorOp(const Operation& op) {
  return isa<tensor::ExtractSliceOp>(&op) || isa<tensor::InsertSliceOp>(&op) ||
         isa<tensor::PadOp>(&op) || op.is("tensor.concat") || isReshape(op);
}

/// The number that a tensor.pad puts around; null when its body computes it.
Value paddingOf(Operation& op) {
  Block& body = op.region().front();
  const Value number = body.back().operand(0);
  Operation* made = number.definingOp();
  const bool isArgument = !made && number.parentBlock() == &body;
  if (isArgument || (made && made->block() == &body && !made->hasTrait(Trait::ConstantLike)))
    return {};
  return number;
}

std::string_view obstacleAtTensorOp(Operation& op) {
  if (op.is("tensor.pad") && !paddingOf(op))
    return "stays on tensors: what it puts around is computed";
  if (op.is("tensor.pad"))
    for (const auto& list : {tensor::PadOp(&op).low(), tensor::PadOp(&op).high()})
      for (const memref::MixedIndex& size : list)
        if (!size.isConstant() || size.constant < 0)
          return "stays on tensors: a size is not known, or negative";
  return {};
}

/// arith.addf of two tensors, and others that say so of themselves.
bool isElementwise(const Operation& op) {
  return vector::isElementwise(op) && op.numResults() == 1 &&
         op.result().type().isa<RankedTensorType>();
}

/// What a linalg op reads in its body, at any depth, is changed with the body.
bool isInLinalgBody(const Operation& op) {
  for (Operation* around = op.parentOp(); around; around = around->parentOp())
    if (linalg::asStructured(around)) return true;
  return false;
}

/// The op itself, and those in its regions.
std::vector<Operation*> extractsIn(Operation& op) {
  std::vector<Operation*> extracts;
  op.walk([&](Operation& inner) {
    if (inner.is("tensor.extract")) extracts.push_back(&inner);
  });
  return extracts;
}

/// The end of the body of an scf.for.
bool endsRound(Operation& op) { return isa<scf::YieldOp>(&op) && isa<scf::ForOp>(op.parentOp()); }

bool isPacking(const Operation& op) {
  return op.is("linalg.pack") || op.is("linalg.unpack") || op.is("tensor.pack") ||
         op.is("tensor.unpack");
}

/// An op without a body that writes all of its second operand.
bool isIntoDestination(const Operation& op) { return op.is("linalg.softmax") || isPacking(op); }

std::string_view nameOnBuffers(const Operation& op) {
  if (op.is("tensor.pack")) return "linalg.pack";
  return op.is("tensor.unpack") ? "linalg.unpack" : op.name();
}

/// Whether sizes of its results that are not known are those of its operands.
bool takesOpenSizes(Operation& op) {
  return linalg::asStructured(&op) || op.is("linalg.softmax") || isa<func::ReturnOp>(&op) ||
         isa<tensor::EmptyOp>(&op) || op.is("tensor.dim") || op.is("tensor.extract") ||
         isElementwise(op);
}

bool hasOpenSizes(Operation& op) {
  const auto isOpen = [](Value value) { return !isKnownShape(value.type()); };
  return std::ranges::any_of(op.operands(), isOpen) ||
         std::ranges::any_of(op.resultValues(), isOpen);
}

/// Empty when the buffers of `op`, an op with tensors, can be said.
std::string_view obstacleAt(Operation& op) {
  if (!takesOpenSizes(op) && hasOpenSizes(op)) return "stays on tensors: a size is not known";
  // The body of a tensor.pad ends with a number.
  if (op.hasTrait(Trait::Terminator) && !isa<func::ReturnOp>(&op) && !endsRound(op))
    return "stays on tensors: it takes tensors out of a loop or a branch";
  if (op.is("bufferization.to_tensor") && !op.hasAttr("restrict"))
    return "stays on tensors: other ops may write to the buffer, it is not 'restrict'";
  if (op.is("bufferization.alloc_tensor") && op.numOperands() != 0)
    return "stays on tensors: it has a copy or a size hint";
  if (isTensorOp(op)) return obstacleAtTensorOp(op);
  const bool isKnown = isa<tensor::CastOp>(&op) || isConstant(op) || isBufferOp(op) ||
                       takesOpenSizes(op) || isPacking(op) || isa<scf::ForOp>(&op) || endsRound(op);
  return isKnown ? std::string_view() : "stays on tensors: no buffers are known for it";
}

/// The loop without the tensors that it carried; nothing uses them any more.
void dropTensors(scf::ForOp loop) {
  Builder builder = Builder::before(*loop.op());
  std::vector<Value> inits;
  for (Value init : loop.initArgs())
    if (!isTensor(init.type())) inits.push_back(init);
  if (inits.size() == loop.numIterArgs()) return;
  auto made = scf::ForOp::create(builder, loop->location(), loop.lowerBound(), loop.upperBound(),
                                 loop.step(), inits);
  loop.inductionVar().replaceAllUsesWith(made.inductionVar());
  for (unsigned i = 0, next = 0; i < loop.numIterArgs(); ++i) {
    if (isTensor(loop.initArgs()[i].type())) continue;
    loop.regionIterArg(i).replaceAllUsesWith(made.regionIterArg(next));
    loop->result(i).replaceAllUsesWith(made->result(next++));
  }
  for (const NamedAttribute& attr : loop->attributes().value())
    if (!made->hasAttr(attr.name.str())) made->setAttr(attr.name.str(), attr.value);
  if (inits.empty()) loop.body().back().erase();  // the new loop has an end
  Operation* end = made.body().empty() ? nullptr : &made.body().back();
  if (!loop.body().empty()) made.body().splice(end, loop.body(), &loop.body().front());
  loop->erase();
}

/// The tensor of the loop around whose buffer takes result `i` at once: the round hands the result on, and
/// this op alone reads the tensor, each element when it writes this one. Null: there is none.
Value handedOnIn(linalg::StructuredOp op, unsigned i) {
  const Value result = op->result(i);
  Operation* yield = result.hasOneUse() ? (*result.uses().begin()).owner() : nullptr;
  if (!yield || yield->block() != op->block() || !endsRound(*yield) || op.readsOutput(i)) return {};
  const Value tensor =
      scf::ForOp(yield->parentOp()).regionIterArg((*result.uses().begin()).index());
  const std::vector<AffineMap> maps = op.indexingMaps();
  const AffineMap written = maps[op.numInputs() + i];
  const bool isByElement =
      op.numOutputs() == 1 && written.isPermutation() && tensor.type() == result.type();
  const bool isReadSo = std::ranges::all_of(tensor.uses(), [&](OpOperand& use) {
    return use.owner() == op.op() && use.index() < op.numInputs() && maps[use.index()] == written;
  });
  return isByElement && isReadSo ? tensor : Value();
}

/// Anything but a tensor, or a tensor of one number.
bool isNumber(Value value) {
  Operation* made = value.definingOp();
  return !isTensor(value.type()) || (made && splatOf(*made));
}

/// The body of the linalg.generic that does what the elementwise `op` does.
void writeBody(linalg::StructuredOp made, Operation& op) {
  Builder body = Builder::atEnd(made.body());
  OperationState state(op.location(), op.def());
  unsigned next = 0;
  for (Value operand : op.operands()) {
    if (!isNumber(operand))
      state.operands.push_back(made.bodyArgument(next++));
    else if (isTensor(operand.type()))
      state.operands.push_back(body.constant(op.location(), splatOf(*operand.definingOp())));
    else
      state.operands.push_back(operand);
  }
  state.resultTypes = {elementTypeOrSelf(op.result().type())};
  state.attributes = NamedAttrList(op.attributes());
  body.create(op.location(), "linalg.yield", {body.create(state)->result()}, {});
}

/// Of a tensor or a buffer.
Value sizeOf(Builder& builder, std::string_view dimOp, Value shaped, size_t dim) {
  const Value number = builder.constantIndex(shaped.location(), static_cast<int64_t>(dim));
  return builder.create(shaped.location(), dimOp, {shaped, number}, {builder.indexType()})
      ->result();
}

/// linalg.generic in the place of an elementwise op.
void makeStructured(Operation& op) {
  Builder builder = Builder::before(op);
  const Type type = op.result().type();
  std::vector<Value> inputs, sizes;
  for (Value operand : op.operands())
    if (!isNumber(operand)) inputs.push_back(operand);
  const auto shape = type.cast<RankedTensorType>().shape();
  for (size_t i = 0; i < shape.size() && !inputs.empty(); ++i)
    if (shape[i] == kDynamic) sizes.push_back(sizeOf(builder, "tensor.dim", inputs[0], i));
  const Value result =
      builder.create(op.location(), "tensor.empty", sizes, std::span(&type, 1))->result();
  const auto rank = static_cast<unsigned>(type.cast<RankedTensorType>().rank());
  const std::vector<AffineMap> maps(inputs.size() + 1,
                                    AffineMap::identity(builder.context(), rank));
  const std::vector<linalg::IteratorKind> kinds(rank, linalg::IteratorKind::Parallel);
  auto made =
      linalg::createGeneric(builder, op.location(), inputs, std::span(&result, 1), maps, kinds);
  writeBody(made, op);
  op.result().replaceAllUsesWith(made->result());
  op.erase();
}

void makeStructured(func::FuncOp function) {
  std::vector<Operation*> ops;
  function->walk([&](Operation& op) {
    if (isElementwise(op)) ops.push_back(&op);
  });
  for (Operation* op : ops)
    makeStructured(*op);
}

/// What each element of the tensor is, where a linalg.fill or a constant has made it; null: they differ.
Value numberIn(Builder& builder, Value tensor) {
  Operation* made = tensor.definingOp();
  if (!made) return {};
  if (made->is("linalg.fill")) return made->operand(0);
  const Attribute number = splatOf(*made);
  return number ? builder.constant(made->location(), number) : Value();
}

/// Each user of a filled tensor has a buffer that is filled for it.
void eraseUnreadFills(Operation& alloc) {
  std::vector<Operation*> fills;
  for (OpOperand& use : alloc.result().uses()) {
    if (!use.owner()->is("linalg.fill")) return;
    fills.push_back(use.owner());
  }
  for (Operation* fill : fills)
    fill->erase();
}

/// The part of `buffer`, that of the whole tensor, that a slice is about.
Value partOf(Builder& builder, tensor::SliceView slice, Value buffer) {
  const auto full =
      memref::SubViewOp::inferType(buffer.type().cast<MemRefType>(), slice.staticOffsets(),
                                   slice.staticSizes(), slice.staticStrides());
  std::vector<int64_t> shape, strides;
  const auto form = full.stridedForm();
  const auto dropped = slice.droppedDims();
  for (size_t i = 0; i < static_cast<size_t>(full.rank()); ++i) {
    if (dropped && (*dropped)[i]) continue;
    shape.push_back(full.dim(i));
    strides.push_back(form->strides[i]);
  }
  Context& context = builder.context();
  const auto type =
      MemRefType::get(context, shape, full.elementType(),
                      StridedLayoutAttr::get(context, form->offset, strides), full.memorySpace());
  return memref::SubViewOp::create(builder, slice->location(), buffer, slice.offsets(),
                                   slice.sizes(), slice.strides(), type)
      .result();
}

/// One class: each kind of op reads and adds to the buffers of the tensors that came before it.
class Bufferization {
 public:
  explicit Bufferization(func::FuncOp function) : function_(function) {}

  void run() {
    changeArguments();
    std::vector<Operation*> ops;
    function_->walk(
        [&](Operation& op) {
          if (usesTensors(op) && !isInLinalgBody(op)) ops.push_back(&op);
        },
        WalkOrder::PreOrder);
    for (Operation* op : ops)
      change(*op);
    for (size_t i = ops.size(); i-- > 0;) {
      if (isa<scf::ForOp>(ops[i]))
        dropTensors(scf::ForOp(ops[i]));
      else if (!isa<func::ReturnOp>(ops[i]) && !endsRound(*ops[i]))
        ops[i]->erase();
    }
    freeOthers();
  }

 private:
  /// The type alone: the ops that use them as tensors are looked at first. freeOthers() ends it.
  void changeArguments() {
    const FunctionType type = function_.functionType();
    for (unsigned i = 0; i < function_.numArguments(); ++i) {
      Value argument = function_.argument(i);
      if (isTensor(argument.type())) buffers_[argument] = argument;
    }
    function_.setFunctionType(FunctionType::get(function_->context(), bufferTypes(type.inputs()),
                                                bufferTypes(type.results())));
  }

  void change(Operation& op) {
    Builder builder = Builder::before(op);
    if (isBufferOp(op) && !op.is("bufferization.alloc_tensor")) {
      changeBufferOp(builder, op);
    } else if (isa<tensor::EmptyOp>(&op) || op.is("bufferization.alloc_tensor")) {
      own(op.result(), allocate(builder, op.result().type(), op.location(), op.operands().vec()));
      empty_.insert(op.result());
    } else if (op.is("tensor.dim")) {
      op.result().replaceAllUsesWith(builder
                                         .create(op.location(), "memref.dim",
                                                 {buffers_.at(op.operand(0)), op.operand(1)},
                                                 {builder.indexType()})
                                         ->result());
    } else if (isa<tensor::CastOp>(&op)) {
      buffers_[op.result()] = buffers_.at(op.operand(0));
    } else if (isTensorOp(op)) {
      changeTensorOp(builder, op);
    } else if (isIntoDestination(op)) {
      changeIntoDestination(builder, op);
    } else if (Attribute number = splatOf(op)) {
      Value buffer = allocate(builder, op.result().type(), op.location());
      fill(builder, builder.constant(op.location(), number), buffer);
      own(op.result(), buffer);
    } else if (isConstant(op)) {
      buffers_[op.result()] = globalOf(builder, op);
    } else if (isa<func::ReturnOp>(&op)) {
      changeReturn(builder, op);
    } else if (isa<scf::ForOp>(&op)) {
      changeLoop(builder, scf::ForOp(&op));
    } else if (endsRound(op)) {
      changeEndOfRound(builder, op);
    } else if (op.is("tensor.extract")) {
      op.result().replaceAllUsesWith(elementOf(builder, op));
    } else {
      changeLinalg(builder, linalg::StructuredOp(&op));
    }
  }

  // -- Loops ----------------------------------------------------------------------------------------

  /// Each tensor that the loop carries has a buffer, that of its initial value where nothing else looks at
  /// it.
  void changeLoop(Builder& builder, scf::ForOp loop) {
    for (unsigned i = 0; i < loop.numIterArgs(); ++i) {
      const Value init = loop.initArgs()[i];
      if (!isTensor(init.type())) continue;
      const Value buffer = writableBuffer(builder, *loop.op(), init, true);
      own(loop.regionIterArg(i), buffer);
      own(loop->result(i), buffer);
    }
  }

  /// What the round hands on goes to the buffers of the loop. What lies in one of these itself is saved
  /// first.
  void changeEndOfRound(Builder& builder, Operation& yield) {
    scf::ForOp loop(yield.parentOp());
    std::vector<Value> carried, others;
    std::vector<std::pair<Value, Value>> copies;  // from, to
    for (unsigned i = 0; i < yield.numOperands(); ++i)
      if (isTensor(yield.operand(i).type())) carried.push_back(buffers_.at(loop.regionIterArg(i)));
    for (unsigned i = 0; i < yield.numOperands(); ++i) {
      const Value handed = yield.operand(i);
      if (!isTensor(handed.type())) {
        others.push_back(handed);
        continue;
      }
      Value from = buffers_.at(handed);
      const Value to = buffers_.at(loop.regionIterArg(i));
      if (from == to) continue;
      if (std::ranges::count(carried, memref::viewSource(from)) != 0)
        from = copyOf(builder, handed, yield.location());
      copies.push_back({from, to});
    }
    for (const auto& [from, to] : copies)
      copy(builder, yield.location(), from, to);
    yield.setOperands(others);
  }

  // -- Views and parts ------------------------------------------------------------------------------

  void changeTensorOp(Builder& builder, Operation& op) {
    const Location location = op.location();
    if (isReshape(op)) {
      buffers_[op.result()] = reshaped(builder, op);
    } else if (isa<tensor::ExtractSliceOp>(&op)) {
      buffers_[op.result()] = partOf(builder, tensor::SliceView(&op), buffers_.at(op.operand(0)));
    } else if (isa<tensor::InsertSliceOp>(&op)) {
      const Value buffer = writableBuffer(builder, op, op.operand(1), true);
      copy(builder, location, buffers_.at(op.operand(0)),
           partOf(builder, tensor::SliceView(&op), buffer));
      own(op.result(), buffer);
    } else if (isa<tensor::PadOp>(&op)) {
      own(op.result(), padded(builder, tensor::PadOp(&op)));
    } else {
      own(op.result(), joined(builder, op));
    }
  }

  /// A view in another shape, of a copy where the elements do not lie one after the other.
  Value reshaped(Builder& builder, Operation& op) {
    const Location location = op.location();
    Value from = buffers_.at(op.operand(0));
    if (!from.type().cast<MemRefType>().hasIdentityLayout())
      from = copyOf(builder, op.operand(0), location);
    memref::Reassociation groups;
    for (Attribute group : op.attrOf<ArrayAttr>("reassociation").value()) {
      groups.emplace_back();
      for (Attribute dim : group.cast<ArrayAttr>().value())
        groups.back().push_back(dim.cast<IntegerAttr>().value());
    }
    if (op.is("tensor.collapse_shape"))
      return memref::CollapseShapeOp::create(builder, location, from, groups).result();
    const auto shape = op.result().type().cast<RankedTensorType>().shape();
    return memref::ExpandShapeOp::create(builder, location, from, shape, groups).result();
  }

  Value padded(Builder& builder, tensor::PadOp op) {
    const Value buffer = allocate(builder, op->result().type(), op->location());
    Value number = paddingOf(*op.op());
    if (Operation* made = number.definingOp(); made && made->parentOp() == op.op())
      number = builder.clone(*made)->result();
    fill(builder, number, buffer);
    std::vector<memref::MixedIndex> sizes(op.sourceType().shape().begin(),
                                          op.sourceType().shape().end());
    const std::vector<memref::MixedIndex> ones(sizes.size(), memref::MixedIndex(1));
    const Value inside =
        memref::SubViewOp::create(builder, op->location(), buffer, op.low(), sizes, ones).result();
    copy(builder, op->location(), buffers_.at(op.source()), inside);
    return buffer;
  }

  Value joined(Builder& builder, Operation& op) {
    const Value buffer = allocate(builder, op.result().type(), op.location());
    const auto dim = static_cast<size_t>(op.attrOf<IntegerAttr>("dim").value());
    const auto rank = static_cast<size_t>(op.result().type().cast<RankedTensorType>().rank());
    std::vector<memref::MixedIndex> offsets(rank, memref::MixedIndex(0)), ones(rank, 1);
    for (Value part : op.operands()) {
      const auto shape = part.type().cast<RankedTensorType>().shape();
      const std::vector<memref::MixedIndex> sizes(shape.begin(), shape.end());
      const Value place =
          memref::SubViewOp::create(builder, op.location(), buffer, offsets, sizes, ones).result();
      copy(builder, op.location(), buffers_.at(part), place);
      offsets[dim].constant += shape[dim];
    }
    return buffer;
  }

  static void copy(Builder& builder, Location location, Value from, Value to) {
    linalg::createNamedOp(builder, location, "linalg.copy", std::span(&from, 1), std::span(&to, 1));
  }

  void changeIntoDestination(Builder& builder, Operation& op) {
    OperationState state(builder.context(), op.location(), nameOnBuffers(op));
    state.operands = op.operands().vec();
    state.operands[0] = buffers_.at(op.operand(0));
    const Value to = writableBuffer(builder, op, op.operand(1), false);
    state.operands[1] = to;
    state.attributes = NamedAttrList(op.attributes());
    builder.create(state);
    own(op.result(), to);
  }

  // -- Other ops ------------------------------------------------------------------------------------

  void changeBufferOp(Builder& builder, Operation& op) {
    if (op.is("bufferization.to_tensor")) {
      buffers_[op.result()] = op.operand(0);
      if (op.hasAttr("writable")) owned_.insert(op.result());
      return;
    }
    const Value from = buffers_.at(op.operand(0));
    if (isMaterialize(op)) {
      if (from != op.operand(1))
        builder.create(op.location(), "memref.copy", {from, op.operand(1)}, {});
      return;
    }
    Value buffer = from;
    const bool isOwn = isFresh(from) && isLastUse(op, op.operand(0));
    if ((!op.hasAttr("read_only") && !isOwn) || from.type() != op.result().type()) {
      buffer =
          memref::AllocOp::create(builder, op.location(), op.result().type().cast<MemRefType>())
              .op()
              ->result();
      allocs_.push_back(buffer.definingOp());
      builder.create(op.location(), "memref.copy", {from, buffer}, {});
    }
    op.result().replaceAllUsesWith(buffer);
  }

  void own(Value tensor, Value buffer) {
    buffers_[tensor] = buffer;
    owned_.insert(tensor);
  }

  /// Nobody writes to it: it is not owned.
  Value globalOf(Builder& builder, Operation& constant) {
    Operation& table = *function_->parentOp();
    Type type = bufferType(constant.result().type());
    Attribute name = builder.stringAttr(SymbolMap(table).unusedName("constant"));
    Context& context = builder.context();
    Builder::before(*function_.op())
        .create(constant.location(), "memref.global", {}, {},
                std::vector{builder.named(kSymbolName, name),
                            builder.named("sym_visibility", builder.stringAttr("private")),
                            builder.named("type", TypeAttr::get(type)),
                            builder.named("initial_value", constant.attr("value")),
                            builder.named("constant", UnitAttr::get(context))});
    Attribute symbol = SymbolRefAttr::get(context, name.cast<StringAttr>().value());
    const Type result[] = {type};
    const NamedAttribute reference[] = {builder.named("name", symbol)};
    return builder.create(constant.location(), "memref.get_global", {}, result, reference)
        ->result();
  }

  Value allocate(Builder& builder, Type tensor, Location location,
                 std::span<const Value> sizes = {}) {
    const MemRefType type = bufferTypeIn(*builder.insertPoint().block, tensor);
    Operation* alloc = memref::AllocOp::create(builder, location, type, sizes).op();
    allocs_.push_back(alloc);
    return alloc->result();
  }

  /// A buffer of the size of that of `tensor`.
  Value allocateLike(Builder& builder, Value tensor, Location location) {
    std::vector<Value> sizes;
    const auto shape = tensor.type().cast<RankedTensorType>().shape();
    for (size_t i = 0; i < shape.size(); ++i)
      if (shape[i] == kDynamic)
        sizes.push_back(sizeOf(builder, "memref.dim", buffers_.at(tensor), i));
    return allocate(builder, tensor.type(), location, sizes);
  }

  static void fill(Builder& builder, Value number, Value buffer) {
    linalg::createNamedOp(builder, number.location(), "linalg.fill", std::span(&number, 1),
                          std::span(&buffer, 1));
  }

  Value copyOf(Builder& builder, Value tensor, Location location) {
    const Value buffer = allocateLike(builder, tensor, location);
    copy(builder, location, buffers_.at(tensor), buffer);
    return buffer;
  }

  void changeLinalg(Builder& builder, linalg::StructuredOp op) {
    std::vector<Value> operands;
    for (Value input : op.inputs())
      operands.push_back(isTensor(input.type()) ? buffers_.at(input) : input);
    for (unsigned i = 0; i < op.numOutputs(); ++i)
      operands.push_back(outputBuffer(builder, op, i));
    OperationState state(op->location(), op->def());
    state.addOperands(operands);
    state.attributes = NamedAttrList(op->attributes());
    state.addRegion();
    Operation* made = builder.create(state);
    cloneBody(op.body(), *made);
    for (unsigned i = 0; i < op.numOutputs(); ++i)
      own(op->result(i), operands[op.numInputs() + i]);
  }

  Value outputBuffer(Builder& builder, linalg::StructuredOp op, unsigned i) {
    if (const Value tensor = handedOnIn(op, i)) return buffers_.at(tensor);
    return writableBuffer(builder, *op, op.outputs()[i], op.readsOutput(i));
  }

  /// That of `output` itself where nobody else will look at it; else one with its elements, where `op`
  /// reads them.
  Value writableBuffer(Builder& builder, Operation& op, Value output, bool reads) {
    if (owned_.count(output) && isLastUse(op, output)) return buffers_.at(output);
    const Value number = numberIn(builder, output);
    if (reads && !empty_.count(output) && !number) return copyOf(builder, output, op.location());
    const Value buffer = allocateLike(builder, output, op.location());
    if (reads && number) fill(builder, number, buffer);
    return buffer;
  }

  /// Only `op` looks at the tensor. In a loop each round begins with what the tensor was in front of it.
  static bool isLastUse(Operation& op, Value tensor) {
    return tensor.parentBlock() == op.block() && tensor.hasOneUse();
  }

  Value elementOf(Builder& builder, Operation& extract) {
    std::vector<Value> indices(extract.operands().begin(), extract.operands().end());
    const Value tensor = indices.front();
    indices.erase(indices.begin());
    return memref::LoadOp::create(builder, extract.location(), buffers_.at(tensor), indices)
        .result();
  }

  /// The function has made the buffer.
  bool isFresh(Value buffer) const {
    return std::ranges::any_of(allocs_,
                               [&](Operation* alloc) { return alloc->result() == buffer; });
  }

  void cloneBody(Block& from, Operation& made) {
    Block& body =
        made.region().empty() ? made.region().addBlock(made.context()) : made.region().front();
    IRMapping mapping;
    for (Value argument : from.arguments())
      mapping.map(argument, body.addArgument(argument.type(), argument.location()));
    Builder builder = Builder::atEnd(body);
    for (Operation& op : from.ops()) {
      Operation* copied = builder.clone(op, mapping);
      for (Operation* extract : extractsIn(*copied)) {
        Builder before = Builder::before(*extract);
        const Value element = elementOf(before, *extract);
        if (extract == copied) mapping.map(op.result(), element);
        extract->result().replaceAllUsesWith(element);
        extract->erase();
      }
    }
  }

  /// Each result is a buffer of its own.
  void changeReturn(Builder& builder, Operation& op) {
    for (unsigned i = 0; i < op.numOperands(); ++i) {
      Value tensor = op.operand(i);
      if (!isTensor(tensor.type())) continue;
      Value buffer = buffers_.at(tensor);
      if (!isFresh(buffer) || !returned_.insert(buffer).second) {
        buffer = copyOf(builder, tensor, op.location());
        returned_.insert(buffer);
      }
      op.setOperand(i, buffer);
    }
  }

  void freeOthers() {
    for (Value argument : function_.entry().arguments())
      if (isTensor(argument.type())) argument.setType(bufferType(argument.type()));
    for (Operation* alloc : allocs_) {
      eraseUnreadFills(*alloc);
      if (!alloc->result().hasUses()) {  // of a tensor that nobody looks at
        alloc->erase();
        continue;
      }
      if (returned_.count(alloc->result()) || isReturned(alloc->result())) continue;
      Builder builder = Builder::before(alloc->block()->back());
      builder.create(alloc->location(), "memref.dealloc", {alloc->result()}, {});
    }
  }

  /// A to_buffer may have handed the buffer to the return, as it is or a view of it, or to what frees it.
  static bool isReturned(Value buffer) {
    return std::ranges::any_of(buffer.uses(), [](OpOperand& use) {
      Operation* user = use.owner();
      return isa<func::ReturnOp>(user) || user->is("memref.dealloc") ||
             (user->hasTrait(Trait::ViewLike) && isReturned(user->result()));
    });
  }

  func::FuncOp function_;
  std::unordered_map<Value, Value> buffers_;  // by tensor
  std::unordered_set<Value> owned_;           // tensors whose buffer may be written
  std::unordered_set<Value> empty_;           // tensors without a content
  std::unordered_set<Value> returned_;        // buffers
  std::vector<Operation*> allocs_;
};

bool hasTensors(func::FuncOp function) {
  bool found = false;
  function->walk([&](Operation& op) { found |= usesTensors(op); });
  return found;
}

/// Calls `refuse` with each op that stands in the way, and why; whether there is none.
template <class Refuse> bool canBufferize(func::FuncOp function, Refuse&& refuse) {
  if (!function.body().hasOneBlock()) {
    refuse(*function.op(), "stays on tensors: it has several blocks");
    return false;
  }
  bool isPossible = true;
  function->walk([&](Operation& op) {
    if (!usesTensors(op)) return;
    const std::string_view obstacle = obstacleAt(op);
    if (obstacle.empty()) return;
    refuse(op, obstacle);
    isPossible = false;
  });
  return isPossible;
}

/// What nobody uses would be computed for a buffer that nobody reads.
void eraseDead(Block& block) {
  for (Operation* op = block.empty() ? nullptr : &block.back(); op;) {
    Operation* before = op->prev();
    if (isTriviallyDead(*op)) op->erase();
    op = before;
  }
}

class BufferizeLinalg : public Pass {
 public:
  BufferizeLinalg()
      : Pass("air-bufferize-linalg", "Turns linalg ops on tensors into linalg ops on buffers") {
    anchor("func.func");
    option("required", required_, "a function that stays on tensors is an error");
    option("drop", drop_, "a function that stays on tensors loses its body, with a warning");
    example("airlite-opt --air-bufferize-linalg in.mlir");
  }

  PassResult run(Operation& op, PassContext& context) override {
    func::FuncOp function(&op);
    if (function.isDeclaration() || !hasTensors(function)) return PassResult::Unchanged;
    const auto refuse = [&](Operation& at, std::string_view why) {
      if (required_)
        at.emitOpError() << why;
      else
        context.remark(at, why);
    };
    const bool changed = tiling::structureTensors(function);
    eraseDead(op.region().front());
    if (drop_ && isDropped(function, context)) return PassResult::Changed;
    if (!canBufferize(function, refuse)) return required_ ? PassResult::Failed : changedIf(changed);
    makeStructured(function);
    Bufferization(function).run();
    context.declareEffectChange(CountedEffect::Store, "results of ops are written to buffers");
    return PassResult::Changed;
  }

 private:
  /// Says why at the first op that stands in the way.
  static bool isDropped(func::FuncOp function, PassContext& context) {
    Operation* place = nullptr;
    std::string_view why;
    const auto note = [&](Operation& at, std::string_view obstacle) {
      if (place) return;
      place = &at;
      why = obstacle;
    };
    if (canBufferize(function, note)) return false;
    InFlightDiagnostic warning = function->emitWarning();
    warning << "function '" << function.symName() << "' is left out: it stays on tensors";
    warning.note(place->location()) << "'" << place->name() << "' op " << why;
    warning.report();
    for (const auto effect : {CountedEffect::ChannelPut, CountedEffect::ChannelGet,
                              CountedEffect::Dma, CountedEffect::Store})
      context.declareEffectChange(effect, "a function that stays on tensors is left out");
    function.op()->region(0).clear();
    function->setAttr("sym_visibility", StringAttr::get(function->context(), "private"));
    return true;
  }

  bool required_ = false, drop_ = false;
};

class OneShotBufferize : public Pass {
 public:
  OneShotBufferize() : Pass("one-shot-bufferize", "Turns tensors into buffers, or fails") {
    anchor("builtin.module");
    option("bufferize-function-boundaries", boundaries_,
           "also tensors that are arguments or results of functions");
    option("copy-before-write", copies_, "accepted: what is written here nobody else reads");
    option("allow-return-allocs-from-loops", returnsFromLoops_, "accepted: loops have no tensors");
    option("function-boundary-type-conversion", boundaryTypes_, "layout of arguments and results",
           {"identity-layout-map"});
    option("unknown-type-conversion", unknownTypes_, "accepted: all ops are known",
           {"identity-layout-map", "fully-dynamic-layout-map"});
    example("airlite-opt --one-shot-bufferize=bufferize-function-boundaries in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    bool changed = false, failed = false;
    module.walk([&](Operation& op) {
      const auto function = dynCast<func::FuncOp>(&op);
      if (!function || function.isDeclaration() || !hasTensors(function)) return;
      const bool done = !failed && bufferize(function);
      changed |= done;
      failed |= !done;
    });
    if (changed)
      context.declareEffectChange(CountedEffect::Store, "results of ops are written to buffers");
    return failed ? PassResult::Failed : changedIf(changed);
  }

 private:
  bool bufferize(func::FuncOp function) {
    const FunctionType type = function.functionType();
    if (!boundaries_ && (std::ranges::any_of(type.inputs(), isTensor) ||
                         std::ranges::any_of(type.results(), isTensor))) {
      function->emitOpError() << "has tensors as arguments or results, which "
                                 "'bufferize-function-boundaries' makes buffers";
      return false;
    }
    const auto refuse = [](Operation& at, std::string_view why) { at.emitOpError() << why; };
    tiling::structureTensors(function);
    if (!canBufferize(function, refuse)) return false;
    makeStructured(function);
    Bufferization(function).run();
    return true;
  }

  bool boundaries_ = false, copies_ = false, returnsFromLoops_ = false;
  std::string boundaryTypes_ = "identity-layout-map", unknownTypes_ = "identity-layout-map";
};

}  // namespace

void registerBufferizeLinalg(PassRegistry& registry) {
  registry.add<BufferizeLinalg>();
  registry.add<OneShotBufferize>();
}

}  // namespace airlite
