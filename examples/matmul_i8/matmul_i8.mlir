// C = A * B, 128 x 128, i8 inputs with i32 accumulation, in the asynchronous form: tokens say what
// waits for what, and the copies of A and B may run at the same time.
//
// The tiling is that of ../matmul: 64 x 64 tiles of C, 4 PEs of 64 lanes, 4 x 4 elements per lane.

#tile = affine_map<(d0) -> (d0 * 64)>
#row = affine_map<(d0, d1) -> (((d0 * 64 + d1) floordiv 16) * 4)>
#col = affine_map<(d0, d1) -> (((d0 * 64 + d1) mod 16) * 4)>
#sum = affine_map<(d0, d1) -> (d0 + d1)>

func.func @main(%A: memref<128x128xi8>, %B: memref<128x128xi8>, %C: memref<128x128xi32>) {
  %c2 = arith.constant 2 : index
  %done = air.launch async (%ty, %tx) in (%nty = %c2, %ntx = %c2)
      args(%la = %A, %lb = %B, %lc = %C)
      : memref<128x128xi8>, memref<128x128xi8>, memref<128x128xi32> {
    %segment = air.segment @matmul_i8 async args(%y = %ty, %x = %tx, %a = %la, %b = %lb, %c = %lc)
        : index, index, memref<128x128xi8>, memref<128x128xi8>, memref<128x128xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %pes = arith.constant 4 : index
      %step = arith.constant 32 : index
      %depth = arith.constant 128 : index
      %tileRow = affine.apply #tile(%y)
      %tileCol = affine.apply #tile(%x)

      %ta, %aTile = air.execute -> (memref<64x32xi8, 1>) {
        %alloc = memref.alloc() : memref<64x32xi8, 1>
        air.execute_terminator %alloc : memref<64x32xi8, 1>
      }
      %tb, %bTile = air.execute -> (memref<32x64xi8, 1>) {
        %alloc = memref.alloc() : memref<32x64xi8, 1>
        air.execute_terminator %alloc : memref<32x64xi8, 1>
      }
      %tc, %acc = air.execute -> (memref<4x4xi32, 2>) {
        %alloc = memref.alloc() : memref<4x4xi32, 2>
        air.execute_terminator %alloc : memref<4x4xi32, 2>
      }

      %cleared = air.herd @clear async [%tc] tile (%pe, %one) in (%npe = %pes, %none = %c1)
          args(%sum = %acc) : memref<4x4xi32, 2> {
        %zero = arith.constant 0 : i32
        linalg.fill ins(%zero : i32) outs(%sum : memref<4x4xi32, 2>)
      }

      %ready = air.wait_all async [%ta, %tb, %cleared]
      %multiplied = scf.for %k = %c0 to %depth step %step iter_args(%last = %ready)
          -> (!air.async.token) {
        %copyA = air.dma_memcpy_nd async [%last]
            (%aTile[] [] [], %a[%tileRow, %k] [64, 32] [128, 1])
            : (memref<64x32xi8, 1>, memref<128x128xi8>)
        %copyB = air.dma_memcpy_nd async [%last]
            (%bTile[] [] [], %b[%k, %tileCol] [32, 64] [128, 1])
            : (memref<32x64xi8, 1>, memref<128x128xi8>)

        %next = air.herd @multiply async [%copyA, %copyB]
            tile (%pe, %one) in (%npe = %pes, %none = %c1)
            args(%at = %aTile, %bt = %bTile, %sum = %acc)
            : memref<64x32xi8, 1>, memref<32x64xi8, 1>, memref<4x4xi32, 2> {
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %h4 = arith.constant 4 : index
          %h32 = arith.constant 32 : index
          %lane = gpu.lane_id
          %row = affine.apply #row(%pe, %lane)
          %col = affine.apply #col(%pe, %lane)
          %aPart = memref.alloc() : memref<4x1xi8, 2>
          %bPart = memref.alloc() : memref<1x4xi8, 2>
          scf.for %kk = %h0 to %h32 step %h1 {
            air.dma_memcpy_nd (%aPart[] [] [], %at[%row, %kk] [4, 1] [32, 1])
                : (memref<4x1xi8, 2>, memref<64x32xi8, 1>)
            air.dma_memcpy_nd (%bPart[] [] [], %bt[%kk, %col] [1, 4] [64, 1])
                : (memref<1x4xi8, 2>, memref<32x64xi8, 1>)
            scf.for %i = %h0 to %h4 step %h1 {
              scf.for %j = %h0 to %h4 step %h1 {
                %a8 = memref.load %aPart[%i, %h0] : memref<4x1xi8, 2>
                %b8 = memref.load %bPart[%h0, %j] : memref<1x4xi8, 2>
                %av = arith.extsi %a8 : i8 to i32
                %bv = arith.extsi %b8 : i8 to i32
                %old = memref.load %sum[%i, %j] : memref<4x4xi32, 2>
                %product = arith.muli %av, %bv : i32
                %new = arith.addi %old, %product : i32
                memref.store %new, %sum[%i, %j] : memref<4x4xi32, 2>
              }
            }
          }
        }
        scf.yield %next : !air.async.token
      }

      %stored = air.herd @store async [%multiplied]
          tile (%pe, %one) in (%npe = %pes, %none = %c1)
          args(%sum = %acc, %out = %c, %row0 = %tileRow, %col0 = %tileCol)
          : memref<4x4xi32, 2>, memref<128x128xi32>, index, index {
        %lane = gpu.lane_id
        %blockRow = affine.apply #row(%pe, %lane)
        %blockCol = affine.apply #col(%pe, %lane)
        %row = affine.apply #sum(%row0, %blockRow)
        %col = affine.apply #sum(%col0, %blockCol)
        air.dma_memcpy_nd (%out[%row, %col] [4, 4] [128, 1], %sum[] [] [])
            : (memref<128x128xi32>, memref<4x4xi32, 2>)
      }
      air.wait_all [%stored]
    }
    air.wait_all [%segment]
  }
  air.wait_all [%done]
  return
}
