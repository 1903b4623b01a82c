// Linear layers whose rows have several dimensions are one product, also where a broadcast repeats their weights for each batch;
// softmax along the rows of what they make, and an output projection after products of each batch.
// REQUIRES: !sanitize
// RUN: airlite-run %s --function=layer --on=sim --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=heads --on=sim --compare=interp --init=random:2 | FileCheck %s
// RUN: airlite-run %s --function=heads --on=sim --target=npu2 --compare=interp --init=random:3 | FileCheck %s
// RUN: airlite-run %s --function=layer --on=model --stats | FileCheck %s --check-prefix=LAUNCHES
// CHECK: as in the interpreter, bit by bit
// LAUNCHES-COUNT-1: {{^}}{{[0-9]+}} cycles
// LAUNCHES-NOT: {{^}}{{[0-9]+}} cycles

#weights = affine_map<(b, k, n) -> (k, n)>
#all = affine_map<(b, m, n) -> (b, m, n)>
#column = affine_map<(b, m, n) -> (n)>
func.func @layer(%x: tensor<2x40x64xbf16>, %w: tensor<64x32xbf16>, %bias: tensor<32xf32>) -> tensor<2x40x32xf32> {
  %zero = arith.constant 0.0 : f32
  %copies = tensor.empty() : tensor<2x64x32xbf16>
  %repeated = linalg.generic {indexing_maps = [#weights, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<64x32xbf16>) outs(%copies : tensor<2x64x32xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<2x64x32xbf16>
  %empty = tensor.empty() : tensor<2x40x32xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x40x32xf32>) -> tensor<2x40x32xf32>
  %sums = linalg.batch_matmul ins(%x, %repeated : tensor<2x40x64xbf16>, tensor<2x64x32xbf16>)
      outs(%zeros : tensor<2x40x32xf32>) -> tensor<2x40x32xf32>
  %y = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums, %bias : tensor<2x40x32xf32>, tensor<32xf32>) outs(%empty : tensor<2x40x32xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %next = arith.addf %in, %b : f32
    linalg.yield %next : f32
  } -> tensor<2x40x32xf32>
  return %y : tensor<2x40x32xf32>
}

#a = affine_map<(b, m, n, k) -> (b, m, k)>
#w = affine_map<(b, m, n, k) -> (k, n)>
#c = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @heads(%q: memref<3x16x32xi8>, %v: memref<3x32x16xi8>, %w: memref<16x24xi8>, %y: memref<3x16x24xi32>, %p: memref<3x16x16xf32>) {
  %zero = arith.constant 0 : i32
  %sums = memref.alloc() : memref<3x16x16xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<3x16x16xi32>)
  linalg.batch_matmul ins(%q, %v : memref<3x16x32xi8>, memref<3x32x16xi8>) outs(%sums : memref<3x16x16xi32>)
  %narrow = memref.alloc() : memref<3x16x16xi8>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums : memref<3x16x16xi32>) outs(%narrow : memref<3x16x16xi8>) {
  ^bb0(%in: i32, %old: i8):
    %next = arith.trunci %in : i32 to i8
    linalg.yield %next : i8
  }
  linalg.fill ins(%zero : i32) outs(%y : memref<3x16x24xi32>)
  linalg.generic {indexing_maps = [#a, #w, #c], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%narrow, %w : memref<3x16x16xi8>, memref<16x24xi8>) outs(%y : memref<3x16x24xi32>) {
  ^bb0(%a: i8, %b: i8, %sum: i32):
    %l = arith.extsi %a : i8 to i32
    %r = arith.extsi %b : i8 to i32
    %m = arith.muli %l, %r : i32
    %next = arith.addi %sum, %m : i32
    linalg.yield %next : i32
  }
  linalg.softmax dimension(2) ins(%p : memref<3x16x16xf32>) outs(%p : memref<3x16x16xf32>)
  return
}
