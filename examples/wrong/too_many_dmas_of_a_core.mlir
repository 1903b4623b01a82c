// Wrong: a core with more streams than it has DMA channels for them.
//
// Each core takes three operands from channels of their own. A stream is a route through the array that
// ends at a DMA channel of the core, whether something is under way or not, and a core of npu1 has two
// that bring data in.
// Remedy: send two of the operands through one channel, one after the other, or by packets
// (channel_type = "npu_dma_packet"), which may share a DMA channel.
//
// RUN: not airlite-opt --air-verify-program=device=npu1 %s 2>&1 | %golden
air.channel @a [2]
air.channel @b [2]
air.channel @bias [1] {broadcast_shape = [2]}
func.func @main(%in: memref<2x3x64xf32>) {
  air.launch () in () args(%from = %in) : memref<2x3x64xf32> {
    air.segment @seg args(%l3 = %from) : memref<2x3x64xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %done = air.herd @cores async tile (%x, %y) in (%sx = %c2, %sy = %c1) {
        %m = memref.alloc() : memref<3x64xf32, 2>
        air.channel.get @a[%x] (%m[0, 0] [1, 64] [64, 1]) : (memref<3x64xf32, 2>)
        air.channel.get @b[%x] (%m[1, 0] [1, 64] [64, 1]) : (memref<3x64xf32, 2>)
        air.channel.get @bias[%x] (%m[2, 0] [1, 64] [64, 1]) : (memref<3x64xf32, 2>)
        memref.dealloc %m : memref<3x64xf32, 2>
      }
      scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
        air.channel.put @a[%i] (%l3[%i, 0, 0] [1, 1, 64] [192, 64, 1]) : (memref<2x3x64xf32>)
        air.channel.put @b[%i] (%l3[%i, 1, 0] [1, 1, 64] [192, 64, 1]) : (memref<2x3x64xf32>)
      }
      air.channel.put @bias[%c0] (%l3[0, 2, 0] [1, 1, 64] [192, 64, 1]) : (memref<2x3x64xf32>)
      air.wait_all [%done]
    }
  }
  return
}
