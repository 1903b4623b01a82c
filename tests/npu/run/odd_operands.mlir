// RUN: airlite-run --target=npu1 --on=sim --compare=interp --init=random:1 --function=both --stats %s 2>&1 | FileCheck %s --check-prefixes=CHECK,BOTH
// RUN: airlite-run --target=npu2 --on=sim --compare=interp --init=random:2 --function=both %s | FileCheck %s
// RUN: airlite-run --target=npu1 --on=sim --compare=interp --init=random:3 --function=columns %s | FileCheck %s
// RUN: airlite-run --target=npu2 --on=sim --compare=interp --init=random:4 --function=columns %s | FileCheck %s
// RUN: airlite-run --target=npu1 --on=sim --compare=interp --init=random:5 --function=turned %s | FileCheck %s
// RUN: airlite-run --target=npu1 --on=sim --compare=interp --init=random:6 --function=words %s | FileCheck %s

// Factors whose rows do not begin at words are copied in one launch, with the last rows of each; the product is the second launch, and
// the result is copied back in the third.
// BOTH: run 0
// BOTH: run 1
// BOTH: run 2
// BOTH-NOT: run 3
// CHECK: bit by bit
func.func @both(%a: memref<43x361xi8>, %b: memref<361x46xi8>, %c: memref<43x46xi8>) {
  %zero = arith.constant 0 : i8
  linalg.fill ins(%zero : i8) outs(%c : memref<43x46xi8>)
  linalg.matmul ins(%a, %b : memref<43x361xi8>, memref<361x46xi8>) outs(%c : memref<43x46xi8>)
  return
}

// One launch is longer than the columns: of the sums those that there are leave L2.
func.func @columns(%a: memref<131x64xbf16>, %b: memref<64x117xbf16>, %c: memref<131x117xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<131x117xf32>)
  linalg.matmul ins(%a, %b : memref<131x64xbf16>, memref<64x117xbf16>) outs(%c : memref<131x117xf32>)
  return
}

// Rows of the left factor lie along those of the result.
func.func @turned(%a: memref<96x141xi16>, %b: memref<96x83xi16>, %c: memref<141x83xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<141x83xi32>)
  linalg.matmul_transpose_a ins(%a, %b : memref<96x141xi16>, memref<96x83xi16>) outs(%c : memref<141x83xi32>)
  return
}

// Rows of whole words are not copied: zeros in L2 fill those of the right factor up, and the bias.
func.func @words(%a: memref<77x128xi8>, %b: memref<128x212xi8>, %bias: memref<212xi32>, %c: memref<77x212xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<77x212xi32>)
  linalg.matmul ins(%a, %b : memref<77x128xi8>, memref<128x212xi8>) outs(%c : memref<77x212xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%bias : memref<212xi32>) outs(%c : memref<77x212xi32>) {
    ^bb0(%x: i32, %y: i32):
      %sum = arith.addi %x, %y : i32
      linalg.yield %sum : i32
  }
  return
}
