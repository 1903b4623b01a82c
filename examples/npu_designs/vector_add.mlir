// c = a + b, 4096 numbers on a herd of 1 x 2: each core adds pieces of 256, one after the other, as
// in Appendix A of the paper.

air.channel @a [1, 2]
air.channel @b [1, 2]
air.channel @c [1, 2]

func.func @main(%a: memref<4096xi32>, %b: memref<4096xi32>, %c: memref<4096xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c)
      : memref<4096xi32>, memref<4096xi32>, memref<4096xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %half = arith.constant 2048 : index
    %0 = air.channel.put async @a[%c0, %c0] (%la[%c0] [%half] [%c1]) : (memref<4096xi32>)
    %1 = air.channel.put async @a[%c0, %c1] (%la[%half] [%half] [%c1]) : (memref<4096xi32>)
    %2 = air.channel.put async @b[%c0, %c0] (%lb[%c0] [%half] [%c1]) : (memref<4096xi32>)
    %3 = air.channel.put async @b[%c0, %c1] (%lb[%half] [%half] [%c1]) : (memref<4096xi32>)
    %4 = air.channel.get async @c[%c0, %c0] (%lc[%c0] [%half] [%c1]) : (memref<4096xi32>)
    %5 = air.channel.get async @c[%c0, %c1] (%lc[%half] [%half] [%c1]) : (memref<4096xi32>)
    %6 = air.segment @add async {
      %one = arith.constant 1 : index
      %two = arith.constant 2 : index
      air.herd @add tile (%x, %y) in (%sx = %one, %sy = %two) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %piece = arith.constant 256 : index
        %size = arith.constant 2048 : index
        scf.for %at = %h0 to %size step %piece {
          %ma = memref.alloc() : memref<256xi32, 2>
          %mb = memref.alloc() : memref<256xi32, 2>
          %mc = memref.alloc() : memref<256xi32, 2>
          air.channel.get @a[%x, %y] (%ma[] [] []) : (memref<256xi32, 2>)
          air.channel.get @b[%x, %y] (%mb[] [] []) : (memref<256xi32, 2>)
          scf.for %i = %h0 to %piece step %h1 {
            %va = memref.load %ma[%i] : memref<256xi32, 2>
            %vb = memref.load %mb[%i] : memref<256xi32, 2>
            %sum = arith.addi %va, %vb : i32
            memref.store %sum, %mc[%i] : memref<256xi32, 2>
          }
          air.channel.put @c[%x, %y] (%mc[] [] []) : (memref<256xi32, 2>)
          memref.dealloc %ma : memref<256xi32, 2>
          memref.dealloc %mb : memref<256xi32, 2>
          memref.dealloc %mc : memref<256xi32, 2>
        }
      }
    }
    air.wait_all [%0, %1, %2, %3, %4, %5, %6]
  }
  return
}
