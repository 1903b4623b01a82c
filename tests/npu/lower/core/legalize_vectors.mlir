// RUN: airlite-opt %s --air-aie-legalize-core='functions=true vectorize=true' | FileCheck %s
// RUN: airlite-opt %s --air-aie-legalize-core='functions=true' | FileCheck %s --check-prefix=SCALAR
// RUN: airlite-opt %s --air-aie-core-loops=functions=true --air-aie-flatten-memrefs=functions=true --canonicalize \
// RUN:   --air-aie-vectorize-core=functions=true --remarks 2>&1 | FileCheck %s --check-prefix=WHY

// A row of 160, five vectors of 512 bits; as numbers each sum would be a call.
// CHECK-LABEL: func.func @rows
// CHECK: scf.for %[[I:.*]] = %c0 to %c160 step %c32
// CHECK-NEXT: %[[X:.*]] = vector.load %arg0[%[[I]]] : memref<160xbf16>, vector<32xbf16>
// CHECK-NEXT: %[[Y:.*]] = vector.load %arg1[%[[I]]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[Y]] : vector<32xbf16>
// CHECK-NEXT: vector.store %[[S]], %arg2[%[[I]]]
// SCALAR-LABEL: func.func @rows
// SCALAR: scf.for
// SCALAR: call @__air_f32_add
func.func @rows(%a: memref<4x40xbf16>, %b: memref<4x40xbf16>, %c: memref<4x40xbf16>) {
  linalg.add ins(%a, %b : memref<4x40xbf16>, memref<4x40xbf16>) outs(%c : memref<4x40xbf16>)
  return
}

// One number for all elements; 6 numbers of the 70 are left.
// CHECK-LABEL: func.func @rest
// CHECK: vector.broadcast %arg1 : i32 to vector<16xi32>
// CHECK-NEXT: scf.for %{{.*}} = %c0 to %c64 step %c16
// CHECK: arith.muli
// CHECK: vector.store
// CHECK: scf.for %{{.*}} = %c64 to %c70 step %c1
// CHECK: arith.muli %{{.*}}, %arg1 : i32
func.func @rest(%a: memref<70xi32>, %s: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c70 = arith.constant 70 : index
  scf.for %i = %c0 to %c70 step %c1 {
    %x = memref.load %a[%i] : memref<70xi32>
    %y = arith.muli %x, %s : i32
    memref.store %y, %a[%i] : memref<70xi32>
  }
  return
}

// WHY: not vectorized: {{.*}}
// CHECK-LABEL: func.func @turned
// CHECK-NOT: vector
// What is left of a number when a row is taken away stays in a register.
// CHECK: %[[FIRST:.*]] = memref.load %arg1[%[[J:.*]]] : memref<16xi32>
// CHECK-NEXT: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[SO_FAR:.*]] = %[[FIRST]]) -> (i32)
// CHECK: %[[NEXT:.*]] = arith.subi %[[SO_FAR]], %{{.*}} : i32
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: memref.store %[[SUM]], %arg1[%[[J]]]
func.func @turned(%a: memref<16x16xi32>, %b: memref<16xi32>) {
  linalg.reduce ins(%a : memref<16x16xi32>) outs(%b : memref<16xi32>) dimensions = [1]
    (%x: i32, %s: i32) {
      %r = arith.subi %s, %x : i32
      linalg.yield %r : i32
    }
  return
}

// Each lane has its own sum; 6 numbers are left, and the vector that begins with them reads on behind the row. At last the lanes are added
// to each other and to the old value.
// CHECK-LABEL: func.func @sums
// CHECK: %[[ZERO:.*]] = arith.constant dense<0> : vector<16xi32>
// CHECK: %[[FIRST:.*]] = memref.load %arg1[%[[J:.*]]] : memref<3xi32>
// CHECK: %[[LANES:.*]]:2 = scf.for {{.*}} to %c64 step %c32 iter_args(%{{.*}} = %[[ZERO]], %{{.*}} = %[[ZERO]])
// CHECK: arith.extsi %{{.*}} : vector<32xi8> to vector<32xi16>
// CHECK: vector.extract_strided_slice
// CHECK: scf.yield
// CHECK: vector.load %{{.*}} : memref<288xi8>, vector<32xi8>
// CHECK: %[[LAST:.*]] = vector.shuffle %{{.*}}, %[[ZERO]] [0, 1, 2, 3, 4, 5, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]
// CHECK: %[[WITH:.*]] = arith.addi %[[LAST]], %[[LANES]]#0 : vector<16xi32>
// CHECK: arith.addi %[[WITH]], %[[LANES]]#1 : vector<16xi32>
// CHECK-COUNT-4: vector.shuffle
// CHECK: %[[ALL:.*]] = vector.extract %{{.*}}[0] : i32 from vector<16xi32>
// CHECK: arith.addi %[[FIRST]], %[[ALL]] : i32
// CHECK-NOT: scf.for
func.func @sums(%a: memref<3x96xi8>, %b: memref<3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c70 = arith.constant 70 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c70 step %c1 {
      %x = memref.load %a[%i, %j] : memref<3x96xi8>
      %s = memref.load %b[%i] : memref<3xi32>
      %w = arith.extsi %x : i8 to i32
      %r = arith.addi %w, %s : i32
      memref.store %r, %b[%i] : memref<3xi32>
    }
  }
  return
}

// Nothing lies behind the last numbers of a buffer: these are added one by one.
// CHECK-LABEL: func.func @last_row
// CHECK: scf.for {{.*}} to %c64 step %c32
// CHECK: %[[ALL:.*]] = vector.extract %{{.*}}[0] : i32 from vector<16xi32>
// CHECK: %[[TOTAL:.*]] = arith.addi %{{.*}}, %[[ALL]] : i32
// CHECK: scf.for {{.*}} = %c64 to %c70 step %c1 iter_args(%{{.*}} = %[[TOTAL]]) -> (i32)
func.func @last_row(%a: memref<70xi8>, %b: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c70 = arith.constant 70 : index
  scf.for %j = %c0 to %c70 step %c1 {
    %x = memref.load %a[%j] : memref<70xi8>
    %s = memref.load %b[%c0] : memref<1xi32>
    %w = arith.extsi %x : i8 to i32
    %r = arith.addi %w, %s : i32
    memref.store %r, %b[%c0] : memref<1xi32>
  }
  return
}
