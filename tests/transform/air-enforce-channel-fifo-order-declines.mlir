// RUN: airlite-opt %s --air-enforce-channel-fifo-order --split-input-file | FileCheck %s
// RUN: airlite-opt %s --air-enforce-channel-fifo-order --split-input-file --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=REMARK

// The herd ends only when the second put is done, since its partner takes from @back last: to wait
// for the herd would hang.
// CHECK-LABEL: func.func @would_hang
air.channel @c []
air.channel @go []
func.func @would_hang(%m: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %h = air.herd async tile (%x) in (%sx = %c1) args(%n = %m) : memref<4xf32> {
    air.channel.put @c[] (%n[] [] []) : (memref<4xf32>)
    air.channel.get @go[] (%n[] [] []) : (memref<4xf32>)
  }
  %g = air.herd async tile (%x) in (%sx = %c1) args(%n = %m) : memref<4xf32> {
    air.channel.get @c[] (%n[] [] []) : (memref<4xf32>)
    air.channel.get @c[] (%n[] [] []) : (memref<4xf32>)
  }
  // CHECK: %[[P:.*]] = air.channel.put async @c[]
  // REMARK: [[#@LINE+1]]:{{.*}}remark: {{.*}}left unordered: to wait for all of an earlier op with transfers through this channel could keep that op from ending
  %p = air.channel.put async @c[] (%m[] [] []) : (memref<4xf32>)
  // CHECK: air.channel.put async [%[[P]]] @go[]
  %q = air.channel.put async [%p] @go[] (%m[] [] []) : (memref<4xf32>)
  return
}

// -----

// The same where it ends: the herd gets what it waits for before.
// CHECK-LABEL: func.func @would_end
air.channel @c []
air.channel @go []
func.func @would_end(%m: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  // CHECK: %[[H:.*]] = air.herd async
  %h = air.herd async tile (%x) in (%sx = %c1) args(%n = %m) : memref<4xf32> {
    air.channel.put @c[] (%n[] [] []) : (memref<4xf32>)
    air.channel.get @go[] (%n[] [] []) : (memref<4xf32>)
  }
  %g = air.herd async tile (%x) in (%sx = %c1) args(%n = %m) : memref<4xf32> {
    air.channel.get @c[] (%n[] [] []) : (memref<4xf32>)
    air.channel.get @c[] (%n[] [] []) : (memref<4xf32>)
  }
  %q = air.channel.put async @go[] (%m[] [] []) : (memref<4xf32>)
  // CHECK: air.channel.put async [%[[H]]] @c[]
  %p = air.channel.put async @c[] (%m[] [] []) : (memref<4xf32>)
  return
}

// -----

// A part of a program: where the partner of the herd comes later, it is not waited for.
// CHECK-LABEL: func.func @part
air.channel @c []
air.channel @go []
func.func @part(%m: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %h = air.herd async tile (%x) in (%sx = %c1) args(%n = %m) : memref<4xf32> {
    air.channel.put @c[] (%n[] [] []) : (memref<4xf32>)
    air.channel.get @go[] (%n[] [] []) : (memref<4xf32>)
  }
  // CHECK: air.channel.put async @c[]
  // REMARK: [[#@LINE+1]]:{{.*}}remark: {{.*}}left unordered: to wait for all
  %p = air.channel.put async @c[] (%m[] [] []) : (memref<4xf32>)
  %q = air.channel.put async @go[] (%m[] [] []) : (memref<4xf32>)
  return
}

// -----

// Nothing stands for the end of a parallel loop without results, and of the iterations of scf.while.
// CHECK-LABEL: func.func @no_token
air.channel @c []
air.channel @d []
func.func @no_token(%m: memref<4xf32>, %is: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
    %t = air.channel.put async @c[] (%m[] [] []) : (memref<4xf32>)
    scf.reduce
  }
  // CHECK: air.channel.put async @c[]
  // REMARK-DAG: [[#@LINE+1]]:{{.*}}remark: {{.*}}left unordered: nothing stands for the end of the earlier transfers through this channel
  %p = air.channel.put async @c[] (%m[] [] []) : (memref<4xf32>)
  // CHECK: scf.while
  // REMARK-DAG: [[#@LINE+1]]:{{.*}}remark: {{.*}}its iterations are left unordered: nothing stands for the end of transfers through channel '@d'
  scf.while : () -> () {
    scf.condition(%is)
  } do {
    %t = air.channel.put async @d[] (%m[] [] []) : (memref<4xf32>)
    scf.yield
  }
  return
}
