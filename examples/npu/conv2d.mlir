// A 3 x 3 convolution of an 18 x 18 image with 8 channels to 16 x 16 with 16 features. Neighbouring
// tiles read overlapping parts of the image.

func.func @main(%image: memref<1x18x18x8xi32>, %filter: memref<3x3x8x16xi32>,
                %out: memref<1x16x16x16xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%out : memref<1x16x16x16xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%image, %filter : memref<1x18x18x8xi32>, memref<3x3x8x16xi32>)
      outs(%out : memref<1x16x16x16xi32>)
  return
}
