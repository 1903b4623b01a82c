// Activations of f32 have bodies of hundreds of instructions: loops that each do a part of them overlap, and give the same.
// RUN: for f in gelu silu odd longest; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; \
// RUN: done | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
// CHECK: 2 arguments are as in the interpreter, bit by bit
// CHECK: 2 arguments are as in the interpreter, bit by bit
// CHECK: 2 arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --function=gelu --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: its body is long: {{[2-9]}} loops, one after the other
// LONG-NOT: do not overlap
// A body that would fill program memory with loops stays whole, round by round.
// RUN: airlite-compile --target=npu1 --function=longest --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=LONGEST
// LONGEST-NOT: its body is long
// LONGEST-NOT: compiled by
// LONGEST: rounds of this loop do not overlap
// LONGEST-NOT: compiled by
#map = affine_map<(d0) -> (d0)>
func.func @gelu(%x: memref<16384xf32>, %out: memref<16384xbf16>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : memref<16384xf32>) outs(%out : memref<16384xbf16>) {
  ^bb0(%g: f32, %old: bf16):
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %root = arith.constant 0.70710678 : f32
    %scaled = arith.mulf %g, %root : f32
    %erf = math.tanh %scaled : f32
    %sum = arith.addf %erf, %one : f32
    %part = arith.mulf %sum, %half : f32
    %all = arith.mulf %part, %g : f32
    %r = arith.truncf %all : f32 to bf16
    linalg.yield %r : bf16
  }
  return
}
func.func @silu(%x: memref<4096xf32>, %out: memref<4096xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : memref<4096xf32>) outs(%out : memref<4096xf32>) {
  ^bb0(%g: f32, %old: f32):
    %one = arith.constant 1.0 : f32
    %minus = arith.negf %g : f32
    %e = math.exp %minus : f32
    %sum = arith.addf %e, %one : f32
    %r = arith.divf %g, %sum : f32
    linalg.yield %r : f32
  }
  return
}
func.func @odd(%x: memref<1009xf32>, %out: memref<1009xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : memref<1009xf32>) outs(%out : memref<1009xf32>) {
  ^bb0(%g: f32, %old: f32):
    %r = math.tanh %g : f32
    linalg.yield %r : f32
  }
  return
}
func.func @longest(%x: memref<1024xf32>, %out: memref<1024xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%x : memref<1024xf32>) outs(%out : memref<1024xf32>) {
  ^bb0(%i: f32, %old: f32):
    %a = math.erf %i : f32
    %b = arith.divf %i, %a : f32
    %c = arith.divf %b, %i : f32
    %d = math.tanh %c : f32
    linalg.yield %d : f32
  }
  return
}
