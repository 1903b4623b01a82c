// Products of bf16 that are added at once (air.sum_depth), as the matrix unit of AIE2 does: in groups
// of the last reduction loop, whatever op says so; and other bits than one after the other.
// RUN: airlite-run %s --on=interp --init=random:3 --function=named --output 2=%t.npy
// RUN: airlite-run %s --on=interp --init=random:3 --function=generic --expect 2=%t.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --init=random:3 --function=packed --expect 2=%t.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --init=random:3 --function=contract --expect 2=%t.npy | FileCheck %s
// RUN: not airlite-run %s --on=interp --init=random:3 --function=one_by_one --expect 2=%t.npy 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: airlite-run %s --on=interp --init=random:3 --function=one_by_one --expect 2=%t.npy --expect-atol=1e-5
// CHECK: argument 2 is as expected in {{.*}}: 16 elements, all with the same bits
// OTHER: of 16 elements differ
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#pa = affine_map<(k, m, n, s) -> (m, k, s)>
#pb = affine_map<(k, m, n, s) -> (k, s, n)>
#pc = affine_map<(k, m, n, s) -> (m, n)>
func.func @named(%a: memref<4x128xbf16>, %b: memref<128x4xbf16>, %c: memref<4x4xf32>) {
  linalg.matmul {air.sum_depth = 8 : i64} ins(%a, %b : memref<4x128xbf16>, memref<128x4xbf16>) outs(%c : memref<4x4xf32>)
  return
}
func.func @one_by_one(%a: memref<4x128xbf16>, %b: memref<128x4xbf16>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x128xbf16>, memref<128x4xbf16>) outs(%c : memref<4x4xf32>)
  return
}
func.func @generic(%a: memref<4x128xbf16>, %b: memref<128x4xbf16>, %c: memref<4x4xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], air.sum_depth = 8 : i64}
      ins(%a, %b : memref<4x128xbf16>, memref<128x4xbf16>) outs(%c : memref<4x4xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %r = arith.mulf %p, %q : f32
    %s = arith.addf %o, %r : f32
    linalg.yield %s : f32
  }
  return
}
// The loop over groups is outermost; the last reduction loop is not the last loop.
func.func @packed(%a: memref<4x128xbf16>, %b: memref<128x4xbf16>, %c: memref<4x4xf32>) {
  %pa = memref.expand_shape %a [[0], [1, 2]] output_shape [4, 16, 8] : memref<4x128xbf16> into memref<4x16x8xbf16>
  %pb = memref.expand_shape %b [[0, 1], [2]] output_shape [16, 8, 4] : memref<128x4xbf16> into memref<16x8x4xbf16>
  linalg.generic {indexing_maps = [#pa, #pb, #pc], iterator_types = ["reduction", "parallel", "parallel", "reduction"], air.sum_depth = 8 : i64}
      ins(%pa, %pb : memref<4x16x8xbf16>, memref<16x8x4xbf16>) outs(%c : memref<4x4xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %r = arith.mulf %p, %q : f32
    %s = arith.addf %o, %r : f32
    linalg.yield %s : f32
  }
  return
}
func.func @contract(%a: memref<4x128xbf16>, %b: memref<128x4xbf16>, %c: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : bf16
  %zf = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0], %z {in_bounds = [true, true]} : memref<4x128xbf16>, vector<4x128xbf16>
  %y = vector.transfer_read %b[%c0, %c0], %z {in_bounds = [true, true]} : memref<128x4xbf16>, vector<128x4xbf16>
  %o = vector.transfer_read %c[%c0, %c0], %zf {in_bounds = [true, true]} : memref<4x4xf32>, vector<4x4xf32>
  %r = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, air.sum_depth = 8 : i64} %x, %y, %o : vector<4x128xbf16>, vector<128x4xbf16> into vector<4x4xf32>
  vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4xf32>
  return
}
