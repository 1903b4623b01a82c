// b = transpose of a (64 x 32 numbers): the memory tile sends its columns, one number after 32.

air.channel @in [1]
air.channel @out [1]

func.func @main(%a: memref<64x32xi32>, %b: memref<32x64xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<64x32xi32>, memref<32x64xi32> {
    %0 = air.channel.put async @in[] (%from[] [] []) : (memref<64x32xi32>)
    %1 = air.channel.get async @out[] (%to[] [] []) : (memref<32x64xi32>)
    %2 = air.segment @transpose async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %l2 = memref.alloc() : memref<64x32xi32, 1>
      air.channel.get @in[] (%l2[] [] []) : (memref<64x32xi32, 1>)
      air.channel.put @out[] (%l2[%c0, %c0] [%c32, %c64] [%c1, %c32]) : (memref<64x32xi32, 1>)
      memref.dealloc %l2 : memref<64x32xi32, 1>
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
