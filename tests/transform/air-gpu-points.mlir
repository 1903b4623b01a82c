// Elementwise ops by vectors of whole waves, all others by a work-item for each point.
// RUN: airlite-opt %s --air-gpu-points=device=gfx942 | FileCheck %s
// RUN: airlite-opt %s --air-gpu-points=device=gfx942 --check-each --emit=none
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx1201}' | FileCheck %s --check-prefix=RECIPE

// RECIPE: airlite.gpu = "gfx1201", airlite.wave_size = 32
// RECIPE-NOT: linalg
#same = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// 16 bytes of f32 for each of 64 lanes.
// CHECK-LABEL: func.func @flat
// CHECK: air.herd {{.*}}attributes {airlite.spread}
// CHECK: memref.collapse_shape %{{.*}} {{\[\[}}0, 1]]
// CHECK: vector.transfer_read {{.*}} memref<2310xf32>, vector<256xf32>
// CHECK: arith.addf %{{.*}} : vector<256xf32>
// CHECK: vector.broadcast
// CHECK: arith.mulf
// CHECK: vector.transfer_write %{{.*}} : vector<256xf32>, memref<2310xf32>
func.func @flat(%a: memref<33x70xf32>, %b: memref<33x70xf32>, %c: memref<33x70xf32>) {
  %half = arith.constant 0.5 : f32
  linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<33x70xf32>, memref<33x70xf32>) outs(%c : memref<33x70xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.mulf %s, %half : f32
    linalg.yield %m : f32
  }
  return
}

// Multiples of what a workgroup has are not guarded.
// CHECK-LABEL: func.func @whole
// CHECK: vector.transfer_read {{.*}}in_bounds = [true]{{.*}} vector<512xf16>
func.func @whole(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf16>) {
  linalg.mul ins(%a, %b : memref<64x64xf16>, memref<64x64xf16>) outs(%c : memref<64x64xf16>)
  return
}

// The sum of a row is a value, stored once.
// CHECK-LABEL: func.func @sums
// CHECK: gpu.lane_id
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: %[[FIRST:.*]] = memref.load
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]])
// CHECK: memref.store %[[SUM]]
func.func @sums(%a: memref<40x50xf32>, %c: memref<40xf32>) {
  linalg.generic {indexing_maps = [#same, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<40x50xf32>) outs(%c : memref<40xf32>) {
  ^bb0(%x: f32, %s: f32):
    %t = arith.addf %x, %s : f32
    linalg.yield %t : f32
  }
  return
}

// CHECK-LABEL: func.func @open
// CHECK: memref.dim
// CHECK: air.launch
func.func @open(%a: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.transpose ins(%a : memref<?x?xf32>) outs(%c : memref<?x?xf32>) permutation = [1, 0]
  return
}

// The op reads what is filled as an input as well: the fill stays.
// CHECK-LABEL: func.func @in_place
// CHECK: air.launch
// CHECK: air.launch
func.func @in_place(%a: memref<8x16xi32>, %b: memref<16x8xi32>) {
  %three = arith.constant 3 : i32
  linalg.fill ins(%three : i32) outs(%b : memref<16x8xi32>)
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<8x16xi32>, memref<16x8xi32>) outs(%b : memref<16x8xi32>) {
  ^bb0(%x: i32, %y: i32, %o: i32):
    %s = arith.subi %x, %y : i32
    %t = arith.muli %s, %o : i32
    linalg.yield %t : i32
  }
  return
}
