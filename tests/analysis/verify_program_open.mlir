// Transfers of which data or an argument decides whether, how often or where they happen. With `target=npu` they need a proof that they do
// not hang (src/analysis/OpenControl.cpp): numbers that are tried find v * v == 49 in no program.
// RUN: airlite-opt %s --air-verify-program=target=npu --emit=none --verify-diagnostics --split-input-file
// RUN: airlite-opt %s --air-verify-program --emit=none --split-input-file
// Not where v is 7 or -7.
air.channel @in []
air.channel @out []
func.func @square(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<32xi32>)
  %g = air.channel.get async @out[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %w = arith.muli %v, %v : i32
    %n = arith.constant 49 : i32
    %q = arith.cmpi ne, %w, %n : i32
    scf.if %q {
      // expected-error@+1 {{it cannot be shown that 'air.channel.put' does not hang: data decides whether it runs, and not provably in the same way at the other end of '@out'}}
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}

// -----

// Not where eleven bits are set.
air.channel @in []
air.channel @out []
func.func @bits(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<32xi32>)
  %g = air.channel.get async @out[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %n = arith.constant 11 : i32
    %w = math.ctpop %v : i32
    %q = arith.cmpi ne, %w, %n : i32
    scf.if %q {
      // expected-error@+1 {{it cannot be shown that 'air.channel.put' does not hang: data decides whether it runs, and not provably in the same way at the other end of '@out'}}
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}

// -----

// Of two loaded values, 1000 apart.
air.channel @in []
air.channel @out []
func.func @two_values(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<32xi32>)
  %g = air.channel.get async @out[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %u = memref.load %m[%i0] : memref<32xi32, 2>
    %w = arith.subi %v, %u : i32
    %n = arith.constant 1000 : i32
    %q = arith.cmpi ne, %w, %n : i32
    scf.if %q {
      // expected-error@+1 {{it cannot be shown that 'air.channel.put' does not hang: data decides whether it runs, and not provably in the same way at the other end of '@out'}}
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}

// -----

// The loop may not end: its step is loaded.
air.channel @in []
air.channel @out []
func.func @step(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<32xi32>)
  %g = air.channel.get async @out[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %s = arith.index_cast %v : i32 to index
    // expected-error@+2 {{it cannot be shown that this loop ends: its step is %3, which may be 0 and is decided by data}}
    // expected-warning@+1 {{this function is not verified: a step that is not positive}}
    scf.for %i = %i0 to %i1 step %s {
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}

// -----

// How often the loop runs is 1 for all numbers that are tried.
air.channel @in []
air.channel @out []
func.func @trips(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<32xi32>)
  %g = air.channel.get async @out[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %n = arith.constant 12 : i32
    %w = arith.shrui %v, %n : i32
    %one = arith.constant 1 : i32
    %t = arith.xori %w, %one : i32
    %s = arith.index_cast %t : i32 to index
    scf.for %i = %i0 to %s step %i1 {
      // expected-error@+1 {{it cannot be shown that 'air.channel.put' does not hang: data decides how often it runs, and not provably in the same way at the other end of '@out'}}
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}

// -----

// Both ways send the same.
air.channel @in []
air.channel @out []
func.func @either_way(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<32xi32>)
  %g = air.channel.get async @out[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %q = arith.cmpi sgt, %v, %zero : i32
    scf.if %q {
      linalg.add ins(%m, %m : memref<32xi32, 2>, memref<32xi32, 2>) outs(%m : memref<32xi32, 2>)
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    } else {
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}

// -----

// One of the two conditionals sends.
air.channel @in []
air.channel @out []
func.func @one_of_two(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<32xi32>)
  %g = air.channel.get async @out[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %q = arith.cmpi sgt, %v, %zero : i32
    scf.if %q {
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    scf.if %q {
    } else {
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}

// -----

// Two cores decide by the same element of one message.
air.channel @in [1, 1] {broadcast_shape = [1, 2]}
air.channel @mid []
air.channel @out [1, 2]
func.func @same_data(%a: memref<32xi32>, %b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %p = air.channel.put async @in[%c0, %c0] (%a[] [] []) : (memref<32xi32>)
  %g = air.channel.get async @out[%c0, %c0] (%b[%c0] [%c32] [%c1]) : (memref<64xi32>)
  %g2 = air.channel.get async @out[%c0, %c1] (%b[%c32] [%c32] [%c1]) : (memref<64xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c2) {
    %i3 = arith.constant 3 : index
    %i0 = arith.constant 0 : index
    %n = arith.constant 0 : i32
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[%i0, %y] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %q = arith.cmpi sgt, %v, %n : i32
    %first = arith.cmpi eq, %y, %i0 : index
    scf.if %q {
      scf.if %first {
        air.channel.put @mid[] (%m[] [] []) : (memref<32xi32, 2>)
      } else {
        air.channel.get @mid[] (%m[] [] []) : (memref<32xi32, 2>)
      }
    }
    air.channel.put @out[%x, %y] (%m[] [] []) : (memref<32xi32, 2>)
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}

// -----

// Each core decides by data of its own.
air.channel @in [1, 2]
air.channel @mid []
air.channel @out [1, 2]
func.func @own_data(%a: memref<32xi32>, %b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %p = air.channel.put async @in[%c0, %c0] (%a[] [] []) : (memref<32xi32>)
  %p2 = air.channel.put async @in[%c0, %c1] (%a[] [] []) : (memref<32xi32>)
  %g = air.channel.get async @out[%c0, %c0] (%b[%c0] [%c32] [%c1]) : (memref<64xi32>)
  %g2 = air.channel.get async @out[%c0, %c1] (%b[%c32] [%c32] [%c1]) : (memref<64xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c2) {
    %i3 = arith.constant 3 : index
    %i0 = arith.constant 0 : index
    %n = arith.constant 0 : i32
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[%i0, %y] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %q = arith.cmpi sgt, %v, %n : i32
    %first = arith.cmpi eq, %y, %i0 : index
    scf.if %q {
      scf.if %first {
        // expected-error@+1 {{it cannot be shown that 'air.channel.put' does not hang: data decides whether it runs, and not provably in the same way at the other end of '@mid'}}
        air.channel.put @mid[] (%m[] [] []) : (memref<32xi32, 2>)
      } else {
        air.channel.get @mid[] (%m[] [] []) : (memref<32xi32, 2>)
      }
    }
    air.channel.put @out[%x, %y] (%m[] [] []) : (memref<32xi32, 2>)
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}
