// A function of a constant is a number after the recipe, with the bits of the units: those of the mapped program are expected, not
// the infinity of the program as it was.
// RUN: airlite-run %s --on=sim --init=random:1 --compare=interp | FileCheck %s
// CHECK: compared with the program before the recipe: 64 elements, 64 with other bits
// CHECK: 1 arguments are as in the interpreter, bit by bit
#rows = affine_map<(i) -> (i)>
func.func @main(%a: memref<64xf32>) {
  linalg.generic {indexing_maps = [#rows], iterator_types = ["parallel"]} outs(%a : memref<64xf32>) {
  ^bb0(%x: f32):
    %zero = arith.constant 0.0 : f32
    %root = math.rsqrt %zero : f32
    linalg.yield %root : f32
  }
  return
}
