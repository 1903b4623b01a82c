// Products that are only added become fused multiply-adds in kernels, and nowhere else; roots may be
// approximated there.
// RUN: airlite-opt %s --gpu-contract-floats | FileCheck %s
module attributes {gpu.container_module} {
gpu.module @k {
  // CHECK-LABEL: gpu.func @kernel
  gpu.func @kernel(%m: memref<4xf32>, %a: f32, %b: f32, %c: f32, %v: vector<2xf64>, %h: bf16) kernel {
    %z = arith.constant 0 : index
    %p = arith.mulf %a, %b : f32
    // CHECK: %[[SUM:.*]] = math.fma %{{.*}}, %{{.*}}, %{{.*}} : f32
    %s = arith.addf %c, %p : f32
    %q = arith.mulf %a, %s : f32
    // CHECK: %[[N:.*]] = arith.negf
    // CHECK: math.fma %{{.*}}, %[[SUM]], %[[N]] : f32
    %t = arith.subf %q, %c : f32
    %r = arith.mulf %a, %t : f32
    // CHECK: %[[M:.*]] = arith.negf %{{.*}} : f32
    // CHECK: math.fma %[[M]]
    %u = arith.subf %c, %r : f32
    memref.store %u, %m[%z] : memref<4xf32>
    // Two uses: it has to be rounded for one of them.
    // CHECK: %[[TWICE:.*]] = arith.mulf
    %w = arith.mulf %u, %u : f32
    // CHECK: arith.addf %[[TWICE]]
    %x = arith.addf %w, %c : f32
    memref.store %w, %m[%z] : memref<4xf32>
    memref.store %x, %m[%z] : memref<4xf32>
    // CHECK: arith.mulf {{.*}} : bf16
    // CHECK: arith.addf {{.*}} : bf16
    %hp = arith.mulf %h, %h : bf16
    %hs = arith.addf %hp, %h : bf16
    %hx = arith.extf %hs : bf16 to f32
    memref.store %hx, %m[%z] : memref<4xf32>
    // CHECK: math.rsqrt %{{.*}} fastmath<contract,afn> : f32
    %root = math.rsqrt %x : f32
    memref.store %root, %m[%z] : memref<4xf32>
    gpu.return
  }
}
// CHECK-LABEL: func.func @host
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @host(%a: f32) -> f32 {
  %p = arith.mulf %a, %a : f32
  %s = arith.addf %p, %a : f32
  return %s : f32
}
}
