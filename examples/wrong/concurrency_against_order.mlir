// Wrong: two ops must run at the same time, but one waits for the other.
//
// The concurrency token asks that @producer and @consumer overlap. @consumer waits for the copy,
// which waits for @producer: it begins when @producer has ended. Remedy: send the data through a
// channel instead of waiting for the token, or drop the concurrency token.
//
// RUN: not airlite-opt --air-verify-program=device=npu1 %s 2>&1 | %golden
func.func @main(%m: memref<64xf32>, %n: memref<64xf32>) {
  air.launch () in () args(%a = %m, %b = %n) : memref<64xf32>, memref<64xf32> {
    %together = air.token.alloc : !air.token
    %0 = air.segment @producer async concurrency = [%together] {
    }
    %1 = air.dma_memcpy_nd async [%0] (%a[] [] [], %b[] [] []) : (memref<64xf32>, memref<64xf32>)
    %2 = air.wait_all async [%1]
    %3 = air.segment @consumer async [%2] concurrency = [%together] {
    }
    air.wait_all [%3]
  }
  return
}
