// Packets for one of several destinations: by `dest` of the put, by the packet that the data came
// with, by a word in front of the data.
// RUN: airlite-run %s --on=interp --function=named --init=zero --schedules=20 --output 0=%t.npy
// RUN: airlite-run %s --on=interp --function=hop --init=zero --schedules=20 --expect 0=%t.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --function=header --init=zero --schedules=20 --expect 0=%t.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --function=by_hand --init=zero --expect 0=%t.npy | FileCheck %s
// RUN: (airlite-run %s --on=interp --function=nowhere --init=zero; test $? = 1) 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: (airlite-run %s --on=interp --function=outside --init=zero; test $? = 1) 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: airlite-opt %s --air-verify-program --emit=none 2>&1 | FileCheck %s --check-prefix=VERIFY
// CHECK: argument 0 is as expected
// NOWHERE: error: a packet for one of several destinations of '@ids' says nowhere for which: it has no `dest`, and does not begin with one of [5, 9]
// OUTSIDE: error: there is no destination 2 among the 2 of '@demux'
// VERIFY: warning: this function is not verified: which destination a packet is for is known when it runs
air.channel @demux [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet"}
air.channel @ids [1, 1] {broadcast_shape = [1, 2], channel_type = "npu_dma_packet", packet_ids = [5, 9]}
air.channel @way [] {channel_type = "npu_dma_packet"}

// Destination 1 gets 7, destination 0 gets 8, destination 1 gets 9.
func.func @by_hand(%r: memref<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v7 = arith.constant 7 : i32
  %v8 = arith.constant 8 : i32
  %v9 = arith.constant 9 : i32
  memref.store %v8, %r[%c0, %c0] : memref<2x2xi32>
  memref.store %v7, %r[%c1, %c0] : memref<2x2xi32>
  memref.store %v9, %r[%c1, %c1] : memref<2x2xi32>
  return
}
func.func @named(%r: memref<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v7 = arith.constant 7 : i32
  %v8 = arith.constant 8 : i32
  %v9 = arith.constant 9 : i32
  %m = memref.alloc() : memref<3xi32>
  memref.store %v7, %m[%c0] : memref<3xi32>
  memref.store %v8, %m[%c1] : memref<3xi32>
  memref.store %v9, %m[%c2] : memref<3xi32>
  %g0 = air.channel.get async @demux[%c0, %c0] (%r[0, 0] [1, 1] [2, 1]) : (memref<2x2xi32>)
  %g1 = air.channel.get async @demux[%c0, %c1] (%r[1, 0] [1, 2] [2, 1]) : (memref<2x2xi32>)
  air.channel.put @demux[%c0, %c0] (%m[0] [1] [1]) dest(%c1) : (memref<3xi32>)
  air.channel.put @demux[%c0, %c0] (%m[1] [1] [1]) dest(%c0) : (memref<3xi32>)
  air.channel.put @demux[%c0, %c0] (%m[2] [1] [1]) dest(%c1) : (memref<3xi32>)
  air.wait_all [%g0, %g1]
  return
}
// A core in the middle forwards what comes, and knows no destination.
func.func @hop(%r: memref<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v7 = arith.constant 7 : i32
  %v8 = arith.constant 8 : i32
  %v9 = arith.constant 9 : i32
  %m = memref.alloc() : memref<3xi32>
  memref.store %v7, %m[%c0] : memref<3xi32>
  memref.store %v8, %m[%c1] : memref<3xi32>
  memref.store %v9, %m[%c2] : memref<3xi32>
  %g0 = air.channel.get async @demux[%c0, %c0] (%r[0, 0] [1, 1] [2, 1]) : (memref<2x2xi32>)
  %g1 = air.channel.get async @demux[%c0, %c1] (%r[1, 0] [1, 2] [2, 1]) : (memref<2x2xi32>)
  %c3 = arith.constant 3 : index
  %h = air.herd async tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%n = %c3) : index {
    %b = memref.alloc() : memref<1xi32, 2>
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    scf.for %i = %d0 to %n step %d1 {
      air.channel.get @way[] (%b[] [] []) : (memref<1xi32, 2>)
      air.channel.put @demux[%d0, %d0] (%b[] [] []) : (memref<1xi32, 2>)
    }
  }
  air.channel.put @way[] (%m[0] [1] [1]) dest(%c1) : (memref<3xi32>)
  air.channel.put @way[] (%m[1] [1] [1]) dest(%c0) : (memref<3xi32>)
  air.channel.put @way[] (%m[2] [1] [1]) dest(%c1) : (memref<3xi32>)
  air.wait_all [%g0, %g1, %h]
  return
}
// Each packet is its id and one number.
func.func @header(%r: memref<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v7 = arith.constant 7 : i32
  %v8 = arith.constant 8 : i32
  %v9 = arith.constant 9 : i32
  %m = memref.alloc() : memref<3xi32>
  memref.store %v7, %m[%c0] : memref<3xi32>
  memref.store %v8, %m[%c1] : memref<3xi32>
  memref.store %v9, %m[%c2] : memref<3xi32>
  %id0 = arith.constant 5 : i32
  %id1 = arith.constant 9 : i32
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<4xi32>
  %g0 = air.channel.get async @ids[%c0, %c0] (%a[] [] []) : (memref<2xi32>)
  %g1 = air.channel.get async @ids[%c0, %c1] (%b[] [] []) : (memref<4xi32>)
  %p = memref.alloc() : memref<2xi32>
  memref.store %id1, %p[%c0] : memref<2xi32>
  memref.store %v7, %p[%c1] : memref<2xi32>
  air.channel.put @ids[%c0, %c0] (%p[] [] []) : (memref<2xi32>)
  memref.store %id0, %p[%c0] : memref<2xi32>
  memref.store %v8, %p[%c1] : memref<2xi32>
  air.channel.put @ids[%c0, %c0] (%p[] [] []) : (memref<2xi32>)
  memref.store %id1, %p[%c0] : memref<2xi32>
  memref.store %v9, %p[%c1] : memref<2xi32>
  air.channel.put @ids[%c0, %c0] (%p[] [] []) : (memref<2xi32>)
  air.wait_all [%g0, %g1]
  %c3 = arith.constant 3 : index
  %x = memref.load %a[%c1] : memref<2xi32>
  %y = memref.load %b[%c1] : memref<4xi32>
  %z = memref.load %b[%c3] : memref<4xi32>
  memref.store %x, %r[%c0, %c0] : memref<2x2xi32>
  memref.store %y, %r[%c1, %c0] : memref<2x2xi32>
  memref.store %z, %r[%c1, %c1] : memref<2x2xi32>
  return
}
func.func @nowhere(%r: memref<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v7 = arith.constant 7 : i32
  %v8 = arith.constant 8 : i32
  %v9 = arith.constant 9 : i32
  %m = memref.alloc() : memref<3xi32>
  memref.store %v7, %m[%c0] : memref<3xi32>
  memref.store %v8, %m[%c1] : memref<3xi32>
  memref.store %v9, %m[%c2] : memref<3xi32>
  air.channel.put @ids[%c0, %c0] (%m[0] [1] [1]) : (memref<3xi32>)
  return
}
func.func @outside(%r: memref<2x2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v7 = arith.constant 7 : i32
  %v8 = arith.constant 8 : i32
  %v9 = arith.constant 9 : i32
  %m = memref.alloc() : memref<3xi32>
  memref.store %v7, %m[%c0] : memref<3xi32>
  memref.store %v8, %m[%c1] : memref<3xi32>
  memref.store %v9, %m[%c2] : memref<3xi32>
  air.channel.put @demux[%c0, %c0] (%m[0] [1] [1]) dest(%c2) : (memref<3xi32>)
  return
}
