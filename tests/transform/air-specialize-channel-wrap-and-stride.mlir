// RUN: airlite-opt %s --air-specialize-channel-wrap-and-stride=scope=func | FileCheck %s
// RUN: airlite-opt %s --air-specialize-channel-wrap-and-stride=scope=launch | FileCheck %s --check-prefix=LAUNCH
// RUN: airlite-opt %s --air-specialize-channel-wrap-and-stride | FileCheck %s --check-prefix=SEGMENT
// RUN: airlite-opt %s --air-specialize-channel-wrap-and-stride=scope=func --check-each | FileCheck %s

air.channel @c [1, 1]
air.channel @d [1, 1]
air.channel @many [3]

// Rows, one after the other, are one run; columns stay apart; the same elements again: stride 0.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: scf.for
// CHECK: air.channel.put @c[] (%arg0[] [] []) : (memref<8x4xi32>)
// CHECK: air.channel.get @c[] (%arg1[] [] [])
// CHECK: air.channel.put @c[] (%arg0[%c1, %c0] [%c4, %c8] [%c1, %c4])
// CHECK: air.channel.put @c[] (%arg0[%c0, %c4] [%c3, %c4] [%c0, %c1])
// LAUNCH-LABEL: func.func @rows
// LAUNCH: scf.for
// SEGMENT-LABEL: func.func @rows
// SEGMENT: scf.for
func.func @rows(%m: memref<8x4xi32>, %n: memref<8x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  affine.for %i = 0 to 8 {
    air.channel.put @c[] (%m[%i, 0] [1, 4] [4, 1]) : (memref<8x4xi32>)
  }
  scf.for %i = %c0 to %c8 step %c2 {
    air.channel.get @c[] (%n[%i, 0] [2, 4] [4, 1]) : (memref<8x4xi32>)
  }
  scf.for %i = %c1 to %c3 step %c1 {
    scf.for %j = %c0 to %c2 step %c1 {
      %k = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1 - 1)>(%i, %j)
      air.channel.put @c[] (%m[0, %k] [8, 1] [4, 1]) : (memref<8x4xi32>)
    }
  }
  scf.for %i = %c0 to %c3 step %c1 {
    air.channel.put @c[] (%m[1, 0] [1, 4] [4, 1]) : (memref<8x4xi32>)
  }
  return
}

// Calculations in executes go; what the transfer waits for, and what waits for the loop, stays.
// Values from outside stay in the offsets.
// CHECK-LABEL: func.func @tokens
// CHECK: %[[START:.*]] = air.wait_all async [%{{.*}}, %{{.*}}]
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}()[%arg2]
// CHECK: %[[PUT:.*]] = air.channel.put async [%[[START]]]  @c[] (%{{.*}}[%c0{{.*}}, %[[AT]]] [%c3{{.*}}, %c4{{.*}}] [%c8{{.*}}, %c1{{.*}}]) {id = 7 : i32}
// CHECK: air.wait_all [%[[PUT]]]
func.func @tokens(%m: memref<64xi32>, %n: memref<12xi32>, %x: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %get = air.channel.get async @c[] (%n[] [] []) : (memref<12xi32>)
  %other = air.channel.get async @d[] (%n[0] [4] [1]) : (memref<12xi32>)
  %start = air.wait_all async [%other, %get]
  %end = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %t0, %at = air.execute [%t] -> (index) {
      %0 = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0 * 4)>(%i)[%x]
      air.execute_terminator %0 : index
    }
    %t1 = air.channel.put async [%t0] @c[] (%m[%at] [4] [1]) {id = 7 : i32} : (memref<64xi32>)
    scf.yield %t1 : !air.async.token
  }
  air.wait_all [%end]
  return
}

// Iterations side by side: one transfer each.
// CHECK-LABEL: func.func @parallel
// CHECK: %[[A:.*]] = air.channel.put async [%{{.*}}]  @many[%c0{{.*}}] (%arg0[%c0] [4] [1])
// CHECK: %[[B:.*]] = air.channel.put async [%{{.*}}]  @many[%c1{{.*}}] (%arg0[%c4] [4] [1])
// CHECK: %[[C:.*]] = air.channel.put async [%{{.*}}]  @many[%c2{{.*}}] (%arg0[%c8] [4] [1])
// CHECK: air.wait_all async [%{{.*}}, %[[A]], %[[B]], %[[C]]]
func.func @parallel(%m: memref<12xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %start = air.wait_all async
  %end = scf.parallel (%i) = (%c0) to (%c3) step (%c1) init (%start) -> !air.async.token {
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %t = air.channel.put async [%start] @many[%i] (%m[%at] [4] [1]) : (memref<12xi32>)
    scf.reduce(%t : !air.async.token) {
    ^bb0(%a: !air.async.token, %b: !air.async.token):
      %both = air.wait_all async [%a, %b]
      scf.reduce.return %both : !air.async.token
    }
  }
  air.wait_all [%end]
  return
}

// More than one transfer: a chain of copies.
// CHECK-LABEL: func.func @chain
// CHECK: %[[P0:.*]] = air.channel.put async [%{{.*}}]  @c[] (%arg0[%c0] [2] [1])
// CHECK: %[[G0:.*]] = air.channel.get async [%[[P0]]]  @d[] (%arg1[%c0] [2] [1])
// CHECK: %[[P1:.*]] = air.channel.put async [%[[G0]]]  @c[] (%arg0[%c2] [2] [1])
// CHECK: %[[G1:.*]] = air.channel.get async [%[[P1]]]  @d[] (%arg1[%c2] [2] [1])
// CHECK: air.wait_all [%[[G1]]]
func.func @chain(%m: memref<12xi32>, %n: memref<12xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %start = air.wait_all async
  %end = scf.for %i = %c0 to %c4 step %c2 iter_args(%t = %start) -> (!air.async.token) {
    %p = air.channel.put async [%t] @c[] (%m[%i] [2] [1]) : (memref<12xi32>)
    %g = air.channel.get async [%p] @d[] (%n[%i] [2] [1]) : (memref<12xi32>)
    scf.yield %g : !air.async.token
  }
  air.wait_all [%end]
  return
}

// Copies that no token chains: each transfer comes after its own run before, and the end of the loop is the end of
// all of them.
// CHECK-LABEL: func.func @unchained
// CHECK: %[[A:.*]] = air.channel.put async  @c
// CHECK: %[[B:.*]] = air.channel.put async  @d
// CHECK: %[[C:.*]] = air.channel.put async [%[[A]]]  @c
// CHECK: %[[D:.*]] = air.channel.put async [%[[B]]]  @d
// CHECK: air.wait_all async [%[[A]], %[[B]], %[[C]], %[[D]]]
func.func @unchained(%m: memref<12xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %start = air.wait_all async
  %end = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %p = air.channel.put async @c[] (%m[0] [2] [1]) : (memref<12xi32>)
    %g = air.channel.put async @d[] (%m[0] [2] [1]) : (memref<12xi32>)
    scf.yield %p : !air.async.token
  }
  air.wait_all [%end]
  return
}

// The canonical form.
// CHECK-LABEL: func.func @canonical
// CHECK: put @c[] (%arg0[%c35] [%c4] [%c1])
// CHECK: put @c[] (%arg0[%c1] [%c8] [%c4])
// CHECK: put @c[] (%arg0[%c0, %c3] [%c3, %c8] [%c16, %c1])
// CHECK: put @c[] (%arg0[%arg1, %c2] [%c2, %c4] [%c32, %c1])
// CHECK: put @c[] (%arg0[%c7] [%c1] [%c1])
// CHECK: put @c[] (%arg0[] [] [])
// CHECK: put @c[] (%arg0[0] [%arg1] [1])
func.func @canonical(%m: memref<64xi32>, %x: index) {
  air.channel.put @c[] (%m[1, 3, 0, 0] [1, 1, 2, 2] [32, 1, 2, 1]) : (memref<64xi32>)
  air.channel.put @c[] (%m[0, 0, 1] [2, 4, 1] [16, 4, 4]) : (memref<64xi32>)
  air.channel.put @c[] (%m[0, 0, 3] [3, 2, 4] [16, 4, 1]) : (memref<64xi32>)
  air.channel.put @c[] (%m[%x, 0, 2] [2, 1, 4] [32, 8, 1]) : (memref<64xi32>)
  air.channel.put @c[] (%m[0, 7] [1, 1] [32, 1]) : (memref<64xi32>)
  air.channel.put @c[] (%m[0, 0, 0] [1, 4, 16] [0, 16, 1]) : (memref<64xi32>)
  air.channel.put @c[] (%m[0] [%x] [1]) : (memref<64xi32>)
  return
}

// Values of a launch are not those of the segment in it.
// CHECK-LABEL: func.func @levels
// CHECK: air.launch
// CHECK: air.channel.put{{.*}}(%{{.*}}[%c0{{.*}}, %{{.*}}] [%c2{{.*}}, %c4{{.*}}]
// CHECK: air.segment
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}()[%arg{{[0-9]+}}]
// CHECK: air.channel.get @c[] (%{{.*}}[%c0{{.*}}, %[[AT]]] [%c2{{.*}}, %c4{{.*}}] [%c8{{.*}}, %c1{{.*}}])
// LAUNCH-LABEL: func.func @levels
// LAUNCH-NOT: scf.for
// LAUNCH: return
// SEGMENT-LABEL: func.func @levels
// SEGMENT: scf.for
// SEGMENT: air.segment
// SEGMENT-NOT: scf.for
// SEGMENT: return
func.func @levels(%m: memref<64xi32>) {
  %c2 = arith.constant 2 : index
  air.launch (%x) in (%sx=%c2) args(%a=%m) : memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2_0 = arith.constant 2 : index
    scf.for %i = %c0 to %c2_0 step %c1 {
      %at = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0 * 32)>(%i)[%x]
      %t = air.channel.put async @c[] (%a[%at] [4] [1]) : (memref<64xi32>)
    }
    air.segment @s args(%y=%x) : index {
      %c0_1 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      %c2_1 = arith.constant 2 : index
      %b = memref.alloc() : memref<24xi32, 1>
      scf.for %i = %c0_1 to %c2_1 step %c1_1 {
        %at = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0 * 4)>(%i)[%y]
        air.channel.get @c[] (%b[%at] [4] [1]) : (memref<24xi32, 1>)
      }
      memref.dealloc %b : memref<24xi32, 1>
    }
  }
  return
}

// A put waits for its own run in the iteration before, although no token says so: copies say it.
// CHECK-LABEL: func.func @own_runs
// CHECK: %[[P0:.*]] = air.channel.put async  @c[
// CHECK: %[[P1:.*]] = air.channel.put async [%[[P0]]]  @c[
// CHECK: air.channel.put async [%[[P1]]]  @c[
func.func @own_runs(%m: memref<64xi32>, %n: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %t0 = air.wait_all async
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %t0) -> (!air.async.token) {
    %square = arith.muli %i, %i : index
    %p = air.channel.put async @c[] (%m[%square] [4] [1]) : (memref<64xi32>)
    %g = air.channel.get async [%t] @d[] (%n[%square] [4] [1]) : (memref<64xi32>)
    scf.yield %g : !air.async.token
  }
  air.wait_all [%r]
  return
}

// What a conditional on the number of a parallel loop chooses is known in each copy, so the loop around it goes
// into the lists.
// CHECK-LABEL: func.func @chosen
// CHECK-NOT: scf.if
// CHECK: air.channel.put async {{.*}}@c[] (%arg0[%c0{{[_0-9]*}}, %c0{{[_0-9]*}}, %c0{{[_0-9]*}}] [%c3{{[_0-9]*}}, %c2{{[_0-9]*}}, %c4{{[_0-9]*}}] [%c4{{[_0-9]*}}, %c16{{[_0-9]*}}, %c1{{[_0-9]*}}])
// CHECK: air.channel.put async {{.*}}@d[] (%arg0[%c0{{[_0-9]*}}, %c0{{[_0-9]*}}, %c32{{[_0-9]*}}] [%c3{{[_0-9]*}}, %c2{{[_0-9]*}}, %c4{{[_0-9]*}}] [%c4{{[_0-9]*}}, %c16{{[_0-9]*}}, %c1{{[_0-9]*}}])
func.func @chosen(%m: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %w = air.wait_all async
  %p = scf.parallel (%x) = (%c0) to (%c2) step (%c1) init (%w) -> !air.async.token {
    %first = arith.cmpi eq, %x, %c0 : index
    %row = arith.muli %x, %c32 : index
    %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %w) -> (!air.async.token) {
      %at = arith.muli %i, %c4 : index
      %o = arith.addi %row, %at : index
      %q = scf.if %first -> (!air.async.token) {
        %s = air.channel.put async [%t] @c[] (%m[0, %o] [2, 4] [16, 1]) : (memref<64xi32>)
        scf.yield %s : !air.async.token
      } else {
        %s = air.channel.put async [%t] @d[] (%m[0, %o] [2, 4] [16, 1]) : (memref<64xi32>)
        scf.yield %s : !air.async.token
      }
      scf.yield %q : !air.async.token
    }
    scf.reduce(%l : !air.async.token) {
    ^bb0(%a: !air.async.token, %b: !air.async.token):
      %j = air.wait_all async [%a, %b]
      scf.reduce.return %j : !air.async.token
    }
  }
  air.wait_all [%p]
  return
}
