// Undefined operations, and ops that the interpreter does not know.
// RUN: (airlite-run %s --on=interp --function=zero; test $? = 1) 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: 'arith.divsi' is undefined on these operands: division by zero
// RUN: (airlite-run %s --on=interp --function=overflow; test $? = 1) 2>&1 | FileCheck %s --check-prefix=OVER
// OVER: error: 'arith.divsi' is undefined on these operands: the result does not fit
// RUN: (airlite-run %s --on=interp --function=shift; test $? = 1) 2>&1 | FileCheck %s --check-prefix=SHIFT
// SHIFT: error: an index of 'memref.load' has no defined value
// SHIFT: note: it comes from here: the result of 'arith.shli' on these operands is poison
// RUN: (airlite-run %s --on=interp --function=unknown; test $? = 1) 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: undefined.mlir:[[#@LINE+28]]:3: error: not supported by the interpreter: 'air.custom' on memory
// RUN: (airlite-run %s --on=interp --function=body; test $? = 1) 2>&1 | FileCheck %s --check-prefix=BODY
// BODY: error: not supported by the interpreter: the function 'elsewhere' has no body
// RUN: (airlite-run %s --on=interp --function=endless --max-steps=1000; test $? = 1) 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: error: the run takes more than 1000 steps
func.func private @elsewhere()
func.func @zero() -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.divsi %1, %0 : i32
  return %2 : i32
}
func.func @overflow() -> i8 {
  %0 = arith.constant -128 : i8
  %1 = arith.constant -1 : i8
  %2 = arith.divsi %0, %1 : i8
  return %2 : i8
}
func.func @shift() -> i32 {
  %0 = arith.constant 40 : i32
  %m = memref.alloc() : memref<4xi32>
  %1 = arith.shli %0, %0 : i32
  %i = arith.index_cast %1 : i32 to index
  %2 = memref.load %m[%i] : memref<4xi32>
  return %2 : i32
}
func.func @unknown() {
  %m = memref.alloc() : memref<4xf32>
  air.custom operands (%m) : memref<4xf32>
  return
}
func.func @body() {
  call @elsewhere() : () -> ()
  return
}
func.func @endless() {
  cf.br ^bb1
^bb1:
  cf.br ^bb1
}
