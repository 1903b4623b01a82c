// Products with several loops of rows, columns or sums: matrix instructions on views or copies of their operands.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:5 --output 8=%t.0.npy --output 9=%t.1.npy --output 10=%t.2.npy --output 11=%t.3.npy
// RUN: for d in gfx942,forward gfx90a,reverse gfx1100,random:3 gfx1201,reverse; do \
// RUN:   airlite-run %s --target=${d%,*} --order=${d#*,} --init=random:5 --expect 8=%t.0.npy --expect 9=%t.1.npy --expect 10=%t.2.npy --expect 11=%t.3.npy \
// RUN:     --expect-rtol=1e-3 --expect-atol=1e-3 || exit 1; done
// RUN: airlite-opt %s --air-gpu-products=device=gfx942 | FileCheck %s

// The fill is one of the copied results; two factors and the results change places.
// CHECK: memref.expand_shape
// CHECK: linalg.transpose
// CHECK: linalg.transpose
// CHECK: vector.contract
// CHECK: linalg.transpose
// In a batch, added to what is there.
// CHECK-COUNT-3: linalg.transpose
// CHECK: vector.contract
// CHECK: linalg.transpose
// Only the factor whose sums are apart is copied.
// CHECK: memref.collapse_shape
// CHECK-COUNT-1: linalg.transpose
// CHECK: vector.contract
// CHECK-NOT: linalg.transpose
// Too few columns.
// CHECK: linalg.mmt4d
func.func @main(%a: memref<4x9x8x2xi8>, %b: memref<3x9x16x2xi8>, %p: memref<2x4x5x4x8xbf16>, %q: memref<2x2x5x16x8xbf16>,
                %x: memref<6x4x3x16xf32>, %y: memref<3x5x4x16xf32>, %s: memref<2x9x8x2xi8>, %t: memref<1x9x4x2xi8>,
                %c: memref<4x3x8x16xi32>, %r: memref<2x4x2x4x16xf32>, %z: memref<6x4x5x4xf32>, %u: memref<2x1x8x4xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<4x3x8x16xi32>)
  linalg.mmt4d ins(%a, %b : memref<4x9x8x2xi8>, memref<3x9x16x2xi8>) outs(%c : memref<4x3x8x16xi32>)
  linalg.batch_mmt4d ins(%p, %q : memref<2x4x5x4x8xbf16>, memref<2x2x5x16x8xbf16>) outs(%r : memref<2x4x2x4x16xf32>)
  linalg.contract indexing_maps = [affine_map<(i, j, n, o, h, d) -> (i, j, h, d)>, affine_map<(i, j, n, o, h, d) -> (h, n, o, d)>, affine_map<(i, j, n, o, h, d) -> (i, j, n, o)>]
      ins(%x, %y : memref<6x4x3x16xf32>, memref<3x5x4x16xf32>) outs(%z : memref<6x4x5x4xf32>)
  linalg.mmt4d ins(%s, %t : memref<2x9x8x2xi8>, memref<1x9x4x2xi8>) outs(%u : memref<2x1x8x4xi32>)
  return
}
