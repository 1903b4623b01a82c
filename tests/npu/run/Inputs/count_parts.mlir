func.func @main(%a: memref<64xi32>) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  affine.for %i = 0 to 32 {
    affine.store %one, %a[%i] : memref<64xi32>
    affine.store %two, %a[%i + 32] : memref<64xi32>
  }
  return
}
