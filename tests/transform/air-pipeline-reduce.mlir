// RUN: airlite-opt %s --check-each --air-pipeline-reduce='pipeline-depth=2' | FileCheck %s
// RUN: airlite-opt %s --check-each --air-pipeline-reduce='pipeline-depth=4 tile-size=2 pipeline-direction=vert' | FileCheck %s --check-prefix=VERT
// RUN: airlite-opt %s --air-pipeline-reduce --air-verify-program

// Three hops are three channels for each op.
// CHECK: air.channel @channel_0 [1]
// CHECK: air.channel @channel_1 [1]
// VERT-COUNT-9: air.channel @channel_{{[0-9]+}} [1]

// The first core adds to the output, the last one copies to it.
// CHECK-LABEL: func.func @sum
// CHECK: air.herd tile (%[[X:.*]], %{{.*}}) in (%{{.*}}=%c2{{.*}}, %{{.*}}=%c1{{.*}}) args(%[[IN:.*]]=%arg0, %[[OUT:.*]]=%arg1)
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}()[%[[X]]]
// CHECK: %[[PART:.*]] = memref.subview %[[IN]][%[[AT]]] [4] [1]
// CHECK: affine.if
// CHECK: linalg.generic {{.*}} ins(%[[PART]] : {{.*}}) outs(%[[OUT]] : memref<i32>)
// CHECK: air.channel.put @channel_0[] (%[[OUT]][] [] [])
// CHECK: affine.if
// CHECK: %[[L1:.*]] = memref.alloc() : memref<i32, 2 : i32>
// CHECK: air.channel.get @channel_0[] (%[[L1]][] [] [])
// CHECK: linalg.generic {{.*}} ins(%[[PART]] : {{.*}}) outs(%[[L1]] : memref<i32, 2 : i32>)
// CHECK: memref.copy %[[L1]], %[[OUT]]
// CHECK: memref.dealloc %[[L1]]
// VERT-LABEL: func.func @sum
// VERT: air.herd tile (%[[X:.*]], %[[Y:.*]]) in (%{{.*}}=%c1{{.*}}, %{{.*}}=%c4{{.*}})
// VERT: affine.apply #{{.*}}()[%[[Y]]]
// VERT-COUNT-3: air.channel.get
// VERT: memref.copy
func.func @sum(%in: memref<8xi32>, %out: memref<i32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%in : memref<8xi32>) outs(%out : memref<i32>) {
  ^bb0(%a: i32, %s: i32):
    %0 = arith.addi %a, %s : i32
    linalg.yield %0 : i32
  }
  return
}

// A named op keeps its name; an input without the loop is whole.
// CHECK-LABEL: func.func @product
// CHECK: memref.subview %{{.*}}[0, %{{.*}}] [3, 4] [1, 1]
// CHECK: memref.subview %{{.*}}[%{{.*}}, 0] [4, 5] [1, 1]
// CHECK: linalg.matmul
func.func @product(%a: memref<3x8xf32>, %b: memref<8x5xf32>, %c: memref<3x5xf32>) {
  linalg.matmul ins(%a, %b : memref<3x8xf32>, memref<8x5xf32>) outs(%c : memref<3x5xf32>)
  return
}

// In a loop: the herds come one after the other.
// CHECK-LABEL: func.func @turns
// CHECK: scf.for
// CHECK: air.herd
// CHECK: linalg.matvec
func.func @turns(%a: memref<4x8xi32>, %x: memref<8xi32>, %y: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    linalg.matvec ins(%a, %x : memref<4x8xi32>, memref<8xi32>) outs(%y : memref<4xi32>)
  }
  return
}
