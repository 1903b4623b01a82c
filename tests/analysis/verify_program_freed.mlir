// Memory that is used after it was freed, in computations that nothing asynchronous is part of.
// RUN: airlite-opt %s --air-verify-program --emit=none --verify-diagnostics --split-input-file

func.func @in_a_core() {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i4 = arith.constant 4 : index
    %v = arith.constant 1 : i32
    scf.for %i = %i0 to %i4 step %i1 {
      %m = memref.alloc() : memref<4xi32, 2>
      // expected-note@+1 {{it is freed here}}
      memref.dealloc %m : memref<4xi32, 2>
      // expected-error@+1 {{'linalg.fill' uses %alloc, which has been freed}}
      linalg.fill ins(%v : i32) outs(%m : memref<4xi32, 2>)
    }
  }
  return
}

// -----

func.func @by_a_view() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 1 : i32
  %m = memref.alloc() : memref<8xi32>
  %half = memref.subview %m[4] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: 4>>
  // expected-note@+1 2 {{it is freed here}}
  memref.dealloc %m : memref<8xi32>
  // expected-error@+1 {{'scf.for' uses %alloc, which has been freed}}
  scf.for %i = %c0 to %c4 step %c1 {
    memref.store %v, %half[%i] : memref<4xi32, strided<[1], offset: 4>>
  }
  // expected-error@+1 {{'memref.dealloc' frees %alloc, which has been freed}}
  memref.dealloc %m : memref<8xi32>
  return
}

// -----

// Each round has memory of its own, and a branch that does not return frees it early.
func.func @right(%a: memref<4xi32>, %k: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = arith.constant 1 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    %m = memref.alloc() : memref<4xi32>
    scf.if %k {
      linalg.fill ins(%v : i32) outs(%m : memref<4xi32>)
      memref.dealloc %m : memref<4xi32>
    } else {
      memref.dealloc %m : memref<4xi32>
    }
  }
  return
}
