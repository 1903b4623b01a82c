// What fits with no size of herds: why not with the largest, and what is left with the smallest.
// RUN: not airlite-compile %s --target=npu1 -o %t 2>&1 | FileCheck %s
// RUN: test ! -e %t
// CHECK: refused.mlir:[[#@LINE+11]]:3: error: 'memref.alloc' op does not fit: it needs 516 bytes
// CHECK: refused.mlir:[[#@LINE+10]]:3: note: with air-npu{herd=1,1 grow=false rows=false}: 'air.channel.put' op not supported: moves 771 bytes, no whole 32-bit words
#both = affine_map<(i, j) -> (i, j)>
func.func @main(%a: memref<64x64xi32>, %b: memref<64x64xi32>, %c: memref<64x64xi32>, %x: memref<3x1x257xi8>,
                %y: memref<3x257x129xi8>, %z: memref<3x1x129xi32>) {
  linalg.generic {indexing_maps = [#both, #both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<64x64xi32>, memref<64x64xi32>) outs(%c : memref<64x64xi32>) {
  ^bb0(%p: i32, %q: i32, %old: i32):
    %r = arith.addi %p, %q : i32
    linalg.yield %r : i32
  }
  linalg.batch_matmul ins(%x, %y : memref<3x1x257xi8>, memref<3x257x129xi8>) outs(%z : memref<3x1x129xi32>)
  return
}
