// Sums and extremes of what a condition chooses: cores compute them in vectors.
// RUN: airlite-run --target=npu1 --on=sim --compare=interp --init=random:1 --stats %s | FileCheck %s
// RUN: airlite-run --target=npu2 --on=sim --compare=interp --init=random:2 %s | FileCheck %s --check-prefix=BITS
// BITS: 5 arguments are as in the interpreter, bit by bit
// Without vectors it would be more than 25,000 cycles.
// CHECK: {{^1[0-9][0-9][0-9][0-9]}} cycles
// CHECK: 5 arguments are as in the interpreter, bit by bit

#id = affine_map<(d0, d1) -> (d0, d1)>
#all = affine_map<(d0, d1) -> ()>
#row = affine_map<(d0, d1) -> (d0)>
func.func @f(%a: memref<48x64xf32>, %b: memref<48x64xbf16>, %positive: memref<f32>, %least: memref<48xbf16>, %near: memref<48xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %none = arith.constant 0x7F80 : bf16
  linalg.fill ins(%zero : f32) outs(%positive : memref<f32>)
  linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction", "reduction"]} ins(%a : memref<48x64xf32>) outs(%positive : memref<f32>) {
  ^bb0(%x: f32, %sum: f32):
    %is = arith.cmpf ogt, %x, %zero : f32
    %y = arith.select %is, %x, %zero : f32
    %new = arith.addf %sum, %y : f32
    linalg.yield %new : f32
  }
  linalg.fill ins(%none : bf16) outs(%least : memref<48xbf16>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%b : memref<48x64xbf16>) outs(%least : memref<48xbf16>) {
  ^bb0(%x: bf16, %so_far: bf16):
    %is = arith.cmpf olt, %x, %none : bf16
    %y = arith.select %is, %x, %none : bf16
    %new = arith.minimumf %so_far, %y : bf16
    linalg.yield %new : bf16
  }
  linalg.fill ins(%zero : f32) outs(%near : memref<48xf32>)
  linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%a : memref<48x64xf32>) outs(%near : memref<48xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %size = math.absf %x : f32
    %square = arith.mulf %x, %x : f32
    %less = arith.subf %size, %one : f32
    %is = arith.cmpf olt, %size, %one : f32
    %y = arith.select %is, %square, %less : f32
    %new = arith.addf %sum, %y : f32
    linalg.yield %new : f32
  }
  return
}
