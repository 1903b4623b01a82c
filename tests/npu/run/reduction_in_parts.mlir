// Reductions that no good steps of cores divide come into L2 in parts of equal length, each with zeros at its end, so that what
// comes next is brought while cores compute (docs/recipe.md). Results are those of the interpreter.
// RUN: airlite-compile --target=npu1_1col --function=halves --dump-intermediates %t.d -o %t %s
// RUN: cat %t.d/*_air-tile-linalg.mlir | FileCheck %s --check-prefix=PARTS
// PARTS-DAG: affine_map<()[s0] -> (s0 * 256)>
// PARTS-DAG: affine_map<()[s0] -> (s0 * 250)>
// PARTS: memref.alloc() {{.*}}air.zero_memory
// RUN: airlite-run --on=sim --target=npu1_1col --compare=interp --init=random:1 --function=halves %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu1_1col --compare=interp --init=random:1 --function=words %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu1_1col --compare=interp --init=random:1 --function=words --reverse-tiles --sim-timing ddrBytesPerCycle=1 %s | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

func.func @halves(%a: memref<256x500xbf16>, %b: memref<500x32xbf16>, %c: memref<256x32xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<256x32xf32>)
  linalg.matmul ins(%a, %b : memref<256x500xbf16>, memref<500x32xbf16>) outs(%c : memref<256x32xf32>)
  return
}

func.func @words(%a: memref<128x700xi16>, %b: memref<700x32xi16>, %c: memref<128x32xi16>) {
  %zero = arith.constant 0 : i16
  linalg.fill ins(%zero : i16) outs(%c : memref<128x32xi16>)
  linalg.matmul ins(%a, %b : memref<128x700xi16>, memref<700x32xi16>) outs(%c : memref<128x32xi16>)
  return
}
