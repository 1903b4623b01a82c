// RUN: not airlite-opt %s --split-input-file 2>&1 | FileCheck %s

// CHECK: error: 'aievec.shift' op
func.func @types(%a: vector<4xi16>, %b: vector<8xi16>, %s: i32) {
  %c = "aievec.shift"(%a, %b, %s) : (vector<4xi16>, vector<8xi16>, i32) -> vector<4xi16>
  return
}

// -----

// CHECK: error: 'aievec.shift' op
func.func @rank(%a: vector<4x4xi16>, %s: i32) {
  %c = "aievec.shift"(%a, %a, %s) : (vector<4x4xi16>, vector<4x4xi16>, i32) -> vector<4x4xi16>
  return
}
