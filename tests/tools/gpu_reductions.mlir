// Reductions of dimensions that are not the last ones, and numbers of places: as in the interpreter, and divided so
// that the device has work. The greatest of columns has the very bits; sums of small integers too.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:4 --output 2=%t.channels.npy --output 3=%t.columns.npy --output 4=%t.middle.npy --output 5=%t.first.npy
// RUN: for d in gfx90a gfx942 gfx1100 gfx1201; do for o in forward reverse random:7; do \
// RUN:   airlite-run %s --target=$d --order=$o --init=random:4 --expect 2=%t.channels.npy --expect 3=%t.columns.npy \
// RUN:     --expect 4=%t.middle.npy --expect 5=%t.first.npy || exit 1; done; done
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942}' | airlite-opt --air-verify-program --emit=none
// RUN: airlite-opt %s --air-gpu-rows=device=gfx942 | FileCheck %s
// With the bits of the program nothing is divided.
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942 exact=true}' | FileCheck %s --check-prefix=EXACT

// The last dimensions are rows; what they make is reduced along the first one.
// CHECK: memref.alloc() : memref<4x6xi32>
// CHECK: air.launch
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]{{.*}} ins(%{{.*}} : memref<4x6xi32>)
// A loop in two: 30 divides 960.
// CHECK: memref.alloc() : memref<30x40xf32>
// CHECK: memref.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] {{.*}} into memref<30x32x40xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel", "parallel"]
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]{{.*}} ins(%{{.*}} : memref<30x40xf32>)
// The first of two loops numbers the parts.
// CHECK: memref.alloc() : memref<12x5x16xi32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction", "parallel"]
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel", "parallel"]{{.*}} ins(%{{.*}} : memref<12x5x16xi32>)
// What asks for its place is not divided.
// CHECK-NOT: memref.expand_shape
// EXACT-NOT: memref.alloc
#all = affine_map<(n, c, h, w) -> (n, c, h, w)>
func.func @main(%x: memref<4x6x12x16xi32>, %y: memref<960x40xf32>, %channels: memref<6xi32>, %columns: memref<40xf32>,
                %middle: memref<5x16xi32>, %first: memref<1xi32>, %z: memref<5x12x11x16xi32>, %long: memref<1x131072xi32>) {
  %zero = arith.constant 0 : i32
  %least = arith.constant 0xFF800000 : f32
  linalg.fill ins(%zero : i32) outs(%channels : memref<6xi32>)
  linalg.generic {indexing_maps = [#all, affine_map<(n, c, h, w) -> (c)>], iterator_types = ["reduction", "parallel", "reduction", "reduction"]} ins(%x : memref<4x6x12x16xi32>) outs(%channels : memref<6xi32>) {
  ^bb0(%v: i32, %o: i32):
    %s = arith.addi %o, %v : i32
    linalg.yield %s : i32
  }
  linalg.fill ins(%least : f32) outs(%columns : memref<40xf32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%y : memref<960x40xf32>) outs(%columns : memref<40xf32>) {
  ^bb0(%v: f32, %o: f32):
    %s = arith.maximumf %o, %v : f32
    linalg.yield %s : f32
  }
  linalg.fill ins(%zero : i32) outs(%middle : memref<5x16xi32>)
  linalg.generic {indexing_maps = [#all, affine_map<(n, c, h, w) -> (n, w)>], iterator_types = ["parallel", "reduction", "reduction", "parallel"]} ins(%z : memref<5x12x11x16xi32>) outs(%middle : memref<5x16xi32>) {
  ^bb0(%v: i32, %o: i32):
    %s = arith.addi %o, %v : i32
    linalg.yield %s : i32
  }
  linalg.fill ins(%zero : i32) outs(%first : memref<1xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%long : memref<1x131072xi32>) outs(%first : memref<1xi32>) {
  ^bb0(%v: i32, %o: i32):
    %j = linalg.index 1 : index
    %hundred = arith.constant 100 : index
    %isFirst = arith.cmpi ult, %j, %hundred : index
    %w = arith.select %isFirst, %v, %zero : i32
    %s = arith.addi %o, %w : i32
    linalg.yield %s : i32
  }
  return
}
