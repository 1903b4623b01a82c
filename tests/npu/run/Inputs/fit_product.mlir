func.func @main(%A: memref<32x32xi32>, %B: memref<32x32xi32>, %C: memref<32x32xi32>) {
  %c2 = arith.constant 2 : index
  air.launch (%lx, %ly) in (%ln=%c2, %lm=%c2) args(%a=%A, %b=%B, %c=%C) : memref<32x32xi32>, memref<32x32xi32>, memref<32x32xi32> {
    air.segment @seg args(%sx=%lx, %sy=%ly, %a1=%a, %b1=%b, %c1_=%c) : index, index, memref<32x32xi32>, memref<32x32xi32>, memref<32x32xi32> {
      %k2 = arith.constant 2 : index
      air.herd @h tile (%tx, %ty) in (%hx=%k2, %hy=%k2) args(%px=%sx, %py=%sy, %a2=%a1, %b2=%b1, %cc=%c1_) : index, index, memref<32x32xi32>, memref<32x32xi32>, memref<32x32xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %c16 = arith.constant 16 : index
        %c32 = arith.constant 32 : index
        %r0 = arith.muli %px, %c16 : index
        %r1 = arith.muli %tx, %c8 : index
        %row = arith.addi %r0, %r1 : index
        %q0 = arith.muli %py, %c16 : index
        %q1 = arith.muli %ty, %c8 : index
        %col = arith.addi %q0, %q1 : index
        %acc = memref.alloc() : memref<8x8xi32, 2>
        air.dma_memcpy_nd (%acc[] [] [], %cc[%row, %col] [%c8, %c8] [%c32, %c1]) : (memref<8x8xi32, 2>, memref<32x32xi32>)
        scf.for %k = %c0 to %c32 step %c8 {
          %am = memref.alloc() : memref<8x8xi32, 2>
          %bm = memref.alloc() : memref<8x8xi32, 2>
          air.dma_memcpy_nd (%am[] [] [], %a2[%row, %k] [%c8, %c8] [%c32, %c1]) : (memref<8x8xi32, 2>, memref<32x32xi32>)
          air.dma_memcpy_nd (%bm[] [] [], %b2[%k, %col] [%c8, %c8] [%c32, %c1]) : (memref<8x8xi32, 2>, memref<32x32xi32>)
          linalg.matmul ins(%am, %bm : memref<8x8xi32, 2>, memref<8x8xi32, 2>) outs(%acc : memref<8x8xi32, 2>)
          memref.dealloc %am : memref<8x8xi32, 2>
          memref.dealloc %bm : memref<8x8xi32, 2>
        }
        air.dma_memcpy_nd (%cc[%row, %col] [%c8, %c8] [%c32, %c1], %acc[] [] []) : (memref<32x32xi32>, memref<8x8xi32, 2>)
        memref.dealloc %acc : memref<8x8xi32, 2>
      }
    }
  }
  return
}
