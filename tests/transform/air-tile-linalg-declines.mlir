// RUN: airlite-opt %s --split-input-file --air-tile-linalg --remarks 2>&1 | FileCheck %s
// RUN: not airlite-opt %s --split-input-file --air-tile-linalg='herd=0' 2>&1 | FileCheck %s --check-prefix=HERD
// RUN: not airlite-opt %s --split-input-file --air-tile-linalg='herd=2,2,2' 2>&1 | FileCheck %s --check-prefix=HERD
// RUN: not airlite-opt %s --split-input-file --air-tile-linalg='l1-tile=-1' 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not airlite-opt %s --split-input-file --air-tile-linalg='blocks=x' 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: airlite-opt %s --split-input-file --air-tile-linalg='l1-bytes=8' --remarks 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: airlite-opt %s --split-input-file --air-tile-linalg --remarks 2>&1 | FileCheck %s --check-prefix=WORDS

// HERD: error: air-tile-linalg: 'herd' must be one or two positive numbers
// TILE: error: air-tile-linalg: 'l1-tile' must not be negative
// BLOCKS: error: option 'blocks': expected integers, separated by commas

// CHECK: remark: [air-tile-linalg] not tiled: the size of a loop is not known
func.func @dynamic(%a: memref<?xf32>, %b: memref<?xf32>) {
  linalg.exp ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  return
}

// -----

// CHECK: not tiled: it is not on memrefs
func.func @tensors(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: not tiled: an operand is not in L3 memory
func.func @l2(%a: memref<4xf32, 1>, %b: memref<4xf32, 1>) {
  linalg.exp ins(%a : memref<4xf32, 1>) outs(%b : memref<4xf32, 1>)
  return
}

// -----

// CHECK: not tiled: it is inside of a hierarchy op or parallel loop
func.func @inside(%a: memref<4xf32>, %b: memref<4xf32>) {
  air.launch () in () args(%x = %a, %y = %b) : memref<4xf32>, memref<4xf32> {
    linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  }
  return
}

// -----

// CHECK: not tiled: an output may share its memory with another operand
func.func @transpose_in_place(%m: memref<4x4xf32>) {
  linalg.transpose ins(%m : memref<4x4xf32>) outs(%m : memref<4x4xf32>) permutation = [1, 0]
  return
}

// -----

// CHECK: not tiled: an index of an operand is not a sum of multiples of loops
#half = affine_map<(d0) -> (d0 floordiv 2)>
#id = affine_map<(d0) -> (d0)>
func.func @halves(%a: memref<4xf32>, %b: memref<8xf32>) {
  linalg.generic {indexing_maps = [#half, #id], iterator_types = ["parallel"]}
      ins(%a : memref<4xf32>) outs(%b : memref<8xf32>) {
  ^bb0(%x: f32, %old: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

// A fill that somebody else reads too stays where it is, as a launch of its own.

// CHECK: func.func @read_between
// CHECK: linalg.fill
// CHECK: memref.copy
// CHECK: call @look
// CHECK: linalg.matmul
// SMALL: not tiled: the smallest tile takes {{[0-9]+}} bytes of L1 memory of 8
func.func @read_between(%a: memref<5x5xf32>, %c: memref<5x5xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<5x5xf32>)
  func.call @look(%c) : (memref<5x5xf32>) -> ()
  linalg.matmul ins(%a, %a : memref<5x5xf32>, memref<5x5xf32>) outs(%c : memref<5x5xf32>)
  return
}
func.func private @look(memref<5x5xf32>)

// -----

// Two names of one global: the fill is read in between.

memref.global "private" @g : memref<8x8xf32> = uninitialized

// CHECK: func.func @two_names
// CHECK: linalg.fill
// CHECK: memref.copy %{{.*}}, %arg1 : memref<8x8xf32> to memref<8x8xf32>{{$}}
// CHECK-NOT: linalg.fill
// CHECK: linalg.matmul
func.func @two_names(%a: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %g = memref.get_global @g : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%g : memref<8x8xf32>)
  %same = memref.get_global @g : memref<8x8xf32>
  memref.copy %same, %out : memref<8x8xf32> to memref<8x8xf32>
  linalg.matmul ins(%a, %a : memref<8x8xf32>, memref<8x8xf32>) outs(%g : memref<8x8xf32>)
  return
}

// -----

// All of it does not fit into L1, and nothing less is whole words: rows that are, and the others.
// WORDS: remark: [air-tile-linalg] its loop 0 is split after {{[0-9]+}} rounds: launch 1x1, herd 1x3, tile of a core 255x85, not in whole 32-bit words: so the smallest tile takes {{[0-9]+}} bytes of L1 memory of 65536
func.func @large(%x: memref<255x255xi8>, %y: memref<255x255xi8>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
                  iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<255x255xi8>) outs(%y : memref<255x255xi8>) {
  ^bb0(%in: i8, %old: i8):
    linalg.yield %in : i8
  }
  return
}

// -----

// The index of an operand has a constant part.
// CHECK-LABEL: func.func @moved
// CHECK: linalg.generic
func.func @moved(%x: memref<1100xf32>, %y: memref<1024xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0 + 7)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : memref<1100xf32>) outs(%y : memref<1024xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  }
  return
}
