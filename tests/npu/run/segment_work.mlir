// What a segment computes on L2 memory, and copies from L2 to L2, is done by a core (air-segment-work-to-herds).
// RUN: airlite-run %s --on=sim --function=filled --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --on=sim --function=turned --compare=interp --init=random:1 --target=npu2 | FileCheck %s
// RUN: airlite-run %s --on=sim --function=copied --compare=interp --init=random:1 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

func.func @filled(%a: memref<32xi32>, %b: memref<32xi32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<32xi32>, memref<32xi32> {
    air.segment @s args(%sx = %x, %sy = %y) : memref<32xi32>, memref<32xi32> {
      %c1 = arith.constant 1 : index
      %z = arith.constant 5 : i32
      %k = memref.alloc() : memref<32xi32, 1>
      linalg.fill ins(%z : i32) outs(%k : memref<32xi32, 1>)
      air.herd @h1 tile (%tx, %ty) in (%nx = %c1, %ny = %c1) args(%hx = %sx, %hk = %k) : memref<32xi32>, memref<32xi32, 1> {
        %m = memref.alloc() : memref<32xi32, 2>
        %n = memref.alloc() : memref<32xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %hx[] [] []) : (memref<32xi32, 2>, memref<32xi32>)
        air.dma_memcpy_nd (%n[] [] [], %hk[] [] []) : (memref<32xi32, 2>, memref<32xi32, 1>)
        affine.for %j = 0 to 32 {
          %v = affine.load %m[%j] : memref<32xi32, 2>
          %u = affine.load %n[%j] : memref<32xi32, 2>
          %w = arith.addi %v, %u : i32
          affine.store %w, %m[%j] : memref<32xi32, 2>
        }
        air.dma_memcpy_nd (%hk[] [] [], %m[] [] []) : (memref<32xi32, 1>, memref<32xi32, 2>)
      }
      air.dma_memcpy_nd (%sy[] [] [], %k[] [] []) : (memref<32xi32>, memref<32xi32, 1>)
      memref.dealloc %k : memref<32xi32, 1>
    }
  }
  return
}

func.func @turned(%a: memref<8x8xi32>, %b: memref<8x8xi32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<8x8xi32>, memref<8x8xi32> {
    air.segment @s args(%sx = %x, %sy = %y) : memref<8x8xi32>, memref<8x8xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %k = memref.alloc() : memref<8x8xi32, 1>
      %l = memref.alloc() : memref<8x8xi32, 1>
      air.dma_memcpy_nd (%k[] [] [], %sx[] [] []) : (memref<8x8xi32, 1>, memref<8x8xi32>)
      air.dma_memcpy_nd (%l[] [] [], %k[%c0, %c0] [%c8, %c8] [%c1, %c8]) : (memref<8x8xi32, 1>, memref<8x8xi32, 1>)
      air.dma_memcpy_nd (%sy[] [] [], %l[] [] []) : (memref<8x8xi32>, memref<8x8xi32, 1>)
    }
  }
  return
}

// Both buffers of the copy come to the core, and what it writes goes back.
func.func @copied(%a: memref<4x8xi32>, %b: memref<4x8xi32>, %c: memref<4x8xi32>) {
  air.launch () in () args(%x = %a, %w = %b, %y = %c) : memref<4x8xi32>, memref<4x8xi32>, memref<4x8xi32> {
    air.segment @s args(%sx = %x, %sw = %w, %sy = %y) : memref<4x8xi32>, memref<4x8xi32>, memref<4x8xi32> {
      %k = memref.alloc() : memref<4x8xi32, 1>
      %l = memref.alloc() : memref<4x8xi32, 1>
      air.dma_memcpy_nd (%k[] [] [], %sx[] [] []) : (memref<4x8xi32, 1>, memref<4x8xi32>)
      air.dma_memcpy_nd (%l[] [] [], %sw[] [] []) : (memref<4x8xi32, 1>, memref<4x8xi32>)
      memref.copy %k, %l : memref<4x8xi32, 1> to memref<4x8xi32, 1>
      air.dma_memcpy_nd (%sy[] [] [], %l[] [] []) : (memref<4x8xi32>, memref<4x8xi32, 1>)
    }
  }
  return
}
