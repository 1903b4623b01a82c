// RUN: airlite-opt %s --air-tile-linalg='herd=4,4 l2-bytes=2097152 matrix-sums=true product-plan=3,2,36,120,64,1' --check-each | FileCheck %s

// One launch may be longer than rows and columns: L2 holds zeros for the rest, and what is made of these stays there.
// CHECK-LABEL: func.func @filled_up
// CHECK-DAG: memref.alloc() {air.zero_memory} : memref<108x64xi8, 1 : i32>
// CHECK-DAG: memref.alloc() {air.zero_memory} : memref<64x240xi8, 1 : i32>
// CHECK-DAG: %[[SUMS:.*]] = memref.alloc() : memref<108x240xi32, 1 : i32>
// CHECK: %[[PART:.*]] = memref.subview %[[SUMS]][0, 0] [106, 232]
// CHECK: memref.copy %[[PART]]
func.func @filled_up(%a: memref<106x64xi8>, %b: memref<64x232xi8>, %c: memref<106x232xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<106x232xi32>)
  linalg.matmul ins(%a, %b : memref<106x64xi8>, memref<64x232xi8>) outs(%c : memref<106x232xi32>)
  return
}

// Rows of 231 bytes have copies with room for all columns.
// CHECK-LABEL: func.func @copied
// CHECK-DAG: memref.alloc() : memref<64x256xi8>
// CHECK-DAG: memref.alloc() : memref<106x256xi8>
// CHECK: memref.alloc() {air.zero_memory} : memref<108x64xi8, 1 : i32>
// CHECK-NOT: air.zero_memory
func.func @copied(%a: memref<106x64xi8>, %b: memref<64x231xi8>, %c: memref<106x231xi8>) {
  %zero = arith.constant 0 : i8
  linalg.fill ins(%zero : i8) outs(%c : memref<106x231xi8>)
  linalg.matmul ins(%a, %b : memref<106x64xi8>, memref<64x231xi8>) outs(%c : memref<106x231xi8>)
  return
}
