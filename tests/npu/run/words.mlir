// Elements of less than a 32-bit word in sizes that are not whole words: the last word of a buffer is moved as a
// whole, and loops are cut between words only.
// REQUIRES: !sanitize
// RUN: for program in %s %S/Inputs/words_dma.mlir %S/Inputs/words_channels.mlir; do \
// RUN:   airlite-run --on=sim --compare=interp --init=random:1 $program || exit 1; \
// RUN:   airlite-run --on=sim --compare=interp --init=random:2 --reverse-tiles $program || exit 1; \
// RUN: done | FileCheck %s
// CHECK-COUNT-6: arguments are as in the interpreter, bit by bit

// Rows of 3 bytes: four of them are whole words, so the 8 of %x are cut, and the 7 of %conv are not; nor are the
// features, 2 bytes one after the other in %weights.
// RUN: airlite-opt %s --air-tile-linalg --remarks -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAN
// PLAN-DAG: [[#@LINE+15]]:3: remark: [air-tile-linalg] tiled: launch 1x1, herd 2, tile of a core 4x3
// PLAN-DAG: [[#@LINE+20]]:3: remark: [air-tile-linalg] tiled: launch 1x1, herd 1, tile of a core 7x2x3x3

// The whole operands, in one buffer each since nothing comes in turns.
// PLAN-DAG: [[#@LINE+26]]:3: remark: [air-tile-linalg] tiled: launch 1x1, herd 1, tile of a core 131x131
#both = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i) -> (i)>
#window = affine_map<(d0, d1, d2, d3) -> (d0 + d2, d3)>
#filter = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
#pixel = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#turned = affine_map<(d0, d1, d2) -> (d2, d1, d0)>
#straight = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%x: memref<8x3xi8>, %y: memref<8x3xi8>, %image: memref<9x3xi8>, %weights: memref<3x3x2xi8>,
                %conv: memref<7x2xi32>, %s: memref<3xbf16>, %t: memref<3xbf16>, %u: memref<8x4x2xi8>,
                %v: memref<2x4x8xi8>, %a: memref<131x131xi8>, %b: memref<131x131xi8>, %c: memref<131x131xi8>) {
  linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<8x3xi8>) outs(%y : memref<8x3xi8>) {
  ^bb0(%p: i8, %old: i8):
    %r = arith.muli %p, %p : i8
    linalg.yield %r : i8
  }
  linalg.generic {indexing_maps = [#window, #filter, #pixel], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%image, %weights : memref<9x3xi8>, memref<3x3x2xi8>) outs(%conv : memref<7x2xi32>) {
  ^bb0(%p: i8, %q: i8, %old: i32):
    %l = arith.extsi %p : i8 to i32
    %m = arith.extsi %q : i8 to i32
    %n = arith.muli %l, %m : i32
    %r = arith.addi %n, %old : i32
    linalg.yield %r : i32
  }
  linalg.generic {indexing_maps = [#both, #both, #both], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<131x131xi8>, memref<131x131xi8>) outs(%c : memref<131x131xi8>) {
  ^bb0(%p: i8, %q: i8, %old: i8):
    %r = arith.addi %p, %q : i8
    linalg.yield %r : i8
  }
  linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]}
      ins(%s : memref<3xbf16>) outs(%t : memref<3xbf16>) {
  ^bb0(%p: bf16, %old: bf16):
    %r = arith.addf %p, %p : bf16
    linalg.yield %r : bf16
  }
  linalg.generic {indexing_maps = [#turned, #straight], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%u : memref<8x4x2xi8>) outs(%v : memref<2x4x8xi8>) {
  ^bb0(%p: i8, %old: i8):
    linalg.yield %p : i8
  }
  return
}
