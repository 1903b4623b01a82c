// c = a b, 32 x 32 numbers, on 4 x 4 cores, by loops over elements. Core (x, y) computes 8 x 8 numbers:
// row block y of a goes to all cores with that y, column block x of b to all with that x. The memory
// tiles collect c, one for each x.

air.channel @a [1, 4] {broadcast_shape = [4, 4]}
air.channel @b [4, 1] {broadcast_shape = [4, 4]}
air.channel @c [4, 4]
air.channel @block [4]

func.func @main(%a: memref<32x32xi32>, %b: memref<32x32xi32>, %c: memref<32x32xi32>) {
  air.launch () in () args(%la = %a, %lb = %b, %lc = %c)
      : memref<32x32xi32>, memref<32x32xi32>, memref<32x32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c24 = arith.constant 24 : index
    %c32 = arith.constant 32 : index
    %0 = air.channel.put async @a[%c0, %c0] (%la[%c0, %c0] [%c8, %c32] [%c32, %c1]) : (memref<32x32xi32>)
    %1 = air.channel.put async @a[%c0, %c1] (%la[%c8, %c0] [%c8, %c32] [%c32, %c1]) : (memref<32x32xi32>)
    %2 = air.channel.put async @a[%c0, %c2] (%la[%c16, %c0] [%c8, %c32] [%c32, %c1]) : (memref<32x32xi32>)
    %3 = air.channel.put async @a[%c0, %c3] (%la[%c24, %c0] [%c8, %c32] [%c32, %c1]) : (memref<32x32xi32>)
    %4 = air.channel.put async @b[%c0, %c0] (%lb[%c0, %c0] [%c32, %c8] [%c32, %c1]) : (memref<32x32xi32>)
    %5 = air.channel.put async @b[%c1, %c0] (%lb[%c0, %c8] [%c32, %c8] [%c32, %c1]) : (memref<32x32xi32>)
    %6 = air.channel.put async @b[%c2, %c0] (%lb[%c0, %c16] [%c32, %c8] [%c32, %c1]) : (memref<32x32xi32>)
    %7 = air.channel.put async @b[%c3, %c0] (%lb[%c0, %c24] [%c32, %c8] [%c32, %c1]) : (memref<32x32xi32>)
    %8 = air.channel.get async @block[%c0] (%lc[%c0, %c0] [%c32, %c8] [%c32, %c1]) : (memref<32x32xi32>)
    %9 = air.channel.get async @block[%c1] (%lc[%c0, %c8] [%c32, %c8] [%c32, %c1]) : (memref<32x32xi32>)
    %10 = air.channel.get async @block[%c2] (%lc[%c0, %c16] [%c32, %c8] [%c32, %c1]) : (memref<32x32xi32>)
    %11 = air.channel.get async @block[%c3] (%lc[%c0, %c24] [%c32, %c8] [%c32, %c1]) : (memref<32x32xi32>)
    %12 = air.segment @matmul async {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      %s3 = arith.constant 3 : index
      %s4 = arith.constant 4 : index
      %s8 = arith.constant 8 : index
      %s16 = arith.constant 16 : index
      %s24 = arith.constant 24 : index
      %13 = air.herd @matmul async tile (%x, %y) in (%sx = %s4, %sy = %s4) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h8 = arith.constant 8 : index
        %h32 = arith.constant 32 : index
        %zero = arith.constant 0 : i32
        %ma = memref.alloc() : memref<8x32xi32, 2>
        %mb = memref.alloc() : memref<32x8xi32, 2>
        %mc = memref.alloc() : memref<8x8xi32, 2>
        air.channel.get @a[%x, %y] (%ma[] [] []) : (memref<8x32xi32, 2>)
        air.channel.get @b[%x, %y] (%mb[] [] []) : (memref<32x8xi32, 2>)
        scf.for %i = %h0 to %h8 step %h1 {
          scf.for %j = %h0 to %h8 step %h1 {
            %sum = scf.for %k = %h0 to %h32 step %h1 iter_args(%s = %zero) -> (i32) {
              %va = memref.load %ma[%i, %k] : memref<8x32xi32, 2>
              %vb = memref.load %mb[%k, %j] : memref<32x8xi32, 2>
              %p = arith.muli %va, %vb : i32
              %t = arith.addi %s, %p : i32
              scf.yield %t : i32
            }
            memref.store %sum, %mc[%i, %j] : memref<8x8xi32, 2>
          }
        }
        air.channel.put @c[%x, %y] (%mc[] [] []) : (memref<8x8xi32, 2>)
        memref.dealloc %ma : memref<8x32xi32, 2>
        memref.dealloc %mb : memref<32x8xi32, 2>
        memref.dealloc %mc : memref<8x8xi32, 2>
      }
      %l0 = memref.alloc() : memref<32x8xi32, 1>
      %14 = air.channel.get async @c[%s0, %s0] (%l0[%s0, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %15 = air.channel.get async @c[%s0, %s1] (%l0[%s8, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %16 = air.channel.get async @c[%s0, %s2] (%l0[%s16, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %17 = air.channel.get async @c[%s0, %s3] (%l0[%s24, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %18 = air.channel.put async [%14, %15, %16, %17] @block[%s0] (%l0[] [] []) : (memref<32x8xi32, 1>)
      %l1 = memref.alloc() : memref<32x8xi32, 1>
      %19 = air.channel.get async @c[%s1, %s0] (%l1[%s0, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %20 = air.channel.get async @c[%s1, %s1] (%l1[%s8, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %21 = air.channel.get async @c[%s1, %s2] (%l1[%s16, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %22 = air.channel.get async @c[%s1, %s3] (%l1[%s24, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %23 = air.channel.put async [%19, %20, %21, %22] @block[%s1] (%l1[] [] []) : (memref<32x8xi32, 1>)
      %l2 = memref.alloc() : memref<32x8xi32, 1>
      %24 = air.channel.get async @c[%s2, %s0] (%l2[%s0, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %25 = air.channel.get async @c[%s2, %s1] (%l2[%s8, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %26 = air.channel.get async @c[%s2, %s2] (%l2[%s16, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %27 = air.channel.get async @c[%s2, %s3] (%l2[%s24, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %28 = air.channel.put async [%24, %25, %26, %27] @block[%s2] (%l2[] [] []) : (memref<32x8xi32, 1>)
      %l3 = memref.alloc() : memref<32x8xi32, 1>
      %29 = air.channel.get async @c[%s3, %s0] (%l3[%s0, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %30 = air.channel.get async @c[%s3, %s1] (%l3[%s8, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %31 = air.channel.get async @c[%s3, %s2] (%l3[%s16, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %32 = air.channel.get async @c[%s3, %s3] (%l3[%s24, %s0] [%s8, %s8] [%s8, %s1]) : (memref<32x8xi32, 1>)
      %33 = air.channel.put async [%29, %30, %31, %32] @block[%s3] (%l3[] [] []) : (memref<32x8xi32, 1>)
      air.wait_all [%13, %18, %23, %28, %33]
      memref.dealloc %l0 : memref<32x8xi32, 1>
      memref.dealloc %l1 : memref<32x8xi32, 1>
      memref.dealloc %l2 : memref<32x8xi32, 1>
      memref.dealloc %l3 : memref<32x8xi32, 1>
    }
    air.wait_all [%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12]
  }
  return
}
