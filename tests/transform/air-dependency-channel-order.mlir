// Two puts at one place: by itself the pass leaves their order open, and says so; with
// keep-channel-order the program means what it meant.
// RUN: airlite-opt %s --air-dependency --remarks 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: airlite-opt %s --air-dependency=keep-channel-order=true --remarks 2>&1 | FileCheck %s
// RUN: airlite-opt %s --check-each --air-dependency=keep-channel-order=true --air-verify-program \
// RUN:   --emit=none
// RUN: airlite-opt %s --air-dependency -o %t.mlir
// RUN: (airlite-run %t.mlir --on=interp --function=puts --init=random:1 --schedules=20; test $? = 1) \
// RUN:   2>&1 | FileCheck %s --check-prefix=DIFF
// RUN: (airlite-opt %t.mlir --air-verify-program --emit=none; test $? = 1) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERIFY
// RUN: airlite-opt --generate=20 | airlite-opt - --air-dependency=keep-channel-order=true --check-each --emit=none
// RUN: airlite-opt --generate=23 | airlite-opt - --air-dependency=keep-channel-order=true --check-each --emit=none
// RUN: airlite-opt --generate=34 | airlite-opt - --air-dependency=keep-channel-order=true --check-each --emit=none
// DIFF: depends on the schedule
// VERIFY: error: race: {{.*}}'air.channel.put'
air.channel @c [1]

// OPEN: :[[#@LINE+15]]:3: remark: {{.*}}may overtake the transfers before it through this end of '@c' from here on
// OPEN: :[[#@LINE+18]]:5: remark: {{.*}}may overtake the transfers before it through this end of '@c' from here on
// OPEN-LABEL: func.func @puts
// OPEN: air.channel.put async @c
// OPEN: air.channel.put async @c
// CHECK-NOT: remark
// CHECK-LABEL: func.func @puts
// CHECK: %[[P:.*]] = air.channel.put async @c
// CHECK: air.channel.put async [%[[P]]] @c
// CHECK: %[[G:.*]] = air.channel.get async {{.*}}@c
// CHECK: air.channel.get async [{{.*}}%[[G]]{{.*}}] @c
func.func @puts(%a: memref<8xf32>, %b: memref<8xf32>, %r: memref<2x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  air.channel.put @c[%c0] (%a[] [] []) : (memref<8xf32>)
  air.channel.put @c[%c0] (%b[] [] []) : (memref<8xf32>)
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%o = %r) : memref<2x8xf32> {
    %c = arith.constant 0 : index
    air.channel.get @c[%c] (%o[0, 0] [1, 8] [8, 1]) : (memref<2x8xf32>)
    air.channel.get @c[%c] (%o[1, 0] [1, 8] [8, 1]) : (memref<2x8xf32>)
  }
  return
}
