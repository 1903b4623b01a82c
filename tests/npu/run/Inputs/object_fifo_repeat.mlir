func.func @main(%in: memref<3x8xi32>, %out: memref<11x8xi32>) {
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  affine.for %i = 0 to 8 {
    affine.store %seven, %out[0, %i] : memref<11x8xi32>
    %n = arith.index_cast %i : index to i32
    %k = arith.addi %n, %one : i32
    affine.store %k, %out[1, %i] : memref<11x8xi32>
    affine.for %o = 0 to 3 {
      %v = affine.load %in[%o, %i] : memref<3x8xi32>
      %w = arith.addi %v, %one : i32
      affine.for %t = 0 to 3 {
        affine.store %w, %out[3 * %o + %t + 2, %i] : memref<11x8xi32>
      }
    }
  }
  return
}
