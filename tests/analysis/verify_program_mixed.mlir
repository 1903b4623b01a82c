// Channels whose two ends have elements of different sizes carry bytes: these are counted, as the interpreter does.
// RUN: airlite-opt %s --air-verify-program --emit=none --verify-diagnostics --split-input-file

// As many elements, but half of the bytes.
air.channel @c []
func.func @fewer(%a: memref<32xi32>, %b: memref<32xi16>) {
  // expected-error@+1 {{channel '@c' is not balanced: 1 put and 1 get, 128 bytes sent and 64 taken}}
  %p = air.channel.put async @c[] (%a[] [] []) : (memref<32xi32>)
  %g = air.channel.get async @c[] (%b[] [] []) : (memref<32xi16>)
  air.wait_all [%p, %g]
  return
}

// -----

// As many bytes.
air.channel @c []
func.func @packed(%a: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %p = air.channel.put async @c[] (%a[] [] []) : (memref<32xi32>)
  scf.for %i = %c0 to %c8 step %c1 {
    %l = memref.alloc() : memref<16xi8>
    air.channel.get @c[] (%l[] [] []) : (memref<16xi8>)
    memref.dealloc %l : memref<16xi8>
  }
  air.wait_all [%p]
  return
}

// -----

// How often is open: nothing is proved for all numbers, and those that are tried agree.
air.channel @c []
func.func @open(%a: memref<4xi32>, %n: index) {
  air.launch (%i) in (%s = %n) args(%u = %a) : memref<4xi32> {
    %q = air.channel.put async @c[] (%u[] [] []) : (memref<4xi32>)
    %l = memref.alloc() : memref<16xi8>
    air.channel.get @c[] (%l[] [] []) : (memref<16xi8>)
    memref.dealloc %l : memref<16xi8>
  }
  return
}
