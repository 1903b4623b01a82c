// Nests of parallel and sequential loops around puts and gets of L2 memory.
//
// RUN: airlite-run %s --function=places --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=backwards --async-transfers --on=sim --target=npu2 --compare=interp --init=random:2 --reverse-tiles | FileCheck %s
// RUN: airlite-run %s --function=chosen --async-transfers --on=sim --target=npu1 --compare=interp --init=random:3 | FileCheck %s
// RUN: airlite-run %s --function=eight --async-transfers --on=sim --target=npu2 --compare=interp --init=random:4 --reverse-tiles | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

// A loop around a parallel one: each place has a loop of its own, which becomes one transfer.
air.channel @p_vi [1]
air.channel @p_va [2, 2]
air.channel @p_vo [2, 2]
air.channel @p_vr [1]
func.func @places(%a: memref<4x16xi32>, %b: memref<4x16xi32>) {
  %lo = arith.constant 1 : index
  air.launch (%q) in (%ls=%lo) args(%A=%a, %B=%b) : memref<4x16xi32>, memref<4x16xi32> {
    %of = affine.apply affine_map<(d0) -> (d0 * 4)>(%q)
    air.channel.put @p_vi[] (%A[%of, 0] [4, 16] [16, 1]) : (memref<4x16xi32>)
    air.channel.get @p_vr[] (%B[%of, 0] [4, 16] [16, 1]) : (memref<4x16xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n2 = arith.constant 2 : index
      %l = memref.alloc() : memref<4x16xi32, 1>
      %m = memref.alloc() : memref<4x16xi32, 1>
      air.channel.get @p_vi[] (%l[] [] []) : (memref<4x16xi32, 1>)
      scf.for %k = %c0 to %n2 step %c1 {
        scf.parallel (%y, %x) = (%c0, %c0) to (%n2, %n2) step (%c1, %c1) {
          %r0 = arith.muli %x, %n2 : index
          %r = arith.addi %r0, %y : index
          %kl = arith.constant 8 : index
          %o = arith.muli %k, %kl : index
          air.channel.put @p_va[%x, %y] (%l[%r, %o] [1, 8] [16, 1]) : (memref<4x16xi32, 1>)
          scf.reduce
        }
      }
      scf.for %k = %c0 to %n2 step %c1 {
        scf.parallel (%y) = (%c0) to (%n2) step (%c1) {
          scf.parallel (%x) = (%c0) to (%n2) step (%c1) {
            %r0 = arith.muli %x, %n2 : index
            %r = arith.addi %r0, %y : index
            %kl = arith.constant 8 : index
            %o = arith.muli %k, %kl : index
            air.channel.get @p_vo[%x, %y] (%m[%r, %o] [1, 8] [16, 1]) : (memref<4x16xi32, 1>)
            scf.reduce
          }
          scf.reduce
        }
      }
      air.channel.put @p_vr[] (%m[] [] []) : (memref<4x16xi32, 1>)
      memref.dealloc %l : memref<4x16xi32, 1>
      memref.dealloc %m : memref<4x16xi32, 1>
      air.herd @p tile (%tx, %ty) in (%sx_=%n2, %sy_=%n2) {
        affine.for %k = 0 to 2 {
          %b = memref.alloc() : memref<8xi32, 2>
          air.channel.get @p_va[%tx, %ty] (%b[] [] []) : (memref<8xi32, 2>)
          linalg.mul ins(%b, %b : memref<8xi32, 2>, memref<8xi32, 2>) outs(%b : memref<8xi32, 2>)
          air.channel.put @p_vo[%tx, %ty] (%b[] [] []) : (memref<8xi32, 2>)
          memref.dealloc %b : memref<8xi32, 2>
        }
      }
    }
  }
  return
}

// Pieces of rows from the last to the first, for eight cores.
air.channel @b_vi [1]
air.channel @b_va [4, 2]
air.channel @b_vo [4, 2]
air.channel @b_vr [1]
func.func @backwards(%a: memref<16x48xi32>, %b: memref<16x48xi32>) {
  %lo = arith.constant 2 : index
  air.launch (%q) in (%ls=%lo) args(%A=%a, %B=%b) : memref<16x48xi32>, memref<16x48xi32> {
    %of = affine.apply affine_map<(d0) -> (d0 * 8)>(%q)
    air.channel.put @b_vi[] (%A[%of, 0] [8, 48] [48, 1]) : (memref<16x48xi32>)
    air.channel.get @b_vr[] (%B[%of, 0] [8, 48] [48, 1]) : (memref<16x48xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n2 = arith.constant 2 : index
      %n3 = arith.constant 3 : index
      %n4 = arith.constant 4 : index
      %l = memref.alloc() : memref<8x48xi32, 1>
      %m = memref.alloc() : memref<8x48xi32, 1>
      air.channel.get @b_vi[] (%l[] [] []) : (memref<8x48xi32, 1>)
      scf.parallel (%x, %y) = (%c0, %c0) to (%n4, %n2) step (%c1, %c1) {
        affine.for %k = 0 to 3 {
          %r0 = arith.muli %x, %n2 : index
          %r = arith.addi %r0, %y : index
          %kl = arith.constant 16 : index
          %o = arith.muli %k, %kl : index
          %km = arith.constant 2 : index
          %k2 = arith.subi %km, %k : index
          %o2 = arith.muli %k2, %kl : index
          air.channel.put @b_va[%x, %y] (%l[%r, %o2] [1, 16] [48, 1]) : (memref<8x48xi32, 1>)
        }
        scf.reduce
      }
      scf.parallel (%x, %y) = (%c0, %c0) to (%n4, %n2) step (%c1, %c1) {
        affine.for %k = 0 to 3 {
          %r0 = arith.muli %x, %n2 : index
          %r = arith.addi %r0, %y : index
          %kl = arith.constant 16 : index
          %o = arith.muli %k, %kl : index
          %km = arith.constant 2 : index
          %k2 = arith.subi %km, %k : index
          %o2 = arith.muli %k2, %kl : index
          air.channel.get @b_vo[%x, %y] (%m[%r, %o] [1, 16] [48, 1]) : (memref<8x48xi32, 1>)
        }
        scf.reduce
      }
      air.channel.put @b_vr[] (%m[] [] []) : (memref<8x48xi32, 1>)
      memref.dealloc %l : memref<8x48xi32, 1>
      memref.dealloc %m : memref<8x48xi32, 1>
      air.herd @p tile (%tx, %ty) in (%sx_=%n4, %sy_=%n2) {
        affine.for %k = 0 to 3 {
          %b = memref.alloc() : memref<16xi32, 2>
          air.channel.get @b_va[%tx, %ty] (%b[] [] []) : (memref<16xi32, 2>)
          linalg.mul ins(%b, %b : memref<16xi32, 2>, memref<16xi32, 2>) outs(%b : memref<16xi32, 2>)
          air.channel.put @b_vo[%tx, %ty] (%b[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %b : memref<16xi32, 2>
        }
      }
    }
  }
  return
}

// What is sent depends on the place.
air.channel @c_vi [1]
air.channel @c_va [3, 1]
air.channel @c_vo [3, 1]
air.channel @c_vr [1]
func.func @chosen(%a: memref<6x32xi32>, %b: memref<6x32xi32>) {
  %lo = arith.constant 2 : index
  air.launch (%q) in (%ls=%lo) args(%A=%a, %B=%b) : memref<6x32xi32>, memref<6x32xi32> {
    %of = affine.apply affine_map<(d0) -> (d0 * 3)>(%q)
    air.channel.put @c_vi[] (%A[%of, 0] [3, 32] [32, 1]) : (memref<6x32xi32>)
    air.channel.get @c_vr[] (%B[%of, 0] [3, 32] [32, 1]) : (memref<6x32xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n1 = arith.constant 1 : index
      %n2 = arith.constant 2 : index
      %n3 = arith.constant 3 : index
      %l = memref.alloc() : memref<3x32xi32, 1>
      %m = memref.alloc() : memref<3x32xi32, 1>
      air.channel.get @c_vi[] (%l[] [] []) : (memref<3x32xi32, 1>)
      affine.for %k = 0 to 2 {
        scf.parallel (%x, %y) = (%c0, %c0) to (%n3, %n1) step (%c1, %c1) {
          %r0 = arith.muli %x, %n1 : index
          %r = arith.addi %r0, %y : index
          %kl = arith.constant 16 : index
          %o = arith.muli %k, %kl : index
          %back = arith.subi %c1, %k : index
          %o2 = arith.muli %back, %kl : index
          %p = arith.cmpi eq, %x, %c0 : index
          scf.if %p {
            air.channel.put @c_va[%x, %y] (%l[%r, %o] [1, 16] [32, 1]) : (memref<3x32xi32, 1>)
          } else {
            air.channel.put @c_va[%x, %y] (%l[%r, %o2] [1, 16] [32, 1]) : (memref<3x32xi32, 1>)
          }
          scf.reduce
        }
      }
      scf.parallel (%y) = (%c0) to (%n1) step (%c1) {
        scf.for %k = %c0 to %n2 step %c1 {
          scf.parallel (%x) = (%c0) to (%n3) step (%c1) {
            %r0 = arith.muli %x, %n1 : index
            %r = arith.addi %r0, %y : index
            %kl = arith.constant 16 : index
            %o = arith.muli %k, %kl : index
            air.channel.get @c_vo[%x, %y] (%m[%r, %o] [1, 16] [32, 1]) : (memref<3x32xi32, 1>)
            scf.reduce
          }
        }
        scf.reduce
      }
      air.channel.put @c_vr[] (%m[] [] []) : (memref<3x32xi32, 1>)
      memref.dealloc %l : memref<3x32xi32, 1>
      memref.dealloc %m : memref<3x32xi32, 1>
      air.herd @p tile (%tx, %ty) in (%sx_=%n3, %sy_=%n1) {
        affine.for %k = 0 to 2 {
          %b = memref.alloc() : memref<16xi32, 2>
          air.channel.get @c_va[%tx, %ty] (%b[] [] []) : (memref<16xi32, 2>)
          linalg.mul ins(%b, %b : memref<16xi32, 2>, memref<16xi32, 2>) outs(%b : memref<16xi32, 2>)
          air.channel.put @c_vo[%tx, %ty] (%b[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %b : memref<16xi32, 2>
        }
      }
    }
  }
  return
}

// Eight rows of L2 in each direction, whose pieces ask for more descriptors than memory tiles have.
air.channel @e_vi [1]
air.channel @e_va [2, 4]
air.channel @e_vo [2, 4]
air.channel @e_vr [1]
func.func @eight(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %lo = arith.constant 1 : index
  air.launch (%q) in (%ls=%lo) args(%A=%a, %B=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %of = affine.apply affine_map<(d0) -> (d0 * 8)>(%q)
    air.channel.put @e_vi[] (%A[%of, 0] [8, 64] [64, 1]) : (memref<8x64xi32>)
    air.channel.get @e_vr[] (%B[%of, 0] [8, 64] [64, 1]) : (memref<8x64xi32>)
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n2 = arith.constant 2 : index
      %n4 = arith.constant 4 : index
      %l = memref.alloc() : memref<8x64xi32, 1>
      %m = memref.alloc() : memref<8x64xi32, 1>
      air.channel.get @e_vi[] (%l[] [] []) : (memref<8x64xi32, 1>)
      scf.parallel (%y) = (%c0) to (%n4) step (%c1) {
        scf.for %k = %c0 to %n4 step %c1 {
          scf.parallel (%x) = (%c0) to (%n2) step (%c1) {
            %r0 = arith.muli %x, %n4 : index
            %r = arith.addi %r0, %y : index
            %kl = arith.constant 16 : index
            %o = arith.muli %k, %kl : index
            air.channel.put @e_va[%x, %y] (%l[%r, %o] [1, 16] [64, 1]) : (memref<8x64xi32, 1>)
            scf.reduce
          }
        }
        scf.reduce
      }
      scf.parallel (%x) = (%c0) to (%n2) step (%c1) {
        affine.for %k = 0 to 4 {
          scf.parallel (%y) = (%c0) to (%n4) step (%c1) {
            %r0 = arith.muli %x, %n4 : index
            %r = arith.addi %r0, %y : index
            %kl = arith.constant 16 : index
            %o = arith.muli %k, %kl : index
            air.channel.get @e_vo[%x, %y] (%m[%r, %o] [1, 16] [64, 1]) : (memref<8x64xi32, 1>)
            scf.reduce
          }
        }
        scf.reduce
      }
      air.channel.put @e_vr[] (%m[] [] []) : (memref<8x64xi32, 1>)
      memref.dealloc %l : memref<8x64xi32, 1>
      memref.dealloc %m : memref<8x64xi32, 1>
      air.herd @p tile (%tx, %ty) in (%sx_=%n2, %sy_=%n4) {
        affine.for %k = 0 to 4 {
          %b = memref.alloc() : memref<16xi32, 2>
          air.channel.get @e_va[%tx, %ty] (%b[] [] []) : (memref<16xi32, 2>)
          linalg.mul ins(%b, %b : memref<16xi32, 2>, memref<16xi32, 2>) outs(%b : memref<16xi32, 2>)
          air.channel.put @e_vo[%tx, %ty] (%b[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %b : memref<16xi32, 2>
        }
      }
    }
  }
  return
}
