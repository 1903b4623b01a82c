// RUN: airlite-opt %s --air-relay-gets='from-all' --check-each --remarks 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t
// RUN: airlite-opt %s --air-relay-gets | FileCheck %s --check-prefix=CORES

// What the segment and the launch send goes by way of L2 as well, in the order of the core; a broadcast stays.
// CHECK: air.channel @channel_0 [1, 1]
// CHECK-LABEL: func.func @operands
// CHECK: %[[G:.*]] = air.channel.get async [%{{.*}}] @own[] (%[[M:.*]][] [] [])
// CHECK: %[[P:.*]] = air.channel.put async [%[[G]]] @channel_0[%{{.*}}, %{{.*}}] (%[[M]][] [] [])
// CHECK: air.channel.get async [%[[P]]] @host
// CHECK: air.herd
// CHECK: air.channel.get @shared
// CHECK-COUNT-2: air.channel.get @channel_0[%{{.*}}, %{{.*}}]
// CORES-NOT: air.channel @channel_0
air.channel @own []
air.channel @host []
air.channel @shared [1, 1] {broadcast_shape = [1, 1]}
func.func @operands(%a: memref<4xi32>) {
  air.launch () in () args(%x = %a) : memref<4xi32> {
    %t = air.channel.put async @host[] (%x[] [] []) : (memref<4xi32>)
    %u = air.channel.put async @shared[] (%x[] [] []) : (memref<4xi32>)
    air.segment @s args(%y = %x) : memref<4xi32> {
      %c1 = arith.constant 1 : index
      %l2 = memref.alloc() : memref<4xi32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %y[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
      %0 = air.channel.put async @own[] (%l2[] [] []) : (memref<4xi32, 1>)
      air.herd tile (%i, %j) in (%ni = %c1, %nj = %c1) {
        %m = memref.alloc() : memref<4xi32, 2>
        air.channel.get @shared[%i, %j] (%m[] [] []) : (memref<4xi32, 2>)
        air.channel.get @own[] (%m[] [] []) : (memref<4xi32, 2>)
        air.channel.get @host[] (%m[] [] []) : (memref<4xi32, 2>)
        memref.dealloc %m : memref<4xi32, 2>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @packets_of_one_core
// CHECK-NOT: @channel_1
// REMARK: [[#@LINE+17]]:7: remark: [air-relay-gets] stays: packets of one core can share a DMA channel
air.channel @p [3] {channel_type = "npu_dma_packet"}
func.func @packets_of_one_core() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %0 = air.herd async tile (%i, %j) in (%ni = %c1, %nj = %c1) {
        %c0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %z = arith.constant 1 : i32
        %m = memref.alloc() : memref<4xi32, 2>
        linalg.fill ins(%z : i32) outs(%m : memref<4xi32, 2>)
        air.channel.put @p[%c0] (%m[] [] []) : (memref<4xi32, 2>)
        air.channel.put @p[%h1] (%m[] [] []) : (memref<4xi32, 2>)
        air.channel.put @p[%h2] (%m[] [] []) : (memref<4xi32, 2>)
      }
      air.herd tile (%i, %j) in (%ni = %c1, %nj = %c1) {
        %c0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %m = memref.alloc() : memref<4xi32, 2>
        air.channel.get @p[%c0] (%m[] [] []) : (memref<4xi32, 2>)
        air.channel.get @p[%h1] (%m[] [] []) : (memref<4xi32, 2>)
        air.channel.get @p[%h2] (%m[] [] []) : (memref<4xi32, 2>)
      }
    }
  }
  return
}
