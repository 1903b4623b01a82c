// RUN: airlite-opt %s --split-input-file --verify-diagnostics --air-to-aie='device=npu1 row-offset=2 col-offset=0'

air.channel @c [4]
func.func @index(%n: i32) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%a = %n) : i32 {
    %i = arith.index_cast %a : i32 to index
    %m = memref.alloc() : memref<4xi32, 2>
    // expected-error@+1 {{not supported: channel index 0 is not known}}
    air.channel.put @c[%i] (%m[] [] []) : (memref<4xi32, 2>)
  }
  return
}

// -----

// Transfers of different sizes, one of which is no row, do not go in parts.
air.channel @c [1]
func.func @moving() {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %m = memref.alloc() : memref<16xi32, 2>
    scf.for %i = %c0 to %c4 step %c1_0 {
      // expected-error@+1 {{not supported: what is sent or filled changes from run to run}}
      %t = air.channel.put async @c[] (%m[%i] [%c1_0] [%c1_0]) : (memref<16xi32, 2>)
      // expected-error@+1 {{not supported: what is sent or filled changes from run to run}}
      air.channel.put @c[] (%m[%i] [%c4] [%c4]) : (memref<16xi32, 2>)
    }
  }
  return
}

// -----

air.channel @c [1]
func.func @apart() {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %m = memref.alloc() : memref<16xi32, 2>
    // expected-note@+1 {{another one is here}}
    %t = air.channel.put async @c[] (%m[%c0] [%c1_0] [%c1_0]) : (memref<16xi32, 2>)
    %n = memref.alloc() : memref<16xi32, 2>
    scf.while : () -> () {
      %go = memref.load %n[%c0] : memref<16xi32, 2>
      %more = arith.trunci %go : i32 to i1
      scf.condition(%more)
    } do {
      // expected-error@+1 {{not supported: transfers of one channel in different loops or branches}}
      air.channel.put @c[] (%n[%c0] [%c4] [%c4]) : (memref<16xi32, 2>)
      scf.yield
    }
  }
  return
}

// -----

air.channel @a [1]
air.channel @b [1]
air.channel @c [1]
air.channel @d [1]
func.func @many() {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{gets from 3 channels by DMA, but its tile has 2 DMA channels in this direction}}
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<4xi32, 2>
    air.channel.get @a[] (%m[] [] []) : (memref<4xi32, 2>)
    air.channel.get @b[] (%m[] [] []) : (memref<4xi32, 2>)
    air.channel.get @c[] (%m[] [] []) : (memref<4xi32, 2>)
    air.channel.get @d[] (%m[] [] []) : (memref<4xi32, 2>)
  }
  return
}

// -----

air.channel @out [1]
func.func @nobody() {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<4xi32, 2>
    // expected-warning@+1 {{nothing takes what is put here: it waits without end}}
    air.channel.put @out[] (%m[] [] []) : (memref<4xi32, 2>)
  }
  return
}

// -----

air.channel @between [1]
func.func @designs() {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<4xi32, 2>
    // expected-error@+1 {{not supported: a channel between designs: each segment, and each herd outside of one, is loaded by itself}}
    air.channel.put @between[] (%m[] [] []) : (memref<4xi32, 2>)
  }
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<4xi32, 2>
    // expected-note@+1 {{its other end}}
    air.channel.get @between[] (%m[] [] []) : (memref<4xi32, 2>)
  }
  return
}

// -----

air.channel @c [1]
func.func @both(%l3: memref<4xi32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  // expected-note@+1 {{the host does it here}}
  air.channel.put @c[] (%l3[] [] []) : (memref<4xi32>)
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<4xi32, 2>
    // expected-error@+1 {{not supported: a channel that tiles and the host use in one direction}}
    air.channel.put @c[] (%m[] [] []) : (memref<4xi32, 2>)
  }
  return
}

// -----

air.channel @d [1] {air.unheard_of = 1 : i32}
func.func @kinds(%l3: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.put @d[] (%l3[] [] []) : (memref<4xi32>)
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<4xi32, 2>
    // expected-error@+1 {{not supported: attribute 'air.unheard_of'}}
    air.channel.get @d[] (%m[] [] []) : (memref<4xi32, 2>)
  }
  return
}

// -----

air.channel @in [9]
func.func @shims(%l3: memref<4xi32>) {
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %c0 = arith.constant 0 : index
  air.channel.put @in[%c0] (%l3[] [] []) : (memref<4xi32>)
  air.herd tile (%x, %y) in (%sx = %c4, %sy = %c3) {
    %c4_0 = arith.constant 4 : index
    %row = arith.muli %y, %c4_0 : index
    %i = arith.addi %row, %x : index
    %c9 = arith.constant 9 : index
    %m = memref.alloc() : memref<4xi32, 2>
    %taken = arith.cmpi ult, %i, %c9 : index
    scf.if %taken {
      // expected-error@+1 {{needs shim channel number 9 from the host, but device 'npu1' has 8}}
      air.channel.get @in[%i] (%m[] [] []) : (memref<4xi32, 2>)
    }
  }
  return
}

// -----

func.func @unrolled(%n: index) {
  // expected-error@+1 {{not supported: a segment with an iteration space, not unrolled: its sizes are not constants}}
  air.segment unroll (%x) in (%sx = %n) {
  }
  return
}

// -----

air.channel @c [1]
func.func @twice() {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c2, %sy = %c1) {
    %m = memref.alloc() : memref<4xi32, 2>
    %n = memref.alloc() : memref<4xi32, 2>
    // expected-error@+1 {{not supported: several tiles put into one place of a channel}}
    air.channel.put @c[] (%m[] [] []) : (memref<4xi32, 2>)
    air.channel.get @c[] (%n[] [] []) : (memref<4xi32, 2>)
  }
  return
}

// -----

// A word that is filled up must not be shared, and both ends must fill up the same words. (Cores copy from a buffer of their own.)
air.channel @c [1]
func.func @last_word() {
  %c1 = arith.constant 1 : index
  air.segment @s args(%sx = %c1) : index {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %n = memref.alloc() : memref<5xi8, 1>
    air.herd tile (%x, %y) in (%hx = %one, %hy = %one) {
      %m = memref.alloc() : memref<3xi8, 2>
      air.channel.put @c[] (%m[] [] []) : (memref<3xi8, 2>)
      memref.dealloc %m : memref<3xi8, 2>
    }
    // expected-error@+1 {{not supported: fills 3 elements of 'i8', which are not whole 32-bit words, in front of others}}
    air.channel.get @c[] (%n[%c0] [%three] [%one]) : (memref<5xi8, 1>)
    memref.dealloc %n : memref<5xi8, 1>
  }
  return
}

// -----

air.channel @c [1]
func.func @other_parts() {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c2, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %m = memref.alloc() : memref<6xi8, 2>
    %n = memref.alloc() : memref<3xi8, 2>
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      // expected-error@+1 {{not supported: moves 6 bytes, no whole 32-bit words}}
      air.channel.put @c[] (%m[] [] []) : (memref<6xi8, 2>)
    } else {
      // expected-note@+1 {{which another end of the channel moves in other parts}}
      air.channel.get @c[] (%n[] [] []) : (memref<3xi8, 2>)
      air.channel.get @c[] (%n[] [] []) : (memref<3xi8, 2>)
    }
  }
  return
}

// -----

// Rows that are not whole words, and others between them.
air.channel @c [1]
func.func @words() {
  %c1 = arith.constant 1 : index
  air.segment @s args(%sx = %c1) : index {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %three = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %m = memref.alloc() : memref<2x5xi8, 1>
    // expected-error@+1 {{length must be a multiple of 4 bytes, found 6 elements of 1 bytes}}
    air.channel.put @c[] (%m[%c0, %c0] [%two, %three] [%c5, %one]) : (memref<2x5xi8, 1>)
    air.herd tile (%x, %y) in (%hx = %one, %hy = %one) {
      %n = memref.alloc() : memref<2x3xi8, 2>
      air.channel.get @c[] (%n[] [] []) : (memref<2x3xi8, 2>)
      memref.dealloc %n : memref<2x3xi8, 2>
    }
    memref.dealloc %m : memref<2x5xi8, 1>
  }
  return
}
// -----

air.channel @place [1]
func.func @turns(%a: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.put @place[] (%a[] [] []) : (memref<4xi32>)
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<4xi32, 2>
    air.channel.get @place[] (%m[] [] []) : (memref<4xi32, 2>)
  }
  air.channel.put @place[] (%a[] [] []) : (memref<4xi32>)
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<4xi32, 2>
    // expected-error@+1 {{not supported: one place of a channel in several designs}}
    air.channel.get @place[] (%m[] [] []) : (memref<4xi32, 2>)
  }
  return
}
// -----

// A size and a stride of zero: nothing is moved, however often.
air.channel @none [1]
func.func @nothing(%a: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.put @none[] (%a[] [] []) : (memref<4xi32>)
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %m = memref.alloc() : memref<4xi32, 2>
    // expected-error@+1 {{'aie.dma_bd' op sizes must be positive, found 0}}
    air.channel.get @none[] (%m[%c0] [%c0] [%c0]) : (memref<4xi32, 2>)
  }
  return
}
