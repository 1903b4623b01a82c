// b = 3 a + 7 on two herds in a pipeline: the first multiplies and sends each piece of 128 numbers
// to the second, from core to core, which adds while the first is at its next piece.

air.channel @in [1]
air.channel @between [1]
air.channel @out [1]

func.func @main(%a: memref<1024xi32>, %b: memref<1024xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<1024xi32>, memref<1024xi32> {
    %0 = air.channel.put async @in[] (%from[] [] []) : (memref<1024xi32>)
    %1 = air.channel.get async @out[] (%to[] [] []) : (memref<1024xi32>)
    %2 = air.segment @two_herds async {
      %c1 = arith.constant 1 : index
      %3 = air.herd @multiply async tile (%x, %y) in (%sx = %c1, %sy = %c1)
          attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h128 = arith.constant 128 : index
        %h1024 = arith.constant 1024 : index
        %three = arith.constant 3 : i32
        scf.for %at = %h0 to %h1024 step %h128 {
          %ma = memref.alloc() : memref<128xi32, 2>
          %mb = memref.alloc() : memref<128xi32, 2>
          air.channel.get @in[] (%ma[] [] []) : (memref<128xi32, 2>)
          scf.for %i = %h0 to %h128 step %h1 {
            %v = memref.load %ma[%i] : memref<128xi32, 2>
            %r = arith.muli %v, %three : i32
            memref.store %r, %mb[%i] : memref<128xi32, 2>
          }
          air.channel.put @between[] (%mb[] [] []) : (memref<128xi32, 2>)
          memref.dealloc %ma : memref<128xi32, 2>
          memref.dealloc %mb : memref<128xi32, 2>
        }
      }
      %4 = air.herd @add async tile (%x, %y) in (%sx = %c1, %sy = %c1)
          attributes {x_loc = 1 : i64, y_loc = 2 : i64} {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h128 = arith.constant 128 : index
        %h1024 = arith.constant 1024 : index
        %seven = arith.constant 7 : i32
        scf.for %at = %h0 to %h1024 step %h128 {
          %ma = memref.alloc() : memref<128xi32, 2>
          %mb = memref.alloc() : memref<128xi32, 2>
          air.channel.get @between[] (%ma[] [] []) : (memref<128xi32, 2>)
          scf.for %i = %h0 to %h128 step %h1 {
            %v = memref.load %ma[%i] : memref<128xi32, 2>
            %r = arith.addi %v, %seven : i32
            memref.store %r, %mb[%i] : memref<128xi32, 2>
          }
          air.channel.put @out[] (%mb[] [] []) : (memref<128xi32, 2>)
          memref.dealloc %ma : memref<128xi32, 2>
          memref.dealloc %mb : memref<128xi32, 2>
        }
      }
      air.wait_all [%3, %4]
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
