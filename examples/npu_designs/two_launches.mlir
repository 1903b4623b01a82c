// t = a + 1, then b = t * t: two launches, one after the other, with memory of the host between them.

air.channel @in1 [1]
air.channel @out1 [1]
air.channel @in2 [1]
air.channel @out2 [1]

func.func @main(%a: memref<512xi32>, %t: memref<512xi32>, %b: memref<512xi32>) {
  air.launch () in () args(%from = %a, %to = %t) : memref<512xi32>, memref<512xi32> {
    %0 = air.channel.put async @in1[] (%from[] [] []) : (memref<512xi32>)
    %1 = air.channel.get async @out1[] (%to[] [] []) : (memref<512xi32>)
    %2 = air.segment @add_one async {
      %one = arith.constant 1 : index
      air.herd @add_one tile (%x, %y) in (%sx = %one, %sy = %one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c512 = arith.constant 512 : index
        %number = arith.constant 1 : i32
        %ma = memref.alloc() : memref<512xi32, 2>
        %mb = memref.alloc() : memref<512xi32, 2>
        air.channel.get @in1[] (%ma[] [] []) : (memref<512xi32, 2>)
        scf.for %i = %c0 to %c512 step %c1 {
          %v = memref.load %ma[%i] : memref<512xi32, 2>
          %r = arith.addi %v, %number : i32
          memref.store %r, %mb[%i] : memref<512xi32, 2>
        }
        air.channel.put @out1[] (%mb[] [] []) : (memref<512xi32, 2>)
        memref.dealloc %ma : memref<512xi32, 2>
        memref.dealloc %mb : memref<512xi32, 2>
      }
    }
    air.wait_all [%0, %1, %2]
  }
  air.launch () in () args(%from = %t, %to = %b) : memref<512xi32>, memref<512xi32> {
    %0 = air.channel.put async @in2[] (%from[] [] []) : (memref<512xi32>)
    %1 = air.channel.get async @out2[] (%to[] [] []) : (memref<512xi32>)
    %2 = air.segment @square async {
      %one = arith.constant 1 : index
      air.herd @square tile (%x, %y) in (%sx = %one, %sy = %one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c512 = arith.constant 512 : index
        %ma = memref.alloc() : memref<512xi32, 2>
        %mb = memref.alloc() : memref<512xi32, 2>
        air.channel.get @in2[] (%ma[] [] []) : (memref<512xi32, 2>)
        scf.for %i = %c0 to %c512 step %c1 {
          %v = memref.load %ma[%i] : memref<512xi32, 2>
          %r = arith.muli %v, %v : i32
          memref.store %r, %mb[%i] : memref<512xi32, 2>
        }
        air.channel.put @out2[] (%mb[] [] []) : (memref<512xi32, 2>)
        memref.dealloc %ma : memref<512xi32, 2>
        memref.dealloc %mb : memref<512xi32, 2>
      }
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
