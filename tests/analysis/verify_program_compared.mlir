// Values that data or arguments decide, and that the program compares with constants: numbers around these are tried too, also where
// more is computed on the way to the comparison (src/analysis/TriedNumbers.cpp).
// RUN: airlite-opt %s --air-verify-program --emit=none --verify-diagnostics --split-input-file

// What the core has got is larger than 12345: it sends nothing.
air.channel @in []
air.channel @out []
func.func @never_at_large(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<32xi32>)
  // expected-error@+1 {{channel '@out' is not balanced: 0 puts and 1 get}}
  %g = air.channel.get async @out[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %i3 = arith.constant 3 : index
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %n = arith.constant 12345 : i32
    %q = arith.cmpi sgt, %v, %n : i32
    scf.if %q {
    } else {
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}

// -----

// (v - 100) / 16 is 5 for 180 to 195.
air.channel @in []
air.channel @out []
func.func @computed(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<32xi32>)
  // expected-error@+1 {{channel '@out' is not balanced: 0 puts and 1 get}}
  %g = air.channel.get async @out[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %i3 = arith.constant 3 : index
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %n = arith.constant 100 : i32
    %n16 = arith.constant 16 : i32
    %n5 = arith.constant 5 : i32
    %w = arith.subi %v, %n : i32
    %d = arith.divsi %w, %n16 : i32
    %q = arith.cmpi ne, %d, %n5 : i32
    scf.if %q {
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}

// -----

// The number is an argument, which the herd hands on.
air.channel @in []
air.channel @out []
func.func @of_an_argument(%a: memref<32xi32>, %b: memref<32xi32>, %k: i32) {
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<32xi32>)
  // expected-error@+1 {{channel '@out' is not balanced: 0 puts and 1 get}}
  %g = air.channel.get async @out[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%s = %k) : i32 {
    %i3 = arith.constant 3 : index
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    %v = arith.extsi %s : i32 to i64
    %n = arith.constant -700 : i64
    %q = arith.cmpi ne, %v, %n : i64
    scf.if %q {
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}

// -----

// How often a loop runs.
air.channel @in []
air.channel @out []
func.func @rounds(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<32xi32>)
  // expected-error@+1 {{channel '@out' is not balanced: 0 puts and 1 get}}
  %g = air.channel.get async @out[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %i3 = arith.constant 3 : index
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %n = arith.constant 77 : i32
    %q = arith.cmpi eq, %v, %n : i32
    %r = arith.select %q, %i0, %i1 : index
    scf.for %i = %i0 to %r step %i1 {
      air.channel.put @out[] (%m[] [] []) : (memref<32xi32, 2>)
    }
    memref.dealloc %m : memref<32xi32, 2>
  }
  return
}

// -----

// It sends once, whatever the number is.
air.channel @in []
air.channel @out []
func.func @either_way(%a: memref<32xi32>, %b: memref<32xi32>) {
  %c1 = arith.constant 1 : index
  %p = air.channel.put async @in[] (%a[] [] []) : (memref<32xi32>)
  %g = air.channel.get async @out[] (%b[] [] []) : (memref<32xi32>)
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %i3 = arith.constant 3 : index
    %m = memref.alloc() : memref<32xi32, 2>
    air.channel.get @in[] (%m[] [] []) : (memref<32xi32, 2>)
    %v = memref.load %m[%i3] : memref<32xi32, 2>
    %n = arith.constant 12345 : i32
    %q = arith.cmpi sgt, %v, %n : i32
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
