// RUN: airlite-opt %s --cse | FileCheck %s

// CHECK-LABEL: func.func @loads
func.func @loads(%m: memref<4xf32>, %i: index, %v: f32) -> (f32, f32, f32) {
  // CHECK: %[[A:.*]] = memref.load
  %a = memref.load %m[%i] : memref<4xf32>
  %b = memref.load %m[%i] : memref<4xf32>
  // CHECK-NEXT: memref.store
  memref.store %v, %m[%i] : memref<4xf32>
  // CHECK-NEXT: %[[C:.*]] = memref.load
  %c = memref.load %m[%i] : memref<4xf32>
  // CHECK-NEXT: return %[[A]], %[[A]], %[[C]]
  return %a, %b, %c : f32, f32, f32
}

// What a branch computes is not there in the other one.
// CHECK-LABEL: func.func @branches
func.func @branches(%c: i1, %a: i32) -> (i32, i32) {
  // CHECK: %[[X:.*]] = arith.muli
  %x = arith.muli %a, %a : i32
  %r = scf.if %c -> i32 {
    // CHECK: scf.yield %[[X]]
    %y = arith.muli %a, %a : i32
    scf.yield %y : i32
  } else {
    // CHECK: %[[Z:.*]] = arith.subi
    %z = arith.subi %a, %x : i32
    scf.yield %z : i32
  }
  // CHECK: %[[W:.*]] = arith.subi
  %w = arith.subi %a, %x : i32
  return %r, %w : i32, i32
}

// Allocations and effects stay apart; isolated regions start afresh.
// CHECK-LABEL: func.func @effects
func.func @effects(%n: index) -> (memref<4xf32>, memref<4xf32>) {
  // CHECK: memref.alloc
  // CHECK: memref.alloc
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c1 = arith.constant 1 : index
  // CHECK: air.herd
  air.herd tile (%x) in (%s=%c1) args(%k=%n) : index {
    // CHECK: arith.constant 1 : index
    %one = arith.constant 1 : index
    %l1 = memref.alloc() : memref<4xf32, 2>
    %zero = arith.constant 0.0 : f32
    memref.store %zero, %l1[%one] : memref<4xf32, 2>
  }
  return %a, %b : memref<4xf32>, memref<4xf32>
}
