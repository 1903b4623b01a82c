// Activations of f32 have bodies of hundreds of instructions: loops that each do a part of them overlap, and give the same.
// REQUIRES: !sanitize
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
// Nine functions and quotients are more than program memory holds: two ops compute them, each on all cores, and by the units.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=nine %s | FileCheck %s --check-prefix=NINE
// RUN: airlite-compile --target=npu1 --function=nine --remarks -o %t.nine %s 2>&1 | FileCheck %s --check-prefix=SPLIT
// NINE: 2 arguments are as in the interpreter, bit by bit
// SPLIT: compiled by air-npu{herd=4,4 {{.*}} split=12}, since with {{.*}}: 'aie.core' op becomes a program of {{.*}} bytes
// Of more loops than program memory has room for with rounds that overlap, most do, and some go without.
// RUN: airlite-compile --target=npu1 --function=longest --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=LONGEST
// LONGEST-NOT: compiled by
// LONGEST: its body is long: 1{{[0-9]}} loops, one after the other
// LONGEST-DAG: rounds begin {{[0-9]+}} cycles after each other
// LONGEST-DAG: rounds of this loop do not overlap: program memory has no room for more such loops
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
func.func @nine(%in: memref<1024xf32>, %out: memref<1024xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%in : memref<1024xf32>) outs(%out : memref<1024xf32>) {
  ^bb0(%x: f32, %old: f32):
    %t0 = math.tanh %x : f32
    %s0 = arith.divf %t0, %x : f32
    %t1 = math.tanh %s0 : f32
    %s1 = arith.divf %t1, %x : f32
    %t2 = math.tanh %s1 : f32
    %s2 = arith.divf %t2, %x : f32
    %t3 = math.tanh %s2 : f32
    %s3 = arith.divf %t3, %x : f32
    %t4 = math.tanh %s3 : f32
    %s4 = arith.divf %t4, %x : f32
    %t5 = math.tanh %s4 : f32
    %s5 = arith.divf %t5, %x : f32
    %t6 = math.tanh %s5 : f32
    %s6 = arith.divf %t6, %x : f32
    %t7 = math.tanh %s6 : f32
    %s7 = arith.divf %t7, %x : f32
    %t8 = math.tanh %s7 : f32
    %s8 = arith.divf %t8, %x : f32
    linalg.yield %s8 : f32
  }
  return
}
