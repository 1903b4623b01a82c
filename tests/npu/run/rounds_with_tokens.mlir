// Rounds of asynchronous transfers that tokens order, every other one to another core; and cores that send to each other core in turn
// (air-split-decided-rounds).
// RUN: airlite-run %s --function=turns --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=all_to_all --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

air.channel @t_i []
air.channel @t_d [2]
air.channel @t_o [2]
func.func @turns(%a: memref<6x32xi32>, %b: memref<6x32xi32>) {
  air.launch () in () args(%a_l=%a, %b_l=%b) : memref<6x32xi32>, memref<6x32xi32> {
    air.channel.put @t_i[] (%a_l[] [] []) : (memref<6x32xi32>)
    %c1 = arith.constant 0 : index
    %c2 = arith.constant 3 : index
    %c3 = arith.constant 32 : index
    %c4 = arith.constant 1 : index
    air.channel.get @t_o[%c1] (%b_l[%c1, %c1] [%c2, %c3] [%c3, %c4]) : (memref<6x32xi32>)
    air.channel.get @t_o[%c4] (%b_l[%c2, %c1] [%c2, %c3] [%c3, %c4]) : (memref<6x32xi32>)
    air.segment @s {
      %m5 = memref.alloc() : memref<6x32xi32, 1>
      %t6 = air.channel.get async [] @t_i[] (%m5[] [] []) : (memref<6x32xi32, 1>)
      %c10 = arith.constant 0 : index
      %c11 = arith.constant 6 : index
      %c12 = arith.constant 1 : index
      %r9 = scf.for %i7 = %c10 to %c11 step %c12 iter_args(%t8 = %t6) -> (!air.async.token) {
        %c13 = arith.constant 2 : index
        %v14 = arith.remui %i7, %c13 : index
        %q15 = arith.cmpi eq, %v14, %c10 : index
        %z16 = scf.if %q15 -> (!air.async.token) {
          %c17 = arith.constant 32 : index
          %t18 = air.channel.put async [%t8] @t_d[%c10] (%m5[%i7, %c10] [%c12, %c17] [%c17, %c12]) : (memref<6x32xi32, 1>)
          scf.yield %t18 : !air.async.token
        } else {
          %c19 = arith.constant 32 : index
          %t20 = air.channel.put async [%t8] @t_d[%c12] (%m5[%i7, %c10] [%c12, %c19] [%c19, %c12]) : (memref<6x32xi32, 1>)
          scf.yield %t20 : !air.async.token
        }
        scf.yield %z16 : !air.async.token
      }
      %c21 = arith.constant 2 : index
      air.herd @h tile(%tx22, %ty23) in (%hx24=%c12, %hy25=%c21) {
        %c26 = arith.constant 0 : index
        %c27 = arith.constant 3 : index
        %c28 = arith.constant 1 : index
        scf.for %i29 = %c26 to %c27 step %c28 {
          %m30 = memref.alloc() : memref<32xi32, 2>
          air.channel.get @t_d[%ty23] (%m30[] [] []) : (memref<32xi32, 2>)
          linalg.add ins(%m30, %m30 : memref<32xi32, 2>, memref<32xi32, 2>) outs(%m30 : memref<32xi32, 2>)
          air.channel.put @t_o[%ty23] (%m30[] [] []) : (memref<32xi32, 2>)
          memref.dealloc %m30 : memref<32xi32, 2>
        }
      }
      air.wait_all [%r9]
      memref.dealloc %m5 : memref<6x32xi32, 1>
    }
  }
  return
}

air.channel @a_i [4]
air.channel @a_o [4]
air.channel @a_x [4, 4]
func.func @all_to_all(%a: memref<4x64xi32>, %b: memref<4x64xi32>) {
  air.launch () in () args(%a_l=%a, %b_l=%b) : memref<4x64xi32>, memref<4x64xi32> {
    %c1 = arith.constant 0 : index
    %c2 = arith.constant 1 : index
    %c3 = arith.constant 64 : index
    air.channel.put @a_i[%c1] (%a_l[%c1, %c1] [%c2, %c3] [%c3, %c2]) : (memref<4x64xi32>)
    air.channel.put @a_i[%c2] (%a_l[%c2, %c1] [%c2, %c3] [%c3, %c2]) : (memref<4x64xi32>)
    %c4 = arith.constant 2 : index
    air.channel.put @a_i[%c4] (%a_l[%c4, %c1] [%c2, %c3] [%c3, %c2]) : (memref<4x64xi32>)
    %c5 = arith.constant 3 : index
    air.channel.put @a_i[%c5] (%a_l[%c5, %c1] [%c2, %c3] [%c3, %c2]) : (memref<4x64xi32>)
    air.channel.get @a_o[%c1] (%b_l[%c1, %c1] [%c2, %c3] [%c3, %c2]) : (memref<4x64xi32>)
    air.channel.get @a_o[%c2] (%b_l[%c2, %c1] [%c2, %c3] [%c3, %c2]) : (memref<4x64xi32>)
    air.channel.get @a_o[%c4] (%b_l[%c4, %c1] [%c2, %c3] [%c3, %c2]) : (memref<4x64xi32>)
    air.channel.get @a_o[%c5] (%b_l[%c5, %c1] [%c2, %c3] [%c3, %c2]) : (memref<4x64xi32>)
    air.segment @s {
      %c6 = arith.constant 1 : index
      %c7 = arith.constant 4 : index
      air.herd @h tile(%tx8, %ty9) in (%hx10=%c6, %hy11=%c7) {
        %m12 = memref.alloc() : memref<64xi32, 2>
        %m13 = memref.alloc() : memref<64xi32, 2>
        air.channel.get @a_i[%ty9] (%m12[] [] []) : (memref<64xi32, 2>)
        %c14 = arith.constant 1 : index
        %c15 = arith.constant 4 : index
        scf.for %i16 = %c14 to %c15 step %c14 {
          %v17 = arith.addi %ty9, %i16 : index
          %v18 = arith.remui %v17, %c15 : index
          %v19 = arith.addi %ty9, %c15 : index
          %v20 = arith.subi %v19, %i16 : index
          %v21 = arith.remui %v20, %c15 : index
          %c22 = arith.constant 16 : index
          %v23 = arith.muli %v18, %c22 : index
          %t24 = air.channel.put async [] @a_x[%ty9, %v18] (%m12[%v23] [%c22] [%c14]) : (memref<64xi32, 2>)
          %v25 = arith.muli %v21, %c22 : index
          %t26 = air.channel.get async [] @a_x[%v21, %ty9] (%m13[%v25] [%c22] [%c14]) : (memref<64xi32, 2>)
          air.wait_all [%t24, %t26]
        }
        %c27 = arith.constant 0 : index
        %c28 = arith.constant 16 : index
        scf.for %i29 = %c27 to %c28 step %c14 {
          %v31 = arith.muli %ty9, %c28 : index
          %v32 = arith.addi %v31, %i29 : index
          %v30 = memref.load %m12[%v32] : memref<64xi32, 2>
          memref.store %v30, %m13[%v32] : memref<64xi32, 2>
        }
        air.channel.put @a_o[%ty9] (%m13[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %m12 : memref<64xi32, 2>
        memref.dealloc %m13 : memref<64xi32, 2>
      }
    }
  }
  return
}
