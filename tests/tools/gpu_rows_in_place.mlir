// Numbers of rows that a kernel reads and writes: all lanes and waves of a row have read them before one
// writes. Rows are in place too. Greatest numbers have the same bits in each order.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:4 --output 0=%t.0.npy --output 1=%t.1.npy --output 2=%t.2.npy --output 3=%t.3.npy --output 4=%t.4.npy --output 5=%t.5.npy
// RUN: for d in gfx942 gfx1100; do for o in forward reverse random:3; do \
// RUN:   airlite-run %s --target=$d --order=$o --init=random:4 \
// RUN:     --expect 0=%t.0.npy --expect 1=%t.1.npy --expect 2=%t.2.npy --expect 3=%t.3.npy --expect 4=%t.4.npy --expect 5=%t.5.npy || exit 1; done; done
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942}' | airlite-opt --air-verify-program --emit=none
#r = affine_map<(i, j) -> (i, j)>
#s = affine_map<(i, j) -> (i)>
func.func @main(%x: memref<9x5000xf32>, %s: memref<9xf32>, %a: memref<9x60xf32>, %t: memref<9xf32>, %b: memref<9x700xf32>, %u: memref<9xf32>) {
  linalg.reduce { arith.maximumf } ins(%x : memref<9x5000xf32>) outs(%s : memref<9xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [#s, #r], iterator_types = ["parallel", "parallel"]} ins(%s : memref<9xf32>) outs(%x : memref<9x5000xf32>) {
  ^bb0(%m: f32, %o: f32):
    %d = arith.subf %o, %m : f32
    linalg.yield %d : f32
  }
  linalg.reduce { arith.maximumf } ins(%a : memref<9x60xf32>) outs(%t : memref<9xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [#s, #r], iterator_types = ["parallel", "parallel"]} ins(%t : memref<9xf32>) outs(%a : memref<9x60xf32>) {
  ^bb0(%m: f32, %o: f32):
    %d = arith.subf %o, %m : f32
    linalg.yield %d : f32
  }
  linalg.generic {indexing_maps = [#s, #r], iterator_types = ["parallel", "parallel"]} ins(%u : memref<9xf32>) outs(%b : memref<9x700xf32>) {
  ^bb0(%m: f32, %o: f32):
    %d = arith.subf %o, %m : f32
    linalg.yield %d : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%u : memref<9xf32>) {
  ^bb0(%o: f32):
    %d = arith.addf %o, %o : f32
    linalg.yield %d : f32
  }
  return
}
