// Loops that the author wrote, on memory of the host or with tiles of L1: they get to cores too. A file has
// several functions; the design is of one.
// REQUIRES: !sanitize
// RUN: for name in tiles copies product sum fibonacci; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:1 --function=$name %s || exit 1; \
// RUN:   airlite-run --on=sim --compare=interp --init=random:2 --function=$name %s --reverse-tiles || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-4: 2 arguments are as in the interpreter, bit by bit
// CHECK-COUNT-2: 3 arguments
// CHECK-COUNT-2: 2 arguments
// CHECK-COUNT-2: 1 arguments

// RUN: airlite-compile --target=npu1 --function=sum %s -o %t.sum
// RUN: airlite-run --on=sim %t.sum --init=random:1 --output 1=%t.npy
// RUN: airlite-run --on=interp --function=sum --init=random:1 --expect 1=%t.npy %s
// RUN: not airlite-compile --target=npu1 %s -o %t.none 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: --function says which function to compile
// RUN: not airlite-compile --target=npu1 --function=none %s -o %t.none 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: there is no function 'none' with a body to compile

// Tiles of L1: cores do them side by side.
func.func @tiles(%a: memref<64x64xi32>, %b: memref<64x64xi32>) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 16 : index
  %c128 = arith.constant 64 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c128, %c128) step (%c64, %c64) {
    %s = memref.subview %a[%i, %j] [16, 16] [1, 1] : memref<64x64xi32> to memref<16x16xi32, strided<[64, 1], offset: ?>>
    %d = memref.subview %b[%i, %j] [16, 16] [1, 1] : memref<64x64xi32> to memref<16x16xi32, strided<[64, 1], offset: ?>>
    %l1 = memref.alloc() : memref<16x16xi32, 2>
    memref.copy %s, %l1 : memref<16x16xi32, strided<[64, 1], offset: ?>> to memref<16x16xi32, 2>
    affine.for %x = 0 to 16 {
      affine.for %y = 0 to 16 {
        %v = affine.load %l1[%x, %y] : memref<16x16xi32, 2>
        %w = arith.muli %v, %v : i32
        affine.store %w, %l1[%x, %y] : memref<16x16xi32, 2>
      }
    }
    memref.copy %l1, %d : memref<16x16xi32, 2> to memref<16x16xi32, strided<[64, 1], offset: ?>>
    memref.dealloc %l1 : memref<16x16xi32, 2>
    scf.reduce
  }
  return
}

// One core copies them, one after the other.
func.func @copies(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>) {
  affine.for %i = 0 to 64 step 16 {
    affine.for %j = 0 to 64 step 32 {
      %t = memref.alloc() : memref<16x32xbf16, 2>
      %s = memref.subview %a[%i, %j] [16, 32] [1, 1] : memref<64x64xbf16> to memref<16x32xbf16, affine_map<(d0, d1)[s0] -> (d0 * 64 + s0 + d1)>>
      memref.copy %s, %t : memref<16x32xbf16, affine_map<(d0, d1)[s0] -> (d0 * 64 + s0 + d1)>> to memref<16x32xbf16, 2>
      %d = memref.subview %b[%i, %j] [16, 32] [1, 1] : memref<64x64xbf16> to memref<16x32xbf16, affine_map<(d0, d1)[s0] -> (d0 * 64 + s0 + d1)>>
      memref.copy %t, %d : memref<16x32xbf16, 2> to memref<16x32xbf16, affine_map<(d0, d1)[s0] -> (d0 * 64 + s0 + d1)>>
      memref.dealloc %t : memref<16x32xbf16, 2>
    }
  }
  return
}

// Elements of the host: one core computes them in L1.
func.func @product(%A: memref<16x16xi32>, %B: memref<16x16xi32>, %C: memref<16x16xi32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      affine.for %k = 0 to 16 {
        %a = affine.load %A[%i, %k] : memref<16x16xi32>
        %b = affine.load %B[%k, %j] : memref<16x16xi32>
        %c = affine.load %C[%i, %j] : memref<16x16xi32>
        %p = arith.muli %a, %b : i32
        %s = arith.addi %c, %p : i32
        affine.store %s, %C[%i, %j] : memref<16x16xi32>
      }
    }
  }
  return
}

func.func @sum(%a: memref<64xi32>, %r: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0 : i32
  %s = scf.for %i = %c0 to %c64 step %c1 iter_args(%acc = %z) -> (i32) {
    %v = memref.load %a[%i] : memref<64xi32>
    %n = arith.addi %acc, %v : i32
    scf.yield %n : i32
  }
  memref.store %s, %r[%c0] : memref<1xi32>
  return
}

func.func @fibonacci(%x: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %lim = arith.constant 1000 : i32
  %r:2 = scf.while (%a = %z, %b = %one) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %b, %lim : i32
    scf.condition(%c) %a, %b : i32, i32
  } do {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %b : i32
    scf.yield %b, %s : i32, i32
  }
  memref.store %r#1, %x[%c0] : memref<1xi32>
  return
}
