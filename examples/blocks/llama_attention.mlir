// The attention block of LLaMA 2 as the MLIR-AIR paper has it: 256 tokens, 6 heads of 48. Projections, rotary position
// encoding (pairs of numbers 24 apart), scores, softmax, and the values they weigh; bf16 with sums in f32.
#m2 = affine_map<(d0, d1) -> (d0, d1)>
#m3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#angle = affine_map<(d0, d1, d2) -> (d0, d2)>
#heads_q = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
#heads_k = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
#scores = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#weights = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#values = affine_map<(d0, d1, d2, d3) -> (d3, d0, d2)>
#out = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>
func.func @main(%x: memref<256x288xbf16>, %wq: memref<288x288xbf16>, %wk: memref<288x288xbf16>, %wv: memref<288x288xbf16>,
                %cos: memref<256x24xf32>, %sin: memref<256x24xf32>, %out: memref<256x6x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 1.443375673e-01 : f32
  %q_sums = memref.alloc() : memref<256x288xf32>
  linalg.fill ins(%zero : f32) outs(%q_sums : memref<256x288xf32>)
  linalg.matmul ins(%x, %wq : memref<256x288xbf16>, memref<288x288xbf16>) outs(%q_sums : memref<256x288xf32>)
  %k_sums = memref.alloc() : memref<256x288xf32>
  linalg.fill ins(%zero : f32) outs(%k_sums : memref<256x288xf32>)
  linalg.matmul ins(%x, %wk : memref<256x288xbf16>, memref<288x288xbf16>) outs(%k_sums : memref<256x288xf32>)
  %v_sums = memref.alloc() : memref<256x288xf32>
  linalg.fill ins(%zero : f32) outs(%v_sums : memref<256x288xf32>)
  linalg.matmul ins(%x, %wv : memref<256x288xbf16>, memref<288x288xbf16>) outs(%v_sums : memref<256x288xf32>)
  %q = memref.alloc() : memref<256x6x48xbf16>
  %q_rows = memref.expand_shape %q_sums [[0], [1, 2]] output_shape [256, 6, 48] : memref<256x288xf32> into memref<256x6x48xf32>
  %q_rows_low = memref.subview %q_rows[0, 0, 0] [256, 6, 24] [1, 1, 1] : memref<256x6x48xf32> to memref<256x6x24xf32, strided<[288, 48, 1]>>
  %q_rows_high = memref.subview %q_rows[0, 0, 24] [256, 6, 24] [1, 1, 1] : memref<256x6x48xf32> to memref<256x6x24xf32, strided<[288, 48, 1], offset: 24>>
  %q_low = memref.subview %q[0, 0, 0] [256, 6, 24] [1, 1, 1] : memref<256x6x48xbf16> to memref<256x6x24xbf16, strided<[288, 48, 1]>>
  %q_high = memref.subview %q[0, 0, 24] [256, 6, 24] [1, 1, 1] : memref<256x6x48xbf16> to memref<256x6x24xbf16, strided<[288, 48, 1], offset: 24>>
  linalg.generic {indexing_maps = [#m3, #m3, #angle, #angle, #m3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q_rows_low, %q_rows_high, %cos, %sin : memref<256x6x24xf32, strided<[288, 48, 1]>>, memref<256x6x24xf32, strided<[288, 48, 1], offset: 24>>, memref<256x24xf32>, memref<256x24xf32>)
      outs(%q_low : memref<256x6x24xbf16, strided<[288, 48, 1]>>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %s: f32, %old: bf16):
    %ac = arith.mulf %a, %c : f32
    %bs = arith.mulf %b, %s : f32
    %sum = arith.subf %ac, %bs : f32
    %r = arith.truncf %sum : f32 to bf16
    linalg.yield %r : bf16
  }
  linalg.generic {indexing_maps = [#m3, #m3, #angle, #angle, #m3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q_rows_high, %q_rows_low, %cos, %sin : memref<256x6x24xf32, strided<[288, 48, 1], offset: 24>>, memref<256x6x24xf32, strided<[288, 48, 1]>>, memref<256x24xf32>, memref<256x24xf32>)
      outs(%q_high : memref<256x6x24xbf16, strided<[288, 48, 1], offset: 24>>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %s: f32, %old: bf16):
    %ac = arith.mulf %a, %c : f32
    %bs = arith.mulf %b, %s : f32
    %sum = arith.addf %ac, %bs : f32
    %r = arith.truncf %sum : f32 to bf16
    linalg.yield %r : bf16
  }
  %k = memref.alloc() : memref<256x6x48xbf16>
  %k_rows = memref.expand_shape %k_sums [[0], [1, 2]] output_shape [256, 6, 48] : memref<256x288xf32> into memref<256x6x48xf32>
  %k_rows_low = memref.subview %k_rows[0, 0, 0] [256, 6, 24] [1, 1, 1] : memref<256x6x48xf32> to memref<256x6x24xf32, strided<[288, 48, 1]>>
  %k_rows_high = memref.subview %k_rows[0, 0, 24] [256, 6, 24] [1, 1, 1] : memref<256x6x48xf32> to memref<256x6x24xf32, strided<[288, 48, 1], offset: 24>>
  %k_low = memref.subview %k[0, 0, 0] [256, 6, 24] [1, 1, 1] : memref<256x6x48xbf16> to memref<256x6x24xbf16, strided<[288, 48, 1]>>
  %k_high = memref.subview %k[0, 0, 24] [256, 6, 24] [1, 1, 1] : memref<256x6x48xbf16> to memref<256x6x24xbf16, strided<[288, 48, 1], offset: 24>>
  linalg.generic {indexing_maps = [#m3, #m3, #angle, #angle, #m3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k_rows_low, %k_rows_high, %cos, %sin : memref<256x6x24xf32, strided<[288, 48, 1]>>, memref<256x6x24xf32, strided<[288, 48, 1], offset: 24>>, memref<256x24xf32>, memref<256x24xf32>)
      outs(%k_low : memref<256x6x24xbf16, strided<[288, 48, 1]>>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %s: f32, %old: bf16):
    %ac = arith.mulf %a, %c : f32
    %bs = arith.mulf %b, %s : f32
    %sum = arith.subf %ac, %bs : f32
    %r = arith.truncf %sum : f32 to bf16
    linalg.yield %r : bf16
  }
  linalg.generic {indexing_maps = [#m3, #m3, #angle, #angle, #m3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k_rows_high, %k_rows_low, %cos, %sin : memref<256x6x24xf32, strided<[288, 48, 1], offset: 24>>, memref<256x6x24xf32, strided<[288, 48, 1]>>, memref<256x24xf32>, memref<256x24xf32>)
      outs(%k_high : memref<256x6x24xbf16, strided<[288, 48, 1], offset: 24>>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %s: f32, %old: bf16):
    %ac = arith.mulf %a, %c : f32
    %bs = arith.mulf %b, %s : f32
    %sum = arith.addf %ac, %bs : f32
    %r = arith.truncf %sum : f32 to bf16
    linalg.yield %r : bf16
  }
  %v2 = memref.alloc() : memref<256x288xbf16>
  linalg.generic {indexing_maps = [#m2, #m2], iterator_types = ["parallel", "parallel"]}
      ins(%v_sums : memref<256x288xf32>) outs(%v2 : memref<256x288xbf16>) {
  ^bb0(%a: f32, %old: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  }
  %v = memref.expand_shape %v2 [[0], [1, 2]] output_shape [256, 6, 48] : memref<256x288xbf16> into memref<256x6x48xbf16>
  %scores = memref.alloc() : memref<6x256x256xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<6x256x256xf32>)
  linalg.generic {indexing_maps = [#heads_q, #heads_k, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : memref<256x6x48xbf16>, memref<256x6x48xbf16>) outs(%scores : memref<6x256x256xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %wa = arith.extf %a : bf16 to f32
    %wb = arith.extf %b : bf16 to f32
    %ab = arith.mulf %wa, %wb : f32
    %next = arith.addf %sum, %ab : f32
    linalg.yield %next : f32
  }
  %scaled = memref.alloc() : memref<6x256x256xbf16>
  linalg.generic {indexing_maps = [#m3, #m3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores : memref<6x256x256xf32>) outs(%scaled : memref<6x256x256xbf16>) {
  ^bb0(%a: f32, %old: bf16):
    %0 = arith.mulf %a, %scale : f32
    %r = arith.truncf %0 : f32 to bf16
    linalg.yield %r : bf16
  }
  %p = memref.alloc() : memref<6x256x256xbf16>
  linalg.softmax dimension(2) ins(%scaled : memref<6x256x256xbf16>) outs(%p : memref<6x256x256xbf16>)
  linalg.fill ins(%zero : f32) outs(%out : memref<256x6x48xf32>)
  linalg.generic {indexing_maps = [#weights, #values, #out], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%p, %v : memref<6x256x256xbf16>, memref<256x6x48xbf16>) outs(%out : memref<256x6x48xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %wa = arith.extf %a : bf16 to f32
    %wb = arith.extf %b : bf16 to f32
    %ab = arith.mulf %wa, %wb : f32
    %next = arith.addf %sum, %ab : f32
    linalg.yield %next : f32
  }
  return
}
