// Packs and transposes of several dimensions go through LDS in boxes: 16 bytes of a work-item read and written at a time
// where sizes allow, also with an elementwise op on the way and when floats keep their bits (--exact).
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:4 --output 2=%t.2.npy --output 4=%t.4.npy --output 6=%t.6.npy --output 7=%t.7.npy
// RUN: for d in gfx90a,forward gfx942,reverse gfx942,random:7,--exact gfx1100,random:3 gfx1201,forward; do \
// RUN:   set -- $(echo $d | tr , ' '); \
// RUN:   airlite-run %s --target=$1 --order=$2 $3 --init=random:4 --expect 2=%t.2.npy --expect 4=%t.4.npy --expect 6=%t.6.npy --expect 7=%t.7.npy || exit 1; done
// RUN: airlite-compile %s --target=gfx942 -o %T/boxes --emit=asm
// RUN: cat %T/boxes/*.s | FileCheck %s --check-prefix=WIDE
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942}' | airlite-opt --air-verify-program --emit=none

// WIDE-NOT: global_{{load|store}}_{{[us]}}
// WIDE-COUNT-4: global_store_dwordx4
// WIDE-NOT: global_{{load|store}}_{{[us]}}
func.func @main(%k: i16, %b: memref<48x96xf16>, %pb: memref<6x12x16x4xf16>, %d: memref<64x12x4xi8>, %e: memref<12x64x4xi8>,
                %f: memref<3x40x8xi16>, %g: memref<8x3x40xi32>, %t: memref<96x48xf16>) {
  linalg.pack %b outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 4] into %pb : memref<48x96xf16> -> memref<6x12x16x4xf16>
  linalg.transpose ins(%d : memref<64x12x4xi8>) outs(%e : memref<12x64x4xi8>) permutation = [1, 0, 2]
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, k, i)>, affine_map<(i, j, k) -> ()>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%f, %k : memref<3x40x8xi16>, i16) outs(%g : memref<8x3x40xi32>) {
  ^bb0(%u: i16, %v: i16, %o: i32):
    %p = arith.addi %u, %v : i16
    %r = arith.extsi %p : i16 to i32
    linalg.yield %r : i32
  }
  linalg.transpose ins(%b : memref<48x96xf16>) outs(%t : memref<96x48xf16>) permutation = [1, 0]
  return
}
