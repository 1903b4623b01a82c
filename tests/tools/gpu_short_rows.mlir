// Short rows, several of them in a wave: operands of which only the first element of a dimension is read, columns and
// numbers of rows that are computed before the whole is.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:5 --output 1=%t.1.npy --output 3=%t.3.npy --output 6=%t.6.npy --output 9=%t.9.npy --output 11=%t.11.npy --output 13=%t.13.npy
// RUN: for d in gfx90a gfx942 gfx1100 gfx1201; do for o in forward reverse; do \
// RUN:   airlite-run %s --target=$d --order=$o --init=random:5 --expect 1=%t.1.npy --expect 3=%t.3.npy --expect 6=%t.6.npy --expect 9=%t.9.npy \
// RUN:     --expect 11=%t.11.npy --expect 13=%t.13.npy --expect-rtol=1e-6 || exit 1; done; done

#rc = affine_map<(i, j) -> (i, j)>
func.func @main(%a: memref<40x3x20xi16>, %b: memref<40x20xi16>, %c: memref<50x2x3x1xf32>, %d: memref<50x2x1xf32>,
                %e: memref<6xf16>, %f: memref<1x6xi32>, %g: memref<3x6xf16>,
                %h: memref<2xf32>, %i: memref<3x1xf32>, %j: memref<3x1xf32>,
                %k: memref<70x1x1xi16>, %l: memref<70x1x6xi16>, %m: memref<3x2xf32>, %n: memref<40x24xi32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0, j)>, #rc], iterator_types = ["parallel", "parallel"]} ins(%a : memref<40x3x20xi16>) outs(%b : memref<40x20xi16>) {
  ^bb0(%x: i16, %o: i16):
    %0 = arith.minui %x, %o : i16
    linalg.yield %0 : i16
  }
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, 0, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%c : memref<50x2x3x1xf32>) outs(%d : memref<50x2x1xf32>) {
  ^bb0(%x: f32, %o: f32):
    %0 = arith.maximumf %x, %o : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (0, j)>, #rc], iterator_types = ["parallel", "parallel"]}
      ins(%e, %f : memref<6xf16>, memref<1x6xi32>) outs(%g : memref<3x6xf16>) {
  ^bb0(%x: f16, %y: i32, %o: f16):
    %0 = arith.sitofp %y : i32 to f16
    %1 = arith.maximumf %x, %0 : f16
    linalg.yield %1 : f16
  }
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %i : memref<2xf32>, memref<3x1xf32>) outs(%j : memref<3x1xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.maximumf %x, %y : f32
    %1 = arith.mulf %0, %y : f32
    %2 = arith.addf %1, %o : f32
    linalg.yield %2 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, 0)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k : memref<70x1x1xi16>) outs(%l : memref<70x1x6xi16>) {
  ^bb0(%x: i16, %o: i16):
    linalg.yield %x : i16
  }
  linalg.generic {indexing_maps = [affine_map<(i, j, k, l) -> (k, l)>, affine_map<(i, j, k, l) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%m : memref<3x2xf32>) outs(%n : memref<40x24xi32>) {
  ^bb0(%x: f32, %o: i32):
    %0 = arith.fptosi %x : f32 to i32
    %1 = arith.maxsi %0, %o : i32
    linalg.yield %1 : i32
  }
  return
}
