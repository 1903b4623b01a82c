// RUN: airlite-opt %s --check-each --air-transform='filename=%S/Inputs/air-transform-casts.mlir' | FileCheck %s
// RUN: airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-casts.mlir' --remarks 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-casts-wrong.mlir' 2>&1 | FileCheck %s --check-prefix=WRONG

// The sum is carried as 32 bits. It wraps the same way, so that nothing changes.
// CHECK-LABEL: func.func @carried
// CHECK: %[[WIDE:.*]] = arith.extsi %{{.*}} : vector<8xi16> to vector<8xi32>
// CHECK-NEXT: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[ACC:.*]] = %[[WIDE]]) -> (vector<8xi32>)
// CHECK: %[[ROWS:.*]] = vector.shape_cast %[[ACC]] : vector<8xi32> to vector<2x4xi32>
// CHECK-NOT: arith.extsi
// CHECK: arith.addi %[[ROWS]]
// CHECK: %[[FLAT:.*]] = vector.shape_cast %{{.*}} : vector<2x4xi32> to vector<8xi32>
// CHECK: scf.yield %[[FLAT]] : vector<8xi32>
// CHECK: %[[NARROW:.*]] = arith.trunci %[[SUM]] : vector<8xi32> to vector<8xi16>
// CHECK: vector.transfer_write %[[NARROW]]
func.func @carried(%m: memref<8xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i16
  %first = vector.transfer_read %m[%c0], %z {in_bounds = [true]} : memref<8xi16>, vector<8xi16>
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %first) -> (vector<8xi16>) {
    %rows = vector.shape_cast %acc : vector<8xi16> to vector<2x4xi16>
    %wide = arith.extsi %rows : vector<2x4xi16> to vector<2x4xi32>
    %twice = arith.addi %wide, %wide : vector<2x4xi32>
    %narrow = arith.trunci %twice : vector<2x4xi32> to vector<2x4xi16>
    %flat = vector.shape_cast %narrow : vector<2x4xi16> to vector<8xi16>
    scf.yield %flat : vector<8xi16>
  }
  vector.transfer_write %sum, %m[%c0] {in_bounds = [true]} : vector<8xi16>, memref<8xi16>
  return
}

// REMARK: remark: {{.*}}stays: the value that it carries has other uses than these casts
// CHECK-LABEL: func.func @also_used
// CHECK: scf.for {{.*}} -> (vector<8xi16>)
func.func @also_used(%m: memref<8xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i16
  %first = vector.transfer_read %m[%c0], %z {in_bounds = [true]} : memref<8xi16>, vector<8xi16>
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%acc = %first) -> (vector<8xi16>) {
    %wide = arith.extsi %acc : vector<8xi16> to vector<8xi32>
    %twice = arith.addi %wide, %wide : vector<8xi32>
    %narrow = arith.trunci %twice : vector<8xi32> to vector<8xi16>
    vector.transfer_write %acc, %m[%c0] {in_bounds = [true]} : vector<8xi16>, memref<8xi16>
    scf.yield %narrow : vector<8xi16>
  }
  vector.transfer_write %sum, %m[%c0] {in_bounds = [true]} : vector<8xi16>, memref<8xi16>
  return
}

// Vectors of one element stay. (Products of 16 bits that are small have 32 bits the same.)
// WRONG: error: {{.*}}'arith.muli'
// CHECK-LABEL: func.func @product
// CHECK: %[[A:.*]] = arith.trunci %{{.*}} : vector<8xi32> to vector<8xi16>
// CHECK: %[[B:.*]] = arith.trunci %{{.*}} : vector<8xi32> to vector<8xi16>
// CHECK: %[[P:.*]] = arith.muli %[[A]], %[[B]] : vector<8xi16>
// CHECK: arith.extsi %[[P]] : vector<8xi16> to vector<8xi32>
// CHECK: arith.addi %{{.*}}, %{{.*}} : vector<1xi32>
func.func @product(%m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %one = arith.constant dense<1> : vector<1xi32>
  %a = arith.constant dense<[1, 2, 3, 4, 5, 6, 7, 8]> : vector<8xi32>
  %p = arith.muli %a, %a : vector<8xi32>
  vector.transfer_write %p, %m[%c0] {in_bounds = [true]} : vector<8xi32>, memref<8xi32>
  %s = arith.addi %one, %one : vector<1xi32>
  vector.transfer_write %s, %m[%c0] {in_bounds = [true]} : vector<1xi32>, memref<8xi32>
  return
}
