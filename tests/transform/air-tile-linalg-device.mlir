// Blocks of products are those of the matrix unit of the device.
// RUN: airlite-opt %s --air-tile-linalg='herd=1,1' | FileCheck %s --check-prefix=NPU1
// RUN: airlite-opt %s --air-tile-linalg='herd=1,1 device=npu2' | FileCheck %s --check-prefix=NPU2
// RUN: airlite-opt %s --air-tile-linalg='herd=1,1 device=npu2_1col' --check-each --emit=none
// RUN: not airlite-opt %s --air-tile-linalg='device=npu9' 2>&1 | FileCheck %s --check-prefix=NONE
// NPU1: memref.alloc() : memref<{{[0-9]+x[0-9]+}}x4x8xi8, 2 : i32>
// NPU1: memref.alloc() : memref<{{[0-9]+x[0-9]+}}x4x4xi16, 2 : i32>
// NPU2: memref.alloc() : memref<{{[0-9]+x[0-9]+}}x8x8xi8, 2 : i32>
// NPU2: memref.alloc() : memref<{{[0-9]+x[0-9]+}}x8x2xi16, 2 : i32>
// NONE: error: air-tile-linalg: 'device' is none that is known
func.func @bytes(%a: memref<32x32xi8>, %b: memref<32x32xi8>, %c: memref<32x32xi32>) {
  linalg.matmul ins(%a, %b : memref<32x32xi8>, memref<32x32xi8>) outs(%c : memref<32x32xi32>)
  return
}
func.func @halves(%a: memref<32x32xi16>, %b: memref<32x32xi16>, %c: memref<32x32xi32>) {
  linalg.matmul ins(%a, %b : memref<32x32xi16>, memref<32x32xi16>) outs(%c : memref<32x32xi32>)
  return
}
