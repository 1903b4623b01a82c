// RUN: airlite-opt %s --pipeline='func.func(air-copy-to-linalg,air-views-in-words{herd=1,1})' --check-each | FileCheck %s

// A copy gets its rows from cores: of each row of 5 halves the last 4.
// CHECK-LABEL: func.func @copied
// CHECK-NOT: linalg.copy
// CHECK: scf.parallel
// CHECK: vector.load
// CHECK: memref.copy %{{.*}} to memref<1x32xbf16>
// CHECK-NOT: linalg.copy
func.func @copied(%x: memref<8x5xbf16>, %y: memref<8x4xbf16>) {
  %part = memref.subview %x[0, 1] [8, 4] [1, 1] : memref<8x5xbf16> to memref<8x4xbf16, strided<[5, 1], offset: 1>>
  memref.copy %part, %y : memref<8x4xbf16, strided<[5, 1], offset: 1>> to memref<8x4xbf16>
  return
}

// Another op reads a copy.
// CHECK-LABEL: func.func @read
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<8x3xi8>
// CHECK: scf.parallel
// CHECK: linalg.add ins(%[[COPY]], %[[COPY2:.*]] : memref<8x3xi8>
// CHECK: memref.dealloc
func.func @read(%x: memref<8x4xi8>, %y: memref<8x3xi8>) {
  %a = memref.subview %x[0, 0] [8, 3] [1, 1] : memref<8x4xi8> to memref<8x3xi8, strided<[4, 1]>>
  %b = memref.subview %x[0, 1] [8, 3] [1, 1] : memref<8x4xi8> to memref<8x3xi8, strided<[4, 1], offset: 1>>
  linalg.add ins(%a, %b : memref<8x3xi8, strided<[4, 1]>>, memref<8x3xi8, strided<[4, 1], offset: 1>>) outs(%y : memref<8x3xi8>)
  return
}

// DMAs reach words; smaller parts along two dimensions and what is written inside of words are boxes: what shares words with the target
// comes first.
// CHECK-LABEL: func.func @others
// CHECK: linalg.copy
// CHECK: scf.parallel
// CHECK-NOT: linalg.copy
// CHECK: scf.parallel
// CHECK: arith.ori
// CHECK: return
func.func @others(%x: memref<8x6xbf16>, %y: memref<8x4xbf16>, %z: memref<4x3xbf16>) {
  %words = memref.subview %x[0, 2] [8, 4] [1, 1] : memref<8x6xbf16> to memref<8x4xbf16, strided<[6, 1], offset: 2>>
  memref.copy %words, %y : memref<8x4xbf16, strided<[6, 1], offset: 2>> to memref<8x4xbf16>
  %both = memref.subview %x[1, 1] [4, 3] [1, 1] : memref<8x6xbf16> to memref<4x3xbf16, strided<[6, 1], offset: 7>>
  memref.copy %both, %z : memref<4x3xbf16, strided<[6, 1], offset: 7>> to memref<4x3xbf16>
  %target = memref.subview %x[0, 1] [8, 4] [1, 1] : memref<8x6xbf16> to memref<8x4xbf16, strided<[6, 1], offset: 1>>
  memref.copy %y, %target : memref<8x4xbf16> to memref<8x4xbf16, strided<[6, 1], offset: 1>>
  return
}
