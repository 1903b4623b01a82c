// REQUIRES: !sanitize
// Other data, and the tiles of a cycle stepped in the other order: nothing depends on it.
// RUN: for name in vector_add matmul_i16; do \
// RUN:   airlite-compile %S/../../../examples/npu/$name.mlir --target=npu1 -o %t.$name && \
// RUN:   airlite-run %S/../../../examples/npu/$name.mlir --on=interp --init=random:2 \
// RUN:     --output 2=%t.$name.npy && \
// RUN:   airlite-run --on=sim %t.$name --init=random:2 --reverse-tiles \
// RUN:     --expect 2=%t.$name.npy || exit 1; \
// RUN: done
