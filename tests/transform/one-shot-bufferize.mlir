// Programs from Triton: tensors of buffers, and buffers for tensors.
// RUN: airlite-opt %s --check-each --one-shot-bufferize | FileCheck %s

#same = affine_map<(i) -> (i)>

// What is writable is written in place; what is read afterwards as well gets a buffer of its own.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: (%[[A:.*]]: memref<8xi32>, %[[OUT:.*]]: memref<16xi32>)
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<8xi32>
// CHECK: memref.copy %[[A]], %[[COPY]]
// CHECK: %[[DOUBLE:.*]] = memref.alloc() : memref<8xi32>
// CHECK: linalg.generic {{.*}} ins(%[[COPY]] : memref<8xi32>) outs(%[[DOUBLE]] :
// CHECK: linalg.generic {{.*}} ins(%[[COPY]] : memref<8xi32>) outs(%[[DOUBLE]] :
// CHECK: %[[PART:.*]] = memref.reinterpret_cast %[[OUT]]
// CHECK: memref.copy %[[DOUBLE]], %[[PART]]
// CHECK: memref.dealloc %[[DOUBLE]]
func.func @chain(%a: memref<8xi32>, %out: memref<16xi32>) {
  %copy = memref.alloc() : memref<8xi32>
  memref.copy %a, %copy : memref<8xi32> to memref<8xi32>
  %t = bufferization.to_tensor %copy restrict writable : memref<8xi32> to tensor<8xi32>
  %e = bufferization.alloc_tensor() : tensor<8xi32>
  %double = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%t : tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i32, %o: i32):
    %0 = arith.addi %in, %in : i32
    linalg.yield %0 : i32
  } -> tensor<8xi32>
  %sum = linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]} ins(%t : tensor<8xi32>) outs(%double : tensor<8xi32>) {
  ^bb0(%in: i32, %o: i32):
    %0 = arith.muli %in, %o : i32
    linalg.yield %0 : i32
  } -> tensor<8xi32>
  %part = memref.reinterpret_cast %out to offset: [4], sizes: [8], strides: [1] : memref<16xi32> to memref<8xi32, strided<[1], offset: 4>>
  bufferization.materialize_in_destination %sum in writable %part : (tensor<8xi32>, memref<8xi32, strided<[1], offset: 4>>) -> ()
  memref.dealloc %copy : memref<8xi32>
  return
}

// In a loop each round begins with the tensor as it was: it is copied. The buffer is freed in the round.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK: %[[ROUND:.*]] = memref.alloc() : memref<8xi32>
// CHECK: linalg.copy ins(%{{.*}} : memref<8xi32>) outs(%[[ROUND]] :
// CHECK: linalg.generic {{.*}} outs(%[[ROUND]] :
// CHECK: memref.copy %[[ROUND]], %{{.*}}
// CHECK: memref.dealloc %[[ROUND]]
// CHECK-NEXT: }
func.func @loop(%a: memref<8xi32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %t = bufferization.to_tensor %a restrict writable : memref<8xi32> to tensor<8xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    %s = linalg.generic {indexing_maps = [#same], iterator_types = ["parallel"]} outs(%t : tensor<8xi32>) {
    ^bb0(%o: i32):
      %0 = arith.addi %o, %o : i32
      linalg.yield %0 : i32
    } -> tensor<8xi32>
    bufferization.materialize_in_destination %s in writable %out : (tensor<8xi32>, memref<8xi32>) -> ()
  }
  return
}
