// RUN: airlite-opt %s --check-each --air-transform='filename=%S/Inputs/air-transform-rewrites.mlir' | FileCheck %s
// RUN: airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-rewrites.mlir' --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: airlite-opt %s --check-each --air-transform='filename=%S/Inputs/air-transform-rewrites.mlir' --air-fuse-alloc-dealloc | FileCheck %s --check-prefix=BACK
// RUN: airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-library.mlir' | FileCheck %s --check-prefix=CALL

// Copies become linalg ops, buffers leave loops.
// CHECK-LABEL: func.func @loops
// CHECK: %[[A:.*]] = memref.alloc() : memref<4x4xi32>
// CHECK-NEXT: scf.for
// CHECK-NEXT: scf.for
// CHECK-NEXT: linalg.copy ins(%{{.*}} : memref<4x4xi32>) outs(%[[A]] : memref<4x4xi32>)
// CHECK-NEXT: linalg.copy ins(%[[A]] : memref<4x4xi32>) outs(%{{.*}} : memref<4x4xi32>)
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: memref.dealloc %[[A]]
// BACK-LABEL: func.func @loops
// BACK: scf.for
// BACK-NEXT: scf.for
// BACK-NEXT: %[[A:.*]] = memref.alloc() : memref<4x4xi32>
// BACK: memref.dealloc %[[A]]
// BACK-NEXT: }
func.func @loops(%in: memref<4x4xi32>, %out: memref<4x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %a = memref.alloc() : memref<4x4xi32>
      memref.copy %in, %a : memref<4x4xi32> to memref<4x4xi32>
      memref.copy %a, %out : memref<4x4xi32> to memref<4x4xi32>
      memref.dealloc %a : memref<4x4xi32>
    }
  }
  return
}

// What is reduced becomes innermost; what is so already stays.
// CHECK-LABEL: func.func @reduces
// CHECK: %[[E:.*]] = tensor.empty() : tensor<3x5x2x4xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%{{.*}} : tensor<2x3x4x5xf32>) outs(%[[E]] : tensor<3x5x2x4xf32>) permutation = [1, 3, 0, 2]
// CHECK: linalg.reduce ins(%[[T]] : tensor<3x5x2x4xf32>) outs(%{{.*}} : tensor<3x5xf32>) dimensions = [2, 3]
// CHECK-NOT: linalg.transpose
// REMARK-DAG: remark: {{.*}}stays: what it reduces is innermost
func.func @reduces(%x: tensor<2x3x4x5xf32>, %o: tensor<3x5xf32>, %p: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.reduce ins(%x : tensor<2x3x4x5xf32>) outs(%o : tensor<3x5xf32>) dimensions = [0, 2]
    (%in: f32, %init: f32) {
      %s = arith.addf %in, %init : f32
      linalg.yield %s : f32
    }
  %1 = linalg.reduce ins(%0 : tensor<3x5xf32>) outs(%p : tensor<3xf32>) dimensions = [1]
    (%in: f32, %init: f32) {
      %s = arith.addf %in, %init : f32
      linalg.yield %s : f32
    }
  return %1 : tensor<3xf32>
}

// REMARK-DAG: remark: {{.*}}stays: its size is computed
// REMARK-DAG: remark: {{.*}}stays: no dealloc stands beside it
// REMARK-DAG: remark: {{.*}}stays: one of its buffers has no rank
// REMARK-DAG: remark: {{.*}}stays: the size of an input is not known
// REMARK-DAG: remark: {{.*}}stays: a use may not be over at the end
air.channel @c [1]
func.func @declines(%n: index, %u: memref<*xi32>, %v: memref<*xi32>, %x: tensor<?x4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%n) : memref<?xi32>
    memref.dealloc %a : memref<?xi32>
    %b = memref.alloc() : memref<4xi32>
    %d = memref.alloc() : memref<4xi32>
    %t = air.channel.put async @c[] (%d[] [] []) : (memref<4xi32>)
    memref.dealloc %d : memref<4xi32>
  }
  memref.copy %u, %v : memref<*xi32> to memref<*xi32>
  %0 = linalg.reduce ins(%x : tensor<?x4xf32>) outs(%o : tensor<4xf32>) dimensions = [0]
    (%in: f32, %init: f32) {
      %s = arith.addf %in, %init : f32
      linalg.yield %s : f32
    }
  return %0 : tensor<4xf32>
}

// CALL-DAG: func.func private @product(memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) attributes {link_with = "p.o", llvm.emit_c_interface}
// CALL-LABEL: func.func @product_of
// CALL: call @linalg_fill_f32_view4x4xf32(
// CALL: air.herd {{.*}} attributes {link_with = "p.o"}
// CALL: func.call @product(
func.func @product_of(%z: f32, %c: memref<4x4xf32>) {
  %c1 = arith.constant 1 : index
  linalg.fill ins(%z : f32) outs(%c : memref<4x4xf32>)
  air.launch () in () args(%l = %c) : memref<4x4xf32> {
    %one = arith.constant 1 : index
    air.herd tile (%i, %j) in (%si = %one, %sj = %one) args(%h = %l) : memref<4x4xf32> {
      linalg.matmul ins(%h, %h : memref<4x4xf32>, memref<4x4xf32>) outs(%h : memref<4x4xf32>)
    }
  }
  return
}
