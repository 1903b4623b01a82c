// Wrong: more L2 than the device has, once nested segments are multiplied out.
//
// One inner segment needs 192 KiB of L2, which is far below the 2 MiB of npu1. But all instances of
// a segment's iteration space are on the device at the same time, on every level: 4 outer instances
// with 3 inner ones each need twelve times as much. Remedy: fewer instances (a loop runs them one
// after the other), or smaller tiles.
//
// RUN: not airlite-opt --air-verify-program=device=npu1 %s 2>&1 | %golden
func.func @main() {
  air.launch () in () {
    %c4 = arith.constant 4 : index
    air.segment @outer (%x) in (%sx = %c4) {
      %c3 = arith.constant 3 : index
      air.segment @inner (%y) in (%sy = %c3) {
        %a = memref.alloc() : memref<128x256xf32, 1>
        %b = memref.alloc() : memref<64x256xf32, 1>
        memref.dealloc %a : memref<128x256xf32, 1>
        memref.dealloc %b : memref<64x256xf32, 1>
      }
    }
  }
  return
}
