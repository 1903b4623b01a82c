// RUN: airlite-opt %s --verify-diagnostics --split-input-file

func.func @a(%n: index) {
  // expected-error@+1 {{'memref.alloc' op dimension operand count does not equal memref dynamic dimension count}}
  %0 = memref.alloc(%n) : memref<4xf32>
  return
}

// -----

func.func @a(%n: index) {
  // expected-error@+1 {{'memref.alloc' op dimension operand count does not equal memref dynamic dimension count}}
  %0 = memref.alloc() : memref<?xf32>
  return
}

// -----

func.func @a(%n: index) {
  // expected-error@+1 {{'memref.alloc' op symbol operand count does not equal memref symbol count: expected 0, got 1}}
  %0 = memref.alloc()[%n] : memref<4xf32>
  return
}

// -----

func.func @a(%n: index) {
  // expected-error@+1 {{'memref.alloc' op symbol operand count does not equal memref symbol count: expected 1, got 0}}
  %0 = memref.alloc() : memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  return
}

// -----

func.func @a(%n: index) {
  // expected-error@+1 {{'memref.alloca' op attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0}}
  %0 = memref.alloca() {alignment = 3 : i32} : memref<4xf32>
  return
}

// -----

func.func @a(%n: index) {
  // expected-error@+1 {{'memref.alloc' op attribute 'alignment' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0}}
  %0 = memref.alloc() {alignment = -8 : i64} : memref<4xf32>
  return
}

// -----

func.func @a(%n: index, %m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.load' op incorrect number of indices for load, expected 2 but got 1}}
  %0 = memref.load %m[%n] : memref<4x4xf32>
  return
}

// -----

func.func @a(%n: index, %m: memref<4x4xf32>, %f: f32) {
  // expected-error@+1 {{'memref.store' op store index operand count not equal to memref rank}}
  memref.store %f, %m[%n] : memref<4x4xf32>
  return
}

// -----

func.func @a(%n: index, %m: memref<4x4xf32>, %f: f64) {
  // expected-error@+1 {{'memref.store' op failed to verify that type of 'value' matches element type of 'memref'}}
  "memref.store"(%f, %m, %n, %n) : (f64, memref<4x4xf32>, index, index) -> ()
  return
}

// -----

func.func @a(%n: index, %m: memref<4x4xf32>, %f: f64) {
  // expected-error@+1 {{'memref.load' op failed to verify that result type matches element type of 'memref'}}
  %0 = "memref.load"(%m, %n, %n) : (memref<4x4xf32>, index, index) -> (f64)
  return
}

// -----

func.func @a(%m: memref<4x4xf32>, %f: memref<4x4xi32>) {
  // expected-error@+1 {{'memref.copy' op requires the same element type for all operands}}
  memref.copy %m, %f : memref<4x4xf32> to memref<4x4xi32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>, %f: memref<4x2xf32>) {
  // expected-error@+1 {{'memref.copy' op requires the same shape for all operands}}
  memref.copy %m, %f : memref<4x4xf32> to memref<4x2xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.cast' op operand type 'memref<4x4xf32>' and result type 'memref<4x2xf32>' are cast incompatible}}
  %0 = memref.cast %m : memref<4x4xf32> to memref<4x2xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.cast' op operand type 'memref<4x4xf32>' and result type 'memref<4x4xf32, 2>' are cast incompatible}}
  %0 = memref.cast %m : memref<4x4xf32> to memref<4x4xf32, 2>
  return
}

// -----

func.func @a(%m: memref<*xf32>) {
  // expected-error@+1 {{'memref.cast' op operand type 'memref<*xf32>' and result type 'memref<*xf32>' are cast incompatible}}
  %0 = memref.cast %m : memref<*xf32> to memref<*xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{expected result type to be 'memref<2x2xf32, strided<[4, 1]>>' or a rank-reduced version. (mismatch of result layout)}}
  %0 = memref.subview %m[0, 0][2, 2][1, 1] : memref<4x4xf32> to memref<2x2xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{expected result type to be 'memref<2x2xf32, strided<[4, 1]>>' or a rank-reduced version. (mismatch of result sizes)}}
  %0 = memref.subview %m[0, 0][2, 2][1, 1] : memref<4x4xf32> to memref<2x3xf32, strided<[4, 1]>>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{expected result rank to be smaller or equal to the source rank}}
  %0 = memref.subview %m[0, 0][2, 2][1, 1] : memref<4x4xf32> to memref<2x2x2xf32, strided<[4, 1, 1]>>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{expected mixed offsets rank to match mixed sizes rank (1 vs 2) so the rank of the result type is well-formed}}
  %0 = memref.subview %m[0][2, 2][1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{different memory spaces specified for base memref type 'memref<4x4xf32>' and subview memref type 'memref<2x2xf32, strided<[4, 1]>, 2>'}}
  %0 = memref.subview %m[0, 0][2, 2][1, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>, 2>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{expected result element type to be 'f32'}}
  %0 = memref.subview %m[0, 0][2, 2][1, 1] : memref<4x4xf32> to memref<2x2xi32, strided<[4, 1]>>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{expected result type to be 'memref<2x2xf32, strided<[4, 1]>>' or a rank-reduced version. (mismatch of result sizes)}}
  %0 = memref.subview %m[0, 0][2, 2][1, 1] : memref<4x4xf32> to memref<2xf32, strided<[1]>>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{expected result type to be 'memref<1x2xf32, strided<[4, 1], offset: 4>>' or a rank-reduced version. (mismatch of result layout)}}
  %0 = memref.subview %m[1, 0][1, 2][1, 1] : memref<4x4xf32> to memref<2xf32, strided<[4], offset: 4>>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{expected sizes to be non-negative, but got -1}}
  %0 = memref.subview %m[1, 0][-1, 2][1, 1] : memref<4x4xf32> to memref<8x2xf32, strided<[4, 1], offset: 4>>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.expand_shape' op collapsed dim size (4) must equal reassociation group size (3)}}
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 3] : memref<4x4xf32> into memref<2x2x3xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.expand_shape' op invalid number of reassociation groups: found 1, expected 2}}
  %0 = memref.expand_shape %m [[0, 1]] output_shape [2, 2, 3] : memref<4x4xf32> into memref<2x2x4xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.expand_shape' op reassociation indices must be contiguous}}
  %0 = memref.expand_shape %m [[0, 2], [1]] output_shape [2, 2, 4] : memref<4x4xf32> into memref<2x2x4xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.expand_shape' op collapsed dim size (4) must equal reassociation group size (6)}}
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [3, 2, 4] : memref<4x4xf32> into memref<3x2x4xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.expand_shape' op expected expanded type to be 'memref<2x2x4xf32>' but found 'memref<2x2x4xf32, strided<[1, 2, 3]>>'}}
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 4] : memref<4x4xf32> into memref<2x2x4xf32, strided<[1,2,3]>>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.expand_shape' op expected number of static shape bounds to be equal to the output rank (3) but found 2 inputs instead}}
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 4] : memref<4x4xf32> into memref<2x2x4xf32>
  return
}

// -----

func.func @a(%m: memref<?x4xf32>) {
  // expected-error@+1 {{'memref.expand_shape' op collapsed dim (0) must be dynamic if and only if reassociation group is dynamic}}
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [2, 2, 4] : memref<?x4xf32> into memref<2x2x4xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.collapse_shape' op collapsed dim size (8) must equal reassociation group size (16)}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x4xf32> into memref<8xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32, strided<[8, 1]>>) {
  // expected-error@+1 {{'memref.collapse_shape' op invalid source layout map or collapsing non-contiguous dims}}
  %0 = memref.collapse_shape %m [[0, 1]] : memref<4x4xf32, strided<[8, 1]>> into memref<16xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.collapse_shape' op invalid number of reassociation groups: found 2, expected 1}}
  %0 = memref.collapse_shape %m [[0], [1]] : memref<4x4xf32> into memref<16xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.collapse_shape' op expected reassociation indices to cover 2 dims, found 1}}
  %0 = memref.collapse_shape %m [[0]] : memref<4x4xf32> into memref<16xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.transpose' op expected a permutation map}}
  %0 = memref.transpose %m (i, j) -> (j, j) : memref<4x4xf32> to memref<16xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>) {
  // expected-error@+1 {{'memref.transpose' op result type 'memref<4x4xf32>' is not equivalent to the canonical transposed input type 'memref<4x4xf32, strided<[1, 4]>>'}}
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xf32>, %n: index) {
  // expected-error@+1 {{'memref.view' op operand #0 must be 1D memref of 8-bit signless integer values, but got 'memref<4x4xf32>'}}
  %0 = memref.view %m[%n][] : memref<4x4xf32> to memref<4x4xf32>
  return
}

// -----

func.func @a(%m: memref<4xi8>, %n: index) {
  // expected-error@+1 {{incorrect number of size operands for type 'memref<4x4xf32>'}}
  %0 = memref.view %m[%n][%n] : memref<4xi8> to memref<4x4xf32>
  return
}

// -----

func.func @a(%m: memref<4xi8>, %n: index) {
  // expected-error@+1 {{different memory spaces specified for base memref type 'memref<4xi8>' and view memref type 'memref<4x4xf32, 2>'}}
  %0 = memref.view %m[%n][] : memref<4xi8> to memref<4x4xf32, 2>
  return
}

// -----

func.func @a(%m: memref<4xi8>, %n: index) {
  // expected-error@+1 {{unsupported map for result memref type 'memref<4x4xf32, strided<[5, 1]>>'}}
  %0 = memref.view %m[%n][] : memref<4xi8> to memref<4x4xf32, strided<[5, 1]>>
  return
}

// -----

func.func @a(%m: memref<4xi8>, %n: index) {
  // expected-error@+1 {{'memref.get_global' op 'nope' does not reference a valid global memref}}
  %0 = memref.get_global @nope : memref<4xf32>
  return
}

// -----

memref.global @g : memref<4xi32>
func.func @a(%m: memref<4xi8>, %n: index) {
  // expected-error@+1 {{'memref.get_global' op result type 'memref<4xf32>' does not match type 'memref<4xi32>' of the global memref @g}}
  %0 = memref.get_global @g : memref<4xf32>
  return
}

// -----

func.func private @g()
func.func @a(%m: memref<4xi8>, %n: index) {
  // expected-error@+1 {{'memref.get_global' op 'g' does not reference a valid global memref}}
  %0 = memref.get_global @g : memref<4xf32>
  return
}

// -----

// expected-error@+1 {{type should be static shaped memref, but got 'memref<?xi32>'}}
memref.global @g : memref<?xi32>

// -----

// expected-error@+1 {{type should be static shaped memref, but got 'memref<*xi32>'}}
memref.global @g : memref<*xi32>

// -----

// expected-error@+1 {{expected integer elements, but parsed floating-point}}
memref.global @g : memref<4xi32> = dense<1.0>

// -----

// expected-error@+1 {{'memref.global' op initial value expected to be of type 'tensor<4xi32>', but was of type 'tensor<5xi32>'}}
"memref.global"() {sym_name = "g", type = memref<4xi32>, initial_value = dense<1> : tensor<5xi32>} : () -> ()

// -----

// expected-error@+1 {{'memref.global' op initial value should be a unit or elements attribute, but got 5 : i32}}
"memref.global"() {sym_name = "g", type = memref<4xi32>, initial_value = 5 : i32} : () -> ()

// -----

// expected-error@+1 {{alignment attribute value 3 is not a power of 2}}
memref.global @g : memref<4xi32> = dense<1> {alignment = 3 : i64}

// -----

// expected-error@+1 {{'memref.global' op attribute 'type' failed to satisfy constraint: memref type attribute}}
"memref.global"() {sym_name = "g", type = i32} : () -> ()

// -----

func.func @a(%m: memref<4xi8>) {
  // expected-error@+1 {{'memref.assume_alignment' op alignment must be power of 2}}
  memref.assume_alignment %m, 3 : memref<4xi8>
  return
}

// -----

func.func @a(%m: memref<4xi8>, %n: index, %f: f32) {
  // expected-error@+1 {{'memref.atomic_rmw' op failed to verify that value type matches element type of memref}}
  %0 = memref.atomic_rmw addf %f, %m[%n] : (f32, memref<4xi8>) -> f32
  return
}

// -----

func.func @a(%m: memref<4xf32>, %n: index, %f: f32) {
  // expected-error@+1 {{'memref.atomic_rmw' op with kind 'addi' expects an integer type}}
  %0 = memref.atomic_rmw addi %f, %m[%n] : (f32, memref<4xf32>) -> f32
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index, %f: i32) {
  // expected-error@+1 {{'memref.atomic_rmw' op with kind 'addf' expects a floating-point type}}
  %0 = memref.atomic_rmw addf %f, %m[%n] : (i32, memref<4xi32>) -> i32
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index, %f: i32) {
  // expected-error@+1 {{'memref.atomic_rmw' op expects the number of subscripts to be equal to memref rank}}
  %0 = memref.atomic_rmw addi %f, %m[%n, %n] : (i32, memref<4xi32>) -> i32
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index, %f: i32) {
  // expected-error@+1 {{expected string or keyword containing one of the following enum values for attribute 'kind' [addf, addi, assign, maximumf, maxs, maxu, minimumf, mins, minu, mulf, muli, ori, andi, maxnumf, minnumf], found 'foo'}}
  %0 = memref.atomic_rmw foo %f, %m[%n, %n] : (i32, memref<4xi32>) -> i32
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index, %f: i32) {
  // expected-error@+1 {{'memref.prefetch' op attribute 'localityHint' failed to satisfy constraint: 32-bit signless integer attribute whose minimum value is 0 whose maximum value is 3}}
  memref.prefetch %m[%n], read, locality<5>, data : memref<4xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index, %f: i32) {
  // expected-error@+1 {{rw specifier has to be 'read' or 'write'}}
  memref.prefetch %m[%n], reads, locality<2>, data : memref<4xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index, %f: i32) {
  // expected-error@+1 {{cache type has to be 'data' or 'instr'}}
  memref.prefetch %m[%n], read, locality<2>, dat : memref<4xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index, %f: i32) {
  // expected-error@+1 {{'memref.prefetch' op too few indices: expected 1, found 0}}
  memref.prefetch %m[], read, locality<2>, data : memref<4xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>) {
  // expected-error@+1 {{different element types specified for source type 'memref<4xi32>' and result memref type 'memref<2xf32>'}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [2], strides: [1] : memref<4xi32> to memref<2xf32>
  return
}

// -----

func.func @a(%m: memref<4xi32>) {
  // expected-error@+1 {{different memory spaces specified for source type 'memref<4xi32>' and result memref type 'memref<2xi32, 2>'}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [2], strides: [1] : memref<4xi32> to memref<2xi32, 2>
  return
}

// -----

func.func @a(%m: memref<4xi32>) {
  // expected-error@+1 {{expected result type with size = 2 instead of 3 in dim = 0}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [2], strides: [1] : memref<4xi32> to memref<3xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>) {
  // expected-error@+1 {{expected result type with offset = 1 instead of 0}}
  %0 = memref.reinterpret_cast %m to offset: [1], sizes: [2], strides: [1] : memref<4xi32> to memref<2xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>) {
  // expected-error@+1 {{expected result type with stride = 2 instead of 1 in dim = 0}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [2], strides: [2] : memref<4xi32> to memref<2xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>) {
  // expected-error@+1 {{expected mixed sizes rank to match mixed strides rank (2 vs 1) so the rank of the result type is well-formed}}
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [2,2], strides: [2] : memref<4xi32> to memref<2xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>) {
  // expected-error@+1 {{expected mixed offsets rank to match mixed sizes rank (2 vs 1) so the rank of the result type is well-formed}}
  %0 = memref.reinterpret_cast %m to offset: [0, 1], sizes: [2], strides: [2] : memref<4xi32> to memref<2xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>, %s: memref<?xi32>) {
  // expected-error@+1 {{'memref.reshape' op cannot use shape operand with dynamic length to reshape to statically-ranked memref type}}
  %0 = memref.reshape %m(%s) : (memref<4xi32>, memref<?xi32>) -> memref<2x2xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>, %s: memref<3xi32>) {
  // expected-error@+1 {{'memref.reshape' op length of shape operand differs from the result's memref rank}}
  %0 = memref.reshape %m(%s) : (memref<4xi32>, memref<3xi32>) -> memref<2x2xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>, %s: memref<2xi32>) {
  // expected-error@+1 {{'memref.reshape' op element types of source and destination memref types should be the same}}
  %0 = memref.reshape %m(%s) : (memref<4xi32>, memref<2xi32>) -> memref<2x2xf32>
  return
}

// -----

func.func @a(%m: memref<4xi32, strided<[2]>>, %s: memref<2xi32>) {
  // expected-error@+1 {{'memref.reshape' op source memref type should have identity affine map}}
  %0 = memref.reshape %m(%s) : (memref<4xi32, strided<[2]>>, memref<2xi32>) -> memref<2x2xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>) {
  // expected-error@+1 {{'memref.memory_space_cast' op operand type 'memref<4xi32>' and result type 'memref<5xi32, 2>' are cast incompatible}}
  %0 = memref.memory_space_cast %m : memref<4xi32> to memref<5xi32, 2>
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index) {
  // expected-error@+1 {{unnecessary dimension operand for result type 'memref<5xi32>'}}
  %0 = memref.realloc %m(%n) : memref<4xi32> to memref<5xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index) {
  // expected-error@+1 {{missing dimension operand for result type 'memref<?xi32>'}}
  %0 = memref.realloc %m : memref<4xi32> to memref<?xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index) {
  // expected-error@+1 {{different element types specified for source memref type 'memref<4xi32>' and result memref type 'memref<8xf32>'}}
  %0 = memref.realloc %m : memref<4xi32> to memref<8xf32>
  return
}

// -----

func.func @a(%m: memref<4x4xi32>, %n: index) {
  // expected-error@+1 {{'memref.realloc' op operand #0 must be 1D memref of any type values, but got 'memref<4x4xi32>'}}
  %0 = memref.realloc %m : memref<4x4xi32> to memref<8xf32>
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index) {
  // expected-error@+1 {{'memref.generic_atomic_rmw' op expected block argument of the same type result type}}
  %0 = memref.generic_atomic_rmw %m[%n] : memref<4xi32> { ^bb0(%x: f32): %c = arith.constant 0 : i32 memref.atomic_yield %c : i32 }
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index) {
  // expected-error@+1 {{'memref.atomic_yield' op types mismatch between yield op: 'f32' and its parent: 'i32'}}
  %0 = memref.generic_atomic_rmw %m[%n] : memref<4xi32> { ^bb0(%x: i32): %c = arith.constant 0.0 : f32 memref.atomic_yield %c : f32 }
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index) {
  // expected-error@+1 {{'memref.generic_atomic_rmw' op expected single number of entry block arguments}}
  %0 = memref.generic_atomic_rmw %m[%n] : memref<4xi32> { ^bb0(%x: i32, %y: i32): memref.atomic_yield %x : i32 }
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index) {
  // expected-error@+1 {{'memref.generic_atomic_rmw' op expects the number of subscripts to be equal to memref rank}}
  %0 = memref.generic_atomic_rmw %m[%n, %n] : memref<4xi32> { ^bb0(%x: i32): memref.atomic_yield %x : i32 }
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index) {
  // expected-error@+1 {{body of 'memref.generic_atomic_rmw' should contain only operations with no side effects}}
  %0 = memref.generic_atomic_rmw %m[%n] : memref<4xi32> { ^bb0(%x: i32): memref.store %x, %m[%n] : memref<4xi32> memref.atomic_yield %x : i32 }
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index) {
  // expected-error@+1 {{'memref.dma_start' op expected destination to be of memref type}}
  memref.dma_start %m[%n, %n], %m[%n], %n, %m[%n] : memref<4xi32>, memref<4xi32>, memref<4xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index, %f: f32) {
  // expected-error@+1 {{use of value '%f' expects different type than prior uses: 'index' vs 'f32'}}
  memref.dma_start %m[%f], %m[%n], %n, %m[%n] : memref<4xi32>, memref<4xi32>, memref<4xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index) {
  // expected-error@+1 {{'memref.dma_wait' op expected tagIndices to have the same number of elements as the tagMemRef rank, expected 1, but got 2}}
  memref.dma_wait %m[%n, %n], %n : memref<4xi32>
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index) {
  // expected-error@+1 {{'memref.alloca_scope' op along control flow edge from Region #0 to parent results: source type #0 'i32' should match input type #0 'f32'}}
  %0 = memref.alloca_scope -> (f32) { %c = arith.constant 0 : i32 memref.alloca_scope.return %c : i32 }
  return
}

// -----

func.func @a(%m: memref<4xi32>, %n: index) {
  // expected-error@+1 {{'memref.extract_strided_metadata' op expected 4 results (base, offset, sizes, strides), found 2}}
  %0:2 = memref.extract_strided_metadata %m : memref<4xi32> -> memref<i32>, index
  return
}
