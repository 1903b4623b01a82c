// Workgroups that take the blocks of a product in turns, as many as the recipe is told: any number of them, edges, a batch,
// an op that follows, and a convolution have the same bits as a workgroup for each block, in any order.
// REQUIRES: gpu
// RUN: for d in gfx90a gfx942 gfx1201; do \
// RUN:   airlite-opt %s --pipeline="air-gpu{device=$d workgroups=-1}" | airlite-run - --target=$d --init=random:4 --output 5=%t.5.npy --output 7=%t.7.npy --output 10=%t.10.npy || exit 1; \
// RUN:   for w in 3,forward 16,reverse 8,random:3; do \
// RUN:     airlite-opt %s --pipeline="air-gpu{device=$d workgroups=${w%,*}}" >%t.mlir || exit 1; \
// RUN:     airlite-run %t.mlir --target=$d --order=${w#*,} --init=random:4 --expect 5=%t.5.npy --expect 7=%t.7.npy --expect 10=%t.10.npy || exit 1; done; done
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942 workgroups=8}' | airlite-opt --air-verify-program --emit=none
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942 workgroups=8}' | FileCheck %s
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942 workgroups=3}' | FileCheck %s --check-prefix=THREE
// RUN: airlite-opt %S/Inputs/large_product.mlir --pipeline='air-gpu{device=gfx942 block=64,64}' --remarks 2>&1 >/dev/null | FileCheck %s --check-prefix=CHOSEN
// RUN: airlite-opt %S/Inputs/large_product.mlir --pipeline='air-gpu{device=gfx942}' --remarks 2>&1 >/dev/null | FileCheck %s --check-prefix=LARGE

// Three workgroups of 20 KiB of LDS fit a compute unit. A tile whose sums fill the registers leaves no room for turns.
// CHOSEN: 64 x 64 of a workgroup {{.*}} of LDS, 912 of them in turns
// LARGE: 256 x 256 of a workgroup {{.*}} of LDS{{$}}

// A workgroup of each XCD: 42 blocks, of which each XCD has six next to each other.
// CHECK: air.launch
// CHECK: air.segment unroll(%[[XCD:.*]]) in (%{{.*}}=%c8{{.*}}) {{.*}}"backend-granularity" = "XCD"
// CHECK: arith.minui
// CHECK: air.herd
// CHECK: scf.for
// CHECK: scf.for
// CHECK: gpu.schedule_barrier
// Three do not divide the XCDs.
// THREE-NOT: XCD
// THREE: air.launch (%{{.*}}) in (%{{.*}}=%c3{{.*}})
func.func @main(%a: memref<200x100xf16>, %b: memref<100x170xf16>, %c: memref<200x170xf32>, %a8: memref<3x64x96xi8>, %b8: memref<3x96x80xi8>, %c8: memref<3x64x80xi32>, %bias: memref<170xf32>, %d: memref<200x170xf16>,
                %x: memref<2x10x18x16xi8>, %f: memref<3x3x16x32xi8>, %y: memref<2x8x16x32xi32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<200x170xf32>)
  linalg.matmul ins(%a, %b : memref<200x100xf16>, memref<100x170xf16>) outs(%c : memref<200x170xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : memref<200x170xf32>, memref<170xf32>) outs(%d : memref<200x170xf16>) {
  ^bb0(%u: f32, %v: f32, %o: f16):
    %p = arith.addf %u, %v : f32
    %r = arith.truncf %p : f32 to f16
    linalg.yield %r : f16
  }
  linalg.batch_matmul ins(%a8, %b8 : memref<3x64x96xi8>, memref<3x96x80xi8>) outs(%c8 : memref<3x64x80xi32>)
  linalg.conv_2d_nhwc_hwcf ins(%x, %f : memref<2x10x18x16xi8>, memref<3x3x16x32xi8>) outs(%y : memref<2x8x16x32xi32>)
  return
}
