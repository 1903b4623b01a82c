// RUN: airlite-opt %s --air-fit-herds='cores=2,1' --canonicalize --check-each | FileCheck %s --check-prefix=FOLD
// RUN: airlite-opt %s --air-fit-herds='cores=4,1 stage=L2' --check-each | FileCheck %s --check-prefix=L2
// RUN: airlite-opt %s --air-fit-herds='cores=1,1 stage=L1' --check-each | FileCheck %s --check-prefix=L1
// RUN: airlite-run %s --on=interp --function=rows --init=random:1 --output 1=%t.npy
// RUN: airlite-opt %s --air-fit-herds='cores=1,1 stage=L1' | airlite-run - --on=interp --function=rows --init=random:1 --expect 1=%t.npy

// Two cores do the work of four, one after the other; the launch stays as it is.
// FOLD-LABEL: func.func @rows
// FOLD: air.launch (%{{.*}}) in (%{{.*}}=%c2{{.*}})
// FOLD: %[[X:c2.*]] = arith.constant 2 : index
// FOLD: air.herd {{.*}}tile (%[[ID:.*]], %{{.*}}) in (%{{.*}}=%[[X]]
// FOLD: scf.for %[[BLOCK:.*]] = %c0
// FOLD: %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c2
// FOLD: arith.addi %[[FIRST]], %[[ID]] : index

// The instances become a loop of the cores, whose operands are in L2.
// L2-LABEL: func.func @rows
// L2: air.launch () in ()
// L2: air.segment
// L2: %[[IN:.*]] = memref.alloc() : memref<8x5xi8, 1>
// L2: memref.copy %{{.*}}, %[[IN]] : memref<8x5xi8> to memref<8x5xi8, 1>
// L2: air.herd
// L2: scf.for
// L2: air.dma_memcpy_nd {{.*}} : (memref<1x5xi8, 2>, memref<8x5xi8, 1>)
// L2-COUNT-1: memref.copy %{{.*}} : memref<8x5xi8, 1> to memref<8x5xi8>

// Copies of the only core are loops.
// L1-LABEL: func.func @rows
// L1: air.herd
// L1: memref.copy {{.*}} : memref<8x5xi8> to memref<8x5xi8, 2>
// L1-NOT: air.dma_memcpy_nd
// L1: memref.copy {{.*}} : memref<8x5xi8, 2> to memref<8x5xi8>
func.func @rows(%x: memref<8x5xi8>, %y: memref<8x5xi8>) {
  %c2 = arith.constant 2 : index
  air.launch (%i) in (%n = %c2) args(%a = %x, %b = %y) : memref<8x5xi8>, memref<8x5xi8> {
    air.segment @s args(%k = %i, %c = %a, %d = %b) : index, memref<8x5xi8>, memref<8x5xi8> {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c5 = arith.constant 5 : index
      %first = arith.muli %k, %c4 : index
      air.herd @h tile (%tx, %ty) in (%sx = %c4, %sy = %c1) args(%f = %first, %u = %c, %v = %d)
          : index, memref<8x5xi8>, memref<8x5xi8> {
        %z0 = arith.constant 0 : index
        %z1 = arith.constant 1 : index
        %z5 = arith.constant 5 : index
        %row = arith.addi %f, %tx : index
        %m = memref.alloc() : memref<1x5xi8, 2>
        air.dma_memcpy_nd (%m[] [] [], %u[%row, %z0] [%z1, %z5] [%z5, %z1]) : (memref<1x5xi8, 2>, memref<8x5xi8>)
        scf.for %j = %z0 to %z5 step %z1 {
          %p = memref.load %m[%z0, %j] : memref<1x5xi8, 2>
          %q = arith.muli %p, %p : i8
          memref.store %q, %m[%z0, %j] : memref<1x5xi8, 2>
        }
        air.dma_memcpy_nd (%v[%row, %z0] [%z1, %z5] [%z5, %z1], %m[] [] []) : (memref<8x5xi8>, memref<1x5xi8, 2>)
        memref.dealloc %m : memref<1x5xi8, 2>
      }
    }
  }
  return
}
