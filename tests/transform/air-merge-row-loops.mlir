// Short rows one after the other become one loop: a pointer steps along a row and from row to row.
// RUN: airlite-opt %s --air-merge-row-loops | FileCheck %s
// RUN: airlite-run %s --on=interp --function=columns --init=random:1 --output 2=%t.npy
// RUN: airlite-opt %s --air-merge-row-loops | airlite-run - --on=interp --function=columns --init=random:1 --expect 2=%t.npy

// CHECK-LABEL: func.func @columns
// CHECK: scf.for %[[T:.*]] = %c0{{.*}} to %c32
// CHECK: %[[ROW:.*]] = arith.divui %[[T]], %c4
// CHECK: %[[ROUND:.*]] = arith.remui %[[T]], %c4
// CHECK: %[[PLACE:.*]] = arith.muli %[[ROUND]], %c16
// CHECK: %[[AT:.*]] = arith.muli %[[ROW]], %c64
// CHECK: %[[INDEX:.*]] = arith.addi %[[AT]], %[[PLACE]]
// CHECK: vector.load %{{.*}}[%[[INDEX]]]
// CHECK: vector.load %{{.*}}[%[[PLACE]]]
// CHECK-NOT: scf.for
// CHECK-LABEL: func.func @summed
func.func @columns(%x: memref<512xf32>, %s: memref<64xf32>, %y: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %row = arith.muli %i, %c64 : index
    scf.for %j = %c0 to %c64 step %c16 {
      %at = arith.addi %row, %j : index
      %a = vector.load %x[%at] : memref<512xf32>, vector<16xf32>
      %b = vector.load %s[%j] : memref<64xf32>, vector<16xf32>
      %c = arith.mulf %a, %b : vector<16xf32>
      vector.store %c, %y[%at] : memref<512xf32>, vector<16xf32>
    }
  }
  return
}

// Left as they are: sums that one row leaves to the next, places that are no sums of multiples, rows with a number of their own, elements
// one by one, long rows.
// CHECK: to %c8
// CHECK: to %c64
func.func @summed(%x: memref<512xf32>, %s: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %row = arith.muli %i, %c64 : index
    scf.for %j = %c0 to %c64 step %c16 {
      %at = arith.addi %row, %j : index
      %a = vector.load %x[%at] : memref<512xf32>, vector<16xf32>
      %b = vector.load %s[%j] : memref<64xf32>, vector<16xf32>
      %c = arith.addf %a, %b : vector<16xf32>
      vector.store %c, %s[%j] : memref<64xf32>, vector<16xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @masked
// CHECK: to %c8
// CHECK: to %c64
func.func @masked(%x: memref<512xf32>, %y: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %mask = arith.constant -32 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %row = arith.muli %i, %c64 : index
    scf.for %j = %c0 to %c64 step %c16 {
      %place = arith.addi %row, %j : index
      %at = arith.andi %place, %mask : index
      %a = vector.load %x[%at] : memref<512xf32>, vector<16xf32>
      vector.store %a, %y[%place] : memref<512xf32>, vector<16xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @scaled
// CHECK: to %c8
// CHECK: memref.load
// CHECK: to %c64
func.func @scaled(%x: memref<512xf32>, %s: memref<8xf32>, %y: memref<512xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %row = arith.muli %i, %c64 : index
    %number = memref.load %s[%i] : memref<8xf32>
    scf.for %j = %c0 to %c64 step %c16 {
      %at = arith.addi %row, %j : index
      %a = vector.load %x[%at] : memref<512xf32>, vector<16xf32>
      %b = vector.broadcast %number : f32 to vector<16xf32>
      %c = arith.mulf %a, %b : vector<16xf32>
      vector.store %c, %y[%at] : memref<512xf32>, vector<16xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @elements
// CHECK: to %c8
// CHECK: to %c8
func.func @elements(%x: memref<64xf32>, %y: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %row = arith.muli %i, %c8 : index
    scf.for %j = %c0 to %c8 step %c1 {
      %at = arith.addi %row, %j : index
      %a = memref.load %x[%at] : memref<64xf32>
      memref.store %a, %y[%at] : memref<64xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @long
// CHECK: to %c8
// CHECK: to %c512
func.func @long(%x: memref<4096xf32>, %y: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %row = arith.muli %i, %c512 : index
    scf.for %j = %c0 to %c512 step %c16 {
      %at = arith.addi %row, %j : index
      %a = vector.load %x[%at] : memref<4096xf32>, vector<16xf32>
      vector.store %a, %y[%at] : memref<4096xf32>, vector<16xf32>
    }
  }
  return
}
