func.func @main(%in: memref<8x16xi32>, %out: memref<6x16xi32>, %turned: memref<8x16xi32>) {
  affine.for %r = 0 to 6 {
    affine.for %i = 0 to 16 {
      %u = affine.load %in[%r, %i] : memref<8x16xi32>
      %v = affine.load %in[%r + 1, %i] : memref<8x16xi32>
      %w = affine.load %in[%r + 2, %i] : memref<8x16xi32>
      %uv = arith.addi %u, %v : i32
      %uvw = arith.subi %uv, %w : i32
      %twice = arith.addi %uvw, %uvw : i32
      affine.store %twice, %out[%r, %i] : memref<6x16xi32>
    }
  }
  affine.for %r = 0 to 8 {
    affine.for %i = 0 to 4 {
      affine.for %j = 0 to 4 {
        %v = affine.load %in[%r, 4 * %i + %j] : memref<8x16xi32>
        affine.store %v, %turned[%r, 4 * %j + %i] : memref<8x16xi32>
      }
    }
  }
  return
}
