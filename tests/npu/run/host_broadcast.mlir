// One put of the host to sixteen cores, whose sixteen results are more than it has channels for: the cores copy.
//
// RUN: airlite-run %s --function=main --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=rows --async-transfers --on=sim --target=npu1 --compare=interp --init=random:2 | FileCheck %s
// RUN: airlite-run %s --function=once --async-transfers --on=sim --target=npu1 --compare=interp --init=random:3 | FileCheck %s
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

// Cores take rows of what is sent, in each instance of a launch.
air.channel @r_i [1, 1] {broadcast_shape = [4, 4]}
air.channel @r_o [4, 4]
func.func @rows(%a: memref<2x16x5x64xi32>, %b: memref<32x5x64xi32>) {
  %lo = arith.constant 2 : index
  air.launch (%l) in (%ls=%lo) args(%A=%a, %B=%b) : memref<2x16x5x64xi32>, memref<32x5x64xi32> {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %hx = arith.constant 4 : index
    %hy = arith.constant 4 : index
    %ht = arith.constant 16 : index
    air.channel.put @r_i[] (%A[%l, 0, 0, 0] [1, 1, 5, 64] [5120, 320, 64, 1]) : (memref<2x16x5x64xi32>)
    scf.parallel (%x, %y) = (%h0, %h0) to (%hx, %hy) step (%h1, %h1) {
      %r = arith.muli %x, %hy : index
      %s0 = arith.addi %r, %y : index
      %s1 = arith.muli %l, %ht : index
      %s = arith.addi %s0, %s1 : index
      air.channel.get @r_o[%x, %y] (%B[%s, 0, 0] [1, 5, 64] [320, 64, 1]) : (memref<32x5x64xi32>)
      scf.reduce
    }
    air.segment @s {
      %cx = arith.constant 4 : index
      %cy = arith.constant 4 : index
      air.herd @p tile (%tx, %ty) in (%sx_=%cx, %sy_=%cy) {
        affine.for %k = 0 to 5 {
          %b = memref.alloc() : memref<64xi32, 2>
          air.channel.get @r_i[%tx, %ty] (%b[] [] []) : (memref<64xi32, 2>)
          %k4 = affine.apply affine_map<(d0,d1,d2) -> (d0 * 16 + d1*4+d2)>(%k, %tx, %ty)
          %kk = arith.index_cast %k4 : index to i32
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%b : memref<64xi32, 2>) {
          ^bb0(%e: i32):
            %n = arith.addi %e, %kk : i32
            linalg.yield %n : i32
          }
          air.channel.put @r_o[%tx, %ty] (%b[] [] []) : (memref<64xi32, 2>)
          memref.dealloc %b : memref<64xi32, 2>
        }
      }
    }
  }
  return
}

// A loop of one round.
air.channel @n_i [1, 1] {broadcast_shape = [4, 4]}
air.channel @n_o [4, 4]
func.func @once(%a: memref<1x64xi32>, %b: memref<16x1x64xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<1x64xi32>, memref<16x1x64xi32> {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %h4 = arith.constant 4 : index
    air.channel.put @n_i[] (%A[] [] []) : (memref<1x64xi32>)
    scf.parallel (%x, %y) = (%h0, %h0) to (%h4, %h4) step (%h1, %h1) {
      %r = arith.muli %x, %h4 : index
      %s = arith.addi %r, %y : index
      air.channel.get @n_o[%x, %y] (%B[%s, 0, 0] [1, 1, 64] [64, 64, 1]) : (memref<16x1x64xi32>)
      scf.reduce
    }
    air.segment @s {
      %c4 = arith.constant 4 : index
      air.herd @p tile (%tx, %ty) in (%sx_=%c4, %sy_=%c4) {
        %z0 = arith.constant 0 : index
        %z1 = arith.constant 1 : index
        %z4 = arith.constant 1 : index
        scf.for %q = %z0 to %z4 step %z1 {
          %b = memref.alloc() : memref<64xi32, 2>
          air.channel.get @n_i[%tx, %ty] (%b[] [] []) : (memref<64xi32, 2>)
          %k = arith.index_cast %ty : index to i32
          linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%b : memref<64xi32, 2>) {
          ^bb0(%e: i32):
            %n = arith.addi %e, %k : i32
            linalg.yield %n : i32
          }
          air.channel.put @n_o[%tx, %ty] (%b[] [] []) : (memref<64xi32, 2>)
        }
      }
    }
  }
  return
}
