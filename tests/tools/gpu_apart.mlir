// Factors whose elements lie apart along both dimensions, inside of the blocks and at their edges.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:4 --output 2=%t.c.npy --output 4=%t.d.npy
// RUN: for d in gfx90a gfx942 gfx1100 gfx1201; do \
// RUN:   airlite-run %s --target=$d --order=random:7 --init=random:4 --expect 2=%t.c.npy --expect 4=%t.d.npy --expect-atol=1e-4 || exit 1; done
func.func @main(%a: memref<66x130xbf16>, %b: memref<64x64xbf16>, %c: memref<32x64xf32>, %e: memref<40x33xbf16>, %d: memref<32x33xf32>) {
  %x = memref.subview %a[1, 1] [32, 64] [2, 2] : memref<66x130xbf16> to memref<32x64xbf16, strided<[260, 2], offset: 131>>
  linalg.matmul ins(%x, %b : memref<32x64xbf16, strided<[260, 2], offset: 131>>, memref<64x64xbf16>) outs(%c : memref<32x64xf32>)
  %y = memref.subview %a[1, 0] [32, 40] [2, 2] : memref<66x130xbf16> to memref<32x40xbf16, strided<[260, 2], offset: 130>>
  linalg.matmul ins(%y, %e : memref<32x40xbf16, strided<[260, 2], offset: 130>>, memref<40x33xbf16>) outs(%d : memref<32x33xf32>)
  return
}
