// RUN: airlite-opt %s --check-each --air-transform='filename=%S/Inputs/air-transform-bounds-of-loops.mlir' | FileCheck %s
// RUN: airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-bounds-of-loops.mlir' --remarks 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-split.mlir' 2>&1 | FileCheck %s --check-prefix=SPLIT

// SPLIT: air-transform-split.mlir:4:{{.*}}error: 'transform.split_handle' op gets 3 ops for 2 results

// The inner loop only: the script has told them apart.
// CHECK-LABEL: func.func @inner
// CHECK: scf.for %[[I:.*]] = %c0 to %c8 step %c3
// CHECK: affine.apply #{{.*}}(%[[I]])
// CHECK: %[[L:.*]] = arith.constant 5 : index
// CHECK: %[[U:.*]] = arith.constant 37 : index
// CHECK: %[[S:.*]] = arith.constant 12 : index
// CHECK: scf.for %[[J:.*]] = %[[L]] to %[[U]] step %[[S]]
// CHECK: arith.addi %{{.*}}, %[[J]]
func.func @inner(%m: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c3 {
    %a = affine.apply affine_map<(d0) -> (d0 * 4 + 5)>(%i)
    scf.for %j = %c0 to %c8 step %c3 {
      %b = affine.apply affine_map<(d0) -> (d0 * 4 + 5)>(%j)
      %s = arith.addi %a, %b : index
      memref.store %s, %m[%b] : memref<64xindex>
    }
  }
  return
}

// REMARK: remark: {{.*}}stays: its variable is not used by one affine.apply of it alone
func.func @twice(%m: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c3 {
    %a = affine.apply affine_map<(d0) -> (d0 * 4 + 5)>(%i)
    memref.store %a, %m[%i] : memref<64xindex>
  }
  return
}

// REMARK: remark: {{.*}}stays: its bounds are not constant
// REMARK: remark: {{.*}}stays: the affine.apply is not a positive multiple of its variable
func.func @others(%n: index, %m: memref<64xindex>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %n step %c3 {
    %a = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    memref.store %a, %m[%c0] : memref<64xindex>
  }
  scf.for %i = %c0 to %c8 step %c3 {
    %a = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%i)
    memref.store %a, %m[%c0] : memref<64xindex>
  }
  return
}
