// RUN: airlite-opt %s --split-input-file --verify-diagnostics --air-to-aie='device=npu1 row-offset=2 col-offset=0 emit-while-loop=true lock-parameters=true'

// The host would have to write both at once.
func.func @two(%n: index) {
  %c1 = arith.constant 1 : index
  air.launch () in () args(%a = %n) : index {
    air.segment @s args(%b = %a) : index {
      %one = arith.constant 1 : index
      air.herd @g tile (%x, %y) in (%sx = %one, %sy = %one) args(%i = %b) : index {
        %m = memref.alloc() : memref<8xindex, 2>
        memref.store %i, %m[%x] : memref<8xindex, 2>
      }
      // expected-error@+1 {{not supported: numbers of the host for a second herd of a core (give one of them another place, or one herd both bodies)}}
      air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) args(%i = %b) : index {
        %m = memref.alloc() : memref<8xindex, 2>
        memref.store %i, %m[%x] : memref<8xindex, 2>
      }
    }
  }
  return
}

// -----

// The host does not know in which run the core is.
func.func @changing() {
  air.launch () in () {
    air.segment @s {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      // expected-note@+1 {{it comes from here}}
      scf.for %k = %c0 to %c4 step %c1 {
        // expected-error@+1 {{not supported: a number that changes from run to run of a loop in the segment (air-sink-loops-into-herds brings the loop into the herd)}}
        air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%i = %k) : index {
          %m = memref.alloc() : memref<8xindex, 2>
          memref.store %i, %m[%x] : memref<8xindex, 2>
        }
      }
    }
  }
  return
}
