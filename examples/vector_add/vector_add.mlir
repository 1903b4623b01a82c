// c = a + b, 65536 elements, f32: Appendix A of the paper in AIR form.
//
// The appendix walks over the vector in steps of 2048 elements, and two PEs take 1024 each. Here
// the steps are the instances of the launch (they are independent), and the 64 lanes of each PE
// share the 1024: lane l takes the elements l, l + 64, l + 128, ..., so neighbours touch neighbours.

// Copies address the vector as rows of 64 elements, and this is the first row of a PE.
#firstRow = affine_map<(d0, d1) -> (d0 * 32 + d1 * 16)>

func.func @main(%arg0: memref<65536xf32>, %arg1: memref<65536xf32>, %arg2: memref<65536xf32>) {
  %steps = arith.constant 32 : index
  air.launch (%step) in (%nsteps = %steps) args(%l0 = %arg0, %l1 = %arg1, %l2 = %arg2)
      : memref<65536xf32>, memref<65536xf32>, memref<65536xf32> {
    air.segment @eltwise_add args(%at = %step, %s0 = %l0, %s1 = %l1, %s2 = %l2)
        : index, memref<65536xf32>, memref<65536xf32>, memref<65536xf32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd @herd_0 tile (%one, %pe) in (%none = %c1, %npe = %c2)
          args(%chunk = %at, %a = %s0, %b = %s1, %c = %s2)
          : index, memref<65536xf32>, memref<65536xf32>, memref<65536xf32> {
        %c0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h16 = arith.constant 16 : index
        %lane = gpu.lane_id
        %row = affine.apply #firstRow(%chunk, %pe)

        %alloc = memref.alloc() : memref<16xf32, 2>
        %alloc_0 = memref.alloc() : memref<16xf32, 2>
        %alloc_1 = memref.alloc() : memref<16xf32, 2>
        air.dma_memcpy_nd (%alloc[] [] [], %a[%row, %lane] [16, 1] [64, 1])
            : (memref<16xf32, 2>, memref<65536xf32>)
        air.dma_memcpy_nd (%alloc_0[] [] [], %b[%row, %lane] [16, 1] [64, 1])
            : (memref<16xf32, 2>, memref<65536xf32>)
        scf.for %i = %c0 to %h16 step %h1 {
          %x = memref.load %alloc[%i] : memref<16xf32, 2>
          %y = memref.load %alloc_0[%i] : memref<16xf32, 2>
          %sum = arith.addf %x, %y : f32
          memref.store %sum, %alloc_1[%i] : memref<16xf32, 2>
        }
        air.dma_memcpy_nd (%c[%row, %lane] [16, 1] [64, 1], %alloc_1[] [] [])
            : (memref<65536xf32>, memref<16xf32, 2>)
        memref.dealloc %alloc : memref<16xf32, 2>
        memref.dealloc %alloc_0 : memref<16xf32, 2>
        memref.dealloc %alloc_1 : memref<16xf32, 2>
      }
    }
  }
  return
}
