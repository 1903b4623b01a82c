// Softmax along the last dimension: a wave reads its row once.
// RUN: airlite-opt %s --air-gpu-rows=device=gfx942 --remarks 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t
// RUN: airlite-opt %s --air-gpu-rows=device=gfx942 --check-each --emit=none

// CHECK-LABEL: func.func @rows
// CHECK: air.herd {{.*}}attributes {airlite.spread}
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: vector.transfer_read {{.*}} memref<3x17x200xf32>, vector<256xf32>
// CHECK: vector.reduction <maxnumf>
// CHECK: math.exp
// CHECK: vector.reduction <add>
// CHECK: arith.divf
// CHECK: vector.transfer_write
func.func @rows(%a: memref<3x17x200xf32>, %c: memref<3x17x200xf32>) {
  linalg.softmax dimension(2) ins(%a : memref<3x17x200xf32>) outs(%c : memref<3x17x200xf32>)
  return
}

// CHECK-LABEL: func.func @declines
// CHECK-COUNT-3: linalg.softmax
func.func @declines(%a: memref<4x5000xf32>, %b: memref<4x?xf32>, %c: memref<4x8xf32>) {
  // WHY: :[[@LINE+1]]:3: remark: [air-gpu-rows] no wave for each row: its rows are longer than the registers of a wave
  linalg.softmax dimension(1) ins(%a : memref<4x5000xf32>) outs(%a : memref<4x5000xf32>)
  // WHY: :[[@LINE+1]]:3: remark: [air-gpu-rows] no wave for each row: its rows are longer than the registers of a wave, or of open length
  linalg.softmax dimension(1) ins(%b : memref<4x?xf32>) outs(%b : memref<4x?xf32>)
  // WHY: :[[@LINE+1]]:3: remark: [air-gpu-rows] no wave for each row: its dimension is not the last one
  linalg.softmax dimension(0) ins(%c : memref<4x8xf32>) outs(%c : memref<4x8xf32>)
  return
}
