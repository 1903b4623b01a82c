// b[y][i] = a[i] * (y + 1): the rows come from four cores as packets, which may share the wires to
// the memory tile that collects them.

air.channel @in [1, 1] {broadcast_shape = [1, 4]}
air.channel @row [1, 4] {channel_type = "npu_dma_packet"}
air.channel @out [1]

func.func @main(%a: memref<64xi32>, %b: memref<4x64xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<64xi32>, memref<4x64xi32> {
    %0 = air.channel.put async @in[] (%from[] [] []) : (memref<64xi32>)
    %1 = air.channel.get async @out[] (%to[] [] []) : (memref<4x64xi32>)
    %2 = air.segment @packet_gather async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c64 = arith.constant 64 : index
      %l2 = memref.alloc() : memref<4x64xi32, 1>
      %3 = air.herd @packet_gather async tile (%x, %y) in (%sx = %c1, %sy = %c4) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h64 = arith.constant 64 : index
        %ma = memref.alloc() : memref<64xi32, 2>
        %mb = memref.alloc() : memref<64xi32, 2>
        air.channel.get @in[%x, %y] (%ma[] [] []) : (memref<64xi32, 2>)
        %next = arith.addi %y, %h1 : index
        %factor = arith.index_cast %next : index to i32
        scf.for %i = %h0 to %h64 step %h1 {
          %v = memref.load %ma[%i] : memref<64xi32, 2>
          %r = arith.muli %v, %factor : i32
          memref.store %r, %mb[%i] : memref<64xi32, 2>
        }
        air.channel.put @row[%x, %y] (%mb[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %ma : memref<64xi32, 2>
        memref.dealloc %mb : memref<64xi32, 2>
      }
      %4 = air.channel.get async @row[%c0, %c0] (%l2[%c0, %c0] [%c1, %c64] [%c64, %c1]) : (memref<4x64xi32, 1>)
      %5 = air.channel.get async @row[%c0, %c1] (%l2[%c1, %c0] [%c1, %c64] [%c64, %c1]) : (memref<4x64xi32, 1>)
      %6 = air.channel.get async @row[%c0, %c2] (%l2[%c2, %c0] [%c1, %c64] [%c64, %c1]) : (memref<4x64xi32, 1>)
      %7 = air.channel.get async @row[%c0, %c3] (%l2[%c3, %c0] [%c1, %c64] [%c64, %c1]) : (memref<4x64xi32, 1>)
      %8 = air.channel.put async [%4, %5, %6, %7] @out[] (%l2[] [] []) : (memref<4x64xi32, 1>)
      air.wait_all [%3, %8]
      memref.dealloc %l2 : memref<4x64xi32, 1>
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
