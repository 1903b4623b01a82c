// The four levels of the compute model for MI3xx: the whole device, its eight XCDs, the compute units of an XCD, the waves
// of a compute unit. Each unit multiplies three rows, which it takes one after the other, with numbers for the columns that
// lie in its LDS.
//
//   airlite-compile examples/gpu/levels.mlir --target=gfx942 -o out --report=kernel     # a grid of 8 * 4 workgroups
func.func @main(%a: memref<96x256xf32>, %b: memref<256xf32>, %c: memref<96x256xf32>) {
  air.launch () in () args(%la=%a, %lb=%b, %lc=%c) : memref<96x256xf32>, memref<256xf32>, memref<96x256xf32> {
    %xcds = arith.constant 8 : index
    air.segment @device unroll(%xcd) in (%nx=%xcds) args(%xa=%la, %xb=%lb, %xc=%lc) : memref<96x256xf32>, memref<256xf32>, memref<96x256xf32> attributes {"backend-granularity" = "XCD"} {
      %units = arith.constant 4 : index
      air.segment @xcd unroll(%unit) in (%nu=%units) args(%sa=%xa, %sb=%xb, %sc=%xc, %x=%xcd) : memref<96x256xf32>, memref<256xf32>, memref<96x256xf32>, index {
        %four = arith.constant 4 : index
        %three = arith.constant 3 : index
        %before = arith.muli %x, %four : index
        %number = arith.addi %before, %unit : index
        %first = arith.muli %number, %three : index
        %columns = memref.alloc() : memref<256xf32, 1>
        air.dma_memcpy_nd (%columns[] [] [], %sb[] [] []) : (memref<256xf32, 1>, memref<256xf32>)
        %one = arith.constant 1 : index
        %waves = arith.constant 4 : index
        air.herd @unit tile (%w, %y) in (%nw=%waves, %ny=%one) args(%ha=%sa, %hl=%columns, %hc=%sc, %r=%first) : memref<96x256xf32>, memref<256xf32, 1>, memref<96x256xf32>, index {
          %c64 = arith.constant 64 : index
          %zero = arith.constant 0 : index
          %end = arith.constant 3 : index
          %step = arith.constant 1 : index
          %at = arith.muli %w, %c64 : index
          %u = memref.alloc() : memref<64xf32, 2>
          %v = memref.alloc() : memref<64xf32, 2>
          air.dma_memcpy_nd (%v[] [] [], %hl[%at] [64] [1]) : (memref<64xf32, 2>, memref<256xf32, 1>)
          scf.for %i = %zero to %end step %step {
            %row = arith.addi %r, %i : index
            air.dma_memcpy_nd (%u[] [] [], %ha[%row, %at] [1, 64] [256, 1]) : (memref<64xf32, 2>, memref<96x256xf32>)
            affine.for %j = 0 to 64 {
              %p = affine.load %u[%j] : memref<64xf32, 2>
              %q = affine.load %v[%j] : memref<64xf32, 2>
              %s = arith.mulf %p, %q : f32
              affine.store %s, %u[%j] : memref<64xf32, 2>
            }
            air.dma_memcpy_nd (%hc[%row, %at] [1, 64] [256, 1], %u[] [] []) : (memref<96x256xf32>, memref<64xf32, 2>)
          }
          memref.dealloc %u : memref<64xf32, 2>
          memref.dealloc %v : memref<64xf32, 2>
        }
        memref.dealloc %columns : memref<256xf32, 1>
      }
    }
  }
  return
}
