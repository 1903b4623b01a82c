// RUN: airlite-opt %s --verify-diagnostics --split-input-file

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{'vector.load' op requires 2 indices}}
  %0 = vector.load %m[%i] : memref<8x16xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index) {
  // expected-error@+1 {{'vector.load' op base and result element types should match}}
  %0 = vector.load %m[%i, %i] : memref<8x16xf32>, vector<8xf64>
  return
}

// -----

func.func @f(%m: memref<8x16xf32, strided<[16, 2]>>, %i: index) {
  // expected-error@+1 {{'vector.load' op most minor memref dim must have unit stride}}
  %0 = vector.load %m[%i, %i] : memref<8x16xf32, strided<[16, 2]>>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %v: vector<8xf64>) {
  // expected-error@+1 {{'vector.store' op base and valueToStore element type should match}}
  vector.store %v, %m[%i, %i] : memref<8x16xf32>, vector<8xf64>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires 2 indices}}
  %0 = vector.transfer_read %m[%i], %f : memref<8x16xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op expects the in_bounds attr of same rank as permutation_map results: affine_map<(d0, d1) -> (d1)> vs inBounds of size: 2}}
  %0 = vector.transfer_read %m[%i, %i], %f {in_bounds = [true, true]} : memref<8x16xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires broadcast dimensions to be in-bounds}}
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (0)>} : memref<8x16xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires a projected permutation_map (at most one dim or the zero constant can appear in each result)}}
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0 + d1)>} : memref<8x16xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires a permutation_map that is a permutation (found one dim used more than once)}}
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : memref<8x16xf32>, vector<8x8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires a permutation_map with input dims of the same rank as the source type}}
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0) -> (d0)>} : memref<8x16xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires a permutation_map with result dims of the same rank as the vector type}}
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0, d1)>} : memref<8x16xf32>, vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.transfer_read' op requires formal padding and source of the same elemental type}}
  %0 = "vector.transfer_read"(%m, %i, %i, %i) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d1)>}> : (memref<8x16xf32>, index, index, index) -> vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: vector<8xf32>) {
  // expected-error@+1 {{'vector.transfer_write' op should not have broadcast dimensions}}
  vector.transfer_write %f, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (0)>, in_bounds = [true]} : vector<8xf32>, memref<8x16xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: f32) {
  // expected-error@+1 {{'vector.broadcast' op failed to verify that source operand and result have same element type}}
  %0 = vector.broadcast %f : f32 to vector<8xf64>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: vector<4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op dimension mismatch (4 vs. 8)}}
  %0 = vector.broadcast %f : vector<4xf32> to vector<8xf32>
  return
}

// -----

func.func @f(%m: memref<8x16xf32>, %i: index, %f: vector<4x4xf32>) {
  // expected-error@+1 {{'vector.broadcast' op source rank higher than destination rank}}
  %0 = vector.broadcast %f : vector<4x4xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%f: vector<4x4xf32>) {
  // expected-error@+1 {{'vector.extract' op expected position attribute #1 to be a non-negative integer smaller than the corresponding vector dimension}}
  %0 = vector.extract %f[4] : vector<4xf32> from vector<4x4xf32>
  return
}

// -----

func.func @f(%f: vector<4x4xf32>) {
  // expected-error@+1 {{'vector.extract' op expected position attribute of rank no greater than vector rank}}
  %0 = vector.extract %f[0, 0, 0] : f32 from vector<4x4xf32>
  return
}

// -----

func.func @f(%f: vector<4x4xf32>) {
  // expected-error@+1 {{'vector.extract' op inferred type(s) 'vector<4xf32>' are incompatible with return type(s) of operation 'vector<3xf32>'}}
  %0 = vector.extract %f[0] : vector<3xf32> from vector<4x4xf32>
  return
}

// -----

func.func @f(%f: vector<4x4xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.insert' op expected position attribute #1 to be a non-negative integer smaller than the corresponding dest vector dimension}}
  %0 = vector.insert %g, %f[5] : vector<4xf32> into vector<4x4xf32>
  return
}

// -----

func.func @f(%f: vector<4x4xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.insert' op expected position attribute rank + source rank to match dest vector rank}}
  %0 = vector.insert %g, %f[1, 1] : vector<4xf32> into vector<4x4xf32>
  return
}

// -----

func.func @f(%f: vector<4x4xf32>, %g: vector<3xf32>) {
  // expected-error@+1 {{'vector.insert' op expected a source of type 'vector<4xf32>', found 'vector<3xf32>'}}
  %0 = vector.insert %g, %f[1] : vector<3xf32> into vector<4x4xf32>
  return
}

// -----

func.func @f(%f: vector<4x4xf32>, %g: f32) {
  // expected-error@+1 {{'vector.insert' op expected position attribute rank to match the dest vector rank}}
  %0 = vector.insert %g, %f[1] : f32 into vector<4x4xf32>
  return
}

// -----

func.func @f(%f: vector<4xf32>) {
  // expected-error@+1 {{'vector.extractelement' op expected position for 1-D vector}}
  %0 = vector.extractelement %f[] : vector<4xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected offsets dimension 0 to be confined to [0, 4)}}
  %0 = vector.extract_strided_slice %f {offsets = [4], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected sum(offsets, sizes) dimension 0 to be confined to [1, 5)}}
  %0 = vector.extract_strided_slice %f {offsets = [3], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected strides to be confined to [1, 2)}}
  %0 = vector.extract_strided_slice %f {offsets = [0], sizes = [2], strides = [2]} : vector<4x8xf32> to vector<2x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected result type to be 'vector<2x8xf32>'}}
  %0 = vector.extract_strided_slice %f {offsets = [0], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<3x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected offsets, sizes and strides attributes of same size}}
  %0 = vector.extract_strided_slice %f {offsets = [0], sizes = [2, 2], strides = [1]} : vector<4x8xf32> to vector<3x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.extract_strided_slice' op expected offsets attribute of rank no greater than vector rank}}
  %0 = vector.extract_strided_slice %f {offsets = [0, 0, 0], sizes = [2, 2, 2], strides = [1, 1, 1]} : vector<4x8xf32> to vector<3x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<2x8xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected offsets of same size as destination vector rank}}
  %0 = vector.insert_strided_slice %g, %f {offsets = [0], strides = [1, 1]} : vector<2x8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<2x8xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected sum(offsets, source vector shape) dimension 0 to be confined to [1, 5)}}
  %0 = vector.insert_strided_slice %g, %f {offsets = [3, 0], strides = [1, 1]} : vector<2x8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<2x8xf32>) {
  // expected-error@+1 {{'vector.insert_strided_slice' op expected strides of same size as source vector rank}}
  %0 = vector.insert_strided_slice %g, %f {offsets = [0, 0], strides = [1]} : vector<2x8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.outerproduct' op expected 1-d vector for operand #2}}
  %0 = vector.outerproduct %g, %f : vector<4xf32>, vector<4x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.reduction' op unsupported reduction rank: 2}}
  %0 = vector.reduction <add>, %f : vector<4x8xf32> into f32
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.reduction' op unsupported reduction type 'f32' for kind 'and'}}
  %0 = vector.reduction <and>, %g : vector<4xf32> into f32
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.reduction' op failed to verify that source operand and result have same element type}}
  %0 = vector.reduction <add>, %g : vector<4xf32> into f64
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.multi_reduction' op destination type 'vector<4xf32>' is incompatible with source type 'vector<4x8xf32>'}}
  %0 = vector.multi_reduction <add>, %f, %g [0] : vector<4x8xf32> to vector<4xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.shape_cast' op source/result number of elements must match}}
  %0 = vector.shape_cast %f : vector<4x8xf32> to vector<31xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.shape_cast' op source/result vectors must have same element type}}
  %0 = vector.shape_cast %f : vector<4x8xf32> to vector<32xi32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.bitcast' op source/result bitwidth of the minor 1-D vectors must be equal}}
  %0 = vector.bitcast %f : vector<4x8xf32> to vector<4x8xi16>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.bitcast' op dimension size mismatch at: 0}}
  %0 = vector.bitcast %f : vector<4x8xf32> to vector<8x8xi16>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.transpose' op duplicate position index: 1}}
  %0 = vector.transpose %f, [1, 1] : vector<4x8xf32> to vector<8x4xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.transpose' op dimension size mismatch at: 1}}
  %0 = vector.transpose %f, [1, 0] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.transpose' op transposition length mismatch: 1}}
  %0 = vector.transpose %f, [1] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.transpose' op dimension size mismatch at: 1}}
  %0 = vector.transpose %f, [1, 2] : vector<4x8xf32> to vector<4x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.shuffle' op mask index #2 out of range}}
  %0 = vector.shuffle %g, %g [0, 8] : vector<4xf32>, vector<4xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.shuffle' op rank mismatch}}
  %0 = vector.shuffle %g, %f [0, 1] : vector<4xf32>, vector<4x8xf32>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.constant_mask' op array attr of size out of bounds of vector result dimension size}}
  %0 = vector.constant_mask [5] : vector<4xi1>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.constant_mask' op must specify array attr of size equal vector result rank}}
  %0 = vector.constant_mask [2, 2] : vector<4xi1>
  return
}

// -----

func.func @f(%f: vector<4x8xf32>, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.constant_mask' op expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim}}
  %0 = vector.constant_mask [2, 0] : vector<4x4xi1>
  return
}

// -----

func.func @f(%f: index, %g: vector<4xf32>) {
  // expected-error@+1 {{'vector.create_mask' op must specify an operand for each result vector dimension}}
  %0 = vector.create_mask %f : vector<4x4xi1>
  return
}

// -----

func.func @f(%m: memref<16xf32>, %f: index, %g: vector<4xf32>, %k: vector<5xi1>) {
  // expected-error@+1 {{'vector.maskedload' op expected result dim to match mask dim}}
  %0 = vector.maskedload %m[%f], %k, %g : memref<16xf32>, vector<5xi1>, vector<4xf32> into vector<4xf32>
  return
}

// -----

func.func @f(%m: memref<16xf32>, %f: index, %g: vector<4xf64>, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.maskedload' op base and result element type should match}}
  %0 = vector.maskedload %m[%f], %k, %g : memref<16xf32>, vector<4xi1>, vector<4xf64> into vector<4xf64>
  return
}

// -----

func.func @f(%m: memref<16xf32>, %f: index, %g: vector<4xf32>, %k: vector<4xi1>) {
  // expected-error@+1 {{'vector.maskedstore' op requires 1 indices}}
  vector.maskedstore %m[%f, %f], %k, %g : memref<16xf32>, vector<4xi1>, vector<4xf32>
  return
}

// -----

func.func @f(%A: vector<4x4xf32>, %v2: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.contract' op expected an indexing map for each vector operand}}
  %c = vector.contract {indexing_maps = [affine_map<(d0,d1,d2) -> (d0, d2)>, affine_map<(d0,d1,d2) -> (d2, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %A, %v2, %v2 : vector<4x4xf32>, vector<4x8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%A: vector<4x4xf32>, %v2: vector<5x8xf32>, %v3: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.contract' op invalid contracting dimension map}}
  %c = vector.contract {indexing_maps = [affine_map<(d0,d1,d2) -> (d0, d2)>, affine_map<(d0,d1,d2) -> (d2, d1)>, affine_map<(d0,d1,d2)->(d0,d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %A, %v2, %v3 : vector<4x4xf32>, vector<5x8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%A: vector<4x4xf32>, %v2: vector<4x8xf32>, %v3: vector<4x7xf32>) {
  // expected-error@+1 {{'vector.contract' op invalid accumulator/result vector shape, expected: 'vector<4x8xf32>'}}
  %c = vector.contract {indexing_maps = [affine_map<(d0,d1,d2) -> (d0, d2)>, affine_map<(d0,d1,d2) -> (d2, d1)>, affine_map<(d0,d1,d2)->(d0,d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %A, %v2, %v3 : vector<4x4xf32>, vector<4x8xf32> into vector<4x7xf32>
  return
}

// -----

func.func @f(%A: vector<4x4xf32>, %v2: vector<4x8xf32>, %v3: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.contract' op expected indexing map 0 to have 2 number of inputs}}
  %c = vector.contract {indexing_maps = [affine_map<(d0,d1,d2) -> (d0, d2)>, affine_map<(d0,d1,d2) -> (d2, d1)>, affine_map<(d0,d1,d2)->(d0,d1)>], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %A, %v2, %v3 : vector<4x4xf32>, vector<4x8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%A: vector<4x4xf32>, %v2: vector<4x8xf32>, %v3: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.contract' op unsupported contraction type}}
  %c = vector.contract {indexing_maps = [affine_map<(d0,d1,d2) -> (d0, d2)>, affine_map<(d0,d1,d2) -> (d2, d1)>, affine_map<(d0,d1,d2)->(d0,d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<and>} %A, %v2, %v3 : vector<4x4xf32>, vector<4x8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%A: vector<4x4xf32>, %v2: vector<4x8xf32>, %v3: vector<4x8xf32>) {
  // expected-error@+1 {{'vector.contract' op expected indexing map 2 to have 2 number of outputs}}
  %c = vector.contract {indexing_maps = [affine_map<(d0,d1,d2) -> (d0, d2)>, affine_map<(d0,d1,d2) -> (d2, d1)>, affine_map<(d0,d1,d2)->(d0)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %A, %v2, %v3 : vector<4x4xf32>, vector<4x8xf32> into vector<4x8xf32>
  return
}

// -----

func.func @f(%a: vector<4x12xbf16>, %b: vector<12x4xbf16>, %c: vector<4x4xf32>) {
  // expected-error@+1 {{'vector.contract' op expected the last iterator to be a reduction of a multiple of 'air.sum_depth', which is 8}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0,d1,d2) -> (d0, d2)>, affine_map<(d0,d1,d2) -> (d2, d1)>, affine_map<(d0,d1,d2)->(d0,d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, air.sum_depth = 8 : i64} %a, %b, %c : vector<4x12xbf16>, vector<12x4xbf16> into vector<4x4xf32>
  return
}

// -----

func.func @f(%a: vector<4x8xf32>, %b: vector<8x4xf32>, %c: vector<4x4xf32>) {
  // expected-error@+1 {{'vector.contract' op has 'air.sum_depth', which is for sums in f32 of products of bf16}}
  %0 = vector.contract {indexing_maps = [affine_map<(d0,d1,d2) -> (d0, d2)>, affine_map<(d0,d1,d2) -> (d2, d1)>, affine_map<(d0,d1,d2)->(d0,d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>, air.sum_depth = 8 : i64} %a, %b, %c : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
  return
}

// -----

func.func @f(%v: vector<4xf32>) {
  // expected-error@+1 {{'vector.interleave' op failed to verify that type of 'result' is double the width of the inputs}}
  %il = vector.interleave %v, %v : vector<4xf32> -> vector<6xf32>
  return
}

// -----

func.func @alignment(%m: memref<8xf32>, %i: index) {
  // expected-error@+1 {{expected the alignment to be a power of two, found 12}}
  %v = vector.load %m[%i] {alignment = 12 : i64} : memref<8xf32>, vector<4xf32>
  return
}
