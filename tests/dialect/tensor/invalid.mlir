// What the verifiers of the tensor ops refuse.
// RUN: airlite-opt %s --allow-unregistered --verify-diagnostics --split-input-file

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{expected mixed offsets rank to match mixed sizes rank (1 vs 2) so the rank of the result type is well-formed}}
  %0 = tensor.extract_slice %t[0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{expected type to be 'tensor<2x2xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.extract_slice %t[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x3xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{expected rank to be smaller or equal to the other rank.}}
  %0 = tensor.extract_slice %t[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2x2xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{expected element type to be 'f32'}}
  %0 = tensor.extract_slice %t[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xi32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %n: index) {
  // expected-error@+1 {{expected type to be 'tensor<2x?xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.extract_slice %t[0, 0] [2, %n] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %s: tensor<3x2xf32>) {
  // expected-error@+1 {{expected type to be 'tensor<2x2xf32>' or a rank-reduced version. (size mismatch)}}
  %0 = tensor.insert_slice %s into %t[0, 0] [2, 2] [1, 1] : tensor<3x2xf32> into tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %n: index) {
  // expected-error@+1 {{'tensor.empty' op incorrect number of dynamic sizes, has 1, expected 0}}
  %0 = tensor.empty(%n) : tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %n: index) {
  // expected-error@+1 {{'tensor.extract' op incorrect number of indices for extract_element}}
  %0 = tensor.extract %t[%n] : tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %n: index, %f: f32) {
  // expected-error@+1 {{'tensor.insert' op incorrect number of indices}}
  %0 = tensor.insert %f into %t[%n] : tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %n: index, %f: f32) {
  // expected-error@+1 {{'tensor.cast' op operand type 'tensor<4x4xf32>' and result type 'tensor<4xf32>' are cast incompatible}}
  %0 = tensor.cast %t : tensor<4x4xf32> to tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be static value of 16}}
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x4xf32> into tensor<15xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{'tensor.collapse_shape' op expected collapsed rank (1) to equal the number of reassociation maps (2).}}
  %0 = tensor.collapse_shape %t [[0], [1]] : tensor<4x4xf32> into tensor<16xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{'tensor.collapse_shape' op expected reassociation map #0 to be valid and contiguous.}}
  %0 = tensor.collapse_shape %t [[1, 0]] : tensor<4x4xf32> into tensor<16xf32>
  return
}

// -----

func.func @f(%t: tensor<4x?xf32>) {
  // expected-error@+1 {{'tensor.collapse_shape' op expected dimension 0 of collapsed type to be dynamic since one or more of the corresponding dimensions in the expanded type is dynamic}}
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x?xf32> into tensor<16xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{'tensor.expand_shape' op invalid output shape provided at pos 2}}
  %0 = tensor.expand_shape %t [[0], [1, 2]] output_shape [4, 2, 3] : tensor<4x4xf32> into tensor<4x2x2xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{'tensor.expand_shape' op expected number of static shape dims to be equal to the output rank (3) but found 2 inputs instead}}
  %0 = tensor.expand_shape %t [[0], [1, 2]] output_shape [4, 2] : tensor<4x4xf32> into tensor<4x2x2xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{'tensor.expand_shape' op expected the expanded type, 'tensor<16xf32>' to have a higher (or same) rank than the collapsed type, 'tensor<4x4xf32>'.}}
  %0 = tensor.expand_shape %t [[0, 1]] output_shape [4] : tensor<4x4xf32> into tensor<16xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %s: tensor<1xindex>) {
  // expected-error@+1 {{'tensor.reshape' op source and destination tensor should have the same number of elements}}
  %0 = tensor.reshape %t(%s) : (tensor<4x4xf32>, tensor<1xindex>) -> tensor<15xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %s: tensor<1xindex>) {
  // expected-error@+1 {{'tensor.reshape' op length of shape operand differs from the result's tensor rank}}
  %0 = tensor.reshape %t(%s) : (tensor<4x4xf32>, tensor<1xindex>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %s: tensor<1xindex>) {
  // expected-error@+1 {{'tensor.reshape' op element types of source and destination tensor types should be the same}}
  %0 = tensor.reshape %t(%s) : (tensor<4x4xf32>, tensor<1xindex>) -> tensor<16xi32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %f: f32) {
  // expected-error@+1 {{specified type 'tensor<5x6xf32>' does not match the inferred type 'tensor<5x7xf32>'}}
  %11 = tensor.pad %t low[0, 1] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<4x4xf32> to tensor<5x6xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %f: f32) {
  // expected-error@+1 {{expected the block to have 2 arguments}}
  %11 = tensor.pad %t low[0, 1] high[1, 2] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<4x4xf32> to tensor<5x7xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %f: f32) {
  // expected-error@+1 {{'tensor.pad' op expected block argument 2 to be an index}}
  %11 = tensor.pad %t low[0, 1] high[1, 2] {
  ^bb0(%i: index, %k: i32):
    tensor.yield %f : f32
  } : tensor<4x4xf32> to tensor<5x7xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %f: i32) {
  // expected-error@+1 {{'tensor.pad' op expected yield type to match shape element type}}
  %11 = tensor.pad %t low[0, 1] high[1, 2] {
  ^bb0(%i: index, %k: index):
    tensor.yield %f : i32
  } : tensor<4x4xf32> to tensor<5x7xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %f: f32) {
  // expected-error@+1 {{failed to infer expectedType from sourceType 'tensor<4x4xf32>', specified resultType is 'tensor<5x7xf32>'}}
  %11 = tensor.pad %t low[0] high[1, 2] {
  ^bb0(%i: index, %k: index):
    tensor.yield %f : f32
  } : tensor<4x4xf32> to tensor<5x7xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %f: f32) {
  // expected-error@+1 {{'tensor.concat' op concatenation dim must be less than the tensor rank}}
  %13 = tensor.concat dim(2) %t, %t : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %f: f32) {
  // expected-error@+1 {{'tensor.concat' op result type 'tensor<4x4xf32>'does not match inferred shape 'tensor<8x4xf32>' static sizes}}
  %13 = tensor.concat dim(0) %t, %t : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %f: tensor<4x5xf32>) {
  // expected-error@+1 {{'tensor.concat' op static concatenation size mismatch along non-concatenated dimension 1}}
  %13 = tensor.concat dim(0) %t, %f : (tensor<4x4xf32>, tensor<4x5xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %f: tensor<4xf32>) {
  // expected-error@+1 {{'tensor.concat' op rank of concatenated inputs must match result rank}}
  %13 = tensor.concat dim(0) %t, %f : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'tensor.concat' op requires at least one input}}
  %13 = tensor.concat dim(0) : () -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %f: tensor<4x4xi32>) {
  // expected-error@+1 {{'tensor.concat' op inputs and result element type must match}}
  %13 = tensor.concat dim(0) %t, %f : (tensor<4x4xf32>, tensor<4x4xi32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @f(%f: f32) {
  // expected-error@+1 {{'tensor.from_elements' op 2 operands present, but expected 3}}
  %13 = tensor.from_elements %f, %f : tensor<3xf32>
  return
}

// -----

func.func @f(%f: f32) {
  // expected-error@+1 {{'tensor.from_elements' op result #0 must be statically shaped tensor of any type values, but got 'tensor<?xf32>'}}
  %13 = tensor.from_elements %f, %f : tensor<?xf32>
  return
}

// -----

func.func @f(%f: f32, %n: index) {
  // expected-error@+1 {{must have as many index operands as dynamic extents in the result type}}
  %15 = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<4xf32>
  return
}

// -----

func.func @f(%f: i32, %n: index) {
  // expected-error@+1 {{'tensor.generate' op body must be terminated with a `yield` operation of the tensor element type}}
  %15 = tensor.generate %n {
  ^bb0(%i: index):
    tensor.yield %f : i32
  } : tensor<?xf32>
  return
}

// -----

func.func @f(%f: f32, %n: index) {
  // expected-error@+1 {{must have one body argument per input dimension}}
  %15 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<?xf32>
  return
}

// -----

func.func @f(%f: f32, %n: index) {
  // expected-error@+1 {{all body arguments must be index}}
  %15 = tensor.generate %n {
  ^bb0(%i: i32):
    tensor.yield %f : f32
  } : tensor<?xf32>
  return
}

// -----

func.func @f(%f: f32, %n: index) {
  %15 = tensor.generate %n {
  ^bb0(%i: index):
    // expected-error@+1 {{custom op 'return' is unknown}}
    return
  } : tensor<?xf32>
  return
}

// -----

func.func @f(%f: f32, %n: index) {
  // expected-error@+1 {{'tensor.splat' op incorrect number of dynamic sizes, has 1, expected 0}}
  %17 = tensor.splat %f[%n] : tensor<2xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %n: index) {
  // expected-error@+1 {{'tensor.bitcast' op operand type 'tensor<4xf32>' and result type 'tensor<5xi32>' are cast incompatible}}
  %17 = tensor.bitcast %t : tensor<4xf32> to tensor<5xi32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %n: index) {
  // expected-error@+1 {{'tensor.bitcast' op operand type 'tensor<4xf32>' and result type 'tensor<4xi16>' are cast incompatible}}
  %17 = tensor.bitcast %t : tensor<4xf32> to tensor<4xi16>
  return
}

// -----

func.func @f(%big: tensor<4x4x4xf32>, %ix: tensor<1x1x2xindex>) {
  // expected-error@+1 {{'tensor.gather' op gather_dims must be non-empty}}
  %18 = tensor.gather %big[%ix] gather_dims([]) unique : (tensor<4x4x4xf32>, tensor<1x1x2xindex>) -> tensor<1x1x1x4x1xf32>
  return
}

// -----

func.func @f(%big: tensor<4x4x4xf32>, %ix: tensor<1x1x2xindex>) {
  // expected-error@+1 {{'tensor.gather' op gather_dims overflow source rank}}
  %18 = tensor.gather %big[%ix] gather_dims([0,1,2,3]) unique : (tensor<4x4x4xf32>, tensor<1x1x2xindex>) -> tensor<1x1x1x4x1xf32>
  return
}

// -----

func.func @f(%big: tensor<4x4x4xf32>, %ix: tensor<1x1x2xindex>) {
  // expected-error@+1 {{'tensor.gather' op gather_dims value must be non-negative}}
  %18 = tensor.gather %big[%ix] gather_dims([-1,1]) unique : (tensor<4x4x4xf32>, tensor<1x1x2xindex>) -> tensor<1x1x1x4x1xf32>
  return
}

// -----

func.func @f(%big: tensor<4x4x4xf32>, %ix: tensor<1x1x2xindex>) {
  // expected-error@+1 {{'tensor.gather' op gather_dims value must be smaller than source rank}}
  %18 = tensor.gather %big[%ix] gather_dims([0,4]) unique : (tensor<4x4x4xf32>, tensor<1x1x2xindex>) -> tensor<1x1x1x4x1xf32>
  return
}

// -----

func.func @f(%big: tensor<4x4x4xf32>, %ix: tensor<1x1x2xindex>) {
  // expected-error@+1 {{'tensor.gather' op gather_dims values must be strictly increasing}}
  %18 = tensor.gather %big[%ix] gather_dims([2,0]) unique : (tensor<4x4x4xf32>, tensor<1x1x2xindex>) -> tensor<1x1x1x4x1xf32>
  return
}

// -----

func.func @f(%big: tensor<4x4x4xf32>, %ix: tensor<1x1x2xindex>) {
  // expected-error@+1 {{'tensor.gather' op result type mismatch: expected 'tensor<1x1x1x4x1xf32>' or its rank-reduced variant 'tensor<1x1x4xf32>' (got: 'tensor<1x1x2x4x1xf32>')}}
  %18 = tensor.gather %big[%ix] gather_dims([0,2]) unique : (tensor<4x4x4xf32>, tensor<1x1x2xindex>) -> tensor<1x1x2x4x1xf32>
  return
}

// -----

func.func @f(%big: tensor<4x4x4xf32>, %ix: tensor<1x1x2xindex>, %s: tensor<1x1x2x4x1xf32>) {
  // expected-error@+1 {{'tensor.scatter' op source type mismatch: expected 'tensor<1x1x1x4x1xf32>' or its rank-reduced variant 'tensor<1x1x4xf32>' (got: 'tensor<1x1x2x4x1xf32>')}}
  %18 = tensor.scatter %s into %big[%ix] scatter_dims([0,2]) unique : (tensor<1x1x2x4x1xf32>, tensor<4x4x4xf32>, tensor<1x1x2xindex>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @f(%big: tensor<4x4x4xf32>, %ix: tensor<1x1x2xindex>, %s: tensor<1x1x1x4x1xf32>) {
  // expected-error@+1 {{'tensor.scatter' op requires 'unique' attribute to be set}}
  %18 = tensor.scatter %s into %big[%ix] scatter_dims([0,2]) : (tensor<1x1x1x4x1xf32>, tensor<4x4x4xf32>, tensor<1x1x2xindex>) -> tensor<4x4x4xf32>
  return
}

// -----

func.func @f(%big: tensor<f32>, %n: index) {
  // expected-error@+1 {{'tensor.dim' op operand #0 must be non-0-ranked or unranked tensor, but got 'tensor<f32>'}}
  %18 = tensor.dim %big, %n : tensor<f32>
  return
}

// -----

func.func @f(%big: tensor<4x4x4xf32>, %s: tensor<1xf32>) {
  // expected-error@+1 {{'tensor.parallel_insert_slice' op expects parent op 'scf.forall.in_parallel'}}
  tensor.parallel_insert_slice %s into %big[0,0,0][1,1,1][1,1,1] : tensor<1xf32> into tensor<4x4x4xf32>
  return
}

// -----

func.func @f(%big: tensor<4x4xf32>, %s: tensor<2xf32>) {
  %0 = scf.forall (%i) in (4) shared_outs(%a = %big) -> tensor<4x4xf32> {
    scf.forall.in_parallel {
      // expected-error@+1 {{expected type to be 'tensor<1x3xf32>' or a rank-reduced version. (size mismatch)}}
      tensor.parallel_insert_slice %s into %a[%i, 0][1, 3][1, 1] : tensor<2xf32> into tensor<4x4xf32>
    }
  }
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %n: index) {
  // expected-error@+1 {{'tensor.extract_slice' op expected 0 dynamic offset values}}
  %0 = "tensor.extract_slice"(%t, %n) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 2>, static_strides = array<i64: 1, 1>}> : (tensor<4x4xf32>, index) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{expected mixed sizes rank to match mixed strides rank (2 vs 1) so the rank of the result type is well-formed}}
  %0 = tensor.extract_slice %t[0, 0] [2, 2] [1] : tensor<4x4xf32> to tensor<2x2xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{expected 2 offset values, found 1}}
  %0 = tensor.extract_slice %t[0] [2] [1] : tensor<4x4xf32> to tensor<2xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{expected offsets to be non-negative, but got -1}}
  %0 = tensor.extract_slice %t[0, -1] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{expected sizes to be non-negative, but got -2}}
  %0 = tensor.extract_slice %t[0, 1] [2, -2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  return
}

// -----

func.func @f(%f: f32, %n: index) {
  // expected-error@+1 {{'tensor.generate' op expected a body that ends with tensor.yield}}
  %0 = "tensor.generate"(%n) ({
  ^bb0(%i: index):
    "test.end"() : () -> ()
  }) : (index) -> tensor<?xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %f: f32, %n: index) {
  // expected-error@+1 {{'tensor.pad' op expected 0 dynamic low values}}
  %0 = "tensor.pad"(%t, %n) <{operandSegmentSizes = array<i32: 1, 1, 0>, static_low = array<i64: 0, 0>, static_high = array<i64: 1, 1>}> ({
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  }) : (tensor<4x4xf32>, index) -> tensor<5x5xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{'tensor.collapse_shape' op expected one element type, found 'f32' and 'i32'}}
  %0 = tensor.collapse_shape %t [[0, 1]] : tensor<4x4xf32> into tensor<16xi32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{'tensor.collapse_shape' op expected reassociation maps to cover 2 dims, found 1}}
  %0 = tensor.collapse_shape %t [[0]] : tensor<4x4xf32> into tensor<4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{'tensor.collapse_shape' op rank 0 tensors can only be extended/collapsed with/from ones}}
  %0 = tensor.collapse_shape %t [] : tensor<4x4xf32> into tensor<f32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %n: index) {
  // expected-error@+1 {{'tensor.expand_shape' op mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has 0 dynamic dims while output_shape has 1 values}}
  %0 = "tensor.expand_shape"(%t, %n) <{reassociation = [[0, 1]], static_output_shape = array<i64: 2, 2>}> : (tensor<4xf32>, index) -> tensor<2x2xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %s: tensor<?xindex>) {
  // expected-error@+1 {{'tensor.reshape' op cannot use shape operand with dynamic length to reshape to statically-ranked tensor type}}
  %0 = tensor.reshape %t(%s) : (tensor<4x4xf32>, tensor<?xindex>) -> tensor<16xf32>
  return
}

// -----

func.func @f(%big: tensor<4x4x4xf32>, %ix: tensor<index>) {
  // expected-error@+1 {{'tensor.gather' op expected indices of at least one dimension}}
  %18 = tensor.gather %big[%ix] gather_dims([0,2]) unique : (tensor<4x4x4xf32>, tensor<index>) -> tensor<1x1x1x4x1xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %f: f32) {
  // expected-error@+1 {{'tensor.yield' op expects parent op to be one of 'tensor.generate, tensor.pad'}}
  tensor.yield %f : f32
}

// -----

func.func @f(%t: tensor<16x15xf32>, %d: tensor<2x4x8x4xf32>) {
  // expected-error@+1 {{'tensor.pack' op invalid tile factor or output size provided. Only full tiles are supported when padding_value is not set}}
  %0 = tensor.pack %t inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %d : tensor<16x15xf32> -> tensor<2x4x8x4xf32>
  return
}

// -----

func.func @f(%t: tensor<16x16xf32>, %d: tensor<2x4x8x4xf32>) {
  // expected-error@+1 {{invalid inner_dims_pos vector}}
  %0 = tensor.unpack %d inner_dims_pos = [0, 2] inner_tiles = [8, 4] into %t : tensor<2x4x8x4xf32> -> tensor<16x16xf32>
  return
}
