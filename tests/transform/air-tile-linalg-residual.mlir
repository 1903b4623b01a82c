// A matrix besides the factors takes channels of every core: the sum with it is apart where fewer cores for the product cost more.
// What stands in front of it is still computed with the product.
// RUN: airlite-opt %s --pipeline='air-tile-linalg{products=true herd=4,4 l2-bytes=2097152 l1-bytes=62000 matrix-sums=true}' --remarks 2>&1 | FileCheck %s
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// CHECK: :[[@LINE+5]]:3: remark: [air-tile-linalg] tiled: {{.*}}herd 3x4, {{.*}}with the op after it
func.func @large(%x: memref<512x512xbf16>, %w: memref<512x512xbf16>, %bias: memref<512xf32>, %old: memref<512x512xbf16>, %y: memref<512x512xbf16>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<512x512xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<512x512xf32>)
  linalg.matmul ins(%x, %w : memref<512x512xbf16>, memref<512x512xbf16>) outs(%sums : memref<512x512xf32>)
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : memref<512x512xf32>, memref<512xf32>) outs(%sums : memref<512x512xf32>) {
  ^bb0(%s: f32, %b: f32, %unused: f32):
    %next = arith.addf %s, %b : f32
    linalg.yield %next : f32
  }
  linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %old : memref<512x512xf32>, memref<512x512xbf16>) outs(%y : memref<512x512xbf16>) {
  ^bb0(%s: f32, %o: bf16, %unused: bf16):
    %wide = arith.extf %o : bf16 to f32
    %next = arith.addf %s, %wide : f32
    %narrow = arith.truncf %next : f32 to bf16
    linalg.yield %narrow : bf16
  }
  return
}

// A launch of its own would cost more than it gains.
// CHECK: :[[@LINE+5]]:3: remark: [air-tile-linalg] tiled: {{.*}}with the op after it
func.func @small(%x: memref<64x64xi8>, %w: memref<64x64xi8>, %old: memref<64x64xi32>, %y: memref<64x64xi32>) {
  %zero = arith.constant 0 : i32
  %sums = memref.alloc() : memref<64x64xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<64x64xi32>)
  linalg.matmul ins(%x, %w : memref<64x64xi8>, memref<64x64xi8>) outs(%sums : memref<64x64xi32>)
  linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %old : memref<64x64xi32>, memref<64x64xi32>) outs(%y : memref<64x64xi32>) {
  ^bb0(%s: i32, %o: i32, %unused: i32):
    %next = arith.addi %s, %o : i32
    linalg.yield %next : i32
  }
  return
}
