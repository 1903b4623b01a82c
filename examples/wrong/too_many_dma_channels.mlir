// Wrong: more transfers at once than the device has DMA channels.
//
// Each of the 16 cores has nine transfers under way at the same time, none of which waits for
// another: 144 DMA channels. All DMAs of npu1 together (cores, memory tiles, shims) have 128.
// Remedy: let transfers wait for each other with tokens, so that they take turns.
//
// RUN: not airlite-opt --air-verify-program=device=npu1 %s 2>&1 | %golden
air.channel @in [4, 4]
func.func @main() {
  air.launch () in () {
    air.segment @seg {
      %c4 = arith.constant 4 : index
      air.herd @cores tile (%x, %y) in (%sx = %c4, %sy = %c4) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %m = memref.alloc() : memref<3x3x64xf32, 2>
        scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %c3) step (%c1, %c1) {
          air.channel.get @in[%x, %y] (%m[%i, %j, %c0] [1, 1, 64] [192, 64, 1])
              : (memref<3x3x64xf32, 2>)
        }
        memref.dealloc %m : memref<3x3x64xf32, 2>
      }
    }
  }
  return
}
