func.func @main(%in: memref<7x48xi32>, %out: memref<7x48xi32>) {
  affine.for %r = 0 to 7 {
    affine.for %i = 0 to 16 {
      %v = affine.load %in[%r, %i] : memref<7x48xi32>
      %three = arith.constant 3 : i32
      %w = arith.muli %v, %three : i32
      affine.store %w, %out[%r, %i] : memref<7x48xi32>
    }
    affine.for %i = 16 to 48 {
      %v = affine.load %in[%r, %i] : memref<7x48xi32>
      %z = arith.constant 0 : i32
      %w = arith.subi %z, %v : i32
      affine.store %w, %out[%r, %i] : memref<7x48xi32>
    }
  }
  return
}
