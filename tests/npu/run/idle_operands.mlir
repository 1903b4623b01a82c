// A herd that names memory and does not use it is no reason for the next one to wait: the three hand a buffer on.
// RUN: airlite-run --target=npu1 --on=sim --async-transfers --compare=interp --init=random:1 %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit

air.channel @c [2]
func.func @f(%in: memref<16xi32>, %out: memref<16xi32>) {
  air.launch () in () args(%x=%in, %z=%out) : memref<16xi32>, memref<16xi32> {
    air.segment @s args(%xs=%x, %zs=%z) : memref<16xi32>, memref<16xi32> {
      %c1 = arith.constant 1 : index
      air.herd @h0 tile (%i, %j) in (%si=%c1, %sj=%c1) args(%a=%xs, %b=%zs) : memref<16xi32>, memref<16xi32> {
        %c0 = arith.constant 0 : index
        %m = memref.alloc() : memref<16xi32, 2 : i32>
        air.dma_memcpy_nd (%m[] [] [], %a[] [] []) : (memref<16xi32, 2 : i32>, memref<16xi32>)
        air.channel.put @c[%c0] (%m[] [] []) : (memref<16xi32, 2 : i32>)
        memref.dealloc %m : memref<16xi32, 2 : i32>
      }
      air.herd @h1 tile (%i, %j) in (%si=%c1, %sj=%c1) args(%a=%xs, %b=%zs) : memref<16xi32>, memref<16xi32> {
        %c0 = arith.constant 0 : index
        %one = arith.constant 1 : index
        %m = memref.alloc() : memref<16xi32, 2 : i32>
        air.channel.get @c[%c0] (%m[] [] []) : (memref<16xi32, 2 : i32>)
        air.channel.put @c[%one] (%m[] [] []) : (memref<16xi32, 2 : i32>)
        memref.dealloc %m : memref<16xi32, 2 : i32>
      }
      air.herd @h2 tile (%i, %j) in (%si=%c1, %sj=%c1) args(%a=%xs, %b=%zs) : memref<16xi32>, memref<16xi32> {
        %one = arith.constant 1 : index
        %m = memref.alloc() : memref<16xi32, 2 : i32>
        air.channel.get @c[%one] (%m[] [] []) : (memref<16xi32, 2 : i32>)
        air.dma_memcpy_nd (%b[] [] [], %m[] [] []) : (memref<16xi32>, memref<16xi32, 2 : i32>)
        memref.dealloc %m : memref<16xi32, 2 : i32>
      }
    }
  }
  return
}
