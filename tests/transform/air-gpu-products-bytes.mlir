// A factor that the body of a product makes from bytes is made on its way to LDS, and multiplied by matrix instructions.
// REQUIRES: gpu
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942}' --remarks 2>&1 | FileCheck %s
// RUN: for f in signed unsigned; do airlite-run %s --on=interp --function=$f --shape 0=50x96 --shape 2=50x72 --init=random:1 --output 2=%t.npy || exit 1; \
// RUN:   for d in gfx942,--order=forward gfx90a,--order=reverse gfx1201,--order=random:3; do \
// RUN:     airlite-run %s --target=$(echo $d | tr , ' ') --function=$f --shape 0=50x96 --shape 2=50x72 --init=random:1 --expect 2=%t.npy --expect-rtol=1e-4 --expect-atol=1e-3 || exit 1; done; \
// RUN: done
// CHECK-COUNT-2: mfma_{{.*}} with the op that makes a factor

// CHECK-LABEL: func.func @signed
// CHECK: arith.sitofp {{.*}} : vector<{{.*}}xi8> to vector<{{.*}}xf
// CHECK: vector.contract
func.func @signed(%x: memref<50x96xf16>, %w: memref<72x96xi8>, %y: memref<50x72xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : memref<50x96xf16>, memref<72x96xi8>) outs(%y : memref<50x72xf32>) {
  ^bb0(%a: f16, %b: i8, %c: f32):
    %0 = arith.extf %a : f16 to f32
    %1 = arith.sitofp %b : i8 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %c, %2 : f32
    linalg.yield %3 : f32
  }
  return
}

// CHECK-LABEL: func.func @unsigned
// CHECK: arith.uitofp {{.*}} : vector<{{.*}}xi8> to vector<{{.*}}xf
// CHECK: vector.contract
func.func @unsigned(%w: memref<?x96xi8>, %x: memref<96x72xbf16>, %y: memref<?x72xf32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%w, %x : memref<?x96xi8>, memref<96x72xbf16>) outs(%y : memref<?x72xf32>) {
  ^bb0(%a: i8, %b: bf16, %c: f32):
    %0 = arith.uitofp %a : i8 to f32
    %1 = arith.extf %b : bf16 to f32
    %2 = arith.mulf %1, %0 : f32
    %3 = arith.addf %2, %c : f32
    linalg.yield %3 : f32
  }
  return
}
