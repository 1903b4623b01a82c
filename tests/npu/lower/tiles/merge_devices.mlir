// RUN: airlite-opt %s --split-input-file --verify-diagnostics --air-merge-unrolled-devices | FileCheck %s

// Locks of the host are at their new place; names inside of a device stay apart.
// CHECK: aie.device(npu2_2col) @seg {
// CHECK: func.func private @kernel(memref<8xi32>)
// CHECK: aie.lock(%{{.*}}, 0) {init = 0 : i32, sym_name = "__air_herd_lock_0_2"}
// CHECK: air.channel @c_unroll_0 [1]
// CHECK: %[[TILE:.*]] = aie.tile(1, 2)
// CHECK: aie.lock(%[[TILE]], 0) {init = 0 : i32, sym_name = "__air_herd_lock_1_2"}
// CHECK: aie.core(%[[TILE]])
// CHECK: func.call @kernel
// CHECK: air.channel @c_unroll_1 [1]
// CHECK-NOT: segment_unroll
// CHECK: aie.device(npu2_1col) @alone_0_0
module {
  aie.device(npu2_1col) @seg_0_0 {
    func.func private @kernel(memref<8xi32>)
    %t = aie.tile(0, 2)
    %l = aie.lock(%t, 0) {init = 0 : i32, sym_name = "__air_herd_lock_0_2"}
    air.channel @c [1]
    aie.end
  } {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
  aie.device(npu2_1col) @seg_0_1 {
    func.func private @kernel(memref<8xi32>)
    %t = aie.tile(0, 2)
    %l = aie.lock(%t, 0) {init = 0 : i32, sym_name = "__air_herd_lock_0_2"}
    %b = aie.buffer(%t) : memref<8xi32>
    aie.core(%t) {
      func.call @kernel(%b) : (memref<8xi32>) -> ()
      aie.end
    }
    air.channel @c [1]
    aie.end
  } {segment_unroll_x = 0 : i64, segment_unroll_y = 1 : i64}
  aie.device(npu2_1col) @alone_0_0 {
    aie.end
  } {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
}

// -----

module {
  // expected-error@+1 {{not supported: 2 instances need 8 columns, more than a device of this family has}}
  aie.device(npu1) @seg_0_0 {
    aie.end
  } {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
  aie.device(npu1) @seg_1_0 {
    aie.end
  } {segment_unroll_x = 1 : i64, segment_unroll_y = 0 : i64}
}

// -----

module {
  aie.device(npu2_1col) @seg_0_0 {
    func.func private @kernel(memref<8xi32>)
    aie.end
  } {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
  aie.device(npu2_1col) @seg_1_0 {
    // expected-error@+1 {{function 'kernel' has conflicting signatures across unrolled devices: '(memref<8xi32>) -> ()' vs '(memref<4xi32>) -> ()'}}
    func.func private @kernel(memref<4xi32>)
    aie.end
  } {segment_unroll_x = 1 : i64, segment_unroll_y = 0 : i64}
}

// -----

module {
  aie.device(npu2_1col) @seg_0 {
    %m = aie.tile(0, 1)
    %t = aie.tile(0, 2)
    aie.packet_flow(3) {
      aie.packet_source<%t, DMA : 0>
      aie.packet_dest<%m, DMA : 0>
    }
    aie.end
  } {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
  aie.device(npu2_1col) @seg_1 {
    %m = aie.tile(0, 1)
    %t = aie.tile(0, 2)
    // expected-error@+1 {{not supported: packet flows of one id in several unrolled devices}}
    aie.packet_flow(3) {
      aie.packet_source<%t, DMA : 0>
      aie.packet_dest<%m, DMA : 0>
    }
    aie.end
  } {segment_unroll_x = 1 : i64, segment_unroll_y = 0 : i64}
}

// -----

module {
  aie.device(npu2_1col) @seg_0 {
    aie.end
  } {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
  aie.device(npu2_1col) @seg_1 {
    aie.end
  } {segment_unroll_x = 1 : i64, segment_unroll_y = 0 : i64}
  func.func @host() {
    // expected-error@+1 {{merging devices that the host loads already}}
    %p = airrt.segment_load "seg_1" : i64
    return
  }
}

// -----

module {
  aie.device(npu2_1col) @seg_0 { aie.end } {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
  // expected-error@+1 {{is the same instance as @seg_0}}
  aie.device(npu2_1col) @seg_0_0 { aie.end } {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
}

// -----

module {
  aie.device(npu2_1col) @seg_0 {
    %shim = aie.tile(0, 0)
    %core = aie.tile(0, 2)
    // expected-error@+1 {{not supported: merging devices that have object FIFOs (aie-objectfifo-to-locks goes before)}}
    aie.objectfifo @in(%shim, {%core}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.end
  } {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
  aie.device(npu2_1col) @seg_1 { aie.end } {segment_unroll_x = 1 : i64, segment_unroll_y = 0 : i64}
}

// -----

// A name by its place that another instance has for something else.
module {
  aie.device(npu2_1col) @seg_0 {
    %t = aie.tile(0, 2)
    // expected-note@+1 {{that is here}}
    %l = aie.lock(%t, 0) {init = 0 : i32, sym_name = "__air_herd_lock_1_2"}
    aie.end
  } {segment_unroll_x = 0 : i64, segment_unroll_y = 0 : i64}
  aie.device(npu2_1col) @seg_1 {
    %t = aie.tile(0, 2)
    %m = aie.lock(%t, 1) {init = 0 : i32, sym_name = "__air_herd_lock_1_2_unroll_0"}
    // expected-error@+1 {{not supported: it would be called '__air_herd_lock_1_2' in the one device, as something of another instance is}}
    %l = aie.lock(%t, 0) {init = 0 : i32, sym_name = "__air_herd_lock_0_2"}
    aie.end
  } {segment_unroll_x = 1 : i64, segment_unroll_y = 0 : i64}
}
