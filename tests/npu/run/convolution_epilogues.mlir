// Elementwise ops after a convolution are done on the tiles of its cores, before these leave: a bias with an activation, requantisation,
// a residual. Where the filters had better stay in L2 for many rounds, only ops that read nothing else are.
// REQUIRES: !sanitize
// RUN: for t in npu1 npu2; do for f in bias_relu requantised relu residual; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-8: are as in the interpreter, bit by bit
// RUN: for f in bias_relu requantised relu; do airlite-compile --target=npu1 --function=$f --remarks -o %t %s; done 2>&1 | FileCheck %s --check-prefix=PLANS
// PLANS: tile of a core {{.*}}; with the op after it
// PLANS: tile of a core {{.*}}; with the op after it
// PLANS: rounds 1x4x1x1x1x1x1; with the op after it
// RUN: airlite-compile --target=npu1 --function=kept --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: the ops after it are not done on its tiles: no tiles of blocks fit
// KEPT: rounds 1x{{[0-9]+}}x{{[0-9]+}}x1x1x1x1
#row = affine_map<(n, h, w, c) -> (c)>
#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
func.func @bias_relu(%x: tensor<1x10x10x32xbf16>, %f: tensor<3x3x32x32xbf16>, %bias: tensor<32xf32>) -> tensor<1x8x8x32xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<1x10x10x32xbf16>, tensor<3x3x32x32xbf16>) outs(%z : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %o = tensor.empty() : tensor<1x8x8x32xbf16>
  %g = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r, %bias : tensor<1x8x8x32xf32>, tensor<32xf32>) outs(%o : tensor<1x8x8x32xbf16>) {
  ^bb0(%a: f32, %b: f32, %c: bf16):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %zero : f32
    %t = arith.truncf %m : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1x8x8x32xbf16>
  return %g : tensor<1x8x8x32xbf16>
}
func.func @requantised(%x: tensor<1x10x10x32xi8>, %f: tensor<3x3x32x32xi8>, %bias: tensor<32xi32>) -> tensor<1x8x8x32xi8> {
  %zero = arith.constant 0 : i32
  %most = arith.constant 127 : i32
  %shift = arith.constant 9 : i32
  %e = tensor.empty() : tensor<1x8x8x32xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<1x8x8x32xi32>) -> tensor<1x8x8x32xi32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<1x10x10x32xi8>, tensor<3x3x32x32xi8>) outs(%z : tensor<1x8x8x32xi32>) -> tensor<1x8x8x32xi32>
  %o = tensor.empty() : tensor<1x8x8x32xi8>
  %g = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r, %bias : tensor<1x8x8x32xi32>, tensor<32xi32>) outs(%o : tensor<1x8x8x32xi8>) {
  ^bb0(%a: i32, %b: i32, %c: i8):
    %s = arith.addi %a, %b : i32
    %q = arith.shrsi %s, %shift : i32
    %m = arith.maxsi %q, %zero : i32
    %n = arith.minsi %m, %most : i32
    %t = arith.trunci %n : i32 to i8
    linalg.yield %t : i8
  } -> tensor<1x8x8x32xi8>
  return %g : tensor<1x8x8x32xi8>
}
// Four rounds of one launch instance, with filters that stay.
func.func @relu(%x: tensor<1x42x42x64xi8>, %f: tensor<3x3x64x64xi8>) -> tensor<1x40x40x64xi8> {
  %zero = arith.constant 0 : i32
  %shift = arith.constant 9 : i32
  %e = tensor.empty() : tensor<1x40x40x64xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<1x40x40x64xi32>) -> tensor<1x40x40x64xi32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<1x42x42x64xi8>, tensor<3x3x64x64xi8>) outs(%z : tensor<1x40x40x64xi32>) -> tensor<1x40x40x64xi32>
  %o = tensor.empty() : tensor<1x40x40x64xi8>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<1x40x40x64xi32>) outs(%o : tensor<1x40x40x64xi8>) {
  ^bb0(%a: i32, %c: i8):
    %q = arith.shrsi %a, %shift : i32
    %m = arith.maxsi %q, %zero : i32
    %t = arith.trunci %m : i32 to i8
    linalg.yield %t : i8
  } -> tensor<1x40x40x64xi8>
  return %g : tensor<1x40x40x64xi8>
}
func.func @kept(%x: tensor<1x114x114x64xi8>, %f: tensor<3x3x64x64xi8>, %bias: tensor<64xi32>) -> tensor<1x112x112x64xi8> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x112x112x64xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<1x112x112x64xi32>) -> tensor<1x112x112x64xi32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<1x114x114x64xi8>, tensor<3x3x64x64xi8>) outs(%z : tensor<1x112x112x64xi32>) -> tensor<1x112x112x64xi32>
  %o = tensor.empty() : tensor<1x112x112x64xi8>
  %g = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r, %bias : tensor<1x112x112x64xi32>, tensor<64xi32>) outs(%o : tensor<1x112x112x64xi8>) {
  ^bb0(%a: i32, %b: i32, %c: i8):
    %s = arith.addi %a, %b : i32
    %t = arith.trunci %s : i32 to i8
    linalg.yield %t : i8
  } -> tensor<1x112x112x64xi8>
  return %g : tensor<1x112x112x64xi8>
}
func.func @residual(%x: tensor<1x10x10x32xbf16>, %f: tensor<3x3x32x32xbf16>, %old: tensor<1x8x8x32xbf16>) -> tensor<1x8x8x32xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<1x10x10x32xbf16>, tensor<3x3x32x32xbf16>) outs(%z : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  %o = tensor.empty() : tensor<1x8x8x32xbf16>
  %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r, %old : tensor<1x8x8x32xf32>, tensor<1x8x8x32xbf16>) outs(%o : tensor<1x8x8x32xbf16>) {
  ^bb0(%a: f32, %b: bf16, %c: bf16):
    %w = arith.extf %b : bf16 to f32
    %s = arith.addf %a, %w : f32
    %m = arith.maximumf %s, %zero : f32
    %t = arith.truncf %m : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1x8x8x32xbf16>
  return %g : tensor<1x8x8x32xbf16>
}
