// What the bounds and steps of loops say about affine expressions.
// RUN: airlite-opt %s --canonicalize | FileCheck %s

func.func private @use(index)

// Bounds and steps of affine.for say what quotients and remainders are.
// CHECK-LABEL: func.func @known_ranges(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: affine.for %arg1 = 0 to 32 step 8 {
// CHECK-NEXT: %0 = affine.apply #map(%arg1)
// CHECK-NEXT: func.call @use(%c0) : (index) -> ()
// CHECK-NEXT: func.call @use(%c0) : (index) -> ()
// CHECK-NEXT: func.call @use(%c0) : (index) -> ()
// CHECK-NEXT: func.call @use(%arg1) : (index) -> ()
// CHECK-NEXT: func.call @use(%0) : (index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @known_ranges(%n: index) {
  affine.for %i = 0 to 32 step 8 {
    %0 = affine.apply affine_map<(d0) -> (d0 mod 8)>(%i)
    %1 = affine.apply affine_map<(d0) -> ((d0 + 16) mod 4)>(%i)
    %2 = affine.apply affine_map<(d0) -> (d0 floordiv 32)>(%i)
    %3 = affine.apply affine_map<(d0) -> (d0 mod 32)>(%i)
    %4 = affine.apply affine_map<(d0) -> (d0 floordiv 16)>(%i)
    func.call @use(%0) : (index) -> ()
    func.call @use(%1) : (index) -> ()
    func.call @use(%2) : (index) -> ()
    func.call @use(%3) : (index) -> ()
    func.call @use(%4) : (index) -> ()
  }
  return
}

// A first index that the step does not divide, bounds that are not known, indices below 0.
// CHECK-LABEL: func.func @unknown_ranges(
// CHECK-NEXT: affine.for %arg1 = 1 to 33 step 8 {
// CHECK-NEXT: %0 = affine.apply #map1(%arg1)
// CHECK-NEXT: func.call @use(%0) : (index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: affine.for %arg1 = 0 to %arg0 {
// CHECK-NEXT: %0 = affine.apply #map1(%arg1)
// CHECK-NEXT: func.call @use(%0) : (index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: affine.for %arg1 = -4 to 4 {
// CHECK-NEXT: %0 = affine.apply #map2(%arg1)
// CHECK-NEXT: func.call @use(%0) : (index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @unknown_ranges(%n: index) {
  affine.for %i = 1 to 33 step 8 {
    %0 = affine.apply affine_map<(d0) -> (d0 mod 8)>(%i)
    func.call @use(%0) : (index) -> ()
  }
  affine.for %i = 0 to %n {
    %0 = affine.apply affine_map<(d0) -> (d0 mod 8)>(%i)
    func.call @use(%0) : (index) -> ()
  }
  affine.for %i = -4 to 4 {
    %0 = affine.apply affine_map<(d0) -> (d0 floordiv 8)>(%i)
    func.call @use(%0) : (index) -> ()
  }
  return
}
