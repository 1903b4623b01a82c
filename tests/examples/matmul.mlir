// examples/matmul on the host, in each order of work-items, and compiled for all GPUs:
// the order of operations is fixed, so are the bits with --exact; without, products and sums are fused.
// REQUIRES: gpu
// RUN: airlite-example-reference matmul --seed=7 --out %T
// RUN: airlite-run %S/../../examples/matmul/matmul.mlir --exact --order=forward \
// RUN:   --input 0=%T/0.npy --input 1=%T/1.npy --expect 2=%T/2.npy | FileCheck %s
// RUN: airlite-run %S/../../examples/matmul/matmul.mlir --exact --order=reverse \
// RUN:   --input 0=%T/0.npy --input 1=%T/1.npy --expect 2=%T/2.npy | FileCheck %s
// RUN: airlite-run %S/../../examples/matmul/matmul.mlir --exact --order=random:5 \
// RUN:   --input 0=%T/0.npy --input 1=%T/1.npy --expect 2=%T/2.npy | FileCheck %s
// RUN: airlite-run %S/../../examples/matmul/matmul.mlir --expect-atol=1e-4 \
// RUN:   --input 0=%T/0.npy --input 1=%T/1.npy --expect 2=%T/2.npy | FileCheck %s --check-prefix=FUSED
// RUN: airlite-compile %S/../../examples/matmul/matmul.mlir --target=gfx90a -o %T/gfx90a
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%T/gfx90a/manifest.json
// RUN: airlite-compile %S/../../examples/matmul/matmul.mlir --target=gfx942 -o %T/gfx942
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%T/gfx942/manifest.json
// RUN: airlite-compile %S/../../examples/matmul/matmul.mlir --target=gfx1100 -o %T/gfx1100
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%T/gfx1100/manifest.json
// RUN: airlite-compile %S/../../examples/matmul/matmul.mlir --target=gfx1201 -o %T/gfx1201
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%T/gfx1201/manifest.json
// CHECK: argument 2 is as expected in {{.*}}: {{[0-9]+}} elements, all with the same bits
// FUSED: argument 2 is as expected {{.*}} with other bits, largest difference {{.*}}e-0{{[567]}}
// MANIFEST: "format": "airlite-manifest"
// MANIFEST: "kernels": [
// MANIFEST: "vgpr_spills": 0
// MANIFEST: "wave_size": 64
