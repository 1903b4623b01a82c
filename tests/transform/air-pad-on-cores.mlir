// RUN: airlite-opt %s --pipeline='func.func(air-pad-on-cores)' | FileCheck %s
// RUN: airlite-opt %s --pipeline='func.func(air-pad-on-cores)' --check-each --emit=none
// RUN: airlite-opt %s --pipeline='func.func(air-pad-on-cores{l1-bytes=200})' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=WHY
// WHY-COUNT-2: remark: [air-pad-on-cores] no DMA pads it, and no dimension has parts of whole words with room in L1

// Two images of 8x8 pixels with three bytes: rows begin at byte 33, and 30 bytes after each other. Rows of pixels are shared out; what is above
// and below them stays filled.
// CHECK-LABEL: func.func @images
// CHECK: %[[P:.*]] = memref.alloc() : memref<2x10x10x4xi8>
// CHECK: %[[ONE:.*]] = arith.constant 1 : i8
// CHECK: linalg.fill ins(%[[ONE]] : i8) outs(%[[P]]
// CHECK: scf.for %[[ROW:.*]] = %{{.*}} to %c8{{.*}} step
// CHECK: %[[BELOW:.*]] = arith.addi %[[ROW]], %c1
// CHECK: memref.store %[[ONE]], %[[P]][%{{.*}}, %[[BELOW]], %{{.*}}, %{{.*}}]
// CHECK: %[[X:.*]] = memref.load %arg0[%[[N:.*]], %[[ROW]], %[[COLUMN:.*]], %[[BYTE:.*]]]
// CHECK: %[[BELOW2:.*]] = arith.addi %[[ROW]], %c1
// CHECK: %[[RIGHT:.*]] = arith.addi %[[COLUMN]], %c1
// CHECK: memref.store %[[X]], %[[P]][%[[N]], %[[BELOW2]], %[[RIGHT]], %[[BYTE]]]
// CHECK: memref.copy %[[P]], %arg1
func.func @images(%x: memref<2x8x8x3xi8>, %y: memref<2x10x10x4xi8>) {
  %p = memref.alloc() : memref<2x10x10x4xi8>
  %one = arith.constant 1 : i8
  linalg.fill ins(%one : i8) outs(%p : memref<2x10x10x4xi8>)
  %inside = memref.subview %p[0, 1, 1, 0] [2, 8, 8, 3] [1, 1, 1, 1] : memref<2x10x10x4xi8> to memref<2x8x8x3xi8, strided<[400, 40, 4, 1], offset: 44>>
  linalg.copy ins(%x : memref<2x8x8x3xi8>) outs(%inside : memref<2x8x8x3xi8, strided<[400, 40, 4, 1], offset: 44>>)
  memref.copy %p, %y : memref<2x10x10x4xi8> to memref<2x10x10x4xi8>
  return
}

// Rows of whole words are copied by DMAs; a buffer that is read between fill and copy stays.
// CHECK-LABEL: func.func @others
// CHECK-NOT: scf.for
// CHECK-COUNT-2: linalg.copy
// CHECK-NOT: scf.for
// CHECK: return
func.func @others(%x: memref<8x8xi8>, %y: memref<8x6xi8>, %z: memref<10x10xi8>) {
  %p = memref.alloc() : memref<16x16xi8>
  %q = memref.alloc() : memref<10x10xi8>
  %zero = arith.constant 0 : i8
  linalg.fill ins(%zero : i8) outs(%p : memref<16x16xi8>)
  %inside = memref.subview %p[4, 4] [8, 8] [1, 1] : memref<16x16xi8> to memref<8x8xi8, strided<[16, 1], offset: 68>>
  linalg.copy ins(%x : memref<8x8xi8>) outs(%inside : memref<8x8xi8, strided<[16, 1], offset: 68>>)
  linalg.fill ins(%zero : i8) outs(%q : memref<10x10xi8>)
  memref.copy %q, %z : memref<10x10xi8> to memref<10x10xi8>
  %other = memref.subview %q[1, 1] [8, 6] [1, 1] : memref<10x10xi8> to memref<8x6xi8, strided<[10, 1], offset: 11>>
  linalg.copy ins(%y : memref<8x6xi8>) outs(%other : memref<8x6xi8, strided<[10, 1], offset: 11>>)
  return
}

// 75 elements of two bytes.
// CHECK-LABEL: func.func @odd
// CHECK-NOT: scf.for
func.func @odd(%x: memref<3x5x5xbf16>, %y: memref<3x8x7xbf16>) {
  %p = memref.alloc() : memref<3x8x7xbf16>
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%p : memref<3x8x7xbf16>)
  %inside = memref.subview %p[0, 1, 1] [3, 5, 5] [1, 1, 1] : memref<3x8x7xbf16> to memref<3x5x5xbf16, strided<[56, 7, 1], offset: 8>>
  linalg.copy ins(%x : memref<3x5x5xbf16>) outs(%inside : memref<3x5x5xbf16, strided<[56, 7, 1], offset: 8>>)
  memref.copy %p, %y : memref<3x8x7xbf16> to memref<3x8x7xbf16>
  return
}

// Nothing is filled beside the channels, of which there are enough for all cores.
// CHECK-LABEL: func.func @channels
// CHECK-NOT: linalg.fill
// CHECK: scf.for %[[C:.*]] = %{{.*}} to %c16
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[C]], %{{.*}}, %{{.*}}]
func.func @channels(%x: memref<16x6x6xbf16>, %y: memref<16x8x8xbf16>) {
  %p = memref.alloc() : memref<16x8x8xbf16>
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%p : memref<16x8x8xbf16>)
  %inside = memref.subview %p[0, 1, 1] [16, 6, 6] [1, 1, 1] : memref<16x8x8xbf16> to memref<16x6x6xbf16, strided<[64, 8, 1], offset: 9>>
  linalg.copy ins(%x : memref<16x6x6xbf16>) outs(%inside : memref<16x6x6xbf16, strided<[64, 8, 1], offset: 9>>)
  memref.copy %p, %y : memref<16x8x8xbf16> to memref<16x8x8xbf16>
  return
}

// A function that is only declared.
// CHECK-LABEL: func.func private @elsewhere
func.func private @elsewhere(memref<8xi8>)
