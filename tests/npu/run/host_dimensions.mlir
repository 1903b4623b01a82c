// Transfers of the host with more dimensions than it knows become loops.
//
// RUN: airlite-run %s --function=of_five --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=of_seven --async-transfers --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=put_first --async-transfers --on=sim --target=npu1 --compare=interp --init=random:3 | FileCheck %s
// RUN: airlite-run %s --function=loop_first --async-transfers --on=sim --target=npu1 --compare=interp --init=random:4 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

// Five dimensions, none of which continues another.
air.channel @in [1]
air.channel @out [1]
func.func @of_five(%a: memref<2x3x4x8x16xi32>, %b: memref<32xi32>) {
  air.launch () in () args(%ka=%a, %kb=%b) : memref<2x3x4x8x16xi32>, memref<32xi32> {
    air.channel.put @in[] (%ka[0, 0, 0, 0, 0] [2, 2, 2, 4, 8] [1536, 512, 256, 32, 2]) : (memref<2x3x4x8x16xi32>)
    air.channel.get @out[] (%kb[] [] []) : (memref<32xi32>)
    air.segment @s  {
      %sx = arith.constant 1 : index
      %sy = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%hx=%sx, %hy=%sy)  {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %o = memref.alloc() : memref<32xi32, 2>
        %b = memref.alloc() : memref<32xi32, 2>
        %z = arith.constant 0 : i32
        linalg.fill ins(%z : i32) outs(%o : memref<32xi32, 2>)
        %c12 = arith.constant 8 : index
        scf.for %k = %c0 to %c12 step %c1 {
          air.channel.get @in[] (%b[] [] []) : (memref<32xi32, 2>)
          linalg.add ins(%b, %o : memref<32xi32, 2>, memref<32xi32, 2>) outs(%o : memref<32xi32, 2>)
        }
        air.channel.put @out[] (%o[] [] []) : (memref<32xi32, 2>)
      }
    }
  }
  return
}

// Loops of the segment around four dimensions make seven of them. Three herds, on one core, have the sums.
func.func @of_seven(%arg0: memref<64x64xi32>, %arg1: memref<4x8xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%ls=%c1) args(%a=%arg0, %b=%arg1) : memref<64x64xi32>, memref<4x8xi32> {
    air.segment @s args(%sa=%a, %sb=%b) : memref<64x64xi32>, memref<4x8xi32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %acc = memref.alloc() : memref<4x8xi32, 2>
      air.herd @init tile (%tx, %ty) in (%sx=%c1_0, %sy=%c1_0) args(%o=%acc) : memref<4x8xi32, 2> {
        %z = arith.constant 0 : i32
        linalg.fill ins(%z : i32) outs(%o : memref<4x8xi32, 2>)
      }
      scf.for %i = %c0 to %c64 step %c32 {
        scf.for %j = %c0 to %c64 step %c32 {
          %l2 = memref.alloc() : memref<2x2x4x8xi32, 1>
          scf.for %k = %c0 to %c32 step %c16 {
            air.dma_memcpy_nd (%l2[] [] [], %sa[%c0, %c0, %i, %k] [2, 2, 4, 8] [512, 16, 64, 1]) : (memref<2x2x4x8xi32, 1>, memref<64x64xi32>)
            air.herd @h tile (%tx, %ty) in (%sx=%c1_0, %sy=%c1_0) args(%in=%l2, %o=%acc) : memref<2x2x4x8xi32, 1>, memref<4x8xi32, 2> {
              %d0 = arith.constant 0 : index
              %d1 = arith.constant 1 : index
              %d2 = arith.constant 2 : index
              %t = memref.alloc() : memref<4x8xi32, 2>
              scf.for %x = %d0 to %d2 step %d1 {
                scf.for %y = %d0 to %d2 step %d1 {
                  air.dma_memcpy_nd (%t[] [] [], %in[%x, %y, %d0, %d0] [1, 1, 4, 8] [64, 32, 8, 1]) : (memref<4x8xi32, 2>, memref<2x2x4x8xi32, 1>)
                  linalg.add ins(%t, %o : memref<4x8xi32, 2>, memref<4x8xi32, 2>) outs(%o : memref<4x8xi32, 2>)
                }
              }
              memref.dealloc %t : memref<4x8xi32, 2>
            }
          }
          memref.dealloc %l2 : memref<2x2x4x8xi32, 1>
        }
      }
      air.herd @fin tile (%tx, %ty) in (%sx=%c1_0, %sy=%c1_0) args(%o=%acc, %out=%sb) : memref<4x8xi32, 2>, memref<4x8xi32> {
        air.dma_memcpy_nd (%out[] [] [], %o[] [] []) : (memref<4x8xi32>, memref<4x8xi32, 2>)
      }
      memref.dealloc %acc : memref<4x8xi32, 2>
    }
  }
  return
}

// A put in more parts than a shim has in its queue, in front of the get of what comes back.
air.channel @p_i [1]
air.channel @p_o [1]
func.func @put_first(%a: memref<6x3x3x4x9x8xi32>, %b: memref<768xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<6x3x3x4x9x8xi32>, memref<768xi32> {
    air.channel.put @p_i[] (%A[0,0,0,0,0,0] [6, 2, 2, 2, 4, 4] [2592, 864, 288, 72, 16, 1]) : (memref<6x3x3x4x9x8xi32>)
    air.channel.get @p_o[] (%B[] [] []) : (memref<768xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @p tile (%tx, %ty) in (%sx_=%c1, %sy_=%c1) {
        affine.for %k = 0 to 24 {
          %b = memref.alloc() : memref<32xi32, 2>
          air.channel.get @p_i[] (%b[] [] []) : (memref<32xi32, 2>)
          linalg.add ins(%b, %b : memref<32xi32, 2>, memref<32xi32, 2>) outs(%b : memref<32xi32, 2>)
          air.channel.put @p_o[] (%b[] [] []) : (memref<32xi32, 2>)
          memref.dealloc %b : memref<32xi32, 2>
        }
      }
    }
  }
  return
}

// The same by loops of the host.
air.channel @l_i [1]
air.channel @l_o [1]
func.func @loop_first(%a: memref<6x3x3x4x9x8xi32>, %b: memref<768xi32>) {
  air.launch () in () args(%A=%a, %B=%b) : memref<6x3x3x4x9x8xi32>, memref<768xi32> {
    affine.for %q = 0 to 6 {
      affine.for %q2 = 0 to 2 {
        air.channel.put @l_i[] (%A[%q,%q2,0,0,0,0] [1,1, 2, 2, 4, 4] [2592, 864, 288, 72, 16, 1]) : (memref<6x3x3x4x9x8xi32>)
      }
    }
    air.channel.get @l_o[] (%B[] [] []) : (memref<768xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @p tile (%tx, %ty) in (%sx_=%c1, %sy_=%c1) {
        affine.for %k = 0 to 24 {
          %b = memref.alloc() : memref<32xi32, 2>
          air.channel.get @l_i[] (%b[] [] []) : (memref<32xi32, 2>)
          linalg.add ins(%b, %b : memref<32xi32, 2>, memref<32xi32, 2>) outs(%b : memref<32xi32, 2>)
          air.channel.put @l_o[] (%b[] [] []) : (memref<32xi32, 2>)
          memref.dealloc %b : memref<32xi32, 2>
        }
      }
    }
  }
  return
}
