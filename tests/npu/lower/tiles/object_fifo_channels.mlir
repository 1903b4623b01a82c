// The steps of air-to-aie that make object FIFOs inside of a device.
// RUN: airlite-opt %s --air-to-aie='test-patterns=lower-air-ping-pong,lower-air-channels' | FileCheck %s
// CHECK: aie.device(npu1) @there
// CHECK: %[[A:.*]] = aie.tile(0, 2)
// CHECK: %[[B:.*]] = aie.tile(1, 2)
// CHECK: %[[C:.*]] = aie.tile(2, 2)
// CHECK: %[[SHIM:.*]] = aie.logical_tile<ShimNOCTile>(?, ?)
// The host has the other end of what one core uses; a label of a loop asks for two objects.
// CHECK: aie.objectfifo @air_in(%[[SHIM]], {%[[A]]}, 2 : i32) : !aie.objectfifo<memref<2x4xi32>>
// CHECK-NEXT: aie.objectfifo @air_all_0(%[[A]], {%[[C]], %[[B]]}, 3 : i32) : !aie.objectfifo<memref<8xi32>>
aie.device(npu1) @there {
  %a = aie.tile(0, 2)
  %b = aie.tile(1, 2)
  %c = aie.tile(2, 2)
  air.channel @in [1]
  air.channel @all [2, 1] {broadcast_shape = [2, 2], buffer_resources = 3 : i32}
  // CHECK: aie.core(%[[C]])
  // CHECK: %[[GOT:.*]] = aie.objectfifo.acquire @air_all_0(Consume, 1)
  // CHECK: %[[OBJECT:.*]] = aie.objectfifo.subview.access %[[GOT]][0]
  // CHECK-NEXT: memref.copy %[[OBJECT]], %{{.*}} : memref<8xi32> to memref<8xi32, 2>
  // CHECK-NEXT: aie.objectfifo.release @air_all_0(Consume, 1)
  aie.core(%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %m = memref.alloc() : memref<8xi32, 2>
    air.channel.get @all[%c0, %c1] (%m[] [] []) : (memref<8xi32, 2>)
    aie.end
  }
  // CHECK: aie.core(%[[B]])
  // An asynchronous get stands where its memory is used.
  // CHECK: arith.constant 5
  // CHECK: aie.objectfifo.acquire @air_all_0(Consume, 1)
  // CHECK: memref.store
  aie.core(%b) {
    %c0 = arith.constant 0 : index
    %m = memref.alloc() : memref<8xi32, 2>
    %t = air.channel.get async @all[%c0, %c0] (%m[] [] []) : (memref<8xi32, 2>)
    %v = arith.constant 5 : i32
    air.wait_all [%t]
    memref.store %v, %m[%c0] : memref<8xi32, 2>
    aie.end
  }
  // CHECK: aie.core(%[[A]])
  // CHECK: scf.for
  // CHECK: aie.objectfifo.acquire @air_in(Consume, 1)
  // CHECK: memref.copy
  // CHECK: aie.objectfifo.release @air_in(Consume, 1)
  // CHECK: %[[PUT:.*]] = aie.objectfifo.acquire @air_all_0(Produce, 1)
  // CHECK: %[[ROOM:.*]] = aie.objectfifo.subview.access %[[PUT]][0]
  // CHECK: %[[AT:.*]] = arith.muli %{{.*}}, %{{.*}} : index
  // CHECK: %[[PART:.*]] = memref.reinterpret_cast %{{.*}} to offset: [%[[AT]]], sizes: [2, 4], strides: [4, 1]
  // CHECK-NEXT: %[[SHAPED:.*]] = memref.reinterpret_cast %[[ROOM]] to offset: [0], sizes: [2, 4], strides: [4, 1] : memref<8xi32> to memref<2x4xi32>
  // CHECK-NEXT: memref.copy %[[PART]], %[[SHAPED]]
  // CHECK-NEXT: aie.objectfifo.release @air_all_0(Produce, 1)
  // CHECK-NOT: unroll
  aie.core(%a) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %m = memref.alloc() : memref<4x4xi32, 2>
    scf.for %i = %c0 to %c2 step %c1 {
      air.channel.get @in[%c0] (%m[0, 0] [2, 4] [4, 1]) : (memref<4x4xi32, 2>)
      air.channel.put @all[%c0, %c0] (%m[%i, 0] [2, 4] [4, 1]) : (memref<4x4xi32, 2>)
    } {unroll = 2 : i32}
    aie.end
  }
}
