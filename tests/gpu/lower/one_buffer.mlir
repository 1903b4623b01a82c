// REQUIRES: gpu
// Copies within one buffer read all before they write, whoever shares them.
// RUN: for f in shifted in_l2 turned apart far; do for o in gfx942,--order=forward gfx942,--order=reverse gfx1100,--order=random:5; do \
// RUN:   airlite-run %s --on=interp --function=$f --init=random:1 --output 0=%t.npy || exit 1; \
// RUN:   airlite-run %s --target=$(echo $o | tr , ' ') --function=$f --init=random:1 --expect 0=%t.npy || exit 1; \
// RUN: done; done | FileCheck %s
// CHECK-COUNT-15: bits
// RUN: airlite-opt %s --air-to-gpu | FileCheck %s --check-prefix=IR
// RUN: not airlite-opt %S/Inputs/one_buffer_long.mlir --air-to-gpu 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: one_buffer_long.mlir:4:5: error: 'air.dma_memcpy_nd' op not supported: a copy within one buffer, of more than 16384 bytes, in a GPU kernel

// Three elements further.
func.func @shifted(%A: memref<4x64xi32>) {
  air.launch () in () args(%la = %A) : memref<4x64xi32> {
    air.segment args(%sa = %la) : memref<4x64xi32> {
      %n4 = arith.constant 4 : index
      %n1 = arith.constant 1 : index
      air.herd tile (%x, %y) in (%nx = %n4, %ny = %n1) args(%a = %sa) : memref<4x64xi32> {
        %t = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%t[] [] [], %a[%x, 0] [1, 64] [64, 1]) : (memref<64xi32, 2>, memref<4x64xi32>)
        air.dma_memcpy_nd (%t[3] [40] [1], %t[0] [40] [1]) : (memref<64xi32, 2>, memref<64xi32, 2>)
        air.dma_memcpy_nd (%a[%x, 0] [1, 64] [64, 1], %t[] [] []) : (memref<4x64xi32>, memref<64xi32, 2>)
      }
    }
  }
  return
}

func.func @in_l2(%A: memref<256xi16>) {
  air.launch () in () args(%la = %A) : memref<256xi16> {
    air.segment args(%sa = %la) : memref<256xi16> {
      %t = memref.alloc() : memref<256xi16, 1>
      air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<256xi16, 1>, memref<256xi16>)
      air.dma_memcpy_nd (%t[0] [200] [1], %t[7] [200] [1]) : (memref<256xi16, 1>, memref<256xi16, 1>)
      air.dma_memcpy_nd (%sa[] [] [], %t[] [] []) : (memref<256xi16>, memref<256xi16, 1>)
    }
  }
  return
}

// Turned in its place.
func.func @turned(%A: memref<16x16xi32>) {
  air.launch () in () args(%la = %A) : memref<16x16xi32> {
    air.segment args(%sa = %la) : memref<16x16xi32> {
      %t = memref.alloc() : memref<16x16xi32, 1>
      air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<16x16xi32, 1>, memref<16x16xi32>)
      air.dma_memcpy_nd (%t[] [] [], %t[0, 0] [16, 16] [1, 16]) : (memref<16x16xi32, 1>, memref<16x16xi32, 1>)
      air.dma_memcpy_nd (%sa[] [] [], %t[] [] []) : (memref<16x16xi32>, memref<16x16xi32, 1>)
    }
  }
  return
}

// Known to lie apart: no other buffer.
// IR-LABEL: gpu.func @apart
// IR: memref.alloc() : memref<64xi32, 3>
// IR-NOT: memref.alloc()
func.func @apart(%A: memref<64xi32>) {
  air.launch @apart () in () args(%la = %A) : memref<64xi32> {
    air.segment args(%sa = %la) : memref<64xi32> {
      %t = memref.alloc() : memref<64xi32, 1>
      air.dma_memcpy_nd (%t[] [] [], %sa[] [] []) : (memref<64xi32, 1>, memref<64xi32>)
      air.dma_memcpy_nd (%t[32] [32] [1], %t[0] [32] [1]) : (memref<64xi32, 1>, memref<64xi32, 1>)
      air.dma_memcpy_nd (%sa[] [] [], %t[] [] []) : (memref<64xi32>, memref<64xi32, 1>)
    }
  }
  return
}

// Places of a launch instance that are as far from each other in each one: nothing lies between, however much it is.
func.func @far(%A: memref<65536xi32>) {
  %c4 = arith.constant 4 : index
  air.launch (%i) in (%n=%c4) args(%la = %A) : memref<65536xi32> {
    air.segment args(%sa = %la, %k = %i) : memref<65536xi32>, index {
      %c = arith.constant 8192 : index
      %h = arith.constant 32768 : index
      %o = arith.muli %k, %c : index
      %p = arith.addi %o, %h : index
      air.dma_memcpy_nd (%sa[%p] [8192] [1], %sa[%o] [8192] [1]) : (memref<65536xi32>, memref<65536xi32>)
    }
  }
  return
}
