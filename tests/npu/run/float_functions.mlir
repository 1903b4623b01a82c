// Logarithms, powers, sines, and rounding to whole numbers by vectors.
// REQUIRES: !sanitize
// RUN: for f in logs narrow_logs powers waves whole; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in narrow_logs waves whole; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:2 --function=$f %s || exit 1; done
// RUN: for f in logs narrow_logs powers waves whole; do airlite-compile --target=npu1 --function=$f --remarks -o %t %s; done 2>&1 | FileCheck %s --check-prefix=VECTORS --allow-empty
// VECTORS-NOT: an op has no vector form
// CHECK-COUNT-5: 2 arguments are as in the interpreter, bit by bit
func.func @logs(%a0: memref<1003xf32>, %a1: memref<1003xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a0 : memref<1003xf32>) outs(%a1 : memref<1003xf32>) {
  ^bb0(%x0: f32, %x1: f32):
    %p = math.absf %x0 : f32
    %a = math.log %p : f32
    %b = math.log1p %p : f32
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  }
  return
}
func.func @narrow_logs(%a0: memref<1003xbf16>, %a1: memref<1003xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a0 : memref<1003xbf16>) outs(%a1 : memref<1003xbf16>) {
  ^bb0(%x0: bf16, %x1: bf16):
    %p = math.absf %x0 : bf16
    %a = math.log2 %p : bf16
    %b = math.log10 %p : bf16
    %r = arith.addf %a, %b : bf16
    linalg.yield %r : bf16
  }
  return
}
func.func @powers(%a0: memref<1003xf32>, %a1: memref<1003xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a0 : memref<1003xf32>) outs(%a1 : memref<1003xf32>) {
  ^bb0(%x0: f32, %x1: f32):
    %h = arith.constant 2.5 : f32
    %s = arith.constant -2.0 : f32
    %p = math.absf %x0 : f32
    %a = math.powf %p, %h : f32
    %b = math.powf %x0, %s : f32
    %c = math.exp2 %x0 : f32
    %d = arith.addf %a, %b : f32
    %r = arith.addf %c, %d : f32
    linalg.yield %r : f32
  }
  return
}
func.func @waves(%a0: memref<1003xbf16>, %a1: memref<1003xbf16>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a0 : memref<1003xbf16>) outs(%a1 : memref<1003xbf16>) {
  ^bb0(%x0: bf16, %x1: bf16):
    %a = math.sin %x0 : bf16
    %b = math.cos %x0 : bf16
    %c = math.expm1 %x0 : bf16
    %d = arith.addf %a, %b : bf16
    %r = arith.addf %c, %d : bf16
    linalg.yield %r : bf16
  }
  return
}
func.func @whole(%a0: memref<1003xf32>, %a1: memref<1003xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a0 : memref<1003xf32>) outs(%a1 : memref<1003xf32>) {
  ^bb0(%x0: f32, %x1: f32):
    %t = arith.constant 7.25 : f32
    %x = arith.mulf %x0, %t : f32
    %a = math.floor %x : f32
    %b = math.ceil %x : f32
    %c = math.roundeven %x : f32
    %d = math.round %x : f32
    %e = math.trunc %x : f32
    %f = arith.addf %a, %b : f32
    %g = arith.addf %c, %d : f32
    %h = arith.addf %f, %g : f32
    %r = arith.addf %h, %e : f32
    linalg.yield %r : f32
  }
  return
}
