// RUN: airlite-opt %s --buffer-results-to-out-params | FileCheck %s
// RUN: airlite-opt %s --buffer-results-to-out-params=hoist-static-allocs=true | FileCheck %s --check-prefix=HOIST
// RUN: airlite-opt %s --buffer-results-to-out-params=modify-public-functions=false | FileCheck %s --check-prefix=PRIVATE

// CHECK-LABEL: func.func @make(
// CHECK-SAME: %arg0: index, %[[OUT:.*]]: memref<8xi32> {llvm.noalias}) -> index
// CHECK: %[[NEW:.*]] = memref.alloc() : memref<8xi32>
// CHECK: memref.store %{{.*}}, %[[NEW]]
// CHECK: memref.copy %[[NEW]], %[[OUT]]
// CHECK: return %arg0 : index
// HOIST-LABEL: func.func @make(
// HOIST-NOT: memref.alloc
// HOIST: memref.store %{{.*}}, %arg1
// HOIST-NOT: memref.copy
// HOIST: return
// PRIVATE-LABEL: func.func @make(
// PRIVATE-SAME: -> (memref<8xi32> {llvm.noalias}, index)
func.func @make(%i: index) -> (memref<8xi32> {llvm.noalias}, index) {
  %c3 = arith.constant 3 : i32
  %new = memref.alloc() : memref<8xi32>
  memref.store %c3, %new[%i] : memref<8xi32>
  return %new, %i : memref<8xi32>, index
}

// CHECK-LABEL: func.func @use(
// CHECK: %[[BUFFER:.*]] = memref.alloc() : memref<8xi32>
// CHECK: %[[NUMBER:.*]] = call @make(%arg0, %[[BUFFER]]) : (index, memref<8xi32>) -> index
// CHECK: memref.load %[[BUFFER]][%[[NUMBER]]]
func.func @use(%i: index) -> i32 {
  %b, %n = call @make(%i) : (index) -> (memref<8xi32>, index)
  %v = memref.load %b[%n] : memref<8xi32>
  memref.dealloc %b : memref<8xi32>
  return %v : i32
}

// Nobody here has to allocate the buffer of a size that is known later.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %arg0: index, %[[OUT:.*]]: memref<?xi32>) {
// CHECK: memref.copy %{{.*}}, %[[OUT]]
func.func @dynamic(%n: index) -> memref<?xi32> {
  %new = memref.alloc(%n) : memref<?xi32>
  return %new : memref<?xi32>
}
