// Small AIR programs as the bytes that a driver loads, on the simulated array: the results are those
// of the interpreter, bit by bit, for two sets of inputs and with the tiles stepped in both orders.
// RUN: for name in passthrough transpose padding vector_add elementwise_l2 broadcast two_herds \
// RUN:     packet_gather matmul_one_core matmul_4x4 cascade two_launches; do \
// RUN:   program=%S/../../../examples/npu_designs/$name.mlir; \
// RUN:   airlite-run --on=sim --compare=interp --init=random:1 $program || exit 1; \
// RUN:   airlite-run --on=sim --compare=interp --init=random:2 --reverse-tiles $program || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-24: arguments are as in the interpreter, bit by bit
