// Loops over places of channels: what they choose is known when they are unrolled, and they stay loops of the segment.
//
// RUN: airlite-run %s --function=product --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=columns --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=one --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=affine_loops --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

// Parts of L2 along the reduction, for two rows and two columns of cores.
air.channel @A [1, 1]
air.channel @B [1, 1]
air.channel @Cc [1, 1]
air.channel @a [2, 1] {broadcast_shape = [2, 2]}
air.channel @b [1, 2] {broadcast_shape = [2, 2]}
air.channel @c [2, 2]
func.func @product(%x: memref<64x64xi32>, %y: memref<64x64xi32>, %z: memref<64x64xi32>) {
  %c2 = arith.constant 2 : index
  air.launch (%li, %lj) in (%ln=%c2, %lm=%c2) args(%X=%x, %Y=%y, %Z=%z) : memref<64x64xi32>, memref<64x64xi32>, memref<64x64xi32> {
    %c32 = arith.constant 32 : index
    %oi = arith.muli %li, %c32 : index
    %oj = arith.muli %lj, %c32 : index
    %ta = air.channel.put async @A[] (%X[%oi, 0] [32, 64] [64, 1]) : (memref<64x64xi32>)
    %tb = air.channel.put async @B[] (%Y[0, %oj] [64, 32] [64, 1]) : (memref<64x64xi32>)
    %tc = air.channel.get async @Cc[] (%Z[%oi, %oj] [32, 32] [64, 1]) : (memref<64x64xi32>)
    %s = air.segment @seg async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2s = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %ea, %la = air.execute -> (memref<32x64xi32, 1>) {
        %m = memref.alloc() : memref<32x64xi32, 1>
        air.execute_terminator %m : memref<32x64xi32, 1>
      }
      %eb, %lb = air.execute -> (memref<64x32xi32, 1>) {
        %m = memref.alloc() : memref<64x32xi32, 1>
        air.execute_terminator %m : memref<64x32xi32, 1>
      }
      %ec, %lc = air.execute -> (memref<32x32xi32, 1>) {
        %m = memref.alloc() : memref<32x32xi32, 1>
        air.execute_terminator %m : memref<32x32xi32, 1>
      }
      %ga = air.channel.get async [%ea] @A[] (%la[] [] []) : (memref<32x64xi32, 1>)
      %gb = air.channel.get async [%eb] @B[] (%lb[] [] []) : (memref<64x32xi32, 1>)
      %pa = scf.parallel (%i) = (%c0) to (%c2s) step (%c1) init (%ga) -> !air.async.token {
        %o = arith.muli %i, %c16 : index
        %l = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %ga) -> (!air.async.token) {
          %ok = arith.muli %k, %c16 : index
          %p = air.channel.put async [%t] @a[%i, %c0] (%la[%o, %ok] [16, 16] [64, 1]) : (memref<32x64xi32, 1>)
          scf.yield %p : !air.async.token
        }
        scf.reduce(%l : !air.async.token) {
        ^bb0(%u: !air.async.token, %v: !air.async.token):
          %w = air.wait_all async [%u, %v]
          scf.reduce.return %w : !air.async.token
        }
      }
      %pb = scf.parallel (%i) = (%c0) to (%c2s) step (%c1) init (%gb) -> !air.async.token {
        %o = arith.muli %i, %c16 : index
        %l = scf.for %k = %c0 to %c4 step %c1 iter_args(%t = %gb) -> (!air.async.token) {
          %ok = arith.muli %k, %c16 : index
          %p = air.channel.put async [%t] @b[%c0, %i] (%lb[%ok, %o] [16, 16] [32, 1]) : (memref<64x32xi32, 1>)
          scf.yield %p : !air.async.token
        }
        scf.reduce(%l : !air.async.token) {
        ^bb0(%u: !air.async.token, %v: !air.async.token):
          %w = air.wait_all async [%u, %v]
          scf.reduce.return %w : !air.async.token
        }
      }
      %h = air.herd @herd async tile (%tx, %ty) in (%sx=%c2s, %sy=%c2s) {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d4 = arith.constant 4 : index
        %zero = arith.constant 0 : i32
        %acc = memref.alloc() : memref<16x16xi32, 2>
        linalg.fill ins(%zero : i32) outs(%acc : memref<16x16xi32, 2>)
        scf.for %k = %d0 to %d4 step %d1 {
          %ba = memref.alloc() : memref<16x16xi32, 2>
          %bb = memref.alloc() : memref<16x16xi32, 2>
          air.channel.get @a[%tx, %ty] (%ba[] [] []) : (memref<16x16xi32, 2>)
          air.channel.get @b[%tx, %ty] (%bb[] [] []) : (memref<16x16xi32, 2>)
          linalg.matmul ins(%ba, %bb : memref<16x16xi32, 2>, memref<16x16xi32, 2>) outs(%acc : memref<16x16xi32, 2>)
          memref.dealloc %ba : memref<16x16xi32, 2>
          memref.dealloc %bb : memref<16x16xi32, 2>
        }
        air.channel.put @c[%tx, %ty] (%acc[] [] []) : (memref<16x16xi32, 2>)
        memref.dealloc %acc : memref<16x16xi32, 2>
      }
      %gc = scf.parallel (%i, %j) = (%c0, %c0) to (%c2s, %c2s) step (%c1, %c1) init (%ec) -> !air.async.token {
        %oi2 = arith.muli %i, %c16 : index
        %oj2 = arith.muli %j, %c16 : index
        %g = air.channel.get async [%ec] @c[%i, %j] (%lc[%oi2, %oj2] [16, 16] [32, 1]) : (memref<32x32xi32, 1>)
        scf.reduce(%g : !air.async.token) {
        ^bb0(%u: !air.async.token, %v: !air.async.token):
          %w = air.wait_all async [%u, %v]
          scf.reduce.return %w : !air.async.token
        }
      }
      %pc = air.channel.put async [%gc] @Cc[] (%lc[] [] []) : (memref<32x32xi32, 1>)
      air.wait_all [%h, %pa, %pb, %pc]
    }
  }
  return
}

// Loops in loops over the places of four columns.
air.channel @vi [4]
air.channel @va [4, 4]
air.channel @vo [4, 4]
air.channel @vr [4]
func.func @columns(%a: memref<16x256xi32>, %b: memref<16x256xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<16x256xi32>, memref<16x256xi32> {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %h4 = arith.constant 4 : index
    scf.parallel (%x) = (%h0) to (%h4) step (%h1) {
      %s = arith.muli %x, %h4 : index
      air.channel.put @vi[%x] (%A[%s, %h0] [4, 256] [256, 1]) : (memref<16x256xi32>)
      air.channel.get @vr[%x] (%B[%s, %h0] [4, 256] [256, 1]) : (memref<16x256xi32>)
      scf.reduce
    }
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      scf.parallel (%x) = (%c0) to (%c4) step (%c1) {
        %l = memref.alloc() : memref<4x256xi32, 1>
        %m = memref.alloc() : memref<4x256xi32, 1>
        air.channel.get @vi[%x] (%l[] [] []) : (memref<4x256xi32, 1>)
        scf.for %k = %c0 to %c4 step %c1 {
          %c64 = arith.constant 64 : index
          %ok = arith.muli %k, %c64 : index
          scf.parallel (%y) = (%c0) to (%c4) step (%c1) {
            air.channel.put @va[%x, %y] (%l[%y, %ok] [1, 64] [256, 1]) : (memref<4x256xi32, 1>)
            air.channel.get @vo[%x, %y] (%m[%y, %ok] [1, 64] [256, 1]) : (memref<4x256xi32, 1>)
            scf.reduce
          }
        }
        air.channel.put @vr[%x] (%m[] [] []) : (memref<4x256xi32, 1>)
        memref.dealloc %l : memref<4x256xi32, 1>
        memref.dealloc %m : memref<4x256xi32, 1>
        scf.reduce
      }
      air.herd @p tile (%tx, %ty) in (%sx_=%c4, %sy_=%c4) {
        %c0_ = arith.constant 0 : index
        %c1_ = arith.constant 1 : index
        %c4_ = arith.constant 4 : index
        scf.for %k = %c0_ to %c4_ step %c1_ {
          %b = memref.alloc() : memref<64xi32, 2>
          air.channel.get @va[%tx, %ty] (%b[] [] []) : (memref<64xi32, 2>)
          linalg.mul ins(%b, %b : memref<64xi32, 2>, memref<64xi32, 2>) outs(%b : memref<64xi32, 2>)
          air.channel.put @vo[%tx, %ty] (%b[] [] []) : (memref<64xi32, 2>)
          memref.dealloc %b : memref<64xi32, 2>
        }
      }
    }
  }
  return
}

// A place of which there is one, by an id.
air.channel @in [1]
air.channel @out [1]
func.func @one(%a: memref<4x32xi32>, %b: memref<4x32xi32>) {
  %one = arith.constant 1 : index
  air.launch (%l, %m) in (%ln=%one, %mn=%one) args(%ka=%a, %kb=%b) : memref<4x32xi32>, memref<4x32xi32> {
    %h0 = arith.constant 0 : index
    air.channel.put @in[%l] (%ka[%l, %m] [1, 32] [32, 1]) : (memref<4x32xi32>)
    air.channel.get @out[%l] (%kb[%l, %h0] [1, 32] [32, 1]) : (memref<4x32xi32>)
    air.segment @s  {
      %sx = arith.constant 1 : index
      %sy = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%hx=%sx, %hy=%sy)  {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        %b = memref.alloc() : memref<32xi32, 2>
        %o = memref.alloc() : memref<32xi32, 2>
        air.channel.get @in[%tx] (%b[] [] []) : (memref<32xi32, 2>)
        scf.for %i = %c0 to %c32 step %c1 {
          %v = memref.load %b[%i] : memref<32xi32, 2>
          %u = arith.muli %v, %v : i32
          memref.store %u, %o[%i] : memref<32xi32, 2>
        }
        air.channel.put @out[%tx] (%o[] [] []) : (memref<32xi32, 2>)
        memref.dealloc %b : memref<32xi32, 2>
        memref.dealloc %o : memref<32xi32, 2>
      }
    }
  }
  return
}

// Loops of affine, which carry no tokens.
air.channel @xi [1]
air.channel @xo [1]
func.func @affine_loops(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<8x64xi32>, memref<8x64xi32> {
    affine.for %k = 0 to 8 {
      %kk = affine.apply affine_map<(d0) -> (7 - d0)>(%k)
      air.channel.put @xi[] (%A[%kk, 0] [1, 64] [64, 1]) : (memref<8x64xi32>)
    }
    affine.for %k = 0 to 4 {
      %k2 = affine.apply affine_map<(d0) -> (2 * d0)>(%k)
      air.channel.get @xo[] (%B[%k2, 0] [2, 64] [64, 1]) : (memref<8x64xi32>)
    }
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @p tile (%tx, %ty) in (%sx_=%c1, %sy_=%c1) {
        affine.for %k = 0 to 8 {
          %b = memref.alloc() : memref<64xi32, 2>
          air.channel.get @xi[] (%b[] [] []) : (memref<64xi32, 2>)
          linalg.add ins(%b, %b : memref<64xi32, 2>, memref<64xi32, 2>) outs(%b : memref<64xi32, 2>)
          air.channel.put @xo[] (%b[] [] []) : (memref<64xi32, 2>)
          memref.dealloc %b : memref<64xi32, 2>
        }
      }
    }
  }
  return
}
