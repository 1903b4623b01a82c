// Products of matrices whose rows do not begin at whole words, on the matrix unit: cores copy their factors, and results back. Sizes are
// odd in every place, and matrices of a batch begin inside of words.
// REQUIRES: !sanitize
// RUN: for f in bytes narrow words floats transposed batches long last_batch; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in bytes floats; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:2 --function=$f %s || exit 1; done
// RUN: airlite-run --on=sim --compare=interp --init=random:3 --reverse-tiles --function=narrow %s
// CHECK-COUNT-8: 3 arguments are as in the interpreter, bit by bit
#id = affine_map<(d0, d1) -> (d0, d1)>
// Products that add to what is there, without divisors for the matrix unit: one launch is longer than rows and columns.
// RUN: for f in adds adds_floats; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done
// RUN: airlite-run --on=sim --exact --compare=interp --init=random:1 --function=adds %s
// RUN: airlite-compile --target=npu1 --function=adds --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=ADDS
// ADDS-NOT: adds to its result in an op of its own
// ADDS: tiled: launch 1x1, {{.*}} blocks 4x8x8, 2 operands copied to rows of whole words
func.func @adds(%a: memref<65x111xi8>, %b: memref<111x85xi8>, %c: memref<65x85xi32>) {
  linalg.matmul ins(%a, %b : memref<65x111xi8>, memref<111x85xi8>) outs(%c : memref<65x85xi32>)
  return
}
func.func @adds_floats(%a: memref<43x67xbf16>, %b: memref<67x51xbf16>, %c: memref<43x51xf32>) {
  linalg.matmul ins(%a, %b : memref<43x67xbf16>, memref<67x51xbf16>) outs(%c : memref<43x51xf32>)
  return
}
func.func @bytes(%a: memref<37x53xi8>, %b: memref<53x75xi8>, %c: memref<37x75xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<37x75xi32>)
  linalg.matmul ins(%a, %b : memref<37x53xi8>, memref<53x75xi8>) outs(%c : memref<37x75xi32>)
  return
}
func.func @narrow(%a: memref<69x53xi8>, %b: memref<53x77xi8>, %c: memref<69x77xi8>) {
  %zero = arith.constant 0 : i32
  %seven = arith.constant 7 : i32
  %sums = memref.alloc() : memref<69x77xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<69x77xi32>)
  linalg.matmul ins(%a, %b : memref<69x53xi8>, memref<53x77xi8>) outs(%sums : memref<69x77xi32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sums : memref<69x77xi32>) outs(%c : memref<69x77xi8>) {
  ^bb0(%sum: i32, %old: i8):
    %shifted = arith.shrsi %sum, %seven : i32
    %byte = arith.trunci %shifted : i32 to i8
    linalg.yield %byte : i8
  }
  return
}
func.func @words(%a: memref<41x67xi16>, %b: memref<67x35xi16>, %c: memref<41x35xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<41x35xi32>)
  linalg.matmul ins(%a, %b : memref<41x67xi16>, memref<67x35xi16>) outs(%c : memref<41x35xi32>)
  return
}
func.func @floats(%a: memref<33x45xbf16>, %b: memref<45x51xbf16>, %c: memref<33x51xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%c : memref<33x51xbf16>)
  linalg.matmul ins(%a, %b : memref<33x45xbf16>, memref<45x51xbf16>) outs(%c : memref<33x51xbf16>)
  return
}
func.func @transposed(%a: memref<53x37xi8>, %b: memref<75x53xi8>, %c: memref<37x75xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<37x75xi32>)
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<53x37xi8>, memref<75x53xi8>) outs(%c : memref<37x75xi32>) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %wideX = arith.extsi %x : i8 to i32
    %wideY = arith.extsi %y : i8 to i32
    %product = arith.muli %wideX, %wideY : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  }
  return
}
func.func @batches(%a: memref<3x29x45xi8>, %b: memref<3x45x43xi8>, %c: memref<3x29x43xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<3x29x43xi32>)
  linalg.batch_matmul ins(%a, %b : memref<3x29x45xi8>, memref<3x45x43xi8>) outs(%c : memref<3x29x43xi32>)
  return
}
func.func @long(%a: memref<17x601xi8>, %b: memref<601x33xi8>, %c: memref<17x33xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<17x33xi32>)
  linalg.matmul ins(%a, %b : memref<17x601xi8>, memref<601x33xi8>) outs(%c : memref<17x33xi32>)
  return
}
// The batch is the last dimension of a factor: no tile of one matrix is whole words, so cores do without blocks.
func.func @last_batch(%a: memref<2x8x16xi8>, %b: memref<16x16x2xi8>, %o: memref<2x8x16xi32>) {
  %z = arith.constant 0 : i32
  linalg.fill ins(%z : i32) outs(%o : memref<2x8x16xi32>)
  linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n, b)>, affine_map<(b, m, n, k) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<2x8x16xi8>, memref<16x16x2xi8>) outs(%o : memref<2x8x16xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
   %pe = arith.extsi %p : i8 to i32
   %qe = arith.extsi %q : i8 to i32
   %pr = arith.muli %pe, %qe : i32
   %sm = arith.addi %s, %pr : i32
   linalg.yield %sm : i32
  }
  return
}
