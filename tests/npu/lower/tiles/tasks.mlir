// RUN: airlite-opt %s --split-input-file --air-to-aie='device=npu1 row-offset=2 col-offset=0' | FileCheck %s

// Two loops over one channel: a task for each, in the order of the program. The core ends, so the
// tasks do, too.
// CHECK-LABEL: aie.device(npu1) @phases {
// CHECK: aie.mem(%tile_0_2) {
// CHECK-NEXT: aie.dma_start(S2MM, 0, ^bb1, ^bb3, repeat_count = 5)
// CHECK: ^bb1:
// CHECK: aie.dma_bd({{.*}} len = 4) {task_id = 0 : i32}
// CHECK: aie.next_bd ^bb2
// CHECK: ^bb2:
// CHECK-NEXT: aie.end
// CHECK: ^bb3:
// CHECK-NEXT: aie.dma_start(S2MM, 0, ^bb4, ^bb2, repeat_count = 29)
// CHECK: aie.dma_bd({{.*}} len = 8) {task_id = 1 : i32}
// CHECK: aie.next_bd ^bb2
air.channel @in [1]
func.func @f_phases(%a: memref<4xi32>, %b: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  air.channel.put @in[] (%a[] [] []) : (memref<4xi32>)
  air.channel.put @in[] (%b[] [] []) : (memref<8xi32>)
  air.herd @phases tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c30 = arith.constant 30 : index
    %m = memref.alloc() : memref<4xi32, 2>
    %n = memref.alloc() : memref<8xi32, 2>
    scf.for %i = %c0 to %c6 step %c1_0 {
      air.channel.get @in[] (%m[] [] []) : (memref<4xi32, 2>)
    }
    scf.for %i = %c0 to %c30 step %c1_0 {
      air.channel.get @in[] (%n[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// -----

// Transfers that are the same have one descriptor, wherever they stand; what happens on one way of
// a branch only is a whole round of the ring.
// CHECK-LABEL: aie.device(npu1) @same {
// CHECK: aie.mem(%tile_0_2) {
// CHECK-NEXT: aie.dma_start(MM2S, 0, ^bb1, ^bb2)
// CHECK: aie.next_bd ^bb1
// CHECK: aie.core
air.channel @out [1]
func.func @f_same(%a: memref<4xi32>, %n: i32) {
  %c1 = arith.constant 1 : index
  air.channel.get @out[] (%a[] [] []) : (memref<4xi32>)
  air.herd @same tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%k = %n) : i32 {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %m = memref.alloc() : memref<4xi32, 2>
    %odd = arith.trunci %k : i32 to i1
    air.channel.put @out[] (%m[] [] []) : (memref<4xi32, 2>)
    scf.if %odd {
      air.channel.put @out[] (%m[] [] []) : (memref<4xi32, 2>)
    }
    scf.for %i = %c0 to %c9 step %c1_0 {
      air.channel.put @out[] (%m[] [] []) : (memref<4xi32, 2>)
    }
  }
  return
}

// -----

// Three streams into a core that has two DMA channels: two come from one memory tile in the order
// in which the core uses them, and share one. L2 memory that is sent four times for one fill counts.
// CHECK-LABEL: aie.device(npu1) @three {
// CHECK-DAG: aie.lock(%logical_mem, {{.*}}) {init = 4 : i32}
// CHECK: aie.mem(%tile_0_2) {
// CHECK-NEXT: aie.dma_start(S2MM, 0, ^bb1, ^bb3)
// CHECK: aie.dma_bd({{.*}} len = 16)
// CHECK: aie.dma_start(S2MM, 1, ^bb4, ^bb2)
// CHECK: aie.dma_bd({{.*}} len = 4)
// CHECK: aie.dma_bd({{.*}} len = 8)
// CHECK: aie.next_bd ^bb4
// CHECK: aie.memtile_dma
// CHECK-NEXT: aie.dma_start(MM2S, 0, ^bb1, ^bb4)
// CHECK: aie.dma_start(S2MM, 0
// CHECK: %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK-NEXT: aie.use_lock(%{{.*}}, AcquireGreaterEqual, %[[FOUR]])
air.channel @inA [1]
air.channel @inB [1]
air.channel @a [1]
air.channel @b [1]
air.channel @c [1]
func.func @f_three(%x: memref<4xi32>, %y: memref<8xi32>, %z: memref<16xi32>) {
  air.channel.put @inA[] (%x[] [] []) : (memref<4xi32>)
  air.channel.put @inB[] (%y[] [] []) : (memref<8xi32>)
  air.channel.put @c[] (%z[] [] []) : (memref<16xi32>)
  air.segment @three {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %la = memref.alloc() : memref<4xi32, 1>
    %lb = memref.alloc() : memref<8xi32, 1>
    air.channel.get @inA[] (%la[] [] []) : (memref<4xi32, 1>)
    scf.for %i = %c0 to %c4 step %c1 {
      air.channel.get @inB[] (%lb[] [] []) : (memref<8xi32, 1>)
      air.channel.put @a[] (%la[] [] []) : (memref<4xi32, 1>)
      air.channel.put @b[] (%lb[] [] []) : (memref<8xi32, 1>)
    }
    air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c4_0 = arith.constant 4 : index
      %m = memref.alloc() : memref<4xi32, 2>
      %n = memref.alloc() : memref<8xi32, 2>
      %o = memref.alloc() : memref<16xi32, 2>
      air.channel.get @c[] (%o[] [] []) : (memref<16xi32, 2>)
      scf.for %i = %c0_0 to %c4_0 step %c1_0 {
        air.channel.get @a[] (%m[] [] []) : (memref<4xi32, 2>)
        air.channel.get @b[] (%n[] [] []) : (memref<8xi32, 2>)
        %e = memref.load %m[%c0_0] : memref<4xi32, 2>
        memref.store %e, %n[%c0_0] : memref<8xi32, 2>
        memref.store %e, %o[%c0_0] : memref<16xi32, 2>
      }
    }
  }
  return
}
