// scf.forall and affine.parallel around puts and gets: their iterations go on by themselves, as those of scf.parallel.
//
// RUN: airlite-run %s --function=host --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=affine --async-transfers --on=sim --target=npu1 --compare=interp --init=random:2 | FileCheck %s
// RUN: airlite-run %s --function=segment --async-transfers --on=sim --target=npu1 --compare=interp --init=random:3 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

air.channel @h_i [2]
air.channel @h_o [2]
func.func @host(%a: memref<2x64xi32>, %b: memref<2x64xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<2x64xi32>, memref<2x64xi32> {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %h2 = arith.constant 2 : index
    scf.forall (%x) in (2) {
      air.channel.put @h_i[%x] (%A[%x, 0] [1, 64] [64, 1]) : (memref<2x64xi32>)
    }
    scf.forall (%x) in (2) {
      air.channel.get @h_o[%x] (%B[%x, 0] [1, 64] [64, 1]) : (memref<2x64xi32>)
    }
    air.segment @s {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd @p tile (%tx, %ty) in (%sx_=%c2, %sy_=%c1) {
        %b = memref.alloc() : memref<64xi32, 2>
        air.channel.get @h_i[%tx] (%b[] [] []) : (memref<64xi32, 2>)
        linalg.add ins(%b, %b : memref<64xi32, 2>, memref<64xi32, 2>) outs(%b : memref<64xi32, 2>)
        air.channel.put @h_o[%tx] (%b[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %b : memref<64xi32, 2>
      }
    }
  }
  return
}

air.channel @a_i [2]
air.channel @a_o [2]
func.func @affine(%a: memref<2x64xi32>, %b: memref<2x64xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<2x64xi32>, memref<2x64xi32> {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %h2 = arith.constant 2 : index
    affine.parallel (%x) = (0) to (2) {
      air.channel.put @a_i[%x] (%A[%x, 0] [1, 64] [64, 1]) : (memref<2x64xi32>)
    }
    affine.parallel (%x) = (0) to (2) {
      air.channel.get @a_o[%x] (%B[%x, 0] [1, 64] [64, 1]) : (memref<2x64xi32>)
    }
    air.segment @s {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      air.herd @p tile (%tx, %ty) in (%sx_=%c2, %sy_=%c1) {
        %b = memref.alloc() : memref<64xi32, 2>
        air.channel.get @a_i[%tx] (%b[] [] []) : (memref<64xi32, 2>)
        linalg.add ins(%b, %b : memref<64xi32, 2>, memref<64xi32, 2>) outs(%b : memref<64xi32, 2>)
        air.channel.put @a_o[%tx] (%b[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %b : memref<64xi32, 2>
      }
    }
  }
  return
}

air.channel @s_vi [1]
air.channel @s_i [2]
air.channel @s_o [2]
air.channel @s_vo [1]
func.func @segment(%a: memref<2x64xi32>, %b: memref<2x64xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<2x64xi32>, memref<2x64xi32> {
    air.channel.put @s_vi[] (%A[] [] []) : (memref<2x64xi32>)
    air.channel.get @s_vo[] (%B[] [] []) : (memref<2x64xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %l = memref.alloc() : memref<2x64xi32, 1>
      %m = memref.alloc() : memref<2x64xi32, 1>
      air.channel.get @s_vi[] (%l[] [] []) : (memref<2x64xi32, 1>)
      scf.forall (%x) in (2) {
        air.channel.put @s_i[%x] (%l[%x, 0] [1, 64] [64, 1]) : (memref<2x64xi32, 1>)
      }
      scf.forall (%x) in (2) {
        air.channel.get @s_o[%x] (%m[%x, 0] [1, 64] [64, 1]) : (memref<2x64xi32, 1>)
      }
      air.channel.put @s_vo[] (%m[] [] []) : (memref<2x64xi32, 1>)
      air.herd @p tile (%tx, %ty) in (%sx_=%c2, %sy_=%c1) {
        %b = memref.alloc() : memref<64xi32, 2>
        air.channel.get @s_i[%tx] (%b[] [] []) : (memref<64xi32, 2>)
        linalg.add ins(%b, %b : memref<64xi32, 2>, memref<64xi32, 2>) outs(%b : memref<64xi32, 2>)
        air.channel.put @s_o[%tx] (%b[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %b : memref<64xi32, 2>
      }
    }
  }
  return
}
