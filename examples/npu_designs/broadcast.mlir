// b[y][i] = a[i] + y: one stream goes to the four cores of a column; each adds its row number. The
// rows are collected on the memory tile.

air.channel @in [1, 1] {broadcast_shape = [1, 4]}
air.channel @row [1, 4]
air.channel @out [1]

func.func @main(%a: memref<256xi32>, %b: memref<4x256xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<256xi32>, memref<4x256xi32> {
    %0 = air.channel.put async @in[] (%from[] [] []) : (memref<256xi32>)
    %1 = air.channel.get async @out[] (%to[] [] []) : (memref<4x256xi32>)
    %2 = air.segment @broadcast async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c256 = arith.constant 256 : index
      %l2 = memref.alloc() : memref<4x256xi32, 1>
      %3 = air.herd @broadcast async tile (%x, %y) in (%sx = %c1, %sy = %c4) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h256 = arith.constant 256 : index
        %ma = memref.alloc() : memref<256xi32, 2>
        %mb = memref.alloc() : memref<256xi32, 2>
        air.channel.get @in[%x, %y] (%ma[] [] []) : (memref<256xi32, 2>)
        %number = arith.index_cast %y : index to i32
        scf.for %i = %h0 to %h256 step %h1 {
          %v = memref.load %ma[%i] : memref<256xi32, 2>
          %r = arith.addi %v, %number : i32
          memref.store %r, %mb[%i] : memref<256xi32, 2>
        }
        air.channel.put @row[%x, %y] (%mb[] [] []) : (memref<256xi32, 2>)
        memref.dealloc %ma : memref<256xi32, 2>
        memref.dealloc %mb : memref<256xi32, 2>
      }
      %4 = air.channel.get async @row[%c0, %c0] (%l2[%c0, %c0] [%c1, %c256] [%c256, %c1]) : (memref<4x256xi32, 1>)
      %5 = air.channel.get async @row[%c0, %c1] (%l2[%c1, %c0] [%c1, %c256] [%c256, %c1]) : (memref<4x256xi32, 1>)
      %6 = air.channel.get async @row[%c0, %c2] (%l2[%c2, %c0] [%c1, %c256] [%c256, %c1]) : (memref<4x256xi32, 1>)
      %7 = air.channel.get async @row[%c0, %c3] (%l2[%c3, %c0] [%c1, %c256] [%c256, %c1]) : (memref<4x256xi32, 1>)
      %8 = air.channel.put async [%4, %5, %6, %7] @out[] (%l2[] [] []) : (memref<4x256xi32, 1>)
      air.wait_all [%3, %8]
      memref.dealloc %l2 : memref<4x256xi32, 1>
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
