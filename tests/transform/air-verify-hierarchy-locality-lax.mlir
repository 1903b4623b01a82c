// RUN: airlite-opt %s --air-verify-hierarchy-locality=strict=false --split-input-file --verify-diagnostics

func.func @product(%w: memref<64xi32, 2>) {
  %c4 = arith.constant 4 : index
  // expected-warning@+1 {{kernel operand #0 is accessed in a way that may overlap between iterations}}
  air.herd tile (%x) in (%s=%c4) args(%m=%w) : memref<64xi32, 2> {
    %i = arith.muli %x, %x : index
    %v = arith.constant 0 : i32
    // expected-note@+1 {{access here}}
    memref.store %v, %m[%i] : memref<64xi32, 2>
  }
  return
}

// -----

func.func @dynamic_size(%w: memref<64xi32, 2>, %n: index) {
  %c4 = arith.constant 4 : index
  %l2 = memref.alloc() : memref<64xi32, 1>
  // expected-warning@+1 {{kernel operand #0 is accessed in a way that may overlap between iterations}}
  air.herd tile (%x) in (%s=%c4) args(%m=%w, %k=%n, %o=%l2) : memref<64xi32, 2>, index, memref<64xi32, 1> {
    // expected-note@+1 {{access here}}
    air.dma_memcpy_nd (%m[%x] [%k] [1], %o[0] [%k] [1]) : (memref<64xi32, 2>, memref<64xi32, 1>)
  }
  return
}

// -----

// What is certain stays an error.
func.func @certain(%w: memref<64xi32, 2>) {
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{'air.herd' op kernel operand #0 is accessed by several iterations at the same place}}
  air.herd tile (%x) in (%s=%c4) args(%m=%w) : memref<64xi32, 2> {
    %c0 = arith.constant 0 : index
    %v = arith.constant 0 : i32
    // expected-note@+1 {{access here}}
    memref.store %v, %m[%c0] : memref<64xi32, 2>
  }
  return
}
