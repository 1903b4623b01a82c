// How a core begins and ends.
// RUN: airlite-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0 emit-while-loop=true emit-herd-lock=true stack-size=2048' | FileCheck %s
// RUN: airlite-opt %s --air-to-aie='device=xcvc1902 emit-herd-lock=true' | FileCheck %s --check-prefix=FIRST
// RUN: airlite-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0 emit-while-loop=true lock-parameters=true' | FileCheck %s --check-prefix=NUMBERS

// A core that takes numbers waits for them before each run.
// NUMBERS: %[[LOCK:.*]] = aie.lock(%{{.*}}, 0) {init = 0 : i32, sym_name = "__air_herd_lock_0_2"}
// NUMBERS: aie.use_lock(%[[LOCK]], AcquireGreaterEqual, %{{.*}})
// NUMBERS-NEXT: %{{.*}} = arith.constant 0 : index
// NUMBERS: memref.load

// The host writes the arguments, then lets the core go.
// CHECK: %[[LOCK:.*]] = aie.lock(%{{.*}}, 0) {init = 0 : i32, sym_name = "__air_herd_lock_0_2"}
// CHECK: %[[RTP:.*]] = aie.buffer
// CHECK: aie.core
// CHECK: ^bb1:
// CHECK: aie.use_lock(%[[LOCK]], AcquireGreaterEqual, %{{.*}})
// CHECK: memref.load %[[RTP]]
// CHECK: ^bb2:
// CHECK-NOT: aie.use_lock
// CHECK-NOT: aie.end
// CHECK: cf.br ^bb1
// CHECK: stack_size = 2048 : i32

// FIRST: aie.device(xcvc1902)
// FIRST: aie.use_lock(%{{.*}}, Acquire, %{{.*}})
// FIRST: aie.use_lock(%{{.*}}, Release, %{{.*}})
// FIRST-NEXT: aie.end
func.func @f(%n: i32) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%i = %n) : i32 {
    %m = memref.alloc() : memref<8xi32, 2>
    memref.store %i, %m[%x] : memref<8xi32, 2>
  }
  return
}
