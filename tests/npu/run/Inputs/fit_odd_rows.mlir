func.func @main(%x: memref<6x10xi8>, %b: memref<10xi8>, %y: memref<6x10xi8>) {
  %c1 = arith.constant 1 : index
  %h = arith.constant 3 : index
  air.herd @h tile (%tx, %ty) in (%sx=%h, %sy=%c1) args(%u=%x, %bb=%b, %v=%y) : memref<6x10xi8>, memref<10xi8>, memref<6x10xi8> {
    %c0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %n = arith.constant 10 : index
    %per = arith.constant 2 : index
    %bias = memref.alloc() : memref<10xi8, 2>
    air.dma_memcpy_nd (%bias[] [] [], %bb[] [] []) : (memref<10xi8, 2>, memref<10xi8>)
    %r0 = arith.muli %tx, %per : index
    scf.for %i = %c0 to %per step %k1 {
      %r = arith.addi %r0, %i : index
      %m = memref.alloc() : memref<1x10xi8, 2>
      air.dma_memcpy_nd (%m[] [] [], %u[%r, %c0] [%k1, %n] [%n, %k1]) : (memref<1x10xi8, 2>, memref<6x10xi8>)
      scf.for %j = %c0 to %n step %k1 {
        %a = memref.load %m[%c0, %j] : memref<1x10xi8, 2>
        %c = memref.load %bias[%j] : memref<10xi8, 2>
        %s = arith.addi %a, %c : i8
        memref.store %s, %m[%c0, %j] : memref<1x10xi8, 2>
      }
      air.dma_memcpy_nd (%v[%r, %c0] [%k1, %n] [%n, %k1], %m[] [] []) : (memref<6x10xi8>, memref<1x10xi8, 2>)
      memref.dealloc %m : memref<1x10xi8, 2>
    }
    memref.dealloc %bias : memref<10xi8, 2>
  }
  return
}
