// A design written by hand, from its text to what the host reads: a memory tile transposes.
// RUN: airlite-compile %s --target=npu1 -o %t.out
// RUN: airlite-run --on=sim %t.out --init=random:3 --output 0=%t.in.npy --output 1=%t.npy
// RUN: airlite-run %S/Inputs/transpose.mlir --on=interp --input 0=%t.in.npy --expect 1=%t.npy
// RUN: airlite-inspect %t.out/transpose.insts.bin | FileCheck %s
// CHECK: txn version=0.1 generation=3
// CHECK: patch (0,0)+DMA_BD0_1
// CHECK: sync column=0 row=0
aie.device(npu1) @transpose {
  %mem = aie.logical_tile<MemTile>(?, ?)
  %shim = aie.logical_tile<ShimNOCTile>(?, ?)
  %free = aie.lock(%mem) {init = 1 : i32}
  %full = aie.lock(%mem) {init = 0 : i32}
  %buf = aie.buffer(%mem) {sym_name = "buf"} : memref<24x40xi32>
  aie.memtile_dma(%mem) {
    aie.dma_start(S2MM, 0, ^in, ^next)
  ^in:
    aie.use_lock(%free, AcquireGreaterEqual)
    aie.dma_bd(%buf : memref<24x40xi32>)
    aie.use_lock(%full, Release)
    aie.next_bd ^in
  ^next:
    aie.dma_start(MM2S, 0, ^out, ^end)
  ^out:
    aie.use_lock(%full, AcquireGreaterEqual)
    aie.dma_bd(%buf : memref<24x40xi32> len = 960 sizes = [40, 24] strides = [1, 40])
    aie.use_lock(%free, Release)
    aie.next_bd ^out
  ^end:
    aie.end
  }
  aie.flow(%shim, DMA : 0, %mem, DMA : 0)
  aie.flow(%mem, DMA : 0, %shim, DMA : 0)
  aie.shim_dma_allocation @in(%shim, MM2S, 0)
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
  aie.runtime_sequence @run(%in: memref<24x40xi32>, %out: memref<40x24xi32>) {
    %send = aiex.dma_configure_task_for @in {
      aie.dma_bd(%in : memref<24x40xi32>)
      aie.end
    }
    %take = aiex.dma_configure_task_for @out {
      aie.dma_bd(%out : memref<40x24xi32>)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%send)
    aiex.dma_start_task(%take)
    aiex.dma_await_task(%take)
  }
}
