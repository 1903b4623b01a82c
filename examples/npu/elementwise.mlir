// out = max(a * b + bias, 0), the bias per column: one op, three inputs that go through L2.

#both = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

func.func @main(%a: memref<64x128xf32>, %b: memref<64x128xf32>, %bias: memref<128xf32>,
                %out: memref<64x128xf32>) {
  linalg.generic {indexing_maps = [#both, #both, #column, #both],
                  iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %bias : memref<64x128xf32>, memref<64x128xf32>, memref<128xf32>)
      outs(%out : memref<64x128xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %old: f32):
    %product = arith.mulf %x, %y : f32
    %sum = arith.addf %product, %z : f32
    %zero = arith.constant 0.0 : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  }
  return
}
