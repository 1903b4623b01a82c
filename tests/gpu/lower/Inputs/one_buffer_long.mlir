// Rows of memory of the host, one further.
func.func @main(%A: memref<65x256xi32>) {
  air.launch () in () args(%a = %A) : memref<65x256xi32> {
    air.dma_memcpy_nd (%a[1, 0] [64, 256] [256, 1], %a[0, 0] [64, 256] [256, 1]) : (memref<65x256xi32>, memref<65x256xi32>)
  }
  return
}
