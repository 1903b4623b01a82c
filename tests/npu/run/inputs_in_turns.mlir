// Ops with several inputs and results on 16 cores: what a core gets, and what it puts, takes turns on one channel, since the memory
// tiles have too few for each. Where turns are twice in L2, one round is filled while the other is drained.
// RUN: airlite-run --on=sim --compare=interp --init=random:5 --function=gated %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:5 --function=gated %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:5 --function=moments %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:5 --function=moments %s | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --function=gated --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=GATED
// GATED: flattened: {{[124]}} columns of 4 cores
// RUN: airlite-compile --target=npu1 --function=moments --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=MOMENTS
// MOMENTS: flattened: {{[12]}} columns of 4 cores
// RUN: airlite-compile --target=npu1 --function=gated --dump-intermediates %t.d -o %t %s && cat %t.d/000_air-to-aie.mlir | FileCheck %s --check-prefix=TURNS
// TURNS: aie.mem(
// TURNS: aie.dma_start(S2MM, 0
// TURNS-COUNT-2: aie.dma_bd(
// TURNS-NOT: aie.dma_start(S2MM, 1
// TURNS: aie.core(
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @gated(%x: memref<256x256xbf16>, %g: memref<256x256xbf16>, %y: memref<256x256xbf16>) {
  linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %g : memref<256x256xbf16>, memref<256x256xbf16>) outs(%y : memref<256x256xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %old: bf16):
    %t = math.tanh %a : bf16
    %p = arith.mulf %t, %b : bf16
    linalg.yield %p : bf16
  }
  return
}
// A step of an optimizer: its mean, its mean of squares.
func.func @moments(%d: memref<64x128xf32>, %m: memref<64x128xf32>, %v: memref<64x128xf32>, %m1: memref<64x128xf32>, %v1: memref<64x128xf32>) {
  %most = arith.constant 0.9 : f32
  %rest = arith.constant 0.1 : f32
  linalg.generic {indexing_maps = [#all, #all, #all, #all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%d, %m, %v : memref<64x128xf32>, memref<64x128xf32>, memref<64x128xf32>) outs(%m1, %v1 : memref<64x128xf32>, memref<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %old: f32, %old_v: f32):
    %am = arith.mulf %a, %rest : f32
    %bm = arith.mulf %b, %most : f32
    %mean = arith.addf %am, %bm : f32
    %aa = arith.mulf %a, %am : f32
    %cm = arith.mulf %c, %most : f32
    %square = arith.addf %aa, %cm : f32
    linalg.yield %mean, %square : f32, f32
  }
  return
}
