// Products of bf16 that are added at once (air.sum_depth), as the matrix unit of AIE2 does: in groups
// of the last reduction loop, whatever op says so; and other bits than one after the other.
// RUN: airlite-run %s --on=interp --init=random:3 --function=named --output 2=%t.npy
// RUN: airlite-run %s --on=interp --init=random:3 --function=generic --expect 2=%t.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --init=random:3 --function=packed --expect 2=%t.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --init=random:3 --function=contract --expect 2=%t.npy | FileCheck %s
// RUN: not airlite-run %s --on=interp --init=random:3 --function=one_by_one --expect 2=%t.npy 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: airlite-run %s --on=interp --init=random:3 --function=one_by_one --expect 2=%t.npy --expect-atol=1e-5
// RUN: airlite-run %s --on=interp --init=random:3 --function=rest --output 2=%t-rest.npy
// RUN: airlite-run %s --on=interp --init=random:3 --function=rest_filled --expect 2=%t-rest.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --init=random:3 --function=wide --output 2=%t-wide.npy
// RUN: airlite-run %s --on=interp --init=random:3 --function=pieces --expect 2=%t-wide.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --init=random:3 --function=narrow --output 2=%t-narrow.npy
// RUN: airlite-run %s --on=interp --init=random:3 --function=narrowed --expect 2=%t-narrow.npy | FileCheck %s
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
// What is left at the end of a sum is added with zeros in place of what is missing.
func.func @rest(%a: memref<4x13xbf16>, %b: memref<13x4xbf16>, %c: memref<4x4xf32>) {
  linalg.matmul {air.sum_depth = 8 : i64} ins(%a, %b : memref<4x13xbf16>, memref<13x4xbf16>) outs(%c : memref<4x4xf32>)
  return
}
func.func @rest_filled(%a: memref<4x13xbf16>, %b: memref<13x4xbf16>, %c: memref<4x4xf32>) {
  %zero = arith.constant 0.0 : bf16
  %pa = memref.alloc() : memref<4x16xbf16>
  %pb = memref.alloc() : memref<16x4xbf16>
  linalg.fill ins(%zero : bf16) outs(%pa : memref<4x16xbf16>)
  linalg.fill ins(%zero : bf16) outs(%pb : memref<16x4xbf16>)
  %va = memref.subview %pa[0, 0] [4, 13] [1, 1] : memref<4x16xbf16> to memref<4x13xbf16, strided<[16, 1]>>
  %vb = memref.subview %pb[0, 0] [13, 4] [1, 1] : memref<16x4xbf16> to memref<13x4xbf16, strided<[4, 1]>>
  memref.copy %a, %va : memref<4x13xbf16> to memref<4x13xbf16, strided<[16, 1]>>
  memref.copy %b, %vb : memref<13x4xbf16> to memref<13x4xbf16, strided<[4, 1]>>
  linalg.matmul {air.sum_depth = 8 : i64} ins(%pa, %pb : memref<4x16xbf16>, memref<16x4xbf16>) outs(%c : memref<4x4xf32>)
  memref.dealloc %pa : memref<4x16xbf16>
  memref.dealloc %pb : memref<16x4xbf16>
  return
}
// Factors of f32 in two pieces: the small products first, then the large ones.
func.func @wide(%a: memref<4x16xf32>, %b: memref<16x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul {air.sum_depth = 8 : i64, air.bf16_pieces = array<i64: 2, 2>} ins(%a, %b : memref<4x16xf32>, memref<16x4xf32>) outs(%c : memref<4x4xf32>)
  return
}
#id = affine_map<(i, j) -> (i, j)>
func.func private @split(%x: memref<?x?xf32>, %high: memref<?x?xbf16>, %low: memref<?x?xbf16>) {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<?x?xf32>) outs(%high, %low : memref<?x?xbf16>, memref<?x?xbf16>) {
  ^bb0(%e: f32, %h: bf16, %l: bf16):
    %0 = arith.truncf %e : f32 to bf16
    %1 = arith.extf %0 : bf16 to f32
    %2 = arith.subf %e, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %0, %3 : bf16, bf16
  }
  return
}
func.func @pieces(%a: memref<4x16xf32>, %b: memref<16x4xf32>, %c: memref<4x4xf32>) {
  %a0 = memref.alloc() : memref<4x16xbf16>
  %a1 = memref.alloc() : memref<4x16xbf16>
  %b0 = memref.alloc() : memref<16x4xbf16>
  %b1 = memref.alloc() : memref<16x4xbf16>
  %da = memref.cast %a : memref<4x16xf32> to memref<?x?xf32>
  %da0 = memref.cast %a0 : memref<4x16xbf16> to memref<?x?xbf16>
  %da1 = memref.cast %a1 : memref<4x16xbf16> to memref<?x?xbf16>
  %db = memref.cast %b : memref<16x4xf32> to memref<?x?xf32>
  %db0 = memref.cast %b0 : memref<16x4xbf16> to memref<?x?xbf16>
  %db1 = memref.cast %b1 : memref<16x4xbf16> to memref<?x?xbf16>
  call @split(%da, %da0, %da1) : (memref<?x?xf32>, memref<?x?xbf16>, memref<?x?xbf16>) -> ()
  call @split(%db, %db0, %db1) : (memref<?x?xf32>, memref<?x?xbf16>, memref<?x?xbf16>) -> ()
  linalg.matmul {air.sum_depth = 8 : i64} ins(%a1, %b1 : memref<4x16xbf16>, memref<16x4xbf16>) outs(%c : memref<4x4xf32>)
  linalg.matmul {air.sum_depth = 8 : i64} ins(%a0, %b1 : memref<4x16xbf16>, memref<16x4xbf16>) outs(%c : memref<4x4xf32>)
  linalg.matmul {air.sum_depth = 8 : i64} ins(%a1, %b0 : memref<4x16xbf16>, memref<16x4xbf16>) outs(%c : memref<4x4xf32>)
  linalg.matmul {air.sum_depth = 8 : i64} ins(%a0, %b0 : memref<4x16xbf16>, memref<16x4xbf16>) outs(%c : memref<4x4xf32>)
  memref.dealloc %a0 : memref<4x16xbf16>
  memref.dealloc %a1 : memref<4x16xbf16>
  memref.dealloc %b0 : memref<16x4xbf16>
  memref.dealloc %b1 : memref<16x4xbf16>
  return
}
// Sums of bf16 are made in f32 and rounded once.
func.func @narrow(%a: memref<4x16xbf16>, %b: memref<16x4xbf16>, %c: memref<4x4xbf16>) {
  linalg.matmul {air.sum_depth = 8 : i64} ins(%a, %b : memref<4x16xbf16>, memref<16x4xbf16>) outs(%c : memref<4x4xbf16>)
  return
}
func.func @narrowed(%a: memref<4x16xbf16>, %b: memref<16x4xbf16>, %c: memref<4x4xbf16>) {
  %sums = memref.alloc() : memref<4x4xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : memref<4x4xbf16>) outs(%sums : memref<4x4xf32>) {
  ^bb0(%e: bf16, %o: f32):
    %0 = arith.extf %e : bf16 to f32
    linalg.yield %0 : f32
  }
  linalg.matmul {air.sum_depth = 8 : i64} ins(%a, %b : memref<4x16xbf16>, memref<16x4xbf16>) outs(%sums : memref<4x4xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sums : memref<4x4xf32>) outs(%c : memref<4x4xbf16>) {
  ^bb0(%e: f32, %o: bf16):
    %0 = arith.truncf %e : f32 to bf16
    linalg.yield %0 : bf16
  }
  memref.dealloc %sums : memref<4x4xf32>
  return
}
