// Tiles of matrices, as data tiling has them: packed, multiplied and put together again, odd sizes filled up.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:3 --output 3=%t.y.npy --output 4=%t.z.npy --output 5=%t.r.npy
// RUN: for d in gfx942,forward gfx90a,reverse gfx1100,random:3 gfx1201,reverse; do \
// RUN:   airlite-run %s --target=${d%,*} --order=${d#*,} --init=random:3 --expect 3=%t.y.npy --expect 4=%t.z.npy --expect 5=%t.r.npy || exit 1; done

func.func @main(%a: tensor<61x45xi8>, %b: tensor<45x33xi8>, %x: memref<5x16x6xf16>, %y: memref<3x2x5x2x8xf16>, %z: memref<5x15x5xf16>) -> tensor<61x33xi32> {
  %z8 = arith.constant 0 : i8
  %zero = arith.constant 0 : i32
  %ea = tensor.empty() : tensor<8x23x8x2xi8>
  %pa = linalg.pack %a padding_value(%z8 : i8) outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %ea : tensor<61x45xi8> -> tensor<8x23x8x2xi8>
  %eb = tensor.empty() : tensor<5x23x8x2xi8>
  %pb = tensor.pack %b padding_value(%z8 : i8) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [8, 2] into %eb : tensor<45x33xi8> -> tensor<5x23x8x2xi8>
  %ec = tensor.empty() : tensor<8x5x8x8xi32>
  %fc = linalg.fill ins(%zero : i32) outs(%ec : tensor<8x5x8x8xi32>) -> tensor<8x5x8x8xi32>
  %m = linalg.mmt4d ins(%pa, %pb : tensor<8x23x8x2xi8>, tensor<5x23x8x2xi8>) outs(%fc : tensor<8x5x8x8xi32>) -> tensor<8x5x8x8xi32>
  %eo = tensor.empty() : tensor<61x33xi32>
  %o = linalg.unpack %m inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %eo : tensor<8x5x8x8xi32> -> tensor<61x33xi32>
  linalg.pack %x outer_dims_perm = [2, 1, 0] inner_dims_pos = [2, 1] inner_tiles = [2, 8] into %y : memref<5x16x6xf16> -> memref<3x2x5x2x8xf16>
  linalg.unpack %y outer_dims_perm = [2, 1, 0] inner_dims_pos = [2, 1] inner_tiles = [2, 8] into %z : memref<3x2x5x2x8xf16> -> memref<5x15x5xf16>
  return %o : tensor<61x33xi32>
}
