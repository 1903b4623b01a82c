// Transposes and packs around a product are a part of it: one kernel reads and writes matrices as they lie. They stay
// where others need what they make, where memory changes in between, and where a batch would be the last dimension.
// REQUIRES: gpu
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942}' | FileCheck %s
// RUN: for f in packs padded kept changed heads twice; do \
// RUN:   airlite-run %s --on=interp --function=$f --init=random:5 --output 2=%t.y.npy || exit 1; \
// RUN:   for d in gfx942,forward gfx90a,reverse gfx1100,random:3 gfx1201,reverse; do \
// RUN:     airlite-run %s --target=${d%,*} --order=${d#*,} --function=$f --init=random:5 --expect 2=%t.y.npy --expect-rtol=1e-2 --expect-atol=1e-2 || exit 1; done; done
// RUN: airlite-run %s --on=interp --function=bytes --init=random:5 --output 2=%t.y.npy
// RUN: for d in gfx942 gfx90a gfx1100 gfx1201; do \
// RUN:   airlite-run %s --target=$d --order=random:4 --function=bytes --init=random:5 --expect 2=%t.y.npy || exit 1; done
// RUN: airlite-run %s --on=interp --function=inplace --init=random:5 --output 0=%t.a.npy --output 1=%t.b.npy
// RUN: airlite-run %s --target=gfx942 --order=reverse --function=inplace --init=random:5 --expect 0=%t.a.npy --expect 1=%t.b.npy

// CHECK-LABEL: func.func @packs
// CHECK-COUNT-1: air.launch
// CHECK-NOT: air.launch
// CHECK-LABEL: func.func @bytes
func.func @packs(%a: tensor<128x64xf16>, %b: tensor<64x96xf16>) -> tensor<128x96xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<8x16x16x4xf16>
  %eb = tensor.empty() : tensor<6x16x16x4xf16>
  %pa = linalg.pack %a outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [16, 4] into %ea : tensor<128x64xf16> -> tensor<8x16x16x4xf16>
  %pb = linalg.pack %b outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 4] into %eb : tensor<64x96xf16> -> tensor<6x16x16x4xf16>
  %ec = tensor.empty() : tensor<8x6x16x16xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<8x6x16x16xf32>) -> tensor<8x6x16x16xf32>
  %m = linalg.mmt4d ins(%pa, %pb : tensor<8x16x16x4xf16>, tensor<6x16x16x4xf16>) outs(%fc : tensor<8x6x16x16xf32>) -> tensor<8x6x16x16xf32>
  %eo = tensor.empty() : tensor<128x96xf32>
  %o = linalg.unpack %m inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %eo : tensor<8x6x16x16xf32> -> tensor<128x96xf32>
  return %o : tensor<128x96xf32>
}

// A matrix that is turned before it is packed is turned once; a fill with another number than zero stays.
// CHECK-COUNT-3: air.launch
// CHECK-NOT: air.launch
// CHECK-LABEL: func.func @padded
func.func @bytes(%a: tensor<64x128xi8>, %b: tensor<64x48xi8>) -> tensor<128x48xi32> {
  %zero = arith.constant -3 : i32
  %ea = tensor.empty() : tensor<128x64xi8>
  %pa = linalg.transpose ins(%a : tensor<64x128xi8>) outs(%ea : tensor<128x64xi8>) permutation = [1, 0]
  %eb = tensor.empty() : tensor<3x8x16x8xi8>
  %pb = linalg.pack %b outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 8] into %eb : tensor<64x48xi8> -> tensor<3x8x16x8xi8>
  %e4 = tensor.empty() : tensor<8x8x16x8xi8>
  %p4 = linalg.pack %pa inner_dims_pos = [0, 1] inner_tiles = [16, 8] into %e4 : tensor<128x64xi8> -> tensor<8x8x16x8xi8>
  %ec = tensor.empty() : tensor<8x3x16x16xi32>
  %fc = linalg.fill ins(%zero : i32) outs(%ec : tensor<8x3x16x16xi32>) -> tensor<8x3x16x16xi32>
  %m = linalg.mmt4d ins(%p4, %pb : tensor<8x8x16x8xi8>, tensor<3x8x16x8xi8>) outs(%fc : tensor<8x3x16x16xi32>) -> tensor<8x3x16x16xi32>
  %eo = tensor.empty() : tensor<128x48xi32>
  %o = linalg.unpack %m inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %eo : tensor<8x3x16x16xi32> -> tensor<128x48xi32>
  return %o : tensor<128x48xi32>
}

// Sizes that tiles do not divide: the padded matrices stay, nothing is brought into tiles.
func.func @padded(%a: tensor<61x45xbf16>, %b: tensor<45x33xbf16>) -> tensor<61x33xf32> {
  %zero = arith.constant 0.0 : f32
  %pad = arith.constant 0.0 : bf16
  %ea = tensor.empty() : tensor<4x12x16x4xbf16>
  %eb = tensor.empty() : tensor<3x12x16x4xbf16>
  %pa = linalg.pack %a padding_value(%pad : bf16) inner_dims_pos = [0, 1] inner_tiles = [16, 4] into %ea : tensor<61x45xbf16> -> tensor<4x12x16x4xbf16>
  %pb = linalg.pack %b padding_value(%pad : bf16) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [16, 4] into %eb : tensor<45x33xbf16> -> tensor<3x12x16x4xbf16>
  %ec = tensor.empty() : tensor<4x3x16x16xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<4x3x16x16xf32>) -> tensor<4x3x16x16xf32>
  %m = linalg.mmt4d ins(%pa, %pb : tensor<4x12x16x4xbf16>, tensor<3x12x16x4xbf16>) outs(%fc : tensor<4x3x16x16xf32>) -> tensor<4x3x16x16xf32>
  %eo = tensor.empty() : tensor<61x33xf32>
  %o = linalg.unpack %m inner_dims_pos = [0, 1] inner_tiles = [16, 16] into %eo : tensor<4x3x16x16xf32> -> tensor<61x33xf32>
  return %o : tensor<61x33xf32>
}

// The transposed matrix and the result before it is turned are arguments.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: air.launch
// CHECK-NOT: air.launch
// CHECK-LABEL: func.func @changed
func.func @kept(%a: memref<64x80xf32>, %b: memref<64x48xf32>, %o: memref<48x80xf32>, %t: memref<80x64xf32>, %c: memref<80x48xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.transpose ins(%a : memref<64x80xf32>) outs(%t : memref<80x64xf32>) permutation = [1, 0]
  linalg.fill ins(%zero : f32) outs(%c : memref<80x48xf32>)
  linalg.matmul ins(%t, %b : memref<80x64xf32>, memref<64x48xf32>) outs(%c : memref<80x48xf32>)
  linalg.transpose ins(%c : memref<80x48xf32>) outs(%o : memref<48x80xf32>) permutation = [1, 0]
  return
}

// What was transposed is written before the product reads it.
// CHECK-COUNT-3: air.launch
// CHECK-LABEL: func.func @heads
func.func @changed(%a: memref<64x80xf32>, %b: memref<64x48xf32>, %c: memref<80x48xf32>) {
  %one = arith.constant 1.0 : f32
  %t = memref.alloc() : memref<80x64xf32>
  linalg.transpose ins(%a : memref<64x80xf32>) outs(%t : memref<80x64xf32>) permutation = [1, 0]
  linalg.fill ins(%one : f32) outs(%a : memref<64x80xf32>)
  linalg.fill ins(%one : f32) outs(%c : memref<80x48xf32>)
  linalg.matmul ins(%t, %b : memref<80x64xf32>, memref<64x48xf32>) outs(%c : memref<80x48xf32>)
  memref.dealloc %t : memref<80x64xf32>
  return
}

// Heads next to each other in a row: their rows are read as they lie. The batch of B is its last dimension.
// CHECK-COUNT-2: air.launch
// CHECK-NOT: air.launch
// CHECK-LABEL: func.func @twice
func.func @heads(%a: tensor<48x5x32xf16>, %b: tensor<32x40x5xf16>) -> tensor<48x5x40xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<5x48x32xf16>
  %ta = linalg.transpose ins(%a : tensor<48x5x32xf16>) outs(%ea : tensor<5x48x32xf16>) permutation = [1, 0, 2]
  %eb = tensor.empty() : tensor<5x32x40xf16>
  %tb = linalg.transpose ins(%b : tensor<32x40x5xf16>) outs(%eb : tensor<5x32x40xf16>) permutation = [2, 0, 1]
  %ec = tensor.empty() : tensor<5x48x40xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<5x48x40xf32>) -> tensor<5x48x40xf32>
  %m = linalg.batch_matmul ins(%ta, %tb : tensor<5x48x32xf16>, tensor<5x32x40xf16>) outs(%fc : tensor<5x48x40xf32>) -> tensor<5x48x40xf32>
  %eo = tensor.empty() : tensor<48x5x40xf32>
  %o = linalg.transpose ins(%m : tensor<5x48x40xf32>) outs(%eo : tensor<48x5x40xf32>) permutation = [1, 0, 2]
  return %o : tensor<48x5x40xf32>
}

// Both factors, and two products of the same transpose.
// CHECK-COUNT-2: air.launch
// CHECK-NOT: air.launch
func.func @twice(%a: tensor<32x48xf16>, %b: tensor<48x32xf16>) -> tensor<48x48xf32> {
  %zero = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<48x32xf16>
  %ta = linalg.transpose ins(%a : tensor<32x48xf16>) outs(%ea : tensor<48x32xf16>) permutation = [1, 0]
  %ec = tensor.empty() : tensor<48x48xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%ec : tensor<48x48xf32>) -> tensor<48x48xf32>
  %m = linalg.matmul_transpose_b ins(%ta, %ta : tensor<48x32xf16>, tensor<48x32xf16>) outs(%fc : tensor<48x48xf32>) -> tensor<48x48xf32>
  %n = linalg.matmul_transpose_b ins(%ta, %b : tensor<48x32xf16>, tensor<48x32xf16>) outs(%m : tensor<48x48xf32>) -> tensor<48x48xf32>
  return %n : tensor<48x48xf32>
}

// CHECK-LABEL: func.func @inplace
// What was transposed is overwritten after the product, by what still reads the transpose.
func.func @inplace(%a: memref<48x48xi32>, %b8: memref<48x48xi8>, %c8: memref<48x48xi8>) {
  %z = arith.constant 0 : i32
  %c = memref.alloc() : memref<48x48xi32>
  %t8 = memref.alloc() : memref<48x48xi8>
  linalg.transpose ins(%b8 : memref<48x48xi8>) outs(%t8 : memref<48x48xi8>) permutation = [1, 0]
  linalg.fill ins(%z : i32) outs(%c : memref<48x48xi32>)
  linalg.matmul ins(%t8, %c8 : memref<48x48xi8>, memref<48x48xi8>) outs(%c : memref<48x48xi32>)
  linalg.transpose ins(%c : memref<48x48xi32>) outs(%a : memref<48x48xi32>) permutation = [1, 0]
  linalg.transpose ins(%t8 : memref<48x48xi8>) outs(%b8 : memref<48x48xi8>) permutation = [1, 0]
  memref.dealloc %c : memref<48x48xi32>
  memref.dealloc %t8 : memref<48x48xi8>
  return
}
