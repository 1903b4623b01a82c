// examples/gpu on the host twin of two devices, in three orders of work-items, against the interpreter; what their kernels are.
// REQUIRES: gpu
// RUN: for e in levels:2:0 linear_f8:3:0.02 attention_f8_cache:5:0.02; do \
// RUN:   name=$(echo $e | cut -d: -f1); out=$(echo $e | cut -d: -f2); off=$(echo $e | cut -d: -f3); \
// RUN:   airlite-run %S/../../examples/gpu/$name.mlir --on=interp --init=random:3 --output $out=%T/$name.npy || exit 1; \
// RUN:   for o in forward reverse random:5; do for d in gfx942 gfx1100; do \
// RUN:     airlite-run %S/../../examples/gpu/$name.mlir --target=$d --order=$o --init=random:3 --expect $out=%T/$name.npy \
// RUN:       --expect-rtol=$off --expect-atol=$off || exit 1; \
// RUN:   done; done; done | FileCheck %s
// CHECK-COUNT-18: as expected
// RUN: airlite-compile %S/../../examples/gpu/levels.mlir --target=gfx942 -o %T/a --report=kernel | FileCheck %s --check-prefix=LEVELS
// LEVELS: grid       32 x 1 x 1 workgroups
// RUN: airlite-compile %S/../../examples/gpu/linear_f8.mlir --target=gfx942 -o %T/b --report=kernel | FileCheck %s --check-prefix=LINEAR
// LINEAR: kernel main_launch_0
// LINEAR: kernel main_launch_1
// LINEAR: 0 bytes of scratch
// LINEAR: instructions: {{[0-9]+}} matrix
// LINEAR-NOT: kernel main_launch_2
// RUN: airlite-compile %S/../../examples/gpu/attention_f8_cache.mlir --target=gfx942 -o %T/c --report=kernel | FileCheck %s --check-prefix=CACHE
// CACHE: kernel main_launch_0
// CACHE: 0 bytes of scratch
// CACHE: 0 of them by conflicts
// CACHE-NOT: kernel main_launch_1
