// y = A * x: the rows are spread over the cores, every core takes all of x.

func.func @main(%a: memref<64x96xi32>, %x: memref<96xi32>, %y: memref<64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%y : memref<64xi32>)
  linalg.matvec ins(%a, %x : memref<64x96xi32>, memref<96xi32>) outs(%y : memref<64xi32>)
  return
}
