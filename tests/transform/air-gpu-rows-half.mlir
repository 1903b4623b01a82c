// RUN: airlite-opt %s --air-gpu-rows=device=gfx942 | FileCheck %s

// The sum of f16 is made in f32.
// CHECK-LABEL: func.func @half
// CHECK: vector.transfer_read {{.*}}in_bounds = [true]{{.*}} memref<?x512xf16>, vector<512xf16>
// CHECK: arith.extf
// CHECK: arith.truncf
func.func @half(%a: memref<?x512xf16>, %c: memref<?x512xf16>) {
  linalg.softmax dimension(1) ins(%a : memref<?x512xf16>) outs(%c : memref<?x512xf16>)
  return
}
