// Attention as one kernel: the host twin against the interpreter, and what the objects say.
// REQUIRES: gpu
// RUN: airlite-run %s --on=interp --init=random:4 --output 3=%t.npy
// RUN: airlite-run %s --target=gfx942 --init=random:4 --expect 3=%t.npy --expect-atol=2e-3 -v 2>&1 \
// RUN:   | FileCheck %s --check-prefix=HOST
// RUN: airlite-run %s --target=gfx90a --init=random:4 --order=reverse --expect 3=%t.npy --expect-atol=2e-3
// RUN: airlite-run %s --target=gfx1100 --init=random:4 --order=random:9 --expect 3=%t.npy --expect-atol=2e-3
// RUN: airlite-run %s --target=gfx1201 --init=random:4 --expect 3=%t.npy --expect-atol=2e-3
// HOST-DAG: as expected
// HOST-DAG: 1 launches, 4 workgroups
// RUN: airlite-compile %s --target=gfx942 -o %T/a --report=kernel | FileCheck %s
// RUN: airlite-compile %s --target=gfx90a -o %T/b --report=kernel | FileCheck %s
// RUN: airlite-compile %s --target=gfx1100 -o %T/c --report=kernel | FileCheck %s
// RUN: airlite-compile %s --target=gfx1201 -o %T/d --report=kernel | FileCheck %s
// CHECK: kernel main_launch_0
// CHECK: ; 0 bytes of scratch,
// The loop over keys loads, but stores nothing.
// CHECK: main loop  {{[0-9]+}} instructions: {{[0-9]+}} matrix
// CHECK-SAME: global loads, {{[0-9]+}} LDS reads
// CHECK-NOT: kernel
#id = affine_map<(b, m, n) -> (b, m, n)>
func.func @main(%q: memref<2x160x64xf16>, %k: memref<2x160x64xf16>, %v: memref<2x160x64xf16>, %o: memref<2x160x64xf32>) {
  %z = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %least = arith.constant 0xFF800000 : f32
  %s = memref.alloc() : memref<2x160x160xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<2x160x160xf32>)
  linalg.batch_matmul_transpose_b ins(%q, %k : memref<2x160x64xf16>, memref<2x160x64xf16>) outs(%s : memref<2x160x160xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%s : memref<2x160x160xf32>) {
  ^bb0(%x: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %y = arith.mulf %x, %scale : f32
    %c = arith.cmpi ule, %n, %m : index
    %w = arith.select %c, %y, %least : f32
    linalg.yield %w : f32
  }
  linalg.softmax dimension(2) ins(%s : memref<2x160x160xf32>) outs(%s : memref<2x160x160xf32>)
  %p = memref.alloc() : memref<2x160x160xf16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : memref<2x160x160xf32>) outs(%p : memref<2x160x160xf16>) {
  ^bb0(%x: f32, %y: f16):
    %w = arith.truncf %x : f32 to f16
    linalg.yield %w : f16
  }
  linalg.fill ins(%z : f32) outs(%o : memref<2x160x64xf32>)
  linalg.batch_matmul ins(%p, %v : memref<2x160x160xf16>, memref<2x160x64xf16>) outs(%o : memref<2x160x64xf32>)
  memref.dealloc %s : memref<2x160x160xf32>
  memref.dealloc %p : memref<2x160x160xf16>
  return
}
