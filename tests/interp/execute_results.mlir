// A result of an execute may be handed on before it is there; who needs it waits.
// RUN: airlite-run %s --on=interp --schedules=30 -v 2>&1 | FileCheck %s
// CHECK: 30 schedules agree
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t0, %m = air.execute -> (memref<4xi32>) {
    %a = memref.alloc() : memref<4xi32>
    air.execute_terminator %a : memref<4xi32>
  }
  %t1, %n = air.execute -> (index) {
    %two = arith.constant 2 : index
    air.execute_terminator %two : index
  }
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %m, %k = %n) -> (memref<4xi32>, index) {
    scf.yield %a, %k : memref<4xi32>, index
  }
  %t2 = air.execute [%t0, %t1] {
    %5 = arith.constant 5 : i32
    memref.store %5, %r#0[%r#1] : memref<4xi32>
  }
  air.wait_all [%t2]
  %v = memref.load %m[%n] : memref<4xi32>
  %5 = arith.constant 5 : i32
  %ok = arith.cmpi eq, %v, %5 : i32
  cf.assert %ok, "stored through the promise"
  return
}
