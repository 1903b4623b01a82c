// RUN: airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-copies.mlir' | FileCheck %s
// RUN: airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-copies.mlir' --remarks 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Nothing is in the first buffer, zeros are in the second one.
// CHECK-LABEL: func.func @copies
// CHECK-NOT: memref.copy
// CHECK: linalg.fill ins(%c0_i32 : i32) outs(%{{.*}} : memref<4x8xi32>)
// CHECK-NOT: memref.copy
// CHECK: linalg.fill ins(%c0_i32 : i32) outs(%arg0 : memref<8xi32>)
func.func @copies(%out: memref<8xi32>) {
  %c0 = arith.constant 0 : i32
  %none = memref.alloc() : memref<4x8xi32>
  %row = memref.subview %none[1, 0] [1, 8] [1, 1] : memref<4x8xi32> to memref<8xi32, strided<[1], offset: 8>>
  memref.copy %row, %out : memref<8xi32, strided<[1], offset: 8>> to memref<8xi32>
  %zeros = memref.alloc() : memref<4x8xi32>
  linalg.fill ins(%c0 : i32) outs(%zeros : memref<4x8xi32>)
  %part = memref.subview %zeros[1, 0] [1, 8] [1, 1] : memref<4x8xi32> to memref<8xi32, strided<[1], offset: 8>>
  linalg.copy ins(%part : memref<8xi32, strided<[1], offset: 8>>) outs(%out : memref<8xi32>)
  memref.dealloc %none : memref<4x8xi32>
  memref.dealloc %zeros : memref<4x8xi32>
  return
}

// Somebody writes, in the next iteration, through a view, in a kernel, or gets the buffer.
// CHECK-LABEL: func.func @written
// CHECK-COUNT-3: memref.copy
// REMARK-COUNT-3: remark: {{.*}}stays: the buffer that it reads is written
func.func @written(%out: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 7 : i32
  %later = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %n step %c1 {
    memref.copy %later, %out : memref<8xi32> to memref<8xi32>
    memref.store %v, %later[%c0] : memref<8xi32>
  }
  %view = memref.alloc() : memref<8xi32>
  linalg.fill ins(%v : i32) outs(%view : memref<8xi32>)
  %half = memref.subview %view[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
  linalg.fill ins(%v : i32) outs(%half : memref<4xi32, strided<[1]>>)
  memref.copy %view, %out : memref<8xi32> to memref<8xi32>
  %called = memref.alloc() : memref<8xi32>
  func.call @other(%called) : (memref<8xi32>) -> ()
  memref.copy %called, %out : memref<8xi32> to memref<8xi32>
  return
}
func.func private @other(memref<8xi32>)

// CHECK-LABEL: func.func @one_element
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %arg1) -> (vector<1xf32>)
// CHECK: %[[X:.*]] = memref.load %arg0[%{{.*}}] : memref<8xf32>
// CHECK: %[[A:.*]] = vector.extract %[[ACC]][0]
// CHECK: %[[S:.*]] = arith.addf %[[A]], %[[X]] : f32
// CHECK: %[[V:.*]] = vector.broadcast %[[S]] : f32 to vector<1xf32>
// CHECK: memref.store %[[S]], %arg0
// CHECK: scf.yield %[[V]]
func.func @one_element(%m: memref<8xf32>, %first: vector<1xf32>) -> vector<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %first) -> (vector<1xf32>) {
    %x = vector.transfer_read %m[%i], %z {in_bounds = [true]} : memref<8xf32>, vector<1xf32>
    %s = arith.addf %acc, %x : vector<1xf32>
    vector.store %s, %m[%i] : memref<8xf32>, vector<1xf32>
    scf.yield %s : vector<1xf32>
  }
  return %r : vector<1xf32>
}

// What may lie outside of the memory stays a vector, and so do longer ones.
// CHECK-LABEL: func.func @outside
// CHECK: vector.transfer_read {{.*}} vector<1xf32>
// CHECK: arith.addf {{.*}} : vector<4xf32>
func.func @outside(%m: memref<8xf32>, %i: index, %v: vector<4xf32>) -> vector<4xf32> {
  %z = arith.constant 0.0 : f32
  %x = vector.transfer_read %m[%i], %z : memref<8xf32>, vector<1xf32>
  %b = vector.broadcast %x : vector<1xf32> to vector<4xf32>
  %s = arith.addf %b, %v : vector<4xf32>
  return %s : vector<4xf32>
}
