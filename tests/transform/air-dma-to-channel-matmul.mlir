// RUN: airlite-opt %s --check-each --air-dma-to-channel --emit=none
// RUN: airlite-opt %s --check-each --air-dependency --air-broadcast-detection --air-specialize-dma-broadcast --air-dma-to-channel --canonicalize --cse --air-dependency-canonicalize --air-fuse-channels=aggressive-mode=L1,L2 -o %t.mlir
// RUN: airlite-opt %t.mlir --air-verify-program --emit=none
// RUN: FileCheck %s --input-file=%t.mlir

// A matmul on 4x4 cores through L2, with all three levels: it computes the same at each step, and no
// copy is left. Rows of A and columns of B are broadcast.
// CHECK-COUNT-8: broadcast_shape
// CHECK-NOT: air.dma_memcpy_nd
module {
  func.func @matmul(%arg0: memref<16x16xi32>, %arg1: memref<16x16xi32>, %arg2: memref<16x16xi32>) {
    %c2 = arith.constant 2 : index
    air.launch (%lx, %ly) in (%sx=%c2, %sy=%c2) args(%a=%arg0, %b=%arg1, %c=%arg2) : memref<16x16xi32>, memref<16x16xi32>, memref<16x16xi32> {
      air.segment @s args(%x=%lx, %y=%ly, %sa=%a, %sb=%b, %sc=%c) : index, index, memref<16x16xi32>, memref<16x16xi32>, memref<16x16xi32> {
        %c4_0 = arith.constant 4 : index
        %c0 = arith.constant 0 : index
        %c8 = arith.constant 8 : index
        %c16 = arith.constant 16 : index
        %ox = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%x]
        %oy = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%y]
        %l2c = memref.alloc() : memref<8x8xi32, 1>
        air.dma_memcpy_nd (%l2c[] [] [], %sc[%ox, %oy] [8, 8] [16, 1]) : (memref<8x8xi32, 1>, memref<16x16xi32>)
        scf.for %k = %c0 to %c16 step %c8 {
          %l2a = memref.alloc() : memref<8x8xi32, 1>
          %l2b = memref.alloc() : memref<8x8xi32, 1>
          air.dma_memcpy_nd (%l2a[] [] [], %sa[%ox, %k] [8, 8] [16, 1]) : (memref<8x8xi32, 1>, memref<16x16xi32>)
          air.dma_memcpy_nd (%l2b[] [] [], %sb[%k, %oy] [8, 8] [16, 1]) : (memref<8x8xi32, 1>, memref<16x16xi32>)
          air.herd @h tile (%tx, %ty) in (%hx=%c4_0, %hy=%c4_0) args(%ha=%l2a, %hb=%l2b, %hc=%l2c) : memref<8x8xi32, 1>, memref<8x8xi32, 1>, memref<8x8xi32, 1> {
            %c0_1 = arith.constant 0 : index
            %c2_1 = arith.constant 2 : index
            %c8_1 = arith.constant 8 : index
            %tox = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%tx]
            %toy = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%ty]
            %lc = memref.alloc() : memref<2x2xi32, 2>
            air.dma_memcpy_nd (%lc[] [] [], %hc[%tox, %toy] [2, 2] [8, 1]) : (memref<2x2xi32, 2>, memref<8x8xi32, 1>)
            scf.for %kk = %c0_1 to %c8_1 step %c2_1 {
              %la = memref.alloc() : memref<2x2xi32, 2>
              %lb = memref.alloc() : memref<2x2xi32, 2>
              air.dma_memcpy_nd (%la[] [] [], %ha[%tox, %kk] [2, 2] [8, 1]) : (memref<2x2xi32, 2>, memref<8x8xi32, 1>)
              air.dma_memcpy_nd (%lb[] [] [], %hb[%kk, %toy] [2, 2] [8, 1]) : (memref<2x2xi32, 2>, memref<8x8xi32, 1>)
              linalg.matmul ins(%la, %lb : memref<2x2xi32, 2>, memref<2x2xi32, 2>) outs(%lc : memref<2x2xi32, 2>)
              memref.dealloc %la : memref<2x2xi32, 2>
              memref.dealloc %lb : memref<2x2xi32, 2>
            }
            air.dma_memcpy_nd (%hc[%tox, %toy] [2, 2] [8, 1], %lc[] [] []) : (memref<8x8xi32, 1>, memref<2x2xi32, 2>)
            memref.dealloc %lc : memref<2x2xi32, 2>
          }
          memref.dealloc %l2a : memref<8x8xi32, 1>
          memref.dealloc %l2b : memref<8x8xi32, 1>
        }
        air.dma_memcpy_nd (%sc[%ox, %oy] [8, 8] [16, 1], %l2c[] [] []) : (memref<16x16xi32>, memref<8x8xi32, 1>)
        memref.dealloc %l2c : memref<8x8xi32, 1>
      }
    }
    return
  }
}
