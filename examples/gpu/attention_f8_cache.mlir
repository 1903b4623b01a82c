// Attention of four heads whose keys and values a cache keeps in eight bits, each with a scale: one kernel, in which they
// are widened on their way to LDS.
//
//   airlite-compile examples/gpu/attention_f8_cache.mlir --target=gfx942 -o out --report=kernel
#all = affine_map<(b, m, n) -> (b, m, n)>
func.func @main(%q: memref<4x64x64xbf16>, %k: memref<4x96x64xf8E4M3FNUZ>, %v: memref<4x96x64xf8E4M3FNUZ>, %of_keys: f32, %of_values: f32, %o: memref<4x64x64xbf16>) {
  %zero = arith.constant 0.0 : f32
  %root = arith.constant 0.125 : f32
  %scale = arith.mulf %root, %of_keys : f32
  %s = memref.alloc() : memref<4x64x96xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<4x64x96xf32>)
  linalg.batch_matmul_transpose_b ins(%q, %k : memref<4x64x64xbf16>, memref<4x96x64xf8E4M3FNUZ>) outs(%s : memref<4x64x96xf32>)
  linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel", "parallel"]} outs(%s : memref<4x64x96xf32>) {
  ^bb0(%x: f32):
    %y = arith.mulf %x, %scale : f32
    linalg.yield %y : f32
  }
  linalg.softmax dimension(2) ins(%s : memref<4x64x96xf32>) outs(%s : memref<4x64x96xf32>)
  %p = memref.alloc() : memref<4x64x96xbf16>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : memref<4x64x96xf32>) outs(%p : memref<4x64x96xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %w = arith.truncf %x : f32 to bf16
    linalg.yield %w : bf16
  }
  %r = memref.alloc() : memref<4x64x64xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<4x64x64xf32>)
  linalg.batch_matmul ins(%p, %v : memref<4x64x96xbf16>, memref<4x96x64xf8E4M3FNUZ>) outs(%r : memref<4x64x64xf32>)
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r : memref<4x64x64xf32>) outs(%o : memref<4x64x64xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %z = arith.mulf %x, %of_values : f32
    %w = arith.truncf %z : f32 to bf16
    linalg.yield %w : bf16
  }
  memref.dealloc %s : memref<4x64x96xf32>
  memref.dealloc %p : memref<4x64x96xbf16>
  memref.dealloc %r : memref<4x64x64xf32>
  return
}
