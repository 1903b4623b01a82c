// Plain linalg to the kernels of a GPU, and the same kernels on this machine; what their objects say.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:4 --output 2=%t.npy
// RUN: airlite-run %s --target=gfx942 --init=random:4 --expect 2=%t.npy --expect-atol=1e-4 -v 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HOST
// RUN: airlite-run %s --target=gfx1100 --init=random:4 --order=random:9 --expect 2=%t.npy \
// RUN:   --expect-atol=1e-4
// RUN: airlite-run %s --target=gfx942 --exact --init=random:4 --expect 2=%t.npy
// HOST-DAG: as expected
// HOST-DAG: 1 launches, 9 workgroups
// RUN: airlite-compile %s --target=gfx942 -o %T/a --report=kernel | FileCheck %s --check-prefix=MFMA
// MFMA: target gfx942
// MFMA: kernel main_launch_0
// Two steps, which LLVM does not unroll.
// MFMA: main loop  {{[0-9]+}} instructions: 2 matrix
// MFMA: kernel long_launch_0
// MFMA: workgroup  128 x 2 x 1 work-items, waves of 64
// MFMA: grid       256 x 1 x 1 workgroups
// MFMA: registers  {{[0-9]+}} vector ({{[0-9]+}} of them AGPRs), {{[0-9]+}} scalar; 0 bytes of scratch, 20480 of LDS
// MFMA: occupancy  {{[0-9]}} waves in a SIMD, limited by
// MFMA: main loop  {{[0-9]+}} instructions: 8 matrix, 
// MFMA: bytes      of a lane:
// MFMA: matrix     128 cycles of the matrix unit in a round: {{[0-9.]+}} % of the issue slots of a wave alone
// Each access to LDS uses all banks.
// MFMA: banks      in a loop: {{[0-9]+}} reads in {{[0-9]+}} cycles of LDS, 0 of them by conflicts; {{[0-9]+}} writes in {{[0-9]+}}, 0
// RUN: airlite-compile %s --target=gfx90a -o %T/b --report=kernel | FileCheck %s --check-prefix=ALL
// RUN: airlite-compile %s --target=gfx1100 -o %T/c --report=kernel | FileCheck %s --check-prefix=ALL
// RUN: airlite-compile %s --target=gfx1201 -o %T/d --report=kernel | FileCheck %s --check-prefix=ALL
// ALL: main loop  {{[0-9]+}} instructions: {{[0-9]+}} matrix
// ALL: matrix     {{[0-9]+}} cycles
// RUN: (airlite-run %s --target=gfx7 --init=zero; test $? = 2) 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: --target=gfx7 is none of gfx90a, gfx942, gfx1100, gfx1201
// RUN: (airlite-run %s --on=interp --target=gfx942 --init=zero; test $? = 2) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=INTERP
// INTERP: error: --target needs --on=host, hip, sim or xrt
// RUN: (airlite-run %s --on=interp --exact --init=zero; test $? = 2) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EXACT
// EXACT: error: --exact needs --on=host, hip or sim
func.func @main(%a: memref<70x96xf16>, %b: memref<96x80xf16>, %c: memref<70x80xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%c : memref<70x80xf32>)
  linalg.matmul ins(%a, %b : memref<70x96xf16>, memref<96x80xf16>) outs(%c : memref<70x80xf32>)
  return
}
// Long enough to stay a loop.
func.func @long(%a: memref<1024x2048xf16>, %b: memref<1024x2048xf16>, %c: memref<1024x1024xf32>) {
  linalg.matmul_transpose_b ins(%a, %b : memref<1024x2048xf16>, memref<1024x2048xf16>)
      outs(%c : memref<1024x1024xf32>)
  return
}
