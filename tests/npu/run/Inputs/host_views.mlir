#one = affine_map<(i) -> (i)>
func.func @main(%a: memref<8x16xi32>, %b: memref<128xi32>, %c: memref<128xi32>) {
  %row = memref.collapse_shape %a [[0, 1]] : memref<8x16xi32> into memref<128xi32>
  linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%row : memref<128xi32>) outs(%b : memref<128xi32>) {
  ^bb0(%x: i32, %old: i32):
    %0 = arith.addi %x, %old : i32
    linalg.yield %0 : i32
  }
  memref.copy %b, %c : memref<128xi32> to memref<128xi32>
  return
}
