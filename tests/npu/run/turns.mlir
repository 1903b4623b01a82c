// Rows whose elements take turns in the result: planes that become channels, upsampling, pixels of blocks. Cores get whole rows, and
// shuffles put the elements of two, four or eight vectors in turns (air-aie-turned-copies).
// RUN: for f in planes twice blocks merged; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:5 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-8: as in the interpreter, bit by bit
func.func @planes(%x: memref<8x500xi8>, %y: memref<500x8xi8>) {
  linalg.transpose ins(%x : memref<8x500xi8>) outs(%y : memref<500x8xi8>) permutation = [1, 0]
  return
}
// The nearest element of an image twice as large.
func.func @twice(%x: memref<16x32x64xi8>, %y: memref<16x64x128xi8>) {
  %pairs = memref.expand_shape %y [[0], [1, 2], [3, 4]] output_shape [16, 32, 2, 64, 2] : memref<16x64x128xi8> into memref<16x32x2x64x2xi8>
  linalg.generic {indexing_maps = [affine_map<(c, i, a, j, b) -> (c, i, j)>, affine_map<(c, i, a, j, b) -> (c, i, a, j, b)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%x : memref<16x32x64xi8>) outs(%pairs : memref<16x32x2x64x2xi8>) {
  ^bb0(%pixel: i8, %out: i8):
    linalg.yield %pixel : i8
  }
  return
}
// Four channels are the pixels of blocks of two by two.
func.func @blocks(%x: memref<32x32x32xbf16>, %y: memref<8x64x64xbf16>) {
  %four = memref.expand_shape %x [[0, 1, 2], [3], [4]] output_shape [8, 2, 2, 32, 32] : memref<32x32x32xbf16> into memref<8x2x2x32x32xbf16>
  %pairs = memref.expand_shape %y [[0], [1, 2], [3, 4]] output_shape [8, 32, 2, 32, 2] : memref<8x64x64xbf16> into memref<8x32x2x32x2xbf16>
  linalg.transpose ins(%four : memref<8x2x2x32x32xbf16>) outs(%pairs : memref<8x32x2x32x2xbf16>) permutation = [0, 3, 1, 4, 2]
  return
}
// Pixels of blocks become channels, whose rows stay whole.
func.func @merged(%x: memref<32x32x16xbf16>, %y: memref<16x16x64xbf16>) {
  %pairs = memref.expand_shape %x [[0, 1], [2, 3], [4]] output_shape [16, 2, 16, 2, 16] : memref<32x32x16xbf16> into memref<16x2x16x2x16xbf16>
  %four = memref.expand_shape %y [[0], [1], [2, 3, 4]] output_shape [16, 16, 2, 2, 16] : memref<16x16x64xbf16> into memref<16x16x2x2x16xbf16>
  linalg.transpose ins(%pairs : memref<16x2x16x2x16xbf16>) outs(%four : memref<16x16x2x2x16xbf16>) permutation = [0, 2, 1, 3, 4]
  return
}
