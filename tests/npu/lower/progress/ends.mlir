// Parameters that the host writes decide how often a core takes its lock; a function with locks is called; words
// that the route holds need no task. Nothing is left open: there is no remark, and no error.
// RUN: airlite-opt %s --aie-verify-progress --remarks --emit=none 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: {{.}}
// RUN: airlite-opt %s --aie-verify-progress='max-steps=2' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: remark: [aie-verify-progress] progress is not checked: it takes too many steps
aie.device(npu1) @design {
  %shim = aie.tile(0, 0)
  %tile = aie.tile(0, 2)
  %full = aie.lock(%tile, 0) {init = 0 : i32}
  %free = aie.lock(%tile, 1) {init = 1 : i32}
  %armed = aie.lock(%tile, 2) {init = 0 : i32}
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<64xi32, 2>
  %numbers = aie.buffer(%tile) {sym_name = "numbers"} : memref<1xi32, 2>
  aie.core(%tile) {
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    aie.use_lock(%armed, AcquireGreaterEqual, %one)
    %v = memref.load %numbers[%c0] : memref<1xi32, 2>
    %n = arith.index_cast %v : i32 to index
    scf.for %i = %c0 to %n step %c1 {
      aie.use_lock(%full, AcquireGreaterEqual, %one)
      aie.use_lock(%free, Release, %one)
    }
    aie.end
  }
  aie.mem(%tile) {
    aie.dma_start(S2MM, 0, ^in, ^end)
  ^in:
    %v1 = arith.constant 1 : i32
    aie.use_lock(%free, AcquireGreaterEqual, %v1)
    aie.dma_bd(%a : memref<64xi32, 2> offset = 0 len = 64)
    %v2 = arith.constant 1 : i32
    aie.use_lock(%full, Release, %v2)
    aie.next_bd ^in
  ^end:
    aie.end
  }
  aie.flow(%shim, DMA : 0, %tile, DMA : 0)
  aie.shim_dma_allocation @in(%shim, MM2S, 0)
  aie.runtime_sequence @main(%x: memref<270xi32>) {
    %three = arith.constant 3 : i32
    aiex.npu.rtp_write(@numbers, 0, %three) : i32
    aiex.set_lock(%armed, 1)
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%x : memref<270xi32> offset = 0 len = 270)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%0)
    aiex.dma_await_task(%0)
  }
}
