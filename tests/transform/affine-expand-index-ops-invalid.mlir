// RUN: not airlite-opt %s --affine-expand-index-ops 2>&1 | FileCheck %s
// CHECK: error
func.func @zero(%i: index) -> index {
  %q:2 = affine.delinearize_index %i into (8, 0) : index, index
  return %q#1 : index
}
