func.func @vecadd(%m: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n=%c1) args(%a=%m) : memref<8xf32> {
    air.segment @s args(%b=%a) : memref<8xf32> {
      %c1_0 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx=%c1_0, %sy=%c1_0) args(%c=%b) : memref<8xf32> {
        %v = memref.load %c[%x] : memref<8xf32>
        memref.store %v, %c[%y] : memref<8xf32>
      }
    }
  }
  return
}
