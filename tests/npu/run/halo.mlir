// Neighbours give each other the ends of their rows: inner cores get from three places, into parts of a buffer, and read
// one of them themselves.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --reverse-tiles %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit
air.channel @in [4]
air.channel @right [3] {channel_type = "npu_dma_packet"}
air.channel @left [3] {channel_type = "npu_dma_packet"}
air.channel @out [4] {channel_type = "npu_dma_packet"}
#notlast = affine_set<()[s0] : (2 - s0 >= 0)>
#notfirst = affine_set<()[s0] : (s0 - 1 >= 0)>
func.func @main(%a: memref<4x16xi32>, %b: memref<4x16xi32>) {
  air.launch () in () args(%aa = %a, %bb = %b) : memref<4x16xi32>, memref<4x16xi32> {
  %k2_0_index = arith.constant 0 : index
  %k2_1_index = arith.constant 1 : index
  %k2_16_index = arith.constant 16 : index
  %k2_2_index = arith.constant 2 : index
  %k2_3_index = arith.constant 3 : index
    %auto1 = air.channel.put async @in[%k2_0_index] (%aa[%k2_0_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi32>)
    %auto2 = air.channel.put async @in[%k2_1_index] (%aa[%k2_1_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi32>)
    %auto3 = air.channel.put async @in[%k2_2_index] (%aa[%k2_2_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi32>)
    %auto4 = air.channel.put async @in[%k2_3_index] (%aa[%k2_3_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi32>)
    %auto5 = air.segment @s async {
  %k3_4_index = arith.constant 4 : index
  %k3_1_index = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %k3_4_index, %sy = %k3_1_index) {
  %k4_0_i32 = arith.constant 0 : i32
  %k4_0_index = arith.constant 0 : index
  %k4_17_index = arith.constant 17 : index
  %k4_1_index = arith.constant 1 : index
  %k4_16_index = arith.constant 16 : index
        %l = memref.alloc() : memref<18xi32, 2>
        memref.store %k4_0_i32, %l[%k4_0_index] : memref<18xi32, 2>
        memref.store %k4_0_i32, %l[%k4_17_index] : memref<18xi32, 2>
        %o = memref.alloc() : memref<16xi32, 2>
        air.channel.get @in[%x] (%l[%k4_1_index] [%k4_16_index] [%k4_1_index]) : (memref<18xi32, 2>)
        affine.if #notlast()[%x] {
          %auto6 = air.channel.put async @right[%x] (%l[%k4_16_index] [%k4_1_index] [%k4_1_index]) : (memref<18xi32, 2>)
        }
        affine.if #notfirst()[%x] {
          %p = arith.subi %x, %k4_1_index : index
          air.channel.get @right[%p] (%l[%k4_0_index] [%k4_1_index] [%k4_1_index]) : (memref<18xi32, 2>)
          %auto7 = air.channel.put async @left[%p] (%l[%k4_1_index] [%k4_1_index] [%k4_1_index]) : (memref<18xi32, 2>)
        }
        affine.if #notlast()[%x] {
          air.channel.get @left[%x] (%l[%k4_17_index] [%k4_1_index] [%k4_1_index]) : (memref<18xi32, 2>)
        }
        affine.for %i = 0 to 16 {
          %u = affine.load %l[%i] : memref<18xi32, 2>
          %v = affine.load %l[%i + 1] : memref<18xi32, 2>
          %w = affine.load %l[%i + 2] : memref<18xi32, 2>
          %s = arith.addi %u, %w : i32
          %t = arith.subi %s, %v : i32
          affine.store %t, %o[%i] : memref<16xi32, 2>
        }
        air.channel.put @out[%x] (%o[] [] []) : (memref<16xi32, 2>)

        memref.dealloc %o : memref<16xi32, 2>
      }
    }
    %auto8 = air.channel.get async @out[%k2_0_index] (%bb[%k2_0_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi32>)
    %auto9 = air.channel.get async @out[%k2_1_index] (%bb[%k2_1_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi32>)
    %auto10 = air.channel.get async @out[%k2_2_index] (%bb[%k2_2_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi32>)
    %auto11 = air.channel.get async @out[%k2_3_index] (%bb[%k2_3_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi32>)
  }
  return
}
