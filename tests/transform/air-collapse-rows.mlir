// Rows of a buffer with three dimensions are one dimension of rows; what fills the buffers and what works on the same ones
// follows, so that all steps of a softmax become one nest.
// RUN: airlite-opt %s --air-decompose-softmax --air-collapse-rows --check-each | FileCheck %s
// RUN: airlite-opt %s --pipeline='air-decompose-softmax,air-collapse-rows,air-fuse-rows' --remarks 2>&1 | FileCheck %s --check-prefix=FUSED
// FUSED: remark: [air-fuse-rows] fused 6 ops

// CHECK-LABEL: func.func @softmax
// CHECK: %[[P:.*]] = memref.collapse_shape %arg1 {{\[}}[0, 1], [2]] : memref<3x8x16xf32> into memref<24x16xf32>
// CHECK: %[[X:.*]] = memref.collapse_shape %arg0 {{\[}}[0, 1], [2]] : memref<3x8x16xf32> into memref<24x16xf32>
// CHECK: %[[MOST:.*]] = memref.alloc() : memref<24xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]{{.*}} ins(%[[X]] : memref<24x16xf32>) outs(%[[MOST]] : memref<24xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]{{.*}} ins(%[[X]], %[[MOST]] : memref<24x16xf32>, memref<24xf32>) outs(%[[P]] : memref<24x16xf32>)
func.func @softmax(%x: memref<3x8x16xf32>, %p: memref<3x8x16xf32>) {
  linalg.softmax dimension(2) ins(%x : memref<3x8x16xf32>) outs(%p : memref<3x8x16xf32>)
  return
}

// The loops around the rows are not next to each other in the result: they stay.
// CHECK-LABEL: func.func @turned
// CHECK-NOT: collapse_shape
// CHECK: iterator_types = ["parallel", "parallel", "reduction"]
#in = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#out = affine_map<(d0, d1, d2) -> (d1, d0)>
func.func @turned(%x: memref<3x8x16xi32>, %sums: memref<8x3xi32>) {
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<3x8x16xi32>) outs(%sums : memref<8x3xi32>) {
  ^bb0(%a: i32, %sum: i32):
    %next = arith.addi %a, %sum : i32
    linalg.yield %next : i32
  }
  return
}

// A buffer that another op wants with other dimensions: the second op stays.
// CHECK-LABEL: func.func @two_ways
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: iterator_types = ["parallel", "reduction", "parallel"]
#middle = affine_map<(d0, d1, d2) -> (d0, d2)>
#last = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @two_ways(%x: memref<3x8x16xi32>, %a: memref<3x8xi32>, %b: memref<3x16xi32>) {
  linalg.generic {indexing_maps = [#in, #last], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : memref<3x8x16xi32>) outs(%a : memref<3x8xi32>) {
  ^bb0(%v: i32, %sum: i32):
    %next = arith.addi %v, %sum : i32
    linalg.yield %next : i32
  }
  linalg.generic {indexing_maps = [#in, #middle], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%x : memref<3x8x16xi32>) outs(%b : memref<3x16xi32>) {
  ^bb0(%v: i32, %sum: i32):
    %next = arith.addi %v, %sum : i32
    linalg.yield %next : i32
  }
  return
}

// A named op whose loops become fewer is a linalg.generic: its attributes count the dimensions that it had.
// CHECK-LABEL: func.func @broadcast
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]{{.*}} ins(%{{.*}} : memref<3xf32>) outs(%{{.*}} : memref<3x128xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : memref<3x128xf32>, memref<3x128xf32>)
func.func @broadcast(%x: memref<3x8x16xf32>, %b: memref<3xf32>, %sums: memref<8x16xf32>) {
  %m = memref.alloc() : memref<3x8x16xf32>
  linalg.broadcast ins(%b : memref<3xf32>) outs(%m : memref<3x8x16xf32>) dimensions = [1, 2]
  %y = memref.alloc() : memref<3x8x16xf32>
  linalg.add ins(%x, %m : memref<3x8x16xf32>, memref<3x8x16xf32>) outs(%y : memref<3x8x16xf32>)
  linalg.generic {indexing_maps = [#in, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%y : memref<3x8x16xf32>) outs(%sums : memref<8x16xf32>) {
  ^bb0(%v: f32, %sum: f32):
    %next = arith.addf %v, %sum : f32
    linalg.yield %next : f32
  }
  return
}

// A bias of channels is added to the pixels of all images: they are one dimension.
// CHECK-LABEL: func.func @bias
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%{{.*}}, %arg1 : memref<24x16xf32>, memref<16xf32>) outs(%{{.*}} : memref<24x16xf32>)
#pixels = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channels = affine_map<(d0, d1, d2) -> (d2)>
func.func @bias(%x: memref<2x12x16xf32>, %b: memref<16xf32>, %y: memref<2x12x16xf32>) {
  linalg.generic {indexing_maps = [#pixels, #channels, #pixels], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %b : memref<2x12x16xf32>, memref<16xf32>) outs(%y : memref<2x12x16xf32>) {
  ^bb0(%v: f32, %w: f32, %o: f32):
    %s = arith.addf %v, %w : f32
    linalg.yield %s : f32
  }
  return
}

// One after a reduction keeps the dimensions of that.
// CHECK-LABEL: func.func @bias_of_windows
// CHECK: linalg.pooling_nwc_sum
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel"]} ins(%{{.*}}, %arg1 : memref<2x12x16xf32>, memref<16xf32>)
func.func @bias_of_windows(%x: memref<2x14x16xf32>, %b: memref<16xf32>, %y: memref<2x12x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %w = memref.alloc() : memref<3xf32>
  %t = memref.alloc() : memref<2x12x16xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<2x12x16xf32>)
  linalg.pooling_nwc_sum ins(%x, %w : memref<2x14x16xf32>, memref<3xf32>) outs(%t : memref<2x12x16xf32>)
  linalg.generic {indexing_maps = [#pixels, #channels, #pixels], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%t, %b : memref<2x12x16xf32>, memref<16xf32>) outs(%y : memref<2x12x16xf32>) {
  ^bb0(%v: f32, %c: f32, %o: f32):
    %s = arith.addf %v, %c : f32
    linalg.yield %s : f32
  }
  return
}
