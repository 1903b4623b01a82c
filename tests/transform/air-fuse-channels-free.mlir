// RUN: airlite-opt %s --check-each --air-fuse-channels=aggressive-mode=L3 --air-verify-program | FileCheck %s

// On neither end an order is stated. The first transfer is done in any case, so that the others can
// wait for it; the third waits for the second, which is done then as well.
// CHECK: air.channel @a []
// CHECK-NOT: air.channel @
// CHECK-LABEL: func.func @free
// CHECK: %[[P:.*]] = air.channel.put async [%{{.*}}] @a[]
// CHECK: %[[Q:.*]] = air.channel.put async [%[[P]]] @a[]
// CHECK: %[[R:.*]] = air.channel.put async [%{{.*}}] @a[]
// CHECK: air.segment
// CHECK: %[[G:.*]] = air.channel.get async @a[]
// CHECK: %[[H:.*]] = air.channel.get async [%[[G]]] @a[]
// CHECK: air.channel.get async [%{{.*}}] @a[]
air.channel @a []
air.channel @b []
air.channel @c []
func.func @free(%m: memref<3xi32>, %n: memref<3xi32>) {
  air.launch () in () args(%x = %m, %y = %n) : memref<3xi32>, memref<3xi32> {
    %t, %s = air.execute -> (memref<1xi32>) {
      %alloc = memref.alloc() : memref<1xi32>
      air.execute_terminator %alloc : memref<1xi32>
    }
    %w = air.execute [%t] {
      %c0 = arith.constant 0 : index
      %v = arith.constant 7 : i32
      memref.store %v, %s[%c0] : memref<1xi32>
    }
    %p = air.channel.put async [%w] @a[] (%s[] [] []) : (memref<1xi32>)
    %q = air.channel.put async @b[] (%x[1] [1] [1]) : (memref<3xi32>)
    %r = air.channel.put async @c[] (%x[2] [1] [1]) : (memref<3xi32>)
    %h = air.segment @s async args(%z = %y) : memref<3xi32> {
      %e = air.channel.get async @a[] (%z[0] [1] [1]) : (memref<3xi32>)
      %f = air.channel.get async @b[] (%z[1] [1] [1]) : (memref<3xi32>)
      %g = air.channel.get async @c[] (%z[2] [1] [1]) : (memref<3xi32>)
      air.wait_all [%e, %f, %g]
    }
    air.wait_all [%p, %q, %r, %h]
  }
  return
}
