#include "SpreadMath.hpp"

#include "SpreadAccess.hpp"

namespace airlite::gpu {
namespace {

Attribute oneInteger(Builder& builder, int64_t value) {
  const Attribute one[] = {builder.i64Attr(value)};
  return ArrayAttr::get(builder.context(), one);
}

Value putSlice(Builder& builder, Value part, Value into, int64_t at) {
  return builder
      .create(part.location(), "vector.insert_strided_slice", {part, into}, {into.type()},
              {builder.named("offsets", oneInteger(builder, at)),
               builder.named("strides", oneInteger(builder, 1))})
      ->result();
}

/// Row by row: sum[i][j] = a[i] * b[j] + sum[i][j].
Value multiplyInLanes(Builder& builder, Value a, Value b, Value sum,
                      const amdgpu::MatrixInstruction& row) {
  const Location at = a.location();
  for (int64_t i = 0; i < row.a.elements; ++i) {
    const Value one = vector::ExtractOp::create(builder, at, a, std::span(&i, 1)).result();
    const Value all = builder.create(at, "vector.broadcast", {one}, {b.type()})->result();
    const Value old = sliceOf(builder, sum, i * row.b.elements, row.b.elements);
    const Value made = builder.create(at, "vector.fma", {all, b, old}, {b.type()})->result();
    sum = putSlice(builder, made, sum, i * row.b.elements);
  }
  return sum;
}

bool canShuffle(Type type) {
  return type.isF32() || type.isF64() || type.isSignlessInteger(32) || type.isSignlessInteger(64);
}

}  // namespace

Value multiplyFragments(Builder& builder, const ContractPlan& plan, Value lhs, Value rhs,
                        Value sum) {
  const auto& row = *plan.instruction;
  for (int64_t step = 0; step < plan.steps; ++step) {
    const Value a = sliceOf(builder, lhs, step * row.a.elements, row.a.elements);
    const Value b = sliceOf(builder, rhs, step * row.b.elements, row.b.elements);
    sum = row.form == amdgpu::MatrixForm::Lanes
              ? multiplyInLanes(builder, a, b, sum, row)
              : MatrixProductOp::create(builder, lhs.location(), row, a, b, sum);
  }
  return sum;
}

Value reduceOverLanes(Builder& builder, vector::ReductionOp reduction, int64_t wave) {
  const Type type = reduction.result().type();
  const Location at = reduction->location();
  const std::string_view name = vector::combiningOp(reduction.kind(), type.isFloat());
  if (name.empty() || !canShuffle(type)) return Value();
  Value result = builder
                     .create(at, "vector.reduction", {reduction.source()}, {type},
                             {builder.named("kind", reduction->attr("kind"))})
                     ->result();
  const auto combine = [&](Value other) {
    result = builder.create(at, name, {result, other}, {type})->result();
  };
  const Attribute mode = DialectAttr::getKeyword(builder.context(), "gpu.shuffle_mode", "xor");
  const Value width = builder.constant(at, builder.i32Attr(wave));
  for (int64_t away = wave / 2; away > 0; away /= 2) {
    const Value offset = builder.constant(at, builder.i32Attr(away));
    combine(builder
                .create(at, "gpu.shuffle", {result, offset, width}, {type, builder.intType(1)},
                        {builder.named("mode", mode)})
                ->result(0));
  }
  if (reduction.accumulator()) combine(reduction.accumulator());
  return result;
}

}  // namespace airlite::gpu
