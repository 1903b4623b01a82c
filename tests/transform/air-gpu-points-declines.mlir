// Two work-items would write one result: the last point of the loops wins on the host alone.
// RUN: airlite-opt %s --air-gpu-points --remarks 2>&1 | FileCheck %s
// CHECK: [[@LINE+4]]:3: remark: [air-gpu-points] not supported: several points of its parallel loops have one result
// CHECK-NOT: air.launch
// CHECK: linalg.generic
func.func @f(%a: memref<4x8xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x8xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%x: f32, %r: f32):
    linalg.yield %x : f32
  }
  return
}

// A reduction that writes another place in each step has no sum that could be stored once.
// CHECK: [[@LINE+4]]:3: remark: [air-gpu-points] not supported: where it writes depends on a loop that it reduces
// CHECK-NOT: air.launch
// CHECK: linalg.generic
func.func @g(%a: memref<4x8xf32>, %c: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "reduction"]} ins(%a : memref<4x8xf32>) outs(%c : memref<4x8xf32>) {
  ^bb0(%x: f32, %r: f32):
    linalg.yield %x : f32
  }
  return
}
