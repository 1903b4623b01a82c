// The same by the files of airlite-compile, as a driver gets them: examples that linalg.mlir leaves.
// (attention_small takes too long for a test: scripts/prove_npu.py runs it.)
// REQUIRES: !sanitize
// RUN: for name in matmul_i32 matmul_i16 batch_matmul; do \
// RUN:   program=%S/../../../examples/npu/$name.mlir; \
// RUN:   airlite-compile $program --target=npu1 -o %t.$name && \
// RUN:   airlite-run --on=sim %t.$name --init=random:1 --output 2=%t.$name.npy && \
// RUN:   airlite-run $program --on=interp --init=random:1 --expect 2=%t.$name.npy || exit 1; \
// RUN: done
