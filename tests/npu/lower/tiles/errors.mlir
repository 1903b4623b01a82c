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
  // expected-error@+2 {{'aie.tile' op column index (4) must be less than the number of columns in the device (4)}}
  // expected-note@+1 {{the herd needs a core at column 4, row 2, where device 'npu1' has none}}
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

// Memory of one core is next to its own and three others: no tile is next to two that are three rows apart.
func.func @too_far() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-note@+1 {{the memory is allocated here}}
    %m = memref.alloc() : memref<8xi32, 2>
    // expected-error@+3 {{not supported: L1 memory that cores share: no memory is next to all of them}}
    // expected-note@+2 {{the core at column 0, row 2 uses it}}
    // expected-note@+1 {{the core at column 0, row 5 uses it}}
    air.herd tile (%x, %y) in (%sx = %c1, %sy = %c4) args(%l = %m) : memref<8xi32, 2> {
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %v = arith.constant 7 : i32
      %first = arith.cmpi eq, %y, %c0 : index
      %last = arith.cmpi eq, %y, %c3 : index
      scf.if %first {
        memref.store %v, %l[%c0] : memref<8xi32, 2>
      }
      scf.if %last {
        %r = memref.load %l[%c0] : memref<8xi32, 2>
        memref.store %r, %l[%c3] : memref<8xi32, 2>
        %q = memref.load %l[%c3] : memref<8xi32, 2>
      }
    }
  }
  return
}

// -----

// A core reaches the memory west of it, not east: only the reader's own could be sent by its DMA.
air.channel @out []
func.func @dma() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    // expected-note@+1 {{the memory is allocated here}}
    %m = memref.alloc() : memref<8xi32, 2>
    // expected-error@+3 {{not supported: L1 memory that cores share: no memory is next to all of them that the DMA of the core with a transfer of it reaches}}
    // expected-note@+2 {{the core at column 0, row 2 uses it}}
    // expected-note@+1 {{the core at column 1, row 2 transfers it}}
    air.herd tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%l = %m) : memref<8xi32, 2> {
      affine.if affine_set<(d0) : (d0 == 0)>(%x) {
        %c0 = arith.constant 0 : index
        %v = arith.constant 7 : i32
        memref.store %v, %l[%c0] : memref<8xi32, 2>
      } else {
        air.channel.put @out[] (%l[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  return
}

// -----

func.func @no_order() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %m = memref.alloc() : memref<8xi32, 2>
    // expected-note@+1 {{the other herd}}
    %t = air.herd async tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%l = %m) : memref<8xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
      %c0 = arith.constant 0 : index
      %v = arith.constant 7 : i32
      memref.store %v, %l[%c0] : memref<8xi32, 2>
    }
    // expected-error@+1 {{not supported: L1 memory that cores share: nothing orders it and another herd that uses the memory}}
    %u = air.herd async tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%l = %m) : memref<8xi32, 2> attributes {x_loc = 0 : i64, y_loc = 3 : i64} {
      %c0 = arith.constant 0 : index
      %v = memref.load %l[%c0] : memref<8xi32, 2>
    }
  }
  return
}

// -----

func.func @open_rounds(%n: index) {
  air.segment @s args(%k = %n) : index {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %m = memref.alloc() : memref<8xi32, 2>
    air.herd tile (%x, %y) in (%sx = %c1, %sy = %c2) args(%l = %m, %h = %k) : memref<8xi32, 2>, index {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %first = arith.cmpi eq, %y, %c0 : index
      // expected-error@+1 {{not supported: L1 memory that cores share: the loop around it has no constant length}}
      scf.for %r = %c0 to %h step %c1_0 {
        scf.if %first {
          %v = arith.constant 7 : i32
          memref.store %v, %l[%c0] : memref<8xi32, 2>
        } else {
          %v = memref.load %l[%c0] : memref<8xi32, 2>
        }
      }
    }
  }
  return
}

// -----

// Which of the two is first?
func.func @both_ways() {
  air.segment @s {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %m = memref.alloc() : memref<8xi32, 2>
    air.herd tile (%x, %y) in (%sx = %c1, %sy = %c3) args(%l = %m) : memref<8xi32, 2> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      scf.index_switch %y
      case 0 {
        %v = arith.constant 7 : i32
        memref.store %v, %l[%c0] : memref<8xi32, 2>
        scf.yield
      }
      case 1 {
        // expected-error@+1 {{not supported: L1 memory that cores share: a core reads it before it writes it, and other cores write it, too}}
        %v = memref.load %l[%c0] : memref<8xi32, 2>
        memref.store %v, %l[%c1_0] : memref<8xi32, 2>
        scf.yield
      }
      default {
        %v = memref.load %l[%c1_0] : memref<8xi32, 2>
        scf.yield
      }
    }
  }
  return
}

// -----

func.func @chosen(%b: i1) {
  air.segment @s args(%c = %b) : i1 {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %m = memref.alloc() : memref<8xi32, 2>
    %n = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{not supported: L1 memory that cores share, where it cannot be followed}}
    %o = arith.select %c, %m, %n : memref<8xi32, 2>
    air.herd tile (%x, %y) in (%sx = %c1, %sy = %c2) args(%l = %o, %k = %m) : memref<8xi32, 2>, memref<8xi32, 2> {
      %c0 = arith.constant 0 : index
      %v = memref.load %l[%c0] : memref<8xi32, 2>
      memref.store %v, %k[%c0] : memref<8xi32, 2>
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
