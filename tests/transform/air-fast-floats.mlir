// RUN: airlite-opt %s --pipeline='air-fast-floats,canonicalize,cse' | FileCheck %s
// RUN: airlite-opt %s --pipeline='air-fast-floats,canonicalize,cse' --check-each --emit=none

// Factors of f32 have three pieces, those that a bf16 holds one; a product that is added is one op.
// CHECK-LABEL: func.func @products
// CHECK: air.herd
// CHECK: %[[X:.*]] = memref.load
// CHECK: %[[SQUARE:.*]] = math.fma %[[X]], %[[X]], %{{.*}} {air.bf16_pieces = array<i64: 3, 3>} : f32
// CHECK: math.fma %[[SQUARE]], %{{.*}}, %[[X]] {air.bf16_pieces = array<i64: 3, 1>} : f32
// CHECK: memref.store
// Outside of a herd nothing changes.
// CHECK: arith.mulf
func.func @products(%m: memref<8xf32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %half = arith.constant 0.5 : f32
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%a = %m, %h = %half) : memref<8xf32, 2>, f32 {
    %z = arith.constant 0 : index
    %k = arith.constant 0.5 : f32
    %v = memref.load %a[%z] : memref<8xf32, 2>
    %s = arith.mulf %v, %v : f32
    %p = arith.mulf %s, %k : f32
    %r = arith.addf %v, %p : f32
    memref.store %r, %a[%z] : memref<8xf32, 2>
  }
  %o = memref.load %m[%c0] : memref<8xf32, 2>
  %p = arith.mulf %o, %o : f32
  memref.store %p, %m[%c0] : memref<8xf32, 2>
  return
}

// A named op becomes a general one; what no row has stays, and products over a reduction stay exact.
// CHECK-LABEL: func.func @structured
// CHECK: linalg.generic
// CHECK: arith.bitcast
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: math.atan
func.func @structured(%m: memref<16x16xf32, 2>, %n: memref<16x16xf32, 2>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%a = %m, %b = %n) : memref<16x16xf32, 2>, memref<16x16xf32, 2> {
    linalg.exp ins(%a : memref<16x16xf32, 2>) outs(%b : memref<16x16xf32, 2>)
    linalg.matmul ins(%a, %a : memref<16x16xf32, 2>, memref<16x16xf32, 2>) outs(%b : memref<16x16xf32, 2>)
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        outs(%b : memref<16x16xf32, 2>) {
    ^bb0(%o: f32):
      %r = math.atan %o : f32
      linalg.yield %r : f32
    }
  }
  return
}

// The larger of a bf16 and 0 is that of its bits and 0; comparisons are of numbers that grow with theirs.
// CHECK-LABEL: func.func @comparisons
// CHECK: arith.bitcast %{{.*}} : bf16 to i16
// CHECK: arith.maxsi
// CHECK: arith.subi
// CHECK: arith.subi
// CHECK: arith.cmpi slt
// CHECK: arith.select
// CHECK-NOT: arith.cmpf olt
// CHECK: arith.cmpf uno
func.func @comparisons(%m: memref<8xbf16, 2>, %n: memref<8xf32, 2>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%a = %m, %b = %n) : memref<8xbf16, 2>, memref<8xf32, 2> {
    %z = arith.constant 0 : index
    %one = arith.constant 1 : index
    %zero = arith.constant 0.0 : bf16
    %v = memref.load %a[%z] : memref<8xbf16, 2>
    %r = arith.maximumf %v, %zero : bf16
    memref.store %r, %a[%z] : memref<8xbf16, 2>
    %p = memref.load %b[%z] : memref<8xf32, 2>
    %q = memref.load %b[%one] : memref<8xf32, 2>
    %less = arith.cmpf olt, %p, %q : f32
    %s = arith.select %less, %p, %q : f32
    memref.store %s, %b[%z] : memref<8xf32, 2>
    %none = arith.cmpf uno, %p, %q : f32
    %t = arith.select %none, %p, %q : f32
    memref.store %t, %b[%one] : memref<8xf32, 2>
  }
  return
}

// The vector unit has the larger of two bf16 with NaN where one is NaN; that of f32 is a selection.
// CHECK-LABEL: func.func @extremes
// CHECK: arith.maximumf %{{.*}}, %{{.*}} : bf16
// CHECK: arith.minimumf %{{.*}}, %{{.*}} : bf16
func.func @extremes(%m: memref<8xbf16, 2>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%a = %m) : memref<8xbf16, 2> {
    %i = arith.constant 0 : index
    %j = arith.constant 1 : index
    %v = memref.load %a[%i] : memref<8xbf16, 2>
    %w = memref.load %a[%j] : memref<8xbf16, 2>
    %p = arith.maxnumf %v, %w : bf16
    %q = arith.minnumf %p, %v : bf16
    memref.store %q, %a[%i] : memref<8xbf16, 2>
  }
  return
}
