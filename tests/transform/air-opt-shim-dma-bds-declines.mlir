// RUN: airlite-opt %s --air-opt-shim-dma-bds=device=npu1 --verify-diagnostics --remarks | FileCheck %s

air.channel @two [2]
air.channel @c []
air.channel @d []

// CHECK-LABEL: func.func @places
// CHECK: air.launch (%{{.*}}) in (%{{.*}}=%c2)
// CHECK: air.launch (%{{.*}}) in (%{{.*}}=%c2)
// CHECK: air.launch (%{{.*}}) in (%{{.*}}=%arg1)
func.func @places(%x: memref<8xi32>, %k: index) {
  %c2 = arith.constant 2 : index
  // expected-remark@+1 {{not made loops: its ids are used as places of a channel or in affine ops}}
  air.launch (%i) in (%n=%c2) args(%m=%x) : memref<8xi32> {
    air.segment @s args(%j=%i, %o=%m) : index, memref<8xi32> {
      air.channel.put @two[%j] (%o[0] [4] [1]) : (memref<8xi32>)
    }
  }
  // expected-remark@+1 {{not made loops: its ids are used as places of a channel or in affine ops}}
  air.launch (%i) in (%n=%c2) args(%m=%x) : memref<8xi32> {
    affine.if affine_set<()[s0] : (s0 - 1 == 0)>()[%i] {
      %p = air.channel.put async @c[] (%m[] [] []) : (memref<8xi32>)
    }
  }
  // expected-remark@+1 {{not made loops: its sizes are not constant}}
  air.launch (%i) in (%n=%k) args(%m=%x) : memref<8xi32> {
    %p = air.channel.put async @c[] (%m[%i] [4] [1]) : (memref<8xi32>)
  }
  return
}

// Two rows of two at a time is another order.
// CHECK-LABEL: func.func @order
// CHECK: air.channel.put @c[] (%{{.*}}[] [] [])
func.func @order(%x: memref<4x4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n=%c1) args(%m=%x) : memref<4x4xi32> attributes {air.shim_dma_tile_sizes = array<i64: 2, 2>} {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-remark@+1 {{not tiled: its tiles would be in another order than its iterations}}
    scf.for %j = %c0 to %c4 step %c1_0 {
      scf.for %k = %c0 to %c4 step %c1_0 {
        air.channel.put @c[] (%m[%j, %k] [1, 1] [4, 1]) : (memref<4x4xi32>)
      }
    }
  }
  return
}

// Left in their order.
// CHECK-LABEL: func.func @kept
// CHECK: scf.for
// CHECK: put @c[] ({{.*}}) : (memref<4xi32>)
// CHECK: put @d[] ({{.*}}) {air.preserve_shim_dma_order}
func.func @kept(%x: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n=%c1) args(%m=%x) : memref<4xi32> attributes {air.preserve_shim_dma_order} {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %j = %c0 to %c4 step %c1_0 {
      air.channel.put @c[] (%m[%j] [1] [1]) : (memref<4xi32>)
    }
    %b = memref.alloc() : memref<4xi32, 1>
    air.channel.put @d[] (%b[] [] []) : (memref<4xi32, 1>)
  }
  return
}

// A caller may have to continue: no wait at the end of the function.
// CHECK-LABEL: func.func @callee
// CHECK: air.launch async
// CHECK: launch_end
// CHECK-NOT: launch_end
// CHECK: func.func @caller
func.func @callee(%x: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %l = air.launch async (%i) in (%n=%c1) args(%m=%x) : memref<4xi32> {
    %p = air.channel.put async @c[] (%m[] [] []) : (memref<4xi32>)
  }
  return
}
func.func @caller(%x: memref<4xi32>) {
  call @callee(%x) : (memref<4xi32>) -> ()
  return
}
