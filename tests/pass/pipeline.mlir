// Pipelines as text and as flags, prints between passes, timing, statistics.
// RUN: airlite-opt %s --pass-pipeline='builtin.module(canonicalize,func.func(cse))' --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=PIPE
// RUN: airlite-opt %s --canonicalize='top-down=false max-iterations=3' --cse --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: airlite-opt %s -canonicalize={region-simplify=false} --dump-pass-pipeline 2>&1 | FileCheck %s --check-prefix=BRACES
// RUN: airlite-opt %s --cse --canonicalize --print-ir-after-change --emit=none 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: airlite-opt %s --cse --print-ir-before=cse --print-ir-after=cse --emit=none 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: airlite-opt %s --cse --canonicalize --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t.dir --emit=none && ls %t.dir | FileCheck %s --check-prefix=TREE
// RUN: airlite-opt %s --cse --timing --pass-statistics --emit=none 2>&1 | FileCheck %s --check-prefix=TIME

// PIPE: Pass Manager with builtin.module(canonicalize,func.func(cse))
// FLAGS: Pass Manager with builtin.module(canonicalize{top-down=false max-iterations=3},cse)
// BRACES: Pass Manager with builtin.module(canonicalize{region-simplify=false})
// CHANGE: IR Dump After cse ('builtin.module' operation)
// CHANGE-NOT: IR Dump After canonicalize
// BOTH: IR Dump Before cse
// BOTH: IR Dump After cse
// TREE: 000_cse.mlir
// TREE: 001_canonicalize.mlir
// TIME: Pass execution timing
// TIME: cse
// TIME: (S) 1 num-cse'd

func.func @f(%a: i32, %b: i32) -> (i32, i32) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %a, %b : i32
  return %0, %1 : i32, i32
}
