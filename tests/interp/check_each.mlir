// --check-each runs the functions before and after every pass. The pass of the tests that breaks
// things does not exist; what can be seen is that good passes are let through, and what is compared.
// RUN: airlite-opt %s --check-each --remarks --canonicalize --cse --convert-linalg-to-loops 2>&1 | FileCheck %s
// CHECK: warning: '@race' is not compared: it depends on the schedule
// CHECK: warning: '@tensor' is not compared: no values are made for arguments of type tensor<*xf32>
// CHECK: scf.for
func.func @matmul(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
  return
}
func.func @race(%m: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %t0 = air.execute {
    %1 = arith.constant 100 : i32
    memref.store %1, %m[%c0] : memref<1xi32>
  }
  %t1 = air.execute {
    %2 = arith.constant 200 : i32
    memref.store %2, %m[%c0] : memref<1xi32>
  }
  air.wait_all [%t0, %t1]
  return
}
func.func @tensor(%t: tensor<*xf32>) {
  return
}
