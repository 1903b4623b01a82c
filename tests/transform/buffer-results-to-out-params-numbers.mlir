// Returned numbers become memory of one element, of functions that nothing calls.
// RUN: airlite-opt %s --buffer-results-to-out-params='numbers=true' | FileCheck %s
// RUN: airlite-opt %s --buffer-results-to-out-params | FileCheck %s --check-prefix=OFF

// CHECK-LABEL: func.func @kinds
// CHECK-SAME: (%[[M:.*]]: memref<4xf32>, %[[N:.*]]: i8, %[[A:.*]]: memref<f32>, %[[B:.*]]: memref<i8>) -> index
// CHECK: %[[H:.*]] = memref.alloc() : memref<f32>
// CHECK: %[[V:.*]] = memref.load %[[M]]
// CHECK: memref.store %[[V]], %[[H]][] : memref<f32>
// CHECK: memref.store %[[N]], %{{.*}}[] : memref<i8>
// CHECK: memref.copy %[[H]], %[[A]]
// CHECK: return %{{.*}} : index
// OFF: func.func @kinds(%{{.*}}) -> (f32, i8, index)
func.func @kinds(%m: memref<4xf32>, %n: i8) -> (f32, i8, index) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<4xf32>
  return %v, %n, %c0 : f32, i8, index
}

// CHECK-LABEL: func.func private @called
// CHECK-SAME: -> i32
func.func private @called(%m: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<4xi32>
  return %v : i32
}

func.func @caller(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %v = func.call @called(%m) : (memref<4xi32>) -> i32
  memref.store %v, %m[%c1] : memref<4xi32>
  return
}
