// RUN: airlite-opt %s --air-wrap-func-with-parallel=loop-bounds=4,2 --split-input-file --verify-diagnostics
// RUN: not airlite-opt %s --air-wrap-func-with-parallel 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not airlite-opt %s --air-wrap-func-with-parallel=loop-bounds=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not airlite-opt %s --air-wrap-func-with-parallel='loop-bounds=4,2 actual-sizes=3' 2>&1 | FileCheck %s --check-prefix=SIZES
// NONE: error: option 'loop-bounds' must be specified
// NEGATIVE: error: expected bounds that are not negative
// SIZES: error: expected as many 'actual-sizes' as 'loop-bounds'

// expected-error@+1 {{'func.func' op expected its last 4 arguments to be upper bounds and loop variables}}
func.func @few(%a: index, %b: index, %c: index) {
  return
}

// -----

// expected-error@+1 {{'func.func' op expected its last 4 arguments to be upper bounds and loop variables}}
func.func @floats(%a: index, %b: f32, %c: index, %d: index) {
  return
}

// -----

// expected-error@+1 {{'func.func' op not supported: results or several blocks}}
func.func @result(%a: index, %b: index, %c: index, %d: index) -> index {
  return %a : index
}
