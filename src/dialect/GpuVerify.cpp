// Verifiers and rewrites of the gpu ops.
#include "GpuInternal.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>

namespace airlite::gpu {

namespace {

/// The space of a buffer that a kernel brings along must be the one that its list names.
LogicalResult verifyBuffers(Operation& op, std::span<const Value> buffers, std::string_view space) {
  for (Value buffer : buffers) {
    auto type = buffer.type().dynCast<MemRefType>();
    if (!type) return op.emitOpError() << "expected memref type in attribution";
    auto found = type.memorySpace().dynCast<DialectAttr>();
    if (found && found.name() == "gpu.address_space" && found.keyword() != space)
      return op.emitOpError() << "expected memory space " << space << " in attribution";
  }
  return success();
}

LogicalResult verifyEntryArguments(Operation& op, FuncOp func) {
  std::span<const Type> inputs = func.type().inputs();
  if (func.body().numArguments() < inputs.size() + func.numWorkgroupBuffers())
    return op.emitOpError() << "expected at least " << inputs.size() + func.numWorkgroupBuffers()
                            << " arguments to body region";
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (func.body().argument(i).type() != inputs[i])
      return op.emitOpError() << "expected body region argument #" << i << " to be of type "
                              << inputs[i] << ", got " << func.body().argument(i).type();
  return success();
}

}  // namespace

LogicalResult verifyFunc(Operation& op) {
  FuncOp func(&op);
  if (op.region().empty()) return op.emitOpError() << "expected body with at least one block";
  if (func.isKernel() && !func.type().results().empty())
    return op.emitOpError() << "expected void return type for kernel function";
  if (failed(verifyEntryArguments(op, func)) ||
      failed(verifyBuffers(op, func.workgroupBuffers(), "workgroup")))
    return failure();
  return verifyBuffers(op, func.privateBuffers(), "private");
}

LogicalResult verifyReturn(Operation& op) {
  FuncOp func = dynCast<FuncOp>(op.parentOp());
  if (!func) return success();  // reported as a wrong parent
  std::span<const Type> results = func.type().results();
  if (op.numOperands() != results.size())
    return op.emitOpError() << "expected " << results.size() << " result operands";
  for (unsigned i = 0; i < results.size(); ++i)
    if (op.operand(i).type() != results[i])
      return op.emitOpError() << "unexpected type " << op.operand(i).type() << " for operand #"
                              << i;
  return success();
}

LogicalResult verifyLaunch(Operation& op) {
  LaunchOp launch(&op);
  if (op.region().empty()) return op.emitOpError() << "expected a body with at least one block";
  unsigned wanted = LaunchOp::kNumIdArguments + launch.numWorkgroupBuffers();
  if (launch.body().numArguments() < wanted)
    return op.emitOpError() << "unexpected number of region arguments";
  for (unsigned i = 0; i < LaunchOp::kNumIdArguments; ++i)
    if (!launch.body().argument(i).type().isIndex())
      return op.emitOpError() << "expected region argument #" << i << " to be of type 'index'";
  if (!op.operandGroup("clusterSizeX").empty())
    return op.emitOpError() << "not supported: clusters of blocks";
  std::vector<Value> buffers = launch.body().arguments();
  std::span<const Value> extra = std::span(buffers).subspan(LaunchOp::kNumIdArguments);
  if (failed(verifyBuffers(op, extra.first(launch.numWorkgroupBuffers()), "workgroup")))
    return failure();
  return verifyBuffers(op, extra.subspan(launch.numWorkgroupBuffers()), "private");
}

// -- launch_func --------------------------------------------------------------------------------

namespace {

LogicalResult verifyAgainstKernel(Operation& op, LaunchFuncOp launch, FuncOp func) {
  if (!func.isKernel())
    return op.emitOpError() << "kernel function is missing the 'gpu.kernel' attribute";
  std::span<const Type> inputs = func.type().inputs();
  OperandRange operands = launch.kernelOperands();
  if (operands.size() != inputs.size())
    return op.emitOpError() << "got " << operands.size() << " kernel operands but expected "
                            << inputs.size();
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (operands[i].type() != inputs[i])
      return op.emitOpError() << "type of function argument " << i << " does not match";
  return success();
}

Operation* enclosingModule(Operation& op) { return op.parentOfName("builtin.module"); }

}  // namespace

LogicalResult verifyLaunchFunc(Operation& op) {
  LaunchFuncOp launch(&op);
  Operation* module = enclosingModule(op);
  if (!module || !module->hasAttr(kContainerAttr))
    return op.emitOpError() << "expected the closest surrounding module to have the '"
                            << kContainerAttr << "' attribute";
  if (!op.operandGroup("clusterSizeX").empty())
    return op.emitOpError() << "not supported: clusters of blocks";
  SymbolRefAttr kernel = launch.kernel();
  Operation* container = lookupSymbolIn(*module, kernel.root());
  if (!container)
    return op.emitOpError() << "kernel container '" << kernel.root() << "' is undefined";
  if (kernel.isFlat()) return success();  // a binary: there is nothing more to look at
  Operation* target = lookupSymbol(&op, kernel);
  if (!target) return op.emitOpError() << "kernel function '" << kernel << "' is undefined";
  FuncOp func = dynCast<FuncOp>(target);
  // Kernels that have been translated already have their own types.
  if (!func) return success();
  return verifyAgainstKernel(op, launch, func);
}

// -- Inside kernels -----------------------------------------------------------------------------

LogicalResult verifyBarrier(Operation& op) {
  auto spaces = op.attrOf<ArrayAttr>("address_spaces");
  if (!spaces) return success();
  for (Attribute space : spaces.value())
    if (auto named = space.dynCast<DialectAttr>(); !named || named.name() != "gpu.address_space")
      return op.emitOpError() << "expected address spaces such as #gpu.address_space<workgroup>";
  return success();
}

bool isLdsBarrier(const Operation& barrier) {
  const auto spaces = barrier.attrOf<ArrayAttr>("address_spaces");
  if (!spaces || spaces.value().empty()) return false;
  return std::ranges::all_of(spaces.value(), [](Attribute space) {
    const auto named = space.dynCast<DialectAttr>();
    return named && named.keyword() == "workgroup";
  });
}

Type typeOf(Context& context, amdgpu::MatrixElement element) {
  using amdgpu::MatrixElement;
  switch (element) {
    case MatrixElement::F16: return FloatType::get(context, FloatKind::F16);
    case MatrixElement::BF16: return FloatType::get(context, FloatKind::BF16);
    case MatrixElement::F32: return FloatType::get(context, FloatKind::F32);
    case MatrixElement::F64: return FloatType::get(context, FloatKind::F64);
    case MatrixElement::I8: return IntegerType::get(context, 8);
    case MatrixElement::F8: return FloatType::get(context, FloatKind::F8E4M3FN);
    case MatrixElement::BF8: return FloatType::get(context, FloatKind::F8E5M2);
    case MatrixElement::F8Fnuz: return FloatType::get(context, FloatKind::F8E4M3FNUZ);
    case MatrixElement::BF8Fnuz: return FloatType::get(context, FloatKind::F8E5M2FNUZ);
    default: return IntegerType::get(context, 32);
  }
}

const amdgpu::MatrixInstruction& MatrixProductOp::instruction() const {
  return *amdgpu::findMatrixInstruction(op_->attrOf<StringAttr>("instruction").value());
}

Value MatrixProductOp::create(Builder& builder, Location location,
                              const amdgpu::MatrixInstruction& instruction, Value lhs, Value rhs,
                              Value accumulator) {
  return builder
      .create(location, "gpu.matrix_product", {lhs, rhs, accumulator}, {accumulator.type()},
              {builder.named("instruction", builder.stringAttr(instruction.name))})
      ->result();
}

LogicalResult verifyMatrixProduct(Operation& op) {
  const std::string_view name = op.attrOf<StringAttr>("instruction").value();
  const auto* row = amdgpu::findMatrixInstruction(name);
  if (!row) return op.emitOpError() << "unknown matrix instruction '" << name << "'";
  const auto check = [&](unsigned operand, int64_t elements, amdgpu::MatrixElement element) {
    const Type wanted =
        VectorType::get(op.context(), std::span(&elements, 1), typeOf(op.context(), element));
    if (op.operand(operand).type() == wanted) return success();
    return LogicalResult(op.emitOpError()
                         << "'" << name << "' expects operand #" << operand << " to be " << wanted
                         << ", found " << op.operand(operand).type());
  };
  if (failed(check(0, row->a.elements, row->factor)) ||
      failed(check(1, row->b.elements, row->factor)))
    return failure();
  return check(2, row->d.elements, row->sum);
}

// -- Memory -------------------------------------------------------------------------------------

LogicalResult verifyAlloc(Operation& op) {
  auto type = op.result(0).type().cast<MemRefType>();
  if (op.operandGroup("dynamicSizes").size() != type.numDynamicDims())
    return op.emitOpError()
           << "dimension operand count does not equal memref dynamic dimension count";
  auto map = type.layout().dynCast<AffineMapAttr>();
  unsigned symbols = map ? map.value().numSymbols() : 0;
  if (op.operandGroup("symbolOperands").size() != symbols)
    return op.emitOpError() << "symbol operand count does not equal memref symbol count";
  return success();
}

LogicalResult verifyMemcpy(Operation& op) {
  auto to = op.operandGroup("dst")[0].type().cast<ShapedType>();
  auto from = op.operandGroup("src")[0].type().cast<ShapedType>();
  if (to.elementType() != from.elementType())
    return op.emitOpError() << "arguments have incompatible element type";
  if (!to.hasRank() || !from.hasRank()) return success();
  bool fits = to.rank() == from.rank();
  for (size_t i = 0; fits && i < static_cast<size_t>(to.rank()); ++i)
    fits = to.isDynamicDim(i) || from.isDynamicDim(i) || to.dim(i) == from.dim(i);
  return fits ? success() : op.emitOpError() << "arguments have incompatible shape";
}

/// A token that stands for nothing need not be waited for.
LogicalResult dropEmptyTokens(Operation& op, Rewriter& rewriter) {
  std::vector<Value> kept;
  for (Value token : op.operands()) {
    Operation* source = token.definingOp();
    bool empty = source && source->is("gpu.wait") && source->numOperands() == 0;
    if (!empty) kept.push_back(token);
  }
  if (kept.size() == op.numOperands()) return failure();
  rewriter.modify(op, [&] { op.setOperands(kept); });
  return success();
}

/// Waiting for nothing, or handing one token on.
LogicalResult dropUnusedWait(Operation& op, Rewriter& rewriter) {
  bool isAsync = op.numResults() != 0;
  if (isAsync && op.hasResultUses()) {
    if (op.numOperands() != 1) return failure();
    rewriter.replaceOp(op, op.operand(0));
    return success();
  }
  if (op.numOperands() != 0 && !isAsync) return failure();
  rewriter.eraseOp(op);
  return success();
}

}  // namespace airlite::gpu
