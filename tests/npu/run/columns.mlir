// A part of the array is a target, too: the recipe makes herds that fit into its columns.

// REQUIRES: !sanitize
// RUN: airlite-run --on=interp %s --init=random:1 --output 2=%t.npy
// RUN: for n in 1 2 3; do airlite-compile --target=npu1_${n}col %s -o %t.$n --emit=aie,images && airlite-run --on=sim %t.$n --init=random:1 --expect 2=%t.npy || exit 1; done
// RUN: FileCheck %s --input-file=%t.2/design.mlir
// CHECK: aie.device(npu1_2col)
// CHECK: aie.tile(1, 2)
// RUN: not airlite-compile --target=npu1_1col %t.2/design.mlir -o %t.4 2>&1 | FileCheck %s --check-prefix=WIDE
// WIDE: error: 'aie.device' op is for device 'npu1_2col', the target is npu1_1col

func.func @main(%a: memref<256x64xi32>, %b: memref<64x256xi32>, %c: memref<256x256xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<256x256xi32>)
  linalg.matmul ins(%a, %b : memref<256x64xi32>, memref<64x256xi32>) outs(%c : memref<256x256xi32>)
  return
}
