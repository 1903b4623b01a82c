func.func @main(%i0: memref<128xi16>, %i1: memref<128xi16>, %i2: memref<128xi16>, %i3: memref<128xi16>, %o0: memref<128xi16>) {
  air.launch () in () args(%l_i0=%i0, %l_i1=%i1, %l_i2=%i2, %l_i3=%i3, %l_o0=%o0) : memref<128xi16>, memref<128xi16>, memref<128xi16>, memref<128xi16>, memref<128xi16> {
  air.segment @seg args(%s_i0=%l_i0, %s_i1=%l_i1, %s_i2=%l_i2, %s_i3=%l_i3, %s_o0=%l_o0) : memref<128xi16>, memref<128xi16>, memref<128xi16>, memref<128xi16>, memref<128xi16> {
    %cx = arith.constant 2 : index
    %cy = arith.constant 2 : index
    air.herd @h tile (%tx, %ty) in (%sx=%cx, %sy=%cy) args(%i0=%s_i0, %i1=%s_i1, %i2=%s_i2, %i3=%s_i3, %o0=%s_o0) : memref<128xi16>, memref<128xi16>, memref<128xi16>, memref<128xi16>, memref<128xi16> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 32 : index
      %ny = arith.constant 2 : index
      %row = arith.muli %tx, %ny : index
      %id = arith.addi %row, %ty : index
      %off = arith.muli %id, %n : index
      %m_i0 = memref.alloc() : memref<32xi16, 2>
      %m_i1 = memref.alloc() : memref<32xi16, 2>
      %m_i2 = memref.alloc() : memref<32xi16, 2>
      %m_i3 = memref.alloc() : memref<32xi16, 2>
      %m_o0 = memref.alloc() : memref<32xi16, 2>
      air.dma_memcpy_nd (%m_i0[] [] [], %i0[%off] [%n] [%c1]) : (memref<32xi16, 2>, memref<128xi16>)
      air.dma_memcpy_nd (%m_i1[] [] [], %i1[%off] [%n] [%c1]) : (memref<32xi16, 2>, memref<128xi16>)
      air.dma_memcpy_nd (%m_i2[] [] [], %i2[%off] [%n] [%c1]) : (memref<32xi16, 2>, memref<128xi16>)
      air.dma_memcpy_nd (%m_i3[] [] [], %i3[%off] [%n] [%c1]) : (memref<32xi16, 2>, memref<128xi16>)
      scf.for %j = %c0 to %n step %c1 {
        %v0 = memref.load %m_i0[%j] : memref<32xi16, 2>
        %v1 = memref.load %m_i1[%j] : memref<32xi16, 2>
        %v2 = memref.load %m_i2[%j] : memref<32xi16, 2>
        %v3 = memref.load %m_i3[%j] : memref<32xi16, 2>
        %a1 = arith.muli %v0, %v1 : i16
        %a2 = arith.addi %a1, %v2 : i16
        %a3 = arith.muli %a2, %v3 : i16
        %r0 = arith.addi %a3, %v0 : i16
        memref.store %r0, %m_o0[%j] : memref<32xi16, 2>
      }
      air.dma_memcpy_nd (%o0[%off] [%n] [%c1], %m_o0[] [] []) : (memref<128xi16>, memref<32xi16, 2>)
      memref.dealloc %m_i0 : memref<32xi16, 2>
      memref.dealloc %m_i1 : memref<32xi16, 2>
      memref.dealloc %m_i2 : memref<32xi16, 2>
      memref.dealloc %m_i3 : memref<32xi16, 2>
      memref.dealloc %m_o0 : memref<32xi16, 2>
    }
  }
  }
  return
}
