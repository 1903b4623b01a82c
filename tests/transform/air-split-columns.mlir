// Columns of long matrices are reduced in parts (air-split-columns).
// RUN: airlite-opt %s --air-split-columns | FileCheck %s
// RUN: airlite-opt %s --air-split-columns --check-each --emit=none

// Parts of whole words: an even number of rows of 33 bf16. What is left over is added to the result, then all parts.
// CHECK-LABEL: func.func @odd
// CHECK: memref.subview %arg0[0, 0] [1024, 33] [1, 1]
// CHECK: memref.expand_shape {{.*}} output_shape [16, 64, 33]
// CHECK: %[[parts:.*]] = memref.alloc() : memref<16x33xf32>
// CHECK: linalg.fill {{.*}} outs(%[[parts]]
// CHECK: iterator_types = ["parallel", "reduction", "parallel"]
// CHECK: %[[rest:.*]] = memref.subview %arg0[1024, 0] [6, 33] [1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[rest]] {{.*}} outs(%arg1
// CHECK: linalg.generic {{.*}} ins(%[[parts]] {{.*}} outs(%arg1
// CHECK: memref.dealloc %[[parts]]
func.func @odd(%a: memref<1030x33xbf16>, %y: memref<33xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%a : memref<1030x33xbf16>) outs(%y : memref<33xf32>) {
  ^bb0(%x: bf16, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %s = arith.addf %o, %w : f32
    linalg.yield %s : f32
  }
  return
}

// An extreme starts from what leaves every number as it is.
// CHECK-LABEL: func.func @least
// CHECK: %[[most:.*]] = arith.constant 2147483647 : i32
// CHECK: linalg.fill ins(%[[most]]
func.func @least(%a: memref<1024x32xi32>, %y: memref<32xi32>) {
  linalg.reduce { arith.minsi } ins(%a : memref<1024x32xi32>) outs(%y : memref<32xi32>) dimensions = [0]
  return
}

// Long rows are shared out to cores, small matrices are read at once, and rows are no columns.
// CHECK-LABEL: func.func @others
// CHECK-NOT: memref.alloc
func.func @others(%long: memref<100x2048xf32>, %small: memref<100x32xf32>, %y: memref<2048xf32>, %z: memref<32xf32>, %rows: memref<100xf32>) {
  linalg.reduce { arith.addf } ins(%long : memref<100x2048xf32>) outs(%y : memref<2048xf32>) dimensions = [0]
  linalg.reduce { arith.addf } ins(%small : memref<100x32xf32>) outs(%z : memref<32xf32>) dimensions = [0]
  linalg.reduce { arith.addf } ins(%long : memref<100x2048xf32>) outs(%rows : memref<100xf32>) dimensions = [1]
  return
}
