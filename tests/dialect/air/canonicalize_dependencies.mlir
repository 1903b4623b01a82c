// Clean-up of dependency lists: what goes, and what must stay.
// RUN: airlite-opt --canonicalize %s | FileCheck %s

air.channel @a [2]
air.channel @b [2]

// Both only read; what the needless one waited for is waited for instead.
// CHECK-LABEL: func.func @both_read
// CHECK: %[[GET:.*]] = air.channel.get async  @a
// CHECK: air.channel.put async [%[[GET]]]  @a
// CHECK: air.channel.put async [%[[GET]]]  @b
func.func @both_read(%m: memref<8xf32>) {
  %0 = air.channel.get async @a[] (%m[] [] []) : (memref<8xf32>)
  %1 = air.channel.put async [%0] @a[] (%m[] [] []) : (memref<8xf32>)
  %2 = air.channel.put async [%1] @b[] (%m[] [] []) : (memref<8xf32>)
  return
}

// The token is handed to somebody who may rely on all of it.
// CHECK-LABEL: func.func @returned
// CHECK: %[[A:.*]] = air.channel.get async  @a
// CHECK: %[[B:.*]] = air.channel.get async [%[[A]]]  @b
// CHECK: return %[[B]]
func.func @returned(%m: memref<8xf32>, %n: memref<8xf32>) -> !air.async.token {
  %0 = air.channel.get async @a[] (%m[] [] []) : (memref<8xf32>)
  %1 = air.channel.get async [%0] @b[] (%n[] [] []) : (memref<8xf32>)
  return %1 : !air.async.token
}

// Who waits through another op for memory waits for it directly.
// CHECK-LABEL: func.func @directly
// CHECK: %[[A:.*]] = air.channel.get async  @a
// CHECK: air.channel.get async  @b
// CHECK: air.channel.put async [%[[A]]]  @a
func.func @directly(%m: memref<8xf32>, %n: memref<8xf32>) {
  %0 = air.channel.get async @a[] (%m[] [] []) : (memref<8xf32>)
  %1 = air.channel.get async [%0] @b[] (%n[] [] []) : (memref<8xf32>)
  %2 = air.channel.put async [%1] @a[] (%m[] [] []) : (memref<8xf32>)
  return
}

// Somebody needs both through one.
// CHECK-LABEL: func.func @for_others
// CHECK: %[[A:.*]] = air.channel.get async  @a
// CHECK: %[[B:.*]] = air.channel.get async [%[[A]]]  @b
// CHECK: air.execute [%[[B]]]
func.func @for_others(%m: memref<8xf32>, %n: memref<8xf32>) {
  %0 = air.channel.get async @a[] (%m[] [] []) : (memref<8xf32>)
  %1 = air.channel.get async [%0] @b[] (%n[] [] []) : (memref<8xf32>)
  %2 = air.execute [%1] {
    memref.copy %m, %n : memref<8xf32> to memref<8xf32>
  }
  return
}

// A blocking wait: all that follows in the program comes after.
// CHECK-LABEL: func.func @blocking
// CHECK: %[[A:.*]] = air.channel.get async  @a
// CHECK: %[[B:.*]] = air.channel.get async [%[[A]]]  @b
// CHECK: air.wait_all [%[[B]]]
func.func @blocking(%m: memref<8xf32>, %n: memref<8xf32>) {
  %0 = air.channel.get async @a[] (%m[] [] []) : (memref<8xf32>)
  %1 = air.channel.get async [%0] @b[] (%n[] [] []) : (memref<8xf32>)
  air.wait_all [%1]
  return
}

// A call may do anything; sharing a channel is a reason to wait; views are the memory they show.
// CHECK-LABEL: func.func @reasons
// CHECK: %[[CALL:.*]] = air.execute
// CHECK: air.channel.put async [%[[CALL]]]  @a
// CHECK: %[[A0:.*]] = air.channel.get async  @a
// CHECK: air.channel.get async [%[[A0]]]  @a
// CHECK: %[[WRITE:.*]] = air.execute {
// CHECK: air.channel.put async [%[[WRITE]]]  @b
func.func private @anything()
func.func @reasons(%m: memref<8xf32>, %n: memref<8xf32>, %f: f32, %i: index) {
  %0 = air.execute {
    func.call @anything() : () -> ()
  }
  %1 = air.channel.put async [%0] @a[] (%m[] [] []) : (memref<8xf32>)
  %2 = air.channel.get async @a[%i] (%m[] [] []) : (memref<8xf32>)
  %3 = air.channel.get async [%2] @a[%i] (%n[] [] []) : (memref<8xf32>)
  %v = memref.subview %m[%i] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  %4 = air.execute {
    memref.store %f, %v[%i] : memref<2xf32, strided<[1], offset: ?>>
  }
  %5 = air.channel.put async [%4] @b[] (%m[] [] []) : (memref<8xf32>)
  return
}

// Freed memory may come back in the allocation that waited.
// CHECK-LABEL: func.func @reuse
// CHECK: %[[FREE:.*]] = air.execute {
// CHECK: air.execute [%[[FREE]]] -> (memref<8xf32, 1>)
func.func @reuse(%m: memref<8xf32, 1>) {
  %0 = air.execute {
    memref.dealloc %m : memref<8xf32, 1>
  }
  %1, %n = air.execute [%0] -> (memref<8xf32, 1>) {
    %a = memref.alloc() : memref<8xf32, 1>
    air.execute_terminator %a : memref<8xf32, 1>
  }
  %2 = air.channel.get async [%1] @b[] (%n[] [] []) : (memref<8xf32, 1>)
  %3 = air.execute [%2] {
    memref.dealloc %n : memref<8xf32, 1>
  }
  return
}

// The next run of the loop waits through it: buffers that change places may be any.
// CHECK-LABEL: func.func @next_run
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = {{.*}}, %{{.*}} = {{.*}}, %{{.*}} = {{.*}})
// CHECK: %[[A:.*]] = air.channel.get async [%[[T]]]  @a
// CHECK: %[[B:.*]] = air.channel.put async [%[[A]]]  @b
func.func @next_run(%m: memref<8xf32>, %n: memref<8xf32>, %o: memref<8xf32>, %i: index, %j: index) {
  %0 = air.wait_all async
  %r:3 = scf.for %k = %i to %j step %j iter_args(%t = %0, %x = %m, %y = %n) -> (!air.async.token, memref<8xf32>, memref<8xf32>) {
    %1 = air.channel.get async [%t] @a[] (%x[] [] []) : (memref<8xf32>)
    %2 = air.channel.put async [%1] @b[] (%o[] [] []) : (memref<8xf32>)
    scf.yield %2, %y, %x : !air.async.token, memref<8xf32>, memref<8xf32>
  }
  return
}

// Two levels of the hierarchy: that they do not overlap is a matter of resources, too.
// CHECK-LABEL: func.func @levels
// CHECK: %[[H:.*]] = air.herd @h async
// CHECK: air.herd @i async [%[[H]]]
func.func @levels(%m: memref<8xf32, 2>, %n: memref<8xf32, 2>, %s: index) {
  %0 = air.herd @h async tile (%x) in (%sx=%s) args(%a=%m) : memref<8xf32, 2> {
    air.channel.get @a[] (%a[] [] []) : (memref<8xf32, 2>)
  }
  %1 = air.herd @i async [%0] tile (%x) in (%sx=%s) args(%a=%n) : memref<8xf32, 2> {
    air.channel.get @b[] (%a[] [] []) : (memref<8xf32, 2>)
  }
  return
}

// Joins are listed by what they join, without what is implied.
// CHECK-LABEL: func.func @joins
// CHECK: %[[A:.*]] = air.channel.get async  @a
// CHECK: %[[B:.*]] = air.channel.get async [%[[A]]]  @a
// CHECK-NOT: wait_all
// CHECK: air.channel.put async [%[[B]]]  @b
func.func @joins(%m: memref<8xf32>) {
  %0 = air.channel.get async @a[] (%m[] [] []) : (memref<8xf32>)
  %1 = air.channel.get async [%0] @a[] (%m[] [] []) : (memref<8xf32>)
  %2 = air.wait_all async [%0, %1, %1]
  %3 = air.wait_all async [%2, %0]
  %4 = air.channel.put async [%3, %2] @b[] (%m[] [] []) : (memref<8xf32>)
  return
}

// -- Loops --

// A token from outside enters by the iteration argument.
// CHECK-LABEL: func.func @carried
// CHECK: %[[GET:.*]] = air.channel.get async
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %[[GET]])
// CHECK-NEXT: air.channel.put async [%[[T]]]
func.func @carried(%m: memref<8xf32, 1>, %s: index, %e: index) {
  air.segment @s args(%a=%m, %n=%s, %l=%e) : memref<8xf32, 1>, index, index {
    %0 = air.channel.get async @a[] (%a[] [] []) : (memref<8xf32, 1>)
    %1 = air.wait_all async
    %2 = scf.for %k = %n to %l step %l iter_args(%t = %1) -> (!air.async.token) {
      %3 = air.channel.put async [%0] @b[] (%a[] [] []) : (memref<8xf32, 1>)
      scf.yield %3 : !air.async.token
    }
  }
  return
}

// Not when later runs would lose it: what is yielded does not come after it.
// CHECK-LABEL: func.func @lost
// CHECK: %[[GET:.*]] = air.channel.get async
// CHECK: scf.for
// CHECK: air.execute [%[[GET]]]
func.func @lost(%m: memref<8xf32, 1>, %o: memref<8xf32, 1>, %s: index, %e: index) {
  air.segment @s args(%a=%m, %b=%o, %n=%s, %l=%e) : memref<8xf32, 1>, memref<8xf32, 1>, index, index {
    %c = arith.constant 1.0 : f32
    %0 = air.channel.get async @a[] (%a[] [] []) : (memref<8xf32, 1>)
    %1 = air.wait_all async
    %2 = scf.for %k = %n to %l step %l iter_args(%t = %1) -> (!air.async.token) {
      %3 = air.execute [%0] {
        memref.store %c, %a[%k] : memref<8xf32, 1>
      }
      %4 = air.execute {
        memref.store %c, %b[%k] : memref<8xf32, 1>
      }
      scf.yield %4 : !air.async.token
    }
  }
  return
}

// Not when two channels are in play: one may have to continue for the other to.
// CHECK-LABEL: func.func @two_channels
// CHECK: %[[GET:.*]] = air.channel.get async
// CHECK: scf.for {{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK-NEXT: air.channel.put async [%[[T]]]  @a
// CHECK-NEXT: air.channel.put async [%[[GET]]]  @b
func.func @two_channels(%m: memref<8xf32, 1>, %o: memref<8xf32, 1>, %s: index, %e: index) {
  air.segment @s args(%a=%m, %b=%o, %n=%s, %l=%e) : memref<8xf32, 1>, memref<8xf32, 1>, index, index {
    %0 = air.channel.get async @a[] (%a[] [] []) : (memref<8xf32, 1>)
    %1 = air.wait_all async
    %2 = scf.for %k = %n to %l step %l iter_args(%t = %1) -> (!air.async.token) {
      %3 = air.channel.put async [%t] @a[] (%b[] [] []) : (memref<8xf32, 1>)
      %4 = air.channel.put async [%0] @b[] (%a[] [] []) : (memref<8xf32, 1>)
      %5 = air.wait_all async [%3, %4]
      scf.yield %5 : !air.async.token
    }
  }
  return
}

// The loop of the second puts waits for those of the first through the end of a buffer alone: both
// send to one place, so the token stays, whatever memory is touched.
// CHECK-LABEL: func.func @puts_in_loops
// CHECK: %[[FIRST:.*]] = scf.for
// CHECK: %[[START:.*]] = air.wait_all async [{{.*}}%[[FIRST]]{{[],]}}
// CHECK-NEXT: scf.for {{.*}} iter_args(%{{.*}} = %[[START]])
func.func @puts_in_loops(%m: memref<8xf32, 1>, %o: memref<8xf32, 1>, %s: index, %e: index) {
  air.segment @s args(%b=%o, %n=%s, %l=%e) : memref<8xf32, 1>, index, index {
    %made, %a = air.execute -> (memref<8xf32, 1>) {
      %alloc = memref.alloc() : memref<8xf32, 1>
      air.execute_terminator %alloc : memref<8xf32, 1>
    }
    %got = air.channel.get async [%made] @b[] (%a[] [] []) : (memref<8xf32, 1>)
    %0 = scf.for %k = %n to %l step %l iter_args(%t = %got) -> (!air.async.token) {
      %3 = air.channel.put async [%t] @a[] (%a[%k] [1] [1]) : (memref<8xf32, 1>)
      scf.yield %3 : !air.async.token
    }
    %freed = air.execute [%0] {
      memref.dealloc %a : memref<8xf32, 1>
    }
    %filled = air.channel.get async @b[] (%b[] [] []) : (memref<8xf32, 1>)
    %1 = air.wait_all async [%filled, %freed]
    %2 = scf.for %k = %n to %l step %l iter_args(%t = %1) -> (!air.async.token) {
      %3 = air.channel.put async [%t] @a[] (%b[%k] [1] [1]) : (memref<8xf32, 1>)
      scf.yield %3 : !air.async.token
    }
  }
  return
}

// -- execute --

// CHECK-LABEL: func.func @forwarded
// CHECK-NEXT: %[[C:.*]] = arith.constant 7 : index
// CHECK-NEXT: %[[T:.*]] = air.wait_all async [%arg1, %arg2]
// CHECK-NEXT: return %arg0, %[[C]], %[[T]]
func.func @forwarded(%i: index, %a: !air.async.token, %b: !air.async.token) -> (index, index, !air.async.token) {
  %t, %r:2 = air.execute [%a, %b] -> (index, index) {
    %c7 = arith.constant 7 : index
    air.execute_terminator %i, %c7 : index, index
  }
  return %r#0, %r#1, %t : index, index, !air.async.token
}

// Reads alone do nothing; a write and a call stay.
// CHECK-LABEL: func.func @kept
// CHECK-NEXT: air.execute {
// CHECK-NEXT: memref.store
// CHECK: air.execute {
// CHECK-NEXT: func.call @anything
func.func @kept(%m: memref<8xf32>, %i: index, %f: f32) {
  %0 = air.execute {
    %v = memref.load %m[%i] : memref<8xf32>
  }
  %1 = air.execute [%0] {
    memref.store %f, %m[%i] : memref<8xf32>
  }
  %2 = air.execute {
    func.call @anything() : () -> ()
  }
  return
}

// A loop of transfers through a fixed place keeps its order by itself, from one run of the loop around
// to the next: what only reads the same memory need not wait. With a second op at that end it has to.
air.channel @one []
air.channel @two []
air.channel @other []
// CHECK-LABEL: func.func @own_order_in_loop
// CHECK: scf.for {{.*}} iter_args(%[[OUTER:.*]] = %
// CHECK: air.channel.put async [%{{.*}}]  @one[]
// CHECK: air.channel.put async [%[[OUTER]]]  @other[]
func.func @own_order_in_loop(%m: memref<8xi32>, %n: index, %t: !air.async.token) -> !air.async.token {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (!air.async.token) {
    %inner = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (!air.async.token) {
      %p = air.channel.put async [%b] @one[] (%m[] [] []) : (memref<8xi32>)
      scf.yield %p : !air.async.token
    }
    %q = air.channel.put async [%a, %inner] @other[] (%m[] [] []) : (memref<8xi32>)
    scf.yield %q : !air.async.token
  }
  return %r : !air.async.token
}
// CHECK-LABEL: func.func @two_at_one_end
// CHECK: scf.for
// CHECK: %[[INNER:.*]] = scf.for
// CHECK: air.channel.put async [%{{.*}}]  @two[]
// CHECK: air.channel.put async [%{{.*}}]  @two[]
// CHECK: air.channel.put async [%{{.*}}%[[INNER]]]  @other[]
func.func @two_at_one_end(%m: memref<8xi32>, %n: index, %t: !air.async.token) -> !air.async.token {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (!air.async.token) {
    %inner = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (!air.async.token) {
      %p = air.channel.put async [%b] @two[] (%m[] [] []) : (memref<8xi32>)
      %s = air.channel.put async [%p] @two[] (%m[] [] []) : (memref<8xi32>)
      scf.yield %s : !air.async.token
    }
    %q = air.channel.put async [%a, %inner] @other[] (%m[] [] []) : (memref<8xi32>)
    scf.yield %q : !air.async.token
  }
  return %r : !air.async.token
}
