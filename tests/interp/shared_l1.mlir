// L1 memory that the cores of a herd share: the reader comes when the writer is through, in any schedule.
// RUN: airlite-run %s --function=turns --on=interp --init=random:1 --schedules=50
// RUN: airlite-run %s --function=turns --on=interp --init=random:1 --output 0=%t.npy
// RUN: airlite-run %s --function=turns --on=interp --init=random:1 --expect 0=%t.npy --seed=9

// Each core has its own where it reads what it has written itself.
// RUN: airlite-run %s --function=own --on=interp --init=random:1 --schedules=50

// The writer waits for what the reader does after its turn.
// RUN: not airlite-run %s --function=circle --on=interp 2>&1 | FileCheck %s --check-prefix=CIRCLE
// CIRCLE: error: deadlock: 'air.channel.get' of '@back' in instance [0, 0] waits for a put
func.func @turns(%a: memref<4xi32>) {
  air.launch () in () args(%b = %a) : memref<4xi32> {
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %m = memref.alloc() : memref<1xi32, 2>
    air.herd tile (%x, %y) in (%sx = %one, %sy = %two) args(%s = %m, %c = %b) : memref<1xi32, 2>, memref<4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %first = arith.cmpi eq, %y, %c0 : index
      scf.if %first {
        scf.for %i = %c0 to %c4 step %c1 {
          %v = arith.index_cast %i : index to i32
          memref.store %v, %s[%c0] : memref<1xi32, 2>
        }
      } else {
        scf.for %i = %c0 to %c4 step %c1 {
          %v = memref.load %s[%c0] : memref<1xi32, 2>
          memref.store %v, %c[%i] : memref<4xi32>
        }
      }
    }
  }
  return
}

func.func @own(%a: memref<2xi32>) {
  air.launch () in () args(%b = %a) : memref<2xi32> {
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %m = memref.alloc() : memref<1xi32, 2>
    air.herd tile (%x, %y) in (%sx = %one, %sy = %two) args(%s = %m, %c = %b) : memref<1xi32, 2>, memref<2xi32> {
      %c0 = arith.constant 0 : index
      %v = arith.index_cast %y : index to i32
      memref.store %v, %s[%c0] : memref<1xi32, 2>
      %w = memref.load %s[%c0] : memref<1xi32, 2>
      memref.store %w, %c[%y] : memref<2xi32>
    }
  }
  return
}

air.channel @back []
func.func @circle() {
  air.segment @s {
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %m = memref.alloc() : memref<1xi32, 2>
    air.herd tile (%x, %y) in (%sx = %one, %sy = %two) args(%s = %m) : memref<1xi32, 2> {
      %c0 = arith.constant 0 : index
      %l = memref.alloc() : memref<1xi32, 2>
      %first = arith.cmpi eq, %y, %c0 : index
      scf.if %first {
        air.channel.get @back[] (%l[] [] []) : (memref<1xi32, 2>)
        %v = memref.load %l[%c0] : memref<1xi32, 2>
        memref.store %v, %s[%c0] : memref<1xi32, 2>
      } else {
        %v = memref.load %s[%c0] : memref<1xi32, 2>
        memref.store %v, %l[%c0] : memref<1xi32, 2>
        air.channel.put @back[] (%l[] [] []) : (memref<1xi32, 2>)
      }
    }
  }
  return
}
