// RUN: not airlite-opt %s --air-override-memref-memory-space='memory-space=3' 2>&1 | FileCheck %s
// RUN: not airlite-opt %s --air-override-memref-memory-space='memory-space=-1' 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: not airlite-opt %s --air-override-memref-memory-space='scope=core' 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-space-target.mlir' 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-space-number.mlir' 2>&1 | FileCheck %s --check-prefix=NUMBER

// CHECK: error: memory-space is 0, 1 or 2, not 3
// LESS: error: memory-space is 0, 1 or 2, not -1
// SCOPE: error: {{.*}}scope
// TARGET: error: 'scf.parallel' op is not a function, launch, segment or herd
// NUMBER: air-transform-space-number.mlir:4:{{.*}}error: {{.*}}memory_space is 0, 1 or 2, not 5
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
  }
  return
}
