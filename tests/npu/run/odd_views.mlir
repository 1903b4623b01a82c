// Parts of buffers that begin or end inside of words: cores copy them first, since no DMA reaches them.
// RUN: for f in columns differences rows flat; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-8: 2 arguments are as in the interpreter, bit by bit
#id = affine_map<(i, j) -> (i, j)>
#cube = affine_map<(i, j, k) -> (i, j, k)>
func.func @columns(%x: memref<64x257xbf16>, %y: memref<64x256xbf16>) {
  %part = memref.subview %x[0, 1] [64, 256] [1, 1] : memref<64x257xbf16> to memref<64x256xbf16, strided<[257, 1], offset: 1>>
  memref.copy %part, %y : memref<64x256xbf16, strided<[257, 1], offset: 1>> to memref<64x256xbf16>
  return
}
func.func @differences(%x: memref<16x64xbf16>, %y: memref<16x63xbf16>) {
  %next = memref.subview %x[0, 1] [16, 63] [1, 1] : memref<16x64xbf16> to memref<16x63xbf16, strided<[64, 1], offset: 1>>
  %here = memref.subview %x[0, 0] [16, 63] [1, 1] : memref<16x64xbf16> to memref<16x63xbf16, strided<[64, 1]>>
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%next, %here : memref<16x63xbf16, strided<[64, 1], offset: 1>>, memref<16x63xbf16, strided<[64, 1]>>) outs(%y : memref<16x63xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %old: bf16):
    %difference = arith.subf %a, %b : bf16
    linalg.yield %difference : bf16
  }
  return
}
func.func @rows(%x: memref<4x29x13xi8>, %y: memref<4x27x13xi8>) {
  %part = memref.subview %x[0, 1, 0] [4, 27, 13] [1, 1, 1] : memref<4x29x13xi8> to memref<4x27x13xi8, strided<[377, 13, 1], offset: 13>>
  linalg.generic {indexing_maps = [#cube, #cube], iterator_types = ["parallel", "parallel", "parallel"]} ins(%part : memref<4x27x13xi8, strided<[377, 13, 1], offset: 13>>) outs(%y : memref<4x27x13xi8>) {
  ^bb0(%a: i8, %old: i8):
    %square = arith.muli %a, %a : i8
    linalg.yield %square : i8
  }
  return
}
func.func @flat(%x: memref<1000xi8>, %y: memref<997xi8>) {
  %part = memref.subview %x[3] [997] [1] : memref<1000xi8> to memref<997xi8, strided<[1], offset: 3>>
  memref.copy %part, %y : memref<997xi8, strided<[1], offset: 3>> to memref<997xi8>
  return
}
