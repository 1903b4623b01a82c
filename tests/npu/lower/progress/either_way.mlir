// A conditional on data whose ways ask for the same locks: any way is followed, so what comes after it is checked.
// RUN: not airlite-opt %s --aie-verify-progress --remarks --emit=none 2>&1 | FileCheck %s
// CHECK-NOT: progress is not checked
// CHECK: error: the design would hang: the host waits here for ever
// CHECK: note: the core waits here for a lock that holds 0, and needs 1
aie.device(npu1) @hangs {
  %shim = aie.tile(0, 0)
  %tile = aie.tile(0, 2)
  %empty = aie.lock(%tile, 0) {init = 1 : i32}
  %full = aie.lock(%tile, 1) {init = 0 : i32}
  %never = aie.lock(%tile, 2) {init = 0 : i32}
  %a = aie.buffer(%tile) {sym_name = "a"} : memref<64xi32, 2>
  aie.mem(%tile) {
    %c1 = arith.constant 1 : i32
    aie.dma_start(MM2S, 0, ^out, ^end)
  ^out:
    aie.use_lock(%full, AcquireGreaterEqual, %c1)
    aie.dma_bd(%a : memref<64xi32, 2> offset = 0 len = 64)
    aie.use_lock(%empty, Release, %c1)
    aie.next_bd ^out
  ^end:
    aie.end
  }
  aie.core(%tile) {
    %one = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    cf.br ^bb1
  ^bb1:
    %v = memref.load %a[%c0] : memref<64xi32, 2>
    %is = arith.cmpi eq, %v, %one : i32
    %n = scf.if %is -> (i32) {
      aie.use_lock(%empty, AcquireGreaterEqual, %one)
      memref.store %one, %a[%c0] : memref<64xi32, 2>
      aie.use_lock(%full, Release, %one)
      scf.yield %one : i32
    } else {
      %other = arith.constant 1 : i32
      aie.use_lock(%empty, AcquireGreaterEqual, %other)
      aie.use_lock(%full, Release, %other)
      scf.yield %v : i32
    }
    aie.use_lock(%never, AcquireGreaterEqual, %one)
    cf.br ^bb1
  }
  aie.shim_dma_allocation @out(%shim, S2MM, 0)
  aie.flow(%tile, DMA : 0, %shim, DMA : 0)
  aie.runtime_sequence @main(%x: memref<128xi32>) {
    %0 = aiex.dma_configure_task_for @out {
      aie.dma_bd(%x : memref<128xi32> offset = 0 len = 128)
      aie.end
    } {issue_token = true}
    aiex.dma_start_task(%0)
    aiex.dma_await_task(%0)
  }
}
