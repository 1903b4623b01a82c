// A core that gets from two channels of one size in branches that data decide about, and into another row in each run: no
// descriptor can follow, so the transfers go through a buffer of their own.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:2 --reverse-tiles %s | FileCheck %s
// CHECK: 3 arguments are as in the interpreter, bit by bit
air.channel @in [1]
air.channel @out [1]
air.channel @rows [1]

func.func @main(%a: memref<8x16xi32>, %b: memref<8x16xi32>, %c: memref<8x16xi32>) {
  air.launch () in () args(%from = %a, %to = %b, %turned = %c)
      : memref<8x16xi32>, memref<8x16xi32>, memref<8x16xi32> {
    %0 = air.channel.put async @in[] (%from[] [] []) : (memref<8x16xi32>)
    %1 = air.channel.get async @out[] (%to[] [] []) : (memref<8x16xi32>)
    %2 = air.channel.get async @rows[] (%turned[] [] []) : (memref<8x16xi32>)
    %3 = air.segment @s async {
      %one = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c7 = arith.constant 7 : index
        %c8 = arith.constant 8 : index
        %c16 = arith.constant 16 : index
        %zero = arith.constant 0 : i32
        %all = memref.alloc() : memref<8x16xi32, 2>
        %other = memref.alloc() : memref<16xi32, 2>
        scf.for %k = %c0 to %c8 step %c1 {
          %r = arith.subi %c7, %k : index
          air.channel.get @in[] (%all[%r, %c0] [%c1, %c16] [%c16, %c1]) : (memref<8x16xi32, 2>)
          %v = memref.load %all[%r, %c2] : memref<8x16xi32, 2>
          %negative = arith.cmpi slt, %v, %zero : i32
          scf.if %negative {
            scf.for %i = %c0 to %c16 step %c1 {
              memref.store %v, %other[%i] : memref<16xi32, 2>
            }
            air.channel.put @out[] (%other[] [] []) : (memref<16xi32, 2>)
          } else {
            air.channel.put @out[] (%all[%r, %c0] [%c1, %c16] [%c16, %c1]) : (memref<8x16xi32, 2>)
          }
        }
        air.channel.put @rows[] (%all[] [] []) : (memref<8x16xi32, 2>)
        memref.dealloc %all : memref<8x16xi32, 2>
        memref.dealloc %other : memref<16xi32, 2>
      }
    }
    air.wait_all [%0, %1, %2, %3]
  }
  return
}
