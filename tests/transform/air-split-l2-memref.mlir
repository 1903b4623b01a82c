// RUN: airlite-opt %s --air-split-l2-memref=tiles-per-l2-tile=1 | FileCheck %s
// RUN: airlite-opt %s --check-each --air-split-l2-memref=tiles-per-l2-tile=1 | FileCheck %s
// RUN: airlite-opt %s --air-split-l2-memref | FileCheck %s --check-prefix=FEW
// RUN: airlite-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 max-launch-channels-mm2s=1' 2>&1 | FileCheck %s --check-prefix=CAP
// RUN: airlite-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 least-part=128' | FileCheck %s --check-prefix=LONG
// RUN: airlite-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 least-part=129' | FileCheck %s --check-prefix=SHORT
// RUN: airlite-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 least-part=129' --remarks 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: airlite-opt %s --air-split-l2-memref='tiles-per-l2-tile=1 least-part=1 least-row=32' | FileCheck %s --check-prefix=KEPT

// Rows of 16 bytes are not worth a transfer for each part, unless the buffer stays for several rounds.
// KEPT-LABEL: func.func @both
// KEPT: put async  @in[
// KEPT-LABEL: func.func @kept
// KEPT: put async  @channel_

// The launch moves 128 bytes of each part of @both.
// LONG-LABEL: func.func @both
// LONG: put async  @channel_0[
// SHORT-LABEL: func.func @both
// SHORT: put async  @in[
// WHY-COUNT-2: remark: [air-split-l2-memref] not split: its parts are moved in less time than a transfer takes to start

// CAP-COUNT-2: remark: air-split-l2-memref: skipping split (factor=2) on L2 alloc via channel @{{.*}} to avoid pushing launch MM2S endpoint count from 1 to 2 (cap=1)
// FEW-NOT: @channel_

air.channel @in [1] {channel_type = "npu_dma_packet", depth = 2 : i64}
air.channel @toCore [1, 2]
air.channel @fromCore [1, 2]
air.channel @out []


// Two columns each, on both sides. Channels keep their type and depth.
// CHECK: air.channel @channel_0 [2, 1] {channel_type = "npu_dma_packet", depth = 2 : i64}
// CHECK: air.channel @channel_1 [2, 1]
// CHECK-LABEL: func.func @both
// CHECK: put async  @channel_0[%c0, %c0] (%{{.*}}[%c0, %c0] [%c8, %c4] [%c8, %c1_0])
// CHECK: put async  @channel_0[%c1_0, %c0] (%{{.*}}[%c0, %c4] [%c8, %c4] [%c8, %c1_0])
// CHECK: get async  @channel_1[%c0, %c0] (%{{.*}}[%c0, %c0] [%c8, %c4] [%c8, %c1_0])
// CHECK: get async  @channel_1[%c1_0, %c0] (%{{.*}}[%c0, %c4] [%c8, %c4] [%c8, %c1_0])
// CHECK: %[[TA:.*]], %[[A:.*]] = air.execute -> (memref<8x4xi32, 1>)
// CHECK: %[[TB:.*]], %[[B:.*]] = air.execute -> (memref<8x4xi32, 1>)
// CHECK: %[[START:.*]] = air.wait_all async [%[[TA]], %[[TB]]]
// CHECK: %[[GA:.*]] = air.channel.get async [%[[START]]]  @channel_0[%{{.*}}, %{{.*}}] (%[[A]][%{{.*}}, 0] [%{{.*}}, %{{.*}}] [4, 1])
// CHECK: %[[GB:.*]] = air.channel.get async [%[[START]]]  @channel_0[%{{.*}}, %{{.*}}] (%[[B]]
// CHECK: %[[FILLED:.*]] = air.wait_all async [%[[GA]], %[[GB]]]
// CHECK: put async [%[[FILLED]]]  @toCore[%{{.*}}, %{{.*}}] (%[[A]][%{{.*}}, 0] [8, 4] [4, 1])
// CHECK: put async [%[[FILLED]]]  @toCore[%{{.*}}, %{{.*}}] (%[[B]][%{{.*}}, 0] [8, 4] [4, 1])
// CHECK: memref.dealloc %[[A]]
// CHECK: memref.dealloc %[[B]]
func.func @both(%a: memref<8x8xi32>, %b: memref<8x8xi32>) {
  %c1 = arith.constant 1 : index
  %l = air.launch async (%x) in (%sx=%c1) args(%m=%a, %n=%b) : memref<8x8xi32>, memref<8x8xi32> {
    %c0 = arith.constant 0 : index
    %p = air.channel.put async @in[%c0] (%m[] [] []) : (memref<8x8xi32>)
    %g = air.channel.get async @out[] (%n[] [] []) : (memref<8x8xi32>)
    %s = air.segment @seg async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c2_0 = arith.constant 2 : index
      %c4_0 = arith.constant 4 : index
      %ta, %buf = air.execute -> (memref<8x8xi32, 1>) {
        %alloc = memref.alloc() : memref<8x8xi32, 1>
        air.execute_terminator %alloc : memref<8x8xi32, 1>
      }
      %tb, %res = air.execute -> (memref<8x8xi32, 1>) {
        %alloc = memref.alloc() : memref<8x8xi32, 1>
        air.execute_terminator %alloc : memref<8x8xi32, 1>
      }
      %fill = air.channel.get async [%ta] @in[%c0_0] (%buf[] [] []) : (memref<8x8xi32, 1>)
      %send = scf.parallel (%i) = (%c0_0) to (%c2_0) step (%c1_0) init (%fill) -> !air.async.token {
        %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
        %t = air.channel.put async [%fill] @toCore[%c0_0, %i] (%buf[%c0_0, %at] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
        scf.reduce(%t : !air.async.token) {
        ^bb0(%q: !air.async.token, %r: !air.async.token):
          %both = air.wait_all async [%q, %r]
          scf.reduce.return %both : !air.async.token
        }
      }
      %r0 = air.channel.get async [%tb] @fromCore[%c0_0, %c0_0] (%res[0, 0] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      %r1 = air.channel.get async [%tb] @fromCore[%c0_0, %c1_0] (%res[0, %c4_0] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      %drain = air.channel.put async [%r0, %r1] @out[] (%res[] [] []) : (memref<8x8xi32, 1>)
      %h = air.herd @h async tile (%tx, %ty) in (%hx=%c1_0, %hy=%c2_0) {
        %b0 = memref.alloc() : memref<8x4xi32, 2>
        air.channel.get @toCore[%tx, %ty] (%b0[] [] []) : (memref<8x4xi32, 2>)
        air.channel.put @fromCore[%tx, %ty] (%b0[] [] []) : (memref<8x4xi32, 2>)
        memref.dealloc %b0 : memref<8x4xi32, 2>
      }
      %f0 = air.execute [%send] {
        memref.dealloc %buf : memref<8x8xi32, 1>
      }
      %f1 = air.execute [%drain] {
        memref.dealloc %res : memref<8x8xi32, 1>
      }
    }
  }
  return
}

air.channel @rows [1]
air.channel @lines [3, 1]

// Overlapping rows: they are sent to both. Rows that nobody asks for are not sent. What the launch
// adds to the offset stays.
// CHECK-LABEL: func.func @overlap
// CHECK: put async  @channel_2[%c0, %c0] (%{{.*}}[%{{.*}}, %{{.*}}] [%c3{{.*}}, %c4{{.*}}] [%c4{{.*}}, %c1{{.*}}])
// CHECK: put async  @channel_2[%c1{{.*}}, %c0] (%{{.*}}[%{{.*}}, %{{.*}}] [%c3{{.*}}, %c4{{.*}}] [%c4{{.*}}, %c1{{.*}}])
// CHECK: put async  @channel_2[%c2{{.*}}, %c0] (%{{.*}}[%{{.*}}, %{{.*}}] [%c3{{.*}}, %c4{{.*}}] [%c4{{.*}}, %c1{{.*}}])
// CHECK-COUNT-3: memref.alloc() : memref<3x4xi32, 1>
// CHECK: put @lines[%{{.*}}, %{{.*}}] (%{{.*}}[0, 0] [3, 4] [4, 1])
// CHECK: put @lines[%{{.*}}, %{{.*}}] (%{{.*}}[0, 0] [3, 4] [4, 1])
// CHECK: put @lines[%{{.*}}, %{{.*}}] (%{{.*}}[0, 0] [3, 4] [4, 1])
func.func @overlap(%a: memref<20x4xi32>, %b: memref<3x3x4xi32>) {
  %c2 = arith.constant 2 : index
  air.launch (%x) in (%sx=%c2) args(%m=%a, %n=%b) : memref<20x4xi32>, memref<3x3x4xi32> {
    %c0 = arith.constant 0 : index
    %at = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%x]
    %p = air.channel.put async @rows[%c0] (%m[%at, 0] [8, 4] [4, 1]) : (memref<20x4xi32>)
    air.segment @seg args(%o=%n, %y=%x) : memref<3x3x4xi32>, index {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c2_0 = arith.constant 2 : index
      %c3_0 = arith.constant 3 : index
      %buf = memref.alloc() : memref<8x4xi32, 1>
      air.channel.get @rows[%c0_0] (%buf[] [] []) : (memref<8x4xi32, 1>)
      %h = air.herd @h async tile (%tx, %ty) in (%hx=%c3_0, %hy=%c1_0) args(%q=%o, %z=%y) : memref<3x3x4xi32>, index {
        %c1_1 = arith.constant 1 : index
        %b0 = memref.alloc() : memref<3x4xi32, 2>
        air.channel.get @lines[%tx, %ty] (%b0[] [] []) : (memref<3x4xi32, 2>)
        %last = arith.cmpi eq, %z, %c1_1 : index
        scf.if %last {
          air.dma_memcpy_nd (%q[%tx, 0, 0] [1, 3, 4] [12, 4, 1], %b0[] [] []) : (memref<3x3x4xi32>, memref<3x4xi32, 2>)
        }
        memref.dealloc %b0 : memref<3x4xi32, 2>
      }
      air.channel.put @lines[%c0_0, %c0_0] (%buf[0, 0] [3, 4] [4, 1]) : (memref<8x4xi32, 1>)
      air.channel.put @lines[%c1_0, %c0_0] (%buf[2, 0] [3, 4] [4, 1]) : (memref<8x4xi32, 1>)
      air.channel.put @lines[%c2_0, %c0_0] (%buf[5, 0] [3, 4] [4, 1]) : (memref<8x4xi32, 1>)
      air.wait_all [%h]
      memref.dealloc %buf : memref<8x4xi32, 1>
    }
  }
  return
}

air.channel @blocks []
air.channel @block [2, 1]

// Each core takes every fourth row: two blocks of one row in each part, and a loop over blocks.
// CHECK-LABEL: func.func @gaps
// CHECK: put async  @channel_3[%c0, %c0] (%{{.*}}[%c1{{.*}}, %c0, %c0] [%c1{{.*}}, %c2, %c4] [%c4, %c16, %c1{{.*}}])
// CHECK: put async  @channel_3[%c1{{.*}}, %c0] (%{{.*}}[%c3{{.*}}, %c0, %c0] [%c1{{.*}}, %c2, %c4] [%c4, %c16, %c1{{.*}}])
// CHECK-COUNT-2: memref.alloc() : memref<2x4xi32, 1>
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK: put {{.*}}@block[%{{.*}}, %{{.*}}] (%{{.*}}[%[[I]], 0] [1, 4] [4, 1])
func.func @gaps(%a: memref<8x4xi32>, %b: memref<2x2x4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%m=%a, %n=%b) : memref<8x4xi32>, memref<2x2x4xi32> {
    %p = air.channel.put async @blocks[] (%m[] [] []) : (memref<8x4xi32>)
    air.segment @seg args(%o=%n) : memref<2x2x4xi32> {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c2_0 = arith.constant 2 : index
      %c4_0 = arith.constant 4 : index
      %c8_0 = arith.constant 8 : index
      %buf = memref.alloc() : memref<8x4xi32, 1>
      %fill = air.channel.get async @blocks[] (%buf[] [] []) : (memref<8x4xi32, 1>)
      %p0 = scf.for %i = %c0_0 to %c8_0 step %c4_0 iter_args(%t = %fill) -> (!air.async.token) {
        %at = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %put = air.channel.put async [%t] @block[%c0_0, %c0_0] (%buf[%at, 0] [1, 4] [4, 1]) : (memref<8x4xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %p1 = scf.for %i = %c0_0 to %c8_0 step %c4_0 iter_args(%t = %fill) -> (!air.async.token) {
        %at = affine.apply affine_map<(d0) -> (d0 + 3)>(%i)
        %put = air.channel.put async [%t] @block[%c1_0, %c0_0] (%buf[%at, 0] [1, 4] [4, 1]) : (memref<8x4xi32, 1>)
        scf.yield %put : !air.async.token
      }
      air.herd @h tile (%tx, %ty) in (%hx=%c2_0, %hy=%c1_0) args(%q=%o) : memref<2x2x4xi32> {
        %b0 = memref.alloc() : memref<2x4xi32, 2>
        air.channel.get @block[%tx, %ty] (%b0[] [] []) : (memref<2x4xi32, 2>)
        air.dma_memcpy_nd (%q[%tx, 0, 0] [1, 2, 4] [8, 4, 1], %b0[] [] []) : (memref<2x2x4xi32>, memref<2x4xi32, 2>)
        memref.dealloc %b0 : memref<2x4xi32, 2>
      }
      air.wait_all [%p0, %p1]
      memref.dealloc %buf : memref<8x4xi32, 1>
    }
  }
  return
}

air.channel @kept_in [1]
air.channel @kept_to [1, 2]
air.channel @kept_from [1, 2]
air.channel @kept_out []
func.func @kept(%a: memref<8x8xi32>, %b: memref<8x8xi32>) {
  %c1 = arith.constant 1 : index
  %l = air.launch async (%x) in (%sx=%c1) args(%m=%a, %n=%b) : memref<8x8xi32>, memref<8x8xi32> {
    %c0 = arith.constant 0 : index
    %p = air.channel.put async @kept_in[%c0] (%m[] [] []) : (memref<8x8xi32>)
    %g = air.channel.get async @kept_out[] (%n[] [] []) : (memref<8x8xi32>)
    %s = air.segment @seg async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c2_0 = arith.constant 2 : index
      %c4_0 = arith.constant 4 : index
      %ta, %buf = air.execute -> (memref<8x8xi32, 1>) {
        %alloc = memref.alloc() {air.kept} : memref<8x8xi32, 1>
        air.execute_terminator %alloc : memref<8x8xi32, 1>
      }
      %tb, %res = air.execute -> (memref<8x8xi32, 1>) {
        %alloc = memref.alloc() : memref<8x8xi32, 1>
        air.execute_terminator %alloc : memref<8x8xi32, 1>
      }
      %fill = air.channel.get async [%ta] @kept_in[%c0_0] (%buf[] [] []) : (memref<8x8xi32, 1>)
      %send = scf.parallel (%i) = (%c0_0) to (%c2_0) step (%c1_0) init (%fill) -> !air.async.token {
        %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
        %t = air.channel.put async [%fill] @kept_to[%c0_0, %i] (%buf[%c0_0, %at] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
        scf.reduce(%t : !air.async.token) {
        ^bb0(%q: !air.async.token, %r: !air.async.token):
          %both = air.wait_all async [%q, %r]
          scf.reduce.return %both : !air.async.token
        }
      }
      %r0 = air.channel.get async [%tb] @kept_from[%c0_0, %c0_0] (%res[0, 0] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      %r1 = air.channel.get async [%tb] @kept_from[%c0_0, %c1_0] (%res[0, %c4_0] [8, 4] [8, 1]) : (memref<8x8xi32, 1>)
      %drain = air.channel.put async [%r0, %r1] @kept_out[] (%res[] [] []) : (memref<8x8xi32, 1>)
      %h = air.herd @h async tile (%tx, %ty) in (%hx=%c1_0, %hy=%c2_0) {
        %b0 = memref.alloc() : memref<8x4xi32, 2>
        air.channel.get @kept_to[%tx, %ty] (%b0[] [] []) : (memref<8x4xi32, 2>)
        air.channel.put @kept_from[%tx, %ty] (%b0[] [] []) : (memref<8x4xi32, 2>)
        memref.dealloc %b0 : memref<8x4xi32, 2>
      }
      %f0 = air.execute [%send] {
        memref.dealloc %buf : memref<8x8xi32, 1>
      }
      %f1 = air.execute [%drain] {
        memref.dealloc %res : memref<8x8xi32, 1>
      }
    }
  }
  return
}
