// RUN: airlite-opt %s --air-shape-arguments | FileCheck %s

// CHECK-LABEL: func.func @shaped(%arg0: memref<4x8xi32> {air.any_shape, tt.divisibility = 16 : i32}, %arg1: memref<8x4xi32> {air.any_shape})
// CHECK-NEXT: linalg.transpose ins(%arg0 : memref<4x8xi32>) outs(%arg1 : memref<8x4xi32>)
func.func @shaped(%a: memref<*xi32> {tt.divisibility = 16 : i32}, %b: memref<*xi32>) {
  %in = memref.reinterpret_cast %a to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<*xi32> to memref<4x8xi32>
  %out = memref.reinterpret_cast %b to offset: [0], sizes: [8, 4], strides: [4, 1] : memref<*xi32> to memref<8x4xi32>
  linalg.transpose ins(%in : memref<4x8xi32>) outs(%out : memref<8x4xi32>) permutation = [1, 0]
  return
}

// Two shapes, another offset, a caller: they stay.
// CHECK-LABEL: func.func @two_shapes(%arg0: memref<*xi32>)
func.func @two_shapes(%a: memref<*xi32>) {
  %in = memref.reinterpret_cast %a to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<*xi32> to memref<4x8xi32>
  %out = memref.reinterpret_cast %a to offset: [0], sizes: [32], strides: [1] : memref<*xi32> to memref<32xi32>
  return
}

// CHECK-LABEL: func.func @elsewhere(%arg0: memref<*xi32>)
func.func @elsewhere(%a: memref<*xi32>) {
  %in = memref.reinterpret_cast %a to offset: [8], sizes: [4, 8], strides: [8, 1] : memref<*xi32> to memref<4x8xi32, strided<[8, 1], offset: 8>>
  return
}

// CHECK-LABEL: func.func private @called(%arg0: memref<*xi32>)
func.func private @called(%a: memref<*xi32>) {
  %in = memref.reinterpret_cast %a to offset: [0], sizes: [4, 8], strides: [8, 1] : memref<*xi32> to memref<4x8xi32>
  return
}
func.func @caller(%a: memref<*xi32>) {
  func.call @called(%a) : (memref<*xi32>) -> ()
  return
}
