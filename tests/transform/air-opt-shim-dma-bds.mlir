// RUN: airlite-opt %s --air-opt-shim-dma-bds=device=npu1 --verify-diagnostics --remarks | FileCheck %s
// RUN: airlite-opt %s --check-each --air-opt-shim-dma-bds=device=npu1 | FileCheck %s
// RUN: airlite-opt %s --check-each --air-opt-shim-dma-bds='device=npu1 shim-dma-tile-sizes=4' | FileCheck %s --check-prefix=TILED
// RUN: airlite-opt %s --check-each --air-opt-shim-dma-bds='device=npu1 shim-dma-tile-sizes=0' | FileCheck %s
// RUN: airlite-opt %s --check-each --air-opt-shim-dma-bds | FileCheck %s --check-prefix=FIRST

air.channel @a []

// Rows that repeat: the repetition in front of three more dimensions. One instance: no sizes.
// CHECK-LABEL: func.func @repeat
// CHECK: %[[L:.*]] = air.launch async () in ()
// CHECK: %[[P:.*]] = air.channel.put async [%{{.*}}]  @a[] (%{{.*}}[%c0{{.*}}, %c0{{.*}}, %c0{{.*}}, %c0{{.*}}] [%c8, %c1{{.*}}, %c1{{.*}}, %c32{{.*}}] [%c0{{.*}}, %c0{{.*}}, %c0{{.*}}, %c1{{.*}}])
// CHECK: air.wait_all [%[[P]], %{{.*}}] {air.launch_end}
// CHECK-NOT: launch_end
// CHECK: air.wait_all [%[[L]]] {air.launch_end}
// TILED-LABEL: func.func @repeat
// TILED: %[[P:.*]] = air.channel.put async {{.*}} [%c4{{.*}}, %c1{{.*}}, %c1{{.*}}, %c32{{.*}}] [%c0
// TILED: air.channel.put async [%[[P]]] {{.*}} [%c4{{.*}}, %c1{{.*}}, %c1{{.*}}, %c32{{.*}}] [%c0
// TILED: air.wait_all [{{.*}}] {air.launch_end}
// TILED-NOT: launch_end
// TILED: func.func @instances
// FIRST-LABEL: func.func @repeat
// FIRST: air.launch async (%{{.*}}) in
// FIRST: scf.for
// FIRST-NOT: launch_end
// FIRST: func.func @instances
func.func @repeat(%x: memref<32xi32>, %y: memref<8x32xi32>) {
  %c1 = arith.constant 1 : index
  %l = air.launch async (%i) in (%n=%c1) args(%m=%x, %o=%y) : memref<32xi32>, memref<8x32xi32> {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %w = air.wait_all async
    %p = scf.for %j = %c0 to %c8 step %c1_0 iter_args(%t = %w) -> (!air.async.token) {
      %v = air.channel.put async [%t] @a[] (%m[] [] []) : (memref<32xi32>)
      scf.yield %v : !air.async.token
    }
    %s = air.segment @s async args(%q=%o) : memref<8x32xi32> {
      %b = memref.alloc() : memref<8x32xi32, 1>
      %g = air.channel.get async @a[] (%b[] [] []) : (memref<8x32xi32, 1>)
      %d = air.dma_memcpy_nd async [%g] (%q[] [] [], %b[] [] []) : (memref<8x32xi32>, memref<8x32xi32, 1>)
    }
  }
  return
}

air.channel @b []

// Instances one after the other, each over before the next begins.
// CHECK-LABEL: func.func @instances
// CHECK: air.launch async () in ()
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c2{{.*}} step %c1
// CHECK: %[[AT:.*]] = arith.muli %[[I]], %c32
// CHECK: %[[P:.*]] = air.channel.put async {{.*}}@b[] (%{{.*}}[%c0, %[[AT]]] [%c4, %c4] [%c8, %c1])
// CHECK: %[[S:.*]] = air.segment
// CHECK: air.wait_all [%[[P]], %[[S]]]
// CHECK: }
// CHECK: air.wait_all {air.launch_end}
// CHECK: air.wait_all [%{{.*}}] {air.launch_end}
// CHECK: return
func.func @instances(%x: memref<64xi32>, %y: memref<2x16xi32>) {
  %c2 = arith.constant 2 : index
  %l = air.launch async (%i) in (%n=%c2) args(%m=%x, %o=%y) : memref<64xi32>, memref<2x16xi32> {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %w = air.wait_all async
    %p = scf.for %j = %c0 to %c4 step %c1_0 iter_args(%t = %w) -> (!air.async.token) {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0 * 32)>(%j)[%i]
      %v = air.channel.put async [%t] @b[] (%m[%at] [4] [1]) : (memref<64xi32>)
      scf.yield %v : !air.async.token
    }
    %s = air.segment @s async args(%q=%o, %k=%i) : memref<2x16xi32>, index {
      %b = memref.alloc() : memref<16xi32, 1>
      %g = air.channel.get async @b[] (%b[] [] []) : (memref<16xi32, 1>)
      %d = air.dma_memcpy_nd async [%g] (%q[%k, 0] [1, 16] [16, 1], %b[] [] []) : (memref<2x16xi32>, memref<16xi32, 1>)
    }
  }
  return
}

air.channel @e []

// The cases of a switch hand on what they have under way.
// CHECK-LABEL: func.func @switch
// CHECK: %[[SW:.*]] = scf.index_switch %{{.*}} -> !air.async.token
// CHECK: %[[P:.*]] = air.channel.put async
// CHECK: %[[C:.*]] = air.wait_all async [%[[P]]]
// CHECK: scf.yield %[[C]] : !air.async.token
// CHECK: %[[W:.*]] = air.wait_all async
// CHECK: scf.yield %[[W]] : !air.async.token
// CHECK: air.wait_all [%[[SW]]] {air.launch_end}
func.func @switch(%x: memref<8xi32>, %k: index) {
  %c1 = arith.constant 1 : index
  %l = air.launch async (%i) in (%n=%c1) args(%m=%x, %o=%k) : memref<8xi32>, index {
    scf.index_switch %o
    case 9 {
      %p = air.channel.put async @e[] (%m[] [] []) : (memref<8xi32>)
      scf.yield
    }
    default {
    }
  }
  return
}
