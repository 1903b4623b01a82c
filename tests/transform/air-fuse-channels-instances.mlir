// Two inputs of each core of a herd, which the launch sends to each in a loop over the cores: the places of the
// channel are apart, so each of them takes one transfer after the other.
// RUN: airlite-opt %s --air-fuse-channels='aggressive-mode=L1' --check-each | FileCheck %s
// RUN: airlite-opt %s --air-fuse-channels='aggressive-mode=L1' --air-verify-program --emit=none

// CHECK: air.channel @a [2]
// CHECK-NOT: air.channel @b
// CHECK: %[[FIRST:.*]] = scf.parallel
// CHECK: air.channel.put async @a[%{{.*}}] (%arg
// CHECK: scf.parallel
// CHECK: air.channel.put async [%[[FIRST]]] @a[%{{.*}}] (%arg
// CHECK: air.herd
// CHECK: air.channel.get @a[
// CHECK: air.channel.get @a[
// CHECK-NOT: air.channel.get @b

air.channel @a [2]
air.channel @b [2]
func.func @main(%x: memref<2x4xi32>, %y: memref<2x4xi32>) {
  air.launch () in () args(%p = %x, %q = %y) : memref<2x4xi32>, memref<2x4xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %w = air.wait_all async
    %0 = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%w) -> !air.async.token {
      %n = air.channel.put async @a[%i] (%p[%i, %c0] [%c1, %c4] [%c4, %c1]) : (memref<2x4xi32>)
      scf.reduce(%n : !air.async.token) {
      ^bb0(%l0: !air.async.token, %l1: !air.async.token):
        %r = air.wait_all async [%l0, %l1]
        scf.reduce.return %r : !air.async.token
      }
    }
    %1 = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%w) -> !air.async.token {
      %n = air.channel.put async @b[%i] (%q[%i, %c0] [%c1, %c4] [%c4, %c1]) : (memref<2x4xi32>)
      scf.reduce(%n : !air.async.token) {
      ^bb0(%l0: !air.async.token, %l1: !air.async.token):
        %r = air.wait_all async [%l0, %l1]
        scf.reduce.return %r : !air.async.token
      }
    }
    %s = air.segment @s async {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      air.herd @h tile (%tx, %ty) in (%sx = %k2, %sy = %k1) {
        %m = memref.alloc() : memref<4xi32, 2>
        %n = memref.alloc() : memref<4xi32, 2>
        air.channel.get @a[%tx] (%m[] [] []) : (memref<4xi32, 2>)
        air.channel.get @b[%tx] (%n[] [] []) : (memref<4xi32, 2>)
        memref.dealloc %m : memref<4xi32, 2>
        memref.dealloc %n : memref<4xi32, 2>
      }
    }
  }
  return
}
