// REQUIRES: gpu
// Functions of several blocks that cores call, a segment with an iteration space, and channels between the
// host and cores, in kernels: the host twin has the results of the interpreter.
// RUN: for f in calls instances channels; do \
// RUN:   airlite-run %s --on=interp --function=$f --init=random:1 --output 1=%t.npy || exit 1; \
// RUN:   airlite-run %s --target=gfx942 --function=$f --init=random:1 --expect 1=%t.npy || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-3: bits
// RUN: airlite-compile %s --target=gfx942 -o %t

func.func private @pick(%v: i32, %f: i32) -> i32 {
  %z = arith.constant 0 : i32
  %c = arith.cmpi slt, %v, %z : i32
  cf.cond_br %c, ^neg, ^pos
^neg:
  %n = arith.subi %z, %v : i32
  cf.br ^done(%n : i32)
^pos:
  %m = arith.muli %v, %f : i32
  cf.br ^done(%m : i32)
^done(%r: i32):
  return %r : i32
}
func.func private @body(%m: memref<32xi32, 2>, %f: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c32 step %c1 {
    %v = memref.load %m[%i] : memref<32xi32, 2>
    %r = func.call @pick(%v, %f) : (i32, i32) -> i32
    memref.store %r, %m[%i] : memref<32xi32, 2>
  }
  return
}
func.func @calls(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  air.launch (%i, %j) in (%li=%c1, %lj=%c1) args(%p=%x, %q=%y) : memref<64xi32>, memref<64xi32> {
    air.segment @calls_seg args(%a=%p, %b=%q) : memref<64xi32>, memref<64xi32> {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      air.herd @calls_h tile (%tx, %ty) in (%sx=%k2, %sy=%k1) args(%u=%a, %v=%b) : memref<64xi32>, memref<64xi32> {
        %z1 = arith.constant 1 : index
        %z32 = arith.constant 32 : index
        %f = arith.constant 5 : i32
        %o = arith.muli %tx, %z32 : index
        %m = memref.alloc() : memref<32xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %u[%o] [%z32] [%z1]) : (memref<32xi32, 2>, memref<64xi32>)
        func.call @body(%m, %f) : (memref<32xi32, 2>, i32) -> ()
        air.dma_memcpy_nd (%v[%o] [%z32] [%z1], %m[] [] []) : (memref<64xi32>, memref<32xi32, 2>)
        memref.dealloc %m : memref<32xi32, 2>
      }
    }
  }
  return
}
func.func @instances(%x: memref<64xi32>, %y: memref<64xi32>) {
  air.launch () in () args(%p=%x, %q=%y) : memref<64xi32>, memref<64xi32> {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    air.segment @instances_seg unroll (%ux, %uy) in (%un=%c2, %um=%c1) args(%a=%p, %b=%q) : memref<64xi32>, memref<64xi32> {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      air.herd @instances_h tile (%tx, %ty) in (%sx=%k2, %sy=%k1) args(%u=%a, %v=%b, %w=%ux) : memref<64xi32>, memref<64xi32>, index {
        %z1 = arith.constant 1 : index
        %z16 = arith.constant 16 : index
        %z32 = arith.constant 32 : index
        %o0 = arith.muli %w, %z32 : index
        %o1 = arith.muli %tx, %z16 : index
        %o = arith.addi %o0, %o1 : index
        %m = memref.alloc() : memref<16xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %u[%o] [%z16] [%z1]) : (memref<16xi32, 2>, memref<64xi32>)
        affine.for %j = 0 to 16 {
          %e = affine.load %m[%j] : memref<16xi32, 2>
          %f = arith.muli %e, %e : i32
          affine.store %f, %m[%j] : memref<16xi32, 2>
        }
        air.dma_memcpy_nd (%v[%o] [%z16] [%z1], %m[] [] []) : (memref<64xi32>, memref<16xi32, 2>)
        memref.dealloc %m : memref<16xi32, 2>
      }
    }
  }
  return
}
air.channel @in [1, 1] {broadcast_shape = [1, 4]}
air.channel @w [4, 1]
air.channel @out [1, 4]
func.func @channels(%x: memref<64xi32>, %y: memref<4x64xi32>) {
  air.launch () in () args(%p=%x, %q=%y) : memref<64xi32>, memref<4x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %t0 = air.channel.put async @in[%c0, %c0] (%p[] [] []) : (memref<64xi32>)
    %t1 = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%t0) -> !air.async.token {
      %g = air.channel.get async @out[%c0, %i] (%q[%i, %c0] [%c1, %c64] [%c64, %c1]) : (memref<4x64xi32>)
      scf.reduce(%g : !air.async.token) {
      ^bb0(%a: !air.async.token, %b: !air.async.token):
        %r = air.wait_all async [%a, %b]
        scf.reduce.return %r : !air.async.token
      }
    }
    %s = air.segment @channels_seg async {
      %k1 = arith.constant 1 : index
      %k4 = arith.constant 4 : index
      %h = air.herd @channels_h async tile (%tx, %ty) in (%sx=%k1, %sy=%k4) {
        %z0 = arith.constant 0 : index
        %z1 = arith.constant 1 : index
        %z64 = arith.constant 64 : index
        %m = memref.alloc() : memref<64xi32, 2>
        %o = memref.alloc() : memref<64xi32, 2>
        air.channel.get @in[%tx, %ty] (%m[] [] []) : (memref<64xi32, 2>)
        %ti = arith.index_cast %ty : index to i32
        scf.for %i = %z0 to %z64 step %z1 {
          %v = memref.load %m[%i] : memref<64xi32, 2>
          %r = arith.addi %v, %ti : i32
          memref.store %r, %o[%i] : memref<64xi32, 2>
        }
        air.channel.put @out[%tx, %ty] (%o[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %m : memref<64xi32, 2>
        memref.dealloc %o : memref<64xi32, 2>
      }
    }
  }
  return
}
