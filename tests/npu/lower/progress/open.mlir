// What cannot be followed is said in a remark, and is no error.
// RUN: airlite-opt %s --aie-verify-progress --remarks --emit=none 2>&1 | FileCheck %s
// RUN: not airlite-opt %s --aie-verify-progress='max-steps=0' --emit=none 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: aie-verify-progress: max-steps must be positive

// CHECK-DAG: open.mlir:[[# @LINE + 13]]:7: remark: [aie-verify-progress] progress is not checked: the way of a core depends on data
aie.device(npu1) @data {
  %shim = aie.tile(0, 0)
  %tile = aie.tile(0, 2)
  %lock = aie.lock(%tile, 0) {init = 1 : i32}
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<1xi32, 2>
  aie.core(%tile) {
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    cf.br ^bb1
  ^bb1:
      %v = memref.load %a[%c0] : memref<1xi32, 2>
      %is = arith.cmpi eq, %v, %one : i32
      scf.if %is {
        aie.use_lock(%lock, AcquireGreaterEqual, %one)
      }
    cf.br ^bb1
  }
  aie.shim_dma_allocation @in(%shim, MM2S, 0)
  aie.flow(%shim, DMA : 0, %tile, DMA : 0)
  aie.runtime_sequence @main(%x: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%x : memref<64xi32> offset = 0 len = 64)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%0)
    aiex.dma_await_task(%0)
  }
}

// CHECK-DAG: open.mlir:[[# @LINE + 10]]:5: remark: [aie-verify-progress] progress is not checked: what it changes is not followed
aie.device(npu1) @registers {
  %shim = aie.tile(0, 0)
  %tile = aie.tile(0, 2)
  aie.shim_dma_allocation @in(%shim, MM2S, 0)
  aie.flow(%shim, DMA : 0, %tile, DMA : 0)
  aie.runtime_sequence @main(%x: memref<64xi32>) {
    %c4 = arith.constant 4 : i32
    %c1 = arith.constant 1 : i32

    aiex.npu.write32(%c4, %c1) {column = 0 : i32, row = 2 : i32} : i32, i32
  }
}

// A descriptor of no words that follows itself never waits.
// CHECK-DAG: open.mlir:[[# @LINE + 15]]:3: remark: [aie-verify-progress] progress is not checked: it takes too many steps
aie.device(npu1) @spins {
  %shim = aie.tile(0, 0)
  %tile = aie.tile(0, 2)
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<4xi32, 2>
  aie.mem(%tile) {
    aie.dma_start(MM2S, 0, ^out, ^end)
  ^out:
    aie.dma_bd(%a : memref<4xi32, 2> offset = 0 len = 0)
    aie.next_bd ^out
  ^end:
    aie.end
  }
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
  aie.flow(%tile, DMA : 0, %shim, DMA : 0)
  aie.runtime_sequence @main(%x: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @out {
      aie.dma_bd(%x : memref<64xi32> offset = 0 len = 64)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%0)
    aiex.dma_await_task(%0)
  }
}
