// b = a, 4096 numbers, through a memory tile: nothing but two transfers and two locks.

air.channel @in [1]
air.channel @out [1]

func.func @main(%a: memref<4096xi32>, %b: memref<4096xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<4096xi32>, memref<4096xi32> {
    %0 = air.channel.put async @in[] (%from[] [] []) : (memref<4096xi32>)
    %1 = air.channel.get async @out[] (%to[] [] []) : (memref<4096xi32>)
    %2 = air.segment @passthrough async {
      %l2 = memref.alloc() : memref<4096xi32, 1>
      air.channel.get @in[] (%l2[] [] []) : (memref<4096xi32, 1>)
      air.channel.put @out[] (%l2[] [] []) : (memref<4096xi32, 1>)
      memref.dealloc %l2 : memref<4096xi32, 1>
    }
    air.wait_all [%0, %1, %2]
  }
  return
}
