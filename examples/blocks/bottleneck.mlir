// An int8 bottleneck of a residual network: 1x1, 3x3 and 1x1 convolutions with requantisation and ReLU, and the input added
// at the end. 14 x 14 pixels, 256 channels, 64 inside.
#m4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%x: memref<1x14x14x256xi8>, %w1: memref<1x1x256x64xi8>, %w2: memref<3x3x64x64xi8>,
                %w3: memref<1x1x64x256xi8>, %out: memref<1x14x14x256xi8>) {
  %zero = arith.constant 0 : i32
  %zero8 = arith.constant 0 : i8
  %most = arith.constant 127 : i32
  %c7 = arith.constant 7 : i32
  %c9 = arith.constant 9 : i32
  %narrow = memref.alloc() : memref<1x14x14x64xi32>
  linalg.fill ins(%zero : i32) outs(%narrow : memref<1x14x14x64xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w1 : memref<1x14x14x256xi8>, memref<1x1x256x64xi8>) outs(%narrow : memref<1x14x14x64xi32>)
  %narrow8 = memref.alloc() : memref<1x14x14x64xi8>
  linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%narrow : memref<1x14x14x64xi32>) outs(%narrow8 : memref<1x14x14x64xi8>) {
  ^bb0(%sum: i32, %old: i8):
    %shifted = arith.shrsi %sum, %c7 : i32
    %above = arith.maxsi %shifted, %zero : i32
    %inside = arith.minsi %above, %most : i32
    %byte = arith.trunci %inside : i32 to i8
    linalg.yield %byte : i8
  }
  %padded = memref.alloc() : memref<1x16x16x64xi8>
  linalg.fill ins(%zero8 : i8) outs(%padded : memref<1x16x16x64xi8>)
  %padded_inside = memref.subview %padded[0, 1, 1, 0] [1, 14, 14, 64] [1, 1, 1, 1]
      : memref<1x16x16x64xi8> to memref<1x14x14x64xi8, strided<[16384, 1024, 64, 1], offset: 1088>>
  memref.copy %narrow8, %padded_inside : memref<1x14x14x64xi8> to memref<1x14x14x64xi8, strided<[16384, 1024, 64, 1], offset: 1088>>
  %wide = memref.alloc() : memref<1x14x14x64xi32>
  linalg.fill ins(%zero : i32) outs(%wide : memref<1x14x14x64xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded, %w2 : memref<1x16x16x64xi8>, memref<3x3x64x64xi8>) outs(%wide : memref<1x14x14x64xi32>)
  %wide8 = memref.alloc() : memref<1x14x14x64xi8>
  linalg.generic {indexing_maps = [#m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%wide : memref<1x14x14x64xi32>) outs(%wide8 : memref<1x14x14x64xi8>) {
  ^bb0(%sum: i32, %old: i8):
    %shifted = arith.shrsi %sum, %c9 : i32
    %above = arith.maxsi %shifted, %zero : i32
    %inside = arith.minsi %above, %most : i32
    %byte = arith.trunci %inside : i32 to i8
    linalg.yield %byte : i8
  }
  %sums = memref.alloc() : memref<1x14x14x256xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<1x14x14x256xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%wide8, %w3 : memref<1x14x14x64xi8>, memref<1x1x64x256xi8>) outs(%sums : memref<1x14x14x256xi32>)
  linalg.generic {indexing_maps = [#m4, #m4, #m4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sums, %x : memref<1x14x14x256xi32>, memref<1x14x14x256xi8>) outs(%out : memref<1x14x14x256xi8>) {
  ^bb0(%sum: i32, %old_in: i8, %old: i8):
    %shifted = arith.shrsi %sum, %c7 : i32
    %extended = arith.extsi %old_in : i8 to i32
    %added = arith.addi %shifted, %extended : i32
    %above = arith.maxsi %added, %zero : i32
    %inside = arith.minsi %above, %most : i32
    %byte = arith.trunci %inside : i32 to i8
    linalg.yield %byte : i8
  }
  return
}
