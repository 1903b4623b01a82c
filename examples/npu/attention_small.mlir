// One head of attention: out = softmax(Q * K^T / sqrt(16)) * V, 32 tokens, 16 numbers each.

#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @main(%q: memref<32x16xf32>, %k: memref<32x16xf32>, %v: memref<32x16xf32>,
                %out: memref<32x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %scores = memref.alloc() : memref<32x32xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<32x32xf32>)
  linalg.matmul_transpose_b ins(%q, %k : memref<32x16xf32>, memref<32x16xf32>)
      outs(%scores : memref<32x32xf32>)

  // Softmax of each row.
  %greatest = memref.alloc() : memref<32xf32>
  linalg.fill ins(%least : f32) outs(%greatest : memref<32xf32>)
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%scores : memref<32x32xf32>) outs(%greatest : memref<32xf32>) {
  ^bb0(%in: f32, %best: f32):
    %0 = arith.maximumf %in, %best : f32
    linalg.yield %0 : f32
  }
  %weights = memref.alloc() : memref<32x32xf32>
  linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]}
      ins(%scores, %greatest : memref<32x32xf32>, memref<32xf32>)
      outs(%weights : memref<32x32xf32>) {
  ^bb0(%in: f32, %best: f32, %old: f32):
    %scale = arith.constant 2.500000000e-01 : f32
    %0 = arith.subf %in, %best : f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  }
  %sum = memref.alloc() : memref<32xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<32xf32>)
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%weights : memref<32x32xf32>) outs(%sum : memref<32xf32>) {
  ^bb0(%in: f32, %so_far: f32):
    %0 = arith.addf %in, %so_far : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#row, #both], iterator_types = ["parallel", "parallel"]}
      ins(%sum : memref<32xf32>) outs(%weights : memref<32x32xf32>) {
  ^bb0(%total: f32, %in: f32):
    %0 = arith.divf %in, %total : f32
    linalg.yield %0 : f32
  }

  linalg.fill ins(%zero : f32) outs(%out : memref<32x16xf32>)
  linalg.matmul ins(%weights, %v : memref<32x32xf32>, memref<32x16xf32>)
      outs(%out : memref<32x16xf32>)
  memref.dealloc %scores : memref<32x32xf32>
  memref.dealloc %greatest : memref<32xf32>
  memref.dealloc %weights : memref<32x32xf32>
  memref.dealloc %sum : memref<32xf32>
  return
}
