#include "Addressing.hpp"

#include "Queries.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <bit>

namespace airlite::npu::codegen {

using isa::Form;

namespace {

/// A value plus a constant.
struct Sum {
  Value value;
  int64_t constant = 0;
};

Sum splitIndex(Value index) {
  Operation* op = index.definingOp();
  if (!op || !op->is("arith.addi") || widthOf(index.type()) != 32) return {index};
  for (unsigned i : {1u, 0u}) {
    auto number = constantIntOf(op->operand(i));
    if (number) return {op->operand(1 - i), *number};
  }
  return {index};
}

}  // namespace

Operand Addressing::byteOffset(Value index, unsigned bytes) {
  if (const Operand* found = offsets_.find({index.impl(), bytes})) return *found;
  Operand offset = values_.reg(index);
  int shift = std::countr_zero(bytes);
  if (shift)
    offset = emitter_.compute(Form::LSHL, offset, emitter_.constant(static_cast<uint32_t>(shift)));
  Operand modifier = emitter_.fresh(RegClass::Modifier);
  emitter_.copy(modifier, offset, RegClass::Modifier);
  return offsets_.set({index.impl(), bytes}, modifier);
}

Address Addressing::scalar(Operation& op, unsigned operand, AccessSize size,
                           const AccessForms& forms) {
  Value memref = op.operand(operand), index = op.operand(operand + 1);
  if (auto found = stepping(op, size, forms)) return *found;
  const unsigned bytes = size.step;
  auto base = values_.addressOf(memref);
  auto fixed = constantBits(index);
  if (base && fixed)
    return fixedAddress(emitter_, *base + static_cast<uint32_t>(*fixed) * bytes, size.bytes, forms);
  if (fixed) {
    int64_t offset = int64_t{*fixed} * bytes;
    const isa::ImmediateRow& range = offsetRange(forms);
    if (offset >= range.smallest && offset <= range.largest)
      return {values_.reg(memref), Operand::imm(offset), MemoryPlace::anywhere()};
    return {values_.reg(memref),
            emitter_.constant(static_cast<uint32_t>(offset) & 0xfffff, RegClass::Modifier),
            MemoryPlace::anywhere()};
  }
  if (!base) return {values_.reg(memref), byteOffset(index, bytes), MemoryPlace::anywhere()};
  Sum sum = splitIndex(index);
  auto start = static_cast<uint32_t>(*base + sum.constant * bytes) & 0xfffff;
  auto all = static_cast<uint32_t>(bytesOf(memref.type().cast<MemRefType>()));
  Operand pointer = emitter_.constant(start, RegClass::Pointer);
  return {pointer, byteOffset(sum.value, bytes), {false, *base, *base + all}};
}

std::optional<Address> Addressing::vector(Operation& op, unsigned operand, unsigned bytes,
                                          const AccessForms& forms) {
  Value memref = op.operand(operand);
  auto type = memref.type().cast<MemRefType>();
  Type element = type.elementType();
  unsigned step = element.isa<VectorType>() ? vectorBytes(element) : widthOf(element) / 8;
  if (type.rank() != 1 || !type.hasStaticShape() || !type.hasIdentityLayout() || !step) {
    op.emitOpError() << "needs a memref of one dimension, with a static size and without a layout; "
                        "found "
                     << type;
    return std::nullopt;
  }
  const unsigned part = partBytesOf(bytes, emitter_);
  Address found = scalar(op, operand, {step, bytes}, forms);
  if (!found.place.isSlot && found.place.end <= (1u << 19) && found.place.begin % part) {
    op.emitOpError() << "accesses a vector at the address " << found.place.begin
                     << ", which is not a multiple of " << part;
    return std::nullopt;
  }
  return found;
}

std::optional<Address> Addressing::stepping(Operation& op, AccessSize size,
                                            const AccessForms& forms) {
  const SteppingAccess* found = pointers_.find(op);
  if (!found) return std::nullopt;
  const SteppingAccess& access = *found;
  const isa::ImmediateRow& range = offsetRange(forms);
  // The parts of an access have immediates of their own.
  int32_t last =
      access.offset +
      static_cast<int32_t>(size.bytes - std::min(size.bytes, partBytesOf(size.bytes, emitter_)));
  bool isReached =
      access.offset >= range.smallest && last <= range.largest && access.offset % range.step == 0;
  if (access.steps.empty() && !isReached) return std::nullopt;
  return Address{access.pointer, Operand::imm(access.offset), access.place, access.inLoop,
                 access.steps,   access.hasFarSteps};
}

}  // namespace airlite::npu::codegen
