// Four functions of f32 with sums of rows between them: program memory has no room for all loops with rounds that overlap, but for most.
// RUN: airlite-run --on=sim --compare=interp --init=random:3 %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=LOOPS
// LOOPS: fused 12 ops
// LOOPS: rounds begin
// LOOPS: rounds of this loop do not overlap: program memory has no room for more such loops
// LOOPS: rounds begin
// LOOPS: rounds begin
func.func @main(%x: memref<64x64xf32>, %y: memref<64x64xf32>) {
  %t0 = memref.alloc() : memref<64xf32>
  %z0 = arith.constant 0.0 : f32
  linalg.fill ins(%z0 : f32) outs(%t0 : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x64xf32>) outs(%t0 : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.exp %a : f32
    %s = arith.addf %o, %e : f32
    linalg.yield %s : f32
  }
  %t1 = memref.alloc() : memref<64xf32>
  %z1 = arith.constant 0.0 : f32
  linalg.fill ins(%z1 : f32) outs(%t1 : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x64xf32>) outs(%t1 : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.tanh %a : f32
    %s = arith.addf %o, %e : f32
    linalg.yield %s : f32
  }
  %t2 = memref.alloc() : memref<64xf32>
  %z2 = arith.constant 0.0 : f32
  linalg.fill ins(%z2 : f32) outs(%t2 : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x64xf32>) outs(%t2 : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.log %a : f32
    %s = arith.addf %o, %e : f32
    linalg.yield %s : f32
  }
  %t3 = memref.alloc() : memref<64xf32>
  %z3 = arith.constant 0.0 : f32
  linalg.fill ins(%z3 : f32) outs(%t3 : memref<64xf32>)
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : memref<64x64xf32>) outs(%t3 : memref<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %e = math.erf %a : f32
    %s = arith.addf %o, %e : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %t0, %t1, %t2, %t3 : memref<64x64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>, memref<64xf32>) outs(%y : memref<64x64xf32>) {
  ^bb0(%a: f32, %b0: f32, %b1: f32, %b2: f32, %b3: f32, %o: f32):
    %m0 = arith.mulf %a, %b0 : f32
    %m1 = arith.mulf %m0, %b1 : f32
    %m2 = arith.mulf %m1, %b2 : f32
    %m3 = arith.mulf %m2, %b3 : f32
    linalg.yield %m3 : f32
  }
  return
}
