// RUN: airlite-opt %s --verify-diagnostics --split-input-file

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: memref<4x8xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected the number of indexing_map (1) to be equal to the number of input/output operands (2)}}
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: memref<4x8xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected indexing_map #0 to have 1 dim(s) to match the number of loops}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
func.func @f(%a: memref<4x8xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected operand rank (2) to match the result rank of indexing_map #0 (1)}}
  linalg.generic {indexing_maps = [#r, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: memref<4x8xf32>, %b: memref<4x6xf32>) {
  // expected-error@+1 {{'linalg.generic' op inferred input/output operand #1 has shape's dimension #1 to be 8, but found 6}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x8xf32>) outs(%b : memref<4x6xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %x : f32 }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: memref<4x8xf32>, %b: memref<4x6xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected as many non-induction variable region arguments as the number of input/output operands}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>) { ^bb0(%x: f32): linalg.yield %x : f32 }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: memref<4x8xf32>, %b: memref<4x6xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected type of bb argument #0 ('f64') to match element or self type of the corresponding operand ('f32')}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>) { ^bb0(%x: f64, %y: f32): linalg.yield %y : f32 }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: memref<4x8xf32>, %b: memref<4x6xf32>) {
  // expected-error@+1 {{'linalg.yield' op expected number of yield values (2) to match the number of inits / outs operands of the enclosing LinalgOp (1)}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %y, %x : f32, f32 }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: memref<4x8xf32>, %b: memref<4x6xf32>, %d: f64) {
  // expected-error@+1 {{'linalg.yield' op type of yield operand 1 ('f64') doesn't match the element type of the enclosing linalg.generic op ('f32')}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %d : f64 }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: memref<4x8xf32>, %b: memref<4x6xf32>, %d: f64) {
  // expected-error@+1 {{'linalg.index' op expected dim (2) to be lower than the number of loops (2) of the enclosing LinalgOp}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>) { ^bb0(%x: f32, %y: f32): %i = linalg.index 2 : index linalg.yield %x : f32 }
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'linalg.index' op expected parent op with LinalgOp interface}}
  %i = linalg.index 2 : index
  return
}

// -----

// expected-error@+1 {{'linalg.yield' op expected parent op with LinalgOp interface}}
func.func @f() { linalg.yield }

// -----

#id = affine_map<(d0, d1) -> (d0 + d1)>
func.func @f(%a: memref<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected the shape-to-loops map to be non-null}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4xf32>) outs(%a : memref<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %y : f32 }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %y : f32 }
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op expected type of operand #1 ('tensor<4xf32>') to match type of corresponding result ('tensor<5xf32>')}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %y : f32 } -> tensor<5xf32>
  return
}

// -----

#id = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{unexpected iterator_type (foo)}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["foo"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %y : f32 } -> tensor<4xf32>
  return
}

// -----

#id = affine_map<(d0)[s0] -> (d0)>
func.func @f(%a: tensor<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op unexpected symbols in indexing_map #0}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) { ^bb0(%x: f32, %y: f32): linalg.yield %y : f32 } -> tensor<4xf32>
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<7x16xf32>, %c: memref<4x16xf32>) {
  // expected-error@+1 {{'linalg.matmul' op inferred input/output operand #1 has shape's dimension #0 to be 8, but found 7}}
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<7x16xf32>) outs(%c : memref<4x16xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<8xf32>, %c: memref<4x16xf32>) {
  // expected-error@+1 {{'linalg.matmul' op expected operand rank (1) to match the result rank of indexing_map #1 (2)}}
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8xf32>) outs(%c : memref<4x16xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<8xf32>, %c: memref<4x16xf32>) {
  // expected-error@+1 {{'linalg.matmul' op expected 2 inputs and one output, found 2 operands}}
  linalg.matmul ins(%a : memref<4x8xf32>) outs(%c : memref<4x16xf32>)
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  // expected-error@+1 {{'linalg.matmul' op expected the number of tensor results (0) to be equal to the number of output tensors (1)}}
  linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>)
  return
}

// -----

func.func @f(%a: memref<1x8x8x1xf32>, %b: memref<3x3x1x1xf32>, %c: memref<1x7x7x1xf32>) {
  // expected-error@+1 {{'linalg.conv_2d_nhwc_hwcf' op inferred input/output operand #0 has shape's dimension #1 to be greater than or equal to 9, but found 8}}
  linalg.conv_2d_nhwc_hwcf ins(%a, %b : memref<1x8x8x1xf32>, memref<3x3x1x1xf32>) outs(%c : memref<1x7x7x1xf32>)
  return
}

// -----

func.func @f(%a: memref<1x8x8x1xf32>, %b: memref<3x3x1x1xf32>, %c: memref<1x6x6x1xf32>) {
  // expected-error@+1 {{'linalg.conv_2d_nhwc_hwcf' op attribute 'strides' failed to satisfy constraint: 64-bit signless int elements attribute of shape [2]}}
  linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<1x8x8x1xf32>, memref<3x3x1x1xf32>) outs(%c : memref<1x6x6x1xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<5xf32>) {
  // expected-error@+1 {{'linalg.reduce' op init dimensions [5] doesn't match input dimensions after reduction [4]}}
  linalg.reduce {arith.addf} ins(%a : memref<4x8xf32>) outs(%b : memref<5xf32>) dimensions = [1]
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<4xf32>) {
  // expected-error@+1 {{'linalg.reduce' op dimensions for reduction should be in the range [0, 1]}}
  linalg.reduce {arith.addf} ins(%a : memref<4x8xf32>) outs(%b : memref<4xf32>) dimensions = [2]
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<4xf32>) {
  // expected-error@+1 {{'linalg.reduce' op number of dimensions after reduction 0 doesn't match the init rank 1}}
  linalg.reduce {arith.addf} ins(%a : memref<4x8xf32>) outs(%b : memref<4xf32>) dimensions = [0, 1]
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<4xf32>) {
  // expected-error@+1 {{'linalg.reduce' op attribute 'dimensions' failed to satisfy constraint: i64 dense array attribute should be in increasing order}}
  linalg.reduce {arith.addf} ins(%a : memref<4x8xf32>) outs(%b : memref<4xf32>) dimensions = [1, 0]
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<4xf32>) {
  // expected-error@+1 {{'linalg.reduce' op mismatching number of operands and block arguments}}
  linalg.reduce ins(%a : memref<4x8xf32>) outs(%b : memref<4xf32>) dimensions = [1] (%x: f32) { linalg.yield %x : f32 }
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<4xf32>) {
  // expected-error@+1 {{'linalg.reduce' op output element type 'f32' does not match corresponding block argument type 'f64'}}
  linalg.reduce ins(%a : memref<4x8xf32>) outs(%b : memref<4xf32>) dimensions = [1] (%x: f32, %y: f64) { linalg.yield %x : f32 }
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<4x7xf32>) {
  // expected-error@+1 {{'linalg.map' op expected shape of input (4, 8) to match shape of output (4, 7)}}
  linalg.map {arith.addf} ins(%a, %a : memref<4x8xf32>, memref<4x8xf32>) outs(%b : memref<4x7xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<4x7xf32>) {
  // expected-error@+1 {{'linalg.map' op expects number of operands to match the arity of mapper, but got: 1 and 2}}
  linalg.map ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>) (%x : f32, %y : f32) { linalg.yield %x : f32 }
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<4x7xf32>) {
  // expected-error@+1 {{'linalg.map' op expected element type of input 'f32' to match bbArg type 'f64'}}
  linalg.map ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>) (%x : f64) { linalg.yield %x : f64 }
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<8x4xf32>) {
  // expected-error@+1 {{'linalg.transpose' op dim(result, 0) = 8 doesn't match dim(input, permutation[0]) = 4}}
  linalg.transpose ins(%a : memref<4x8xf32>) outs(%b : memref<8x4xf32>) permutation = [0, 1]
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<8x4xf32>) {
  // expected-error@+1 {{'linalg.transpose' op permutation is not valid}}
  linalg.transpose ins(%a : memref<4x8xf32>) outs(%b : memref<8x4xf32>) permutation = [1, 1]
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<8x4xf32>) {
  // expected-error@+1 {{'linalg.transpose' op permutation is not valid}}
  linalg.transpose ins(%a : memref<4x8xf32>) outs(%b : memref<8x4xf32>) permutation = [1]
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<8xf32>) {
  // expected-error@+1 {{'linalg.transpose' op input rank 2 does not match init rank 1}}
  linalg.transpose ins(%a : memref<4x8xf32>) outs(%b : memref<8xf32>) permutation = [1, 0]
  return
}

// -----

func.func @f(%a: memref<4xf32>, %b: memref<4x8xf32>) {
  // expected-error@+1 {{'linalg.broadcast' op input dim 0 should match init dim 1. input: 4, init: 8}}
  linalg.broadcast ins(%a : memref<4xf32>) outs(%b : memref<4x8xf32>) dimensions = [0]
  return
}

// -----

func.func @f(%a: memref<4xf32>, %b: memref<4x8xf32>) {
  // expected-error@+1 {{'linalg.broadcast' op dimension 0 is out of range. expected range: [0, 1], got: 2}}
  linalg.broadcast ins(%a : memref<4xf32>) outs(%b : memref<4x8xf32>) dimensions = [2]
  return
}

// -----

func.func @f(%a: memref<4xf32>, %b: memref<4x8xf32>) {
  // expected-error@+1 {{'linalg.broadcast' op input rank plus added dimensions does not match init rank. input rank: 1, dimensions size: 0, init rank: 2}}
  linalg.broadcast ins(%a : memref<4xf32>) outs(%b : memref<4x8xf32>) dimensions = []
  return
}

// -----

func.func @f(%a: memref<4x8xf32>) {
  // expected-error@+1 {{'linalg.softmax' op incorrect dimension specified}}
  linalg.softmax dimension(2) ins(%a : memref<4x8xf32>) outs(%a : memref<4x8xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<4x7xf32>) {
  // expected-error@+1 {{'linalg.softmax' op incompatible output shape}}
  linalg.softmax dimension(1) ins(%a : memref<4x8xf32>) outs(%b : memref<4x7xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xi32>) {
  // expected-error@+1 {{'linalg.exp' op expected floating-point elements for 'math.exp', found one of 'i32'}}
  linalg.exp ins(%a : memref<4x8xi32>) outs(%a : memref<4x8xi32>)
  return
}

// -----

func.func @f(%a: memref<4x8xi32>, %b : memref<4x8xf32>) {
  // expected-error@+1 {{'linalg.add' op expected elements of one type, found one of 'f32'}}
  linalg.add ins(%a, %b : memref<4x8xi32>, memref<4x8xf32>) outs(%a : memref<4x8xi32>)
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b : tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{invalid inner_dims_pos vector}}
  %0 = linalg.pack %a inner_dims_pos = [0, 0] inner_tiles = [2, 2] into %b : tensor<4x8xf32> -> tensor<2x4x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b : tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{invalid inner_dims_pos vector}}
  %0 = linalg.pack %a inner_dims_pos = [0, 3] inner_tiles = [2, 2] into %b : tensor<4x8xf32> -> tensor<2x4x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b : tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{invalid outer_dims_perm vector}}
  %0 = linalg.pack %a outer_dims_perm = [0, 0] inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %b : tensor<4x8xf32> -> tensor<2x4x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b : tensor<2x4x2xf32>) {
  // expected-error@+1 {{packed rank must equal unpacked rank + tiling factors}}
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %b : tensor<4x8xf32> -> tensor<2x4x2xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b : tensor<2x3x2x2xf32>) {
  // expected-error@+1 {{the shape of output is not large enough to hold the packed data. Expected at least 'tensor<2x4x2x2xf32>', got 'tensor<2x3x2x2xf32>'}}
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %b : tensor<4x8xf32> -> tensor<2x3x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<4x7xf32>, %b : tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{'linalg.pack' op invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set}}
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %b : tensor<4x7xf32> -> tensor<2x4x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b : tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{invalid zero tile factor}}
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [0, 2] into %b : tensor<4x8xf32> -> tensor<2x4x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b : tensor<2x4x2x2xf32>) {
  // expected-error@+1 {{tiling factors must equal the number of dimensions to tile}}
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2] into %b : tensor<4x8xf32> -> tensor<2x4x2x2xf32>
  return
}

// -----

func.func @f(%a: tensor<4x8xf32>, %b : tensor<2x4x2x2xf32>, %c: i32) {
  // expected-error@+1 {{'linalg.pack' op expected padding_value has 'f32' but got: 'i32'}}
  %0 = linalg.pack %a padding_value(%c : i32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %b : tensor<4x8xf32> -> tensor<2x4x2x2xf32>
  return
}

// -----

func.func @f(%a: memref<4x?xbf16>, %b: memref<?x4xbf16>, %c: memref<4x4xf32>) {
  // expected-error@+1 {{'linalg.matmul' op expected 'air.sum_depth' to be positive, and a last reduction loop of a known size}}
  linalg.matmul {air.sum_depth = 8 : i64} ins(%a, %b : memref<4x?xbf16>, memref<?x4xbf16>) outs(%c : memref<4x4xf32>)
  return
}

// -----

func.func @f(%a: memref<4x12xbf16>, %b: memref<12x4xbf16>, %c: memref<4x4xf32>) {
  // expected-error@+1 {{'linalg.matmul' op expected 'air.sum_depth' to be positive, and a last reduction loop of a known size}}
  linalg.matmul {air.sum_depth = 0 : i64} ins(%a, %b : memref<4x12xbf16>, memref<12x4xbf16>) outs(%c : memref<4x4xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xbf16>, %b: memref<8x4xbf16>, %c: memref<4x4xf32>) {
  // expected-error@+1 {{'linalg.matmul' op has 'air.block_floats', which is for factors of bf16 and 'air.sum_depth' = 8}}
  linalg.matmul {air.block_floats, air.sum_depth = 1 : i64} ins(%a, %b : memref<4x8xbf16>, memref<8x4xbf16>) outs(%c : memref<4x4xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xi8>, %b: memref<8x4xi8>, %c: memref<4x4xi32>) {
  // expected-error@+1 {{'linalg.matmul' op has 'air.sum_depth', which is for sums of products of bf16, or of f32 in pieces}}
  linalg.matmul {air.sum_depth = 8 : i64} ins(%a, %b : memref<4x8xi8>, memref<8x4xi8>) outs(%c : memref<4x4xi32>)
  return
}

// -----

func.func @f(%a: memref<4x8xbf16>, %b: memref<8x4xbf16>, %c: memref<4x4xf32>) {
  // expected-error@+1 {{'linalg.matmul' op expected 'air.bf16_pieces' for factors of f32 and for no others, as array<i64: A, B> with A and B from 1 to 3, and neither (2, 3) nor (3, 2)}}
  linalg.matmul {air.sum_depth = 8 : i64, air.bf16_pieces = array<i64: 3, 3>} ins(%a, %b : memref<4x8xbf16>, memref<8x4xbf16>) outs(%c : memref<4x4xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32>) {
  // expected-error@+1 {{'linalg.matmul' op expected 'air.bf16_pieces' for factors of f32 and for no others, as array<i64: A, B> with A and B from 1 to 3, and neither (2, 3) nor (3, 2)}}
  linalg.matmul {air.sum_depth = 8 : i64} ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  // expected-error@+1 {{requires attribute 'indexing_maps'}}
  linalg.contract ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  // expected-error@+1 {{'linalg.contract' op expected indexing_map #1 to be a projected permutation, found affine_map<(d0, d1, d2) -> (d2 + d1, d1)>}}
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k + n, n)>, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  // expected-error@+1 {{'linalg.contract' op expected 3 indexing maps, found 2}}
  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<6x4xf32>) {
  // expected-error@+1 {{'linalg.matmul' op expected the output map affine_map<(d0, d1, d2) -> (d0, d1)>, found affine_map<(d0, d1, d2) -> (d1, d0)>}}
  linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (n, m)>] ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<6x4xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xf32>) {
  // expected-error@+1 {{'linalg.elementwise' op takes two inputs, but not for 'exp' of 'f32'}}
  linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a, %a : memref<4x8xf32>, memref<4x8xf32>) outs(%a : memref<4x8xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xf32>) {
  // expected-error@+1 {{'linalg.elementwise' op expected 1 to 3 inputs and one output, found 1 operands}}
  linalg.elementwise kind=#linalg.elementwise_kind<exp> outs(%a : memref<4x8xf32>)
  return
}

// -----

func.func @f(%a: memref<4x8xf32>) {
  // expected-error@+1 {{'linalg.elementwise' op expected 1 to 3 inputs and one output, found 5 operands}}
  linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%a, %a, %a, %a : memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>, memref<4x8xf32>) outs(%a : memref<4x8xf32>)
  return
}
