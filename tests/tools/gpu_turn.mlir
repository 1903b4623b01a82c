// What is read across goes through LDS in tiles: 16 bytes of a row at a time, no conflict of banks for
// elements of 16 and 32 bits; elementwise ops on
// the way, edges, batches, and two operands that lie across.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:4 --output 1=%t.t.npy --output 4=%t.s.npy --output 6=%t.h.npy
// RUN: for d in gfx90a gfx942 gfx1100 gfx1201; do for o in forward reverse random:7; do \
// RUN:   airlite-run %s --target=$d --order=$o --init=random:4 --expect 1=%t.t.npy --expect 4=%t.s.npy --expect 6=%t.h.npy || exit 1; done; done
// RUN: for d in gfx90a gfx942 gfx1100 gfx1201; do \
// RUN:   airlite-compile %s --target=$d -o %T/$d --emit=asm --report=kernel | FileCheck %s || exit 1; done
// RUN: cat %T/gfx942/*.s | FileCheck %s --check-prefix=WIDE
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942}' | airlite-opt --air-verify-program --emit=none

// CHECK-COUNT-2: 0 of them by conflicts
// WIDE: global_store_dwordx4
// WIDE: global_store_dwordx4
#same = affine_map<(i, j) -> (i, j)>
#across = affine_map<(i, j) -> (j, i)>
func.func @main(%a: memref<3x128x64xf16>, %t: memref<3x64x128xf16>, %x: memref<75x50xf32>, %y: memref<75x50xf32>,
                %s: memref<50x75xf32>, %q: memref<64x2x64xi8>, %h: memref<64x2x64xi8>, %bias: memref<75xf32>) {
  linalg.transpose ins(%a : memref<3x128x64xf16>) outs(%t : memref<3x64x128xf16>) permutation = [0, 2, 1]
  linalg.generic {indexing_maps = [#across, #across, affine_map<(i, j) -> (j)>, #same], iterator_types = ["parallel", "parallel"]} ins(%x, %y, %bias : memref<75x50xf32>, memref<75x50xf32>, memref<75xf32>) outs(%s : memref<50x75xf32>) {
  ^bb0(%u: f32, %v: f32, %b: f32, %o: f32):
    %p = arith.subf %u, %v : f32
    %r = arith.addf %p, %b : f32
    linalg.yield %r : f32
  }
  linalg.transpose ins(%q : memref<64x2x64xi8>) outs(%h : memref<64x2x64xi8>) permutation = [2, 1, 0]
  return
}
