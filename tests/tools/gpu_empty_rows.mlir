// Sums and extremes of rows without elements are what was there before: nothing is read.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:1 --output 1=%t.1.npy --output 2=%t.2.npy --output 3=%t.3.npy --output 5=%t.5.npy
// RUN: for d in gfx942 gfx90a gfx1100 gfx1201; do \
// RUN:   airlite-run %s --target=$d --init=random:1 --expect 1=%t.1.npy --expect 2=%t.2.npy --expect 3=%t.3.npy --expect 5=%t.5.npy || exit 1; done

func.func @main(%a: memref<3x0xf32>, %sum: memref<3xf32>, %most: memref<3xf32>, %place: memref<3xi32>, %b: memref<0x40xf16>, %c: memref<0xf16>) {
  linalg.reduce ins(%a : memref<3x0xf32>) outs(%sum : memref<3xf32>) dimensions = [1] (%x: f32, %y: f32) {
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<3x0xf32>) outs(%most, %place : memref<3xf32>, memref<3xi32>) {
  ^bb0(%x: f32, %y: f32, %p: i32):
    %j = linalg.index 1 : index
    %at = arith.index_cast %j : index to i32
    %more = arith.cmpf ogt, %x, %y : f32
    %m = arith.select %more, %x, %y : f32
    %q = arith.select %more, %at, %p : i32
    linalg.yield %m, %q : f32, i32
  }
  linalg.reduce ins(%b : memref<0x40xf16>) outs(%c : memref<0xf16>) dimensions = [1] (%x: f16, %y: f16) {
    %s = arith.addf %x, %y : f16
    linalg.yield %s : f16
  }
  return
}
