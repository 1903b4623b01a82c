// Numbers that a function returns are memory of one element behind its arguments.
// RUN: airlite-run %s --on=sim --function=dot --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --on=sim --function=of_herd --compare=interp --init=random:1 --target=npu2 | FileCheck %s
// RUN: airlite-run %s --on=sim --function=two --compare=interp --init=random:1 | FileCheck %s --check-prefix=TWO
// RUN: airlite-run %s --on=sim --function=sum --compare=interp --init=random:1 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit
// TWO: 3 arguments are as in the interpreter, bit by bit

func.func @dot(%a: memref<256xi32>, %b: memref<256xi32>) -> i32 {
  %r = memref.alloc() : memref<i32>
  %z = arith.constant 0 : i32
  linalg.fill ins(%z : i32) outs(%r : memref<i32>)
  linalg.dot ins(%a, %b : memref<256xi32>, memref<256xi32>) outs(%r : memref<i32>)
  %v = memref.load %r[] : memref<i32>
  return %v : i32
}

func.func @of_herd(%a: memref<256xi32>, %b: memref<256xi32>) -> i32 {
  %r = memref.alloc() : memref<1xi32>
  air.launch () in () args(%x = %a, %y = %b, %o = %r) : memref<256xi32>, memref<256xi32>, memref<1xi32> {
    air.segment @s args(%sx = %x, %sy = %y, %so = %o) : memref<256xi32>, memref<256xi32>, memref<1xi32> {
      %d1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%nx = %d1, %ny = %d1) args(%hx = %sx, %hy = %sy, %ho = %so) : memref<256xi32>, memref<256xi32>, memref<1xi32> {
        %m = memref.alloc() : memref<256xi32, 2>
        %n = memref.alloc() : memref<256xi32, 2>
        %o1 = memref.alloc() : memref<1xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %hx[] [] []) : (memref<256xi32, 2>, memref<256xi32>)
        air.dma_memcpy_nd (%n[] [] [], %hy[] [] []) : (memref<256xi32, 2>, memref<256xi32>)
        %c0 = arith.constant 0 : index
        %z = arith.constant 0 : i32
        %s = affine.for %i = 0 to 256 iter_args(%acc = %z) -> (i32) {
          %u = affine.load %m[%i] : memref<256xi32, 2>
          %v = affine.load %n[%i] : memref<256xi32, 2>
          %p = arith.muli %u, %v : i32
          %q = arith.addi %acc, %p : i32
          affine.yield %q : i32
        }
        memref.store %s, %o1[%c0] : memref<1xi32, 2>
        air.dma_memcpy_nd (%ho[] [] [], %o1[] [] []) : (memref<1xi32>, memref<1xi32, 2>)
      }
    }
  }
  %k = arith.constant 0 : index
  %v = memref.load %r[%k] : memref<1xi32>
  return %v : i32
}

func.func @two(%a: memref<4x16xi32>) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %v0 = memref.load %a[%c0, %c0] : memref<4x16xi32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %v0, %q = %v0) -> (i32, i32) {
    %s:2 = scf.for %j = %c0 to %c16 step %c1 iter_args(%pp = %p, %qq = %q) -> (i32, i32) {
      %v = memref.load %a[%i, %j] : memref<4x16xi32>
      %x = arith.maxsi %pp, %v : i32
      %y = arith.minsi %qq, %v : i32
      scf.yield %x, %y : i32, i32
    }
    scf.yield %s#0, %s#1 : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

func.func @sum(%a: memref<64xf32>) -> f32 {
  %z = arith.constant 0.0 : f32
  %s = affine.for %i = 0 to 64 iter_args(%acc = %z) -> (f32) {
    %v = affine.load %a[%i] : memref<64xf32>
    %w = arith.addf %acc, %v : f32
    affine.yield %w : f32
  }
  return %s : f32
}
