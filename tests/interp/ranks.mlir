// Memory of other ranks: copies that name a rank, air.translate. Each rank's part is its own.
// RUN: airlite-run %s --on=interp --function=around --init=zero --schedules=20 --output 0=%t.npy
// RUN: airlite-run %s --on=interp --function=by_hand --init=zero --expect 0=%t.npy | FileCheck %s
// RUN: (airlite-run %s --on=interp --function=beyond; test $? = 1) 2>&1 | FileCheck %s --check-prefix=BEYOND
// RUN: (airlite-run %s --on=interp --function=foreign --init=zero; test $? = 1) 2>&1 | FileCheck %s --check-prefix=FOREIGN
// CHECK: argument 0 is as expected
// BEYOND: error: there is no rank 2 among 2
// FOREIGN: error: 'air.translate' names another rank, but the memory is not in the symmetric heap of an air.rank
func.func @by_hand(%r: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 20 : i32
  %w = arith.constant 10 : i32
  memref.store %v, %r[%c0] : memref<2xi32>
  memref.store %w, %r[%c1] : memref<2xi32>
  return
}
// Rank 0 has 10 and rank 1 has 20. Rank 0 stores what it sees on rank 1, then the other way round.
func.func @around(%r: memref<2xi32>) {
  %c2 = arith.constant 2 : index
  %bases = memref.alloc() : memref<2xindex>
  air.rank (%x) in (%sx = %c2) args(%o = %r, %t = %bases) : memref<2xi32>, memref<2xindex> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %v10 = arith.constant 10 : i32
    %v20 = arith.constant 20 : i32
    %m = memref.alloc() {air.symmetric} : memref<1xi32>
    %l = memref.alloc() : memref<1xi32>
    %is0 = arith.cmpi eq, %x, %c0 : index
    scf.if %is0 {
      memref.store %v10, %m[%c0] : memref<1xi32>
      memref.store %v20, %l[%c0] : memref<1xi32>
      air.dma_memcpy_nd (%m[] [] [], %l[] [] []) {dst_rank = 1 : i64} : (memref<1xi32>, memref<1xi32>)
      air.dma_memcpy_nd (%o[0] [1] [1], %m[] [] []) {src_rank = 1 : i64} : (memref<2xi32>, memref<1xi32>)
      %p = air.translate %m, %c0, %c1, %t : memref<1xi32>, memref<2xindex>
      %n = memref.load %p[%c0] : memref<1xi32>
      %own = memref.load %m[%c0] : memref<1xi32>
      %sum = arith.addi %n, %own : i32
      %ten = arith.subi %sum, %v20 : i32
      memref.store %ten, %o[%c1] : memref<2xi32>
    }
  }
  return
}
func.func @beyond() {
  %c2 = arith.constant 2 : index
  air.rank (%x) in (%sx = %c2) {
    %m = memref.alloc() {air.symmetric} : memref<1xi32>
    %l = memref.alloc() : memref<1xi32>
    air.dma_memcpy_nd (%l[] [] [], %m[] [] []) {src_rank = 2 : i64} : (memref<1xi32>, memref<1xi32>)
  }
  return
}
func.func @foreign(%m: memref<4xf32>, %t: memref<2xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = air.translate %m, %c0, %c1, %t : memref<4xf32>, memref<2xindex>
  return
}
