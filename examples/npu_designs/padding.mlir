// b = a (12 x 14) with zeros around it: a row above and below, two columns on the left, four on the
// right. The memory tile adds them as it sends.

air.channel @in [1]
air.channel @out [1]

func.func @main(%a: memref<12x14xi32>, %b: memref<14x20xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<12x14xi32>, memref<14x20xi32> {
    %0 = air.channel.put async @in[] (%from[] [] []) : (memref<12x14xi32>)
    %1 = air.channel.get async @out[] (%to[] [] []) : (memref<14x20xi32>)
    %2 = air.segment @padding async {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c12 = arith.constant 12 : index
      %c14 = arith.constant 14 : index
      %l2 = memref.alloc() : memref<12x14xi32, 1>
      air.channel.get @in[] (%l2[] [] []) : (memref<12x14xi32, 1>)
      air.channel.put @out[] (%l2[%c0, %c0] [%c12, %c14] [%c14, %c1])
          {pad_before = array<i32: 1, 2>, pad_after = array<i32: 1, 4>} : (memref<12x14xi32, 1>)
      memref.dealloc %l2 : memref<12x14xi32, 1>
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
