// Convolutions whose filters are most of what they read: their windows become the rows of a matrix, and the convolution a product.
// Windows may move by several elements, of several images, and ops may follow.
// RUN: for f in bytes steps followed; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:2 --function=bytes %s | FileCheck %s --check-prefix=NPU2
// CHECK-COUNT-3: as in the interpreter, bit by bit
// NPU2: 3 arguments are as in the interpreter, bit by bit
// RUN: airlite-run --on=sim --compare=interp --init=random:3 --function=floats %s | FileCheck %s --check-prefix=FLOATS
// FLOATS: 3 arguments are as in the interpreter, bit by bit
// RUN: airlite-opt --air-convolution-to-matmul %s | FileCheck %s --check-prefix=WINDOWS
// WINDOWS-LABEL: func.func @bytes
// WINDOWS: %[[ROWS:.*]] = memref.alloc() : memref<1x5x5x3x3x64xi8>
// WINDOWS: linalg.generic {{.*}} outs(%[[ROWS]] : memref<1x5x5x3x3x64xi8>)
// WINDOWS: %[[MATRIX:.*]] = memref.collapse_shape %[[ROWS]] {{\[\[}}0, 1, 2], [3, 4, 5]] : memref<1x5x5x3x3x64xi8> into memref<25x576xi8>
// WINDOWS: linalg.matmul ins(%[[MATRIX]], %{{.*}} : memref<25x576xi8>, memref<576x512xi8>) outs(%{{.*}} : memref<25x512xi32>)
// WINDOWS: memref.dealloc %[[ROWS]]
// WINDOWS-LABEL: func.func @small
// WINDOWS: linalg.conv_2d_nhwc_hwcf
func.func @bytes(%x: memref<1x7x7x64xi8>, %f: memref<3x3x64x512xi8>, %y: memref<1x5x5x512xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<1x5x5x512xi32>)
  linalg.conv_2d_nhwc_hwcf ins(%x, %f : memref<1x7x7x64xi8>, memref<3x3x64x512xi8>) outs(%y : memref<1x5x5x512xi32>)
  return
}
// Filters that are no more than all windows.
func.func @small(%x: memref<1x18x18x64xi8>, %f: memref<3x3x64x512xi8>, %y: memref<1x16x16x512xi32>) {
  linalg.conv_2d_nhwc_hwcf ins(%x, %f : memref<1x18x18x64xi8>, memref<3x3x64x512xi8>) outs(%y : memref<1x16x16x512xi32>)
  return
}
func.func @floats(%x: memref<1x6x6x48xbf16>, %f: memref<3x3x48x320xbf16>, %y: memref<1x4x4x320xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<1x4x4x320xf32>)
  linalg.conv_2d_nhwc_hwcf ins(%x, %f : memref<1x6x6x48xbf16>, memref<3x3x48x320xbf16>) outs(%y : memref<1x4x4x320xf32>)
  return
}
// Rows and columns of two images, and elements of the window, that lie apart.
func.func @steps(%x: memref<2x11x9x64xi8>, %f: memref<3x3x64x512xi8>, %y: memref<2x4x5x512xi32>) {
  linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[2, 2]> : tensor<2xi64>}
      ins(%x, %f : memref<2x11x9x64xi8>, memref<3x3x64x512xi8>) outs(%y : memref<2x4x5x512xi32>)
  return
}
#image = affine_map<(n, y, x, f) -> (n, y, x, f)>
#row = affine_map<(n, y, x, f) -> (f)>
func.func @followed(%x: tensor<1x7x7x64xi8>, %f: tensor<3x3x64x512xi8>, %b: tensor<512xi32>) -> tensor<1x5x5x512xi32> {
  %zero = arith.constant 0 : i32
  %0 = tensor.empty() : tensor<1x5x5x512xi32>
  %1 = linalg.fill ins(%zero : i32) outs(%0 : tensor<1x5x5x512xi32>) -> tensor<1x5x5x512xi32>
  %2 = linalg.conv_2d_nhwc_hwcf ins(%x, %f : tensor<1x7x7x64xi8>, tensor<3x3x64x512xi8>) outs(%1 : tensor<1x5x5x512xi32>) -> tensor<1x5x5x512xi32>
  %3 = linalg.generic {indexing_maps = [#image, #row, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%2, %b : tensor<1x5x5x512xi32>, tensor<512xi32>) outs(%0 : tensor<1x5x5x512xi32>) {
  ^bb0(%u: i32, %v: i32, %o: i32):
    %4 = arith.addi %u, %v : i32
    %5 = arith.maxsi %4, %zero : i32
    linalg.yield %5 : i32
  } -> tensor<1x5x5x512xi32>
  return %3 : tensor<1x5x5x512xi32>
}
