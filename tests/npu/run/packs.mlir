// Tiles of matrices as data tiling has them, on the cores: packed, multiplied, and put together again, odd sizes filled up.
// RUN: airlite-run --on=sim %s --init=random:3 --compare=interp

func.func @main(%a: memref<29x45xi8>, %pa: memref<8x6x4x8xi8>, %x: memref<5x16x6xi32>, %y: memref<3x2x5x2x8xi32>, %z: memref<5x15x5xi32>) {
  %z8 = arith.constant 0 : i8
  linalg.pack %a padding_value(%z8 : i8) inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %pa : memref<29x45xi8> -> memref<8x6x4x8xi8>
  linalg.pack %x outer_dims_perm = [2, 1, 0] inner_dims_pos = [2, 1] inner_tiles = [2, 8] into %y : memref<5x16x6xi32> -> memref<3x2x5x2x8xi32>
  linalg.unpack %y outer_dims_perm = [2, 1, 0] inner_dims_pos = [2, 1] inner_tiles = [2, 8] into %z : memref<3x2x5x2x8xi32> -> memref<5x15x5xi32>
  return
}
