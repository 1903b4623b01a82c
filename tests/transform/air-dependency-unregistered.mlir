// The end of a block may be an op that nobody knows; it stays where it is.
// RUN: airlite-opt %s --air-dependency --allow-unregistered | FileCheck %s

// CHECK: %[[S:.*]] = air.execute {
// CHECK-NEXT: memref.store
// CHECK: air.wait_all [%[[S]]]
// CHECK-NEXT: "foo.br"()[^bb1] : () -> ()
// CHECK: %[[O:.*]] = air.execute {
// CHECK-NEXT: "foo.touch"(%arg0)
// CHECK: air.execute [%[[O]]] {
// CHECK-NEXT: memref.store
// CHECK: "foo.end"() : () -> ()
func.func @f(%m: memref<4xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<4xf32>
  "foo.br"()[^a] : () -> ()
^a:
  "foo.touch"(%m) : (memref<4xf32>) -> ()
  memref.store %v, %m[%c0] : memref<4xf32>
  "foo.end"() : () -> ()
}
