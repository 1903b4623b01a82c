// RUN: airlite-opt %s --check-each --air-linalg-codegen=test-patterns=true | FileCheck %s

// Bytes that are looked at in one way are a buffer of that type, in a loop one of L2; a view of all of a
// buffer is the buffer.
// CHECK-LABEL: func.func @bytes
// CHECK: %[[TILE:.*]] = memref.alloc() : memref<4x4xi32, 1 : i32>
// CHECK-NEXT: memref.copy %{{.*}}, %[[TILE]]
// CHECK-NEXT: linalg.matmul ins(%[[TILE]], %[[TILE]] : {{.*}}) outs(%arg1
// CHECK-NEXT: memref.dealloc %[[TILE]]
// CHECK: %[[TWO:.*]] = memref.alloc() : memref<32xi8>
// CHECK: memref.view %[[TWO]]
// CHECK: memref.view %[[TWO]]
func.func @bytes(%a: memref<4x4xi32>, %out: memref<4x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %c1 step %c1 {
    %raw = memref.alloc() : memref<64xi8>
    %tile = memref.view %raw[%c0][] : memref<64xi8> to memref<4x4xi32>
    %all = memref.subview %tile[0, 0] [4, 4] [1, 1] : memref<4x4xi32> to memref<4x4xi32, strided<[4, 1]>>
    memref.copy %a, %all : memref<4x4xi32> to memref<4x4xi32, strided<[4, 1]>>
    linalg.matmul ins(%all, %all : memref<4x4xi32, strided<[4, 1]>>, memref<4x4xi32, strided<[4, 1]>>) outs(%out : memref<4x4xi32>)
    memref.dealloc %raw : memref<64xi8>
  }
  %two = memref.alloc() : memref<32xi8>
  %words = memref.view %two[%c0][] : memref<32xi8> to memref<8xi32>
  %halves = memref.view %two[%c0][] : memref<32xi8> to memref<16xi16>
  %one = arith.constant 1 : i32
  linalg.fill ins(%one : i32) outs(%words : memref<8xi32>)
  %half = memref.load %halves[%c0] : memref<16xi16>
  %wide = arith.extsi %half : i16 to i32
  memref.store %wide, %out[%c0, %c0] : memref<4x4xi32>
  memref.dealloc %two : memref<32xi8>
  return
}

// A part of a part.
// CHECK-LABEL: func.func @parts
// CHECK: %[[ROW:.*]] = arith.addi %arg2, %arg3
// CHECK: memref.subview %arg0[%[[ROW]], 3] [2, 2] [1, 1] : memref<16x16xi32> to memref<2x2xi32, strided<[16, 1], offset: ?>>
// CHECK-NOT: memref.subview
func.func @parts(%a: memref<16x16xi32>, %out: memref<2x2xi32>, %i: index, %j: index) {
  %outer = memref.subview %a[%i, 2] [8, 8] [1, 1] : memref<16x16xi32> to memref<8x8xi32, strided<[16, 1], offset: ?>>
  %inner = memref.subview %outer[%j, 1] [2, 2] [1, 1] : memref<8x8xi32, strided<[16, 1], offset: ?>> to memref<2x2xi32, strided<[16, 1], offset: ?>>
  memref.copy %inner, %out : memref<2x2xi32, strided<[16, 1], offset: ?>> to memref<2x2xi32>
  return
}

// The copy is written over by the op behind it; not when that op reads it, nor when another one does.
// CHECK-LABEL: func.func @written_over
// CHECK-NEXT: %[[A:.*]] = memref.alloc()
// CHECK-NEXT: linalg.generic {{.*}} ins(%arg0 : memref<8xi32>) outs(%[[A]]
// CHECK: memref.copy %[[A]], %arg1
// CHECK: %[[B:.*]] = memref.alloc()
// CHECK-NEXT: memref.copy %arg1, %[[B]]
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[B]] : memref<8xi32>) outs(%[[B]]
// CHECK: memref.copy %[[B]], %arg1
func.func @written_over(%x: memref<8xi32>, %y: memref<8xi32>) {
  %a = memref.alloc() : memref<8xi32>
  memref.copy %y, %a : memref<8xi32> to memref<8xi32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : memref<8xi32>) outs(%a : memref<8xi32>) {
  ^bb0(%e: i32, %o: i32):
    %0 = arith.addi %e, %e : i32
    linalg.yield %0 : i32
  }
  memref.copy %a, %y : memref<8xi32> to memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  memref.copy %y, %b : memref<8xi32> to memref<8xi32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%b : memref<8xi32>) outs(%b : memref<8xi32>) {
  ^bb0(%e: i32, %o: i32):
    %0 = arith.muli %e, %e : i32
    linalg.yield %0 : i32
  }
  memref.copy %b, %y : memref<8xi32> to memref<8xi32>
  return
}

// Copies of a filled buffer are fills, and then nobody reads it.
// CHECK-LABEL: func.func @filled
// CHECK: %[[S:.*]] = memref.alloc()
// CHECK-NEXT: linalg.fill {{.*}} outs(%[[S]]
// CHECK-NEXT: linalg.matmul {{.*}} outs(%[[S]]
// CHECK-NOT: memref.alloc
func.func @filled(%a: memref<4x4xi32>, %out: memref<4x4xi32>) {
  %zero = arith.constant 0 : i32
  %z = memref.alloc() : memref<4x4xi32>
  linalg.fill ins(%zero : i32) outs(%z : memref<4x4xi32>)
  %s = memref.alloc() : memref<4x4xi32>
  memref.copy %z, %s : memref<4x4xi32> to memref<4x4xi32>
  linalg.matmul ins(%a, %a : memref<4x4xi32>, memref<4x4xi32>) outs(%s : memref<4x4xi32>)
  memref.copy %s, %out : memref<4x4xi32> to memref<4x4xi32>
  memref.dealloc %z : memref<4x4xi32>
  memref.dealloc %s : memref<4x4xi32>
  return
}

// A sum stays in its buffer while nothing else in the loop uses what it belongs to.
// CHECK-LABEL: func.func @sums
// CHECK: %[[C:.*]] = memref.alloc() : memref<4x4xi32, 2>
// CHECK-NEXT: memref.copy %arg1, %[[C]]
// CHECK-NEXT: scf.for
// CHECK-NOT: memref.copy
// CHECK: linalg.matmul {{.*}} outs(%[[C]]
// CHECK: }
// CHECK-NEXT: memref.copy %[[C]], %arg1
// CHECK-NEXT: memref.dealloc %[[C]]
// CHECK: scf.for
// CHECK: memref.copy %arg1, %{{.*}}
// CHECK: linalg.matmul
// CHECK: memref.copy %{{.*}}, %arg1
func.func @sums(%a: memref<4x4xi32>, %c: memref<4x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %k = %c0 to %c3 step %c1 {
    %s = memref.alloc() : memref<4x4xi32, 2>
    memref.copy %c, %s : memref<4x4xi32> to memref<4x4xi32, 2>
    linalg.matmul ins(%a, %a : memref<4x4xi32>, memref<4x4xi32>) outs(%s : memref<4x4xi32, 2>)
    memref.copy %s, %c : memref<4x4xi32, 2> to memref<4x4xi32>
    memref.dealloc %s : memref<4x4xi32, 2>
  }
  scf.for %k = %c0 to %c3 step %c1 {
    %s = memref.alloc() : memref<4x4xi32, 2>
    memref.copy %c, %s : memref<4x4xi32> to memref<4x4xi32, 2>
    linalg.matmul ins(%c, %a : memref<4x4xi32>, memref<4x4xi32>) outs(%s : memref<4x4xi32, 2>)
    memref.copy %s, %c : memref<4x4xi32, 2> to memref<4x4xi32>
    memref.dealloc %s : memref<4x4xi32, 2>
  }
  return
}
