// RUN: airlite-opt %s --air-channel-to-dma --canonicalize --check-each | FileCheck %s
// RUN: for f in parts rows; do \
// RUN:   airlite-run %s --on=interp --function=$f --init=random:1 --output 1=%t.npy || exit 1; \
// RUN:   airlite-run %s --on=host --function=$f --init=random:1 --expect 1=%t.npy || exit 1; \
// RUN: done
// REQUIRES: gpu
air.channel @in [2, 2]
air.channel @out [2, 2]
air.channel @all [1, 1] {broadcast_shape = [1, 2]}
air.channel @one [1, 2]

// The numbers of the parallel loop are the ids of the core; the loops of the launch and of the core run side
// by side, from other numbers.
// CHECK-LABEL: func.func @parts
// CHECK-NOT: air.channel
// CHECK: air.herd {{.*}}tile (%[[X:.*]], %[[Y:.*]]) in
// CHECK: scf.for %[[K:.*]] = %c2
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%[[X]], %{{.*}}, %[[Y]], 0] [1, 1, 1, 8] [64, 16, 8, 1])
// CHECK: air.dma_memcpy_nd (%{{.*}}[%[[X]], %{{.*}}, %[[Y]], 0] [1, 1, 1, 8] [64, 16, 8, 1], %{{.*}}[] [] [])
func.func @parts(%x: memref<2x4x2x8xi32>, %y: memref<2x4x2x8xi32>) {
  air.launch () in () args(%a = %x, %b = %y) : memref<2x4x2x8xi32>, memref<2x4x2x8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %w = air.wait_all async
    %p = scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) init (%w) -> !air.async.token {
      %l = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %w) -> !air.async.token {
        %n = air.channel.put async [%t] @in[%i, %j] (%a[%i, %k, %j, %c0] [%c1, %c1, %c1, %c8] [%c64, %c16, %c8, %c1]) : (memref<2x4x2x8xi32>)
        scf.yield %n : !air.async.token
      }
      scf.reduce(%l : !air.async.token) {
      ^bb0(%l0: !air.async.token, %l1: !air.async.token):
        %r = air.wait_all async [%l0, %l1]
        scf.reduce.return %r : !air.async.token
      }
    }
    %q = scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) init (%w) -> !air.async.token {
      %l = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %w) -> !air.async.token {
        %n = air.channel.get async [%t] @out[%i, %j] (%b[%i, %k, %j, %c0] [%c1, %c1, %c1, %c8] [%c64, %c16, %c8, %c1]) : (memref<2x4x2x8xi32>)
        scf.yield %n : !air.async.token
      }
      scf.reduce(%l : !air.async.token) {
      ^bb0(%l0: !air.async.token, %l1: !air.async.token):
        %r = air.wait_all async [%l0, %l1]
        scf.reduce.return %r : !air.async.token
      }
    }
    %s = air.segment @s async {
      %k2 = arith.constant 2 : index
      air.herd @h tile (%tx, %ty) in (%sx = %k2, %sy = %k2) {
        %z1 = arith.constant 1 : index
        %z2 = arith.constant 2 : index
        %z10 = arith.constant 10 : index
        %m = memref.alloc() : memref<8xi32, 2>
        scf.for %k = %z2 to %z10 step %z2 {
          air.channel.get @in[%tx, %ty] (%m[] [] []) : (memref<8xi32, 2>)
          affine.for %e = 0 to 8 {
            %v = affine.load %m[%e] : memref<8xi32, 2>
            %u = arith.addi %v, %v : i32
            affine.store %u, %m[%e] : memref<8xi32, 2>
          }
          air.channel.put @out[%tx, %ty] (%m[] [] []) : (memref<8xi32, 2>)
        }
        memref.dealloc %m : memref<8xi32, 2>
      }
    }
  }
  return
}

// The launch sends all rows at once, to both cores; each run of the core takes the next one.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for %[[K:.*]] = %c0
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%{{.*}}, 0] [1, 8] [8, 1])
func.func @rows(%x: memref<4x8xi32>, %y: memref<2x8xi32>) {
  air.launch () in () args(%a = %x, %b = %y) : memref<4x8xi32>, memref<2x8xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %w = air.wait_all async
    %0 = air.channel.put async @all[%c0, %c0] (%a[] [] []) : (memref<4x8xi32>)
    %q = scf.parallel (%j) = (%c0) to (%c2) step (%c1) init (%w) -> !air.async.token {
      %n = air.channel.get async @one[%c0, %j] (%b[%j, %c0] [%c1, %c8] [%c8, %c1]) : (memref<2x8xi32>)
      scf.reduce(%n : !air.async.token) {
      ^bb0(%l0: !air.async.token, %l1: !air.async.token):
        %r = air.wait_all async [%l0, %l1]
        scf.reduce.return %r : !air.async.token
      }
    }
    %s = air.segment @s async {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      air.herd @h tile (%tx, %ty) in (%sx = %k1, %sy = %k2) {
        %z0 = arith.constant 0 : index
        %z1 = arith.constant 1 : index
        %z4 = arith.constant 4 : index
        %id = arith.index_cast %ty : index to i32
        %m = memref.alloc() : memref<8xi32, 2>
        %sum = memref.alloc() : memref<8xi32, 2>
        affine.for %e = 0 to 8 {
          affine.store %id, %sum[%e] : memref<8xi32, 2>
        }
        scf.for %k = %z0 to %z4 step %z1 {
          air.channel.get @all[%tx, %ty] (%m[] [] []) : (memref<8xi32, 2>)
          affine.for %e = 0 to 8 {
            %v = affine.load %m[%e] : memref<8xi32, 2>
            %o = affine.load %sum[%e] : memref<8xi32, 2>
            %u = arith.addi %v, %o : i32
            affine.store %u, %sum[%e] : memref<8xi32, 2>
          }
        }
        air.channel.put @one[%tx, %ty] (%sum[] [] []) : (memref<8xi32, 2>)
        memref.dealloc %m : memref<8xi32, 2>
        memref.dealloc %sum : memref<8xi32, 2>
      }
    }
  }
  return
}

// Loops of one run are none; each loop of the core goes through a dimension, without divisions; the loop of the launch goes.
// CHECK-LABEL: func.func @once_and_rows
// CHECK: air.launch
// CHECK-NOT: scf.parallel
// CHECK: air.herd
// CHECK-NOT: arith.divsi
// CHECK-NOT: arith.remsi
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %{{.*}}[%{{.*}}, %{{.*}}, 0] [1, 1, 4] [12, 4, 1])
// CHECK: air.dma_memcpy_nd (%{{.*}}[%{{.*}}, 0, 0] [1, 3, 4] [12, 4, 1], %{{.*}}[] [] [])
air.channel @rows_in [2]
air.channel @rows_out [2]
func.func @once_and_rows(%a: memref<2x3x4xi32>, %b: memref<2x3x4xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<2x3x4xi32>, memref<2x3x4xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.parallel (%x) = (%c0) to (%c2) step (%c1) {
      air.channel.put @rows_in[%x] (%A[%x, 0, 0] [1, 3, 4] [12, 4, 1]) : (memref<2x3x4xi32>)
      scf.reduce
    }
    scf.parallel (%x) = (%c0) to (%c2) step (%c1) {
      air.channel.get @rows_out[%x] (%B[%x, 0, 0] [1, 3, 4] [12, 4, 1]) : (memref<2x3x4xi32>)
      scf.reduce
    }
    air.segment @s {
      %d1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      air.herd @h tile (%tx, %ty) in (%sx = %d2, %sy = %d1) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e3 = arith.constant 3 : index
        %m = memref.alloc() : memref<4xi32, 2>
        scf.for %i = %e0 to %e3 step %e1 {
          air.channel.get @rows_in[%tx] (%m[] [] []) : (memref<4xi32, 2>)
        }
        %n = memref.alloc() : memref<3x4xi32, 2>
        scf.for %i = %e0 to %e1 step %e1 {
          air.channel.put @rows_out[%tx] (%n[] [] []) : (memref<3x4xi32, 2>)
        }
      }
    }
  }
  return
}
