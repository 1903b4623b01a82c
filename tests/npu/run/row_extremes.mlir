// The greatest and the least numbers of rows of bf16, found by their bits, are those of the program before any recipe.
// RUN: airlite-run --on=interp --init=random:1 --output 1=%t.greatest.npy --output 2=%t.least.npy %s
// RUN: airlite-run --on=sim --init=random:1 --compare=interp --expect 1=%t.greatest.npy --expect 2=%t.least.npy %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --init=random:1 --compare=interp --expect 1=%t.greatest.npy --expect 2=%t.least.npy %s | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%x: memref<12x60xbf16>, %greatest: memref<12xf32>, %least: memref<12xbf16>) {
  %low = arith.constant 0xFF800000 : f32
  %high = arith.constant 0x7F80 : bf16
  linalg.fill ins(%low : f32) outs(%greatest : memref<12xf32>)
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<12x60xbf16>) outs(%greatest : memref<12xf32>) {
  ^bb0(%number: bf16, %so_far: f32):
    %0 = arith.extf %number : bf16 to f32
    %1 = arith.maximumf %0, %so_far : f32
    linalg.yield %1 : f32
  }
  linalg.fill ins(%high : bf16) outs(%least : memref<12xbf16>)
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<12x60xbf16>) outs(%least : memref<12xbf16>) {
  ^bb0(%number: bf16, %so_far: bf16):
    %0 = arith.minimumf %number, %so_far : bf16
    linalg.yield %0 : bf16
  }
  return
}
