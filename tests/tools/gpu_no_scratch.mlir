// Kernels whose loops of few rounds LLVM would unroll, with more addresses and fragments than there are registers, and
// attention whose keys end inside of a block: nothing is in scratch.
// REQUIRES: gpu
// RUN: for d in gfx942 gfx1100 gfx1201; do \
// RUN:   airlite-compile %s --target=$d -o %T/$d --report=kernel | FileCheck %s || exit 1; done
// CHECK-COUNT-3: ; 0 bytes of scratch
// CHECK-NOT: {{[1-9][0-9]*}} bytes of scratch
func.func @main(%x: memref<1x16x16x32xf16>, %w: memref<3x3x32x64xf16>, %c: memref<1x14x14x64xf32>, %a: memref<1x1024xbf16>,
                %b: memref<1024x768xbf16>, %d: memref<1x768xf32>, %q: memref<4x64x128xbf16>, %k: memref<4x300x128xbf16>,
                %v: memref<4x300x128xbf16>, %o: memref<4x64x128xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.conv_2d_nhwc_hwcf ins(%x, %w : memref<1x16x16x32xf16>, memref<3x3x32x64xf16>) outs(%c : memref<1x14x14x64xf32>)
  linalg.matmul ins(%a, %b : memref<1x1024xbf16>, memref<1024x768xbf16>) outs(%d : memref<1x768xf32>)
  %s = memref.alloc() : memref<4x64x300xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<4x64x300xf32>)
  linalg.batch_matmul_transpose_b ins(%q, %k : memref<4x64x128xbf16>, memref<4x300x128xbf16>) outs(%s : memref<4x64x300xf32>)
  %p = memref.alloc() : memref<4x64x300xf32>
  linalg.softmax dimension(2) ins(%s : memref<4x64x300xf32>) outs(%p : memref<4x64x300xf32>)
  %n = memref.alloc() : memref<4x64x300xbf16>
  linalg.copy ins(%p : memref<4x64x300xf32>) outs(%n : memref<4x64x300xbf16>)
  linalg.fill ins(%zero : f32) outs(%o : memref<4x64x128xf32>)
  linalg.batch_matmul ins(%n, %v : memref<4x64x300xbf16>, memref<4x300x128xbf16>) outs(%o : memref<4x64x128xf32>)
  return
}
