// RUN: airlite-opt %s --air-tile-linalg='herd=4,4 l2-bytes=2097152 matrix-sums=true' --check-each | FileCheck %s
// RUN: airlite-opt %s --air-tile-linalg='herd=4,4 l2-bytes=2097152 matrix-sums=true' --air-par-to-herd=depth=1 --air-par-to-launch='depth=0 has-air-segment=true' --check-each | FileCheck %s --check-prefix=LAUNCH
// RUN: airlite-opt %s --air-tile-linalg='herd=4,4 l2-bytes=2097152' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=REMARK

// Tiles need not divide the matrix: launch instances begin at equal steps that are shorter than they are,
// and write what they share twice.
// REMARK: tiled: launch {{.*}}, steps {{.*}}, about {{[0-9]+}} cycles
// CHECK-LABEL: func.func @rows
// CHECK: scf.parallel
// CHECK: linalg.pack
// CHECK: {air.same_values}
// LAUNCH-LABEL: func.func @rows
// LAUNCH: air.launch
// LAUNCH-SAME: air.same_values
func.func @rows(%a: memref<106x64xi8>, %b: memref<64x1160xi8>, %c: memref<106x1160xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<106x1160xi32>)
  linalg.matmul ins(%a, %b : memref<106x64xi8>, memref<64x1160xi8>) outs(%c : memref<106x1160xi32>)
  return
}

// What is added to an element twice would be wrong: no instance computes what another one does. With divisors, that costs little.
// REMARK: tiled: launch
// REMARK-NOT: steps
// CHECK-LABEL: func.func @divided
// CHECK-NOT: air.same_values
// LAUNCH-LABEL: func.func @divided
// LAUNCH-NOT: air.same_values
func.func @divided(%a: memref<128x64xi8>, %b: memref<64x256xi8>, %c: memref<128x256xi32>) {
  linalg.matmul ins(%a, %b : memref<128x64xi8>, memref<64x256xi8>) outs(%c : memref<128x256xi32>)
  return
}

// Without them the product makes sums of its own, as above; another op adds them.
// REMARK: adds to its result in an op of its own, about {{[0-9]+}} cycles
// REMARK: tiled: launch {{.*}}, steps {{.*}}
// LAUNCH-LABEL: func.func @adds
// LAUNCH: air.launch {{.*}}air.same_values
// CHECK-LABEL: func.func @adds
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<106x1160xi32>
// CHECK: {air.same_values}
// CHECK: memref.subview %[[SUMS]]
// CHECK: memref.copy
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<{{.*}}xi32, 2 : i32>) outs(%{{.*}} : memref<{{.*}}xi32, 2 : i32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: i32, %[[OUT:.*]]: i32):
// CHECK-NEXT: arith.addi %[[IN]], %[[OUT]]
// CHECK-NOT: air.same_values
func.func @adds(%a: memref<106x64xi8>, %b: memref<64x1160xi8>, %c: memref<106x1160xi32>) {
  linalg.matmul ins(%a, %b : memref<106x64xi8>, memref<64x1160xi8>) outs(%c : memref<106x1160xi32>)
  return
}
