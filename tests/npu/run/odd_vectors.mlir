// Products with a vector whose rows do not begin at whole words: cores copy operands to longer rows, and results back. A batch of
// matrices by vectors; a row by a matrix, added to what is there; a batch by columns of one element; bf16.
// REQUIRES: !sanitize
// RUN: for f in batches row columns floats; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in batches row columns floats; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:2 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in batches row columns floats; do airlite-run --on=sim --exact --compare=interp --init=random:4 --function=$f %s || exit 1; done
// RUN: airlite-compile --target=npu1 --function=row --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=ROW
// ROW: tiled: launch 1x1, {{.*}} blocks 4x8x8, 2 operands copied to rows of whole words
// RUN: airlite-run --on=sim --compare=interp --init=random:3 --reverse-tiles --function=row %s
// CHECK-COUNT-4: 3 arguments are as in the interpreter, bit by bit
#m = affine_map<(b, m, k) -> (b, m, k)>
#v = affine_map<(b, m, k) -> (b, k)>
#r = affine_map<(b, m, k) -> (b, m)>
func.func @batches(%a: memref<3x37x129xi8>, %b: memref<3x129xi8>, %c: memref<3x37xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<3x37xi32>)
  linalg.generic {indexing_maps = [#m, #v, #r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<3x37x129xi8>, memref<3x129xi8>) outs(%c : memref<3x37xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %pe = arith.extsi %p : i8 to i32
    %qe = arith.extsi %q : i8 to i32
    %pr = arith.muli %pe, %qe : i32
    %sm = arith.addi %s, %pr : i32
    linalg.yield %sm : i32
  }
  return
}
func.func @row(%a: memref<1x293xi8>, %b: memref<293x129xi8>, %c: memref<1x129xi32>) {
  linalg.matmul ins(%a, %b : memref<1x293xi8>, memref<293x129xi8>) outs(%c : memref<1x129xi32>)
  return
}
func.func @columns(%a: memref<3x37x129xi16>, %b: memref<3x129x1xi16>, %c: memref<3x37x1xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<3x37x1xi32>)
  linalg.batch_matmul ins(%a, %b : memref<3x37x129xi16>, memref<3x129x1xi16>) outs(%c : memref<3x37x1xi32>)
  return
}
func.func @floats(%a: memref<1x705xbf16>, %b: memref<705x45xbf16>, %c: memref<1x45xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<1x45xf32>)
  linalg.matmul ins(%a, %b : memref<1x705xbf16>, memref<705x45xbf16>) outs(%c : memref<1x45xf32>)
  return
}
