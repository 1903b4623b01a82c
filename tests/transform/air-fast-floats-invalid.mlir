// RUN: airlite-opt %s --verify-diagnostics --split-input-file --emit=none

func.func @f(%a: f32) -> f32 {
  // expected-error@+1 {{expected 'air.bf16_pieces' to be array<i64: A, B>}}
  %0 = math.fma %a, %a, %a {air.bf16_pieces = array<i64: 2, 3>} : f32
  return %0 : f32
}

// -----

func.func @f(%a: bf16) -> bf16 {
  // expected-error@+1 {{has 'air.bf16_pieces', which is for products of f32}}
  %0 = math.fma %a, %a, %a {air.bf16_pieces = array<i64: 1, 1>} : bf16
  return %0 : bf16
}

// -----

func.func @f(%a: bf16) -> bf16 {
  // expected-error@+1 {{has 'air.bf16_result', which is for functions of f32}}
  %0 = math.exp2 %a {air.bf16_result} : bf16
  return %0 : bf16
}
