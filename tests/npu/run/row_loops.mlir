// Elementwise ops of three inputs, which come in turns so that four cores have work, and rows of a few vectors, which go by as one loop.
// RUN: airlite-run --on=sim --compare=interp --init=random:5 --function=angles %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:5 --function=angles %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:5 --function=scales %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:5 --function=adds %s | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:5 --function=adds %s | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --function=angles --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=CORES
// CORES: fused 1 ops: {{[12]}} columns of 4 cores
// CORES-NOT: rounds of this loop do not overlap
#rows = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#angle = affine_map<(d0, d1, d2) -> (d0, d2)>
func.func @angles(%x: memref<64x6x48xf32>, %cos: memref<64x48xf32>, %sin: memref<64x48xf32>, %y: memref<64x6x48xbf16>) {
  linalg.generic {indexing_maps = [#rows, #angle, #angle, #rows], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %cos, %sin : memref<64x6x48xf32>, memref<64x48xf32>, memref<64x48xf32>) outs(%y : memref<64x6x48xbf16>) {
  ^bb0(%a: f32, %c: f32, %s: f32, %old: bf16):
    %p = arith.mulf %a, %c : f32
    %q = arith.addf %p, %s : f32
    %r = arith.truncf %q : f32 to bf16
    linalg.yield %r : bf16
  }
  return
}
#all = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
func.func @scales(%x: memref<512x48xf32>, %s: memref<48xf32>, %y: memref<512x48xf32>) {
  linalg.generic {indexing_maps = [#all, #columns, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : memref<512x48xf32>, memref<48xf32>) outs(%y : memref<512x48xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  }
  return
}
#one = affine_map<(d0) -> (d0)>
func.func @adds(%a: memref<10007xbf16>, %b: memref<10007xbf16>, %c: memref<10007xbf16>, %y: memref<10007xbf16>) {
  linalg.generic {indexing_maps = [#one, #one, #one, #one], iterator_types = ["parallel"]}
      ins(%a, %b, %c : memref<10007xbf16>, memref<10007xbf16>, memref<10007xbf16>) outs(%y : memref<10007xbf16>) {
  ^bb0(%x0: bf16, %x1: bf16, %x2: bf16, %old: bf16):
    %p = arith.mulf %x0, %x1 : bf16
    %q = arith.addf %p, %x2 : bf16
    linalg.yield %q : bf16
  }
  return
}
