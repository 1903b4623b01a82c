// A memory tile sends each object three times; a core begins with two objects that it has not made.
// RUN: airlite-compile %s --target=npu1 -o %t.out
// RUN: airlite-run --on=sim %t.out --init=random:3 --output 0=%t.in.npy --output 1=%t.npy
// RUN: airlite-run %S/Inputs/object_fifo_repeat.mlir --on=interp --input 0=%t.in.npy --expect 1=%t.npy
aie.device(npu1) @again {
  %shim = aie.tile(0, 0)
  %mem = aie.tile(0, 1)
  %a = aie.tile(0, 2)
  aie.objectfifo @in(%shim, {%mem}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
  aie.objectfifo @three(%mem, {%a}, [2, 2]) {repeat_count = 3 : i32} : !aie.objectfifo<memref<8xi32>>
  aie.objectfifo.link [@in] -> [@three]([] [])
  aie.objectfifo @out(%a, {%shim}, 2 : i32) : !aie.objectfifo<memref<8xi32>> = [dense<7> : memref<8xi32>, dense<[1, 2, 3, 4, 5, 6, 7, 8]> : memref<8xi32>]
  aie.core(%a) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %max = arith.constant 9223372036854775807 : index
    %one = arith.constant 1 : i32
    scf.for %r = %c0 to %max step %c1 {
      %s = aie.objectfifo.acquire @three(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>
      %x = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      %t = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<8xi32>>
      %y = aie.objectfifo.subview.access %t[0] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>
      scf.for %i = %c0 to %c8 step %c1 {
        %v = memref.load %x[%i] : memref<8xi32>
        %w = arith.addi %v, %one : i32
        memref.store %w, %y[%i] : memref<8xi32>
      }
      aie.objectfifo.release @three(Consume, 1)
      aie.objectfifo.release @out(Produce, 1)
    }
    aie.end
  }
  aie.runtime_sequence @run(%in: memref<3x8xi32>, %out: memref<11x8xi32>) {
    aiex.npu.dma_memcpy_nd(%out[0, 0, 0, 0][1, 1, 1, 88][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<11x8xi32>
    aiex.npu.dma_memcpy_nd(%in[0, 0, 0, 0][1, 1, 1, 24][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<3x8xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}
