// Object FIFOs: a core holds three rows and gives back one at a time; it passes what it makes on to its
// neighbour in memory that both reach, and the rows go to another core as well (broadcast), transposed on the
// way.
// RUN: airlite-compile %s --target=npu1 -o %t.out
// RUN: airlite-run --on=sim %t.out --init=random:3 --output 0=%t.in.npy --output 1=%t.a.npy --output 2=%t.b.npy
// RUN: airlite-run %S/Inputs/object_fifo_window.mlir --on=interp --input 0=%t.in.npy --expect 1=%t.a.npy --expect 2=%t.b.npy
// RUN: airlite-opt %s --aie-objectfifo-to-locks | FileCheck %s
// Two objects on one tile, no DMA.
// CHECK: %[[TILE:.*]] = aie.tile(0, 2)
// CHECK-COUNT-2: aie.buffer(%[[TILE]]) {sym_name = "sums_buff_
// CHECK-NOT: sums_cons_buff
aie.device(npu1) @window {
  %shim = aie.tile(0, 0)
  %shim1 = aie.tile(1, 0)
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 3)
  %c = aie.tile(1, 4)
  aie.objectfifo @rows(%shim, {%a, %c dimensionsFromStream [<size = 4, stride = 1>, <size = 4, stride = 4>]}, [1, 4, 2]) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @sums(%a, {%b}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out(%b, {%shim}, 1 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @turned(%c, {%shim1}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.core(%a) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c16 = arith.constant 16 : index
    %first = aie.objectfifo.acquire @rows(Consume, 2) : !aie.objectfifosubview<memref<16xi32>>
    scf.for %r = %c0 to %c6 step %c1 {
      %s = aie.objectfifo.acquire @rows(Consume, 3) : !aie.objectfifosubview<memref<16xi32>>
      %x = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %y = aie.objectfifo.subview.access %s[1] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %z = aie.objectfifo.subview.access %s[2] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %t = aie.objectfifo.acquire @sums(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
      %o = aie.objectfifo.subview.access %t[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      scf.for %i = %c0 to %c16 step %c1 {
        %u = memref.load %x[%i] : memref<16xi32>
        %v = memref.load %y[%i] : memref<16xi32>
        %w = memref.load %z[%i] : memref<16xi32>
        %uv = arith.addi %u, %v : i32
        %uvw = arith.subi %uv, %w : i32
        memref.store %uvw, %o[%i] : memref<16xi32>
      }
      aie.objectfifo.release @rows(Consume, 1)
      aie.objectfifo.release @sums(Produce, 1)
    }
    aie.objectfifo.release @rows(Consume, 2)
    aie.end
  }
  aie.core(%b) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c16 = arith.constant 16 : index
    scf.for %r = %c0 to %c6 step %c1 {
      %s = aie.objectfifo.acquire @sums(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
      %x = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %t = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
      %o = aie.objectfifo.subview.access %t[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      scf.for %i = %c0 to %c16 step %c1 {
        %v = memref.load %x[%i] : memref<16xi32>
        %w = arith.addi %v, %v : i32
        memref.store %w, %o[%i] : memref<16xi32>
      }
      aie.objectfifo.release @sums(Consume, 1)
      aie.objectfifo.release @out(Produce, 1)
    }
    aie.end
  }
  aie.core(%c) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    // Two rounds at a time: whose turn it is is known.
    scf.for %r = %c0 to %c8 step %c2 {
      %s = aie.objectfifo.acquire @rows(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
      %x = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %t = aie.objectfifo.acquire @turned(Produce, 2) : !aie.objectfifosubview<memref<16xi32>>
      %o = aie.objectfifo.subview.access %t[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      linalg.copy ins(%x : memref<16xi32>) outs(%o : memref<16xi32>)
      aie.objectfifo.release @rows(Consume, 1)
      %s1 = aie.objectfifo.acquire @rows(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
      %x1 = aie.objectfifo.subview.access %s1[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %o1 = aie.objectfifo.subview.access %t[1] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      linalg.copy ins(%x1 : memref<16xi32>) outs(%o1 : memref<16xi32>)
      aie.objectfifo.release @rows(Consume, 1)
      aie.objectfifo.release @turned(Produce, 2)
    }
    aie.end
  }
  aie.runtime_sequence @run(%in: memref<8x16xi32>, %out: memref<6x16xi32>, %turned: memref<8x16xi32>) {
    aiex.npu.dma_memcpy_nd(%out[0, 0, 0, 0][1, 1, 1, 96][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<6x16xi32>
    aiex.npu.dma_memcpy_nd(%turned[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 2 : i64, metadata = @turned} : memref<8x16xi32>
    aiex.npu.dma_memcpy_nd(%in[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 0 : i64, metadata = @rows} : memref<8x16xi32>
    aiex.npu.dma_wait {symbol = @out}
    aiex.npu.dma_wait {symbol = @turned}
  }
}
