func.func @main(%a: memref<4096xi32>) {
  affine.for %i = 0 to 4096 {
    %v = arith.index_cast %i : index to i32
    affine.store %v, %a[%i] : memref<4096xi32>
  }
  return
}
