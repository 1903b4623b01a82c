// Parallel loops as kernels: the bits of the interpreter, one access for each element, and no launch in the program.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:4 --output 2=%t.c.npy
// RUN: for d in gfx90a gfx942 gfx1100 gfx1201; do for o in forward reverse random:7; do \
// RUN:   airlite-run %s --target=$d --order=$o --init=random:4 --expect 2=%t.c.npy || exit 1; done; done
// RUN: airlite-compile %s --target=gfx942 -o %T/out --report=kernel | FileCheck %s
// CHECK: 0 bytes of scratch
// CHECK: 1 global loads, 1 global stores
func.func @main(%a: memref<37x53xi32>, %b: memref<37x53xi32>, %c: memref<37x53xi32>) {
  scf.forall (%i, %j) in (37, 53) {
    %x = memref.load %a[%i, %j] : memref<37x53xi32>
    %r = arith.muli %x, %x : i32
    memref.store %r, %b[%i, %j] : memref<37x53xi32>
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 37 : index
  %n = arith.constant 53 : index
  scf.parallel (%i) = (%c0) to (%m) step (%c1) {
    %zero = arith.constant 0 : i32
    %all = scf.for %j = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
      %x = memref.load %b[%i, %j] : memref<37x53xi32>
      %t = arith.addi %s, %x : i32
      memref.store %t, %c[%i, %j] : memref<37x53xi32>
      scf.yield %t : i32
    }
  }
  return
}
