// RUN: airlite-opt %s --split-input-file --verify-diagnostics --air-to-aie='device=npu1 row-offset=2 col-offset=0'
// RUN: not airlite-opt %s --air-to-aie=device=npu7 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: air-to-aie: unknown device 'npu7'; did you mean 'npu1'?

func.func @size(%n: index) {
  // expected-error@+1 {{not supported: a herd whose size is not one or two constants}}
  air.herd tile (%x, %y) in (%sx = %n, %sy = %n) {
  }
  return
}

// -----

func.func @place() {
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{needs a core at column 4, row 2, where device 'npu1' has none}}
  air.herd tile (%x, %y) in (%sx = %c8, %sy = %c1) {
  }
  return
}

// -----

func.func @argument(%c: i64) {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{not supported: an argument of type 'i64'}}
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%a = %c) : i64 {
  }
  return
}

// -----

func.func @shared() {
  air.segment @s {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{not supported: L1 memory that several cores share}}
    air.herd tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%l = %m) : memref<8xi32, 2> {
    }
  }
  return
}

// -----

func.func @dynamic(%n: i32) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%a = %n) : i32 {
    %i = arith.index_cast %a : i32 to index
    // expected-error@+1 {{not supported: L1 memory of a size that is not constant}}
    %m = memref.alloc(%i) : memref<?xi32, 2>
  }
  return
}

// -----

func.func @transfer(%m: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%a = %m) : memref<8xi32> {
    %l = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{not supported: DMAs of cores; air-dma-to-channel makes them channels}}
    air.dma_memcpy_nd (%l[] [] [], %a[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
  }
  return
}

// -----

func.func @body(%m: memref<8xi32, 2>) {
  return
}
func.func @call() {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %l = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{not supported: a call of a function with a body in a core}}
    func.call @body(%l) : (memref<8xi32, 2>) -> ()
  }
  return
}

// -----

func.func private @kernel(memref<2x4xi32, strided<[8, 1]>, 2>)
func.func @gaps() {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %l = memref.alloc() : memref<2x8xi32, 2>
    %v = memref.subview %l[0, 0] [2, 4] [1, 1] : memref<2x8xi32, 2> to memref<2x4xi32, strided<[8, 1]>, 2>
    // expected-error@+1 {{not supported: argument 0 has gaps in memory}}
    func.call @kernel(%v) : (memref<2x4xi32, strided<[8, 1]>, 2>) -> ()
  }
  return
}
