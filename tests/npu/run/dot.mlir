// A result without dimensions is a row of one element to a core.
// RUN: airlite-run %s --on=sim --compare=interp --init=random:1 | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit
func.func @main(%a: memref<256xi32>, %b: memref<256xi32>, %c: memref<i32>) {
  linalg.dot ins(%a, %b : memref<256xi32>, memref<256xi32>) outs(%c : memref<i32>)
  return
}
