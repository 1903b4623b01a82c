// L2 memory of an alloc with air.zero_memory holds zeros where nothing is written; other memory holds nothing yet.
// RUN: airlite-run --on=interp --init=random:1 --function=zeros %s --output 1=%t.npy
// RUN: airlite-run --on=interp --init=zero --function=zeros %s --expect 1=%t.npy
// RUN: not airlite-run --on=interp --init=random:1 --function=nothing %s 2>&1 | FileCheck %s
// CHECK: error: the condition of 'scf.if' has no defined value
func.func @zeros(%a: memref<8xi32>, %b: memref<8xi32>) {
  %m = memref.alloc() {air.zero_memory} : memref<16xi32, 1>
  %part = memref.subview %m[8] [8] [1] : memref<16xi32, 1> to memref<8xi32, strided<[1], offset: 8>, 1>
  memref.copy %part, %b : memref<8xi32, strided<[1], offset: 8>, 1> to memref<8xi32>
  return
}
func.func @nothing(%a: memref<8xi32>, %b: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<16xi32, 1>
  %x = memref.load %m[%c0] : memref<16xi32, 1>
  %y = arith.cmpi sgt, %x, %x : i32
  scf.if %y {
    memref.store %x, %b[%c0] : memref<8xi32>
  }
  return
}
