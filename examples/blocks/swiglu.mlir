// A SwiGLU layer as in LLaMA: out = (silu(x w1) * (x w3)) w2, for 256 tokens, 256 numbers each and 512 inside.
#both = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: memref<256x256xbf16>, %w1: memref<256x512xbf16>, %w3: memref<256x512xbf16>, %w2: memref<512x256xbf16>, %out: memref<256x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %gate = memref.alloc() : memref<256x512xf32>
  linalg.fill ins(%zero : f32) outs(%gate : memref<256x512xf32>)
  linalg.matmul ins(%x, %w1 : memref<256x256xbf16>, memref<256x512xbf16>) outs(%gate : memref<256x512xf32>)
  %up = memref.alloc() : memref<256x512xf32>
  linalg.fill ins(%zero : f32) outs(%up : memref<256x512xf32>)
  linalg.matmul ins(%x, %w3 : memref<256x256xbf16>, memref<256x512xbf16>) outs(%up : memref<256x512xf32>)
  %hid = memref.alloc() : memref<256x512xbf16>
  linalg.generic {indexing_maps = [#both, #both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%gate, %up : memref<256x512xf32>, memref<256x512xf32>) outs(%hid : memref<256x512xbf16>) {
  ^bb0(%g: f32, %u: f32, %old: bf16):
    %neg = arith.negf %g : f32
    %e = math.exp %neg : f32
    %den = arith.addf %e, %one : f32
    %s = arith.divf %g, %den : f32
    %m = arith.mulf %s, %u : f32
    %r = arith.truncf %m : f32 to bf16
    linalg.yield %r : bf16
  }
  %acc = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%acc : memref<256x256xf32>)
  linalg.matmul ins(%hid, %w2 : memref<256x512xbf16>, memref<512x256xbf16>) outs(%acc : memref<256x256xf32>)
  linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%acc : memref<256x256xf32>) outs(%out : memref<256x256xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %1 = arith.truncf %in : f32 to bf16
    linalg.yield %1 : bf16
  }
  return
}
