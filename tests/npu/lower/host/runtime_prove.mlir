// Random host programs, checked from outside: the elements that tasks move, queues, tokens, memory.
// RUN: python3 %S/../../../../scripts/prove_sequences.py %{airlite-opt} --runs 10 | FileCheck %s
// CHECK: 30 checked, {{[0-9]+}} tasks, {{[1-9][0-9]*}} joined, 0 wrong

// The check sees what is wrong: an await too few, one too many, a start that came too early.
// RUN: airlite-opt %s --airrt-to-npu > %t.mlir
// RUN: python3 %S/../../../../scripts/prove_sequences.py %{airlite-opt} %t.mlir
// RUN: grep -v 'dma_await_task(%0)' %t.mlir > %t.few.mlir
// RUN: not python3 %S/../../../../scripts/prove_sequences.py %{airlite-opt} %t.few.mlir | FileCheck %s --check-prefix=FEW
// FEW: more than 4 tasks under way
// RUN: sed 's/.*dma_await_task(%0)/&\n&/' %t.mlir > %t.many.mlir
// RUN: not python3 %S/../../../../scripts/prove_sequences.py %{airlite-opt} %t.many.mlir | FileCheck %s --check-prefix=MANY
// MANY: awaits what is done
// RUN: sed 's/offset = 8 len/offset = 0 len/' %t.mlir > %t.memory.mlir
// RUN: not python3 %S/../../../../scripts/prove_sequences.py %{airlite-opt} %t.memory.mlir | FileCheck %s --check-prefix=MEMORY
// MEMORY: %1 meets %0 in memory
module {
  aie.device(npu1) @seg {
    %tile = aie.tile(0, 0)
    aie.shim_dma_allocation @in(%tile, MM2S, 0)
    aie.shim_dma_allocation @out(%tile, S2MM, 0)
    func.func @f(%a: memref<64xi32>) {
      %i = arith.constant 1 : i32
      %z = arith.constant 0 : i64
      affine.for %k = 0 to 5 {
        %0 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<64xi32>) : !airrt.event
      }
      %1 = airrt.dma_memcpy_nd(%i, %z, %z, %a[0, 0, 0, 8], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @out} : (i32, i64, i64, memref<64xi32>) : !airrt.event
      airrt.wait_all %1
      return
    }
  }
}
