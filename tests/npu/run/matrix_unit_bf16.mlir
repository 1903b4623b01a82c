// Products of bf16: by default the matrix unit makes their sums in f32, and the interpreter agrees bit by
// bit with the program after the recipe; --exact adds one product after the other, as the program says.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --exact %s | FileCheck %s --check-prefix=EXACT
// RUN: airlite-compile %s --target=npu1 --emit=air -o %t && FileCheck %s --check-prefix=AIR < %t/program.mlir
// RUN: not airlite-run --on=interp --init=random:1 --exact %s 2>&1 | FileCheck %s --check-prefix=USAGE
// CHECK: argument 2, compared with the program before the recipe: 1024 elements, {{[0-9]+}} with other bits, largest difference
// CHECK: 3 arguments are as in the interpreter, bit by bit
// EXACT-NOT: other bits
// EXACT: 3 arguments are as in the interpreter, bit by bit
// AIR: air.sum_depth = 8 : i64
// USAGE: error: --exact needs --on=host, hip or sim
func.func @main(%a: memref<32x64xbf16>, %b: memref<64x32xbf16>, %c: memref<32x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<32x32xf32>)
  linalg.matmul ins(%a, %b : memref<32x64xbf16>, memref<64x32xbf16>) outs(%c : memref<32x32xf32>)
  return
}
