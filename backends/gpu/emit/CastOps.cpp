// arith casts.
#include "FunctionEmitter.hpp"

namespace airlite::gpu {
namespace {

using CastKind = llvm::Instruction::CastOps;

template <CastKind kind> LogicalResult emitCast(FunctionEmitter& e, Operation& op) {
  return e.setResult(
      op, e.builder.CreateCast(kind, e.get(op.operand(0)), e.convert(op.result().type())));
}

LogicalResult emitTruncF(FunctionEmitter& e, Operation& op) {
  const auto mode = op.attrOf<IntegerAttr>("roundingmode");
  if (mode && mode.value() != 0) return unsupported(op, "arith.truncf with a rounding mode");
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
  table["arith.extf"] = emitCast<CastKind::FPExt>;
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
