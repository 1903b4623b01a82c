// The examples, as they are, compute what their references say: the same bits in every schedule.
// RUN: airlite-example-reference vector_add --seed=7 --out %T
// RUN: airlite-run %S/../../examples/vector_add/vector_add.mlir --on=interp --schedules=3 \
// RUN:   --input 0=%T/0.npy --input 1=%T/1.npy --expect 2=%T/2.npy | FileCheck %s
// RUN: airlite-example-reference matmul_i8 --seed=7 --out %T
// RUN: airlite-run %S/../../examples/matmul_i8/matmul_i8.mlir --on=interp \
// RUN:   --input 0=%T/0.npy --input 1=%T/1.npy --expect 2=%T/2.npy | FileCheck %s
// RUN: airlite-example-reference conv2d --seed=7 --out %T
// RUN: airlite-run %S/../../examples/conv2d/conv2d.mlir --on=interp --seed=5 \
// RUN:   --input 0=%T/0.npy --input 1=%T/1.npy --expect 2=%T/2.npy | FileCheck %s
// RUN: airlite-example-reference softmax --seed=7 --out %T
// RUN: airlite-run %S/../../examples/softmax/softmax.mlir --on=interp \
// RUN:   --input 0=%T/0.npy --expect 1=%T/1.npy --expect-rtol=2e-6 | FileCheck %s
// CHECK: argument {{[12]}} is as expected in
