// RUN: airlite-opt %s --air-decompose-packs --verify-diagnostics --remarks | FileCheck %s
// RUN: airlite-opt %s --air-decompose-packs --check-each --emit=none
// RUN: airlite-opt %s --pipeline='func.func(air-bufferize-linalg,air-decompose-packs)' --check-each | FileCheck %s --check-prefix=TENSORS

// CHECK-LABEL: func.func @full
// CHECK: %[[VIEW:.*]] = memref.expand_shape %arg0 {{\[\[}}0, 1], [2, 3]] output_shape [2, 8, 4, 4]
// CHECK: linalg.transpose ins(%[[VIEW]] : memref<2x8x4x4xf32>) outs(%arg1 : memref<2x4x8x4xf32>) permutation = [0, 2, 1, 3]
// CHECK-NOT: linalg
func.func @full(%a: memref<16x16xf32>, %b: memref<2x4x8x4xf32>) {
  linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %b : memref<16x16xf32> -> memref<2x4x8x4xf32>
  return
}

// Columns of tiles, tiles by columns, the last ones filled up.
// CHECK-LABEL: func.func @padded
// CHECK: %[[ALL:.*]] = memref.alloc() : memref<16x16xi8>
// CHECK: linalg.fill ins(%arg2 : i8) outs(%[[ALL]] : memref<16x16xi8>)
// CHECK: %[[INSIDE:.*]] = memref.subview %[[ALL]][0, 0] [13, 15] [1, 1]
// CHECK: linalg.copy ins(%arg0 : memref<13x15xi8>) outs(%[[INSIDE]] :
// CHECK: %[[VIEW:.*]] = memref.expand_shape %[[ALL]]
// CHECK: linalg.transpose ins(%[[VIEW]] : memref<2x8x4x4xi8>) outs(%arg1 : memref<4x2x4x8xi8>) permutation = [2, 0, 3, 1]
// CHECK: memref.dealloc %[[ALL]]
func.func @padded(%a: memref<13x15xi8>, %b: memref<4x2x4x8xi8>, %p: i8) {
  linalg.pack %a padding_value(%p : i8) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 8] into %b : memref<13x15xi8> -> memref<4x2x4x8xi8>
  return
}

// CHECK-LABEL: func.func @back
// CHECK: %[[VIEW:.*]] = memref.expand_shape %arg1
// CHECK: linalg.transpose ins(%arg0 : memref<4x2x4x8xi8>) outs(%[[VIEW]] : memref<2x8x4x4xi8>) permutation = [1, 3, 0, 2]
// CHECK: %[[ALL:.*]] = memref.alloc() : memref<16x16xi8>
// CHECK: %[[WHOLE:.*]] = memref.expand_shape %[[ALL]]
// CHECK: linalg.transpose ins(%arg0 : memref<4x2x4x8xi8>) outs(%[[WHOLE]] :
// CHECK: %[[INSIDE:.*]] = memref.subview %[[ALL]][0, 0] [13, 15] [1, 1]
// CHECK: linalg.copy ins(%[[INSIDE]] : {{.*}}) outs(%arg2 : memref<13x15xi8>)
// CHECK: memref.dealloc %[[ALL]]
func.func @back(%a: memref<4x2x4x8xi8>, %b: memref<16x16xi8>, %c: memref<13x15xi8>) {
  linalg.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 8] into %b : memref<4x2x4x8xi8> -> memref<16x16xi8>
  linalg.unpack %a outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 8] into %c : memref<4x2x4x8xi8> -> memref<13x15xi8>
  return
}

// CHECK-LABEL: func.func @open
func.func @open(%a: memref<?x16xf32>, %b: memref<?x16x4xf32>, %c: memref<16xf32>, %d: memref<?x?xf32>, %n: index, %p: f32) {
  // expected-remark@+1 {{stays: it is not between buffers of known shapes}}
  linalg.pack %a padding_value(%p : f32) inner_dims_pos = [0] inner_tiles = [4] into %b : memref<?x16xf32> -> memref<?x16x4xf32>
  return
}

// Those of a segment become DMAs.
// CHECK-LABEL: func.func @inside
// CHECK: linalg.pack
func.func @inside() {
  air.launch () in () {
    air.segment {
      %a = memref.alloc() : memref<16x16xf32, 1>
      %b = memref.alloc() : memref<2x4x8x4xf32, 1>
      linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %b : memref<16x16xf32, 1> -> memref<2x4x8x4xf32, 1>
    }
  }
  return
}

// Of tensors, by either name.
// CHECK-LABEL: func.func @tensors
// TENSORS-LABEL: func.func @tensors(%arg0: memref<16x16xf32>) -> memref<16x16xf32>
// TENSORS: %[[PACKED:.*]] = memref.alloc() : memref<2x4x8x4xf32>
// TENSORS: linalg.transpose ins(%{{.*}}) outs(%[[PACKED]] :
// TENSORS: %[[OUT:.*]] = memref.alloc() : memref<16x16xf32>
// TENSORS: %[[VIEW:.*]] = memref.expand_shape %[[OUT]]
// TENSORS: linalg.transpose ins(%{{.*}}) outs(%[[VIEW]] :
// TENSORS: return %[[OUT]]
func.func @tensors(%a: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %e = tensor.empty() : tensor<2x4x8x4xf32>
  // expected-remark@+1 {{stays: it is not between buffers of known shapes}}
  %p = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %e : tensor<16x16xf32> -> tensor<2x4x8x4xf32>
  %q = linalg.exp ins(%p : tensor<2x4x8x4xf32>) outs(%e : tensor<2x4x8x4xf32>) -> tensor<2x4x8x4xf32>
  %o = tensor.empty() : tensor<16x16xf32>
  %u = tensor.unpack %q inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %o : tensor<2x4x8x4xf32> -> tensor<16x16xf32>
  return %u : tensor<16x16xf32>
}
