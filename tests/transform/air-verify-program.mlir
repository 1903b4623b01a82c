// RUN: airlite-opt --air-verify-program --split-input-file --verify-diagnostics %s
// RUN: not airlite-opt --air-verify-program=target=npu %S/Inputs/herd_reads_l3.mlir 2>&1 | FileCheck %s
// RUN: airlite-opt --air-verify-program %S/Inputs/herd_reads_l3.mlir
// CHECK: error: 'memref.load' op inside 'air.herd' accesses memref with memory_space L3

air.channel @input [2, 2]
func.func @undeclared(%m: memref<8xf32>) {
  // expected-error@+1 {{'air.channel.put' op channel '@inputs' is not declared; did you mean 'input'?}}
  air.channel.put @inputs[] (%m[] [] []) : (memref<8xf32>)
  return
}

// -----

// expected-note@+1 {{the channel is declared here}}
air.channel @c [2, 2]
func.func @indices(%m: memref<8xf32>, %i: index) {
  // expected-error@+1 {{'air.channel.get' op has 1 channel indices, but channel '@c' has 2 dimensions}}
  air.channel.get @c[%i] (%m[] [] []) : (memref<8xf32>)
  return
}

// -----

// The first channel of a bundle, and a single channel by the ids of a herd.
air.channel @c [2, 2]
air.channel @single []
func.func @fine(%m: memref<8xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %t0 = air.channel.put async @c[] (%m[] [] []) : (memref<8xf32>)
  %other = memref.alloc() : memref<8xf32>
  %t1 = air.channel.get async @c[%c0, %c0] (%other[] [] []) : (memref<8xf32>)
  air.wait_all [%t0, %t1]
  %t2 = air.channel.put async @single[%i, %i] (%m[] [] []) : (memref<8xf32>)
  %n = memref.alloc() : memref<8xf32>
  air.channel.get @single[] (%n[] [] []) : (memref<8xf32>)
  return
}

// -----

// An index of the caller's: that it is inside of the channel is up to the caller.
air.channel @c [2]
func.func @index(%m: memref<8xf32>, %n: memref<8xf32>, %i: index) {
  %t = air.channel.put async @c[%i] (%m[] [] []) : (memref<8xf32>)
  air.channel.get @c[%i] (%n[] [] []) : (memref<8xf32>)
  return
}

// -----

air.channel @c [2]
func.func @outside(%m: memref<8xf32>) {
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{index [2] is outside of channel '@c' of shape [2]}}
  air.channel.put @c[%c2] (%m[] [] []) : (memref<8xf32>)
  return
}

// -----

// A barrier that half of the cores come to.
func.func @barrier() {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.herd tile (%x, %y) in (%sx = %c4, %sy = %c1) {
    %two = arith.constant 2 : index
    %low = arith.cmpi ult, %x, %two : index
    scf.if %low {
      // expected-error@+1 {{only 2 of the 4 cores of the herd come to barrier number 1}}
      gpu.barrier
    }
  }
  return
}

// -----

// Instances of a launch may run side by side.
func.func @launch(%out: memref<8xf32>) {
  %c2 = arith.constant 2 : index
  // expected-note@+1 {{the instances of this 'air.launch' run side by side: give each its own elements}}
  air.launch (%i) in (%n = %c2) args(%o = %out) : memref<8xf32> {
    %m = memref.alloc() : memref<8xf32, 1>
    // expected-error@+1 {{race: 'air.dma_memcpy_nd' in [1] of 'air.launch' writes %arg0, which 'air.dma_memcpy_nd' in [0] of 'air.launch' writes, and nothing orders the two}}
    air.dma_memcpy_nd (%o[] [] [], %m[] [] []) : (memref<8xf32>, memref<8xf32, 1>)
  }
  return
}

// -----

// Freed while a copy still reads it.
func.func @freed(%out: memref<8xf32>) {
  %m = memref.alloc() : memref<8xf32, 1>
  // expected-note@+1 {{the other access is here}}
  %t = air.dma_memcpy_nd async (%out[] [] [], %m[] [] []) : (memref<8xf32>, memref<8xf32, 1>)
  // expected-error@+2 {{race: 'memref.dealloc' frees %alloc, which 'air.dma_memcpy_nd' reads, and nothing orders the two}}
  // expected-note@+1 {{missing: a wait for %0 before this 'memref.dealloc' (the token of the 'air.dma_memcpy_nd'}}
  memref.dealloc %m : memref<8xf32, 1>
  air.wait_all [%t]
  return
}

// -----

// A computation on a buffer that a put reads: the region of the op is part of it, not a condition.
air.channel @c []
func.func @computed(%out: memref<3x4xi32>) {
  %c1 = arith.constant 1 : index
  %t = air.herd async tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %zero = arith.constant 0 : i32
    %m = memref.alloc() : memref<4x4xi32, 2>
    %filled = air.execute {
      // expected-note@+1 {{the other access is here}}
      linalg.fill ins(%zero : i32) outs(%m : memref<4x4xi32, 2>)
    }
    // expected-error@+2 {{race: 'air.channel.put' in [0, 0] of 'air.herd' reads %alloc, which 'linalg.fill' in [0, 0] of 'air.herd' writes}}
    // expected-note@+1 {{missing: %async_token in the dependencies of this 'air.channel.put'}}
    %p = air.channel.put async @c[] (%m[0, 0] [3, 4] [4, 1]) : (memref<4x4xi32, 2>)
  }
  air.channel.get @c[] (%out[] [] []) : (memref<3x4xi32>)
  air.wait_all [%t]
  return
}

// -----

func.func @freed_before(%out: memref<8xf32>) {
  %m = memref.alloc() : memref<8xf32, 1>
  // expected-note@+1 {{it is freed here}}
  memref.dealloc %m : memref<8xf32, 1>
  // expected-error@+1 {{'air.dma_memcpy_nd' uses %alloc, which has been freed}}
  air.dma_memcpy_nd (%out[] [] [], %m[] [] []) : (memref<8xf32>, memref<8xf32, 1>)
  return
}

// -----

func.func @freed_each_time(%in: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<8xf32, 1>
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error@+1 {{'air.dma_memcpy_nd' in iteration 1 of 'scf.for' uses %alloc, which has been freed}}
    air.dma_memcpy_nd (%m[] [] [], %in[] [] []) : (memref<8xf32, 1>, memref<8xf32>)
    // expected-note@+1 {{it is freed here}}
    memref.dealloc %m : memref<8xf32, 1>
  }
  return
}

// -----

// The put of @a is done when a get has taken its data: what is written then need not be written yet.
air.channel @a [1]
air.channel @b [1]
func.func @taken_not_written(%out: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %h = air.herd async tile (%x, %y) in (%nx = %c1, %ny = %c1) {
    %m = memref.alloc() : memref<8xi32, 2>
    %n = memref.alloc() : memref<8xi32, 2>
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    linalg.fill ins(%one : i32) outs(%m : memref<8xi32, 2>)
    linalg.fill ins(%two : i32) outs(%n : memref<8xi32, 2>)
    air.channel.put @a[] (%m[] [] []) : (memref<8xi32, 2>)
    air.channel.put @b[] (%n[] [] []) : (memref<8xi32, 2>)
    memref.dealloc %m : memref<8xi32, 2>
    memref.dealloc %n : memref<8xi32, 2>
  }
  // expected-note@+1 {{the other access is here}}
  %t = air.channel.get async @a[] (%out[] [] []) : (memref<8xi32>)
  // expected-error@+2 {{race: 'air.channel.get' writes %arg0, which 'air.channel.get' writes, and nothing orders the two}}
  // expected-note@+1 {{missing: %1 in the dependencies of this 'air.channel.get'}}
  %u = air.channel.get async @b[] (%out[] [] []) : (memref<8xi32>)
  air.wait_all [%h, %t, %u]
  return
}

// -----

// What the get writes is there for who waits for the get.
air.channel @a [1]
air.channel @b [1]
func.func @waited_for(%out: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %h = air.herd async tile (%x, %y) in (%nx = %c1, %ny = %c1) {
    %m = memref.alloc() : memref<8xi32, 2>
    %one = arith.constant 1 : i32
    linalg.fill ins(%one : i32) outs(%m : memref<8xi32, 2>)
    air.channel.put @a[] (%m[] [] []) : (memref<8xi32, 2>)
    air.channel.put @b[] (%m[] [] []) : (memref<8xi32, 2>)
    memref.dealloc %m : memref<8xi32, 2>
  }
  air.channel.get @a[] (%out[] [] []) : (memref<8xi32>)
  %u = air.channel.get async @b[] (%out[] [] []) : (memref<8xi32>)
  air.wait_all [%h, %u]
  return
}
