// Zeros of both signs: the extreme is the one at the place that is found, the first with >, the last with >=.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:9 --output 1=%t.1.npy --output 2=%t.2.npy --output 4=%t.4.npy --output 5=%t.5.npy
// RUN: for d in gfx942,forward gfx90a,reverse gfx1100,random:3 gfx1201,reverse; do \
// RUN:   airlite-run %s --target=$(echo $d | sed 's/,.*//') --order=$(echo $d | sed 's/.*,//') --init=random:9 --expect 1=%t.1.npy --expect 2=%t.2.npy --expect 4=%t.4.npy --expect 5=%t.5.npy || exit 1; done

#rc = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
func.func @main(%a: memref<23x33xi8>, %v: memref<23xf32>, %p: memref<23xi32>, %b: memref<7x300xi8>, %w: memref<7xf16>, %q: memref<7xi64>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.0 : f16
  %x = memref.alloc() : memref<23x33xf32>
  linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]} ins(%a : memref<23x33xi8>) outs(%x : memref<23x33xf32>) {
  ^bb0(%n: i8, %o: f32):
    %f = arith.sitofp %n : i8 to f32
    %z = arith.mulf %f, %zero : f32
    linalg.yield %z : f32
  }
  linalg.generic {indexing_maps = [#rc, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x : memref<23x33xf32>) outs(%v, %p : memref<23xf32>, memref<23xi32>) {
  ^bb0(%n: f32, %most: f32, %at: i32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %c = arith.cmpf oge, %n, %most : f32
    %m = arith.select %c, %n, %most : f32
    %i = arith.select %c, %k, %at : i32
    linalg.yield %m, %i : f32, i32
  }
  %y = memref.alloc() : memref<7x300xf16>
  linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]} ins(%b : memref<7x300xi8>) outs(%y : memref<7x300xf16>) {
  ^bb0(%n: i8, %o: f16):
    %f = arith.sitofp %n : i8 to f16
    %z = arith.mulf %f, %half : f16
    linalg.yield %z : f16
  }
  %start = arith.constant 1.0 : f16
  linalg.fill ins(%start : f16) outs(%w : memref<7xf16>)
  linalg.generic {indexing_maps = [#rc, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%y : memref<7x300xf16>) outs(%w, %q : memref<7xf16>, memref<7xi64>) {
  ^bb0(%n: f16, %least: f16, %at: i64):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i64
    %c = arith.cmpf olt, %n, %least : f16
    %m = arith.select %c, %n, %least : f16
    %i = arith.select %c, %k, %at : i64
    linalg.yield %m, %i : f16, i64
  }
  return
}
