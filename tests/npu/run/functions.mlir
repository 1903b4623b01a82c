// Functions of floats in a core: a core calls routines of integers that give the library's results in double, rounded
// once. tests/npu/lower/core/soft_float_test.cpp tries millions of numbers.
// REQUIRES: !sanitize
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit
#id = affine_map<(i) -> (i)>
func.func @main(%a: memref<64xf32>, %b: memref<64xf32>, %c: memref<64xf32>) {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : memref<64xf32>, memref<64xf32>) outs(%c : memref<64xf32>) {
  ^bb0(%x: f32, %y: f32, %old: f32):
    %size = math.absf %x : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %scaled = arith.mulf %x, %half : f32
    %erf = math.erf %scaled : f32
    %up = arith.addf %erf, %one : f32
    %gelu = arith.mulf %up, %scaled : f32
    %log = math.log %size : f32
    %sine = math.sin %y : f32
    %power = math.powf %size, %sine : f32
    %tanh = math.tanh %log : f32
    %sum = math.fma %gelu, %tanh, %power : f32
    linalg.yield %sum : f32
  }
  return
}
