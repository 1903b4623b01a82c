// What design.mlir should compute.
func.func @main(%in: memref<24x40xi32>, %out: memref<40x24xi32>) {
  linalg.transpose ins(%in : memref<24x40xi32>) outs(%out : memref<40x24xi32>) permutation = [1, 0]
  return
}
