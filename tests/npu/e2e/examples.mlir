// The examples from linalg to the files that a driver loads, on the simulated NPU: what comes out is
// what the interpreter computes, bit by bit. Argument 2 is the result of each.
// RUN: for name in vector_add matvec matmul_i32 matmul_i8 matmul_i16 matmul_f32 matmul_bf16 \
// RUN:     batch_matmul conv2d; do \
// RUN:   airlite-compile %S/../../../examples/npu/$name.mlir --target=npu1 -o %t.$name && \
// RUN:   airlite-run --on=sim %t.$name --init=random:1 --output 2=%t.$name.npy && \
// RUN:   airlite-run %S/../../../examples/npu/$name.mlir --on=interp --init=random:1 \
// RUN:     --expect 2=%t.$name.npy || exit 1; \
// RUN: done
