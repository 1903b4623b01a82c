// A small convolutional network on eight images of 16 x 16 pixels, in int8: two 3x3 convolutions, each with ReLU and maxima of 2 x 2
// pixels, and a matrix that gives ten numbers for each image.
#m4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m2 = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: memref<8x18x18x8xi8>, %w1: memref<3x3x8x32xi8>, %w2: memref<3x3x32x64xi8>, %w3: memref<1024x16xi8>,
                %out: memref<8x16xi32>) {
  %zero = arith.constant 0 : i32
  %zero8 = arith.constant 0 : i8
  %most = arith.constant 127 : i32
  %least = arith.constant -128 : i8
  %c6 = arith.constant 6 : i32
  %c8 = arith.constant 8 : i32
  %window = memref.alloc() : memref<2x2xi8>
  linalg.fill ins(%zero8 : i8) outs(%window : memref<2x2xi8>)
  %first = memref.alloc() : memref<8x16x16x32xi32>
  linalg.fill ins(%zero : i32) outs(%first : memref<8x16x16x32xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w1 : memref<8x18x18x8xi8>, memref<3x3x8x32xi8>) outs(%first : memref<8x16x16x32xi32>)
  %first8 = memref.alloc() : memref<8x16x16x32xi8>
  linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%first : memref<8x16x16x32xi32>) outs(%first8 : memref<8x16x16x32xi8>) {
  ^bb0(%sum: i32, %old: i8):
    %shifted = arith.shrsi %sum, %c6 : i32
    %above = arith.maxsi %shifted, %zero : i32
    %inside = arith.minsi %above, %most : i32
    %byte = arith.trunci %inside : i32 to i8
    linalg.yield %byte : i8
  }
  %pooled = memref.alloc() : memref<8x8x8x32xi8>
  linalg.fill ins(%least : i8) outs(%pooled : memref<8x8x8x32xi8>)
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%first8, %window : memref<8x16x16x32xi8>, memref<2x2xi8>) outs(%pooled : memref<8x8x8x32xi8>)
  %padded = memref.alloc() : memref<8x10x10x32xi8>
  linalg.fill ins(%zero8 : i8) outs(%padded : memref<8x10x10x32xi8>)
  %padded_inside = memref.subview %padded[0, 1, 1, 0] [8, 8, 8, 32] [1, 1, 1, 1]
      : memref<8x10x10x32xi8> to memref<8x8x8x32xi8, strided<[3200, 320, 32, 1], offset: 352>>
  memref.copy %pooled, %padded_inside : memref<8x8x8x32xi8> to memref<8x8x8x32xi8, strided<[3200, 320, 32, 1], offset: 352>>
  %second = memref.alloc() : memref<8x8x8x64xi32>
  linalg.fill ins(%zero : i32) outs(%second : memref<8x8x8x64xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded, %w2 : memref<8x10x10x32xi8>, memref<3x3x32x64xi8>) outs(%second : memref<8x8x8x64xi32>)
  %second8 = memref.alloc() : memref<8x8x8x64xi8>
  linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%second : memref<8x8x8x64xi32>) outs(%second8 : memref<8x8x8x64xi8>) {
  ^bb0(%sum: i32, %old: i8):
    %shifted = arith.shrsi %sum, %c8 : i32
    %above = arith.maxsi %shifted, %zero : i32
    %inside = arith.minsi %above, %most : i32
    %byte = arith.trunci %inside : i32 to i8
    linalg.yield %byte : i8
  }
  %small = memref.alloc() : memref<8x4x4x64xi8>
  linalg.fill ins(%least : i8) outs(%small : memref<8x4x4x64xi8>)
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%second8, %window : memref<8x8x8x64xi8>, memref<2x2xi8>) outs(%small : memref<8x4x4x64xi8>)
  %flat = memref.collapse_shape %small [[0], [1, 2, 3]] : memref<8x4x4x64xi8> into memref<8x1024xi8>
  linalg.fill ins(%zero : i32) outs(%out : memref<8x16xi32>)
  linalg.matmul ins(%flat, %w3 : memref<8x1024xi8>, memref<1024x16xi8>) outs(%out : memref<8x16xi32>)
  return
}
