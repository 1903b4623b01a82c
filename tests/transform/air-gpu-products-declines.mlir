// What air-gpu-products leaves alone, and why.
// RUN: airlite-opt %s --air-gpu-products=device=gfx1100 --remarks 2>&1 >%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAME --input-file=%t
// RUN: airlite-opt %s --air-gpu-products='device=gfx942 exact=true' --remarks 2>&1 >%t.exact \
// RUN:   | FileCheck %s --check-prefix=EXACT
// RUN: not airlite-opt %s --air-gpu-products=device=gfx7 2>&1 | FileCheck %s --check-prefix=DEVICE
// SAME-NOT: air.launch
// DEVICE: error: no kernels are planned for the device 'gfx7'; known: gfx90a gfx942 gfx1100 gfx1201

func.func @f64(%a: memref<32x32xf64>, %b: memref<32x32xf64>, %c: memref<32x32xf64>) {
  // CHECK: :[[@LINE+2]]:3: remark: [air-gpu-products] no matrix instruction of the device for these elements
  // EXACT: :[[@LINE+1]]:3: remark: [air-gpu-products] a matrix instruction adds its products in another order
  linalg.matmul ins(%a, %b : memref<32x32xf64>, memref<32x32xf64>) outs(%c : memref<32x32xf64>)
  return
}

func.func @matvec(%a: memref<32x32xf32>, %x: memref<32xf32>, %y: memref<32xf32>) {
  // CHECK: :[[@LINE+1]]:3: remark: [air-gpu-products] no product of matrices for a GPU: it has not one loop of rows, of columns and of sums
  linalg.matvec ins(%a, %x : memref<32x32xf32>, memref<32xf32>) outs(%y : memref<32xf32>)
  return
}

func.func @words(%a: memref<32x32xi16>, %b: memref<32x32xi16>, %c: memref<32x32xi32>) {
  // CHECK: :[[@LINE+1]]:3: remark: [air-gpu-products] no product of matrices for a GPU: its element types differ
  linalg.matmul ins(%a, %b : memref<32x32xi16>, memref<32x32xi16>) outs(%c : memref<32x32xi32>)
  return
}
