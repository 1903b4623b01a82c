// RUN: airlite-opt %s --air-specialize-channel-wrap-and-stride=scope=func --verify-diagnostics --remarks | FileCheck %s

air.channel @c [1, 1]
air.channel @d [1, 1]
air.channel @two [2]

// CHECK-LABEL: func.func @lists
func.func @lists(%m: memref<64xi32>, %n: memref<4096x1024xi32>, %x: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // CHECK: scf.for
  // expected-remark@+1 {{not unrolled: its trip count is not constant}}
  scf.for %i = %c0 to %x step %c1 {
    // expected-remark@+1 {{does not go into its lists: its trip count is not a positive constant}}
    air.channel.put @c[] (%m[%i] [2] [1]) : (memref<64xi32>)
  }
  // CHECK: put @c[] (%arg0[%c0] [%c0{{.*}}] [1])
  // CHECK: put @c[] (%arg0[%c0] [%c8{{.*}}] [1])
  scf.for %i = %c0 to %c2 step %c1 {
    %0 = affine.apply affine_map<(d0) -> (d0 * 8)>(%i)
    // expected-remark@+1 {{does not go into its lists: its sizes and strides are not all constant}}
    air.channel.put @c[] (%m[%c0] [%0] [1]) : (memref<64xi32>)
  }
  scf.for %i = %c2 to %c2 step %c1 {
    // expected-remark@+1 {{does not go into its lists: its trip count is not a positive constant}}
    air.channel.put @d[] (%m[%i] [2] [1]) : (memref<64xi32>)
  }
  return
}

// CHECK-LABEL: func.func @order
func.func @order(%m: memref<64xi32>, %n: memref<4096x1024xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c2048 = arith.constant 2048 : index
  // Backwards.
  // CHECK: put @c[] (%arg0[%c8] [%c2] [%c1])
  // CHECK: put @c[] (%arg0[%c4] [%c2] [%c1])
  scf.for %i = %c0 to %c2 step %c1 {
    %0 = affine.apply affine_map<(d0) -> (8 - d0 * 4)>(%i)
    // expected-remark@+1 {{the iterations do not go forward at even distances}}
    air.channel.put @c[] (%m[%0] [%c2] [%c1]) : (memref<64xi32>)
  }
  // CHECK: put @c[] (%arg0[%c0{{.*}}] [4] [1])
  // CHECK: put @c[] (%arg0[%c1{{.*}}] [4] [1])
  scf.for %i = %c0 to %c2 step %c1 {
    %0 = arith.remui %i, %c2 : index
    // expected-remark@+1 {{an offset is not a sum of loop variables}}
    air.channel.put @c[] (%m[%0] [4] [1]) : (memref<64xi32>)
  }
  // A stride of 2^21 words.
  // CHECK: put @c[] (%arg1[%c0{{.*}}, 0] [2, 8] [1024, 1])
  // CHECK: put @c[] (%arg1[%c2048{{.*}}, 0] [2, 8] [1024, 1])
  affine.for %i = 0 to 4096 step 2048 {
    // expected-remark@+1 {{its dimension would be beyond what a buffer descriptor can say}}
    air.channel.put @c[] (%n[%i, 0] [2, 8] [1024, 1]) : (memref<4096x1024xi32>)
  }
  // Padding goes with the dimensions by their number.
  // CHECK: put @c[] (%arg0[%c0{{.*}}] [1] [1]) {pad_after = array<i32: 0>, pad_before = array<i32: 1>}
  // CHECK: put @c[] (%arg0[%c1{{.*}}] [1] [1]) {pad_after = array<i32: 0>, pad_before = array<i32: 1>}
  scf.for %i = %c0 to %c2 step %c1 {
    // expected-remark@+1 {{the transfer is padded}}
    air.channel.put @c[] (%m[%i] [1] [1]) {pad_after = array<i32: 0>, pad_before = array<i32: 1>} : (memref<64xi32>)
  }
  return
}

// CHECK-LABEL: func.func @loops
func.func @loops(%m: memref<64xi32>, %x: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  // CHECK: scf.for {{.*}} -> (index)
  // expected-remark@+1 {{not unrolled: it carries more than tokens}}
  %last = scf.for %i = %c0 to %c2 step %c1 iter_args(%v = %x) -> (index) {
    // expected-remark@+1 {{it carries more than tokens}}
    air.channel.put @c[] (%m[0] [4] [1]) : (memref<64xi32>)
    scf.yield %v : index
  }
  // CHECK: scf.for
  // expected-remark@+1 {{not unrolled: all iterations are the same transfer}}
  scf.for %i = %c0 to %c16 step %c1 {
    // expected-remark@+1 {{its sizes and strides are not all constant}}
    air.channel.put @c[] (%m[0] [%i] [1]) : (memref<64xi32>)
  }
  // A view of its own in each iteration.
  // CHECK: memref.subview
  // CHECK: memref.subview
  scf.for %i = %c0 to %c2 step %c1 {
    %v = memref.subview %m[%i] [4] [1] : memref<64xi32> to memref<4xi32, strided<[1], offset: ?>>
    // expected-remark@+1 {{the buffer is made in it}}
    air.channel.put @c[] (%v[0] [4] [1]) : (memref<4xi32, strided<[1], offset: ?>>)
  }
  return
}

// CHECK-LABEL: func.func @parallels
func.func @parallels(%m: memref<64xi32>, %x: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // The second may have to be over before the first can be.
  // CHECK: scf.parallel
  // expected-remark@+1 {{not unrolled: something in it blocks}}
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    air.channel.put @two[%i] (%m[0] [4] [1]) : (memref<64xi32>)
    scf.reduce
  }
  // CHECK: scf.parallel
  // expected-remark@+1 {{not unrolled: its bounds are not constant}}
  scf.parallel (%i) = (%c0) to (%x) step (%c1) {
    %t = air.channel.put async @two[%i] (%m[0] [4] [1]) : (memref<64xi32>)
    scf.reduce
  }
  // CHECK: scf.parallel
  // expected-remark@+1 {{not unrolled: it reduces values}}
  %sum = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init (%c0) -> index {
    %t = air.channel.put async @two[%i] (%m[0] [4] [1]) : (memref<64xi32>)
    scf.reduce(%i : index) {
    ^bb0(%a: index, %b: index):
      %s = arith.addi %a, %b : index
      scf.reduce.return %s : index
    }
  }
  return
}
