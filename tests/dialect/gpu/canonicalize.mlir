// Tokens that stand for nothing.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @waits(
// CHECK-NEXT: %0 = gpu.wait async
// CHECK-NEXT: %1 = gpu.memcpy async [%0] %arg0, %arg1 : memref<4xf32>, memref<4xf32>
// CHECK-NEXT: gpu.wait [%1]
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @waits(%a: memref<4xf32>, %b: memref<4xf32>) {
  %t0 = gpu.wait async
  %t1 = gpu.memcpy async [%t0] %a, %b : memref<4xf32>, memref<4xf32>
  %t2 = gpu.wait async [%t1]
  gpu.wait [%t2, %t0]
  gpu.wait
  return
}

// CHECK-LABEL: func.func @dead_ids(
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: return
// CHECK-NEXT: }
func.func @dead_ids(%a: memref<4xf32>) {
  %x = gpu.thread_id x
  %l = gpu.lane_id
  gpu.barrier
  return
}
