// Numbers that the function takes: a design is for those that it is run with, or that --set says.
// REQUIRES: !sanitize
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=scaled %s | FileCheck %s --check-prefix=TWO
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=scaled --input arg1=-3 %s | FileCheck %s --check-prefix=TWO
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --exact --function=floats --input 1=0.25 %s | FileCheck %s --check-prefix=TWO
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=count --input 1=40 %s | FileCheck %s --check-prefix=TWO
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=offset --input 2=100 %s | FileCheck %s --check-prefix=THREE
// TWO: 2 arguments are as in the interpreter, bit by bit
// THREE: 3 arguments are as in the interpreter, bit by bit

// The results are counted as in the program.
// RUN: airlite-run --on=interp --init=random:1 --function=first --input 0=5 --output 2=%t.npy %s
// RUN: airlite-run --on=sim --init=random:1 --function=first --input 0=5 --expect 2=%t.npy %s
// RUN: airlite-compile --target=npu1 --function=first --set 0=5 %s -o %t.first
// RUN: airlite-run --on=interp --init=random:1 --function=first --input 0=5 --output 1=%t.in.npy %s
// RUN: airlite-run --on=sim %t.first --input 0=%t.in.npy --expect 1=%t.npy

// RUN: not airlite-run --on=sim --init=random:1 --function=offset --input 2=-7 %s 2>&1 | FileCheck %s --check-prefix=BEFORE
// BEFORE: error: 'air.dma_memcpy_nd' in [0, 0] of 'air.herd' reads elements -7 to 56 of %arg6, whose last element is 255
// RUN: not airlite-compile --target=npu1 --function=scaled %s -o %t.none 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: is not known when the stream is made
// OPEN: note: it comes from here; airlite-compile --set N=VALUE makes an argument a constant
// RUN: not airlite-compile --target=npu1 --function=scaled --set 1=x %s -o %t.none 2>&1 | FileCheck %s --check-prefix=SET
// SET: error: --set=1=x is not a value of an integer, index or float argument of 'scaled'
// RUN: not airlite-compile --target=npu1 --function=scaled --set 0=1 %s -o %t.none 2>&1 | FileCheck %s --check-prefix=BUFFER
// BUFFER: error: --set=0=1 is not a value

func.func @scaled(%x: memref<64xi32>, %s: i32) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%x : memref<64xi32>) {
  ^bb0(%a: i32):
    %0 = arith.muli %a, %s : i32
    linalg.yield %0 : i32
  }
  return
}

func.func @floats(%a: memref<64xf32>, %n: f32) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.launch (%i) in (%m = %c1) args(%x=%a, %f=%n) : memref<64xf32>, f32 {
    air.segment @s args(%x1=%x, %f1=%f) : memref<64xf32>, f32 {
      %o = arith.constant 1 : index
      %t = arith.constant 2 : index
      air.herd @sc tile (%tx, %ty) in (%sx=%t, %sy=%o) args(%p=%x1, %s=%f1) : memref<64xf32>, f32 {
        %k1 = arith.constant 1 : index
        %k32 = arith.constant 32 : index
        %off = arith.muli %tx, %k32 : index
        %m1 = memref.alloc() : memref<32xf32, 2>
        air.dma_memcpy_nd (%m1[] [] [], %p[%off] [%k32] [%k1]) : (memref<32xf32, 2>, memref<64xf32>)
        affine.for %k = 0 to 32 {
          %v = affine.load %m1[%k] : memref<32xf32, 2>
          %w = arith.mulf %v, %s : f32
          affine.store %w, %m1[%k] : memref<32xf32, 2>
        }
        air.dma_memcpy_nd (%p[%off] [%k32] [%k1], %m1[] [] []) : (memref<64xf32>, memref<32xf32, 2>)
        memref.dealloc %m1 : memref<32xf32, 2>
      }
    }
  }
  return
}

func.func @count(%a: memref<64xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  air.herd @sc tile (%tx, %ty) in (%sx=%c1, %sy=%c1) args(%p=%a, %s=%n) : memref<64xi32>, index {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %m = memref.alloc() : memref<64xi32, 2>
    air.dma_memcpy_nd (%m[] [] [], %p[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
    scf.for %k = %k0 to %s step %k1 {
      %v = memref.load %m[%k] : memref<64xi32, 2>
      %w = arith.addi %v, %v : i32
      memref.store %w, %m[%k] : memref<64xi32, 2>
    }
    air.dma_memcpy_nd (%p[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
    memref.dealloc %m : memref<64xi32, 2>
  }
  return
}

func.func @offset(%a: memref<256xi32>, %b: memref<64xi32>, %off: index) {
  %c1 = arith.constant 1 : index
  air.herd @sc tile (%tx, %ty) in (%sx=%c1, %sy=%c1) args(%p=%a, %q=%b, %s=%off) : memref<256xi32>, memref<64xi32>, index {
    %k1 = arith.constant 1 : index
    %k64 = arith.constant 64 : index
    %m = memref.alloc() : memref<64xi32, 2>
    air.dma_memcpy_nd (%m[] [] [], %p[%s] [%k64] [%k1]) : (memref<64xi32, 2>, memref<256xi32>)
    air.dma_memcpy_nd (%q[] [] [], %m[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
    memref.dealloc %m : memref<64xi32, 2>
  }
  return
}

func.func @first(%s: i32, %x: memref<64xi32>, %y: memref<64xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : memref<64xi32>) outs(%y : memref<64xi32>) {
  ^bb0(%a: i32, %o: i32):
    %0 = arith.subi %a, %s : i32
    linalg.yield %0 : i32
  }
  return
}
