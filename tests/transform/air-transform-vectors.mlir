// RUN: airlite-opt %s --check-each --air-transform='filename=%S/Inputs/air-transform-vectors.mlir' | FileCheck %s

// A chain moves after the broadcast; the element type is that of each operand.
// CHECK-LABEL: func.func @all
// CHECK: %[[B:.*]] = vector.broadcast %arg0 : f32 to vector<4xf32>
// CHECK-NEXT: %[[N:.*]] = arith.negf %[[B]] : vector<4xf32>
// CHECK-NEXT: arith.truncf %[[N]] : vector<4xf32> to vector<4xbf16>
// CHECK: %[[C:.*]] = vector.broadcast %{{.*}} : vector<1xf32> to vector<2x4xf32>
// CHECK: math.absf %[[C]] : vector<2x4xf32>
// Used twice; more than one element; two operands.
// CHECK: %[[T:.*]] = math.absf %arg0 : f32
// CHECK: vector.broadcast %[[T]] : f32 to vector<4xf32>
// CHECK: %[[V:.*]] = math.absf %{{.*}} : vector<4xf32>
// CHECK: vector.broadcast %[[V]] : vector<4xf32> to vector<2x4xf32>
// CHECK: %[[S:.*]] = arith.addf %arg0, %arg0 : f32
// CHECK: vector.broadcast %[[S]] : f32 to vector<4xf32>
func.func @all(%x: f32, %y: vector<1xf32>, %z: vector<4xf32>) -> (vector<4xbf16>, vector<2x4xf32>, vector<4xf32>, f32, vector<2x4xf32>, vector<4xf32>) {
  %0 = arith.negf %x : f32
  %1 = arith.truncf %0 : f32 to bf16
  %2 = vector.broadcast %1 : bf16 to vector<4xbf16>
  %3 = math.absf %y : vector<1xf32>
  %4 = vector.broadcast %3 : vector<1xf32> to vector<2x4xf32>
  %5 = math.absf %x : f32
  %6 = vector.broadcast %5 : f32 to vector<4xf32>
  %7 = math.absf %z : vector<4xf32>
  %8 = vector.broadcast %7 : vector<4xf32> to vector<2x4xf32>
  %9 = arith.addf %x, %x : f32
  %10 = vector.broadcast %9 : f32 to vector<4xf32>
  return %2, %4, %6, %5, %8, %10 : vector<4xbf16>, vector<2x4xf32>, vector<4xf32>, f32, vector<2x4xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @named
// CHECK: %[[B:.*]] = vector.broadcast %arg0
// CHECK: math.sqrt %[[B]]
// CHECK: %[[N:.*]] = math.absf %arg0
// CHECK: vector.broadcast %[[N]]
func.func @named(%x: f32) -> (vector<4xf32>, vector<4xf32>) {
  %0 = math.sqrt %x : f32
  %1 = vector.broadcast %0 : f32 to vector<4xf32>
  %2 = math.absf %x : f32
  %3 = vector.broadcast %2 : f32 to vector<4xf32>
  return %1, %3 : vector<4xf32>, vector<4xf32>
}

// One by a root that nothing else uses.
// CHECK-LABEL: func.func @divisions
// CHECK: math.rsqrt %arg0 : f32
// CHECK: math.rsqrt %arg1 : vector<4xf32>
// CHECK: %[[R:.*]] = math.sqrt %arg0
// CHECK: arith.divf %{{.*}}, %[[R]]
// CHECK: %[[S:.*]] = math.sqrt %arg1
// CHECK: arith.divf %{{.*}}, %[[S]]
func.func @divisions(%x: f32, %y: vector<4xf32>) -> (f32, vector<4xf32>, f32, f32, vector<4xf32>) {
  %one = arith.constant 1.0 : f32
  %ones = arith.constant dense<1.0> : vector<4xf32>
  %mixed = arith.constant dense<[1.0, 1.0, 1.0, 2.0]> : vector<4xf32>
  %0 = math.sqrt %x : f32
  %1 = arith.divf %one, %0 : f32
  %2 = math.sqrt %y : vector<4xf32>
  %3 = arith.divf %ones, %2 : vector<4xf32>
  %4 = math.sqrt %x : f32
  %5 = arith.divf %one, %4 : f32
  %6 = math.sqrt %y : vector<4xf32>
  %7 = arith.divf %mixed, %6 : vector<4xf32>
  return %1, %3, %4, %5, %7 : f32, vector<4xf32>, f32, f32, vector<4xf32>
}
