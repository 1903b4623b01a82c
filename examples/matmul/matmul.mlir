// C = A * B, 256 x 256, f32: the tiled product of the AIR compute model (section 4.5).
//
//   launch    a 4 x 4 grid, one instance per 64 x 64 tile of C       -> workgroups
//   segment   owns the tiles of A and B in L2                        -> LDS
//   herd      4 PEs, each a wavefront of 64 lanes: 256 work-items, a 4 x 4 block of C each, which
//             is held in L1                                          -> registers
//
// Each element is the plain sum of products in the order of k, so the result has the same bits as
// three nested loops.

#tile = affine_map<(d0) -> (d0 * 64)>
// The rows and columns of a work-item's block: 16 x 16 blocks of 4 x 4 make up the tile.
#row = affine_map<(d0, d1) -> (((d0 * 64 + d1) floordiv 16) * 4)>
#col = affine_map<(d0, d1) -> (((d0 * 64 + d1) mod 16) * 4)>
#sum = affine_map<(d0, d1) -> (d0 + d1)>

func.func @main(%A: memref<256x256xf32>, %B: memref<256x256xf32>, %C: memref<256x256xf32>) {
  %c4 = arith.constant 4 : index
  air.launch (%ty, %tx) in (%nty = %c4, %ntx = %c4) args(%la = %A, %lb = %B, %lc = %C)
      : memref<256x256xf32>, memref<256x256xf32>, memref<256x256xf32> {
    air.segment @matmul args(%y = %ty, %x = %tx, %a = %la, %b = %lb, %c = %lc)
        : index, index, memref<256x256xf32>, memref<256x256xf32>, memref<256x256xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %pes = arith.constant 4 : index
      %step = arith.constant 16 : index
      %depth = arith.constant 256 : index
      %tileRow = affine.apply #tile(%y)
      %tileCol = affine.apply #tile(%x)

      %aTile = memref.alloc() : memref<64x16xf32, 1>
      %bTile = memref.alloc() : memref<16x64xf32, 1>
      %acc = memref.alloc() : memref<4x4xf32, 2>

      air.herd @clear tile (%pe, %one) in (%npe = %pes, %none = %c1) args(%sum = %acc)
          : memref<4x4xf32, 2> {
        %zero = arith.constant 0.0 : f32
        linalg.fill ins(%zero : f32) outs(%sum : memref<4x4xf32, 2>)
      }

      scf.for %k = %c0 to %depth step %step {
        // All work-items of the workgroup load together, neighbours load neighbours.
        air.dma_memcpy_nd (%aTile[] [] [], %a[%tileRow, %k] [64, 16] [256, 1])
            : (memref<64x16xf32, 1>, memref<256x256xf32>)
        air.dma_memcpy_nd (%bTile[] [] [], %b[%k, %tileCol] [16, 64] [256, 1])
            : (memref<16x64xf32, 1>, memref<256x256xf32>)

        air.herd @multiply tile (%pe, %one) in (%npe = %pes, %none = %c1)
            args(%at = %aTile, %bt = %bTile, %sum = %acc)
            : memref<64x16xf32, 1>, memref<16x64xf32, 1>, memref<4x4xf32, 2> {
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %h4 = arith.constant 4 : index
          %h16 = arith.constant 16 : index
          %lane = gpu.lane_id
          %row = affine.apply #row(%pe, %lane)
          %col = affine.apply #col(%pe, %lane)
          %aPart = memref.alloc() : memref<4x1xf32, 2>
          %bPart = memref.alloc() : memref<1x4xf32, 2>
          scf.for %kk = %h0 to %h16 step %h1 {
            air.dma_memcpy_nd (%aPart[] [] [], %at[%row, %kk] [4, 1] [16, 1])
                : (memref<4x1xf32, 2>, memref<64x16xf32, 1>)
            air.dma_memcpy_nd (%bPart[] [] [], %bt[%kk, %col] [1, 4] [64, 1])
                : (memref<1x4xf32, 2>, memref<16x64xf32, 1>)
            scf.for %i = %h0 to %h4 step %h1 {
              scf.for %j = %h0 to %h4 step %h1 {
                %av = memref.load %aPart[%i, %h0] : memref<4x1xf32, 2>
                %bv = memref.load %bPart[%h0, %j] : memref<1x4xf32, 2>
                %old = memref.load %sum[%i, %j] : memref<4x4xf32, 2>
                %product = arith.mulf %av, %bv : f32
                %new = arith.addf %old, %product : f32
                memref.store %new, %sum[%i, %j] : memref<4x4xf32, 2>
              }
            }
          }
        }
      }

      air.herd @store tile (%pe, %one) in (%npe = %pes, %none = %c1)
          args(%sum = %acc, %out = %c, %row0 = %tileRow, %col0 = %tileCol)
          : memref<4x4xf32, 2>, memref<256x256xf32>, index, index {
        %lane = gpu.lane_id
        %blockRow = affine.apply #row(%pe, %lane)
        %blockCol = affine.apply #col(%pe, %lane)
        %row = affine.apply #sum(%row0, %blockRow)
        %col = affine.apply #sum(%col0, %blockCol)
        air.dma_memcpy_nd (%out[%row, %col] [4, 4] [256, 1], %sum[] [] [])
            : (memref<256x256xf32>, memref<4x4xf32, 2>)
      }
    }
  }
  return
}
