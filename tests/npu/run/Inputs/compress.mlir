// Both ends of a core tile's DMA: what comes in on S2MM 0 goes out on MM2S 0, in parts of 1024 words.
// The host sets the bits that compress, those of the BDs and that of the channel.
aie.device(npu1) @compress {
  %shim = aie.tile(0, 0)
  %tile = aie.tile(0, 2)
  %free = aie.lock(%tile) {init = 2 : i32}
  %full = aie.lock(%tile) {init = 0 : i32}
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<1024xi32>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<1024xi32>
  aie.mem(%tile) {
    aie.dma_start(S2MM, 0, ^in0, ^next)
  ^in0:
    aie.use_lock(%free, AcquireGreaterEqual)
    aie.dma_bd(%a : memref<1024xi32>) {bd_id = 0 : i32}
    aie.use_lock(%full, Release)
    aie.next_bd ^in1
  ^in1:
    aie.use_lock(%free, AcquireGreaterEqual)
    aie.dma_bd(%b : memref<1024xi32>) {bd_id = 1 : i32}
    aie.use_lock(%full, Release)
    aie.next_bd ^in0
  ^next:
    aie.dma_start(MM2S, 0, ^out0, ^end)
  ^out0:
    aie.use_lock(%full, AcquireGreaterEqual)
    aie.dma_bd(%a : memref<1024xi32>) {bd_id = 2 : i32}
    aie.use_lock(%free, Release)
    aie.next_bd ^out1
  ^out1:
    aie.use_lock(%full, AcquireGreaterEqual)
    aie.dma_bd(%b : memref<1024xi32>) {bd_id = 3 : i32}
    aie.use_lock(%free, Release)
    aie.next_bd ^out0
  ^end:
    aie.end
  }
  aie.flow(%shim, DMA : 0, %tile, DMA : 0)
  aie.flow(%tile, DMA : 0, %shim, DMA : 0)
  aie.shim_dma_allocation @in(%shim, MM2S, 0)
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
  aie.runtime_sequence @run(%in: memref<4096xi32>, %out: memref<4096xi32>) {
    %bit31 = arith.constant -2147483648 : i32
    %bit4 = arith.constant 16 : i32
    %first = arith.constant FIRST_BD : i32
    %second = arith.constant SECOND_BD : i32
    %control = arith.constant CONTROL : i32
    aiex.npu.maskwrite32(%first, %bit31, %bit31) {column = 0 : i32, row = 2 : i32} : i32, i32, i32
    aiex.npu.maskwrite32(%second, %bit31, %bit31) {column = 0 : i32, row = 2 : i32} : i32, i32, i32
    aiex.npu.maskwrite32(%control, %bit4, %bit4) {column = 0 : i32, row = 2 : i32} : i32, i32, i32
    %send = aiex.dma_configure_task_for @in {
      aie.dma_bd(%in : memref<4096xi32> offset = 0 len = WORDS_IN)
      aie.end
    }
    %take = aiex.dma_configure_task_for @out {
      aie.dma_bd(%out : memref<4096xi32> offset = 0 len = WORDS_OUT)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%send)
    aiex.dma_start_task(%take)
    aiex.dma_await_task(%take)
  }
}
