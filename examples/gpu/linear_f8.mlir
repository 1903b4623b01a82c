// A linear layer in eight bits, as models run it on gfx942: each row of x is divided by its greatest value and rounded
// to f8E4M3FNUZ (whose largest number is 240), multiplied with weights of that type on matrix cores, and scaled back.
//
//   airlite-compile examples/gpu/linear_f8.mlir --target=gfx942 -o out --report=kernel     # two kernels
#row_column = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: memref<64x256xbf16>, %w: memref<256x256xf8E4M3FNUZ>, %of_column: memref<256xf32>, %y: memref<64x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %tiny = arith.constant 1.0e-30 : f32
  %greatest = memref.alloc() : memref<64xf32>
  linalg.fill ins(%tiny : f32) outs(%greatest : memref<64xf32>)
  linalg.generic {indexing_maps = [#row_column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x256xbf16>) outs(%greatest : memref<64xf32>) {
  ^bb0(%a: bf16, %most: f32):
    %wide = arith.extf %a : bf16 to f32
    %size = math.absf %wide : f32
    %more = arith.maximumf %size, %most : f32
    linalg.yield %more : f32
  }
  %q = memref.alloc() : memref<64x256xf8E4M3FNUZ>
  linalg.generic {indexing_maps = [#row_column, #row, #row_column], iterator_types = ["parallel", "parallel"]}
      ins(%x, %greatest : memref<64x256xbf16>, memref<64xf32>) outs(%q : memref<64x256xf8E4M3FNUZ>) {
  ^bb0(%a: bf16, %most: f32, %old: f8E4M3FNUZ):
    %largest = arith.constant 240.0 : f32
    %wide = arith.extf %a : bf16 to f32
    %part = arith.divf %wide, %most : f32
    %scaled = arith.mulf %part, %largest : f32
    %narrow = arith.truncf %scaled : f32 to f8E4M3FNUZ
    linalg.yield %narrow : f8E4M3FNUZ
  }
  %sums = memref.alloc() : memref<64x256xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x256xf32>)
  linalg.matmul_transpose_b ins(%q, %w : memref<64x256xf8E4M3FNUZ>, memref<256x256xf8E4M3FNUZ>)
      outs(%sums : memref<64x256xf32>)
  linalg.generic {indexing_maps = [#row_column, #row, #column, #row_column], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %greatest, %of_column : memref<64x256xf32>, memref<64xf32>, memref<256xf32>) outs(%y : memref<64x256xbf16>) {
  ^bb0(%sum: f32, %most: f32, %scale: f32, %old: bf16):
    %step = arith.constant 0.00416666688 : f32
    %of_row = arith.mulf %most, %step : f32
    %both = arith.mulf %of_row, %scale : f32
    %wide = arith.mulf %sum, %both : f32
    %narrow = arith.truncf %wide : f32 to bf16
    linalg.yield %narrow : bf16
  }
  memref.dealloc %sums : memref<64x256xf32>
  memref.dealloc %q : memref<64x256xf8E4M3FNUZ>
  memref.dealloc %greatest : memref<64xf32>
  return
}
