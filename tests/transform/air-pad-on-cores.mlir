// RUN: airlite-opt %s --pipeline='func.func(air-pad-on-cores)' | FileCheck %s
// RUN: airlite-opt %s --pipeline='func.func(air-pad-on-cores)' --check-each --emit=none
// RUN: airlite-opt %s --pipeline='func.func(air-pad-on-cores{l1-bytes=500})' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=WHY
// WHY: remark: [air-pad-on-cores] no DMA pads it, and an image has no room in L1
// WHY: remark: [air-pad-on-cores] no DMA moves it: an image is not a whole number of words

// Two images of 8x8 pixels with three bytes: rows begin at byte 33, and 30 bytes after each other.
// CHECK-LABEL: func.func @images
// CHECK: %[[P:.*]] = memref.alloc() : memref<2x10x10x4xi8>
// CHECK-NOT: linalg.fill ins(%{{.*}}) outs(%[[P]]
// CHECK: scf.parallel (%[[I:.*]]) = (%{{.*}}) to (%c2{{.*}})
// CHECK: %[[X:.*]] = memref.subview %arg0[%[[I]], 0, 0, 0] [1, 8, 8, 3]
// CHECK: memref.copy %[[X]], %[[L2:[a-z0-9_]*]] :
// CHECK: scf.parallel
// CHECK: memref.copy %[[L2]], %[[L1:[a-z0-9_]*]] : memref<1x8x8x3xi8, 1 : i32> to memref<1x8x8x3xi8, 2 : i32>
// CHECK: %[[ONE:.*]] = arith.constant 1 : i8
// CHECK: linalg.fill ins(%[[ONE]] : i8) outs(%[[IN:[a-z0-9_]*]] : memref<1x10x10x4xi8, 2 : i32>)
// CHECK: %[[AT:.*]] = memref.subview %[[IN]][0, 1, 1, 0] [1, 8, 8, 3] [1, 1, 1, 1]
// CHECK: linalg.copy ins(%[[L1]] :{{.*}} outs(%[[AT]]
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<1x10x10x4xi8, 1 : i32> to memref<1x10x10x4xi8, strided<[400, 40, 4, 1], offset: ?>>
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
// CHECK-NOT: scf.parallel
// CHECK-COUNT-2: linalg.copy
// CHECK-NOT: scf.parallel
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
// CHECK-NOT: scf.parallel
func.func @odd(%x: memref<3x5x5xbf16>, %y: memref<3x8x7xbf16>) {
  %p = memref.alloc() : memref<3x8x7xbf16>
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%p : memref<3x8x7xbf16>)
  %inside = memref.subview %p[0, 1, 1] [3, 5, 5] [1, 1, 1] : memref<3x8x7xbf16> to memref<3x5x5xbf16, strided<[56, 7, 1], offset: 8>>
  linalg.copy ins(%x : memref<3x5x5xbf16>) outs(%inside : memref<3x5x5xbf16, strided<[56, 7, 1], offset: 8>>)
  memref.copy %p, %y : memref<3x8x7xbf16> to memref<3x8x7xbf16>
  return
}

// A function that is only declared.
// CHECK-LABEL: func.func private @elsewhere
func.func private @elsewhere(memref<8xi8>)
