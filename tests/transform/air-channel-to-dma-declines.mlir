// RUN: airlite-opt %s --air-channel-to-dma --remarks -o /dev/null 2>&1 | FileCheck %s
// CHECK-DAG: [[#@LINE+1]]:1: remark: [air-channel-to-dma] stays: it has not one put and one get
air.channel @twice [1]
// CHECK-DAG: [[#@LINE+1]]:1: remark: [air-channel-to-dma] stays: not one end in the launch
air.channel @cores [1]
// CHECK-DAG: [[#@LINE+1]]:1: remark: [air-channel-to-dma] stays: the launch uses the host memory in another way, too
air.channel @used [1]
// CHECK-DAG: [[#@LINE+1]]:1: remark: [air-channel-to-dma] stays: its ends move different numbers of elements
air.channel @parts [1]
func.func @main(%x: memref<8xi32>, %y: memref<8xi32>, %z: memref<8xi32>) {
  air.launch () in () args(%a = %x, %b = %y, %c = %z) : memref<8xi32>, memref<8xi32>, memref<8xi32> {
    %c0 = arith.constant 0 : index
    %0 = air.channel.put async @twice[] (%a[] [] []) : (memref<8xi32>)
    %1 = air.channel.put async [%0] @twice[] (%a[] [] []) : (memref<8xi32>)
    %2 = air.channel.put async @used[] (%b[] [] []) : (memref<8xi32>)
    %3 = air.channel.get async [%2] @back[] (%b[] [] []) : (memref<8xi32>)
    %4 = air.channel.put async @parts[] (%c[] [] []) : (memref<8xi32>)
    %s = air.segment @s async {
      %k1 = arith.constant 1 : index
      %h = air.herd @h async tile (%tx, %ty) in (%sx = %k1, %sy = %k1) {
        %z0 = arith.constant 0 : index
        %z1 = arith.constant 1 : index
        %z4 = arith.constant 4 : index
        %m = memref.alloc() : memref<8xi32, 2>
        %n = memref.alloc() : memref<4xi32, 2>
        air.channel.get @twice[] (%m[] [] []) : (memref<8xi32, 2>)
        air.channel.get @twice[] (%m[] [] []) : (memref<8xi32, 2>)
        air.channel.get @used[] (%m[] [] []) : (memref<8xi32, 2>)
        air.channel.put @back[] (%m[] [] []) : (memref<8xi32, 2>)
        air.channel.get @parts[] (%n[] [] []) : (memref<4xi32, 2>)
        air.channel.put @cores[] (%n[] [] []) : (memref<4xi32, 2>)
        memref.dealloc %m : memref<8xi32, 2>
        memref.dealloc %n : memref<4xi32, 2>
      }
      %g = air.herd @g async tile (%tx, %ty) in (%sx = %k1, %sy = %k1) {
        %n = memref.alloc() : memref<4xi32, 2>
        air.channel.get @cores[] (%n[] [] []) : (memref<4xi32, 2>)
        memref.dealloc %n : memref<4xi32, 2>
      }
    }
  }
  return
}
air.channel @back [1]
