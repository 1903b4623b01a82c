// On tensors too a product gets its next best plan where the best one does not fit: here cores need a row and a matrix besides
// the factors. An op may say that no op, or so many, after it are computed with it.
// RUN: airlite-compile --target=npu1 --remarks --function=main -o %t %s 2>&1 | FileCheck %s
// CHECK: remark: its next best plan is taken, since before: 'aie.core' op gets from 3 channels by DMA
// CHECK-NOT: compiled by
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=main %s | FileCheck %s --check-prefix=SAME
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --function=alone %s | FileCheck %s --check-prefix=SAME
// SAME: as in the interpreter, bit by bit
// RUN: airlite-run --on=model --stats --function=alone %s | FileCheck %s --check-prefix=ALONE
// ALONE-COUNT-2: {{^}}{{[0-9]+}} cycles
#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<128x128xbf16>, %w: tensor<128x128xbf16>, %bias: tensor<128xf32>, %old: tensor<128x128xbf16>) -> tensor<128x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %none = tensor.empty() : tensor<128x128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%none : tensor<128x128xf32>) -> tensor<128x128xf32>
  %sums = linalg.matmul ins(%x, %w : tensor<128x128xbf16>, tensor<128x128xbf16>) outs(%zeros : tensor<128x128xf32>) -> tensor<128x128xf32>
  %empty = tensor.empty() : tensor<128x128xbf16>
  %y = linalg.generic {indexing_maps = [#map, #row, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias, %old : tensor<128x128xf32>, tensor<128xf32>, tensor<128x128xbf16>) outs(%empty : tensor<128x128xbf16>) {
  ^bb0(%sum: f32, %b: f32, %o: bf16, %unused: bf16):
    %wide = arith.extf %o : bf16 to f32
    %first = arith.addf %sum, %b : f32
    %second = arith.addf %first, %wide : f32
    %narrow = arith.truncf %second : f32 to bf16
    linalg.yield %narrow : bf16
  } -> tensor<128x128xbf16>
  return %y : tensor<128x128xbf16>
}

func.func @alone(%x: tensor<64x64xi8>, %w: tensor<64x64xi8>, %bias: tensor<64xi32>) -> tensor<64x64xi32> {
  %zero = arith.constant 0 : i32
  %none = tensor.empty() : tensor<64x64xi32>
  %zeros = linalg.fill ins(%zero : i32) outs(%none : tensor<64x64xi32>) -> tensor<64x64xi32>
  %sums = linalg.matmul {air.followers = 0 : index} ins(%x, %w : tensor<64x64xi8>, tensor<64x64xi8>)
      outs(%zeros : tensor<64x64xi32>) -> tensor<64x64xi32>
  %y = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : tensor<64x64xi32>, tensor<64xi32>) outs(%none : tensor<64x64xi32>) {
  ^bb0(%sum: i32, %b: i32, %unused: i32):
    %next = arith.addi %sum, %b : i32
    linalg.yield %next : i32
  } -> tensor<64x64xi32>
  return %y : tensor<64x64xi32>
}
