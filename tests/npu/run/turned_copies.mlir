// Cores transpose elements of 8 and 16 bits by words and shuffles (air-aie-turned-copies): rows and columns of any number.
// RUN: for f in even vectors odd_rows odd_columns batches back; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-12: 2 arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --function=odd_columns %s -o %t && cat %t/*core_*.s | FileCheck %s --check-prefix=CORE
// CORE: vshuffle
func.func @even(%x: memref<64x196xi8>, %y: memref<196x64xi8>) {
  linalg.transpose ins(%x : memref<64x196xi8>) outs(%y : memref<196x64xi8>) permutation = [1, 0]
  return
}
func.func @vectors(%x: memref<128x100xbf16>, %y: memref<100x128xbf16>) {
  linalg.transpose ins(%x : memref<128x100xbf16>) outs(%y : memref<100x128xbf16>) permutation = [1, 0]
  return
}
func.func @odd_rows(%x: memref<13x64xi8>, %y: memref<64x13xi8>) {
  linalg.transpose ins(%x : memref<13x64xi8>) outs(%y : memref<64x13xi8>) permutation = [1, 0]
  return
}
func.func @odd_columns(%x: memref<64x49xi8>, %y: memref<49x64xi8>) {
  linalg.transpose ins(%x : memref<64x49xi8>) outs(%y : memref<49x64xi8>) permutation = [1, 0]
  return
}
func.func @batches(%x: memref<2x36x44xi16>, %y: memref<2x44x36xi16>) {
  linalg.transpose ins(%x : memref<2x36x44xi16>) outs(%y : memref<2x44x36xi16>) permutation = [0, 2, 1]
  return
}
func.func @back(%x: memref<6x20x8xi8>, %y: memref<8x20x6xi8>) {
  linalg.transpose ins(%x : memref<6x20x8xi8>) outs(%y : memref<8x20x6xi8>) permutation = [2, 1, 0]
  return
}
