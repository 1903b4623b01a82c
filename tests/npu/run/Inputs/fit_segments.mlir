air.channel @i [1]
air.channel @m [1]
air.channel @o [1]
func.func @main(%x: memref<32xi32>, %y: memref<32xi32>) {
  air.launch () in () args(%p=%x, %q=%y) : memref<32xi32>, memref<32xi32> {
    %0 = air.channel.put async @i[] (%p[] [] []) : (memref<32xi32>)
    %1 = air.channel.get async @o[] (%q[] [] []) : (memref<32xi32>)
    %2 = air.segment @a async {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx=%c1, %sy=%c1) {
        %b = memref.alloc() : memref<32xi32, 2>
        air.channel.get @i[] (%b[] [] []) : (memref<32xi32, 2>)
        linalg.add ins(%b, %b : memref<32xi32, 2>, memref<32xi32, 2>) outs(%b : memref<32xi32, 2>)
        air.channel.put @m[] (%b[] [] []) : (memref<32xi32, 2>)
        memref.dealloc %b : memref<32xi32, 2>
      }
    }
    %3 = air.segment @b async {
      %c1 = arith.constant 1 : index
      air.herd @g tile (%tx, %ty) in (%sx=%c1, %sy=%c1) {
        %b = memref.alloc() : memref<32xi32, 2>
        air.channel.get @m[] (%b[] [] []) : (memref<32xi32, 2>)
        linalg.mul ins(%b, %b : memref<32xi32, 2>, memref<32xi32, 2>) outs(%b : memref<32xi32, 2>)
        air.channel.put @o[] (%b[] [] []) : (memref<32xi32, 2>)
        memref.dealloc %b : memref<32xi32, 2>
      }
    }
  }
  return
}
