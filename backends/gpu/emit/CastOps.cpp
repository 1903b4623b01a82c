// arith casts.
#include "../target/Float8.hpp"
#include "FunctionEmitter.hpp"
#include "airlite/dialect/Gpu.hpp"

namespace airlite::gpu {
namespace {

using CastKind = llvm::Instruction::CastOps;

template <CastKind kind> LogicalResult emitCast(FunctionEmitter& e, Operation& op) {
  return e.setResult(
      op, e.builder.CreateCast(kind, e.get(op.operand(0)), e.convert(op.result().type())));
}

/// f32 in between holds all that a float of eight bits does, and f16 and bf16.
llvm::Value* inF32(FunctionEmitter& e, Value value) {
  const Type element = elementTypeOrSelf(value.type());
  auto* given = e.get(value);
  if (element.isFloat8())
    return widenFloat8(e.builder, given, element.cast<FloatType>().floatKind());
  return e.builder.CreateFPExt(given, given->getType()->getWithNewType(e.builder.getFloatTy()));
}

/// An f32 that is one of bf16 as well: its upper half.
llvm::Value* upperHalf(FunctionEmitter& e, llvm::Value* number, llvm::Type* type) {
  auto& b = e.builder;
  auto* word = b.CreateBitCast(number, number->getType()->getWithNewType(b.getInt32Ty()));
  auto* upper = b.CreateTrunc(b.CreateLShr(word, 16), type->getWithNewType(b.getInt16Ty()));
  return b.CreateBitCast(upper, type);
}

/// The device that the module names; null: none is known.
const amdgpu::GpuDevice* deviceOf(Operation& op) {
  for (Operation* up = &op; up; up = up->parentOp())
    if (const auto name = up->attrOf<StringAttr>(kDeviceAttr))
      return amdgpu::findGpuDevice(name.value());
  return nullptr;
}

llvm::Value* widened(FunctionEmitter& e, Operation& op, bool toHalf) {
  const auto kind = elementTypeOrSelf(op.operand(0).type()).cast<FloatType>().floatKind();
  auto* bits = e.get(op.operand(0));
  const auto* device = e.kernel ? deviceOf(op) : nullptr;
  auto* made = device ? widenFloat8OnDevice(e.builder, bits, kind, *device) : nullptr;
  if (!made) return widenFloat8(e.builder, bits, kind, toHalf);
  e.kernel->devices &= device->bit;
  return toHalf ? e.builder.CreateFPTrunc(made, e.convert(op.result().type())) : made;
}

LogicalResult emitExtF(FunctionEmitter& e, Operation& op) {
  const Type from = elementTypeOrSelf(op.operand(0).type()),
             to = elementTypeOrSelf(op.result().type());
  if (!from.isFloat8()) return emitCast<CastKind::FPExt>(e, op);
  auto* wide = widened(e, op, to.isF16());
  auto* type = e.convert(op.result().type());
  if (to.isBF16()) return e.setResult(op, upperHalf(e, wide, type));
  return e.setResult(op, to.isF64() ? e.builder.CreateFPExt(wide, type) : wide);
}

LogicalResult emitNarrow(FunctionEmitter& e, Operation& op) {
  const Type from = elementTypeOrSelf(op.operand(0).type());
  const auto kind = elementTypeOrSelf(op.result().type()).cast<FloatType>().floatKind();
  const bool isWide = from.isF32() || from.isF64();
  auto* number = isWide ? e.get(op.operand(0)) : inF32(e, op.operand(0));
  return e.setResult(op, narrowToFloat8(e.builder, number, kind));
}

LogicalResult emitTruncF(FunctionEmitter& e, Operation& op) {
  const auto mode = op.attrOf<IntegerAttr>("roundingmode");
  if (mode && mode.value() != 0) return unsupported(op, "arith.truncf with a rounding mode");
  if (elementTypeOrSelf(op.result().type()).isFloat8()) return emitNarrow(e, op);
  return emitCast<CastKind::FPTrunc>(e, op);
}

template <bool isSigned> LogicalResult emitIndexCast(FunctionEmitter& e, Operation& op) {
  if (op.operand(0).type().isa<MemRefType>())
    return unsupported(op, std::string(op.name()) + " of memrefs");
  auto* value = e.get(op.operand(0));
  auto* type = e.convert(op.result().type());
  return e.setResult(op, isSigned ? e.builder.CreateSExtOrTrunc(value, type)
                                  : e.builder.CreateZExtOrTrunc(value, type));
}

}  // namespace

void addCastOps(EmitTable& table) {
  table["arith.extsi"] = emitCast<CastKind::SExt>;
  table["arith.extui"] = emitCast<CastKind::ZExt>;
  table["arith.trunci"] = emitCast<CastKind::Trunc>;
  table["arith.extf"] = emitExtF;
  table["arith.truncf"] = emitTruncF;
  table["arith.sitofp"] = emitCast<CastKind::SIToFP>;
  table["arith.uitofp"] = emitCast<CastKind::UIToFP>;
  table["arith.fptosi"] = emitCast<CastKind::FPToSI>;
  table["arith.fptoui"] = emitCast<CastKind::FPToUI>;
  table["arith.bitcast"] = emitCast<CastKind::BitCast>;
  table["arith.index_cast"] = emitIndexCast<true>;
  table["arith.index_castui"] = emitIndexCast<false>;
}

}  // namespace airlite::gpu
