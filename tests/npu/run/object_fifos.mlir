// Object FIFOs: a memory tile gives each of two cores its part of an object and joins what they make.
// The cores run for ever, for an odd number of objects, so that whose turn it is differs from round to
// round.
// RUN: airlite-compile %s --target=npu1 -o %t.out
// RUN: airlite-run --on=sim %t.out --init=random:3 --output 0=%t.in.npy --output 1=%t.npy
// RUN: airlite-run %S/Inputs/object_fifos.mlir --on=interp --input 0=%t.in.npy --expect 1=%t.npy
// RUN: airlite-run --on=sim %t.out --init=random:4 --output 0=%t.in.npy --output 1=%t.npy --reverse-tiles
// RUN: airlite-run %S/Inputs/object_fifos.mlir --on=interp --input 0=%t.in.npy --expect 1=%t.npy
aie.device(npu1) @halves {
  %shim = aie.tile(0, 0)
  %mem = aie.tile(0, 1)
  %a = aie.tile(0, 2)
  %b = aie.tile(0, 4)
  aie.objectfifo @in(%shim, {%mem}, 2 : i32) : !aie.objectfifo<memref<2x24xi32>>
  aie.objectfifo @in_a(%mem, {%a}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @in_b(%mem, {%b}, [2, 3]) : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo.link [@in] -> [@in_a, @in_b]([] [0, 16])
  aie.objectfifo @out_a(%a, {%mem}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
  aie.objectfifo @out_b(%b, {%mem}, 1 : i32) : !aie.objectfifo<memref<32xi32>>
  aie.objectfifo @out(%mem, {%shim}, 2 : i32) : !aie.objectfifo<memref<48xi32>>
  aie.objectfifo.link [@out_a, @out_b] -> [@out]([0, 16] [])
  aie.core(%a) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c16 = arith.constant 16 : index
    %three = arith.constant 3 : i32
    cf.br ^again
  ^again:
    scf.for %r = %c0 to %c5 step %c1 {
      %s = aie.objectfifo.acquire @in_a(Consume, 1) : !aie.objectfifosubview<memref<16xi32>>
      %x = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      %t = aie.objectfifo.acquire @out_a(Produce, 1) : !aie.objectfifosubview<memref<16xi32>>
      %y = aie.objectfifo.subview.access %t[0] : !aie.objectfifosubview<memref<16xi32>> -> memref<16xi32>
      scf.for %i = %c0 to %c16 step %c1 {
        %v = memref.load %x[%i] : memref<16xi32>
        %w = arith.muli %v, %three : i32
        memref.store %w, %y[%i] : memref<16xi32>
      }
      aie.objectfifo.release @in_a(Consume, 1)
      aie.objectfifo.release @out_a(Produce, 1)
    }
    cf.br ^again
  }
  aie.core(%b) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %max = arith.constant 9223372036854775807 : index
    scf.for %r = %c0 to %max step %c1 {
      %s = aie.objectfifo.acquire @in_b(Consume, 1) : !aie.objectfifosubview<memref<32xi32>>
      %x = aie.objectfifo.subview.access %s[0] : !aie.objectfifosubview<memref<32xi32>> -> memref<32xi32>
      %t = aie.objectfifo.acquire @out_b(Produce, 1) : !aie.objectfifosubview<memref<32xi32>>
      %y = aie.objectfifo.subview.access %t[0] : !aie.objectfifosubview<memref<32xi32>> -> memref<32xi32>
      func.call @negate(%x, %y) : (memref<32xi32>, memref<32xi32>) -> ()
      aie.objectfifo.release @in_b(Consume, 1)
      aie.objectfifo.release @out_b(Produce, 1)
    }
    aie.end
  }
  func.func private @negate(%x: memref<32xi32>, %y: memref<32xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %z = arith.constant 0 : i32
    scf.for %i = %c0 to %c32 step %c1 {
      %v = memref.load %x[%i] : memref<32xi32>
      %w = arith.subi %z, %v : i32
      memref.store %w, %y[%i] : memref<32xi32>
    }
    return
  }
  aie.runtime_sequence @run(%in: memref<7x48xi32>, %out: memref<7x48xi32>) {
    aiex.npu.dma_memcpy_nd(%out[0, 0, 0, 0][1, 1, 1, 336][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<7x48xi32>
    aiex.npu.dma_memcpy_nd(%in[0, 0, 0, 0][1, 1, 1, 336][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<7x48xi32>
    aiex.npu.dma_wait {symbol = @out}
  }
}
