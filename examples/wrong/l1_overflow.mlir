// Wrong: a core needs more memory than it has.
//
// While a tile is multiplied the next ones are fetched: two buffers of each input, and the result.
// That makes 80 KiB, and a core of npu1 has 64 KiB. The scratch buffer does not add to it, since it
// is freed before the others are made. Remedy: smaller tiles, or no second buffer for B.
//
// RUN: not airlite-opt --air-verify-program=device=npu1 %s 2>&1 | %golden
func.func @main() {
  air.launch () in () {
    air.segment @seg {
      %c4 = arith.constant 4 : index
      air.herd @matmul tile (%x, %y) in (%sx = %c4, %sy = %c4) {
        %scratch = memref.alloc() : memref<64x64xf32, 2>
        memref.dealloc %scratch : memref<64x64xf32, 2>
        %a0 = memref.alloc() : memref<64x64xf32, 2>
        %a1 = memref.alloc() : memref<64x64xf32, 2>
        %b0 = memref.alloc() : memref<64x64xf32, 2>
        %b1 = memref.alloc() : memref<64x64xf32, 2>
        %c = memref.alloc() : memref<64x64xf32, 2>
        memref.dealloc %a0 : memref<64x64xf32, 2>
        memref.dealloc %a1 : memref<64x64xf32, 2>
        memref.dealloc %b0 : memref<64x64xf32, 2>
        memref.dealloc %b1 : memref<64x64xf32, 2>
        memref.dealloc %c : memref<64x64xf32, 2>
      }
    }
  }
  return
}
