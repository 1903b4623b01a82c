// Causal attention of heads of 128 whose queries and keys end inside of a block: what lanes of short waves compare takes registers, not scratch.
// REQUIRES: gpu
// RUN: for d in gfx942 gfx1100 gfx1201; do \
// RUN:   airlite-compile %s --target=$d -o %T/$d --report=kernel | FileCheck %s || exit 1; done
// RUN: airlite-run %s --on=interp --init=random:8 --output 3=%t.npy
// RUN: airlite-run %s --target=gfx1100 --order=reverse --init=random:8 --expect 3=%t.npy --expect-atol=2e-3
// CHECK-COUNT-1: ; 0 bytes of scratch
// CHECK-NOT: bytes of scratch
#q = affine_map<(b, i, j, d) -> (b, i, d)>
#k = affine_map<(b, i, j, d) -> (b, j, d)>
#s = affine_map<(b, i, j, d) -> (b, i, j)>
#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @main(%q: memref<1x100x128xf16>, %k: memref<1x100x128xf16>, %v: memref<1x100x128xf16>, %o: memref<1x100x128xf32>) {
  %z = arith.constant 0.0 : f32
  %sc = arith.constant 0.0883883 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %s = memref.alloc() : memref<1x100x100xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<1x100x100xf32>)
  linalg.batch_matmul_transpose_b ins(%q, %k : memref<1x100x128xf16>, memref<1x100x128xf16>) outs(%s : memref<1x100x100xf32>)
  %t = memref.alloc() : memref<1x100x100xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : memref<1x100x100xf32>) outs(%t : memref<1x100x100xf32>) {
  ^bb0(%x: f32, %y: f32):
    %m = arith.mulf %x, %sc : f32
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ule, %j, %i : index
    %r = arith.select %c, %m, %ninf : f32
    linalg.yield %r : f32
  }
  %u = memref.alloc() : memref<1x100x100xf32>
  linalg.softmax dimension(2) ins(%t : memref<1x100x100xf32>) outs(%u : memref<1x100x100xf32>)
  %p = memref.alloc() : memref<1x100x100xf16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%u : memref<1x100x100xf32>) outs(%p : memref<1x100x100xf16>) {
  ^bb0(%x: f32, %y: f16):
    %m = arith.truncf %x : f32 to f16
    linalg.yield %m : f16
  }
  linalg.fill ins(%z : f32) outs(%o : memref<1x100x128xf32>)
  linalg.batch_matmul ins(%p, %v : memref<1x100x100xf16>, memref<1x100x128xf16>) outs(%o : memref<1x100x128xf32>)
  return
}

