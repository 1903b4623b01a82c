// A program that asks for more memory than there is: an error, and no internal one.
// REQUIRES: !sanitize
// RUN: ulimit -v 4000000; not airlite-run %s --on=interp --init=zero 2>&1 | FileCheck %s
// CHECK: airlite-run: error: there is not enough memory for this
func.func @main(%in: memref<4294967296xf32>, %out: memref<4xf32>) {
  return
}
