// RUN: not airlite-opt %s --air-transform 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not airlite-opt %s --air-transform='filename=%s' 2>&1 | FileCheck %s --check-prefix=MAIN
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-twice.mlir' 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-unknown.mlir' 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-bounds.mlir' 2>&1 | FileCheck %s --check-prefix=BOUNDS

// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-same.mlir' 2>&1 | FileCheck %s --check-prefix=SAME

// FILE: error: cannot read the script ''
// MAIN: error: expected a transform.named_sequence @__transform_main
// TWICE: air-transform-twice.mlir:5:{{.*}}error: {{.*}}uses a handle to an op that is gone
// UNKNOWN: air-transform-unknown.mlir:3:{{.*}}error: {{.*}}not supported: this op in a script
// SAME: error: {{.*}}is to be converted twice
// BOUNDS: error: {{.*}}failed to normalize: upper bound is not a constant
func.func @f(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
  } {good}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
  }
  return
}
