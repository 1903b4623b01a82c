// out = a + b, a thousand numbers: the vector addition of the AIR paper.

func.func @main(%a: memref<1024xf32>, %b: memref<1024xf32>, %out: memref<1024xf32>) {
  linalg.add ins(%a, %b : memref<1024xf32>, memref<1024xf32>) outs(%out : memref<1024xf32>)
  return
}
