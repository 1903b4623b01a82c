func.func @main(%i0: memref<1024xi32>, %o0: memref<1024xi32>) {
  air.launch () in () args(%l_i0=%i0, %l_o0=%o0) : memref<1024xi32>, memref<1024xi32> {
  air.segment @seg args(%s_i0=%l_i0, %s_o0=%l_o0) : memref<1024xi32>, memref<1024xi32> {
    %cx = arith.constant 8 : index
    %cy = arith.constant 8 : index
    air.herd @h tile (%tx, %ty) in (%sx=%cx, %sy=%cy) args(%i0=%s_i0, %o0=%s_o0) : memref<1024xi32>, memref<1024xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 16 : index
      %ny = arith.constant 8 : index
      %row = arith.muli %tx, %ny : index
      %id = arith.addi %row, %ty : index
      %off = arith.muli %id, %n : index
      %m_i0 = memref.alloc() : memref<16xi32, 2>
      %m_o0 = memref.alloc() : memref<16xi32, 2>
      air.dma_memcpy_nd (%m_i0[] [] [], %i0[%off] [%n] [%c1]) : (memref<16xi32, 2>, memref<1024xi32>)
      scf.for %j = %c0 to %n step %c1 {
        %v0 = memref.load %m_i0[%j] : memref<16xi32, 2>
        %r0 = arith.addi %v0, %v0 : i32
        memref.store %r0, %m_o0[%j] : memref<16xi32, 2>
      }
      air.dma_memcpy_nd (%o0[%off] [%n] [%c1], %m_o0[] [] []) : (memref<1024xi32>, memref<16xi32, 2>)
      memref.dealloc %m_i0 : memref<16xi32, 2>
      memref.dealloc %m_o0 : memref<16xi32, 2>
    }
  }
  }
  return
}
