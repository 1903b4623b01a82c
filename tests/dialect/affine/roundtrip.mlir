// Custom and generic form of the affine dialect.
// RUN: airlite-opt --allow-unregistered %s | FileCheck %s
// RUN: airlite-opt --allow-unregistered --print-generic %s | airlite-opt --allow-unregistered | FileCheck %s
// CHECK: #map = affine_map<(d0)[s0] -> (d0 + s0)>
// CHECK: #map1 = affine_map<() -> (5)>
// CHECK: #map2 = affine_map<(d0, d1)[s0] -> (d0, d1 + s0)>
// CHECK: #map3 = affine_map<(d0)[s0] -> (d0, s0, 5)>
// CHECK: #map4 = affine_map<(d0) -> (d0 + 3)>
// CHECK: #map5 = affine_map<() -> (-4, 2)>
// CHECK: #map6 = affine_map<() -> (7, 9)>
// CHECK: #set = affine_set<(d0)[s0] : (d0 - 5 >= 0, s0 == 0)>
// CHECK: #set1 = affine_set<() : (1 == 0)>

#map = affine_map<(d0) -> (d0 + 3)>
#map1 = affine_map<(d0)[s0] -> (d0 + s0)>
#map2 = affine_map<(d0, d1)[s0] -> (d0, d1 + s0)>
#set = affine_set<(d0)[s0] : (d0 - 5 >= 0, s0 == 0)>

// CHECK-LABEL: func.func @maps(
// CHECK-NEXT: %0 = affine.apply #map(%arg0)[%arg1]
// CHECK-NEXT: %1 = affine.apply #map1()
// CHECK-NEXT: %2 = affine.min #map2(%arg0, %arg1)[%arg0] {tag}
// CHECK-NEXT: %3 = affine.max #map3(%arg0)[%arg1]
// CHECK-NEXT: %4 = affine.apply #map(%arg0)[%arg1] {tag}
// CHECK-NEXT: return
func.func @maps(%a: index, %b: index) {
  %0 = affine.apply #map1(%a)[%b]
  %1 = affine.apply affine_map<() -> (5)>()
  %2 = affine.min #map2(%a, %b)[%a] {tag}
  %3 = affine.max affine_map<(d0)[s0] -> (d0, s0, 5)>(%a)[%b]
  %4 = affine.apply #map1(%a)[%b] {tag}
  return
}

// CHECK-LABEL: func.func @loops(
// CHECK-NEXT: affine.for %arg3 = 0 to 10 {
// CHECK-NEXT: }
// CHECK-NEXT: affine.for %arg3 = 0 to 10 step 2 {
// CHECK-NEXT: } {tag}
// CHECK-NEXT: affine.for %arg3 = %arg0 to %arg1 {
// CHECK-NEXT: }
// CHECK-NEXT: affine.for %arg3 = #map4(%arg0) to #map(%arg0)[%arg1] {
// CHECK-NEXT: }
// CHECK-NEXT: affine.for %arg3 = max #map2(%arg0, %arg1)[%arg0] to min #map2(%arg0, %arg0)[%arg1] step 3 {
// CHECK-NEXT: }
// CHECK-NEXT: affine.for %arg3 = -4 to 7 {
// CHECK-NEXT: }
// CHECK-NEXT: affine.for %arg3 = max #map5() to min #map6() {
// CHECK-NEXT: }
// CHECK-NEXT: %0:2 = affine.for %arg3 = 0 to 10 iter_args(%arg4 = %arg2, %arg5 = %arg0) -> (f32, index) {
// CHECK-NEXT: affine.yield %arg4, %arg3 : f32, index
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @loops(%a: index, %b: index, %f: f32) {
  affine.for %i = 0 to 10 {
  }
  affine.for %i = 0 to 10 step 2 {
    affine.yield
  } {tag}
  affine.for %i = %a to %b {
  }
  affine.for %i = #map(%a) to #map1(%a)[%b] {
  }
  affine.for %i = max #map2(%a, %b)[%a] to min #map2(%a, %a)[%b] step 3 {
  }
  affine.for %i = affine_map<() -> (-4)>() to min affine_map<() -> (7)>() {
  }
  affine.for %i = max affine_map<() -> (-4, 2)>() to min affine_map<() -> (7, 9)>() {
  }
  %0:2 = affine.for %i = 0 to 10 iter_args(%x = %f, %y = %a) -> (f32, index) {
    affine.yield %x, %i : f32, index
  }
  return
}

// CHECK-LABEL: func.func @ifs(
// CHECK-NEXT: affine.if #set(%arg0)[%arg1] {
// CHECK-NEXT: }
// CHECK-NEXT: affine.if #set(%arg0)[%arg1] {
// CHECK-NEXT: } else {
// CHECK-NEXT: }
// CHECK-NEXT: affine.if #set1() {
// CHECK-NEXT: } else {
// CHECK-NEXT: "t.use"() : () -> ()
// CHECK-NEXT: } {tag}
// CHECK-NEXT: %0 = affine.if #set(%arg0)[%arg1] -> f32 {
// CHECK-NEXT: affine.yield %arg2 : f32
// CHECK-NEXT: } else {
// CHECK-NEXT: affine.yield %arg2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @ifs(%a: index, %b: index, %f: f32) {
  affine.if #set(%a)[%b] {
  }
  affine.if #set(%a)[%b] {
    affine.yield
  } else {
  }
  affine.if affine_set<() : (1 == 0)>() {
  } else {
    "t.use"() : () -> ()
  } {tag}
  %0 = affine.if #set(%a)[%b] -> f32 {
    affine.yield %f : f32
  } else {
    affine.yield %f : f32
  }
  return
}

// CHECK-LABEL: func.func @parallel(
// CHECK-NEXT: affine.parallel (%arg3, %arg4) = (0, 0) to (10, 20) {
// CHECK-NEXT: }
// CHECK-NEXT: affine.parallel (%arg3, %arg4) = (%arg0, 0) to (%arg1 + 2, symbol(%arg0) + 20) step (2, 3) {
// CHECK-NEXT: } {tag}
// CHECK-NEXT: affine.parallel (%arg3) = (max(%arg0, %arg1)) to (min(%arg0 + 3, %arg1, 9)) {
// CHECK-NEXT: }
// CHECK-NEXT: affine.parallel (%arg3, %arg4) = (%arg0, 1) to (5, min(%arg0, 7)) {
// CHECK-NEXT: }
// CHECK-NEXT: %0:2 = affine.parallel (%arg3, %arg4) = (0, 0) to (10, 20) reduce ("addf", "maximumf") -> (f32, f32) {
// CHECK-NEXT: affine.yield %arg2, %arg2 : f32, f32
// CHECK-NEXT: }
// CHECK-NEXT: affine.parallel () = () to () {
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @parallel(%a: index, %b: index, %f: f32) {
  affine.parallel (%i, %j) = (0, 0) to (10, 20) {
  }
  affine.parallel (%i, %j) = (%a, 0) to (%b + 2, 20 + symbol(%a)) step (2, 3) {
  } {tag}
  affine.parallel (%i) = (max(%a, %b)) to (min(%a + 3, %b, 9)) {
  }
  affine.parallel (%i, %j) = (max(%a), 1) to (5, min(%a, 7)) {
  }
  %0:2 = affine.parallel (%i, %j) = (0, 0) to (10, 20) reduce ("addf", "maximumf") -> (f32, f32) {
    affine.yield %f, %f : f32, f32
  }
  affine.parallel () = () to () {
  }
  return
}

// CHECK-LABEL: func.func @accesses(
// CHECK-NEXT: affine.for %arg4 = 0 to 10 {
// CHECK-NEXT: %0 = affine.load %arg0[%arg4 + 1, symbol(%arg2) * 2 + 7] : memref<10x10xf32>
// CHECK-NEXT: %1 = affine.load %arg0[%arg4, %arg4] {tag} : memref<10x10xf32>
// CHECK-NEXT: %2 = affine.load %arg1[] : memref<f32>
// CHECK-NEXT: %3 = affine.load %arg0[3, %arg4 floordiv 4 - %arg4 mod 2] : memref<10x10xf32>
// CHECK-NEXT: affine.store %arg3, %arg0[%arg4 + 1, symbol(%arg2)] {tag} : memref<10x10xf32>
// CHECK-NEXT: %4 = affine.vector_load %arg0[%arg4 + 1, symbol(%arg2)] : memref<10x10xf32>, vector<4xf32>
// CHECK-NEXT: affine.vector_store %4, %arg0[%arg4, 0] : memref<10x10xf32>, vector<4xf32>
// CHECK-NEXT: affine.prefetch %arg0[%arg4, %arg4 + 5], read, locality<3>, data : memref<10x10xf32>
// CHECK-NEXT: affine.prefetch %arg0[%arg4, 0], write, locality<0>, instr {tag} : memref<10x10xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @accesses(%m: memref<10x10xf32>, %m0: memref<f32>, %n: index, %f: f32) {
  affine.for %i = 0 to 10 {
    %0 = affine.load %m[%i + 1, symbol(%n) * 2 + 7] : memref<10x10xf32>
    %1 = affine.load %m[%i, %i] {tag} : memref<10x10xf32>
    %2 = affine.load %m0[] : memref<f32>
    %3 = affine.load %m[3, %i floordiv 4 - %i mod 2] : memref<10x10xf32>
    affine.store %f, %m[%i + 1, symbol(%n)] {tag} : memref<10x10xf32>
    %4 = affine.vector_load %m[%i + 1, symbol(%n)] : memref<10x10xf32>, vector<4xf32>
    affine.vector_store %4, %m[%i, 0] : memref<10x10xf32>, vector<4xf32>
    affine.prefetch %m[%i, %i + 5], read, locality<3>, data : memref<10x10xf32>
    affine.prefetch %m[%i, 0], write, locality<0>, instr {tag} : memref<10x10xf32>
  }
  return
}

// CHECK-LABEL: func.func @transfers(
// CHECK-NEXT: affine.for %arg4 = 0 to 4 {
// CHECK-NEXT: affine.dma_start %arg0[%arg4, %arg4 + 1], %arg1[%arg3, 5], %arg2[0], %arg3 : memref<10x10xf32>, memref<10x10xf32, 2>, memref<4xi32>
// CHECK-NEXT: affine.dma_start %arg0[%arg4, 0], %arg1[0, 0], %arg2[%arg4], %arg3, %arg3, %arg3 : memref<10x10xf32>, memref<10x10xf32, 2>, memref<4xi32>
// CHECK-NEXT: affine.dma_wait %arg2[%arg4], %arg3 : memref<4xi32>
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @transfers(%m: memref<10x10xf32>, %l: memref<10x10xf32, 2>, %t: memref<4xi32>, %n: index) {
  affine.for %i = 0 to 4 {
    affine.dma_start %m[%i, %i + 1], %l[%n, 5], %t[0], %n : memref<10x10xf32>, memref<10x10xf32, 2>, memref<4xi32>
    affine.dma_start %m[%i, 0], %l[0, 0], %t[%i], %n, %n, %n : memref<10x10xf32>, memref<10x10xf32, 2>, memref<4xi32>
    affine.dma_wait %t[%i], %n : memref<4xi32>
  }
  return
}

// CHECK-LABEL: func.func @indices(
// CHECK-NEXT: %0:3 = affine.delinearize_index %arg0 into (%arg2, %arg2, %arg2) : index, index, index
// CHECK-NEXT: %1:2 = affine.delinearize_index %arg0 into (4, %arg2) {tag} : index, index
// CHECK-NEXT: %2:3 = affine.delinearize_index %arg0 into (4, 8) : index, index, index
// CHECK-NEXT: %3 = affine.linearize_index [%arg0, %arg1] by (%arg2, 8) : index
// CHECK-NEXT: %4 = affine.linearize_index disjoint [%arg0, %arg1] by (8) : index
// CHECK-NEXT: return
func.func @indices(%i: index, %j: index, %n: index) {
  %0:3 = affine.delinearize_index %i into (%n, %n, %n) : index, index, index
  %1:2 = affine.delinearize_index %i into (4, %n) {tag} : index, index
  %2:3 = affine.delinearize_index %i into (4, 8) : index, index, index
  %3 = affine.linearize_index [%i, %j] by (%n, 8) : index
  %4 = affine.linearize_index disjoint [%i, %j] by (8) : index
  return
}
