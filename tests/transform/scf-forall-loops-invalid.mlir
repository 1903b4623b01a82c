// RUN: airlite-opt %s --scf-forall-to-for --verify-diagnostics
func.func @shared(%t: tensor<8xi32>) -> tensor<8xi32> {
  // expected-error @+1 {{not supported: shared outputs, without which it can become other loops}}
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xi32>) {
    scf.forall.in_parallel {
    }
  }
  return %r : tensor<8xi32>
}
