// RUN: airlite-opt %s --air-place-herds --split-input-file --verify-diagnostics
// RUN: not airlite-opt %S/Inputs/empty.mlir --air-place-herds=num-rows=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not airlite-opt %S/Inputs/empty.mlir --air-place-herds=num-cols=100000 2>&1 | FileCheck %s --check-prefix=LARGE
// NEGATIVE: error: expected a grid without negative sizes or anchors
// LARGE: error: expected a grid of at most 1024 columns and rows, found 100000x8

func.func @dynamic(%n: index) {
  // expected-error@+1 {{'air.herd' op cannot be placed: its sizes are not constants}}
  air.herd @h tile (%x, %y) in (%a=%n, %b=%n) {
  }
  return
}

// -----

air.segment {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%a=%c1, %b=%c1) attributes {x_loc = 0 : i64, y_loc = 0 : i64} {
  }
  // expected-error@+1 {{'air.herd' op disagrees with sibling air.herd 'h' about x_loc and y_loc}}
  air.herd @h tile (%x, %y) in (%a=%c1, %b=%c1) {
  }
}

// -----

// expected-error@+1 {{expected a grid of at most 1024 columns and rows, found 5000x8}}
air.segment attributes {x_size = 5000 : i64} {
}
