// RUN: not airlite-opt %s --aie-verify-progress --emit=none 2>&1 | FileCheck %s
// RUN: not airlite-compile %s --target=npu1 -o %t 2>&1 | FileCheck %s --check-prefix=COMPILE
// RUN: airlite-compile %s --target=npu1 --no-verify-program -o %t
// RUN: not airlite-run --on=sim %t --init=random:1 2>&1 | FileCheck %s --check-prefix=SIM
// COMPILE: error: the design would hang: the host waits here for ever
// SIM: error: the design hangs

// The core adds what two inputs bring. The host feeds the second one when it has the sum.
// CHECK: hangs.mlir:[[# @LINE + 65]]:10: error: the design would hang: the host waits here for ever
// CHECK: hangs.mlir:[[# @LINE + 65]]:7: note: S2MM 0 of (0,0) waits here for 64 words
// CHECK: hangs.mlir:[[# @LINE + 44]]:5: note: MM2S 0 of (0,2) waits here for a lock that holds 0, and needs 1
// CHECK: hangs.mlir:[[# @LINE + 16]]:5: note: the core waits here for a lock that holds 0, and needs 1
// CHECK: hangs.mlir:[[# @LINE + 35]]:5: note: S2MM 1 of (0,2) waits here for 64 words; MM2S 1 of (0,0) has no task then
aie.device(npu1) @design {
  %shim = aie.tile(0, 0)
  %tile = aie.tile(0, 2)
  %first = aie.lock(%tile, 0) {init = 0 : i32}
  %second = aie.lock(%tile, 1) {init = 0 : i32}
  %sum = aie.lock(%tile, 2) {init = 0 : i32}
  %free = aie.lock(%tile, 3) {init = 2 : i32}
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<64xi32, 2>
  %b = aie.buffer(%tile) {sym_name = "b"} : memref<64xi32, 2>
  aie.core(%tile) {
    %one = arith.constant 1 : i32
    cf.br ^bb1
  ^bb1:
    aie.use_lock(%first, AcquireGreaterEqual, %one)
    aie.use_lock(%second, AcquireGreaterEqual, %one)
    aie.use_lock(%sum, Release, %one)
    cf.br ^bb1
  }
  aie.mem(%tile) {
    aie.dma_start(S2MM, 0, ^in, ^next)
  ^next:
    aie.dma_start(S2MM, 1, ^in2, ^last)
  ^last:
    aie.dma_start(MM2S, 0, ^out, ^end)
  ^in:
    %v1 = arith.constant 1 : i32
    aie.use_lock(%free, AcquireGreaterEqual, %v1)
    aie.dma_bd(%a : memref<64xi32, 2> offset = 0 len = 64)
    %v2 = arith.constant 1 : i32
    aie.use_lock(%first, Release, %v2)
    aie.next_bd ^in
  ^in2:
    %v3 = arith.constant 1 : i32
    aie.use_lock(%free, AcquireGreaterEqual, %v3)
    aie.dma_bd(%b : memref<64xi32, 2> offset = 0 len = 64)
    %v4 = arith.constant 1 : i32
    aie.use_lock(%second, Release, %v4)
    aie.next_bd ^in2
  ^out:
    %v5 = arith.constant 1 : i32
    aie.use_lock(%sum, AcquireGreaterEqual, %v5)
    aie.dma_bd(%a : memref<64xi32, 2> offset = 0 len = 64)
    %v6 = arith.constant 2 : i32
    aie.use_lock(%free, Release, %v6)
    aie.next_bd ^out
  ^end:
    aie.end
  }
  aie.flow(%shim, DMA : 0, %tile, DMA : 0)
  aie.flow(%shim, DMA : 1, %tile, DMA : 1)
  aie.flow(%tile, DMA : 0, %shim, DMA : 0)
  aie.shim_dma_allocation @in(%shim, MM2S, 0)
  aie.shim_dma_allocation @in2(%shim, MM2S, 1)
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
  aie.runtime_sequence @main(%x: memref<64xi32>, %y: memref<64xi32>, %z: memref<64xi32>) {
    %0 = aiex.dma_configure_task_for @in {
      aie.dma_bd(%x : memref<64xi32> offset = 0 len = 64)
      aie.end
    }
    aiex.dma_start_task(%0)
    %1 = aiex.dma_configure_task_for @out {
      aie.dma_bd(%z : memref<64xi32> offset = 0 len = 64)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%1)
    aiex.dma_await_task(%1)
    %2 = aiex.dma_configure_task_for @in2 {
      aie.dma_bd(%y : memref<64xi32> offset = 0 len = 64)
      aie.end
    }
    aiex.dma_start_task(%2)
    aiex.dma_free_task(%0)
    aiex.dma_free_task(%2)
  }
}
