// gpu.matrix_product: the intrinsic that the table names. Fragments are passed as the types that it
// has: bf16 as i16, bytes packed into words.
#include "FunctionEmitter.hpp"
#include "airlite/dialect/Gpu.hpp"

#include <llvm/IR/Function.h>
#include <llvm/IR/Intrinsics.h>

namespace airlite::gpu {
namespace {

using amdgpu::MatrixForm;
using amdgpu::MatrixInstruction;

llvm::StringRef refOf(std::string_view text) { return {text.data(), text.size()}; }

/// What a fragment of factors is in an overloaded intrinsic.
llvm::Type* packedFactor(llvm::Type* fragment, const MatrixInstruction& row) {
  auto& context = fragment->getContext();
  const auto bits = static_cast<unsigned>(fragment->getPrimitiveSizeInBits().getFixedValue());
  if (row.factor == amdgpu::MatrixElement::BF16)
    return llvm::FixedVectorType::get(llvm::Type::getInt16Ty(context), bits / 16);
  if (amdgpu::bytesOf(row.factor) == 1)
    return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context), bits / 32);
  return fragment;
}

llvm::Function* declare(FunctionEmitter& e, const MatrixInstruction& row, llvm::Type* factor,
                        llvm::Type* sum) {
  const auto id = llvm::Function::lookupIntrinsicID(refOf(row.intrinsic));
  auto* module = e.function.getParent();
  if (row.form == MatrixForm::Mfma) return llvm::Intrinsic::getDeclaration(module, id);
  return llvm::Intrinsic::getDeclaration(module, id, {sum, packedFactor(factor, row)});
}

LogicalResult emitMatrixProduct(FunctionEmitter& e, Operation& op) {
  const MatrixProductOp product(&op);
  const auto& row = product.instruction();
  if (row.form == MatrixForm::Lanes)
    return unsupported(op, "'" + std::string(row.name) + "', which is no instruction");
  if (!e.kernel || e.kernel->waveSize != row.wave)
    return unsupported(op, "'" + std::string(row.name) + "' outside of kernels with waves of " +
                               std::to_string(row.wave));
  e.kernel->devices &= row.devices;
  auto& b = e.builder;
  auto* lhs = e.get(product.lhs());
  auto* rhs = e.get(product.rhs());
  auto* sum = e.get(product.accumulator());
  auto* callee = declare(e, row, lhs->getType(), sum->getType());
  const auto isInteger = row.form == MatrixForm::WmmaInteger;
  const auto type = [&](unsigned i) { return callee->getFunctionType()->getParamType(i); };
  const auto as = [&](llvm::Value* value, unsigned i) { return b.CreateBitCast(value, type(i)); };
  LlvmValues args;
  if (isInteger)
    args = {b.getTrue(), as(lhs, 1), b.getTrue(), as(rhs, 3), sum, b.getFalse()};
  else
    args = {as(lhs, 0), as(rhs, 1), sum};
  if (row.form == MatrixForm::Mfma) args.append(3, b.getInt32(0));
  return e.setResult(op, b.CreateCall(callee, args));
}

}  // namespace

void addMatrixOps(EmitTable& table) { table["gpu.matrix_product"] = emitMatrixProduct; }

}  // namespace airlite::gpu
