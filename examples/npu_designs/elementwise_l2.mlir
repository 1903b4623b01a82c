// b = max(3 a - 5, 0), 4096 numbers: a goes to a memory tile, which deals it to four cores of a
// column and collects what they make. The cores take pieces of 256.

air.channel @in [1]
air.channel @part [1, 4]
air.channel @made [1, 4]
air.channel @out [1]

func.func @main(%a: memref<4096xi32>, %b: memref<4096xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<4096xi32>, memref<4096xi32> {
    %0 = air.channel.put async @in[] (%from[] [] []) : (memref<4096xi32>)
    %1 = air.channel.get async @out[] (%to[] [] []) : (memref<4096xi32>)
    %2 = air.segment @elementwise async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c1024 = arith.constant 1024 : index
      %c2048 = arith.constant 2048 : index
      %c3072 = arith.constant 3072 : index
      %l2 = memref.alloc() : memref<4096xi32, 1>
      %r2 = memref.alloc() : memref<4096xi32, 1>
      air.channel.get @in[] (%l2[] [] []) : (memref<4096xi32, 1>)
      %3 = air.channel.put async @part[%c0, %c0] (%l2[%c0] [%c1024] [%c1]) : (memref<4096xi32, 1>)
      %4 = air.channel.put async @part[%c0, %c1] (%l2[%c1024] [%c1024] [%c1]) : (memref<4096xi32, 1>)
      %5 = air.channel.put async @part[%c0, %c2] (%l2[%c2048] [%c1024] [%c1]) : (memref<4096xi32, 1>)
      %6 = air.channel.put async @part[%c0, %c3] (%l2[%c3072] [%c1024] [%c1]) : (memref<4096xi32, 1>)
      %7 = air.herd @elementwise async tile (%x, %y) in (%sx = %c1, %sy = %c4) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h256 = arith.constant 256 : index
        %h1024 = arith.constant 1024 : index
        %zero = arith.constant 0 : i32
        %three = arith.constant 3 : i32
        %five = arith.constant 5 : i32
        scf.for %at = %h0 to %h1024 step %h256 {
          %ma = memref.alloc() : memref<256xi32, 2>
          %mb = memref.alloc() : memref<256xi32, 2>
          air.channel.get @part[%x, %y] (%ma[] [] []) : (memref<256xi32, 2>)
          scf.for %i = %h0 to %h256 step %h1 {
            %v = memref.load %ma[%i] : memref<256xi32, 2>
            %scaled = arith.muli %v, %three : i32
            %moved = arith.subi %scaled, %five : i32
            %r = arith.maxsi %moved, %zero : i32
            memref.store %r, %mb[%i] : memref<256xi32, 2>
          }
          air.channel.put @made[%x, %y] (%mb[] [] []) : (memref<256xi32, 2>)
          memref.dealloc %ma : memref<256xi32, 2>
          memref.dealloc %mb : memref<256xi32, 2>
        }
      }
      %8 = air.channel.get async @made[%c0, %c0] (%r2[%c0] [%c1024] [%c1]) : (memref<4096xi32, 1>)
      %9 = air.channel.get async @made[%c0, %c1] (%r2[%c1024] [%c1024] [%c1]) : (memref<4096xi32, 1>)
      %10 = air.channel.get async @made[%c0, %c2] (%r2[%c2048] [%c1024] [%c1]) : (memref<4096xi32, 1>)
      %11 = air.channel.get async @made[%c0, %c3] (%r2[%c3072] [%c1024] [%c1]) : (memref<4096xi32, 1>)
      %12 = air.channel.put async [%8, %9, %10, %11] @out[] (%r2[] [] []) : (memref<4096xi32, 1>)
      air.wait_all [%3, %4, %5, %6, %7, %12]
      memref.dealloc %l2 : memref<4096xi32, 1>
      memref.dealloc %r2 : memref<4096xi32, 1>
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
