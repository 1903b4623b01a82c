// The JSON form through the tool: text, JSON, text.
// RUN: airlite-opt %s --emit=json > %t.json
// RUN: airlite-opt %t.json | FileCheck %s
// RUN: airlite-opt %s > %t.direct && airlite-opt %t.json | diff %t.direct -
// RUN: airlite-opt %s --print-debuginfo > %t.direct && airlite-opt %t.json --print-debuginfo | diff %t.direct -
// RUN: FileCheck %s --check-prefix=JSON < %t.json

// CHECK-LABEL: func.func @sum(
// CHECK: %[[R:.*]] = scf.for
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK: return %[[R]] : f32

// JSON: "format": "airlite-ir"
// JSON: "op": "scf.for"
// JSON-NEXT: "loc": [
// JSON: "op": "memref.load"
// JSON: "operands": [
func.func @sum(%m: memref<16xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %r = scf.for %i = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (f32) {
    %x = memref.load %m[%i] : memref<16xf32>
    %s = arith.addf %acc, %x : f32
    scf.yield %s : f32
  }
  return %r : f32
}
