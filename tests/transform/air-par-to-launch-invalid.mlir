// RUN: airlite-opt %s --air-par-to-launch=has-air-segment=true --split-input-file --verify-diagnostics
// RUN: airlite-opt %s --air-par-to-segment --split-input-file --verify-diagnostics

func.func @result(%v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+2 {{failed to legalize operation 'scf.parallel'}}
  // expected-error@+1 {{'scf.parallel' op not supported: a parallel loop with results}}
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%v) -> f32 {
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %a : f32
    }
  }
  return
}

// -----

func.func @dynamic(%n: index) {
  // expected-error@+2 {{failed to legalize operation 'scf.forall'}}
  // expected-error@+1 {{failed to normalize: upper bound is not a constant}}
  scf.forall (%i) in (%n) {
  }
  return
}

// -----

func.func @level() {
  // expected-error@+1 {{failed to legalize operation 'scf.forall'}}
  scf.forall (%i) in (4) {
    // expected-error@+1 {{memref.alloc inside air.segment must have memory space >= L2, but found memory space L3}}
    %m = memref.alloc() : memref<4xi32>
  }
  return
}
