// Products of bf16 in blocks that share an exponent (air.block_floats): along the last reduction loop, whatever op
// says so; other bits than one after the other, within the bound of docs/npu_floats.md (16 products, factors up to 1).
// And air.sum_depth = 1, which is what an op means that says nothing.
// RUN: airlite-run %s --on=interp --init=random:3 --function=named --output 2=%t.npy
// RUN: airlite-run %s --on=interp --init=random:3 --function=contract --expect 2=%t.npy | FileCheck %s
// RUN: not airlite-run %s --on=interp --init=random:3 --function=plain --expect 2=%t.npy 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: airlite-run %s --on=interp --init=random:3 --function=plain --expect 2=%t.npy --expect-atol=0.504
// RUN: airlite-run %s --on=interp --init=random:3 --function=plain --output 2=%t-plain.npy
// RUN: airlite-run %s --on=interp --init=random:3 --function=one_by_one --expect 2=%t-plain.npy | FileCheck %s
// CHECK: argument 2 is as expected in {{.*}}: 64 elements, all with the same bits
// OTHER: of 64 elements differ
func.func @named(%a: memref<8x16xbf16>, %b: memref<16x8xbf16>, %c: memref<8x8xf32>) {
  linalg.matmul {air.sum_depth = 8 : i64, air.block_floats} ins(%a, %b : memref<8x16xbf16>, memref<16x8xbf16>) outs(%c : memref<8x8xf32>)
  return
}
func.func @plain(%a: memref<8x16xbf16>, %b: memref<16x8xbf16>, %c: memref<8x8xf32>) {
  linalg.matmul ins(%a, %b : memref<8x16xbf16>, memref<16x8xbf16>) outs(%c : memref<8x8xf32>)
  return
}
func.func @one_by_one(%a: memref<8x16xbf16>, %b: memref<16x8xbf16>, %c: memref<8x8xf32>) {
  linalg.matmul {air.sum_depth = 1 : i64} ins(%a, %b : memref<8x16xbf16>, memref<16x8xbf16>) outs(%c : memref<8x8xf32>)
  return
}
func.func @contract(%a: memref<8x16xbf16>, %b: memref<16x8xbf16>, %c: memref<8x8xf32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0.0 : bf16
  %zf = arith.constant 0.0 : f32
  %va = vector.transfer_read %a[%c0, %c0], %z : memref<8x16xbf16>, vector<8x16xbf16>
  %vb = vector.transfer_read %b[%c0, %c0], %z : memref<16x8xbf16>, vector<16x8xbf16>
  %vc = vector.transfer_read %c[%c0, %c0], %zf : memref<8x8xf32>, vector<8x8xf32>
  %r = vector.contract {air.sum_depth = 8 : i64, air.block_floats, indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
      affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel",
      "reduction"], kind = #vector.kind<add>} %va, %vb, %vc : vector<8x16xbf16>, vector<16x8xbf16> into vector<8x8xf32>
  vector.transfer_write %r, %c[%c0, %c0] : vector<8x8xf32>, memref<8x8xf32>
  return
}
