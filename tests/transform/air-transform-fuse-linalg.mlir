// RUN: airlite-opt %s --check-each --air-transform='filename=%S/Inputs/air-transform-fuse-linalg.mlir' | FileCheck %s

// Three ops become one; the sum that is read twice is computed once.
// CHECK-LABEL: func.func @chain
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<4x6xi32>, tensor<6xi32>)
// CHECK-NEXT: ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT: %[[S:.*]] = arith.addi %[[A]], %[[B]]
// CHECK-NEXT: %[[P:.*]] = arith.muli %[[S]], %[[S]]
// CHECK-NEXT: arith.subi %[[P]], %c3_i32
// CHECK-NOT: linalg.{{fill|mul|sub|generic}}
// CHECK: return
func.func @chain(%a: tensor<4x6xi32>, %b: tensor<6xi32>) -> tensor<4x6xi32> attributes {elementwise} {
  %c3 = arith.constant 3 : i32
  %e = tensor.empty() : tensor<4x6xi32>
  %three = linalg.fill ins(%c3 : i32) outs(%e : tensor<4x6xi32>) -> tensor<4x6xi32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x6xi32>, tensor<6xi32>) outs(%e : tensor<4x6xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %s = arith.addi %x, %y : i32
    linalg.yield %s : i32
  } -> tensor<4x6xi32>
  %square = linalg.mul ins(%sum, %sum : tensor<4x6xi32>, tensor<4x6xi32>) outs(%e : tensor<4x6xi32>) -> tensor<4x6xi32>
  %r = linalg.sub ins(%square, %three : tensor<4x6xi32>, tensor<4x6xi32>) outs(%e : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}

// Read transposed, the elements of the producer come in the order of the reader.
// CHECK-LABEL: func.func @transposed
// CHECK: linalg.generic {indexing_maps = [#[[T:.*]], #{{.*}}], {{.*}}} ins(%arg0 : tensor<4x6xi32>)
// CHECK-NOT: linalg.generic
func.func @transposed(%a: tensor<4x6xi32>) -> tensor<6x4xi32> attributes {elementwise} {
  %e = tensor.empty() : tensor<4x6xi32>
  %twice = linalg.add ins(%a, %a : tensor<4x6xi32>, tensor<4x6xi32>) outs(%e : tensor<4x6xi32>) -> tensor<4x6xi32>
  %f = tensor.empty() : tensor<6x4xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%twice : tensor<4x6xi32>) outs(%f : tensor<6x4xi32>) {
  ^bb0(%x: i32, %o: i32):
    %n = arith.muli %x, %x : i32
    linalg.yield %n : i32
  } -> tensor<6x4xi32>
  return %r : tensor<6x4xi32>
}

// A sum is no elementwise op, and stays; so does what adds to its output.
// CHECK-LABEL: func.func @kept
// CHECK: linalg.reduce
// CHECK: linalg.generic
// CHECK: linalg.exp
func.func @kept(%a: tensor<4x6xf32>, %b: tensor<4xf32>) -> tensor<4xf32> attributes {elementwise} {
  %r = linalg.reduce ins(%a : tensor<4x6xf32>) outs(%b : tensor<4xf32>) dimensions = [1]
    (%x: f32, %acc: f32) {
      %s = arith.addf %x, %acc : f32
      linalg.yield %s : f32
    }
  %t = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%r : tensor<4xf32>) outs(%b : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %u = linalg.exp ins(%t : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %u : tensor<4xf32>
}

// The reduction computes the elements that it adds. The first op stays.
// CHECK-LABEL: func.func @rows
// CHECK: linalg.generic {{.*}}["parallel", "parallel"]
// CHECK: linalg.generic {{.*}}["parallel", "reduction"]{{.*}} ins(%arg0, %arg1 : tensor<4x6xf32>, tensor<4xf32>) outs(%arg2 : tensor<4xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[M:.*]]: f32, %[[ACC:.*]]: f32):
// CHECK-NEXT: %[[D:.*]] = arith.subf %[[X]], %[[M]]
// CHECK-NEXT: arith.addf %[[D]], %[[ACC]]
func.func @rows(%a: tensor<4x6xf32>, %m: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %m : tensor<4x6xf32>, tensor<4xf32>) outs(%e : tensor<4x6xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.subf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<4x6xf32>
  %r = linalg.reduce ins(%d : tensor<4x6xf32>) outs(%z : tensor<4xf32>) dimensions = [1]
    (%x: f32, %acc: f32) {
      %s = arith.addf %x, %acc : f32
      linalg.yield %s : f32
    }
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @truncated
// CHECK: %[[E:.*]] = tensor.empty() : tensor<8xbf16>
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<8xf32>) outs(%[[E]] : tensor<8xbf16>)
// CHECK: %[[W:.*]] = arith.mulf
// CHECK-NEXT: %[[N:.*]] = arith.truncf %[[W]] : f32 to bf16
// CHECK-NEXT: linalg.yield %[[N]] : bf16
// CHECK-NOT: linalg.generic
func.func @truncated(%a: tensor<8xf32>, %o: tensor<8xbf16>) -> tensor<8xbf16> {
  %e = tensor.empty() : tensor<8xf32>
  %w = linalg.generic {wide, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.mulf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %n = linalg.generic {narrow, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%w : tensor<8xf32>) outs(%o : tensor<8xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<8xbf16>
  return %n : tensor<8xbf16>
}

// The product adds in bf16 what it added in f32. (Small integers are the same in both.)
// CHECK-LABEL: func.func @narrow_sums
// CHECK: tensor.empty() : tensor<2x2xbf16>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<2x2xbf16>
// CHECK: %[[Z:.*]] = arith.truncf %{{.*}} : f32 to bf16
// CHECK: %[[F:.*]] = linalg.fill ins(%[[Z]] : bf16) outs(%[[E]] : tensor<2x2xbf16>)
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<2x2xbf16>, tensor<2x2xbf16>) outs(%[[F]] : tensor<2x2xbf16>)
// CHECK-NOT: linalg.generic
func.func @narrow_sums() -> tensor<2x2xbf16> {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xbf16>
  %z = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %p = linalg.matmul ins(%a, %a : tensor<2x2xbf16>, tensor<2x2xbf16>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  %o = tensor.empty() : tensor<2x2xbf16>
  %n = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<2x2xf32>) outs(%o : tensor<2x2xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<2x2xbf16>
  return %n : tensor<2x2xbf16>
}
