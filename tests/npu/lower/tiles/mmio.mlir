// RUN: airlite-opt %s --split-input-file --air-to-aie='device=npu1 row-offset=2 col-offset=0' | FileCheck %s

// The buffer of each core begins with the constant of its place; there is no DMA, and nothing is left of
// the transfers.
// CHECK-LABEL: aie.device(npu1) @s
// CHECK-DAG: aie.buffer(%{{.*}}) {sym_name = "{{.*}}"} : memref<2x2xi16, 2> = dense<{{\[}}[1, 2], [3, 4]]>
// CHECK-DAG: aie.buffer(%{{.*}}) {sym_name = "{{.*}}"} : memref<2x2xi16, 2> = dense<7>
// CHECK-NOT: aie.flow
// CHECK-NOT: air.channel.put
// CHECK-NOT: air.channel.get
// CHECK: %[[DONE:.*]] = air.wait_all async
// CHECK: air.wait_all [%[[DONE]]]
// CHECK-NOT: air.channel.get
memref.global "private" constant @first : memref<4xi16> = dense<[1, 2, 3, 4]>
memref.global "private" @second : memref<4xi16> = dense<7>
air.channel @c [2] {channel_type = "npu_mmio"}
func.func @places() {
  %first = memref.get_global @first : memref<4xi16>
  %second = memref.get_global @second : memref<4xi16>
  air.launch () in () args(%a = %first, %b = %second) : memref<4xi16>, memref<4xi16> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = air.channel.put async @c[%c0] (%a[] [] []) : (memref<4xi16>)
    air.wait_all [%t]
    air.channel.put @c[%c1] (%b[] [] []) : (memref<4xi16>)
    air.segment @s {
      %one = arith.constant 1 : index
      %two = arith.constant 2 : index
      air.herd @h tile (%x, %y) in (%nx = %two, %ny = %one) {
        %m = memref.alloc() : memref<2x2xi16, 2>
        air.channel.get @c[%x] (%m[] [] []) : (memref<2x2xi16, 2>)
        memref.dealloc %m : memref<2x2xi16, 2>
      }
    }
  }
  return
}

// -----

// Memory that the core writes as well is filled where the get stands.
// CHECK-LABEL: aie.device(npu1) @s
// CHECK-DAG: %[[OWN:.*]] = aie.buffer(%[[TILE:.*]]) {sym_name = "buf1"} : memref<4xi32, 2>{{$}}
// CHECK-DAG: %[[GIVEN:.*]] = aie.buffer(%[[TILE]]) {sym_name = "buf3"} : memref<4xi32, 2> = dense<5>
// CHECK: aie.core(%[[TILE]])
// CHECK: memref.load %[[GIVEN]]
// CHECK: memref.store %{{.*}}, %[[OWN]]
// CHECK: memref.store %{{.*}}, %[[OWN]]
memref.global "private" constant @five : memref<4xi32> = dense<5>
air.channel @c [1] {channel_type = "npu_mmio", broadcast_shape = [2]}
func.func @written() {
  %five = memref.get_global @five : memref<4xi32>
  air.channel.put @c[] (%five[] [] []) : (memref<4xi32>)
  air.segment @s {
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    air.herd @h tile (%x, %y) in (%nx = %one, %ny = %two) {
      %c0 = arith.constant 0 : index
      %c9 = arith.constant 9 : i32
      %m = memref.alloc() : memref<4xi32, 2>
      air.channel.get @c[%y] (%m[] [] []) : (memref<4xi32, 2>)
      memref.store %c9, %m[%c0] : memref<4xi32, 2>
      memref.dealloc %m : memref<4xi32, 2>
    }
  }
  return
}
