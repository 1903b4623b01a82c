// Softmax over the rows of a 64 x 48 matrix in four steps: the greatest of each row, exp(x - greatest),
// the sum of each row, the quotient. Each step is a launch; the cores share out the rows.

#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @main(%x: memref<64x48xf32>, %out: memref<64x48xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %greatest = memref.alloc() : memref<64xf32>
  linalg.fill ins(%least : f32) outs(%greatest : memref<64xf32>)
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x48xf32>) outs(%greatest : memref<64xf32>) {
  ^bb0(%in: f32, %best: f32):
    %0 = arith.maximumf %in, %best : f32
    linalg.yield %0 : f32
  }
  %exp = memref.alloc() : memref<64x48xf32>
  linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x, %greatest : memref<64x48xf32>, memref<64xf32>) outs(%exp : memref<64x48xf32>) {
  ^bb0(%in: f32, %best: f32, %old: f32):
    %0 = arith.subf %in, %best : f32
    %1 = math.exp %0 : f32
    linalg.yield %1 : f32
  }
  %sum = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<64xf32>)
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : memref<64x48xf32>) outs(%sum : memref<64xf32>) {
  ^bb0(%in: f32, %so_far: f32):
    %0 = arith.addf %in, %so_far : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : memref<64x48xf32>, memref<64xf32>) outs(%out : memref<64x48xf32>) {
  ^bb0(%in: f32, %total: f32, %old: f32):
    %0 = arith.divf %in, %total : f32
    linalg.yield %0 : f32
  }
  memref.dealloc %greatest : memref<64xf32>
  memref.dealloc %exp : memref<64x48xf32>
  memref.dealloc %sum : memref<64xf32>
  return
}
