// RUN: airlite-opt %s --air-split-decided-rounds --canonicalize --check-each --remarks 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

// Every other round: a copy of the body for each of two rounds.
// CHECK-LABEL: func.func @turns
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %c2
// CHECK-NOT: scf.if
// CHECK: air.channel.put @b[] (%{{.*}}[%[[I]]]
// CHECK: air.channel.put @a[]
air.channel @a []
air.channel @b []
func.func @turns(%m: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  air.launch () in () args(%x = %m) : memref<32xi32> {
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %d2 = arith.constant 2 : index
    %d8 = arith.constant 8 : index
    scf.for %i = %d0 to %d8 step %d1 {
      %r = arith.remui %i, %d2 : index
      %odd = arith.cmpi eq, %r, %d1 : index
      scf.if %odd {
        air.channel.put @a[] (%x[%i] [%d1] [%d1]) : (memref<32xi32>)
      } else {
        air.channel.put @b[] (%x[%i] [%d1] [%d1]) : (memref<32xi32>)
      }
    }
  }
  return
}

// The first rounds: a loop for each run of rounds.
// CHECK-LABEL: func.func @first
// CHECK: scf.for %{{.*}} = %c0 to %c3
// CHECK-NEXT: air.channel.put @a
// CHECK: scf.for %{{.*}} = %c3 to %c8
// CHECK-NEXT: air.channel.put @b
func.func @first(%m: memref<32xi32>) {
  air.launch () in () args(%x = %m) : memref<32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %is = arith.cmpi ult, %i, %c3 : index
      scf.if %is {
        air.channel.put @a[] (%x[%i] [%c1] [%c1]) : (memref<32xi32>)
      } else {
        air.channel.put @b[] (%x[%i] [%c1] [%c1]) : (memref<32xi32>)
      }
    }
  }
  return
}

// A value that the loop carries goes from copy to copy.
// CHECK-LABEL: func.func @carried
// CHECK: %[[A:.*]] = scf.for %{{.*}} = %c0 to %c2 step %c1 iter_args(%{{.*}} = %c0)
// CHECK: scf.for %{{.*}} = %c2 to %c4 step %c1 iter_args(%{{.*}} = %[[A]])
func.func @carried(%m: memref<32xi32>, %o: memref<32xi32>) {
  air.launch () in () args(%x = %m, %y = %o) : memref<32xi32>, memref<32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%at = %c0) -> (index) {
      %is = arith.cmpi ult, %i, %c2 : index
      %next = scf.if %is -> (index) {
        air.dma_memcpy_nd (%y[%i] [%c1] [%c1], %x[%at] [%c1] [%c1]) : (memref<32xi32>, memref<32xi32>)
        %n = arith.addi %at, %c2 : index
        scf.yield %n : index
      } else {
        air.dma_memcpy_nd (%y[%at] [%c1] [%c1], %x[%i] [%c1] [%c1]) : (memref<32xi32>, memref<32xi32>)
        %n = arith.addi %at, %c1 : index
        scf.yield %n : index
      }
      scf.yield %next : index
    }
    air.dma_memcpy_nd (%y[%end] [%c1] [%c1], %x[%c1] [%c1] [%c1]) : (memref<32xi32>, memref<32xi32>)
  }
  return
}

// All rounds that are no case are alike.
// CHECK-LABEL: func.func @switch
// CHECK: air.channel.put @a[] (%{{.*}}[0]
// CHECK: air.channel.put @b[] (%{{.*}}[1]
// CHECK: scf.for %{{.*}} = %c2 to %c32
// CHECK-NEXT: air.channel.put @a
// CHECK-NOT: air.channel.put
// CHECK: return
func.func @switch(%m: memref<32xi32>) {
  air.launch () in () args(%x = %m) : memref<32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    scf.for %i = %c0 to %c32 step %c1 {
      scf.index_switch %i
      case 1 {
        air.channel.put @b[] (%x[%i] [%c1] [%c1]) : (memref<32xi32>)
        scf.yield
      }
      default {
        air.channel.put @a[] (%x[%i] [%c1] [%c1]) : (memref<32xi32>)
        scf.yield
      }
    }
  }
  return
}

// Tokens that the loop carries, and waits in a round, order what is asynchronous.
// CHECK-LABEL: func.func @tokens
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c2 iter_args(%[[T:.*]] = %{{.*}})
// CHECK-NEXT: %[[B:.*]] = air.channel.put async [%[[T]]] @b
// CHECK: %[[A:.*]] = air.channel.put async [%[[T]]] @a
// CHECK: scf.yield %[[A]]
// CHECK: scf.for
// CHECK-NEXT: %[[W:.*]] = air.channel.put async @a
// CHECK-NEXT: air.wait_all [%[[W]]]
func.func @tokens(%m: memref<32xi32>) {
  air.launch () in () args(%x = %m) : memref<32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %t = air.wait_all async
    %e = scf.for %i = %c0 to %c8 step %c1 iter_args(%last = %t) -> (!air.async.token) {
      %r = arith.remui %i, %c2 : index
      %odd = arith.cmpi eq, %r, %c1 : index
      %p = scf.if %odd -> (!air.async.token) {
        %a = air.channel.put async [%last] @a[] (%x[%i] [%c1] [%c1]) : (memref<32xi32>)
        scf.yield %a : !air.async.token
      } else {
        %b = air.channel.put async [%last] @b[] (%x[%i] [%c1] [%c1]) : (memref<32xi32>)
        scf.yield %b : !air.async.token
      }
      scf.yield %p : !air.async.token
    }
    air.wait_all [%e]
    scf.for %i = %c0 to %c8 step %c1 {
      %is = arith.cmpi ult, %i, %c2 : index
      scf.if %is {
        %a = air.channel.put async @a[] (%x[%i] [%c1] [%c1]) : (memref<32xi32>)
        air.wait_all [%a]
      }
    }
  }
  return
}

// Each core sends to the other ones in turn.
// CHECK-LABEL: func.func @places
// CHECK: air.herd
// CHECK-NOT: scf.for
// CHECK: air.channel.put @c[%{{.*}}]
// CHECK: air.channel.put @c[%{{.*}}]
// CHECK: air.channel.put @c[%{{.*}}]
// CHECK-NOT: air.channel.put
// CHECK: return
air.channel @c [4]
func.func @places() {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.herd @h tile (%tx, %ty) in (%hx = %c1, %hy = %c4) {
    %h1 = arith.constant 1 : index
    %h4 = arith.constant 4 : index
    %h64 = arith.constant 64 : index
    %m = memref.alloc() : memref<8xi32, 2>
    scf.for %i = %h1 to %h4 step %h1 {
      %n = arith.addi %ty, %i : index
      %to = arith.remui %n, %h4 : index
      air.channel.put @c[%to] (%m[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// CHECK-LABEL: func.func @many_places
// REMARK: remark: [air-split-decided-rounds] stays: its rounds differ too often
// CHECK: scf.for
func.func @many_places() {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%tx, %ty) in (%hx = %c1, %hy = %c1) {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %h4 = arith.constant 4 : index
    %h64 = arith.constant 64 : index
    %m = memref.alloc() : memref<8xi32, 2>
    scf.for %i = %h0 to %h64 step %h1 {
      %to = arith.remui %i, %h4 : index
      air.channel.put @c[%to] (%m[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

// CHECK-LABEL: func.func @declined
// CHECK: scf.if
// CHECK: scf.if
// REMARK: [[#@LINE+6]]:5: remark: [air-split-decided-rounds] stays: what is asynchronous in it is in order since it is one op
func.func @declined(%m: memref<32xi32>, %n: index) {
  air.launch () in () args(%x = %m, %k = %n) : memref<32xi32>, index {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %is = arith.cmpi ult, %i, %c1 : index
      scf.if %is {
        %t = air.channel.put async @a[] (%x[%i] [%c1] [%c1]) : (memref<32xi32>)
      }
    }
    // Not known here.
    scf.for %i = %c0 to %c4 step %c1 {
      %is = arith.cmpi ult, %i, %k : index
      scf.if %is {
        air.channel.put @a[] (%x[%i] [%c1] [%c1]) : (memref<32xi32>)
      }
    }
  }
  return
}

// What is computed beside the transfers is copied as well: stores, too.
// CHECK-LABEL: func.func @stores
// CHECK-COUNT-2: memref.store
air.channel @beside []
func.func @stores(%m: memref<32xi32>, %n: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0 : i32
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %z, %n[%i] : memref<8xi32>
    %r = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %r, %c1 : index
    scf.if %odd {
      air.channel.put @beside[] (%m[%i] [%c1] [%c1]) : (memref<32xi32>)
    }
  }
  return
}
