// A core gets packets of five others, one after the other: packets of several senders would come in any order into one DMA
// channel. They come by way of L2 (air-relay-gets).
// RUN: airlite-run %s --async-transfers --on=sim --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --async-transfers --on=sim --compare=interp --init=random:1 --target=npu2 --reverse-tiles | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

module {
  air.channel @in [5]
  air.channel @p [5] {channel_type = "npu_dma_packet"}
  air.channel @o []
  func.func @f(%a: memref<5x16xi32>, %b: memref<16xi32>) {
    air.launch () in () args(%x=%a, %y=%b) : memref<5x16xi32>, memref<16xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c5 = arith.constant 5 : index
      %c16 = arith.constant 16 : index
      scf.parallel (%i) = (%c0) to (%c5) step (%c1) {
        air.channel.put @in[%i] (%x[%i, %c0] [%c1, %c16] [%c16, %c1]) : (memref<5x16xi32>)
        scf.reduce
      }
      air.channel.get @o[] (%y[] [] []) : (memref<16xi32>)
      air.segment @s {
        %d1 = arith.constant 1 : index
        %d3 = arith.constant 3 : index
        %d2 = arith.constant 2 : index
        air.herd @pr tile(%tx, %ty) in (%hx=%d3, %hy=%d2) {
          %e2 = arith.constant 2 : index
          %e5 = arith.constant 5 : index
          %q = arith.muli %tx, %e2 : index
          %i = arith.addi %q, %ty : index
          %is = arith.cmpi ult, %i, %e5 : index
          scf.if %is {
            %l = memref.alloc() : memref<16xi32, 2>
            air.channel.get @in[%i] (%l[] [] []) : (memref<16xi32, 2>)
            linalg.add ins(%l, %l : memref<16xi32, 2>, memref<16xi32, 2>) outs(%l : memref<16xi32, 2>)
            air.channel.put @p[%i] (%l[] [] []) : (memref<16xi32, 2>)
            memref.dealloc %l : memref<16xi32, 2>
          }
        }
        air.herd @co tile(%tx, %ty) in (%hx=%d1, %hy=%d1) {
          %e0 = arith.constant 0 : index
          %e1 = arith.constant 1 : index
          %e2 = arith.constant 2 : index
          %e3 = arith.constant 3 : index
          %e4 = arith.constant 4 : index
          %l = memref.alloc() : memref<16xi32, 2>
          %s = memref.alloc() : memref<16xi32, 2>
          %z = arith.constant 0 : i32
          linalg.fill ins(%z : i32) outs(%s : memref<16xi32, 2>)
          air.channel.get @p[%e0] (%l[] [] []) : (memref<16xi32, 2>)
          linalg.add ins(%l, %s : memref<16xi32, 2>, memref<16xi32, 2>) outs(%s : memref<16xi32, 2>)
          air.channel.get @p[%e1] (%l[] [] []) : (memref<16xi32, 2>)
          linalg.sub ins(%s, %l : memref<16xi32, 2>, memref<16xi32, 2>) outs(%s : memref<16xi32, 2>)
          air.channel.get @p[%e2] (%l[] [] []) : (memref<16xi32, 2>)
          linalg.mul ins(%l, %s : memref<16xi32, 2>, memref<16xi32, 2>) outs(%s : memref<16xi32, 2>)
          air.channel.get @p[%e3] (%l[] [] []) : (memref<16xi32, 2>)
          linalg.sub ins(%s, %l : memref<16xi32, 2>, memref<16xi32, 2>) outs(%s : memref<16xi32, 2>)
          air.channel.get @p[%e4] (%l[] [] []) : (memref<16xi32, 2>)
          linalg.add ins(%l, %s : memref<16xi32, 2>, memref<16xi32, 2>) outs(%s : memref<16xi32, 2>)
          air.channel.put @o[] (%s[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %l : memref<16xi32, 2>
          memref.dealloc %s : memref<16xi32, 2>
        }
      }
    }
    return
  }
}
