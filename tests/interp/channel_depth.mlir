// depth transfers may be in flight: with depth 1 a put waits until it is taken, with depth 2 the
// producer is one transfer ahead.
// RUN: (airlite-run %s --on=interp --function=one; test $? = 1) 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: channel_depth.mlir:[[#@LINE+14]]:3: error: deadlock: 'air.channel.put' of '@a' waits until a get takes its data
// ONE: channel_depth.mlir:[[#@LINE+14]]:3: note: the get that could come is this one, after what its process waits for
// RUN: airlite-run %s --on=interp --function=two -v 2>&1 | FileCheck %s --check-prefix=TWO
// TWO: 1 schedules agree
// RUN: (airlite-run %s --on=interp --function=full; test $? = 1) 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: error: deadlock: 'air.channel.put' of '@b' waits until a get takes its data
// FULL: note: no other get of this channel is left to run
air.channel @a [] {depth = 1}
air.channel @b [] {depth = 2}

func.func @one() {
  %src = memref.alloc() : memref<4xf32>
  %dst = memref.alloc() : memref<4xf32>
  // The minimal deadlock of the compute model.
  air.channel.put @a[] (%src[] [] []) : (memref<4xf32>)
  air.channel.get @a[] (%dst[] [] []) : (memref<4xf32>)
  return
}

func.func @two() {
  %c0 = arith.constant 0 : index
  %src = memref.alloc() : memref<1xi32>
  %dst = memref.alloc() : memref<1xi32>
  %5 = arith.constant 5 : i32
  memref.store %5, %src[%c0] : memref<1xi32>
  air.channel.put @b[] (%src[] [] []) : (memref<1xi32>)
  air.channel.get @b[] (%dst[] [] []) : (memref<1xi32>)
  %v = memref.load %dst[%c0] : memref<1xi32>
  %ok = arith.cmpi eq, %v, %5 : i32
  cf.assert %ok, "what was put is got"
  return
}

func.func @full() {
  %src = memref.alloc() : memref<4xf32>
  air.channel.put @b[] (%src[] [] []) : (memref<4xf32>)
  air.channel.put @b[] (%src[] [] []) : (memref<4xf32>)
  return
}
