// Each column of cores has transfers that the host starts: an op whose cores would compute and move for less time than these take
// gets fewer columns, with more to do it gets more.
// RUN: airlite-opt %s --air-tile-linalg='herd=8,4 device=npu2' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: airlite-opt %s --air-tile-linalg='herd=4,4' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=NARROW
// WIDE: tiled: {{.*}}herd 1x1,
// WIDE: tiled: {{.*}}herd 8x1,
// WIDE: tiled: {{.*}}herd 8x4,
// NARROW: tiled: {{.*}}herd 1x1,
// NARROW: tiled: {{.*}}herd 4x1,
// NARROW: tiled: {{.*}}herd 4x4,
func.func @few(%x: memref<8x8x64xi8>, %y: memref<8x8x64xi8>) {
  linalg.copy ins(%x : memref<8x8x64xi8>) outs(%y : memref<8x8x64xi8>)
  return
}
// One element at a time is slower.
func.func @turned(%x: memref<64x64x4xi8>, %y: memref<64x4x64xi8>) {
  linalg.transpose ins(%x : memref<64x64x4xi8>) outs(%y : memref<64x4x64xi8>) permutation = [0, 2, 1]
  return
}
func.func @many(%x: memref<64x64x512xi8>, %y: memref<64x64x512xi8>) {
  linalg.copy ins(%x : memref<64x64x512xi8>) outs(%y : memref<64x64x512xi8>)
  return
}
