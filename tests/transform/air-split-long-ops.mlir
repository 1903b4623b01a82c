// RUN: airlite-opt %s --pipeline='air-split-long-ops{functions=2}' | FileCheck %s
// RUN: airlite-opt %s --pipeline='air-split-long-ops{functions=2}' --check-each --emit=none
// RUN: airlite-opt %s --pipeline='air-split-long-ops' | FileCheck %s --check-prefix=WHOLE
// RUN: not airlite-opt %s --pipeline='air-split-long-ops{functions=0}' 2>&1 | FileCheck %s --check-prefix=ERR
// RUN: airlite-opt %s --pipeline='air-split-long-ops{functions=2}' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=WHY
// WHY: remark: [air-split-long-ops] its body is long, and cannot be cut
// WHOLE-NOT: memref.alloc
// ERR: error: air-split-long-ops: expected 'functions' to be positive

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// Three functions: two and one. The first part ends where one value alone goes on, x is read twice, the constant is in both.
// CHECK-LABEL: func.func @chain
// CHECK: %[[T:.*]] = memref.alloc() : memref<4x8xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : memref<4x8xf32>, memref<4xf32>) outs(%[[T]] : memref<4x8xf32>)
// CHECK: arith.constant 2.0
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: %[[MUL:.*]] = arith.mulf
// CHECK: linalg.yield %[[MUL]] : f32
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[T]] : memref<4x8xf32>, memref<4x8xf32>) outs(%arg2 : memref<4x8xf32>)
// CHECK: arith.constant 2.0
// CHECK: math.tanh
// CHECK: memref.dealloc %[[T]]
func.func @chain(%x: memref<4x8xf32>, %s: memref<4xf32>, %y: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<4x8xf32>, memref<4xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %two = arith.constant 2.0 : f32
    %e = math.exp %p : f32
    %d = arith.divf %e, %q : f32
    %m = arith.mulf %d, %two : f32
    %t = math.tanh %m : f32
    %a = arith.addf %t, %p : f32
    %b = arith.addf %a, %two : f32
    linalg.yield %b : f32
  }
  return
}

// Two outputs, one of which the first part makes and the second passes on. An output that the first part reads is its input.
// CHECK-LABEL: func.func @outputs
// CHECK: %[[E:.*]] = memref.alloc() : memref<4x8xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg2 : memref<4x8xf32>, memref<4x8xf32>) outs(%[[E]] : memref<4x8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[E]] : memref<4x8xf32>) outs(%arg1, %arg2 : memref<4x8xf32>, memref<4x8xf32>)
// CHECK: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32)
// CHECK: %[[T:.*]] = math.tanh
// CHECK: linalg.yield %[[IN]], %[[T]]
func.func @outputs(%x: memref<4x8xf32>, %y: memref<4x8xf32>, %z: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [#both, #both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x8xf32>) outs(%y, %z : memref<4x8xf32>, memref<4x8xf32>) {
  ^bb0(%p: f32, %o: f32, %old: f32):
    %d = arith.mulf %old, %p : f32
    %e = math.exp %d : f32
    %f = math.sin %e : f32
    %t = math.tanh %f : f32
    linalg.yield %f, %t : f32, f32
  }
  return
}

// Sums of rows stay, and few functions.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @others(%x: memref<4x8xf32>, %s: memref<4xf32>, %y: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<4x8xf32>) outs(%s : memref<4xf32>) {
  ^bb0(%p: f32, %o: f32):
    %e = math.exp %p : f32
    %d = math.tanh %e : f32
    %t = math.sin %d : f32
    %a = arith.addf %t, %o : f32
    linalg.yield %a : f32
  }
  linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %e = math.exp %p : f32
    %d = math.tanh %e : f32
    linalg.yield %d : f32
  }
  return
}

// What a comparison says cannot lie in a buffer.
// CHECK-LABEL: func.func @condition
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @condition(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x8xf32>) outs(%y : memref<4x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %less = arith.cmpf olt, %p, %o : f32
    %e = math.exp %p : f32
    %d = math.tanh %e : f32
    %s = math.sin %d : f32
    %r = arith.select %less, %s, %p : f32
    linalg.yield %r : f32
  }
  return
}
