// lower-affine: what it declines.
// RUN: airlite-opt --allow-unregistered --split-input-file --verify-diagnostics %s --lower-affine

func.func @f(%f: f32) -> f32 {
  // expected-error@+1 {{'affine.parallel' op not supported: reduction "assign" has no neutral value}}
  %0 = affine.parallel (%i) = (0) to (10) reduce ("assign") -> (f32) {
    affine.yield %f : f32
  }
  return %0 : f32
}

// -----

func.func @f() {
  // expected-error@+1 {{'affine.parallel' op not supported: a parallel loop without dimensions}}
  affine.parallel () = () to () {
  }
  return
}
