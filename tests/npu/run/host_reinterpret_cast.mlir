// The same memory with other sizes and from another place, read and written by what the recipe tiles: the
// bits are those of the interpreter.
// RUN: airlite-run --target=npu1 --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit
func.func @main(%x: memref<64x32xi32>, %w: memref<16x8xi32>, %r: memref<8x160xi32>) {
  %t = memref.alloc() : memref<64x32xi32>
  linalg.add ins(%x, %x : memref<64x32xi32>, memref<64x32xi32>) outs(%t : memref<64x32xi32>)
  // An allocation, from its start.
  %e = memref.reinterpret_cast %t to offset: [0], sizes: [128, 16], strides: [16, 1] : memref<64x32xi32> to memref<128x16xi32>
  // An argument, from an element inside.
  %o = memref.reinterpret_cast %r to offset: [256], sizes: [128, 8], strides: [8, 1] : memref<8x160xi32> to memref<128x8xi32, strided<[8, 1], offset: 256>>
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%o : memref<128x8xi32, strided<[8, 1], offset: 256>>)
  linalg.matmul ins(%e, %w : memref<128x16xi32>, memref<16x8xi32>) outs(%o : memref<128x8xi32, strided<[8, 1], offset: 256>>)
  // A cast counts from the start of the memory, and not from that of the part that it is given.
  %part = memref.subview %x[32, 0] [32, 32] [1, 1] : memref<64x32xi32> to memref<32x32xi32, strided<[32, 1], offset: 1024>>
  %first = memref.reinterpret_cast %part to offset: [64], sizes: [8, 32], strides: [32, 1] : memref<32x32xi32, strided<[32, 1], offset: 1024>> to memref<8x32xi32, strided<[32, 1], offset: 64>>
  %inside = memref.subview %first[2, 0] [4, 32] [1, 1] : memref<8x32xi32, strided<[32, 1], offset: 64>> to memref<4x32xi32, strided<[32, 1], offset: 128>>
  %head = memref.reinterpret_cast %r to offset: [0], sizes: [4, 32], strides: [32, 1] : memref<8x160xi32> to memref<4x32xi32>
  linalg.mul ins(%inside, %inside : memref<4x32xi32, strided<[32, 1], offset: 128>>, memref<4x32xi32, strided<[32, 1], offset: 128>>) outs(%head : memref<4x32xi32>)
  memref.dealloc %t : memref<64x32xi32>
  return
}
