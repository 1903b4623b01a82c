// Unit dims of scf.forall, negated conditions, comparisons that a loop has made already.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

func.func private @use(i32)
func.func private @use1()

// Dims of one iteration go; those that are mapped to something stay.
// CHECK-LABEL: func.func @forall_unit_dims(
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: scf.forall (%arg2) in (4) {
// CHECK-NEXT: memref.store %arg1, %arg0[%arg2, %c0] : memref<4x4xi32>
// CHECK-NEXT: }
// CHECK-NEXT: scf.forall (%arg2) in (4) {
// CHECK-NEXT: memref.store %arg1, %arg0[%arg2, %c2] : memref<4x4xi32>
// CHECK-NEXT: }
// CHECK-NEXT: scf.forall (%arg2, %arg3) in (4, 1) {
// CHECK-NEXT: memref.store %arg1, %arg0[%arg2, %arg3] : memref<4x4xi32>
// CHECK-NEXT: } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
// CHECK-NEXT: return
func.func @forall_unit_dims(%m: memref<4x4xi32>, %v: i32) {
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) in (%c4, 1) {
    memref.store %v, %m[%i, %j] : memref<4x4xi32>
  }
  scf.forall (%i, %j) = (0, 2) to (4, 3) step (1, 2) {
    memref.store %v, %m[%i, %j] : memref<4x4xi32>
  }
  scf.forall (%i, %j) in (4, 1) {
    memref.store %v, %m[%i, %j] : memref<4x4xi32>
  } {mapping = [#gpu.thread<y>, #gpu.thread<x>]}
  return
}

// CHECK-LABEL: func.func @if_negated(
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: func.call @use(%arg1) : (i32) -> ()
// CHECK-NEXT: } else {
// CHECK-NEXT: func.call @use1() : () -> ()
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @if_negated(%c: i1, %n: i32) {
  %t = arith.constant true
  %nc = arith.xori %c, %t : i1
  scf.if %nc {
    func.call @use1() : () -> ()
  } else {
    func.call @use(%n) : (i32) -> ()
  }
  return
}

// The comparison that let the body run holds in it; one with another value does not.
// CHECK-LABEL: func.func @while_condition_again(
// CHECK-NEXT: %0 = scf.while (%arg2 = %arg0) : (i32) -> i32 {
// CHECK-NEXT: %1 = arith.cmpi slt, %arg2, %arg1 : i32
// CHECK-NEXT: scf.condition(%1) %arg2 : i32
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%arg2: i32):
// CHECK-NEXT: func.call @use(%arg2) : (i32) -> ()
// CHECK-NEXT: %1 = arith.addi %arg2, %arg1 : i32
// CHECK-NEXT: %2 = arith.cmpi slt, %1, %arg1 : i32
// CHECK-NEXT: scf.if %2 {
// CHECK-NEXT: func.call @use1() : () -> ()
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %1 : i32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : i32
func.func @while_condition_again(%a: i32, %b: i32) -> i32 {
  %r = scf.while (%x = %a) : (i32) -> i32 {
    %c = arith.cmpi slt, %x, %b : i32
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%x: i32):
    %c = arith.cmpi slt, %x, %b : i32
    scf.if %c {
      func.call @use(%x) : (i32) -> ()
    }
    %d = arith.cmpi sge, %x, %b : i32
    scf.if %d {
      func.call @use1() : () -> ()
    }
    %z = arith.addi %x, %b : i32
    %e = arith.cmpi slt, %z, %b : i32
    scf.if %e {
      func.call @use1() : () -> ()
    }
    scf.yield %z : i32
  }
  return %r : i32
}
