// RUN: airlite-opt %s --air-unroll-segments --check-each | FileCheck %s
// RUN: airlite-opt %s --air-unroll-segments --emit=none --remarks 2>&1 | FileCheck %s --check-prefix=REMARK

// An asynchronous segment: its instances wait for what it waited for, their joined token is its.
// CHECK-LABEL: func.func @async
// CHECK: %[[START:.*]] = air.wait_all async
// CHECK: %[[A:.*]] = air.segment @s_0_0 async [%[[START]]]  args(%[[M:.*]]=%{{.*}}, %{{.*}}=%{{.*}}) : memref<2x4xi32>, memref<2x4xi32> attributes {x.y} {
// CHECK-DAG: %[[I:.*]] = arith.constant 0 : index
// CHECK: air.dma_memcpy_nd ({{.*}}, %[[M]][%[[I]], 0] [1, 4] [4, 1])
// CHECK: %[[B:.*]] = air.segment @s_1_0 async [%[[START]]]
// CHECK: arith.constant 1 : index
// CHECK: %[[ALL:.*]] = air.wait_all async [%[[A]], %[[B]]]
// CHECK-NEXT: air.wait_all [%[[ALL]]]
func.func @async(%a: memref<2x4xi32>, %b: memref<2x4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%c=%a, %d=%b) : memref<2x4xi32>, memref<2x4xi32> {
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %start = air.wait_all async
    %t = air.segment @s async [%start] unroll(%i, %j) in (%x=%two, %y=%one) args(%e=%c, %f=%d) : memref<2x4xi32>, memref<2x4xi32> attributes {x.y} {
      %m = memref.alloc() : memref<1x4xi32, 1>
      air.dma_memcpy_nd (%m[] [] [], %e[%i, 0] [1, 4] [4, 1]) : (memref<1x4xi32, 1>, memref<2x4xi32>)
      air.dma_memcpy_nd (%f[%i, 0] [1, 4] [4, 1], %m[] [] []) : (memref<2x4xi32>, memref<1x4xi32, 1>)
      memref.dealloc %m : memref<1x4xi32, 1>
    }
    air.wait_all [%t]
  }
  return
}

// A segment that blocks: its instances run side by side, and what follows waits for all.
// CHECK-LABEL: func.func @sync
// CHECK: %[[A:.*]] = air.segment async args(
// CHECK: %[[B:.*]] = air.segment async args(
// CHECK: air.wait_all [%[[A]], %[[B]]]
air.channel @c [1]
func.func @sync(%a: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%n=%c1) args(%c=%a) : memref<4xi32> {
    %two = arith.constant 2 : index
    air.segment unroll(%i) in (%x=%two) args(%e=%c) : memref<4xi32> {
      %zero = arith.constant 0 : index
      %m = memref.alloc() : memref<4xi32, 1>
      %isFirst = arith.cmpi eq, %i, %zero : index
      scf.if %isFirst {
        air.dma_memcpy_nd (%m[] [] [], %e[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
        air.channel.put @c[] (%m[] [] []) : (memref<4xi32, 1>)
      } else {
        air.channel.get @c[] (%m[] [] []) : (memref<4xi32, 1>)
      }
      memref.dealloc %m : memref<4xi32, 1>
    }
  }
  return
}

// CHECK-LABEL: func.func @declined
// CHECK: air.segment unroll
// REMARK: remark: [air-unroll-segments] not unrolled: its sizes are not constants
// CHECK: air.segment unroll
// REMARK: remark: [air-unroll-segments] not unrolled: it has no instance, or more than 64
func.func @declined(%n: index) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%k=%c1) args(%m=%n) : index {
    %many = arith.constant 65 : index
    air.segment unroll(%i) in (%x=%m) {
    }
    air.segment unroll(%i) in (%x=%many) {
    }
  }
  return
}
