// Outputs of the host that overlap, or that are sent in again, have to be waited for. What the cores need
// before that is sent first, and nothing hangs (random programs: scripts/prove_npu.py --air).
//
// RUN: airlite-run %s --on=sim --function=overlap --init=random:1 --compare=interp | FileCheck %s
// RUN: airlite-run %s --on=sim --function=overlap_async --init=random:1 --compare=interp | FileCheck %s
// RUN: airlite-run %s --on=sim --function=feedback --init=random:1 --compare=interp --reverse-tiles | FileCheck %s
// RUN: airlite-run %s --on=sim --function=turns --init=random:1 --compare=interp | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

air.channel @in [1, 1]
air.channel @in2 [1, 1]
air.channel @out [1, 1]
air.channel @out2 [1, 1]

// Two outputs share a row, and both come after an input: the wait for the first is not in front of the input.
func.func @overlap(%a: memref<8x16xi32>, %b: memref<12x16xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<8x16xi32>, memref<12x16xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c7 = arith.constant 7 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %s = air.segment @s async {
      %c1_0 = arith.constant 1 : index
      %h = air.herd @h async tile (%x, %y) in (%sx = %c1_0, %sy = %c1_0) {
        %l = memref.alloc() : memref<8x16xi32, 2>
        air.channel.get @in[] (%l[] [] []) : (memref<8x16xi32, 2>)
        air.channel.put @out[] (%l[] [] []) : (memref<8x16xi32, 2>)
        air.channel.put @out2[] (%l[] [] []) : (memref<8x16xi32, 2>)
        memref.dealloc %l : memref<8x16xi32, 2>
      }
      air.wait_all [%h]
    }
    air.channel.put @in[] (%from[] [] []) : (memref<8x16xi32>)
    air.channel.get @out[] (%to[%c0, %c0] [%c8, %c16] [%c16, %c1]) : (memref<12x16xi32>)
    air.channel.get @out2[] (%to[%c4, %c0] [%c8, %c16] [%c16, %c1]) : (memref<12x16xi32>)
    air.wait_all [%s]
  }
  return
}

// The same with tokens, the outputs first in the text.
func.func @overlap_async(%a: memref<8x16xi32>, %b: memref<12x16xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<8x16xi32>, memref<12x16xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %0 = air.channel.get async @out[] (%to[%c0, %c0] [%c8, %c16] [%c16, %c1]) : (memref<12x16xi32>)
    %1 = air.channel.get async [%0] @out2[] (%to[%c4, %c0] [%c8, %c16] [%c16, %c1]) : (memref<12x16xi32>)
    %2 = air.channel.put async @in[] (%from[] [] []) : (memref<8x16xi32>)
    %s = air.segment @s2 async {
      %c1_0 = arith.constant 1 : index
      %h = air.herd @h2 async tile (%x, %y) in (%sx = %c1_0, %sy = %c1_0) {
        %l = memref.alloc() : memref<8x16xi32, 2>
        air.channel.get @in[] (%l[] [] []) : (memref<8x16xi32, 2>)
        air.channel.put @out[] (%l[] [] []) : (memref<8x16xi32, 2>)
        air.channel.put @out2[] (%l[] [] []) : (memref<8x16xi32, 2>)
        memref.dealloc %l : memref<8x16xi32, 2>
      }
      air.wait_all [%h]
    }
    air.wait_all [%1, %2, %s]
  }
  return
}

// What came out goes in again, while the other input has to be there before.
func.func @feedback(%a: memref<8x16xi32>, %b: memref<8x16xi32>, %c: memref<8x16xi32>) {
  air.launch () in () args(%from = %a, %between = %b, %to = %c)
      : memref<8x16xi32>, memref<8x16xi32>, memref<8x16xi32> {
    %s = air.segment @s3 async {
      %c1_0 = arith.constant 1 : index
      %h = air.herd @h3 async tile (%x, %y) in (%sx = %c1_0, %sy = %c1_0) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c8 = arith.constant 8 : index
        %c16 = arith.constant 16 : index
        %one = arith.constant 1 : i32
        %l = memref.alloc() : memref<8x16xi32, 2>
        %m = memref.alloc() : memref<8x16xi32, 2>
        air.channel.get @in[] (%l[] [] []) : (memref<8x16xi32, 2>)
        air.channel.get @in2[] (%m[] [] []) : (memref<8x16xi32, 2>)
        scf.for %i = %c0 to %c8 step %c1 {
          scf.for %j = %c0 to %c16 step %c1 {
            %v = memref.load %l[%i, %j] : memref<8x16xi32, 2>
            %w = memref.load %m[%i, %j] : memref<8x16xi32, 2>
            %u = arith.addi %v, %w : i32
            memref.store %u, %l[%i, %j] : memref<8x16xi32, 2>
          }
        }
        air.channel.put @out[] (%l[] [] []) : (memref<8x16xi32, 2>)
        air.channel.get @in[] (%m[] [] []) : (memref<8x16xi32, 2>)
        air.channel.put @out[] (%m[] [] []) : (memref<8x16xi32, 2>)
        memref.dealloc %l : memref<8x16xi32, 2>
        memref.dealloc %m : memref<8x16xi32, 2>
      }
      air.wait_all [%h]
    }
    air.channel.put @in[] (%from[] [] []) : (memref<8x16xi32>)
    air.channel.put @in2[] (%from[] [] []) : (memref<8x16xi32>)
    air.channel.get @out[] (%between[] [] []) : (memref<8x16xi32>)
    air.channel.put @in[] (%between[] [] []) : (memref<8x16xi32>)
    air.channel.get @out[] (%to[] [] []) : (memref<8x16xi32>)
    air.wait_all [%s]
  }
  return
}

// All of one channel before the first of another, ten times as much as a queue holds.
func.func @turns(%a: memref<40x64xi32>, %b: memref<40x64xi32>, %c: memref<80x64xi32>) {
  air.launch () in () args(%from = %a, %from2 = %b, %to = %c)
      : memref<40x64xi32>, memref<40x64xi32>, memref<80x64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c40 = arith.constant 40 : index
    %c64 = arith.constant 64 : index
    %s = air.segment @s4 async {
      %c1_0 = arith.constant 1 : index
      %h = air.herd @h4 async tile (%x, %y) in (%sx = %c1_0, %sy = %c1_0) {
        %c0_0 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c40_0 = arith.constant 40 : index
        scf.for %i = %c0_0 to %c40_0 step %c1_1 {
          %l = memref.alloc() : memref<1x64xi32, 2>
          air.channel.get @in[] (%l[] [] []) : (memref<1x64xi32, 2>)
          air.channel.put @out[] (%l[] [] []) : (memref<1x64xi32, 2>)
          memref.dealloc %l : memref<1x64xi32, 2>
        }
        scf.for %i = %c0_0 to %c40_0 step %c1_1 {
          %l = memref.alloc() : memref<1x64xi32, 2>
          air.channel.get @in2[] (%l[] [] []) : (memref<1x64xi32, 2>)
          air.channel.put @out2[] (%l[] [] []) : (memref<1x64xi32, 2>)
          memref.dealloc %l : memref<1x64xi32, 2>
        }
      }
      air.wait_all [%h]
    }
    scf.for %i = %c0 to %c40 step %c1 {
      %square = arith.muli %i, %i : index
      %row = arith.remui %square, %c40 : index
      air.channel.put @in[] (%from[%row, %c0] [%c1, %c64] [%c64, %c1]) : (memref<40x64xi32>)
      air.channel.get @out[] (%to[%i, %c0] [%c1, %c64] [%c64, %c1]) : (memref<80x64xi32>)
    }
    scf.for %i = %c0 to %c40 step %c1 {
      %square = arith.muli %i, %i : index
      %row = arith.remui %square, %c40 : index
      %at = arith.addi %i, %c40 : index
      air.channel.put @in2[] (%from2[%row, %c0] [%c1, %c64] [%c64, %c1]) : (memref<40x64xi32>)
      air.channel.get @out2[] (%to[%at, %c0] [%c1, %c64] [%c64, %c1]) : (memref<80x64xi32>)
    }
    air.wait_all [%s]
  }
  return
}
