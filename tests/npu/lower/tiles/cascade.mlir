// RUN: airlite-opt %s --split-input-file --air-to-aie='device=npu1 row-offset=2 col-offset=0' | FileCheck %s

// A reduction down a column: each core adds its part to what comes from the north.
// CHECK-LABEL: aie.device(npu1) @reduce {
// CHECK: aie.core(%tile_0_3) {
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c64{{.*}} step %c16
// CHECK-NEXT: %[[PART:.*]] = memref.subview %{{.*}}[%[[I]]] [16] [1]
// CHECK-NEXT: %[[V:.*]] = vector.transfer_read %[[PART]]
// CHECK-NEXT: aie.put_cascade(%[[V]] : vector<16xi32>)
// CHECK-NEXT: }
// CHECK: aie.core(%tile_0_2) {
// What comes is taken where it is used: the put of @early stands before it.
// CHECK: aie.use_lock
// CHECK: scf.for
// CHECK: %[[W:.*]] = aie.get_cascade() : vector<16xi32>
// CHECK-NEXT: vector.transfer_write %[[W]]
// CHECK: memref.load
// CHECK: aie.cascade_flow(%tile_0_3, %tile_0_2)
air.channel @down [1] {channel_type = "npu_cascade"}
air.channel @early [1]
air.channel @out [1]
func.func @f_reduce(%a: memref<4xi32>, %b: memref<4x16xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.channel.get @early[] (%a[] [] []) : (memref<4xi32>)
  air.channel.get @out[] (%b[] [] []) : (memref<4x16xi32>)
  air.herd @reduce tile (%x, %y) in (%sx = %c1, %sy = %c2) {
    %c0 = arith.constant 0 : index
    %m = memref.alloc() : memref<4x16xi32, 2>
    %n = memref.alloc() : memref<4xi32, 2>
    %isLast = arith.cmpi eq, %y, %c0 : index
    scf.if %isLast {
      %t = air.channel.get async @down[] (%m[] [] []) : (memref<4x16xi32, 2>)
      air.channel.put @early[] (%n[] [] []) : (memref<4xi32, 2>)
      air.wait_all [%t]
      %e = memref.load %m[%c0, %c0] : memref<4x16xi32, 2>
      memref.store %e, %m[%c0, %c0] : memref<4x16xi32, 2>
      air.channel.put @out[] (%m[] [] []) : (memref<4x16xi32, 2>)
    } else {
      air.channel.put @down[] (%m[] [] []) : (memref<4x16xi32, 2>)
    }
  }
  return
}
