// RUN: airlite-opt %s --split-input-file --verify-diagnostics | airlite-opt --split-input-file | FileCheck %s

// Without the static lists every entry is a value.
// CHECK-LABEL: @no_static_lists
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%[[C:.*]]] [%[[C]]] [%[[C]]]) : (memref<4xi32, 1>, memref<4xi32>)
func.func @no_static_lists(%a: memref<4xi32, 1>, %b: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  "air.dma_memcpy_nd"(%a, %b, %c1, %c1, %c1) <{operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 1, 1, 1, 1>}> : (memref<4xi32, 1>, memref<4xi32>, index, index, index) -> ()
  return
}

// -----

func.func @other_values(%a: memref<4xi32, 1>, %b: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'air.dma_memcpy_nd' op expected 0 values in src_offsets as 'static_src_offsets' says, but found 1}}
  "air.dma_memcpy_nd"(%a, %b, %c1, %c1, %c1) <{operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 1, 1, 1, 1>, static_src_offsets = array<i64: 0>}> : (memref<4xi32, 1>, memref<4xi32>, index, index, index) -> ()
  return
}
