// Segments with channels between them, which hold L2 memory and several transfers, become one design.
// RUN: airlite-run %s --on=sim --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --on=sim --compare=interp --init=random:1 --target=npu2 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

air.channel @in []
air.channel @mid []
air.channel @out []
func.func @f(%a: memref<128xi32>, %b: memref<128xi32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<128xi32>, memref<128xi32> {
    %zz51 = air.channel.put async @in[] (%x[] [] []) : (memref<128xi32>)
    %zz52 = air.channel.get async @out[] (%y[] [] []) : (memref<128xi32>)
    %s1 = air.segment @s1 async {
      %c1 = arith.constant 1 : index
      air.herd @h1 tile (%tx, %ty) in (%nx = %c1, %ny = %c1) {
        %m = memref.alloc() : memref<128xi32, 2>
        air.channel.get @in[] (%m[] [] []) : (memref<128xi32, 2>)
        affine.for %i = 0 to 128 {
          %v = affine.load %m[%i] : memref<128xi32, 2>
          %w = arith.muli %v, %v : i32
          affine.store %w, %m[%i] : memref<128xi32, 2>
        }
        air.channel.put @mid[] (%m[] [] []) : (memref<128xi32, 2>)
      }
    }
    %s2 = air.segment @s2 async {
      %c1 = arith.constant 1 : index
      %l2 = memref.alloc() : memref<128xi32, 1>
      air.channel.get @mid[] (%l2[] [] []) : (memref<128xi32, 1>)
      air.herd @h2 tile (%tx, %ty) in (%nx = %c1, %ny = %c1) args(%hl = %l2) : memref<128xi32, 1> {
        %m = memref.alloc() : memref<128xi32, 2>
        air.dma_memcpy_nd (%m[] [] [], %hl[] [] []) : (memref<128xi32, 2>, memref<128xi32, 1>)
        affine.for %i = 0 to 128 {
          %v = affine.load %m[%i] : memref<128xi32, 2>
          %w = arith.addi %v, %v : i32
          affine.store %w, %m[%i] : memref<128xi32, 2>
        }
        air.dma_memcpy_nd (%hl[] [] [], %m[] [] []) : (memref<128xi32, 1>, memref<128xi32, 2>)
      }
      air.channel.put @out[] (%l2[] [] []) : (memref<128xi32, 1>)
      memref.dealloc %l2 : memref<128xi32, 1>
    }
  }
  return
}
