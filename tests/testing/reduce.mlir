// --reduce: the smallest program on which a command exits as it does on the input.
// RUN: airlite-opt %s --reduce='! grep -q air.channel.put' 2>%t.err | FileCheck %s --implicit-check-not=scf. --implicit-check-not=air.herd --implicit-check-not=@other
// RUN: FileCheck %s --check-prefix=NOTE < %t.err
// CHECK: func.func
// CHECK: air.channel.put
// NOTE: airlite-opt: note: {{[0-9]+}} operations became {{[3-7]}}, with {{[0-9]+}} candidates
// The file where {} stands; any exit code, and only that one.
// RUN: airlite-opt %s --reduce='grep -q arith.muli {} && exit 7; exit 8' 2>/dev/null | FileCheck %s --check-prefix=CODE --implicit-check-not=air.
// CODE: arith.muli
// A program that does not verify stays one.
// RUN: airlite-opt %S/Inputs/wrong.mlir --reduce='%{airlite-opt} {} 2>&1 | grep -q "herd is the innermost" && exit 1; exit 0' 2>/dev/null > %t.wrong
// RUN: FileCheck %s --check-prefix=WRONG < %t.wrong
// WRONG: "air.herd"
// WRONG: "air.herd"
// RUN: (airlite-opt %s --reduce='grep -q muli'; test $? = 1) 2>&1 | FileCheck %s --check-prefix=FINE
// FINE: error: --reduce: 'grep -q muli' does not fail on the input: there is nothing to look for
// RUN: (airlite-opt %s --reduce='no-such-command-at-all'; test $? = 1) 2>&1 | FileCheck %s --check-prefix=SHELL
// SHELL: error: --reduce: the shell cannot run 'no-such-command-at-all' (exit code 127)
// RUN: (airlite-opt %s --reduce=; test $? = 2) 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: --reduce{{.*}}
// RUN: (airlite-opt %s --reduce=false --cse; test $? = 2) 2>&1 | FileCheck %s --check-prefix=PASSES
// PASSES: error: --reduce works on one program as it is
air.channel @c []
func.func @other(%m: memref<8xi32>) {
  return
}
func.func @f(%m: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c2 {
    %t = air.herd @h async tile (%x, %y) in (%sx = %c2, %sy = %c2) args(%a = %m, %j = %i) : memref<8xi32>, index {
      %c4 = arith.constant 4 : index
      %o = arith.muli %j, %c4 : index
      %d = arith.cmpi slt, %o, %c4 : index
      scf.if %d {
        air.channel.put @c[] (%a[%o] [4] [1]) : (memref<8xi32>)
      }
    }
    air.wait_all [%t]
  }
  return
}
