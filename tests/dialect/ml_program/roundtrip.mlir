// RUN: airlite-opt %s | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --mlir-print-op-generic | airlite-opt | FileCheck %s

// CHECK: ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
ml_program.global private mutable @seed(dense<0> : tensor<i64>) : tensor<i64>
// CHECK: ml_program.global public @fixed(5 : i32) : i32 {a.b}
ml_program.global public @fixed(5 : i32) : i32 {a.b}
// CHECK: ml_program.global nested mutable @later : i32
ml_program.global nested mutable @later : i32
// CHECK-LABEL: func.func @accesses
func.func @accesses() -> i32 {
  // CHECK-NEXT: %0 = ml_program.global_load @seed : tensor<i64>
  %0 = ml_program.global_load @seed : tensor<i64>
  // CHECK-NEXT: ml_program.global_store @seed = %0 : tensor<i64>
  ml_program.global_store @seed = %0 : tensor<i64>
  // CHECK-NEXT: %1 = ml_program.global_load_const @fixed : i32
  %1 = ml_program.global_load_const @fixed : i32
  return %1 : i32
}
