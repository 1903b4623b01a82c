// Attention with scores of keys by queries, values taken across, and a result that lies across: one kernel as well.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:1 --output 4=%t.npy
// RUN: airlite-run %s --target=gfx942 --init=random:1 --expect 4=%t.npy --expect-atol=2e-3 -v 2>&1 | FileCheck %s
// RUN: airlite-run %s --target=gfx1100 --init=random:1 --order=random:2 --expect 4=%t.npy --expect-atol=2e-3 -v 2>&1 \
// RUN:   | FileCheck %s
// CHECK-DAG: as expected
// CHECK-DAG: 1 launches, 2 workgroups
#id = affine_map<(b, n, m) -> (b, n, m)>
func.func @main(%q: memref<2x50x32xf16>, %k: memref<2x70x32xf16>, %v: memref<2x70x24xf16>, %bias: memref<24xf32>, %o: memref<2x24x50xf16>) {
  %z = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<2x70x50xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<2x70x50xf32>)
  linalg.batch_matmul_transpose_b ins(%k, %q : memref<2x70x32xf16>, memref<2x50x32xf16>) outs(%s : memref<2x70x50xf32>)
  linalg.softmax dimension(1) ins(%s : memref<2x70x50xf32>) outs(%s : memref<2x70x50xf32>)
  %p = memref.alloc() : memref<2x70x50xf16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : memref<2x70x50xf32>) outs(%p : memref<2x70x50xf16>) {
  ^bb0(%x: f32, %y: f16):
    %w = arith.truncf %x : f32 to f16
    linalg.yield %w : f16
  }
  %of = memref.alloc() : memref<2x24x50xf32>
  linalg.fill ins(%z : f32) outs(%of : memref<2x24x50xf32>)
  linalg.batch_matmul_transpose_a ins(%v, %p : memref<2x70x24xf16>, memref<2x70x50xf16>) outs(%of : memref<2x24x50xf32>)
  memref.dealloc %p : memref<2x70x50xf16>
  linalg.generic {indexing_maps = [affine_map<(b, e, m) -> (b, e, m)>, affine_map<(b, e, m) -> (e)>, affine_map<(b, e, m) -> (b, e, m)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%of, %bias : memref<2x24x50xf32>, memref<24xf32>) outs(%o : memref<2x24x50xf16>) {
  ^bb0(%x: f32, %b: f32, %y: f16):
    %u = arith.addf %x, %b : f32
    %w = arith.truncf %u : f32 to f16
    linalg.yield %w : f16
  }
  memref.dealloc %s : memref<2x70x50xf32>
  memref.dealloc %of : memref<2x24x50xf32>
  return
}
