// softmax over the rows of a 64 x 256 matrix, f32: exp(x - max) / sum(exp(x - max)).
//
// A workgroup takes 4 rows, a PE (wavefront) takes one, and each lane holds 4 of its 256 elements.
// The lanes of a PE exchange their partial maxima and sums through L2 (LDS): each writes one
// number, a barrier makes them visible, and then every lane reads all 64 in the same order.

#row = affine_map<(d0, d1) -> (d0 * 4 + d1)>

func.func @main(%in: memref<64x256xf32>, %out: memref<64x256xf32>) {
  %groups = arith.constant 16 : index
  air.launch (%group) in (%ngroups = %groups) args(%lin = %in, %lout = %out)
      : memref<64x256xf32>, memref<64x256xf32> {
    air.segment @softmax args(%g = %group, %sin = %lin, %sout = %lout)
        : index, memref<64x256xf32>, memref<64x256xf32> {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %maxima = memref.alloc() : memref<4x64xf32, 1>
      %sums = memref.alloc() : memref<4x64xf32, 1>
      air.herd @rows tile (%pe, %one) in (%npe = %c4, %none = %c1)
          args(%at = %g, %x = %sin, %y = %sout, %laneMax = %maxima, %laneSum = %sums)
          : index, memref<64x256xf32>, memref<64x256xf32>, memref<4x64xf32, 1>,
            memref<4x64xf32, 1> {
        %c0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        %h64 = arith.constant 64 : index
        %zero = arith.constant 0.0 : f32
        %lowest = arith.constant 0xFF800000 : f32
        %lane = gpu.lane_id
        %row = affine.apply #row(%at, %pe)

        // Elements lane, lane + 64, lane + 128 and lane + 192 of the row.
        %part = memref.alloc() : memref<1x4xf32, 2>
        %mine = memref.alloc() : memref<1x1xf32, 2>
        %all = memref.alloc() : memref<1x64xf32, 2>
        air.dma_memcpy_nd (%part[] [] [], %x[%row, 0, %lane] [1, 4, 1] [256, 64, 1])
            : (memref<1x4xf32, 2>, memref<64x256xf32>)

        %partMax = scf.for %i = %c0 to %h4 step %h1 iter_args(%best = %lowest) -> (f32) {
          %v = memref.load %part[%c0, %i] : memref<1x4xf32, 2>
          %next = arith.maximumf %best, %v : f32
          scf.yield %next : f32
        }
        memref.store %partMax, %mine[%c0, %c0] : memref<1x1xf32, 2>
        air.dma_memcpy_nd (%laneMax[%pe, %lane] [1, 1] [64, 1], %mine[] [] [])
            : (memref<4x64xf32, 1>, memref<1x1xf32, 2>)
        gpu.barrier
        air.dma_memcpy_nd (%all[] [] [], %laneMax[%pe, 0] [1, 64] [64, 1])
            : (memref<1x64xf32, 2>, memref<4x64xf32, 1>)
        %max = scf.for %i = %c0 to %h64 step %h1 iter_args(%best = %lowest) -> (f32) {
          %v = memref.load %all[%c0, %i] : memref<1x64xf32, 2>
          %next = arith.maximumf %best, %v : f32
          scf.yield %next : f32
        }

        %partSum = scf.for %i = %c0 to %h4 step %h1 iter_args(%total = %zero) -> (f32) {
          %v = memref.load %part[%c0, %i] : memref<1x4xf32, 2>
          %shifted = arith.subf %v, %max : f32
          %e = math.exp %shifted : f32
          memref.store %e, %part[%c0, %i] : memref<1x4xf32, 2>
          %next = arith.addf %total, %e : f32
          scf.yield %next : f32
        }
        memref.store %partSum, %mine[%c0, %c0] : memref<1x1xf32, 2>
        air.dma_memcpy_nd (%laneSum[%pe, %lane] [1, 1] [64, 1], %mine[] [] [])
            : (memref<4x64xf32, 1>, memref<1x1xf32, 2>)
        gpu.barrier
        air.dma_memcpy_nd (%all[] [] [], %laneSum[%pe, 0] [1, 64] [64, 1])
            : (memref<1x64xf32, 2>, memref<4x64xf32, 1>)
        %sum = scf.for %i = %c0 to %h64 step %h1 iter_args(%total = %zero) -> (f32) {
          %v = memref.load %all[%c0, %i] : memref<1x64xf32, 2>
          %next = arith.addf %total, %v : f32
          scf.yield %next : f32
        }

        scf.for %i = %c0 to %h4 step %h1 {
          %e = memref.load %part[%c0, %i] : memref<1x4xf32, 2>
          %q = arith.divf %e, %sum : f32
          memref.store %q, %part[%c0, %i] : memref<1x4xf32, 2>
        }
        air.dma_memcpy_nd (%y[%row, 0, %lane] [1, 4, 1] [256, 64, 1], %part[] [] [])
            : (memref<64x256xf32>, memref<1x4xf32, 2>)
      }
    }
  }
  return
}
