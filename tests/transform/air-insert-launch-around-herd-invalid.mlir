// RUN: airlite-opt %s --air-insert-launch-around-herd --verify-diagnostics

func.func @in_herd() {
  %c2 = arith.constant 2 : index
  air.herd @outer tile (%x) in (%s=%c2) {
    %c1 = arith.constant 1 : index
    // expected-error@+1 {{'air.herd' op not supported: a herd in a herd cannot be part of a launch}}
    air.herd @inner tile (%y) in (%t=%c1) {
    }
  }
  return
}
