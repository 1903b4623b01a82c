// b[i] = a[0][i] + a[1][i] + a[2][i] + a[3][i]: each core of a column has a row, and the sum goes
// through the cascade from the upper core to the lowest.

#below = affine_map<()[s0] -> (s0 - 1)>
#first = affine_set<()[s0] : (s0 - 3 == 0)>
#last = affine_set<()[s0] : (s0 == 0)>

air.channel @in [1, 4]
air.channel @partial [1, 3] {channel_type = "npu_cascade"}
air.channel @out [1]

func.func @main(%a: memref<4x64xi32>, %b: memref<64xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<4x64xi32>, memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c64 = arith.constant 64 : index
    %0 = air.channel.put async @in[%c0, %c0] (%from[%c0, %c0] [%c1, %c64] [%c64, %c1]) : (memref<4x64xi32>)
    %1 = air.channel.put async @in[%c0, %c1] (%from[%c1, %c0] [%c1, %c64] [%c64, %c1]) : (memref<4x64xi32>)
    %2 = air.channel.put async @in[%c0, %c2] (%from[%c2, %c0] [%c1, %c64] [%c64, %c1]) : (memref<4x64xi32>)
    %3 = air.channel.put async @in[%c0, %c3] (%from[%c3, %c0] [%c1, %c64] [%c64, %c1]) : (memref<4x64xi32>)
    %4 = air.channel.get async @out[] (%to[] [] []) : (memref<64xi32>)
    %5 = air.segment @cascade async {
      %one = arith.constant 1 : index
      %four = arith.constant 4 : index
      air.herd @cascade tile (%x, %y) in (%sx = %one, %sy = %four) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h64 = arith.constant 64 : index
        %mine = memref.alloc() : memref<64xi32, 2>
        air.channel.get @in[%x, %y] (%mine[] [] []) : (memref<64xi32, 2>)
        affine.if #first()[%y] {
          %to_core = affine.apply #below()[%y]
          air.channel.put @partial[%x, %to_core] (%mine[] [] []) : (memref<64xi32, 2>)
        } else {
          %sum = memref.alloc() : memref<64xi32, 2>
          air.channel.get @partial[%x, %y] (%sum[] [] []) : (memref<64xi32, 2>)
          scf.for %i = %h0 to %h64 step %h1 {
            %v = memref.load %mine[%i] : memref<64xi32, 2>
            %s = memref.load %sum[%i] : memref<64xi32, 2>
            %r = arith.addi %v, %s : i32
            memref.store %r, %sum[%i] : memref<64xi32, 2>
          }
          affine.if #last()[%y] {
            air.channel.put @out[] (%sum[] [] []) : (memref<64xi32, 2>)
          } else {
            %to_core = affine.apply #below()[%y]
            air.channel.put @partial[%x, %to_core] (%sum[] [] []) : (memref<64xi32, 2>)
          }
          memref.dealloc %sum : memref<64xi32, 2>
        }
        memref.dealloc %mine : memref<64xi32, 2>
      }
    }
    air.wait_all [%0, %1, %2, %3, %4, %5]
  }
  return
}
