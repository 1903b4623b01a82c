// RUN: airlite-opt %s --air-dma-to-channel | FileCheck %s
// RUN: airlite-opt %s --check-each --air-dma-to-channel --canonicalize --cse --air-dependency-canonicalize --emit=none
// RUN: airlite-opt %s --air-dependency --air-enforce-channel-fifo-order --air-dma-to-channel -o %t.mlir
// RUN: airlite-opt %t.mlir --air-verify-program --emit=none
// RUN: airlite-opt %s --check-each --air-dependency --air-dma-to-channel --canonicalize --cse --emit=none

// Channels are numbered in the order of the copies, over the module.
// CHECK: air.channel @taken []
// CHECK-NEXT: air.channel @channel_0 [2, 1]
// CHECK-NEXT: air.channel @channel_1 [2, 1]
// CHECK-NEXT: air.channel @channel_2 []
// CHECK-NEXT: air.channel @channel_3 [1, 2]
air.channel @taken []

// A synchronous herd: the far halves are asynchronous, and what follows waits for them. The
// store comes after the load of the same memory, as it does on each core.
// CHECK-LABEL: func.func @herd
// CHECK: %[[W0:.*]] = air.wait_all async
// CHECK: %[[P0:.*]] = scf.parallel (%[[X:.*]], %[[Y:.*]]) = (%c0{{.*}}, %c0{{.*}}) to (%c2, %c1{{.*}}) {{.*}} init (%[[W0]])
// CHECK: %[[O:.*]] = affine.apply #{{.*}}()[%[[X]]]
// CHECK: air.channel.put async [%[[W0]]] @channel_0[%[[X]], %[[Y]]] (%arg0[%[[O]]] [4] [1]) {id = 1 : i32} : (memref<8xi32>)
// CHECK: %[[W1:.*]] = air.wait_all async [%[[P0]]]
// CHECK: %[[P1:.*]] = scf.parallel {{.*}} init (%[[W1]])
// CHECK: air.channel.get async [%[[W1]]] @channel_1
// CHECK: air.herd @add tile (%[[TX:.*]], %[[TY:.*]]) in
// CHECK: air.channel.get @channel_0[%[[TX]], %[[TY]]] (%{{.*}}[] [] []) {id = 3 : i32} : (memref<4xi32, 2>)
// CHECK: air.channel.put @channel_1[%[[TX]], %[[TY]]]
// CHECK: air.wait_all [%[[P0]], %[[P1]]]
func.func @herd(%m: memref<8xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @add tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%a=%m) : memref<8xi32> {
    %c1_i32 = arith.constant 1 : i32
    %o = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%x]
    %l1 = memref.alloc() : memref<4xi32, 2>
    air.dma_memcpy_nd (%l1[] [] [], %a[%o] [4] [1]) : (memref<4xi32, 2>, memref<8xi32>)
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%l1 : memref<4xi32, 2>) {
    ^bb0(%e: i32):
      %s = arith.addi %e, %c1_i32 : i32
      linalg.yield %s : i32
    }
    air.dma_memcpy_nd (%a[%o] [4] [1], %l1[] [] []) : (memref<8xi32>, memref<4xi32, 2>)
    memref.dealloc %l1 : memref<4xi32, 2>
  }
  return
}

// From L3 to L2 the channel has one place; from L2 to L1 the put is in the segment. Loops around,
// index arithmetic and padding are copied too; padding belongs to the put.
// CHECK-LABEL: func.func @levels
// CHECK: air.launch
// CHECK: scf.for %[[I:.*]] = {{.*}} iter_args(%[[T:.*]] = %
// CHECK: air.channel.put async [%[[T]]] @channel_2[] (%{{.*}}[%[[I]]] [8] [1]) {id = 1 : i32} : (memref<32xf32>)
// CHECK: air.segment @s
// CHECK: scf.for
// CHECK: air.channel.get @channel_2[] (%[[L2:.*]][] [] [])
// CHECK: scf.parallel (%[[X:.*]], %[[Y:.*]]) =
// CHECK: air.channel.put async [{{.*}}] @channel_3[%[[X]], %[[Y]]] (%[[L2]]
// CHECK-SAME: pad_after = array<i32: 1>
// CHECK: air.herd
// CHECK: air.channel.get @channel_3
// CHECK-NOT: pad_after
// CHECK: air.wait_all [
func.func @levels(%m: memref<32xf32>) {
  air.launch () in () args(%a=%m) : memref<32xf32> {
    air.segment @s args(%b=%a) : memref<32xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      scf.for %i = %c0 to %c32 step %c8 {
        %l2 = memref.alloc() : memref<8xf32, 1>
        air.dma_memcpy_nd (%l2[] [] [], %b[%i] [8] [1]) : (memref<8xf32, 1>, memref<32xf32>)
        air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c2) args(%c=%l2) : memref<8xf32, 1> {
          %o = affine.apply affine_map<()[s0] -> (s0 * 4)>()[%y]
          %l1 = memref.alloc() : memref<5xf32, 2>
          air.dma_memcpy_nd (%l1[] [] [], %c[%o] [4] [1]) {pad_before = array<i32: 0>, pad_after = array<i32: 1>} : (memref<5xf32, 2>, memref<8xf32, 1>)
          memref.dealloc %l1 : memref<5xf32, 2>
        }
        memref.dealloc %l2 : memref<8xf32, 1>
      }
    }
  }
  return
}

// Asynchronous: the nest starts after what the herd waits for, and what waits for the herd waits for
// both. Index arithmetic in an execute is copied too.
// CHECK-LABEL: func.func @async
// CHECK: %[[F:.*]] = air.wait_all async
// CHECK: %[[W:.*]] = air.wait_all async [%[[F]]]
// CHECK: %[[P:.*]] = scf.parallel (%[[X:.*]], %{{.*}}) = {{.*}} init (%[[W]])
// CHECK: %[[E:.*]], %[[O:.*]] = air.execute -> (index)
// CHECK: %[[W2:.*]] = air.wait_all async [%[[W]], %[[E]]]
// CHECK: scf.for %{{.*}} iter_args(%[[T:.*]] = %[[W2]])
// CHECK: %[[G:.*]] = air.channel.get async [%[[T]]] @channel_4
// CHECK: %[[Y:.*]] = air.wait_all async [%[[G]]]
// CHECK: scf.yield %[[Y]]
// CHECK: scf.reduce
// CHECK: %[[H:.*]] = air.herd @h async [%[[F]]]
// CHECK: air.channel.put async [{{.*}}] @channel_4
// CHECK: %[[J:.*]] = air.wait_all async [%[[P]], %[[H]]]
// CHECK: air.wait_all [%[[J]]]
func.func @async(%m: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f = air.wait_all async
  %h = air.herd @h async [%f] tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%a=%m) : memref<16xi32> {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %c7_i32 = arith.constant 7 : i32
    %t, %l1 = air.execute -> (memref<4xi32, 2>) {
      %alloc = memref.alloc() : memref<4xi32, 2>
      air.execute_terminator %alloc : memref<4xi32, 2>
    }
    %u = air.execute [%t] {
      linalg.fill ins(%c7_i32 : i32) outs(%l1 : memref<4xi32, 2>)
    }
    %v, %o = air.execute -> (index) {
      %s = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%x]
      air.execute_terminator %s : index
    }
    %w = air.wait_all async [%u, %v]
    %r = scf.for %i = %c0 to %c8 step %c4 iter_args(%k = %w) -> (!air.async.token) {
      %p = arith.addi %o, %i : index
      %d = air.dma_memcpy_nd async [%k] (%a[%p] [4] [1], %l1[] [] []) : (memref<16xi32>, memref<4xi32, 2>)
      scf.yield %d : !air.async.token
    }
    %z = air.execute [%r] {
      memref.dealloc %l1 : memref<4xi32, 2>
    }
  }
  air.wait_all [%h]
  return
}

// A broadcast is put once; a core names itself within it. Row 1 takes the second half.
// CHECK-LABEL: func.func @broadcast
// CHECK: air.channel.put async @channel_5[] (%arg0[0] [4] [1]) {broadcast_set = #{{.*}}, id = {{.*}}}
// CHECK: air.channel.put async @channel_6[] (%arg0[4] [4] [1]) {broadcast_set = #{{.*}}
// CHECK-NOT: scf.parallel
// CHECK: air.herd @h tile (%[[X:.*]], %[[Y:.*]]) in
// CHECK: air.channel.get @channel_5[%[[X]], %[[Y]]]
// CHECK: else
// CHECK: air.channel.get @channel_6[%[[X]], %[[Y]]]
#row0 = affine_set<()[s0, s1] : (s0 == 0, s1 >= 0, -s1 + 1 >= 0)>
#row1 = affine_set<()[s0, s1] : (s0 - 1 == 0, s1 >= 0, -s1 + 1 >= 0)>
func.func @broadcast(%m: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%m) : memref<8xi32> {
    %l1 = memref.alloc() : memref<4xi32, 2>
    affine.if #row0()[%x, %y] {
      air.dma_memcpy_nd (%l1[] [] [], %a[0] [4] [1]) {broadcast_set = #row0} : (memref<4xi32, 2>, memref<8xi32>)
    } else {
      air.dma_memcpy_nd (%l1[] [] [], %a[4] [4] [1]) {broadcast_set = #row1} : (memref<4xi32, 2>, memref<8xi32>)
    }
    memref.dealloc %l1 : memref<4xi32, 2>
  }
  return
}

// Where a broadcast does not begin at core 0, the cores count from where it does.
// CHECK-LABEL: func.func @shifted
// CHECK: air.channel.put async @channel_7[] (%arg0
// CHECK: %[[C1:.*]] = arith.constant 1 : index
// CHECK: %[[I:.*]] = arith.subi %{{.*}}, %[[C1]] : index
// CHECK: air.channel.get @channel_7[%[[I]], %{{.*}}]
#last = affine_set<()[s0, s1] : (s0 - 1 >= 0, -s0 + 2 >= 0, s1 == 0)>
func.func @shifted(%m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  air.herd @h tile (%x, %y) in (%sx=%c3, %sy=%c1) args(%a=%m) : memref<4xi32> {
    affine.if #last()[%x, %y] {
      %l1 = memref.alloc() : memref<4xi32, 2>
      air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) {broadcast_set = #last} : (memref<4xi32, 2>, memref<4xi32>)
      memref.dealloc %l1 : memref<4xi32, 2>
    }
  }
  return
}

// A rectangle of cores: the parallel loop runs over it. The condition of an scf.if is computed
// again.
// CHECK-LABEL: func.func @part
// CHECK: scf.parallel (%[[X:.*]], %[[Y:.*]]) = (%c1{{.*}}, %c0{{.*}}) to (%c3{{.*}}, %c1{{.*}})
// CHECK-NOT: affine.if
// CHECK: %[[IF:.*]] = scf.if %{{.*}} -> (!air.async.token)
// CHECK: air.channel.get async [%{{.*}}] @channel_8[%[[X]], %[[Y]]]
// CHECK: } else {
// CHECK: air.wait_all async
func.func @part(%m: memref<3xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  air.herd @h tile (%x, %y) in (%sx=%c3, %sy=%c1) args(%a=%m, %b=%n) : memref<3xi32>, index {
    %c5_i32 = arith.constant 5 : i32
    %l1 = memref.alloc() : memref<1xi32, 2>
    linalg.fill ins(%c5_i32 : i32) outs(%l1 : memref<1xi32, 2>)
    %is = arith.cmpi slt, %x, %b : index
    affine.if #last()[%x, %y] {
      scf.if %is {
        air.dma_memcpy_nd (%a[%x] [1] [1], %l1[] [] []) : (memref<3xi32>, memref<1xi32, 2>)
      }
    }
    memref.dealloc %l1 : memref<1xi32, 2>
  }
  return
}

// Cores that are not a rectangle: their condition becomes an scf.if.
// CHECK-LABEL: func.func @corner
// CHECK: scf.parallel (%[[X:.*]], %[[Y:.*]]) =
// CHECK: arith.cmpi eq
// CHECK: scf.if
// CHECK-NEXT: air.wait_all async
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: air.channel.put async [%{{.*}}] @channel_9
#corner = affine_set<()[s0, s1] : (s0 + s1 == 0)>
func.func @corner(%m: memref<1xi32>) {
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) args(%a=%m) : memref<1xi32> {
    %l1 = memref.alloc() : memref<1xi32, 2>
    affine.if #corner()[%x, %y] {
    } else {
      air.dma_memcpy_nd (%l1[] [] [], %a[] [] []) : (memref<1xi32, 2>, memref<1xi32>)
    }
    memref.dealloc %l1 : memref<1xi32, 2>
  }
  return
}

// What is stored in one run of the loop is loaded in the next: one nest keeps that order.
// CHECK-LABEL: func.func @accumulate
// CHECK: scf.parallel
// CHECK: scf.for %{{.*}} iter_args(%[[T:.*]] = %
// CHECK: %[[P:.*]] = air.channel.put async [%[[T]]] @channel_10
// CHECK: %[[G:.*]] = air.channel.get async [%[[P]]] @channel_11
// CHECK: %[[Y:.*]] = air.wait_all async [%[[G]]]
// CHECK: scf.yield %[[Y]]
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @accumulate(%m: memref<2xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c1) args(%a=%m) : memref<2xi32> {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %l1 = memref.alloc() : memref<1xi32, 2>
    scf.for %i = %c0 to %c4 step %c1_0 {
      air.dma_memcpy_nd (%l1[] [] [], %a[%x] [1] [1]) : (memref<1xi32, 2>, memref<2xi32>)
      %v = memref.load %l1[%c0] : memref<1xi32, 2>
      %s = arith.muli %v, %v : i32
      memref.store %s, %l1[%c0] : memref<1xi32, 2>
      air.dma_memcpy_nd (%a[%x] [1] [1], %l1[] [] []) : (memref<2xi32>, memref<1xi32, 2>)
    }
    memref.dealloc %l1 : memref<1xi32, 2>
  }
  return
}

// Runs of a herd that a loop does not order get a token to carry, since they share the channel.
// CHECK-LABEL: func.func @runs
// CHECK: %[[S:.*]] = air.wait_all async
// CHECK-NEXT: scf.for {{.*}} iter_args(%[[K:.*]] = %[[S]])
// CHECK: air.channel.put async [%[[K]]{{.*}}] @channel_12
// CHECK: %[[H:.*]] = air.herd @h async [%[[K]]]
// CHECK: %[[J:.*]] = air.wait_all async [%{{.*}}, %[[H]]]
// CHECK: scf.yield %[[J]]
func.func @runs(%m: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %h = air.herd @h async tile (%x, %y) in (%sx=%c1, %sy=%c1) args(%a=%m, %j=%i) : memref<4xi32>, index {
      %l1 = memref.alloc() : memref<1xi32, 2>
      air.dma_memcpy_nd (%l1[] [] [], %a[%j] [1] [1]) : (memref<1xi32, 2>, memref<4xi32>)
      memref.dealloc %l1 : memref<1xi32, 2>
    }
  }
  return
}
