// Windows that move by two or four elements along rows of images whose channels lie outside: images stay as they are, and cores keep
// every second element of vectors (air-join-window-rows, air-aie-vectorize-core). Rows of @odd and @bytes are no whole words.
// RUN: for f in halves odd bytes depthwise quarters channels; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:5 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-12: as in the interpreter, bit by bit
// RUN: for f in halves odd bytes depthwise quarters channels; do airlite-compile --target=npu1 --remarks --function=$f %s -o %t.$f || exit 1; done 2>&1 | FileCheck %s --check-prefix=LOOPS
// LOOPS-NOT: {{it computes an index|begins inside a vector|lie side by side|goes through memory}}
// LOOPS-NOT: on copies whose channels lie side by side
func.func @halves(%x: memref<1x16x32x32xi32>, %w: memref<2x2xi32>, %y: memref<1x16x16x16xi32>) {
  %least = arith.constant -2147483648 : i32
  linalg.fill ins(%least : i32) outs(%y : memref<1x16x16x16xi32>)
  linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x16x32x32xi32>, memref<2x2xi32>) outs(%y : memref<1x16x16x16xi32>)
  return
}
func.func @odd(%x: memref<1x8x29x29xbf16>, %w: memref<3x3xbf16>, %y: memref<1x8x14x14xbf16>) {
  %least = arith.constant 0xFF80 : bf16
  linalg.fill ins(%least : bf16) outs(%y : memref<1x8x14x14xbf16>)
  linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x8x29x29xbf16>, memref<3x3xbf16>) outs(%y : memref<1x8x14x14xbf16>)
  return
}
func.func @bytes(%x: memref<2x8x57x57xi8>, %w: memref<3x3xi8>, %y: memref<2x8x28x28xi8>) {
  %least = arith.constant -128 : i8
  linalg.fill ins(%least : i8) outs(%y : memref<2x8x28x28xi8>)
  linalg.pooling_nchw_max {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<2x8x57x57xi8>, memref<3x3xi8>) outs(%y : memref<2x8x28x28xi8>)
  return
}
func.func @depthwise(%x: memref<1x8x29x30xbf16>, %w: memref<8x3x3xbf16>, %y: memref<1x8x14x14xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x8x14x14xf32>)
  linalg.depthwise_conv_2d_nchw_chw {strides = dense<2> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x8x29x30xbf16>, memref<8x3x3xbf16>) outs(%y : memref<1x8x14x14xf32>)
  return
}
// By four along rows, by three from row to row.
func.func @quarters(%x: memref<1x8x20x64xi16>, %w: memref<2x4xi16>, %y: memref<1x8x7x16xi16>) {
  %zero = arith.constant 0 : i16
  linalg.fill ins(%zero : i16) outs(%y : memref<1x8x7x16xi16>)
  linalg.pooling_nchw_sum {strides = dense<[3, 4]> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
    ins(%x, %w : memref<1x8x20x64xi16>, memref<2x4xi16>) outs(%y : memref<1x8x7x16xi16>)
  return
}
// Numbers of two channels that lie side by side: their sum.
#even = affine_map<(i, j) -> (i, 2 * j)>
#odd = affine_map<(i, j) -> (i, 2 * j + 1)>
#all = affine_map<(i, j) -> (i, j)>
func.func @channels(%x: memref<32x256xi8>, %y: memref<32x128xi8>) {
  linalg.generic {indexing_maps = [#even, #odd, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : memref<32x256xi8>, memref<32x256xi8>) outs(%y : memref<32x128xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %s = arith.addi %a, %b : i8
    linalg.yield %s : i8
  }
  return
}
