// Ops on rows: the interpreter and the kernels of all devices on this machine; what the objects say.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:4 --output 3=%t.norm.npy --output 4=%t.max.npy --output 6=%t.sum.npy
// RUN: for d in gfx90a gfx942 gfx1100 gfx1201; do for o in forward reverse random:7; do \
// RUN:   airlite-run %s --target=$d --order=$o --init=random:4 --expect 3=%t.norm.npy --expect 4=%t.max.npy \
// RUN:     --expect 6=%t.sum.npy --expect-atol=2e-3 || exit 1; done; done
// RUN: for d in gfx90a gfx942 gfx1100 gfx1201; do \
// RUN:   airlite-compile %s --target=$d -o %T/$d --report=kernel | FileCheck %s || exit 1; done
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942}' | airlite-opt --air-verify-program --emit=none

// The norm is one kernel, the greatest of short rows another one, and the sum of all a third; nothing is in scratch.
// CHECK: kernel main_launch_0
// CHECK: registers  {{.*}}; 0 bytes of scratch
// CHECK: kernel main_launch_1
// CHECK: registers  {{.*}}; 0 bytes of scratch, 0 of LDS
// CHECK: kernel main_launch_2
// CHECK: registers  {{.*}}; 0 bytes of scratch, {{[1-9][0-9]*}} of LDS
// CHECK-NOT: kernel main
#r = affine_map<(i, j) -> (i, j)>
#s = affine_map<(i, j) -> (i)>
#c = affine_map<(i, j) -> (j)>
func.func @main(%x: memref<11x1500xf16>, %g: memref<1500xf16>, %b: memref<1500xf16>, %y: memref<11x1500xf16>,
                %m: memref<3x7xi8>, %i: memref<3x7x25xi8>, %sum: memref<f32>, %long: memref<3x5001xf32>) {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 1500.0 : f32
  %e = arith.constant 1.0e-5 : f32
  %mean = memref.alloc() : memref<11x1xf32>
  %square = memref.alloc() : memref<11x1xf32>
  linalg.fill ins(%z : f32) outs(%mean : memref<11x1xf32>)
  linalg.fill ins(%z : f32) outs(%square : memref<11x1xf32>)
  linalg.generic {indexing_maps = [#r, affine_map<(i, j) -> (i, 0)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<11x1500xf16>) outs(%mean : memref<11x1xf32>) {
  ^bb0(%v: f16, %o: f32):
    %w = arith.extf %v : f16 to f32
    %t = arith.divf %w, %n : f32
    %u = arith.addf %o, %t : f32
    linalg.yield %u : f32
  }
  linalg.generic {indexing_maps = [#r, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, 0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %mean : memref<11x1500xf16>, memref<11x1xf32>) outs(%square : memref<11x1xf32>) {
  ^bb0(%v: f16, %mm: f32, %o: f32):
    %w = arith.extf %v : f16 to f32
    %d = arith.subf %w, %mm : f32
    %d2 = arith.mulf %d, %d : f32
    %u = arith.addf %d2, %o : f32
    linalg.yield %u : f32
  }
  linalg.generic {indexing_maps = [#r, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, 0)>, #c, #c, #r], iterator_types = ["parallel", "parallel"]} ins(%x, %mean, %square, %g, %b : memref<11x1500xf16>, memref<11x1xf32>, memref<11x1xf32>, memref<1500xf16>, memref<1500xf16>) outs(%y : memref<11x1500xf16>) {
  ^bb0(%v: f16, %mm: f32, %q: f32, %gg: f16, %bb: f16, %o: f16):
    %w = arith.extf %v : f16 to f32
    %wg = arith.extf %gg : f16 to f32
    %wb = arith.extf %bb : f16 to f32
    %d = arith.subf %w, %mm : f32
    %var = arith.divf %q, %n : f32
    %safe = arith.addf %var, %e : f32
    %root = math.rsqrt %safe : f32
    %d1 = arith.mulf %d, %root : f32
    %d2 = arith.mulf %d1, %wg : f32
    %d3 = arith.addf %d2, %wb : f32
    %h = arith.truncf %d3 : f32 to f16
    linalg.yield %h : f16
  }
  memref.dealloc %mean : memref<11x1xf32>
  memref.dealloc %square : memref<11x1xf32>
  linalg.reduce { arith.maxsi } ins(%i : memref<3x7x25xi8>) outs(%m : memref<3x7xi8>) dimensions = [2]
  linalg.generic {indexing_maps = [#r, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%long : memref<3x5001xf32>) outs(%sum : memref<f32>) {
  ^bb0(%v: f32, %o: f32):
    %t = arith.addf %v, %o : f32
    linalg.yield %t : f32
  }
  return
}
