// A name that an op uses and that its own region defines: a use before the definition, not a crash
// (found by unit.fuzz_text).
// RUN: not airlite-opt %s --split-input-file --emit=none 2>&1 | FileCheck %s

// CHECK: own_region.mlir:[[#@LINE+2]]:{{[0-9]+}}: error:
func.func @bound(%n: index) {
  affine.parallel (%i, %j) = (%j, 0) to (%n, 4) {
  }
  return
}

// -----

// CHECK: own_region.mlir:[[#@LINE+2]]:{{[0-9]+}}: error:
func.func @loop(%n: index) {
  scf.for %j = %j to %n step %n {
  }
  return
}

// -----

// CHECK: own_region.mlir:[[#@LINE+2]]:{{[0-9]+}}: error:
func.func @inside(%n: index, %m: memref<4xindex>) {
  scf.for %i = %late to %n step %n {
    %late = memref.load %m[%i] : memref<4xindex>
  }
  return
}
