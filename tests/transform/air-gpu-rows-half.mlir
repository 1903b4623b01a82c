// RUN: airlite-opt %s --air-decompose-softmax --air-gpu-rows=device=gfx942 | FileCheck %s

// Everything but the rows in memory is f32.
// CHECK-LABEL: func.func @half
// CHECK: vector.transfer_read {{.*}}in_bounds = [true]{{.*}} memref<?x512xf16>, vector<512xf16>
// CHECK-NEXT: arith.extf
// CHECK-NOT: arith.truncf
// CHECK: arith.divf {{.*}} : vector<512xf32>
// CHECK-NEXT: arith.truncf
// CHECK-NEXT: vector.transfer_write
func.func @half(%a: memref<?x512xf16>, %c: memref<?x512xf16>) {
  linalg.softmax dimension(1) ins(%a : memref<?x512xf16>) outs(%c : memref<?x512xf16>)
  return
}
