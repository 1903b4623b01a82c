// c = a b, 32 x 32 numbers, on one core, by loops over elements: all three matrices fit its memory.

air.channel @a [1]
air.channel @b [1]
air.channel @c [1]

func.func @main(%a: memref<32x32xi32>, %b: memref<32x32xi32>, %c: memref<32x32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c)
      : memref<32x32xi32>, memref<32x32xi32>, memref<32x32xi32> {
    %0 = air.channel.put async @a[] (%la[] [] []) : (memref<32x32xi32>)
    %1 = air.channel.put async @b[] (%lb[] [] []) : (memref<32x32xi32>)
    %2 = air.channel.get async @c[] (%lc[] [] []) : (memref<32x32xi32>)
    %3 = air.segment @matmul async {
      %one = arith.constant 1 : index
      air.herd @matmul tile (%x, %y) in (%sx = %one, %sy = %one) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        %zero = arith.constant 0 : i32
        %ma = memref.alloc() : memref<32x32xi32, 2>
        %mb = memref.alloc() : memref<32x32xi32, 2>
        %mc = memref.alloc() : memref<32x32xi32, 2>
        air.channel.get @a[] (%ma[] [] []) : (memref<32x32xi32, 2>)
        air.channel.get @b[] (%mb[] [] []) : (memref<32x32xi32, 2>)
        scf.for %i = %c0 to %c32 step %c1 {
          scf.for %j = %c0 to %c32 step %c1 {
            %sum = scf.for %k = %c0 to %c32 step %c1 iter_args(%s = %zero) -> (i32) {
              %va = memref.load %ma[%i, %k] : memref<32x32xi32, 2>
              %vb = memref.load %mb[%k, %j] : memref<32x32xi32, 2>
              %p = arith.muli %va, %vb : i32
              %t = arith.addi %s, %p : i32
              scf.yield %t : i32
            }
            memref.store %sum, %mc[%i, %j] : memref<32x32xi32, 2>
          }
        }
        air.channel.put @c[] (%mc[] [] []) : (memref<32x32xi32, 2>)
        memref.dealloc %ma : memref<32x32xi32, 2>
        memref.dealloc %mb : memref<32x32xi32, 2>
        memref.dealloc %mc : memref<32x32xi32, 2>
      }
    }
    air.wait_all [%0, %1, %2, %3]
  }
  return
}
