// convert-scf-to-cf: what it declines.
// RUN: airlite-opt --allow-unregistered --split-input-file --verify-diagnostics %s --convert-scf-to-cf

func.func @f(%t: tensor<10xf32>) {
  // expected-error@+1 {{'scf.forall' op not supported: scf.forall with shared outputs has no sequential form here}}
  %0 = scf.forall (%i) in (10) shared_outs(%o = %t) -> (tensor<10xf32>) {
    scf.forall.in_parallel {
    }
  }
  return
}

// -----

func.func @f(%c: i1) {
  affine.for %i = 0 to 10 {
    // expected-error@+1 {{'scf.if' op not supported: branches inside 'affine.for', which holds a single block}}
    scf.if %c {
      "t.use"() : () -> ()
    }
  }
  return
}
