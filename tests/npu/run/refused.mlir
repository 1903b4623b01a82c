// What fits with no size of herds: why not with the largest, and what is left with the smallest.
// RUN: not airlite-compile %s --target=npu1 -o %t 2>&1 | FileCheck %s
// RUN: test ! -e %t
// CHECK: refused.mlir:[[#@LINE+12]]:3: error: 'aie.dma_bd' op length must be a multiple of 4 bytes
// CHECK: refused.mlir:[[#@LINE+11]]:3: note: with air-npu{herd=1,1 grow=false}: 'aie.dma_bd' op a stride of 255 elements of 1 bytes is not whole words
#both = affine_map<(i, j) -> (i, j)>
func.func @main(%a: memref<64x64xi32>, %b: memref<64x64xi32>, %c: memref<64x64xi32>, %x: memref<255x255xi8>,
                %y: memref<255x255xi8>) {
  linalg.generic {indexing_maps = [#both, #both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<64x64xi32>, memref<64x64xi32>) outs(%c : memref<64x64xi32>) {
  ^bb0(%p: i32, %q: i32, %old: i32):
    %r = arith.addi %p, %q : i32
    linalg.yield %r : i32
  }
  %three = arith.constant 3 : i8
  linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<255x255xi8>) outs(%y : memref<255x255xi8>) {
  ^bb0(%p: i8, %old: i8):
    %r = arith.addi %p, %three : i8
    linalg.yield %r : i8
  }
  return
}
