// Folding may show that a step is none: the verifier holds after it.
// RUN: airlite-opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: func.func @for
// CHECK: scf.for
func.func @for(%a: index, %b: index, %m: memref<8xf32>, %f: f32) {
  %c1 = arith.constant 1 : index
  %s = arith.subi %c1, %c1 : index
  scf.for %i = %a to %b step %s {
    memref.store %f, %m[%i] : memref<8xf32>
  }
  return
}

// CHECK-LABEL: func.func @parallel
// CHECK-NEXT: return %arg2
func.func @parallel(%a: index, %b: index, %f: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = arith.subi %c1, %c2 : index
  %r = scf.parallel (%i) = (%a) to (%b) step (%s) init (%f) -> f32 {
    scf.reduce(%f : f32) {
    ^bb0(%x: f32, %y: f32):
      %z = arith.addf %x, %y : f32
      scf.reduce.return %z : f32
    }
  }
  return %r : f32
}
