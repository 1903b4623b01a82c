// RUN: airlite-opt %s --air-fuse-channels=aggressive-mode=L3 --verify-diagnostics --remarks | FileCheck %s
// RUN: airlite-opt %s --air-fuse-channels | FileCheck %s --check-prefix=PLAIN

// Orders that differ: the data would get to the wrong get.
// CHECK-LABEL: func.func @crossed
// CHECK: air.channel.put async @a0
// CHECK: air.channel.put async [%{{.*}}] @a1
air.channel @a0 []
// expected-remark@+1 {{is not fused: the transfers are not in the same order on both ends}}
air.channel @a1 []
func.func @crossed(%m: memref<1xi32>, %n: memref<1xi32>) {
  %p = air.channel.put async @a0[] (%m[] [] []) : (memref<1xi32>)
  %q = air.channel.put async [%p] @a1[] (%m[] [] []) : (memref<1xi32>)
  air.channel.get @a1[] (%n[] [] []) : (memref<1xi32>)
  air.channel.get @a0[] (%n[] [] []) : (memref<1xi32>)
  return
}

// On neither end: an order that was made up could be one in which the program hangs.
// CHECK-LABEL: func.func @free
// CHECK: air.channel.put async @b1
air.channel @b0 []
// expected-remark@+1 {{is not fused: on neither end its transfers have to come in order}}
air.channel @b1 []
func.func @free(%m: memref<1xi32>, %n: memref<2xi32>) {
  %x = air.segment async {
  }
  %p = air.channel.put async [%x] @b0[] (%m[] [] []) : (memref<1xi32>)
  %q = air.channel.put async @b1[] (%m[] [] []) : (memref<1xi32>)
  %r = air.channel.get async @b0[] (%n[0] [1] [1]) : (memref<2xi32>)
  %s = air.channel.get async @b1[] (%n[1] [1] [1]) : (memref<2xi32>)
  return
}

// The first put waits for the second transfer.
// CHECK-LABEL: func.func @circle
// CHECK: air.channel.put async @k1
air.channel @k0 []
// expected-remark@+1 {{is not fused: on neither end its transfers have to come in order}}
air.channel @k1 []
func.func @circle(%m: memref<1xi32>, %n: memref<2xi32>) {
  %r = air.channel.get async @k0[] (%n[0] [1] [1]) : (memref<2xi32>)
  %s = air.channel.get async @k1[] (%n[1] [1] [1]) : (memref<2xi32>)
  %w = air.wait_all async [%s]
  %p = air.channel.put async [%w] @k0[] (%m[] [] []) : (memref<1xi32>)
  %q = air.channel.put async @k1[] (%m[] [] []) : (memref<1xi32>)
  return
}

// The first get comes after a transfer that waits for the second one.
// CHECK-LABEL: func.func @later
// CHECK: air.channel.put async @h1
air.channel @kf [] {depth = 2 : i64}
air.channel @h0 []
// expected-remark@+1 {{is not fused: on neither end its transfers have to come in order}}
air.channel @h1 []
func.func @later(%m: memref<1xi32>, %n: memref<2xi32>) {
  air.launch () in () args(%x = %m, %y = %n) : memref<1xi32>, memref<2xi32> {
    %p = air.channel.put async @h0[] (%x[] [] []) : (memref<1xi32>)
    %q = air.channel.put async @h1[] (%x[] [] []) : (memref<1xi32>)
    %s = air.segment @s async args(%z = %y) : memref<2xi32> {
      %a = memref.alloc() : memref<1xi32, 1>
      air.channel.get @kf[] (%a[] [] []) : (memref<1xi32, 1>)
      %r = air.channel.get async @h0[] (%z[0] [1] [1]) : (memref<2xi32>)
      %t = air.channel.get async @h1[] (%z[1] [1] [1]) : (memref<2xi32>)
    }
    air.channel.put @kf[] (%x[] [] []) : (memref<1xi32>)
  }
  return
}

// Two and two against one and one.
// CHECK-LABEL: func.func @turns
// CHECK: air.channel.put async [%{{.*}}] @c1
air.channel @c0 []
// expected-remark@+1 {{is not fused: the ends take turns in different ways}}
air.channel @c1 []
func.func @turns(%m: memref<2xi32>, %n: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = air.wait_all async
  %l = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %w) -> (!air.async.token) {
    %p = air.channel.put async [%t] @c0[] (%m[%i] [1] [1]) : (memref<2xi32>)
    scf.yield %p : !air.async.token
  }
  %k = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %w) -> (!air.async.token) {
    %p = air.channel.put async [%t] @c1[] (%m[%i] [1] [1]) : (memref<2xi32>)
    scf.yield %p : !air.async.token
  }
  scf.for %i = %c0 to %c2 step %c1 {
    air.channel.get @c0[] (%n[%i] [1] [1]) : (memref<2xi32>)
    air.channel.get @c1[] (%n[%i] [1] [1]) : (memref<2xi32>)
  }
  return
}

// Only some cores take the second one.
// CHECK-LABEL: func.func @cores
// CHECK: air.channel.get @d1
#first = affine_set<()[s0, s1] : (s0 == 0, s1 == 0)>
air.channel @d0 [2, 1]
// expected-remark@+1 {{is not fused: its ends run under other conditions}}
air.channel @d1 [2, 1]
func.func @cores(%m: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %w = air.wait_all async
  %l = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%w) -> !air.async.token {
    %p = air.channel.put async @d0[%i, %c0] (%m[] [] []) : (memref<1xi32>)
    scf.reduce(%p : !air.async.token) {
    ^bb0(%a: !air.async.token, %b: !air.async.token):
      %j = air.wait_all async [%a, %b]
      scf.reduce.return %j : !air.async.token
    }
  }
  %q = air.channel.put async @d1[%c0, %c0] (%m[] [] []) : (memref<1xi32>)
  air.herd tile (%x, %y) in (%sx=%c2, %sy=%c1) {
    %l1 = memref.alloc() : memref<1xi32, 2>
    air.channel.get @d0[%x, %y] (%l1[] [] []) : (memref<1xi32, 2>)
    affine.if #first()[%x, %y] {
      air.channel.get @d1[%x, %y] (%l1[] [] []) : (memref<1xi32, 2>)
    }
    memref.dealloc %l1 : memref<1xi32, 2>
  }
  return
}

// Different types, depths or places make no candidates: no remark.
// CHECK-LABEL: func.func @kinds
// CHECK: air.channel.put async @e0
// CHECK: air.channel.put async [%{{.*}}] @e1
// CHECK: air.channel.put async [%{{.*}}] @e2
air.channel @e0 []
air.channel @e1 [] {channel_type = "npu_dma_packet"}
air.channel @e2 [] {depth = 2}
func.func @kinds(%m: memref<1xi32>, %n: memref<1xi32>) {
  %p = air.channel.put async @e0[] (%m[] [] []) : (memref<1xi32>)
  %q = air.channel.put async [%p] @e1[] (%m[] [] []) : (memref<1xi32>)
  %r = air.channel.put async [%q] @e2[] (%m[] [] []) : (memref<1xi32>)
  air.channel.get @e0[] (%n[] [] []) : (memref<1xi32>)
  air.channel.get @e1[] (%n[] [] []) : (memref<1xi32>)
  air.channel.get @e2[] (%n[] [] []) : (memref<1xi32>)
  return
}

// The L2 buffer may be filled anew between the loops; without the mode that counts.
// CHECK-LABEL: func.func @refilled
// CHECK: air.channel.put @f1
// PLAIN-LABEL: func.func @refilled
// PLAIN: air.channel.put @f1
air.channel @f0 []
// expected-remark@+1 {{is not fused: its buffer may be filled anew between two loops that send it}}
air.channel @f1 []
func.func @refilled() {
  %s = air.segment async {
    %c0_0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c2_0 = arith.constant 2 : index
    %l2 = memref.alloc() : memref<1xi32, 1>
    %h = air.herd async tile (%x, %y) in (%sx=%c1_0, %sy=%c1_0) {
      %c0_1 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      %c2_1 = arith.constant 2 : index
      %l1 = memref.alloc() : memref<1xi32, 2>
      scf.for %i = %c0_1 to %c2_1 step %c1_1 {
        air.channel.get @f0[] (%l1[] [] []) : (memref<1xi32, 2>)
      }
      scf.for %i = %c0_1 to %c2_1 step %c1_1 {
        air.channel.get @f1[] (%l1[] [] []) : (memref<1xi32, 2>)
      }
    }
    scf.for %i = %c0_0 to %c2_0 step %c1_0 {
      air.channel.put @f0[] (%l2[] [] []) : (memref<1xi32, 1>)
    }
    scf.for %i = %c0_0 to %c2_0 step %c1_0 {
      air.channel.put @f1[] (%l2[] [] []) : (memref<1xi32, 1>)
    }
  }
  return
}
