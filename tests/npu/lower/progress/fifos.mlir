// Copies of the host, endless loops, and neighbours that share objects: one gives three at a time, the other takes two. With
// three objects there is one full and two empty in the end; with four it goes on.
// RUN: airlite-opt %s --aie-objectfifo-to-locks --aie-verify-progress --emit=none 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: {{.}}
// RUN: sed 's/@f(%a, {%b}, 4 : i32)/@f(%a, {%b}, 3 : i32)/' %s > %t.mlir
// RUN: not airlite-opt %t.mlir --aie-objectfifo-to-locks --aie-verify-progress --emit=none 2>&1 | FileCheck %s --check-prefix=HANG
// HANG: error: the design would hang: the host waits here for ever
// HANG: aiex.npu.dma_memcpy_nd(%out
// HANG: note: the core waits here for a lock that holds 1, and needs 2
// HANG: note: the core waits here for a lock that holds 2, and needs 3
// RUN: airlite-compile %s --target=npu1 -o %t.out
// RUN: airlite-run --on=sim %t.out --init=random:1
// RUN: not airlite-compile %t.mlir --target=npu1 -o %t.out 2>&1 | FileCheck %s --check-prefix=HANG
// RUN: airlite-compile %t.mlir --no-verify-program --target=npu1 -o %t.out
// RUN: not airlite-run --on=sim %t.out --init=random:1 2>&1 | FileCheck %s --check-prefix=SIM
// SIM: error: the design hangs after
aie.device(npu1) @steps {
  %shim = aie.tile(0, 0)
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 3)
  aie.objectfifo @in(%shim, {%a}, 3 : i32) : !aie.objectfifo<memref<4xi32>>
  aie.objectfifo @f(%a, {%b}, 4 : i32) : !aie.objectfifo<memref<4xi32>>
  aie.objectfifo @out(%b, {%shim}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
  aie.core(%a) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %max = arith.constant 9223372036854775807 : index
    scf.for %r = %c0 to %max step %c1 {
      %x = aie.objectfifo.acquire @in(Consume, 3) : !aie.objectfifosubview<memref<4xi32>>
      %y = aie.objectfifo.acquire @f(Produce, 3) : !aie.objectfifosubview<memref<4xi32>>
      %u = aie.objectfifo.subview.access %x[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
      %v = aie.objectfifo.subview.access %y[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
      linalg.copy ins(%u : memref<4xi32>) outs(%v : memref<4xi32>)
      aie.objectfifo.release @in(Consume, 3)
      aie.objectfifo.release @f(Produce, 3)
    }
    aie.end
  }
  aie.core(%b) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %max = arith.constant 9223372036854775807 : index
    scf.for %r = %c0 to %max step %c1 {
      %x = aie.objectfifo.acquire @f(Consume, 2) : !aie.objectfifosubview<memref<4xi32>>
      %y = aie.objectfifo.acquire @out(Produce, 2) : !aie.objectfifosubview<memref<4xi32>>
      aie.objectfifo.release @f(Consume, 2)
      aie.objectfifo.release @out(Produce, 2)
    }
    aie.end
  }
  aie.runtime_sequence @run(%in: memref<24xi32>, %out: memref<24xi32>) {
    aiex.npu.dma_memcpy_nd(%out[0, 0, 0, 0][1, 1, 1, 24][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<24xi32>
    aiex.npu.dma_memcpy_nd(%in[0, 0, 0, 0][1, 1, 1, 24][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<24xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}
