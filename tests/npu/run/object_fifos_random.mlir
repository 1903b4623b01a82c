// Random designs with object FIFOs.
// RUN: python3 %S/../../../scripts/prove_fifos.py --count 6 --seed 30 $(dirname %{airlite-opt}) | FileCheck %s
// CHECK: 5 designs compute what the interpreter does, 1 hang, as was said, 0 do not fit, 0 findings
