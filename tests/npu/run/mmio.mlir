// Constants by channels of type npu_mmio: in the memory of cores when the design is loaded, and there again
// in each run where a core writes over them.
// RUN: airlite-run --on=sim --compare=interp --async-transfers --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --async-transfers --init=random:2 --reverse-tiles --target=npu2 %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
memref.global "private" constant @weights : memref<4xi32> = dense<[10, -20, 30, -40]>
memref.global "private" @bias : memref<4xi32> = dense<7>
air.channel @in [2]
air.channel @out [2]
air.channel @w [1] {channel_type = "npu_mmio", broadcast_shape = [2]}
air.channel @b [2] {channel_type = "npu_mmio"}
func.func @main(%a: memref<2x3x4xi32>, %r: memref<2x3x4xi32>) {
  %c3 = arith.constant 3 : index
  air.launch (%i) in (%n = %c3) args(%aa = %a, %rr = %r) : memref<2x3x4xi32>, memref<2x3x4xi32> {
    %weights = memref.get_global @weights : memref<4xi32>
    %bias = memref.get_global @bias : memref<4xi32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 12 : index
    air.channel.put @w[] (%weights[] [] []) : (memref<4xi32>)
    air.channel.put @b[%c0] (%bias[] [] []) : (memref<4xi32>)
    air.channel.put @b[%c1] (%weights[] [] []) : (memref<4xi32>)
    air.channel.put @in[%c0] (%aa[%c0, %i, %c0] [%c1, %c1, %c4] [%c12, %c4, %c1]) : (memref<2x3x4xi32>)
    air.channel.put @in[%c1] (%aa[%c1, %i, %c0] [%c1, %c1, %c4] [%c12, %c4, %c1]) : (memref<2x3x4xi32>)
    air.segment @s {
      %one = arith.constant 1 : index
      %two = arith.constant 2 : index
      air.herd @h tile (%x, %y) in (%nx = %two, %ny = %one) {
        %k0 = arith.constant 0 : index
        %k1 = arith.constant 1 : index
        %k4 = arith.constant 4 : index
        %l = memref.alloc() : memref<4xi32, 2>
        %weight = memref.alloc() : memref<4xi32, 2>
        %sum = memref.alloc() : memref<4xi32, 2>
        air.channel.get @in[%x] (%l[] [] []) : (memref<4xi32, 2>)
        air.channel.get @w[%x] (%weight[] [] []) : (memref<4xi32, 2>)
        air.channel.get @b[%x] (%sum[] [] []) : (memref<4xi32, 2>)
        scf.for %e = %k0 to %k4 step %k1 {
          %v = memref.load %l[%e] : memref<4xi32, 2>
          %f = memref.load %weight[%e] : memref<4xi32, 2>
          %s = memref.load %sum[%e] : memref<4xi32, 2>
          %p = arith.muli %v, %f : i32
          %q = arith.addi %p, %s : i32
          memref.store %q, %sum[%e] : memref<4xi32, 2>
        }
        air.channel.put @out[%x] (%sum[] [] []) : (memref<4xi32, 2>)
        memref.dealloc %l : memref<4xi32, 2>
        memref.dealloc %weight : memref<4xi32, 2>
        memref.dealloc %sum : memref<4xi32, 2>
      }
    }
    air.channel.get @out[%c0] (%rr[%c0, %i, %c0] [%c1, %c1, %c4] [%c12, %c4, %c1]) : (memref<2x3x4xi32>)
    air.channel.get @out[%c1] (%rr[%c1, %i, %c0] [%c1, %c1, %c4] [%c12, %c4, %c1]) : (memref<2x3x4xi32>)
  }
  return
}
