// Ops that update their memory: elementwise, with a row for all rows, a product that adds to its result (one launch, or with an
// addition of its own), and what a second launch reads of the first.
// REQUIRES: !sanitize
// RUN: for f in update rows twice adds; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in update rows twice adds; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in adds_apart adds_halves; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=adds_apart %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=adds_tensor %s
// RUN: for f in update rows twice adds; do airlite-run --on=sim --compare=interp --init=random:2 --reverse-tiles --function=$f %s || exit 1; done
// RUN: airlite-run --on=sim --sanitize --init=random:1 --function=update %s
// CHECK-COUNT-4: arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --function=adds --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=TOGETHER
// TOGETHER-NOT: adds to its result in an op of its own
// RUN: airlite-compile --target=npu1 --function=adds_halves --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=APART
// RUN: airlite-compile --target=npu1 --function=adds_apart --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=APART
// RUN: airlite-compile --target=npu1 --function=adds_tensor --remarks -o %t %s 2>&1 | FileCheck %s --check-prefixes=APART,FUSED
// FUSED-DAG: fused 2 ops
// APART-DAG: adds to its result in an op of its own
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @update(%a: memref<192x257xi16>, %c: memref<192x257xi16>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<192x257xi16>) outs(%c : memref<192x257xi16>) {
  ^bb0(%x: i16, %y: i16):
    %p = arith.muli %x, %y : i16
    %s = arith.addi %p, %y : i16
    linalg.yield %s : i16
  }
  return
}
func.func @rows(%b: memref<256xbf16>, %c: memref<160x256xbf16>) {
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%b : memref<256xbf16>) outs(%c : memref<160x256xbf16>) {
  ^bb0(%x: bf16, %y: bf16):
    %s = arith.addf %x, %y : bf16
    linalg.yield %s : bf16
  }
  return
}
func.func @twice(%a: memref<64x1024xi8>, %c: memref<64x1024xi8>) {
  linalg.add ins(%a, %c : memref<64x1024xi8>, memref<64x1024xi8>) outs(%c : memref<64x1024xi8>)
  linalg.mul ins(%c, %c : memref<64x1024xi8>, memref<64x1024xi8>) outs(%a : memref<64x1024xi8>)
  return
}
func.func @adds(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi32>) {
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%c : memref<64x64xi32>)
  return
}
func.func @adds_apart(%a: memref<64x512xi8>, %b: memref<512x512xi8>, %c: memref<64x512xi8>) {
  linalg.matmul ins(%a, %b : memref<64x512xi8>, memref<512x512xi8>) outs(%c : memref<64x512xi8>)
  return
}
func.func @adds_halves(%a: memref<64x256xbf16>, %b: memref<256x512xbf16>, %c: memref<64x512xbf16>) {
  linalg.matmul ins(%a, %b : memref<64x256xbf16>, memref<256x512xbf16>) outs(%c : memref<64x512xbf16>)
  linalg.max ins(%c, %c : memref<64x512xbf16>, memref<64x512xbf16>) outs(%c : memref<64x512xbf16>)
  return
}
// A tensor stays as it was: its copy, which the product adds to, is read by the addition instead.
func.func @adds_tensor(%a: tensor<256x512xi8>, %b: tensor<512x512xi8>, %c: tensor<256x512xi8>) -> tensor<256x512xi8> {
  %r = linalg.matmul ins(%a, %b : tensor<256x512xi8>, tensor<512x512xi8>) outs(%c : tensor<256x512xi8>) -> tensor<256x512xi8>
  return %r : tensor<256x512xi8>
}
// The result is a factor as well, which changes while the product runs.
// RUN: not airlite-compile --target=npu1 --function=factor -o %t %s 2>&1 | FileCheck %s --check-prefix=FACTOR
// FACTOR: an output may share its memory with another operand
func.func @factor(%b: memref<512x512xi8>, %c: memref<512x512xi8>) {
  linalg.matmul ins(%b, %c : memref<512x512xi8>, memref<512x512xi8>) outs(%c : memref<512x512xi8>)
  return
}
