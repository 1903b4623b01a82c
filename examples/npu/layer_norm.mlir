// Layer norm over the rows of a 32 x 64 matrix: out = (x - mean) / sqrt(variance + 1e-5) * gamma + beta.

#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

func.func @main(%x: memref<32x64xf32>, %gamma: memref<64xf32>, %beta: memref<64xf32>,
                %out: memref<32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = memref.alloc() : memref<32xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32>)
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<32x64xf32>) outs(%sum : memref<32xf32>) {
  ^bb0(%in: f32, %so_far: f32):
    %0 = arith.addf %in, %so_far : f32
    linalg.yield %0 : f32
  }
  %squares = memref.alloc() : memref<32xf32>
  linalg.fill ins(%zero : f32) outs(%squares : memref<32xf32>)
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %sum : memref<32x64xf32>, memref<32xf32>) outs(%squares : memref<32xf32>) {
  ^bb0(%in: f32, %total: f32, %so_far: f32):
    %share = arith.constant 0.015625 : f32
    %mean = arith.mulf %total, %share : f32
    %distance = arith.subf %in, %mean : f32
    %square = arith.mulf %distance, %distance : f32
    %0 = arith.addf %square, %so_far : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#both, #row, #row, #column, #column, #both],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum, %squares, %gamma, %beta
          : memref<32x64xf32>, memref<32xf32>, memref<32xf32>, memref<64xf32>, memref<64xf32>)
      outs(%out : memref<32x64xf32>) {
  ^bb0(%in: f32, %total: f32, %square: f32, %scale: f32, %shift: f32, %old: f32):
    %share = arith.constant 0.015625 : f32
    %epsilon = arith.constant 1.0e-5 : f32
    %mean = arith.mulf %total, %share : f32
    %variance = arith.mulf %square, %share : f32
    %distance = arith.subf %in, %mean : f32
    %safe = arith.addf %variance, %epsilon : f32
    %deviation = math.sqrt %safe : f32
    %normal = arith.divf %distance, %deviation : f32
    %scaled = arith.mulf %normal, %scale : f32
    %0 = arith.addf %scaled, %shift : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %sum : memref<32xf32>
  memref.dealloc %squares : memref<32xf32>
  return
}
