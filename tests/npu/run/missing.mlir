// Examples that do not become images yet, and why. When one does, move it to designs.mlir.
// RUN: for name in cascade matmul_4x4; do \
// RUN:   not airlite-compile %S/../../../examples/npu_designs/$name.mlir --target=npu1 -o %t || exit 1; \
// RUN: done 2>&1 | FileCheck %s
// CHECK: error: 'vector.transfer_read' op not supported in a core: operand 0 is a part of a buffer
// CHECK: error: 'air.channel.put' op needs shim channel number 9 to the host, but device 'npu1' has 8
// RUN: test ! -e %t
