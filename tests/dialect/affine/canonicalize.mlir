// Canonicalization of the affine dialect.
// RUN: airlite-opt --allow-unregistered --canonicalize %s | FileCheck %s
// CHECK: #map = affine_map<()[s0, s1] -> (s0 * 1024 + s1 * 1056 + 4)>
// CHECK: #map1 = affine_map<()[s0] -> (s0 * 3)>
// CHECK: #map2 = affine_map<()[s0] -> (s0 mod 4)>
// CHECK: #map3 = affine_map<()[s0, s1] -> (s0 + s1 * 64)>
// CHECK: #map4 = affine_map<(d0) -> (d0 * 5)>
// CHECK: #map5 = affine_map<(d0, d1) -> (d0 * 2 + d1)>
// CHECK: #map6 = affine_map<(d0, d1) -> (d0 * 8 + d1 - ((d0 * 8 + d1 + 3) floordiv 4) * 4 + 3)>
// CHECK: #map7 = affine_map<()[s0] -> (4, 77, s0 + 1)>
// CHECK: #map8 = affine_map<()[s0] -> (s0 + 5)>
// CHECK: #map9 = affine_map<()[s0, s1] -> (s1, s0, s0 + 3)>
// CHECK: #map10 = affine_map<()[s0] -> (s0, 4)>
// CHECK: #map11 = affine_map<()[s0] -> (s0 + 3)>
// CHECK: #map12 = affine_map<()[s0] -> (s0 * 2)>
// CHECK: #set = affine_set<(d0) : (d0 - 7 >= 0)>
// CHECK: #set1 = affine_set<()[s0] : (s0 - 1 >= 0)>

#add = affine_map<(d0)[s0] -> (d0 + s0)>
#tile = affine_map<(d0, d1) -> (d0 * 32 + d1)>

// CHECK-LABEL: func.func @compose(
// CHECK-NEXT: %0 = affine.apply #map()[%arg1, %arg0]
// CHECK-NEXT: return %0 : index
func.func @compose(%a: index, %b: index) -> index {
  %c4 = arith.constant 4 : index
  %0 = affine.apply #add(%a)[%b]
  %1 = affine.apply #tile(%0, %a)
  %2 = affine.apply #tile(%1, %c4)
  return %2 : index
}

// CHECK-LABEL: func.func @compose_into_accesses(
// CHECK-NEXT: affine.for %arg2 = 0 to 10 {
// CHECK-NEXT: affine.for %arg3 = 0 to 10 {
// CHECK-NEXT: %0 = affine.load %arg0[%arg3 * 32 + %arg2 + symbol(%arg1) + 1] : memref<?xf32>
// CHECK-NEXT: affine.store %0, %arg0[%arg3 * 32 + %arg2] : memref<?xf32>
// CHECK-NEXT: affine.prefetch %arg0[%arg3 * 32 + %arg2 + symbol(%arg1)], read, locality<3>, data : memref<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @compose_into_accesses(%m: memref<?xf32>, %n: index) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      %0 = affine.apply #tile(%j, %i)
      %1 = affine.apply #add(%0)[%n]
      %2 = affine.load %m[%1 + 1] : memref<?xf32>
      affine.store %2, %m[%0] : memref<?xf32>
      affine.prefetch %m[%1], read, locality<3>, data : memref<?xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @unused_and_repeated(
// CHECK-NEXT: %0 = affine.apply #map1()[%arg0]
// CHECK-NEXT: %1 = affine.apply #map2()[%arg1]
// CHECK-NEXT: return %0, %1 : index, index
func.func @unused_and_repeated(%a: index, %b: index) -> (index, index) {
  %0 = affine.apply affine_map<(d0, d1)[s0] -> (d1 * 2 + s0)>(%b, %a)[%a]
  %1 = affine.apply affine_map<(d0, d1, d2) -> (d2 mod 4)>(%b, %a, %b)
  return %0, %1 : index, index
}

// CHECK-LABEL: func.func @apply_folds(
// CHECK-NEXT: %c12 = arith.constant 12 : index
// CHECK-NEXT: %c-2 = arith.constant -2 : index
// CHECK-NEXT: return %arg0, %c12, %c-2 : index, index, index
func.func @apply_folds(%a: index) -> (index, index, index) {
  %c10 = arith.constant 10 : index
  %0 = affine.apply affine_map<(d0) -> (d0)>(%a)
  %1 = affine.apply affine_map<() -> (12)>()
  %2 = affine.apply affine_map<(d0) -> ((d0 - 15) floordiv 4)>(%c10)
  return %0, %1, %2 : index, index, index
}

// CHECK-LABEL: func.func @scf_variables_stay_dims(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: scf.for %arg1 = %c0 to %arg0 step %c1 {
// CHECK-NEXT: %0 = affine.apply #map3()[%arg0, %arg1]
// CHECK-NEXT: "t.use"(%0) : (index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @scf_variables_stay_dims(%n: index) {
  scf.for %i = %n to %n step %n {
    "t.never"() : () -> ()
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = affine.apply affine_map<()[s0] -> (s0 * 8)>()[%i]
    %1 = affine.apply affine_map<(d0)[s0] -> (d0 * 8 + s0)>(%0)[%n]
    "t.use"(%1) : (index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @simplified(
// CHECK-NEXT: affine.for %arg2 = 0 to 8 {
// CHECK-NEXT: affine.for %arg3 = 0 to 8 {
// CHECK-NEXT: %0 = affine.apply #map4(%arg2)
// CHECK-NEXT: %1 = affine.apply #map5(%arg2, %arg3)
// CHECK-NEXT: %2 = affine.apply #map6(%arg2, %arg3)
// CHECK-NEXT: "t.use"(%0, %1, %arg3, %2) : (index, index, index, index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return %arg0, %arg0, %arg1 : index, index, index
func.func @simplified(%a: index, %b: index) -> (index, index, index) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %0 = affine.apply affine_map<(d0, d1) -> (d1 + d0 * 4 - d1 + d0)>(%i, %j)
      %1 = affine.apply affine_map<(d0, d1) -> ((d0 * 8 + d1 * 4) floordiv 4)>(%i, %j)
      %2 = affine.apply affine_map<(d0, d1) -> ((d0 * 8 + d1 * 16) mod 8 + d1)>(%i, %j)
      %3 = affine.apply affine_map<(d0, d1) -> ((d0 * 8 + d1 + 3) mod 4)>(%i, %j)
      "t.use"(%0, %1, %2, %3) : (index, index, index, index) -> ()
    }
  }
  return %a, %a, %b : index, index, index
}

// CHECK-LABEL: func.func @min_and_max(
// CHECK-NEXT: %c9 = arith.constant 9 : index
// CHECK-NEXT: %0 = affine.min #map7()[%arg0]
// CHECK-NEXT: %1 = affine.apply #map8()[%arg0]
// CHECK-NEXT: %2 = affine.min #map9()[%arg1, %arg0]
// CHECK-NEXT: return %0, %c9, %1, %2 : index, index, index, index
func.func @min_and_max(%a: index, %b: index) -> (index, index, index, index) {
  %c4 = arith.constant 4 : index
  %0 = affine.min affine_map<(d0, d1) -> (d0 + 1, d1, 77)>(%a, %c4)
  %1 = affine.max affine_map<(d0, d1) -> (d0 * 2, 9)>(%c4, %a)
  %2 = affine.min affine_map<(d0) -> (d0 + 5)>(%a)
  %3 = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%a)[%b]
  %4 = affine.min affine_map<(d0)[s0] -> (d0, s0 + 3, s0 + 3)>(%3)[%b]
  return %0, %1, %2, %4 : index, index, index, index
}

// CHECK-LABEL: func.func @for_bounds(
// CHECK-NEXT: affine.for %arg1 = max #map10()[%arg0] to 4 {
// CHECK-NEXT: "t.use"(%arg1) : (index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: affine.for %arg1 = #map11()[%arg0] to #map12()[%arg0] {
// CHECK-NEXT: "t.use"(%arg1) : (index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @for_bounds(%n: index) {
  %c4 = arith.constant 4 : index
  affine.for %i = max affine_map<(d0, d1) -> (d0, 3, d1)>(%n, %c4) to %c4 {
    "t.use"(%i) : (index) -> ()
  }
  affine.for %i = affine_map<(d0) -> (d0 + 3)>(%n) to affine_map<(d0, d1) -> (d0 + d1)>(%n, %n) {
    "t.use"(%i) : (index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @for_trip_counts(
// CHECK-NEXT: affine.for %arg1 = 0 to 1 {
// CHECK-NEXT: "t.use"(%arg1) : (index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: return %arg0, %arg0 : f32, f32
func.func @for_trip_counts(%f: f32) -> (f32, f32) {
  %0 = affine.for %i = 5 to 5 iter_args(%x = %f) -> (f32) {
    %1 = "t.never"() : () -> f32
    affine.yield %1 : f32
  }
  %2 = affine.for %i = 0 to 5 iter_args(%x = %f) -> (f32) {
    affine.yield %x : f32
  }
  affine.for %i = 0 to 1 {
    "t.use"(%i) : (index) -> ()
  }
  return %0, %2 : f32, f32
}

// CHECK-LABEL: func.func @decided_ifs(
// CHECK-NEXT: affine.for %arg1 = 5 to 12 {
// CHECK-NEXT: "t.always"() : () -> ()
// CHECK-NEXT: "t.always"() : () -> ()
// CHECK-NEXT: affine.if #set(%arg1) {
// CHECK-NEXT: "t.open"() : () -> ()
// CHECK-NEXT: }
// CHECK-NEXT: affine.if #set1()[%arg0] {
// CHECK-NEXT: "t.open"() : () -> ()
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @decided_ifs(%n: index) {
  %c4 = arith.constant 4 : index
  affine.for %i = 5 to 12 {
    affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0)>(%c4)[%c4] {
      "t.always"() : () -> ()
    }
    affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%c4) {
      "t.never"() : () -> ()
    } else {
      "t.always"() : () -> ()
    }
    affine.if affine_set<() : (1 == 0)>() {
      "t.never"() : () -> ()
    }
    affine.if affine_set<(d0) : (d0 - 7 >= 0)>(%i) {
      "t.open"() : () -> ()
    } else {
    }
    affine.if affine_set<(d0, d1) : (d0 + d1 - 5 >= 0)>(%c4, %n) {
      "t.open"() : () -> ()
    }
  }
  return
}

// CHECK-LABEL: func.func @if_with_result(
// CHECK-NEXT: %0 = "t.op"() : () -> f32
// CHECK-NEXT: return %0 : f32
func.func @if_with_result(%f: f32) -> f32 {
  %c4 = arith.constant 4 : index
  %0 = affine.if affine_set<(d0) : (d0 == 0)>(%c4) -> f32 {
    affine.yield %f : f32
  } else {
    %1 = "t.op"() : () -> f32
    affine.yield %1 : f32
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @parallel_bounds(
// CHECK-NEXT: affine.parallel (%arg2, %arg3) = (0, 4) to (symbol(%arg0) + 4, min(symbol(%arg0), 7, symbol(%arg1))) {
// CHECK-NEXT: "t.use"(%arg2, %arg3) : (index, index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @parallel_bounds(%n: index, %k: index) {
  %c4 = arith.constant 4 : index
  affine.parallel (%i, %j) = (0, %c4) to (%n + %c4, min(%n, 7, %k)) {
    "t.use"(%i, %j) : (index, index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @index_arithmetic(
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %c5 = arith.constant 5 : index
// CHECK-NEXT: %c-1 = arith.constant -1 : index
// CHECK-NEXT: %c25 = arith.constant 25 : index
// CHECK-NEXT: return %c3, %c5, %c-1, %c25 : index, index, index, index
func.func @index_arithmetic() -> (index, index, index, index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %cm1 = arith.constant -1 : index
  %c29 = arith.constant 29 : index
  %0:2 = affine.delinearize_index %c29 into (4, 8) : index, index
  %1:2 = affine.delinearize_index %cm1 into (8) : index, index
  %2 = affine.linearize_index [%c3, %c1] by (4, 8) : index
  return %0#0, %0#1, %1#0, %2 : index, index, index, index
}

// CHECK-LABEL: func.func @transfer(
// CHECK-NEXT: affine.for %arg4 = 0 to 4 {
// CHECK-NEXT: affine.dma_start %arg0[%arg4 + 2, 2], %arg1[symbol(%arg3), 5], %arg2[2], %arg3 : memref<10x10xf32>, memref<10x10xf32, 2>, memref<4xi32>
// CHECK-NEXT: affine.dma_wait %arg2[2], %arg3 : memref<4xi32>
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @transfer(%m: memref<10x10xf32>, %l: memref<10x10xf32, 2>, %t: memref<4xi32>, %n: index) {
  %c2 = arith.constant 2 : index
  affine.for %i = 0 to 4 {
    %0 = affine.apply #add(%i)[%c2]
    affine.dma_start %m[%0, %c2], %l[%n, 5], %t[%c2], %n : memref<10x10xf32>, memref<10x10xf32, 2>, memref<4xi32>
    affine.dma_wait %t[%c2], %n : memref<4xi32>
  }
  return
}
