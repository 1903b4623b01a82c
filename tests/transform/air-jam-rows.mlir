// RUN: airlite-opt %s --pipeline=air-jam-rows,canonicalize,cse --check-each | FileCheck %s
// RUN: airlite-opt %s --pipeline=air-jam-rows --remarks 2>&1 | FileCheck %s --check-prefix=WHY

// Ten rows: two groups of four, and two rows of their own. Places of later rows are those of the first and a constant.
// CHECK-LABEL: func.func @scaled
// CHECK: scf.for %[[ROW:.*]] = %c0 to %c8 step %c4 {
// CHECK-COUNT-4: memref.load %{{.*}} : memref<10xf32>
// CHECK: scf.for %[[AT:.*]] = %c0 to %c64 step %c16 {
// CHECK: %[[PLACE:.*]] = arith.addi %{{.*}}, %[[AT]]
// CHECK: vector.load %{{.*}}[%[[PLACE]]]
// CHECK: vector.store %{{.*}}[%[[PLACE]]]
// CHECK: %[[SECOND:.*]] = arith.addi %[[PLACE]], %c64
// CHECK: vector.load %{{.*}}[%[[SECOND]]]
// CHECK: vector.store %{{.*}}[%[[SECOND]]]
// CHECK: arith.addi %[[PLACE]], %c128
// CHECK: arith.addi %[[PLACE]], %c192
// CHECK: scf.for %{{.*}} = %c8 to %c10 step %c1 {
// CHECK-COUNT-1: memref.load
func.func @scaled(%numbers: memref<640xf32>, %factors: memref<10xf32>) -> memref<640xf32> {
  %x = memref.alloc() : memref<640xf32>
  %y = memref.alloc() : memref<640xf32>
  %scales = memref.alloc() : memref<10xf32>
  memref.copy %numbers, %x : memref<640xf32> to memref<640xf32>
  memref.copy %factors, %scales : memref<10xf32> to memref<10xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %row = %c0 to %c10 step %c1 {
    %first = arith.muli %row, %c64 : index
    %scale = memref.load %scales[%row] : memref<10xf32>
    %scales16 = vector.broadcast %scale : f32 to vector<16xf32>
    scf.for %at = %c0 to %c64 step %c16 {
      %place = arith.addi %first, %at : index
      %0 = vector.load %x[%place] : memref<640xf32>, vector<16xf32>
      %1 = arith.mulf %0, %scales16 : vector<16xf32>
      vector.store %1, %y[%place] : memref<640xf32>, vector<16xf32>
    }
  }
  return %y : memref<640xf32>
}

// Rows in place: one pair, which is no loop any more, and one row alone. Each stays in its own 32 numbers.
// CHECK-LABEL: func.func @in_place
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c16 {
// CHECK-COUNT-2: vector.store
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c16 {
// CHECK-COUNT-1: vector.store
func.func @in_place(%x: memref<96xi16>) -> memref<96xi16> {
  %y = memref.alloc() : memref<96xi16>
  memref.copy %x, %y : memref<96xi16> to memref<96xi16>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.for %row = %c0 to %c3 step %c1 {
    %first = arith.muli %row, %c32 : index
    scf.for %at = %c0 to %c32 step %c16 {
      %place = arith.addi %first, %at : index
      %0 = vector.load %y[%place] : memref<96xi16>, vector<16xi16>
      %1 = arith.addi %0, %0 : vector<16xi16>
      vector.store %1, %y[%place] : memref<96xi16>, vector<16xi16>
    }
  }
  return %y : memref<96xi16>
}

// Rows that overlap: each begins 16 numbers after the one before, and has 32.
// CHECK-LABEL: func.func @overlapping
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1 {
// WHY: remark: [air-jam-rows] rows one by one: they may overlap in memory that is stored
func.func @overlapping(%x: memref<96xi16>) -> memref<96xi16> {
  %y = memref.alloc() : memref<96xi16>
  memref.copy %x, %y : memref<96xi16> to memref<96xi16>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.for %row = %c0 to %c4 step %c1 {
    %first = arith.muli %row, %c16 : index
    scf.for %at = %c0 to %c32 step %c16 {
      %place = arith.addi %first, %at : index
      %0 = vector.load %y[%place] : memref<96xi16>, vector<16xi16>
      %1 = arith.addi %0, %0 : vector<16xi16>
      vector.store %1, %y[%place] : memref<96xi16>, vector<16xi16>
    }
  }
  return %y : memref<96xi16>
}

// What a row needs once may be what another row stores, and an argument may be the memory of another one.
// CHECK-LABEL: func.func @unknown
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1 {
// WHY: remark: [air-jam-rows] rows one by one: they may overlap in memory that is stored
func.func @unknown(%x: memref<128xf32>, %y: memref<128xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.for %row = %c0 to %c4 step %c1 {
    %first = arith.muli %row, %c32 : index
    scf.for %at = %c0 to %c32 step %c16 {
      %place = arith.addi %first, %at : index
      %0 = vector.load %x[%place] : memref<128xf32>, vector<16xf32>
      %1 = arith.addf %0, %0 : vector<16xf32>
      vector.store %1, %y[%place] : memref<128xf32>, vector<16xf32>
    }
  }
  return
}

// Sums that are carried along a row, and what is stored after it.
// CHECK-LABEL: func.func @sums
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1 {
// WHY: remark: [air-jam-rows] rows one by one: more is done than a loop along each, and loads before it
func.func @sums(%x: memref<128xi32>) -> memref<4xi32> {
  %y = memref.alloc() : memref<4xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  scf.for %row = %c0 to %c4 step %c1 {
    %first = arith.muli %row, %c32 : index
    %sum = scf.for %at = %c0 to %c32 step %c1 iter_args(%so_far = %zero) -> (i32) {
      %place = arith.addi %first, %at : index
      %0 = memref.load %x[%place] : memref<128xi32>
      %1 = arith.addi %0, %so_far : i32
      scf.yield %1 : i32
    }
    memref.store %sum, %y[%row] : memref<4xi32>
  }
  return %y : memref<4xi32>
}

// Long rows: their ends do not matter.
// CHECK-LABEL: func.func @long
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1 {
// WHY: remark: [air-jam-rows] rows one by one: they are long
func.func @long() -> memref<8192xi16> {
  %x = memref.alloc() : memref<8192xi16>
  %y = memref.alloc() : memref<8192xi16>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c2048 = arith.constant 2048 : index
  scf.for %row = %c0 to %c4 step %c1 {
    %first = arith.muli %row, %c2048 : index
    scf.for %at = %c0 to %c2048 step %c16 {
      %place = arith.addi %first, %at : index
      %0 = vector.load %x[%place] : memref<8192xi16>, vector<16xi16>
      vector.store %0, %y[%place] : memref<8192xi16>, vector<16xi16>
    }
  }
  return %y : memref<8192xi16>
}
