// What the verifiers of the bufferization ops refuse.
// RUN: airlite-opt %s --verify-diagnostics --split-input-file

func.func @f(%t: tensor<?x4xf32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{expected 1 dynamic sizes}}
  %2 = bufferization.alloc_tensor() : tensor<?x4xf32>
  return
}

// -----

func.func @f(%t: tensor<?x4xf32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{dynamic sizes not needed when copying a tensor}}
  %2 = bufferization.alloc_tensor(%n) copy(%t) : tensor<?x4xf32>
  return
}

// -----

func.func @f(%t: tensor<?x4xf32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{use of value '%t' expects different type than prior uses: 'tensor<?x5xf32>' vs 'tensor<?x4xf32>'}}
  %2 = bufferization.alloc_tensor() copy(%t) {memory_space = 1 : i64} : tensor<?x5xf32>
  return
}

// -----

func.func @f(%t: tensor<?x4xf32>, %n: index, %m: memref<?x5xf32>, %c: i1) {
  // expected-error@+1 {{'bufferization.materialize_in_destination' op source/destination shapes are incompatible}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<?x4xf32>, memref<?x5xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<?x4xf32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is of memref type}}
  bufferization.materialize_in_destination %t in %m : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<?x4xf32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{'bufferization.materialize_in_destination' op tensor 'dest' implies exactly one tensor result}}
  bufferization.materialize_in_destination %t in restrict writable %t : (tensor<?x4xf32>, tensor<?x4xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<?x4xf32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{'bufferization.materialize_in_destination' op tensor 'dest' implies exactly one tensor result}}
  bufferization.materialize_in_destination %t in %t : (tensor<?x4xf32>, tensor<?x4xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<?x4xf32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is of memref type}}
  bufferization.materialize_in_destination %t in writable %t : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @f(%t: tensor<?x4xf32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{'bufferization.materialize_in_destination' op 'writable' must be specified if and only if the destination is of memref type}}
  %0 = bufferization.materialize_in_destination %t in writable %t : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @f(%t: tensor<?x4xf32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{'bufferization.materialize_in_destination' op memref 'dest' implies zero results}}
  %0 = bufferization.materialize_in_destination %t in writable %m : (tensor<?x4xf32>, memref<?x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4xf32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{'bufferization.materialize_in_destination' op rank mismatch between source and destination shape}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<?x4xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<4x4xi32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{'bufferization.materialize_in_destination' op failed to verify that all of {source, dest} have same element type}}
  bufferization.materialize_in_destination %t in writable %m : (tensor<4x4xi32>, memref<?x4xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<4x4xi32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{'bufferization.dealloc' op must have the same number of conditions as memrefs to deallocate}}
  "bufferization.dealloc"(%m) {operandSegmentSizes = array<i32: 1,0,0>} : (memref<?x4xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<4x4xi32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{'bufferization.dealloc' op must have the same number of updated conditions (results) as retained operands}}
  %0:2 = "bufferization.dealloc"(%m, %c, %m) {operandSegmentSizes = array<i32: 1,1,1>} : (memref<?x4xf32>, i1, memref<?x4xf32>) -> (i1,i1)
  return
}

// -----

func.func @f(%t: tensor<4x4xi32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{'bufferization.to_tensor' op failed to verify that specified tensor type matches buffer type}}
  %0 = "bufferization.to_tensor"(%m) : (memref<?x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xi32>, %n: index, %m: memref<?x4xf32>, %c: i1) {
  // expected-error@+1 {{'bufferization.clone' op operand type 'memref<?x4xf32>' and result type 'memref<?x5xf32>' are cast incompatible}}
  %0 = bufferization.clone %m : memref<?x4xf32> to memref<?x5xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>) {
  // expected-error@+1 {{'bufferization.to_buffer' op failed to verify that specified buffer type matches tensor type}}
  %0 = "bufferization.to_buffer"(%t) : (tensor<4x4xf32>) -> memref<4x5xf32>
  return
}

// -----

func.func @f(%t: f32) {
  // expected-error@+1 {{expected a shaped type}}
  %0 = bufferization.to_tensor %t : f32
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %v: vector<4x4xf32>) {
  // expected-error@+1 {{'bufferization.materialize_in_destination' op 'dest' must be a tensor or a memref}}
  bufferization.materialize_in_destination %t in writable %v : (tensor<4x4xf32>, vector<4x4xf32>) -> ()
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %v: tensor<4x4xf32>) {
  // expected-error@+1 {{'bufferization.materialize_in_destination' op 'restrict' is valid only for memref destinations}}
  %0 = bufferization.materialize_in_destination %t in restrict %v : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @f(%t: tensor<4x4xf32>, %v: tensor<4x4xf32>) {
  // expected-error@+1 {{'bufferization.materialize_in_destination' op result and destination types must match}}
  %0 = bufferization.materialize_in_destination %t in %v : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @f(%t: tensor<?x4xf32>) {
  // expected-error@+1 {{'bufferization.alloc_tensor' op failed to verify that all of {copy, result} have same type}}
  %2 = "bufferization.alloc_tensor"(%t) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (tensor<?x4xf32>) -> tensor<4x4xf32>
  return
}
