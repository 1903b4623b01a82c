// The same by the files of airlite-compile, as a driver gets them: examples that linalg.mlir leaves.
// `NAME.N`: argument N is the result.
// REQUIRES: !sanitize
// RUN: for run in matmul_i32.2 matmul_i16.2 matmul_bf16.2 batch_matmul.2 conv2d.2 attention_small.3; do \
// RUN:   name=${run%.*}; out=${run#*.}; program=%S/../../../examples/npu/$name.mlir; \
// RUN:   airlite-compile $program --target=npu1 -o %t.$name && \
// RUN:   airlite-run --on=sim %t.$name --init=random:1 --output $out=%t.$name.npy && \
// RUN:   airlite-run $program --on=interp --init=random:1 --expect $out=%t.$name.npy || exit 1; \
// RUN: done
