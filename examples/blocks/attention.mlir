// One head of attention of 1,024 tokens and 64 numbers each, as linalg text: scores, scale, softmax, values.
#both = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%q: memref<1024x64xbf16>, %k: memref<1024x64xbf16>, %v: memref<1024x64xbf16>, %out: memref<1024x64xbf16>) {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 1.250000000e-01 : f32
  %scores = memref.alloc() : memref<1024x1024xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<1024x1024xf32>)
  linalg.matmul_transpose_b ins(%q, %k : memref<1024x64xbf16>, memref<1024x64xbf16>) outs(%scores : memref<1024x1024xf32>)
  %scaled = memref.alloc() : memref<1024x1024xbf16>
  linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%scores : memref<1024x1024xf32>) outs(%scaled : memref<1024x1024xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %0 = arith.mulf %in, %scale : f32
    %1 = arith.truncf %0 : f32 to bf16
    linalg.yield %1 : bf16
  }
  %p = memref.alloc() : memref<1024x1024xbf16>
  linalg.softmax dimension(1) ins(%scaled : memref<1024x1024xbf16>) outs(%p : memref<1024x1024xbf16>)
  %acc = memref.alloc() : memref<1024x64xf32>
  linalg.fill ins(%zero : f32) outs(%acc : memref<1024x64xf32>)
  linalg.matmul ins(%p, %v : memref<1024x1024xbf16>, memref<1024x64xbf16>) outs(%acc : memref<1024x64xf32>)
  linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%acc : memref<1024x64xf32>) outs(%out : memref<1024x64xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %1 = arith.truncf %in : f32 to bf16
    linalg.yield %1 : bf16
  }
  return
}
