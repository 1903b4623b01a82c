// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s --print-generic | airlite-opt - | FileCheck %s
// CHECK-LABEL: func.func @f
func.func @f(%a: vector<8xi8>, %c: vector<4xi32>) -> vector<4xi32> {
  // CHECK: gpu.barrier{{$}}
  gpu.barrier
  // CHECK: gpu.barrier memfence [#gpu.address_space<workgroup>]
  gpu.barrier memfence [#gpu.address_space<workgroup>]
  // CHECK: gpu.schedule_barrier
  gpu.schedule_barrier
  // CHECK: gpu.matrix_product "mfma_i32_16x16x32_i8" %{{.*}}, %{{.*}}, %{{.*}} : vector<8xi8>, vector<8xi8>, vector<4xi32>
  %d = gpu.matrix_product "mfma_i32_16x16x32_i8" %a, %a, %c : vector<8xi8>, vector<8xi8>, vector<4xi32>
  return %d : vector<4xi32>
}
