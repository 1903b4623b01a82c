// One put reaches every destination of a broadcast; bundles are separate channels.
// RUN: airlite-run %s --on=interp --schedules=30 -v 2>&1 | FileCheck %s
// CHECK: 30 schedules agree
// RUN: (airlite-run %s --on=interp --function=outside; test $? = 1) 2>&1 | FileCheck %s --check-prefix=OUT
// OUT: error: index [2, 0] is outside of channel '@rows' of shape [2, 1]
air.channel @rows [2, 1] {broadcast_shape = [2, 3]}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %src = memref.alloc() : memref<2xindex>
  %out = memref.alloc() : memref<2x3xindex>
  scf.for %i = %c0 to %c2 step %c1 {
    memref.store %i, %src[%i] : memref<2xindex>
  }
  %t0 = air.wait_all async
  %puts = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%t0) -> !air.async.token {
    %p = air.channel.put async [%t0] @rows[%i, %c0] (%src[%i] [%c1] [%c1]) : (memref<2xindex>)
    scf.reduce(%p : !air.async.token) {
    ^bb0(%a: !air.async.token, %b: !air.async.token):
      %m = air.wait_all async [%a, %b]
      scf.reduce.return %m : !air.async.token
    }
  }
  air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c3) args(%o = %out) : memref<2x3xindex> {
    %h1 = arith.constant 1 : index
    %l1 = memref.alloc() : memref<1xindex, 2>
    air.channel.get @rows[%x, %y] (%l1[] [] []) : (memref<1xindex, 2>)
    air.dma_memcpy_nd (%o[%x, %y] [%h1, %h1] [%sy, %h1], %l1[] [] [])
        : (memref<2x3xindex>, memref<1xindex, 2>)
  }
  air.wait_all [%puts]
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %v = memref.load %out[%i, %j] : memref<2x3xindex>
      %ok = arith.cmpi eq, %v, %i : index
      cf.assert %ok, "row %i has reached all of its columns"
    }
  }
  return
}
func.func @outside() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %src = memref.alloc() : memref<2xindex>
  air.channel.put @rows[%c2, %c0] (%src[] [] []) : (memref<2xindex>)
  return
}
