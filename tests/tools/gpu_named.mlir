// Products that say their maps, grouped and quantized convolutions, and functions by name: the interpreter's numbers on all devices.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:2 --output 13=%t.0.npy --output 14=%t.1.npy --output 15=%t.2.npy --output 16=%t.3.npy --output 17=%t.4.npy --output 18=%t.5.npy
// RUN: for d in gfx942 gfx90a gfx1100 gfx1201; do \
// RUN:   airlite-run %s --target=$d --order=reverse --init=random:2 --expect 13=%t.0.npy --expect 14=%t.1.npy --expect 15=%t.2.npy --expect 16=%t.3.npy \
// RUN:     --expect 17=%t.4.npy --expect 18=%t.5.npy --expect-rtol=1e-4 --expect-atol=1e-4 || exit 1; done

#a = affine_map<(m, n, k) -> (k, m)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%a: tensor<72x40xf32>, %b: tensor<33x72xf32>, %v: tensor<72xf32>, %s: tensor<2x3x20x16xbf16>, %t: tensor<2x3x24x16xbf16>,
                %x: tensor<1x4x3x12x12xf32>, %w: tensor<4x5x3x3x3xf32>, %y: tensor<1x12x12x8xi8>, %u: tensor<3x3x8x16xi8>,
                %e: tensor<20x24xf32>, %r: tensor<24xf32>, %i: tensor<20x24xi1>, %zp: i32)
    -> (tensor<40x33xf32>, tensor<40x33xf32>, tensor<2x3x20x24xf32>, tensor<1x4x5x10x10xf32>, tensor<1x10x10x16xi32>, tensor<20x24xf32>) {
  %z = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i32
  %minus = arith.constant -5 : i32
  %e0 = tensor.empty() : tensor<40x33xf32>
  %f0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<40x33xf32>) -> tensor<40x33xf32>
  %0 = linalg.contract indexing_maps = [#a, #b, #c] ins(%a, %b : tensor<72x40xf32>, tensor<33x72xf32>) outs(%f0 : tensor<40x33xf32>) -> tensor<40x33xf32>
  %1 = linalg.matmul indexing_maps = [#a, affine_map<(m, n, k) -> (k)>, #c] ins(%a, %v : tensor<72x40xf32>, tensor<72xf32>) outs(%f0 : tensor<40x33xf32>) -> tensor<40x33xf32>
  %e2 = tensor.empty() : tensor<2x3x20x24xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<2x3x20x24xf32>) -> tensor<2x3x20x24xf32>
  %2 = linalg.contract indexing_maps = [affine_map<(p, q, m, n, k) -> (p, q, m, k)>, affine_map<(p, q, m, n, k) -> (p, q, n, k)>, affine_map<(p, q, m, n, k) -> (p, q, m, n)>]
      ins(%s, %t : tensor<2x3x20x16xbf16>, tensor<2x3x24x16xbf16>) outs(%f2 : tensor<2x3x20x24xf32>) -> tensor<2x3x20x24xf32>
  %e3 = tensor.empty() : tensor<1x4x5x10x10xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<1x4x5x10x10xf32>) -> tensor<1x4x5x10x10xf32>
  %3 = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x4x3x12x12xf32>, tensor<4x5x3x3x3xf32>) outs(%f3 : tensor<1x4x5x10x10xf32>) -> tensor<1x4x5x10x10xf32>
  %e4 = tensor.empty() : tensor<1x10x10x16xi32>
  %f4 = linalg.fill ins(%zi : i32) outs(%e4 : tensor<1x10x10x16xi32>) -> tensor<1x10x10x16xi32>
  %4 = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%y, %u, %zp, %minus : tensor<1x12x12x8xi8>, tensor<3x3x8x16xi8>, i32, i32) outs(%f4 : tensor<1x10x10x16xi32>) -> tensor<1x10x10x16xi32>
  %e5 = tensor.empty() : tensor<20x24xf32>
  %exp = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%e : tensor<20x24xf32>) outs(%e5 : tensor<20x24xf32>) -> tensor<20x24xf32>
  %sum = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>]
      ins(%exp, %r : tensor<20x24xf32>, tensor<24xf32>) outs(%e5 : tensor<20x24xf32>) -> tensor<20x24xf32>
  %5 = linalg.elementwise kind=#linalg.elementwise_kind<select> ins(%i, %sum, %e : tensor<20x24xi1>, tensor<20x24xf32>, tensor<20x24xf32>) outs(%e5 : tensor<20x24xf32>) -> tensor<20x24xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<40x33xf32>, tensor<40x33xf32>, tensor<2x3x20x24xf32>, tensor<1x4x5x10x10xf32>, tensor<1x10x10x16xi32>, tensor<20x24xf32>
}
