// RUN: airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-herd.mlir' | FileCheck %s --check-prefix=HERD
// RUN: airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-launch.mlir' | FileCheck %s --check-prefix=LAUNCH
// RUN: airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-select.mlir' --verify-diagnostics | FileCheck %s --check-prefix=SELECT

// Loops of one attribute become herds, the first dimension along y.
// HERD-LABEL: func.func @f
// HERD: scf.parallel
// HERD: %[[ONE:.*]] = arith.constant 1 : index
// HERD: %[[FOUR:.*]] = arith.constant 4 : index
// HERD: air.herd @herd_0 tile ({{.*}}) in (%{{.*}}=%[[ONE]], %{{.*}}=%[[FOUR]])

// The outer loop, found from the inner one, becomes a launch with a segment.
// LAUNCH-LABEL: func.func @f
// LAUNCH: air.launch
// LAUNCH: air.segment @f_0
// LAUNCH: scf.parallel
// LAUNCH: return

// SELECT-LABEL: func.func @f
// SELECT-NOT: scf.parallel
// SELECT: air.segment
// SELECT: scf.parallel
func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // The script of the last line above says so: expected-remark@+1 {{around}}
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c4) step (%c1) {
      %alloc = memref.alloc() : memref<1xi32, 2>
      memref.dealloc %alloc : memref<1xi32, 2>
    } {inner}
  }
  return
}
