// RUN: airlite-opt %s --air-tile-linalg='herd=4,4 l2-bytes=2097152 matrix-sums=true product-plan=4,4,32,64,32,1' --check-each | FileCheck %s

// No steps of 32 divide 1000. Four copies bring 250 each, of which zeros of L2 make 256.
// CHECK-DAG: #[[L2:map[0-9]*]] = affine_map<()[s0] -> (s0 * 256)>
// CHECK-DAG: #[[L3:map[0-9]*]] = affine_map<()[s0] -> (s0 * 250)>
// CHECK-LABEL: func.func @parts
// CHECK-DAG: memref.alloc() {air.zero_memory} : memref<128x1024xbf16, 1 : i32>
// CHECK-DAG: memref.alloc() {air.zero_memory} : memref<1024x256xbf16, 1 : i32>
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c4{{.*}} step %c1
// CHECK-DAG: %[[FROM:.*]] = affine.apply #[[L3]]()[%[[I]]]
// CHECK-DAG: memref.subview %arg0[{{.*}}, %[[FROM]]] [128, 250]
// CHECK-DAG: %[[TO:.*]] = affine.apply #[[L2]]()[%[[I]]]
// CHECK-DAG: memref.subview %{{.*}}[0, %[[TO]]] [128, 250]
func.func @parts(%a: memref<512x1000xbf16>, %b: memref<1000x256xbf16>, %c: memref<512x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<512x256xf32>)
  linalg.matmul ins(%a, %b : memref<512x1000xbf16>, memref<1000x256xbf16>) outs(%c : memref<512x256xf32>)
  return
}
