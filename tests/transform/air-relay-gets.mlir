// RUN: airlite-opt %s --air-relay-gets --check-each --remarks 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t
// RUN: airlite-opt %s --air-relay-gets --air-verify-program --emit=none
// RUN: airlite-opt %s --air-relay-gets='most=3' | FileCheck %s --check-prefix=MOST

// The segment takes in the order of the core, in its loop.
// CHECK: air.channel @channel_0 [2, 1]
// CHECK-LABEL: func.func @relayed
// CHECK-COUNT-6: memref.alloc() : memref<4xi32, 1>
// CHECK: air.herd @senders async
// For core 0, then for core 1.
// CHECK: %[[T:.*]] = air.wait_all async
// CHECK: scf.for {{.*}} iter_args(%[[D:.*]] = %[[T]])
// CHECK: %[[G:.*]] = air.channel.get async [%[[D]]] @a[%{{.*}}, %[[X0:.*]]] (%[[M:.*]][] [] [])
// CHECK: %[[P:.*]] = air.channel.put async [%[[G]]] @channel_0[%{{.*}}, %{{.*}}] (%[[M]][] [] [])
// CHECK: air.channel.get async [%[[P]]] @a
// CHECK-COUNT-2: air.channel.put async {{.*}}@channel_0
// CHECK: scf.yield
// CHECK: scf.for
// CHECK-COUNT-3: air.channel.put async {{.*}}@channel_0
// CHECK: air.herd @takers async tile (%[[X:.*]], %[[Y:.*]]) in
// CHECK-COUNT-3: air.channel.get @channel_0[%[[X]], %[[Y]]]
// CHECK: air.wait_all [
// CHECK-COUNT-6: memref.dealloc
// MOST-NOT: air.channel @channel_0
air.channel @a [3, 2]
func.func @relayed() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %0 = air.herd @senders async tile (%x, %y) in (%sx = %c3, %sy = %c1) {
        %c0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %z = arith.constant 1 : i32
        %m = memref.alloc() : memref<4xi32, 2>
        linalg.fill ins(%z : i32) outs(%m : memref<4xi32, 2>)
        scf.for %i = %c0 to %h2 step %h1 {
          air.channel.put @a[%x, %c0] (%m[] [] []) : (memref<4xi32, 2>)
          air.channel.put @a[%x, %h1] (%m[] [] []) : (memref<4xi32, 2>)
        }
      }
      %1 = air.herd @takers async tile (%x, %y) in (%sx = %c2, %sy = %c1) {
        %c0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %m = memref.alloc() : memref<4xi32, 2>
        scf.for %i = %c0 to %h2 step %h1 {
          air.channel.get @a[%c0, %x] (%m[] [] []) : (memref<4xi32, 2>)
          air.channel.get @a[%h1, %x] (%m[] [] []) : (memref<4xi32, 2>)
          air.channel.get @a[%h2, %x] (%m[] [] []) : (memref<4xi32, 2>)
        }
      }
      air.wait_all [%0, %1]
    }
  }
  return
}

// The first core gets at once what the others send. The segment takes all of it in any order, and hands it on in the core's.
// CHECK-LABEL: func.func @gathered
// CHECK-COUNT-3: memref.alloc() : memref<4xi32, 1>
// CHECK: %[[T:.*]] = air.wait_all async
// CHECK: %[[G1:.*]] = air.channel.get async [%[[T]]] @c
// CHECK: %[[R1:.*]] = air.wait_all async [%[[T]], %[[G1]]]
// CHECK: %[[P1:.*]] = air.channel.put async [%[[R1]]] @channel_1
// CHECK: %[[G2:.*]] = air.channel.get async [%[[T]]] @c
// CHECK: %[[R2:.*]] = air.wait_all async {{.*}}%[[P1]]{{.*}}
// CHECK: air.channel.put async [%[[R2]]] @channel_1
// CHECK: air.channel.get async [%[[T]]] @c
// CHECK: air.channel.put async {{.*}} @channel_1
// CHECK-NOT: air.channel.put async {{.*}} @channel_1
// CHECK: air.herd @h
// CHECK: %[[C1:.*]] = air.channel.get async @channel_1[
// CHECK: air.wait_all [%[[C1]]]
air.channel @c [4]
func.func @gathered() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      air.herd @h tile (%x, %y) in (%sx = %c4, %sy = %c1) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %h3 = arith.constant 3 : index
        %z = arith.constant 1 : i32
        %m0 = memref.alloc() : memref<4xi32, 2>
        %is = arith.cmpi eq, %x, %h0 : index
        scf.if %is {
          %m1 = memref.alloc() : memref<4xi32, 2>
          %m2 = memref.alloc() : memref<4xi32, 2>
          %next = arith.addi %x, %h1 : index
          %t0 = air.channel.get async @c[%next] (%m0[] [] []) : (memref<4xi32, 2>)
          %t1 = air.channel.get async @c[%h2] (%m1[] [] []) : (memref<4xi32, 2>)
          %t2 = air.channel.get async @c[%h3] (%m2[] [] []) : (memref<4xi32, 2>)
          air.wait_all [%t0, %t1, %t2]
        } else {
          linalg.fill ins(%z : i32) outs(%m0 : memref<4xi32, 2>)
          air.channel.put @c[%x] (%m0[] [] []) : (memref<4xi32, 2>)
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @declined
// CHECK-NOT: @channel_2
// REMARK: [[#@LINE+20]]:12: remark: [air-relay-gets] stays: a condition of a get is not decided by ids
air.channel @b [3, 1]
func.func @declined() {
  air.launch () in () {
    air.segment @s {
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %0 = air.herd @senders async tile (%x, %y) in (%sx = %c3, %sy = %c1) {
        %c0 = arith.constant 0 : index
        %h2 = arith.constant 2 : index
        %z = arith.constant 1 : i32
        %m = memref.alloc() : memref<4xi32, 2>
        linalg.fill ins(%z : i32) outs(%m : memref<4xi32, 2>)
        %is = arith.cmpi slt, %x, %h2 : index
        scf.if %is {
          air.channel.put @b[%x, %c0] (%m[] [] []) : (memref<4xi32, 2>)
        } else {
          air.channel.put @b[%x, %c0] (%m[] [] []) : (memref<4xi32, 2>)
        }
      }
      %1 = air.herd @taker async tile (%x, %y) in (%sx = %c1, %sy = %c1) {
        %c0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h2 = arith.constant 2 : index
        %m = memref.alloc() : memref<4xi32, 2>
        air.channel.get @b[%c0, %c0] (%m[] [] []) : (memref<4xi32, 2>)
        air.channel.get @b[%h1, %c0] (%m[] [] []) : (memref<4xi32, 2>)
        scf.for %i = %c0 to %h1 step %h1 {
          %is = arith.cmpi slt, %i, %h2 : index
          scf.if %is {
            air.channel.get @b[%h2, %c0] (%m[] [] []) : (memref<4xi32, 2>)
          }
        }
      }
      air.wait_all [%0, %1]
    }
  }
  return
}
