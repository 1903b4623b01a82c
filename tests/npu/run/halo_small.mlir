// Neighbours give each other elements smaller than the words that a DMA moves: single ones into the middle of a buffer, and columns. The cores
// copy them from and to buffers of their own (backends/npu/lower/tiles/Staging.cpp).
// RUN: for f in halves bytes columns; do airlite-run --on=sim --async-transfers --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in halves bytes columns; do airlite-run --on=sim --async-transfers --target=npu2 --compare=interp --init=random:2 --function=$f %s || exit 1; done | FileCheck %s
// CHECK-COUNT-3: 2 arguments are as in the interpreter, bit by bit
air.channel @in [4]
air.channel @right [3] {channel_type = "npu_dma_packet"}
air.channel @left [3] {channel_type = "npu_dma_packet"}
air.channel @out [4] {channel_type = "npu_dma_packet"}
#notlast = affine_set<()[s0] : (2 - s0 >= 0)>
#notfirst = affine_set<()[s0] : (s0 - 1 >= 0)>
func.func @halves(%a: memref<4x16xi16>, %b: memref<4x16xi16>) {
  air.launch () in () args(%aa = %a, %bb = %b) : memref<4x16xi16>, memref<4x16xi16> {
  %k2_0_index = arith.constant 0 : index
  %k2_1_index = arith.constant 1 : index
  %k2_16_index = arith.constant 16 : index
  %k2_2_index = arith.constant 2 : index
  %k2_3_index = arith.constant 3 : index
    %auto1 = air.channel.put async @in[%k2_0_index] (%aa[%k2_0_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi16>)
    %auto2 = air.channel.put async @in[%k2_1_index] (%aa[%k2_1_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi16>)
    %auto3 = air.channel.put async @in[%k2_2_index] (%aa[%k2_2_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi16>)
    %auto4 = air.channel.put async @in[%k2_3_index] (%aa[%k2_3_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi16>)
    %auto5 = air.segment @s async {
  %k3_4_index = arith.constant 4 : index
  %k3_1_index = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %k3_4_index, %sy = %k3_1_index) {
  %k4_0_i16 = arith.constant 0 : i16
  %k4_0_index = arith.constant 0 : index
  %k4_17_index = arith.constant 17 : index
  %k4_1_index = arith.constant 1 : index
  %k4_16_index = arith.constant 16 : index
        %l = memref.alloc() : memref<18xi16, 2>
        memref.store %k4_0_i16, %l[%k4_0_index] : memref<18xi16, 2>
        memref.store %k4_0_i16, %l[%k4_17_index] : memref<18xi16, 2>
        %o = memref.alloc() : memref<16xi16, 2>
        air.channel.get @in[%x] (%l[%k4_1_index] [%k4_16_index] [%k4_1_index]) : (memref<18xi16, 2>)
        affine.if #notlast()[%x] {
          %auto6 = air.channel.put async @right[%x] (%l[%k4_16_index] [%k4_1_index] [%k4_1_index]) : (memref<18xi16, 2>)
        }
        affine.if #notfirst()[%x] {
          %p = arith.subi %x, %k4_1_index : index
          air.channel.get @right[%p] (%l[%k4_0_index] [%k4_1_index] [%k4_1_index]) : (memref<18xi16, 2>)
          %auto7 = air.channel.put async @left[%p] (%l[%k4_1_index] [%k4_1_index] [%k4_1_index]) : (memref<18xi16, 2>)
        }
        affine.if #notlast()[%x] {
          air.channel.get @left[%x] (%l[%k4_17_index] [%k4_1_index] [%k4_1_index]) : (memref<18xi16, 2>)
        }
        affine.for %i = 0 to 16 {
          %u = affine.load %l[%i] : memref<18xi16, 2>
          %v = affine.load %l[%i + 1] : memref<18xi16, 2>
          %w = affine.load %l[%i + 2] : memref<18xi16, 2>
          %s = arith.addi %u, %w : i16
          %t = arith.subi %s, %v : i16
          affine.store %t, %o[%i] : memref<16xi16, 2>
        }
        air.channel.put @out[%x] (%o[] [] []) : (memref<16xi16, 2>)

        memref.dealloc %o : memref<16xi16, 2>
      }
    }
    %auto8 = air.channel.get async @out[%k2_0_index] (%bb[%k2_0_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi16>)
    %auto9 = air.channel.get async @out[%k2_1_index] (%bb[%k2_1_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi16>)
    %auto10 = air.channel.get async @out[%k2_2_index] (%bb[%k2_2_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi16>)
    %auto11 = air.channel.get async @out[%k2_3_index] (%bb[%k2_3_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi16>)
  }
  return
}
air.channel @in8 [4]
air.channel @right8 [3] {channel_type = "npu_dma_packet"}
air.channel @left8 [3] {channel_type = "npu_dma_packet"}
air.channel @out8 [4] {channel_type = "npu_dma_packet"}
func.func @bytes(%a: memref<4x16xi8>, %b: memref<4x16xi8>) {
  air.launch () in () args(%aa = %a, %bb = %b) : memref<4x16xi8>, memref<4x16xi8> {
  %k2_0_index = arith.constant 0 : index
  %k2_1_index = arith.constant 1 : index
  %k2_16_index = arith.constant 16 : index
  %k2_2_index = arith.constant 2 : index
  %k2_3_index = arith.constant 3 : index
    %auto1 = air.channel.put async @in8[%k2_0_index] (%aa[%k2_0_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi8>)
    %auto2 = air.channel.put async @in8[%k2_1_index] (%aa[%k2_1_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi8>)
    %auto3 = air.channel.put async @in8[%k2_2_index] (%aa[%k2_2_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi8>)
    %auto4 = air.channel.put async @in8[%k2_3_index] (%aa[%k2_3_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi8>)
    %auto5 = air.segment @s async {
  %k3_4_index = arith.constant 4 : index
  %k3_1_index = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %k3_4_index, %sy = %k3_1_index) {
  %k4_0_i8 = arith.constant 0 : i8
  %k4_0_index = arith.constant 0 : index
  %k4_17_index = arith.constant 17 : index
  %k4_1_index = arith.constant 1 : index
  %k4_16_index = arith.constant 16 : index
        %l = memref.alloc() : memref<18xi8, 2>
        memref.store %k4_0_i8, %l[%k4_0_index] : memref<18xi8, 2>
        memref.store %k4_0_i8, %l[%k4_17_index] : memref<18xi8, 2>
        %o = memref.alloc() : memref<16xi8, 2>
        air.channel.get @in8[%x] (%l[%k4_1_index] [%k4_16_index] [%k4_1_index]) : (memref<18xi8, 2>)
        affine.if #notlast()[%x] {
          %auto6 = air.channel.put async @right8[%x] (%l[%k4_16_index] [%k4_1_index] [%k4_1_index]) : (memref<18xi8, 2>)
        }
        affine.if #notfirst()[%x] {
          %p = arith.subi %x, %k4_1_index : index
          air.channel.get @right8[%p] (%l[%k4_0_index] [%k4_1_index] [%k4_1_index]) : (memref<18xi8, 2>)
          %auto7 = air.channel.put async @left8[%p] (%l[%k4_1_index] [%k4_1_index] [%k4_1_index]) : (memref<18xi8, 2>)
        }
        affine.if #notlast()[%x] {
          air.channel.get @left8[%x] (%l[%k4_17_index] [%k4_1_index] [%k4_1_index]) : (memref<18xi8, 2>)
        }
        affine.for %i = 0 to 16 {
          %u = affine.load %l[%i] : memref<18xi8, 2>
          %v = affine.load %l[%i + 1] : memref<18xi8, 2>
          %w = affine.load %l[%i + 2] : memref<18xi8, 2>
          %s = arith.addi %u, %w : i8
          %t = arith.subi %s, %v : i8
          affine.store %t, %o[%i] : memref<16xi8, 2>
        }
        air.channel.put @out8[%x] (%o[] [] []) : (memref<16xi8, 2>)

        memref.dealloc %o : memref<16xi8, 2>
      }
    }
    %auto8 = air.channel.get async @out8[%k2_0_index] (%bb[%k2_0_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi8>)
    %auto9 = air.channel.get async @out8[%k2_1_index] (%bb[%k2_1_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi8>)
    %auto10 = air.channel.get async @out8[%k2_2_index] (%bb[%k2_2_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi8>)
    %auto11 = air.channel.get async @out8[%k2_3_index] (%bb[%k2_3_index, %k2_0_index] [%k2_1_index, %k2_16_index] [%k2_16_index, %k2_1_index]) : (memref<4x16xi8>)
  }
  return
}
air.channel @cin [2]
air.channel @cx [2]
air.channel @cout [2]
func.func @columns(%a: memref<2x64xi16>, %b: memref<2x80xi16>) {
  air.launch () in () args(%u = %a, %v = %b) : memref<2x64xi16>, memref<2x80xi16> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c80 = arith.constant 80 : index
    scf.parallel (%p) = (%c0) to (%c2) step (%c1) {
      air.channel.put @cin[%p] (%u[%p, %c0] [%c1, %c64] [%c64, %c1]) : (memref<2x64xi16>)
      scf.reduce
    }
    scf.parallel (%p) = (%c0) to (%c2) step (%c1) {
      air.channel.get @cout[%p] (%v[%p, %c0] [%c1, %c80] [%c80, %c1]) : (memref<2x80xi16>)
      scf.reduce
    }
    air.segment @s {
      %d1 = arith.constant 1 : index
      %d2 = arith.constant 2 : index
      air.herd @h tile(%x, %y) in (%hx = %d2, %hy = %d1) {
        %e0 = arith.constant 0 : index
        %e1 = arith.constant 1 : index
        %e2 = arith.constant 2 : index
        %e7 = arith.constant 7 : index
        %e8 = arith.constant 8 : index
        %e9 = arith.constant 9 : index
        %e10 = arith.constant 10 : index
        %n = arith.addi %x, %e1 : index
        %other = arith.remui %n, %e2 : index
        %own = memref.alloc() : memref<8x8xi16, 2>
        %wide = memref.alloc() : memref<8x10xi16, 2>
        %zero = arith.constant 0 : i16
        linalg.fill ins(%zero : i16) outs(%wide : memref<8x10xi16, 2>)
        air.channel.get @cin[%x] (%own[] [] []) : (memref<8x8xi16, 2>)
        scf.for %i = %e0 to %e8 step %e1 {
          scf.for %j = %e0 to %e8 step %e1 {
            %k = arith.addi %j, %e1 : index
            %e = memref.load %own[%i, %j] : memref<8x8xi16, 2>
            memref.store %e, %wide[%i, %k] : memref<8x10xi16, 2>
          }
        }
        %s = air.channel.put async @cx[%other] (%own[%e0, %e7] [%e8, %e1] [%e8, %e1]) : (memref<8x8xi16, 2>)
        %t = air.channel.get async @cx[%x] (%wide[%e0, %e0] [%e8, %e1] [%e10, %e1]) : (memref<8x10xi16, 2>)
        air.wait_all [%s, %t]
        air.channel.put @cout[%x] (%wide[] [] []) : (memref<8x10xi16, 2>)
        memref.dealloc %own : memref<8x8xi16, 2>
        memref.dealloc %wide : memref<8x10xi16, 2>
      }
    }
  }
  return
}
