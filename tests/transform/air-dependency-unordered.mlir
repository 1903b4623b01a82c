// What the program leaves beside each other stays so: an asynchronous op that nothing has waited for may need
// what comes after it to come to an end. So an order by memory that only cannot be excluded is not added.
// RUN: airlite-opt %s --air-dependency | FileCheck %s
// RUN: airlite-opt %s --check-each --check-schedules=20 --air-dependency --air-dependency-canonicalize --emit=none
// RUN: airlite-opt %S/../../examples/ranks/ring_all_reduce.mlir --check-each --air-dependency --air-dependency-canonicalize --emit=none
// RUN: airlite-opt %S/../../examples/ranks/all_gather_matmul.mlir --check-each --air-dependency --air-dependency-canonicalize --emit=none
// RUN: airlite-opt %S/../../examples/ranks/sharded_mlp.mlir --check-each --air-dependency --air-dependency-canonicalize --emit=none

air.channel @ring [2]

// The pieces are disjoint, but nobody can tell. The put ends when the neighbour gets, as this rank does.
// CHECK-LABEL: func.func @pieces
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = {{.*}})
// CHECK: %[[PUT:.*]] = air.channel.put async {{.*}}@ring
// CHECK: air.channel.get async [%[[CARRIED]]] {{.*}}@ring
// CHECK: air.wait_all [%[[PUT]]]
func.func @pieces(%out: memref<2x8xindex>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) args(%to = %out) : memref<2x8xindex> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %own = memref.alloc() : memref<8xindex>
    scf.for %i = %c0 to %c8 step %c1 {
      %v = arith.addi %i, %r : index
      memref.store %v, %own[%i] : memref<8xindex>
    }
    %after = arith.addi %r, %c1 : index
    %next = arith.remui %after, %n : index
    scf.for %s = %c0 to %c3 step %c1 {
      %k = arith.addi %r, %s : index
      %mine = arith.remui %k, %n : index
      %k1 = arith.addi %k, %c1 : index
      %theirs = arith.remui %k1, %n : index
      %sendAt = arith.muli %mine, %c4 : index
      %takeAt = arith.muli %theirs, %c4 : index
      %sent = air.channel.put async @ring[%next] (%own[%sendAt] [%c4] [%c1]) : (memref<8xindex>)
      air.channel.get @ring[%r] (%own[%takeAt] [%c4] [%c1]) : (memref<8xindex>)
      air.wait_all [%sent]
    }
    air.dma_memcpy_nd (%to[%r, %c0] [%c1, %c8] [%c8, %c1], %own[] [] []) : (memref<2x8xindex>, memref<8xindex>)
  }
  return
}

air.channel @places [2]

// Puts that a loop starts are not waited for by the next ones.
// CHECK-LABEL: func.func @started
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[BEFORE:.*]] = {{.*}}, %[[CARRIED:.*]] = {{.*}}) ->
// CHECK: %[[PUT:.*]] = air.channel.put async @places
// CHECK: %[[BOTH:.*]] = air.wait_all async [%[[PUT]], %[[BEFORE]]]
// CHECK: %[[NEXT:.*]] = air.wait_all async [%[[BOTH]], %[[CARRIED]]]
// CHECK: scf.yield %[[BOTH]], %[[NEXT]]
// CHECK: air.wait_all [%[[LOOP]]#0]
func.func @started(%in: memref<4xi32>, %out: memref<2x4xi32>) {
  %one = arith.constant 1 : index
  air.rank (%r) in (%n = %one) args(%from = %in, %to = %out) : memref<4xi32>, memref<2x4xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %none = air.wait_all async
    %started = scf.for %i = %c0 to %c2 step %c1 iter_args(%before = %none) -> (!air.async.token) {
      %put = air.channel.put async @places[%i] (%from[] [] []) : (memref<4xi32>)
      %both = air.wait_all async [%before, %put]
      scf.yield %both : !air.async.token
    }
    scf.for %i = %c0 to %c2 step %c1 {
      %place = arith.subi %c1, %i : index
      air.channel.get @places[%place] (%to[%i, %c0] [%c1, %c4] [%c4, %c1]) : (memref<2x4xi32>)
    }
    air.wait_all [%started]
  }
  return
}

air.channel @away [1]
air.channel @back [1]

// The core has read what it was sent when it sends something back: the store waits for the put.
// CHECK-LABEL: func.func @known
// CHECK: %[[PUT:.*]] = air.channel.put async {{.*}}@away
// CHECK: air.channel.get async {{.*}}@back
// CHECK: air.execute [%[[PUT]]
// CHECK-NEXT: memref.store
func.func @known(%a: memref<8xi32>, %b: memref<8xi32>, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %herd = air.herd async tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %k0 = arith.constant 0 : index
    %l1 = memref.alloc() : memref<4xi32, 2>
    air.channel.get @away[%k0] (%l1[] [] []) : (memref<4xi32, 2>)
    air.channel.put @back[%k0] (%l1[] [] []) : (memref<4xi32, 2>)
  }
  %part = arith.andi %at, %c4 : index
  %sent = air.channel.put async @away[%c0] (%a[%part] [%c4] [%c1]) : (memref<8xi32>)
  air.channel.get @back[%c0] (%b[%part] [%c4] [%c1]) : (memref<8xi32>)
  memref.store %zero, %a[%part] : memref<8xi32>
  air.wait_all [%herd]
  return
}

// A race for sure gets an order, as the AIR tools take ops without dependencies.
// CHECK-LABEL: func.func @race
// CHECK: %[[FIRST:.*]] = air.dma_memcpy_nd async
// CHECK: air.dma_memcpy_nd async [%[[FIRST]]]
func.func @race(%a: memref<8xi32>, %b: memref<8xi32, 1>) {
  %first = air.dma_memcpy_nd async (%b[] [] [], %a[] [] []) : (memref<8xi32, 1>, memref<8xi32>)
  %second = air.dma_memcpy_nd async (%a[4] [4] [1], %b[4] [4] [1]) : (memref<8xi32>, memref<8xi32, 1>)
  air.wait_all [%second]
  return
}

// Cores take turns with memory next to them: what the second core reads in one round it does not read in the
// next one.
// CHECK-LABEL: func.func @turns
// CHECK: } else {
// CHECK: scf.for {{.*}} iter_args(%[[CARRIED:.*]] = {{.*}})
// CHECK: air.execute [%[[CARRIED]]] -> (i32)
func.func @turns(%a: memref<4xi32>) {
  air.launch () in () args(%b = %a) : memref<4xi32> {
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %m = memref.alloc() : memref<1xi32, 2>
    air.herd tile (%x, %y) in (%sx = %one, %sy = %two) args(%s = %m, %c = %b) : memref<1xi32, 2>, memref<4xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %first = arith.cmpi eq, %y, %c0 : index
      scf.if %first {
        scf.for %i = %c0 to %c4 step %c1 {
          %v = arith.index_cast %i : index to i32
          memref.store %v, %s[%c0] : memref<1xi32, 2>
        }
      } else {
        scf.for %i = %c0 to %c4 step %c1 {
          %v = memref.load %s[%c0] : memref<1xi32, 2>
          memref.store %v, %c[%i] : memref<4xi32>
        }
      }
    }
  }
  return
}

// The stack of a function goes with its return: what uses it is done by then.
// CHECK-LABEL: func.func @stack
// CHECK: air.execute {
// CHECK: %[[COPIED:.*]] = air.execute
// CHECK-NEXT: memref.copy
// CHECK: air.wait_all [%[[COPIED]]]
// CHECK-NEXT: return
func.func @stack(%a: memref<8xi32>, %b: memref<8xi32>) {
  %t = memref.alloca() : memref<8xi32>
  memref.copy %a, %t : memref<8xi32> to memref<8xi32>
  memref.copy %t, %b : memref<8xi32> to memref<8xi32>
  return
}
