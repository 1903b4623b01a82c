// A herd of more waves than a workgroup has: its cores take turns.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:1 --output 1=%t.npy
// RUN: for d in gfx942 gfx1100; do for o in forward reverse random:3; do \
// RUN:   airlite-run %s --target=$d --order=$o --init=random:1 --expect 1=%t.npy || exit 1; done; done
// RUN: airlite-opt %s --air-fit-herds=work-items=1024 --check-each | FileCheck %s
// CHECK: air.herd @h tile (%{{.*}}, %{{.*}}) in (%{{.*}}=%c2, %{{.*}}=%c8{{.*}})
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1
// RUN: airlite-opt %s --air-fit-herds=work-items=4096 | FileCheck %s --check-prefix=SMALL
// SMALL: air.herd @h tile (%{{.*}}, %{{.*}}) in (%{{.*}}=%c8, %{{.*}}=%c8)
func.func @main(%a: memref<64x64xi32>, %o: memref<64x64xi32>) {
  %c8 = arith.constant 8 : index
  air.herd @h tile (%x, %y) in (%sx = %c8, %sy = %c8) args(%la = %a, %lo = %o) : memref<64x64xi32>, memref<64x64xi32> {
    %c0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k8 = arith.constant 8 : index
    %k64 = arith.constant 64 : index
    %px = arith.muli %x, %k8 : index
    %py = arith.muli %y, %k8 : index
    %b = memref.alloc() : memref<8x8xi32, 2>
    air.dma_memcpy_nd (%b[] [] [], %la[%px, %py] [%k8, %k8] [%k64, %k1]) : (memref<8x8xi32, 2>, memref<64x64xi32>)
    scf.for %i = %c0 to %k8 step %k1 {
      scf.for %j = %c0 to %k8 step %k1 {
        %v = memref.load %b[%i, %j] : memref<8x8xi32, 2>
        %w = arith.addi %v, %v : i32
        memref.store %w, %b[%i, %j] : memref<8x8xi32, 2>
      }
    }
    air.dma_memcpy_nd (%lo[%px, %py] [%k8, %k8] [%k64, %k1], %b[] [] []) : (memref<64x64xi32>, memref<8x8xi32, 2>)
    memref.dealloc %b : memref<8x8xi32, 2>
  }
  return
}
