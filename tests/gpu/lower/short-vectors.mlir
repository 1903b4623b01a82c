// REQUIRES: gpu
// A chain of ops on rows that keeps a number for each row in memory, the same for all rows: a vector with fewer elements than
// a wave has lanes. scripts/prove_gpu.py found it.
// RUN: airlite-run %s --on=interp --init=random:1 --output 1=%t.npy
// RUN: for d in gfx90a gfx942 gfx1100 gfx1201; do \
// RUN:   airlite-run %s --target=$d --init=random:1 --expect 1=%t.npy --expect-rtol 0.01 --order=random:3 || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-4: as expected
func.func @main(%a0: memref<64x15xf16>, %a1: memref<64x8xf16>) {
  %v1 = memref.alloc() : memref<64x15xf16>
  linalg.transpose ins(%a0 : memref<64x15xf16>) outs(%v1 : memref<64x15xf16>) permutation = [0, 1]
  %v2 = memref.alloc() : memref<64xf16>
  %v3 = arith.constant 0.0 : f16
  linalg.fill ins(%v3 : f16) outs(%v2 : memref<64xf16>)
  %v4 = arith.constant 0.066667 : f16
  %v5 = arith.constant 1.0e-2 : f16
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%v1 : memref<64x15xf16>) outs(%v2 : memref<64xf16>) {
  ^bb0(%x0: f16, %o: f16):
    %s = arith.mulf %x0, %x0 : f16
    %t = arith.mulf %s, %v4 : f16
    %r = arith.addf %t, %o : f16
    linalg.yield %r : f16
  }
  %v6 = memref.alloc() : memref<64x15xf16>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v1, %v2 : memref<64x15xf16>, memref<64xf16>) outs(%v6 : memref<64x15xf16>) {
  ^bb0(%x0: f16, %x1: f16, %o: f16):
    %s = arith.addf %x1, %v5 : f16
    %t = math.rsqrt %s : f16
    %r = arith.mulf %x0, %t : f16
    linalg.yield %r : f16
  }
  %v7 = memref.subview %v6[0, 0] [64, 8] [1, 2] : memref<64x15xf16> to memref<64x8xf16, strided<[15, 2], offset: 0>>
  %v8 = memref.alloc() : memref<64x8xf16>
  linalg.softmax dimension(1) ins(%v7 : memref<64x8xf16, strided<[15, 2], offset: 0>>) outs(%v8 : memref<64x8xf16>)
  memref.copy %v8, %a1 : memref<64x8xf16> to memref<64x8xf16>
  memref.dealloc %v1 : memref<64x15xf16>
  memref.dealloc %v2 : memref<64xf16>
  memref.dealloc %v6 : memref<64x15xf16>
  memref.dealloc %v8 : memref<64x8xf16>
  return
}
