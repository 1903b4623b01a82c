// Parts of the host's memory: they begin somewhere in an argument, and their rows are further apart than they are long.
// REQUIRES: !sanitize
// RUN: for name in add steps herd; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:1 --function=$name %s || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-3: 2 arguments are as in the interpreter, bit by bit

func.func @add(%a: memref<32x32xi32>, %c: memref<16x16xi32>) {
  %s = memref.subview %a[8, 8] [16, 16] [1, 1] : memref<32x32xi32> to memref<16x16xi32, strided<[32, 1], offset: 264>>
  linalg.add ins(%s, %s : memref<16x16xi32, strided<[32, 1], offset: 264>>, memref<16x16xi32, strided<[32, 1], offset: 264>>) outs(%c : memref<16x16xi32>)
  return
}

func.func @steps(%x: memref<64x64xi32>, %y: memref<16x32xi32>) {
  %s = memref.subview %x[2, 1] [16, 32] [3, 2] : memref<64x64xi32> to memref<16x32xi32, strided<[192, 2], offset: 129>>
  memref.copy %s, %y : memref<16x32xi32, strided<[192, 2], offset: 129>> to memref<16x32xi32>
  return
}

// All of a part of a part.
func.func @herd(%a: memref<64x64xi32>, %b: memref<16x16xi32>) {
  %c1 = arith.constant 1 : index
  %half = memref.subview %a[16, 0] [32, 64] [1, 1] : memref<64x64xi32> to memref<32x64xi32, strided<[64, 1], offset: 1024>>
  %sv = memref.subview %half[0, 32] [16, 16] [1, 1] : memref<32x64xi32, strided<[64, 1], offset: 1024>> to memref<16x16xi32, strided<[64, 1], offset: 1056>>
  air.launch (%i) in (%m = %c1) args(%x=%sv, %y=%b) : memref<16x16xi32, strided<[64, 1], offset: 1056>>, memref<16x16xi32> {
    air.segment @s args(%x1=%x, %y1=%y) : memref<16x16xi32, strided<[64, 1], offset: 1056>>, memref<16x16xi32> {
      %o = arith.constant 1 : index
      air.herd @sc tile (%tx, %ty) in (%sx=%o, %sy=%o) args(%p=%x1, %q=%y1) : memref<16x16xi32, strided<[64, 1], offset: 1056>>, memref<16x16xi32> {
        %m1 = memref.alloc() : memref<16x16xi32, 2>
        air.dma_memcpy_nd (%m1[] [] [], %p[] [] []) : (memref<16x16xi32, 2>, memref<16x16xi32, strided<[64, 1], offset: 1056>>)
        air.dma_memcpy_nd (%q[] [] [], %m1[] [] []) : (memref<16x16xi32>, memref<16x16xi32, 2>)
        memref.dealloc %m1 : memref<16x16xi32, 2>
      }
    }
  }
  return
}
