// The checker finds random mistakes of each class, and blames no right program; what is fuzzed ends with an answer.
// REQUIRES: !sanitize
// RUN: python3 %S/../../scripts/prove_checker.py --wrong 8 --right 12 --schedules 10 --jobs 2 $(dirname %{airlite-opt}) | FileCheck %s
// RUN: python3 %S/../../scripts/fuzz_tools.py --seconds 1 --jobs 2 $(dirname %{airlite-opt}) %S/../npu/run/words.mlir | FileCheck %s --check-prefix=FUZZ
// CHECK: | bounds | {{[1-9]}}
// CHECK: 12 right programs, 0 blamed
// FUZZ: {{[0-9]+}} runs, 0 findings
