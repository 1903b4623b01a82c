// One put of the host to sixteen cores, whose sixteen results are more than it has channels for: the cores copy.
//
// RUN: airlite-run %s --function=main --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

// Each core adds its row.
air.channel @i [1, 1] {broadcast_shape = [4, 4]}
air.channel @o [4, 4]
func.func @main(%a: memref<64xi32>, %b: memref<16x64xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<64xi32>, memref<16x64xi32> {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %h4 = arith.constant 4 : index
    air.channel.put @i[] (%A[] [] []) : (memref<64xi32>)
    scf.parallel (%x, %y) = (%h0, %h0) to (%h4, %h4) step (%h1, %h1) {
      %r = arith.muli %x, %h4 : index
      %s = arith.addi %r, %y : index
      air.channel.get @o[%x, %y] (%B[%s, %h0] [1, 64] [64, 1]) : (memref<16x64xi32>)
      scf.reduce
    }
    air.segment @s {
      %c4 = arith.constant 4 : index
      air.herd @p tile (%tx, %ty) in (%sx_=%c4, %sy_=%c4) {
        %b = memref.alloc() : memref<64xi32, 2>
        air.channel.get @i[%tx, %ty] (%b[] [] []) : (memref<64xi32, 2>)
        %k = arith.index_cast %ty : index to i32
        linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%b : memref<64xi32, 2>) {
        ^bb0(%e: i32):
          %n = arith.addi %e, %k : i32
          linalg.yield %n : i32
        }
        air.channel.put @o[%tx, %ty] (%b[] [] []) : (memref<64xi32, 2>)
      }
    }
  }
  return
}
