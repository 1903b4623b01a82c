// Functions with several blocks that cores call: a decision, and a loop that is left early.
//
// RUN: airlite-run %s --on=sim --function=clamped --init=random:1 --compare=interp | FileCheck %s
// RUN: airlite-run %s --on=sim --function=found --init=random:2 --compare=interp | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit

func.func private @clamp(%x: i32) -> i32 {
  %z = arith.constant 0 : i32
  %n = arith.cmpi slt, %x, %z : i32
  cf.cond_br %n, ^neg, ^pos
^neg:
  return %z : i32
^pos:
  %h = arith.constant 100 : i32
  %g = arith.cmpi sgt, %x, %h : i32
  cf.cond_br %g, ^high, ^same
^high:
  return %h : i32
^same:
  return %x : i32
}
func.func @clamped(%a: memref<256xi32>, %c: memref<256xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<256xi32>) outs(%c : memref<256xi32>) {
  ^bb0(%x: i32, %y: i32):
    %z = func.call @clamp(%x) : (i32) -> i32
    linalg.yield %z : i32
  }
  return
}

func.func private @find(%m: memref<64xi32, 2>, %k: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  cf.br ^loop(%c0 : index)
^loop(%i: index):
  %in = arith.cmpi slt, %i, %c64 : index
  cf.cond_br %in, ^body, ^no
^body:
  %v = memref.load %m[%i] : memref<64xi32, 2>
  %is = arith.cmpi eq, %v, %k : i32
  %j = arith.addi %i, %c1 : index
  cf.cond_br %is, ^yes, ^loop(%j : index)
^yes:
  %r = arith.index_cast %i : index to i32
  return %r : i32
^no:
  %n = arith.constant -1 : i32
  return %n : i32
}
func.func @found(%a: memref<256xi32>, %c: memref<256xi32>) {
  %one = arith.constant 1 : index
  air.launch () in () args(%p0=%a, %r0=%c) : memref<256xi32>, memref<256xi32> {
  air.segment @s args(%p1=%p0, %r1=%r0) : memref<256xi32>, memref<256xi32> {
  %one_0 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx=%one_0, %sy=%one_0) args(%p=%p1, %r=%r1) : memref<256xi32>, memref<256xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    scf.for %off = %c0 to %c256 step %c64 {
      %A = memref.alloc() : memref<64xi32, 2>
      air.dma_memcpy_nd (%A[] [] [], %p[%off] [%c64] [%c1]) : (memref<64xi32, 2>, memref<256xi32>)
      scf.for %i = %c0 to %c64 step %c1 {
        %u = memref.load %A[%i] : memref<64xi32, 2>
        %w = func.call @find(%A, %u) : (memref<64xi32, 2>, i32) -> i32
        memref.store %w, %A[%i] : memref<64xi32, 2>
      }
      air.dma_memcpy_nd (%r[%off] [%c64] [%c1], %A[] [] []) : (memref<256xi32>, memref<64xi32, 2>)
      memref.dealloc %A : memref<64xi32, 2>
    }
  }
  }
  }
  return
}
