// Copies of cores are rows of vectors, however short the rows of their buffers are: of a program with herds, and into the inside of an image.
// RUN: for f in herd inside; do airlite-run --on=sim --compare=interp --init=random:5 --function=$f %s || exit 1; done | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
// CHECK: 2 arguments are as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --function=herd --remarks -o %t %s 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: remark: rounds begin 2 cycles after each other
func.func @herd(%a: memref<4x1024xi8>, %b: memref<4x1024xi8>) {
  air.launch () in () args(%x=%a, %y=%b) : memref<4x1024xi8>, memref<4x1024xi8> {
    air.segment @s args(%sx=%x, %sy=%y) : memref<4x1024xi8>, memref<4x1024xi8> {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      air.herd @h tile (%i, %j) in (%m=%c1, %n=%c4) args(%hx=%sx, %hy=%sy) : memref<4x1024xi8>, memref<4x1024xi8> {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : index
        %k = arith.constant 1024 : index
        %p = memref.alloc() : memref<128x8xi8, 2 : i32>
        %q = memref.alloc() : memref<128x8xi8, 2 : i32>
        air.dma_memcpy_nd (%p[] [] [], %hx[%j, %c0] [%one, %k] [%k, %one]) : (memref<128x8xi8, 2 : i32>, memref<4x1024xi8>)
        memref.copy %p, %q : memref<128x8xi8, 2 : i32> to memref<128x8xi8, 2 : i32>
        air.dma_memcpy_nd (%hy[%j, %c0] [%one, %k] [%k, %one], %q[] [] []) : (memref<4x1024xi8>, memref<128x8xi8, 2 : i32>)
        memref.dealloc %p : memref<128x8xi8, 2 : i32>
        memref.dealloc %q : memref<128x8xi8, 2 : i32>
      }
    }
  }
  return
}
func.func @inside(%x: memref<8x8x8x32xi8>, %y: memref<8x10x10x32xi8>) {
  %zero = arith.constant 0 : i8
  linalg.fill ins(%zero : i8) outs(%y : memref<8x10x10x32xi8>)
  %inside = memref.subview %y[0, 1, 1, 0] [8, 8, 8, 32] [1, 1, 1, 1] : memref<8x10x10x32xi8> to memref<8x8x8x32xi8, strided<[3200, 320, 32, 1], offset: 352>>
  memref.copy %x, %inside : memref<8x8x8x32xi8> to memref<8x8x8x32xi8, strided<[3200, 320, 32, 1], offset: 352>>
  return
}
