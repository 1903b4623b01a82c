// Products of bytes with zero points are products without, sums of rows and columns, and what puts them together: the
// very bits, by matrix instructions. A zero point that is known to be zero takes no sums.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:4 --output 2=%t.c.npy --output 5=%t.d.npy
// RUN: for d in gfx90a gfx942 gfx1100 gfx1201; do for o in forward reverse random:7; do \
// RUN:   airlite-run %s --target=$d --order=$o --init=random:4 --expect 2=%t.c.npy --expect 5=%t.d.npy || exit 1; done; done
// RUN: for d in gfx90a gfx942 gfx1100 gfx1201; do \
// RUN:   airlite-compile %s --target=$d -o %T/$d --report=kernel | FileCheck %s || exit 1; done
// RUN: airlite-opt %s --air-gpu-products=device=gfx942 | FileCheck %s --check-prefix=SUMS

// CHECK: {{[1-9][0-9]*}} matrix
// CHECK: {{[1-9][0-9]*}} matrix
// SUMS-COUNT-2: linalg.generic {{.*}}"reduction"
// SUMS: air.launch
// SUMS-COUNT-1: linalg.generic {{.*}}"reduction"
// SUMS: air.launch
// SUMS-NOT: linalg.generic
func.func @main(%a: memref<33x70xi8>, %b: memref<70x40xi8>, %c: memref<33x40xi32>, %d: memref<2x17x64xi8>, %e: memref<2x64x20xi8>,
                %f: memref<2x17x20xi32>, %za: i32, %zb: i32) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<33x40xi32>)
  linalg.quantized_matmul ins(%a, %b, %za, %zb : memref<33x70xi8>, memref<70x40xi8>, i32, i32) outs(%c : memref<33x40xi32>)
  linalg.quantized_batch_matmul ins(%d, %e, %za, %zero : memref<2x17x64xi8>, memref<2x64x20xi8>, i32, i32) outs(%f : memref<2x17x20xi32>)
  return
}
