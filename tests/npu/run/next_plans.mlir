// A product whose best plan the array has no channels for gets its next best one; the other product keeps its own. Here
// each core needs a tile of %gate besides the factors.
// REQUIRES: !sanitize
// RUN: airlite-compile --target=npu1 --remarks -o %t %s 2>&1 | FileCheck %s
// CHECK: :18:3: remark: its next best plan is taken, since before: 'memref.alloc' op does not fit
// CHECK: :15:3: remark: {{.*}}tiled: {{.*}} bound by
// CHECK-NOT: compiled by
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s --check-prefix=SAME
// SAME: 4 arguments are as in the interpreter, bit by bit
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: memref<128x128xbf16>, %w1: memref<128x256xbf16>, %w3: memref<128x256xbf16>, %out: memref<128x256xbf16>) {
  %zero = arith.constant 0.0 : f32
  %gate = memref.alloc() : memref<128x256xf32>
  linalg.fill ins(%zero : f32) outs(%gate : memref<128x256xf32>)
  linalg.matmul ins(%x, %w1 : memref<128x128xbf16>, memref<128x256xbf16>) outs(%gate : memref<128x256xf32>)
  %up = memref.alloc() : memref<128x256xf32>
  linalg.fill ins(%zero : f32) outs(%up : memref<128x256xf32>)
  linalg.matmul ins(%x, %w3 : memref<128x128xbf16>, memref<128x256xbf16>) outs(%up : memref<128x256xf32>)
  linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%gate, %up : memref<128x256xf32>, memref<128x256xf32>) outs(%out : memref<128x256xbf16>) {
  ^bb0(%g: f32, %u: f32, %old: bf16):
    %neg = arith.negf %g : f32
    %e = math.exp %neg : f32
    %one = arith.constant 1.0 : f32
    %den = arith.addf %e, %one : f32
    %s = arith.divf %g, %den : f32
    %m = arith.mulf %s, %u : f32
    %r = arith.truncf %m : f32 to bf16
    linalg.yield %r : bf16
  }
  return
}
