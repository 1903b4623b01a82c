// Rows of a table by their numbers, whole and by two dimensions, kept or dropped: the interpreter's numbers on all devices.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:6 --output 3=%t.0.npy --output 4=%t.1.npy --output 5=%t.2.npy
// RUN: for d in gfx942 gfx90a gfx1100 gfx1201; do \
// RUN:   airlite-run %s --target=$d --order=reverse --init=random:6 --expect 3=%t.0.npy --expect 4=%t.1.npy --expect 5=%t.2.npy || exit 1; done

func.func @main(%table: tensor<37x24xf16>, %box: tensor<5x3x7xi8>, %n: tensor<20x1xi32>) -> (tensor<20x1x24xf16>, tensor<2x2x3xi8>, tensor<20x24xf16>) {
  %rows = arith.constant dense<37> : tensor<20x1xi32>
  %at = arith.remui %n, %rows : tensor<20x1xi32>
  %wide = tensor.gather %table[%at] gather_dims([0]) : (tensor<37x24xf16>, tensor<20x1xi32>) -> tensor<20x1x24xf16>
  %places = arith.constant dense<[[[4, 6], [0, 0]], [[2, 3], [1, 5]]]> : tensor<2x2x2xindex>
  %points = tensor.gather %box[%places] gather_dims([0, 2]) : (tensor<5x3x7xi8>, tensor<2x2x2xindex>) -> tensor<2x2x3xi8>
  %narrow = tensor.gather %table[%at] gather_dims([0]) unique : (tensor<37x24xf16>, tensor<20x1xi32>) -> tensor<20x24xf16>
  %twice = arith.addf %narrow, %narrow : tensor<20x24xf16>
  return %wide, %points, %twice : tensor<20x1x24xf16>, tensor<2x2x3xi8>, tensor<20x24xf16>
}
