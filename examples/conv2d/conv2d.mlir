// A 3 x 3 convolution, f32: 4 channels of 34 x 34 pixels in, 8 channels of 32 x 32 out, stride 1.
//
//   out[f, y, x] = sum over c, dy, dx of in[c, y + dy, x + dx] * weight[f, c, dy, dx]
//
// A workgroup computes 4 rows of all output channels. It loads the 6 rows of the input that they
// need and all weights into L2 (LDS). Each PE (wavefront) takes a row, each lane one pixel and half
// of the output channels. The sum runs over c, dy, dx in this order.

#firstRow = affine_map<(d0) -> (d0 * 4)>
#pixel = affine_map<(d0) -> (d0 mod 32)>
#half = affine_map<(d0) -> ((d0 floordiv 32) * 4)>
#sum = affine_map<(d0, d1) -> (d0 + d1)>

func.func @main(%in: memref<4x34x34xf32>, %weight: memref<8x4x3x3xf32>,
                %out: memref<8x32x32xf32>) {
  %bands = arith.constant 8 : index
  air.launch (%band) in (%nbands = %bands) args(%lin = %in, %lw = %weight, %lout = %out)
      : memref<4x34x34xf32>, memref<8x4x3x3xf32>, memref<8x32x32xf32> {
    air.segment @conv2d args(%b = %band, %sin = %lin, %sw = %lw, %sout = %lout)
        : index, memref<4x34x34xf32>, memref<8x4x3x3xf32>, memref<8x32x32xf32> {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %top = affine.apply #firstRow(%b)
      %rows = memref.alloc() : memref<4x6x34xf32, 1>
      %weights = memref.alloc() : memref<8x4x3x3xf32, 1>
      air.dma_memcpy_nd (%rows[] [] [], %sin[0, %top, 0] [4, 6, 34] [1156, 34, 1])
          : (memref<4x6x34xf32, 1>, memref<4x34x34xf32>)
      air.dma_memcpy_nd (%weights[] [] [], %sw[] [] [])
          : (memref<8x4x3x3xf32, 1>, memref<8x4x3x3xf32>)

      air.herd @row tile (%pe, %one) in (%npe = %c4, %none = %c1)
          args(%first = %top, %image = %rows, %filter = %weights, %result = %sout)
          : index, memref<4x6x34xf32, 1>, memref<8x4x3x3xf32, 1>, memref<8x32x32xf32> {
        %c0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h3 = arith.constant 3 : index
        %h4 = arith.constant 4 : index
        %zero = arith.constant 0.0 : f32
        %lane = gpu.lane_id
        %x = affine.apply #pixel(%lane)
        %f0 = affine.apply #half(%lane)
        %y = affine.apply #sum(%first, %pe)

        // The 3 x 3 neighbourhood of the pixel in all channels, and this lane's filters.
        %window = memref.alloc() : memref<4x3x3xf32, 2>
        %taps = memref.alloc() : memref<4x4x3x3xf32, 2>
        %acc = memref.alloc() : memref<4x1x1xf32, 2>
        air.dma_memcpy_nd (%window[] [] [], %image[0, %pe, %x] [4, 3, 3] [204, 34, 1])
            : (memref<4x3x3xf32, 2>, memref<4x6x34xf32, 1>)
        air.dma_memcpy_nd (%taps[] [] [], %filter[%f0, 0, 0, 0] [4, 4, 3, 3] [36, 9, 3, 1])
            : (memref<4x4x3x3xf32, 2>, memref<8x4x3x3xf32, 1>)

        scf.for %f = %c0 to %h4 step %h1 {
          memref.store %zero, %acc[%f, %c0, %c0] : memref<4x1x1xf32, 2>
          scf.for %c = %c0 to %h4 step %h1 {
            scf.for %dy = %c0 to %h3 step %h1 {
              scf.for %dx = %c0 to %h3 step %h1 {
                %p = memref.load %window[%c, %dy, %dx] : memref<4x3x3xf32, 2>
                %w = memref.load %taps[%f, %c, %dy, %dx] : memref<4x4x3x3xf32, 2>
                %old = memref.load %acc[%f, %c0, %c0] : memref<4x1x1xf32, 2>
                %product = arith.mulf %p, %w : f32
                %new = arith.addf %old, %product : f32
                memref.store %new, %acc[%f, %c0, %c0] : memref<4x1x1xf32, 2>
              }
            }
          }
        }
        air.dma_memcpy_nd (%result[%f0, %y, %x] [4, 1, 1] [1024, 32, 1], %acc[] [] [])
            : (memref<8x32x32xf32>, memref<4x1x1xf32, 2>)
      }
    }
  }
  return
}
