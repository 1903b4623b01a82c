// A reduction of several steps: L2 holds two steps of A and B, whatever the herd, and each pass keeps
// what the function computes.
// RUN: for herd in 4,4 2,2 1,4 4,1; do \
// RUN:   airlite-opt %s --pipeline="air-npu{herd=$herd l1-tile=4,4,8 l2-tile=0,0,16}" --check-each \
// RUN:     --check-schedules=4 --air-verify-program -o %t.mlir || exit 1; \
// RUN:   FileCheck %s --input-file=%t.mlir || exit 1; \
// RUN: done
// CHECK: air.segment
// CHECK: scf.for {{.*}} -> (!air.async.token, !air.async.token, !air.async.token, !air.async.token)
// CHECK: memref.alloc() {air.shrinkage = true} : memref<{{[0-9]+}}x16xi32, 1 : i32>
// CHECK: memref.alloc() {air.shrinkage = true} : memref<16x{{[0-9]+}}xi32, 1 : i32>
// CHECK: air.herd
func.func @matmul(%a: memref<16x64xi32>, %b: memref<64x16xi32>, %c: memref<16x16xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<16x16xi32>)
  linalg.matmul ins(%a, %b : memref<16x64xi32>, memref<64x16xi32>) outs(%c : memref<16x16xi32>)
  return
}
