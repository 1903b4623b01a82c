// examples/softmax on the host, in each order of work-items, and compiled for all GPUs:
// the reference has another exp and order of the sum, so the last bits may differ.
// REQUIRES: gpu
// RUN: airlite-example-reference softmax --seed=7 --out %T
// RUN: airlite-run %S/../../examples/softmax/softmax.mlir --order=forward \
// RUN:   --input 0=%T/0.npy --expect 1=%T/1.npy --expect-rtol=2e-6 | FileCheck %s
// RUN: airlite-run %S/../../examples/softmax/softmax.mlir --order=reverse \
// RUN:   --input 0=%T/0.npy --expect 1=%T/1.npy --expect-rtol=2e-6 | FileCheck %s
// RUN: airlite-run %S/../../examples/softmax/softmax.mlir --order=random:5 \
// RUN:   --input 0=%T/0.npy --expect 1=%T/1.npy --expect-rtol=2e-6 | FileCheck %s
// RUN: airlite-compile %S/../../examples/softmax/softmax.mlir --target=gfx90a -o %T/gfx90a
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%T/gfx90a/manifest.json
// RUN: airlite-compile %S/../../examples/softmax/softmax.mlir --target=gfx942 -o %T/gfx942
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%T/gfx942/manifest.json
// RUN: airlite-compile %S/../../examples/softmax/softmax.mlir --target=gfx1100 -o %T/gfx1100
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%T/gfx1100/manifest.json
// RUN: airlite-compile %S/../../examples/softmax/softmax.mlir --target=gfx1201 -o %T/gfx1201
// RUN: FileCheck %s --check-prefix=MANIFEST --input-file=%T/gfx1201/manifest.json

// Without its barriers the program reads what other lanes have not written yet, and the run shows it.
// RUN: sed '/gpu.barrier/d' %S/../../examples/softmax/softmax.mlir > %t.race.mlir
// RUN: for order in forward reverse random:5; do \
// RUN:   not airlite-run %t.race.mlir --order=$order --input 0=%T/0.npy --expect 1=%T/1.npy \
// RUN:     --expect-rtol=2e-6 2>&1 | FileCheck %s --check-prefix=RACE || exit 1; \
// RUN: done
// RACE: airlite-run: error: argument 1 differs at [

// CHECK: argument 1 is as expected in {{.*}}: {{[0-9]+}} elements
// MANIFEST: "format": "airlite-manifest"
// MANIFEST: "kernels": [
// MANIFEST: "vgpr_spills": 0
// MANIFEST: "wave_size": 64
