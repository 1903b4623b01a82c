#include "IntegerFactors.hpp"

#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"

#include <vector>

namespace airlite::gpu {
namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;

/// What makes a float of the only use of `argument`; null: something else is done with it.
Operation* conversionOf(Value argument) {
  if (!argument || !argument.hasOneUse()) return nullptr;
  Operation* user = (*argument.uses().begin()).owner();
  return user->is("arith.sitofp") || user->is("arith.uitofp") ? user : nullptr;
}

/// Multiplies a float with what `conversion` has made, and adds.
bool isProductWith(StructuredOp op, Operation& conversion) {
  const Operation& end = op.body().back();
  Operation* sum = end.numOperands() == 1 ? end.operand(0).definingOp() : nullptr;
  if (!sum || !sum->is("arith.addf") || !conversion.result().hasOneUse()) return false;
  Operation* product = (*conversion.result().uses().begin()).owner();
  return product->is("arith.mulf") && product->result().hasOneUse() &&
         (*product->result().uses().begin()).owner() == sum;
}

/// A buffer of the shape of `like`.
Value allocate(Builder& builder, Location location, Value like, Type element) {
  const auto shape = like.type().cast<MemRefType>().shape();
  std::vector<Value> sizes;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != kDynamic) continue;
    const Value dim = builder.constantIndex(location, static_cast<int64_t>(i));
    sizes.push_back(
        builder.create(location, "memref.dim", {like, dim}, {builder.indexType()})->result());
  }
  return memref::AllocOp::create(builder, location,
                                 MemRefType::get(builder.context(), shape, element), sizes)
      .result();
}

void convertElements(Builder& builder, const Operation& conversion, Value from, Value to) {
  const auto rank = static_cast<unsigned>(from.type().cast<MemRefType>().rank());
  const std::vector<AffineMap> maps(2, AffineMap::identity(builder.context(), rank));
  StructuredOp made =
      linalg::createGeneric(builder, conversion.location(), std::span(&from, 1), std::span(&to, 1),
                            maps, std::vector(rank, IteratorKind::Parallel));
  Builder body = Builder::atEnd(made.body());
  const Type element = to.type().cast<MemRefType>().elementType();
  const Value number =
      body.create(conversion.location(), conversion.name(), {made.bodyArgument(0)}, {element})
          ->result();
  body.create(conversion.location(), "linalg.yield", {number}, {});
}

}  // namespace

bool convertIntegerFactor(StructuredOp op) {
  if (!op->is("linalg.generic") || !op.onBuffers() || op.numInputs() != 2 || op.numOutputs() != 1)
    return false;
  for (unsigned i = 0; i < 2; ++i) {
    const Value factor = op->operand(i);
    Operation* conversion = conversionOf(op.bodyArgument(i));
    const Type other = elementTypeOrSelf(op->operand(1 - i).type());
    if (!conversion || !factor.type().isa<MemRefType>() || !other.isFloat() ||
        elementTypeOrSelf(factor.type()).bitWidth() != 8 || !isProductWith(op, *conversion))
      continue;
    const Type wide = conversion->result().type();
    if (wide.bitWidth() < 16) continue;  // it rounds
    const bool isHalf = other.isF16() || other.isBF16();
    const Type element =
        wide.isF16() || wide.isBF16()
            ? wide
            : (isHalf ? other : Type(FloatType::get(op->context(), FloatKind::F16)));
    Builder builder = Builder::before(*op);
    const Value made = allocate(builder, op->location(), factor, element);
    convertElements(builder, *conversion, factor, made);
    op->setOperand(i, made);
    builder.setAfter(*op);
    builder.create(op->location(), "memref.dealloc", {made}, {});
    // The body takes the number as it is now.
    Value argument = op.bodyArgument(i);
    argument.setType(element);
    builder.setBefore(*conversion);
    const Value number =
        wide == element
            ? argument
            : builder.create(conversion->location(), "arith.extf", {argument}, {wide})->result();
    conversion->result().replaceAllUsesWith(number);
    conversion->erase();
    return true;
  }
  return false;
}

}  // namespace airlite::gpu
