// The runs of a counterexample are replayed; what is not a schedule, or one for another program, is
// said, and nothing runs.
// RUN: not airlite-opt %s --air-verify-program=counterexample=%t --emit=none 2>/dev/null
// RUN: FileCheck %s --check-prefix=FILE < %t
// FILE: "format": "airlite-schedule"
// FILE: "function": "two_writers"
// FILE: "shows": "race"
// FILE: "name": "air.dma_memcpy_nd"
// RUN: not airlite-run %s --on=interp --init=random:1 --schedule=%t 2>&1 | FileCheck %s
// CHECK: error: argument 2 at [{{[0-9]}}] depends on the schedule: {{.*}} with run 0 of the schedule, {{.*}} with run 1 of the schedule
// RUN: sed 's/"op": 1,/"op": 0,/' %t > %t.other
// RUN: not airlite-run %s --on=interp --init=zero --schedule=%t.other 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: it is for another program: op 0 is 'arith.constant'
// RUN: echo '{"format": "airlite-schedule", "version": 2}' > %t.version
// RUN: not airlite-run %s --on=interp --init=zero --schedule=%t.version 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: expected "format": "airlite-schedule", "version": 1
// RUN: sed 's/"seed"/"sead"/' %t > %t.member
// RUN: not airlite-run %s --on=interp --init=zero --schedule=%t.member 2>&1 | FileCheck %s --check-prefix=MEMBER
// MEMBER: unknown member "sead"
// RUN: not airlite-run %s --on=interp --init=zero --schedule=%t.nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: {{.*}}nowhere
// RUN: not airlite-run %s --on=interp --init=zero --schedule=%t --seed=3 2>&1 | FileCheck %s --check-prefix=EXCLUDES
// EXCLUDES: {{--schedule excludes --seed|--seed excludes --schedule}}
// RUN: not airlite-run %s --on=host --init=zero --schedule=%t 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error:

func.func @two_writers(%a: memref<4xi32>, %b: memref<4xi32>, %out: memref<4xi32>) {
  %zero = arith.constant 0 : index
  %t0 = air.dma_memcpy_nd async (%out[] [] [], %a[] [] []) : (memref<4xi32>, memref<4xi32>)
  %t1 = air.dma_memcpy_nd async (%out[] [] [], %b[] [] []) : (memref<4xi32>, memref<4xi32>)
  air.wait_all [%t0, %t1]
  return
}
