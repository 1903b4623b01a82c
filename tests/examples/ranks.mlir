// examples/ranks: four ranks compute the bits of one device, in each of 30 schedules and in processes of their own,
// and neither race nor hang.
// RUN: airlite-run %S/../../examples/ranks/ring_all_reduce.mlir --on=interp --function=one_device --init=random:3 --output 1=%t.sum.npy
// RUN: airlite-run %S/../../examples/ranks/ring_all_reduce.mlir --on=interp --init=random:3 --expect 1=%t.sum.npy | FileCheck %s --check-prefix=SUM
// RUN: airlite-run %S/../../examples/ranks/ring_all_reduce.mlir --on=interp --init=random:3 --schedules=30
// RUN: airlite-run %S/../../examples/ranks/ring_all_reduce.mlir --on=interp --init=random:3 --ranks=processes --schedules=5 --expect 1=%t.sum.npy | FileCheck %s --check-prefix=SUM
// RUN: airlite-opt %S/../../examples/ranks/ring_all_reduce.mlir --air-verify-program --emit=none
// SUM: argument 1 is as expected in {{.*}}: 64 elements, all with the same bits

// RUN: airlite-run %S/../../examples/ranks/tree_all_reduce.mlir --on=interp --function=one_device --init=random:3 --output 1=%t.tree.npy
// RUN: airlite-run %S/../../examples/ranks/tree_all_reduce.mlir --on=interp --init=random:3 --expect 1=%t.tree.npy | FileCheck %s --check-prefix=SUM
// RUN: airlite-run %S/../../examples/ranks/tree_all_reduce.mlir --on=interp --init=random:3 --schedules=30
// RUN: airlite-run %S/../../examples/ranks/tree_all_reduce.mlir --on=interp --init=random:3 --ranks=processes --schedules=5 --expect 1=%t.tree.npy | FileCheck %s --check-prefix=SUM
// RUN: airlite-opt %S/../../examples/ranks/tree_all_reduce.mlir --air-verify-program --emit=none

// RUN: airlite-run %S/../../examples/ranks/all_gather_matmul.mlir --on=interp --function=one_device --init=random:3 --output 2=%t.c.npy
// RUN: airlite-run %S/../../examples/ranks/all_gather_matmul.mlir --on=interp --init=random:3 --expect 2=%t.c.npy | FileCheck %s --check-prefix=PRODUCT
// RUN: airlite-run %S/../../examples/ranks/all_gather_matmul.mlir --on=interp --init=random:3 --schedules=30
// RUN: airlite-run %S/../../examples/ranks/all_gather_matmul.mlir --on=interp --init=random:3 --ranks=processes --schedules=5 --expect 2=%t.c.npy | FileCheck %s --check-prefix=PRODUCT
// RUN: airlite-opt %S/../../examples/ranks/all_gather_matmul.mlir --air-verify-program --emit=none
// PRODUCT: argument 2 is as expected in {{.*}}: 1024 elements, all with the same bits

// RUN: airlite-run %S/../../examples/ranks/sharded_mlp.mlir --on=interp --function=one_device --init=random:3 --output 3=%t.y.npy
// RUN: airlite-run %S/../../examples/ranks/sharded_mlp.mlir --on=interp --init=random:3 --expect 3=%t.y.npy | FileCheck %s --check-prefix=MLP
// RUN: airlite-run %S/../../examples/ranks/sharded_mlp.mlir --on=interp --init=random:3 --schedules=30
// RUN: airlite-run %S/../../examples/ranks/sharded_mlp.mlir --on=interp --init=random:3 --ranks=processes --schedules=5 --expect 3=%t.y.npy | FileCheck %s --check-prefix=MLP
// RUN: airlite-opt %S/../../examples/ranks/sharded_mlp.mlir --air-verify-program --emit=none
// MLP: argument 3 is as expected in {{.*}}: 128 elements, all with the same bits

// A rank that does not say that its part is finished: the others wait for it, and this is said.
// RUN: sed '/air.channel.get @ready/d' %S/../../examples/ranks/sharded_mlp.mlir > %t.deaf.mlir
// RUN: not airlite-run %t.deaf.mlir --on=interp --init=random:3 2>&1 | FileCheck %s --check-prefix=DEAF
// DEAF: error: deadlock:
// RUN: (airlite-run %t.deaf.mlir --on=interp --init=random:3 --ranks=processes; test $? = 1) 2>&1 | FileCheck %s --check-prefix=APART
// APART: error: deadlock: {{.*}} waits
// APART: error: deadlock: ranks {{.*}} wait, and no rank can continue
