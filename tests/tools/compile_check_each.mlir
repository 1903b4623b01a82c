// --check-each of airlite-compile compares as far as the interpreter follows, and says where it stops.
// REQUIRES: gpu
// RUN: airlite-compile %S/../../examples/vector_add/vector_add.mlir --target=gfx942 -o %t.out --check-each 2>&1 \
// RUN:   | FileCheck %s
// CHECK: airlite-compile: remark: '@main' is not compared: after 'air-to-gpu' not supported by the interpreter: 'gpu.launch_func'
// RUN: test -e %t.out/manifest.json
