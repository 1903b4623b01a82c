// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-replaced.mlir' 2>&1 | FileCheck %s
// RUN: not airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-no-loop.mlir' 2>&1 | FileCheck %s --check-prefix=LOOP

// CHECK: air-transform-replaced.mlir:6:{{.*}}error: {{.*}}is given an op that it has replaced
// LOOP: error: 'func.func' op is not 'scf.for', as 'transform.air.normalize_for_bounds' wants
func.func @f(%x: f32) -> vector<4xf32> {
  %0 = math.absf %x : f32
  %1 = vector.broadcast %0 : f32 to vector<4xf32>
  return %1 : vector<4xf32>
}
