// RUN: airlite-opt %s --allow-unregistered --canonicalize | FileCheck %s

// Two arguments that are one value become one, also where the first of them has no uses of its own.
// CHECK-LABEL: func.func @same
// CHECK: air.segment args(%[[ONE:.*]]=%{{.*}}) : memref<4xi32> {
// CHECK: "test.use"(%[[ONE]])
func.func @same(%a: memref<4xi32>) {
  air.segment args(%first=%a, %second=%a) : memref<4xi32>, memref<4xi32> {
    "test.use"(%second) : (memref<4xi32>) -> ()
  }
  return
}
