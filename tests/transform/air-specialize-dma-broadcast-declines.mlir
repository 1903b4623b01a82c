// RUN: airlite-opt %s --air-specialize-dma-broadcast --split-input-file --verify-diagnostics --remarks | FileCheck %s

// CHECK-NOT: affine.if
#row = affine_set<(d0, d1)[s0] : (d1 - s0 == 0, s0 >= 0, -s0 + 1 >= 0)>
#open = affine_set<(d0, d1)[s0] : (d1 - s0 == 0, s0 >= 0)>
#huge = affine_set<(d0, d1)[s0] : (d1 - s0 == 0, s0 >= 0, -s0 + 5000 >= 0)>
#dims = affine_set<(d0)[s0] : (d0 - s0 == 0, s0 >= 0, -s0 + 1 >= 0)>
func.func @outside(%a: memref<8xi32, 1>, %b: memref<8xi32, 2>) {
  // expected-remark@+1 {{is not in a herd of two dimensions}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {broadcast_pattern = #row} : (memref<8xi32, 2>, memref<8xi32, 1>)
  return
}
func.func @patterns(%a: memref<8xi32, 1>) {
  %c2 = arith.constant 2 : index
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%n=%a) : memref<8xi32, 1> {
    %l = memref.alloc() : memref<8xi32, 2>
    // expected-remark@+1 {{broadcast_pattern has no constant number of groups}}
    air.dma_memcpy_nd (%l[] [] [], %n[] [] []) {broadcast_pattern = #open} : (memref<8xi32, 2>, memref<8xi32, 1>)
    // expected-remark@+1 {{broadcast_pattern has too many groups}}
    air.dma_memcpy_nd (%l[] [] [], %n[] [] []) {broadcast_pattern = #huge} : (memref<8xi32, 2>, memref<8xi32, 1>)
    // expected-remark@+1 {{broadcast_pattern is not a set of two dims and a symbol}}
    air.dma_memcpy_nd (%l[] [] [], %n[] [] []) {broadcast_pattern = #dims} : (memref<8xi32, 2>, memref<8xi32, 1>)
  }
  return
}

// -----

// expected-remark@+1 {{has too many channels to split}}
air.channel @c [2000, 1] {broadcast_shape = [2000, 4]}

// -----

// expected-remark@+1 {{is named by other ops than puts and gets}}
air.channel @c [2, 1] {broadcast_shape = [2, 4]}
func.func private @f() attributes {uses = @c}
