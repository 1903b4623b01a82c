// Sixteen cores that exchange with each other get sixteen rows from the host, which has eight channels: as packets.
//
// RUN: airlite-run %s --function=main --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

// The sum of four rows in each column of cores.
air.channel @i [4, 4]
air.channel @n [4, 4]
air.channel @o [4]
func.func @main(%a: memref<16x64xi32>, %b: memref<4x64xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<16x64xi32>, memref<4x64xi32> {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %h4 = arith.constant 4 : index
    %t = air.wait_all async
    scf.parallel (%x, %y) = (%h0, %h0) to (%h4, %h4) step (%h1, %h1) {
      %r = arith.muli %x, %h4 : index
      %s = arith.addi %r, %y : index
      air.channel.put @i[%x, %y] (%A[%s, %h0] [1, 64] [64, 1]) : (memref<16x64xi32>)
      scf.reduce
    }
    scf.parallel (%x) = (%h0) to (%h4) step (%h1) {
      air.channel.get @o[%x] (%B[%x, %h0] [1, 64] [64, 1]) : (memref<4x64xi32>)
      scf.reduce
    }
    air.segment @s {
      %c4 = arith.constant 4 : index
      air.herd @p tile (%tx, %ty) in (%sx_=%c4, %sy_=%c4) {
        %c0_ = arith.constant 0 : index
        %c1_ = arith.constant 1 : index
        %b = memref.alloc() : memref<64xi32, 2>
        %acc = memref.alloc() : memref<64xi32, 2>
        air.channel.get @i[%tx, %ty] (%b[] [] []) : (memref<64xi32, 2>)
        %c3_ = arith.constant 3 : index
        %isTop = arith.cmpi eq, %ty, %c3_ : index
        scf.if %isTop {
          memref.copy %b, %acc : memref<64xi32, 2> to memref<64xi32, 2>
        } else {
          %up = arith.addi %ty, %c1_ : index
          air.channel.get @n[%tx, %up] (%acc[] [] []) : (memref<64xi32, 2>)
          linalg.add ins(%b, %acc : memref<64xi32, 2>, memref<64xi32, 2>) outs(%acc : memref<64xi32, 2>)
        }
        %isBottom = arith.cmpi eq, %ty, %c0_ : index
        scf.if %isBottom {
          air.channel.put @o[%tx] (%acc[] [] []) : (memref<64xi32, 2>)
        } else {
          air.channel.put @n[%tx, %ty] (%acc[] [] []) : (memref<64xi32, 2>)
        }
      }
    }
  }
  return
}
