// RUN: airlite-opt %s --air-verify-program --emit=none --split-input-file --remarks --verify-diagnostics
// Balance where how often puts and gets run is left open: by polynomials.

// Loops with the same bounds; the places of an array one by one; all destinations of a broadcast.
// expected-remark@+1 {{balanced whatever the open numbers are: max(0, %arg1) * max(0, %arg2) puts and gets at '@b[0]'}}
air.channel @b [2]
// expected-remark@+1 {{balanced whatever the open numbers are: max(0, %arg1) * max(0, %arg2) puts and gets at '@c[0, 0]'}}
air.channel @c [1, 1] {broadcast_shape = [1, 2]}
func.func @loops(%in: memref<64xi32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %h = air.herd @cores async tile (%x, %y) in (%sx = %c1, %sy = %c2)
      args(%rows = %n, %cols = %m) : index, index {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %buf = memref.alloc() : memref<8xi32, 2>
    scf.for %i = %zero to %rows step %one {
      scf.for %j = %zero to %cols step %one {
        air.channel.get @b[%y] (%buf[] [] []) : (memref<8xi32, 2>)
        air.channel.get @c[%x, %y] (%buf[] [] []) : (memref<8xi32, 2>)
      }
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      scf.parallel (%k) = (%c0) to (%c2) step (%c1) {
        air.channel.put @b[%k] (%in[%c0] [%c8] [%c1]) : (memref<64xi32>)
      }
      air.channel.put @c[] (%in[%c0] [%c8] [%c1]) : (memref<64xi32>)
    }
  }
  air.wait_all [%h]
  return
}

// -----

// A get on either side of a branch that changes from iteration to iteration.
// expected-remark@+1 {{balanced whatever the open numbers are: max(0, %arg1) puts and gets at '@a'}}
air.channel @a [] {depth = 8 : i64}
func.func @branch(%m: memref<8xi32>, %n: index, %part: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %put = air.channel.put async @a[] (%m[] [] []) : (memref<8xi32>)
    %isFirst = arith.cmpi slt, %i, %part : index
    scf.if %isFirst {
      air.channel.get @a[] (%m[] [] []) : (memref<8xi32>)
    } else {
      air.channel.get @a[] (%m[] [] []) : (memref<8xi32>)
    }
    air.wait_all [%put]
  }
  return
}

// -----

// A bound that is loaded in each iteration: it cancels inside.
// expected-remark@+1 {{balanced whatever the open numbers are}}
air.channel @loaded []
func.func @loaded_bound(%m: memref<8xi32>, %o: memref<8xi32>, %bounds: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %n = memref.load %bounds[%i] : memref<8xindex>
    scf.for %j = %c0 to %n step %c1 {
      %put = air.channel.put async @loaded[] (%m[] [] []) : (memref<8xi32>)
      air.channel.get @loaded[] (%o[] [] []) : (memref<8xi32>)
      air.wait_all [%put]
    }
  }
  return
}

// -----

// Blocks of a size that is open, and a channel that each instance of the launch has for itself.
// expected-remark@+1 {{floordiv(max(%arg2, 0), 4) elements at '@own'}}
air.channel @own [] {depth = 2 : i64}
func.func @sizes(%m: memref<64xi32>, %o: memref<2x64xi32>, %n: index) {
  %c2 = arith.constant 2 : index
  air.launch (%l) in (%count = %c2) args(%a = %m, %b = %o, %size = %n) : memref<64xi32>, memref<2x64xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %zero = arith.maxsi %size, %c0 : index
    %part = arith.divui %zero, %c4 : index
    %put = air.channel.put async @own[] (%a[%c0] [%part] [%c1]) : (memref<64xi32>)
    %half = affine.apply affine_map<()[s0] -> (s0 floordiv 4)>()[%zero]
    air.channel.get @own[] (%b[%l, %c0] [%c1, %half] [%c64, %c1]) : (memref<2x64xi32>)
    air.wait_all [%put]
  }
  return
}

// -----

// As many as the other function says; each call by itself.
// expected-remark@+1 {{balanced whatever the open numbers are: max(0, %arg1) + max(0, %arg2) puts and gets}}
air.channel @called [] {depth = 2 : i64}
func.func private @send(%m: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %put = air.channel.put async @called[] (%m[] [] []) : (memref<8xi32>)
    air.channel.get @called[] (%m[] [] []) : (memref<8xi32>)
    air.wait_all [%put]
  }
  return
}
func.func @caller(%m: memref<8xi32>, %n: index, %k: index) {
  func.call @send(%m, %n) : (memref<8xi32>, index) -> ()
  func.call @send(%m, %k) : (memref<8xi32>, index) -> ()
  return
}

// -----

// Zeros around what is put are sent, too.
// expected-remark@+1 {{balanced whatever the open numbers are: 8 * max(0, %arg2) elements at '@padded'}}
air.channel @padded [] {depth = 2 : i64}
func.func @padding(%m: memref<6xi32>, %o: memref<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %put = air.channel.put async @padded[] (%m[0] [6] [1])
        {pad_before = array<i32: 1>, pad_after = array<i32: 1>} : (memref<6xi32>)
    air.channel.get @padded[] (%o[] [] []) : (memref<4xi32>)
    air.channel.get @padded[] (%o[] [] []) : (memref<4xi32>)
    air.wait_all [%put]
  }
  return
}

// -----

// One get more than puts, whatever the bound is.
air.channel @d []
func.func @never(%in: memref<8xi32>, %out: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{channel '@d' is never balanced: max(0, %arg2) puts and max(0, %arg2) + 1 gets}}
    %put = air.channel.put async @d[] (%in[] [] []) : (memref<8xi32>)
    // expected-note@+1 {{a get is here}}
    air.channel.get @d[] (%out[] [] []) : (memref<8xi32>)
  }
  // expected-note@+1 {{a get is here}}
  air.channel.get @d[] (%out[] [] []) : (memref<8xi32>)
  return
}
