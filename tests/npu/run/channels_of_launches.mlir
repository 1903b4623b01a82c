// Two launches, whose segments are loaded one after the other, use the same channels: each gets channels of its own
// (air-split-channels-by-launch). They also run in turns, in a loop of the host.
// RUN: airlite-run %s --function=twice --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=twice --async-transfers --on=sim --target=npu2 --compare=interp --init=random:2 | FileCheck %s
// RUN: airlite-run %s --function=called --on=sim --target=npu1 --compare=interp --init=random:4 | FileCheck %s
// RUN: airlite-run %s --function=turns --on=sim --target=npu1 --compare=interp --init=random:3 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit
air.channel @in []
air.channel @out []
func.func @twice(%a: memref<64xi32>, %b: memref<64xi32>, %c: memref<64xi32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<64xi32>, memref<64xi32> {
    %p = air.channel.put async @in[] (%x[] [] []) : (memref<64xi32>)
    %g = air.channel.get async @out[] (%y[] [] []) : (memref<64xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        scf.for %r = %h0 to %h4 step %h1 {
          %m = memref.alloc() : memref<16xi32, 2>
          air.channel.get @in[] (%m[] [] []) : (memref<16xi32, 2>)
          linalg.add ins(%m, %m : memref<16xi32, 2>, memref<16xi32, 2>) outs(%m : memref<16xi32, 2>)
          air.channel.put @out[] (%m[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %m : memref<16xi32, 2>
        }
      }
    }
  }
  air.launch () in () args(%x = %b, %y = %c) : memref<64xi32>, memref<64xi32> {
    %p = air.channel.put async @in[] (%x[] [] []) : (memref<64xi32>)
    %g = air.channel.get async @out[] (%y[] [] []) : (memref<64xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        scf.for %r = %h0 to %h4 step %h1 {
          %m = memref.alloc() : memref<16xi32, 2>
          air.channel.get @in[] (%m[] [] []) : (memref<16xi32, 2>)
          linalg.mul ins(%m, %m : memref<16xi32, 2>, memref<16xi32, 2>) outs(%m : memref<16xi32, 2>)
          air.channel.put @out[] (%m[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %m : memref<16xi32, 2>
        }
      }
    }
  }
  return
}
func.func @turns(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    air.launch () in () args(%x = %a, %y = %b) : memref<64xi32>, memref<64xi32> {
      %p = air.channel.put async @in[] (%x[] [] []) : (memref<64xi32>)
      %g = air.channel.get async @out[] (%y[] [] []) : (memref<64xi32>)
      air.segment @s {
        %c1 = arith.constant 1 : index
        air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %h4 = arith.constant 4 : index
          scf.for %r = %h0 to %h4 step %h1 {
            %m = memref.alloc() : memref<16xi32, 2>
            air.channel.get @in[] (%m[] [] []) : (memref<16xi32, 2>)
            linalg.add ins(%m, %m : memref<16xi32, 2>, memref<16xi32, 2>) outs(%m : memref<16xi32, 2>)
            air.channel.put @out[] (%m[] [] []) : (memref<16xi32, 2>)
            memref.dealloc %m : memref<16xi32, 2>
          }
        }
      }
    }
    air.launch () in () args(%x = %b, %y = %a) : memref<64xi32>, memref<64xi32> {
      %p = air.channel.put async @in[] (%x[] [] []) : (memref<64xi32>)
      %g = air.channel.get async @out[] (%y[] [] []) : (memref<64xi32>)
      air.segment @s {
        %c1 = arith.constant 1 : index
        air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
          %h0 = arith.constant 0 : index
          %h1 = arith.constant 1 : index
          %h4 = arith.constant 4 : index
          scf.for %r = %h0 to %h4 step %h1 {
            %m = memref.alloc() : memref<16xi32, 2>
            air.channel.get @in[] (%m[] [] []) : (memref<16xi32, 2>)
            linalg.mul ins(%m, %m : memref<16xi32, 2>, memref<16xi32, 2>) outs(%m : memref<16xi32, 2>)
            air.channel.put @out[] (%m[] [] []) : (memref<16xi32, 2>)
            memref.dealloc %m : memref<16xi32, 2>
          }
        }
      }
    }
  }
  return
}
func.func private @step(%u: memref<64xi32>, %v: memref<64xi32>) {
  air.launch () in () args(%x = %u, %y = %v) : memref<64xi32>, memref<64xi32> {
    %p = air.channel.put async @in[] (%x[] [] []) : (memref<64xi32>)
    %g = air.channel.get async @out[] (%y[] [] []) : (memref<64xi32>)
    air.segment @s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        scf.for %r = %h0 to %h4 step %h1 {
          %m = memref.alloc() : memref<16xi32, 2>
          air.channel.get @in[] (%m[] [] []) : (memref<16xi32, 2>)
          linalg.add ins(%m, %m : memref<16xi32, 2>, memref<16xi32, 2>) outs(%m : memref<16xi32, 2>)
          air.channel.put @out[] (%m[] [] []) : (memref<16xi32, 2>)
          memref.dealloc %m : memref<16xi32, 2>
        }
      }
    }
  }
  return
}
func.func @called(%a: memref<64xi32>, %b: memref<64xi32>, %c: memref<64xi32>) {
  func.call @step(%a, %b) : (memref<64xi32>, memref<64xi32>) -> ()
  func.call @step(%b, %c) : (memref<64xi32>, memref<64xi32>) -> ()
  return
}
