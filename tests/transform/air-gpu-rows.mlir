// Ops on rows: a chain is one launch, and what is between its ops is not in memory.
// RUN: airlite-opt %s --air-decompose-softmax --air-gpu-rows=device=gfx942 --remarks 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t
// RUN: airlite-opt %s --air-decompose-softmax --air-gpu-rows=device=gfx1100 --air-verify-program --emit=none

// A wave for each row, which it reads once.
// CHECK-LABEL: func.func @softmax
// CHECK-NOT: memref.alloc
// CHECK: air.herd {{.*}}attributes {airlite.spread}
// CHECK: arith.cmpi ult
// CHECK: scf.if
// CHECK: vector.transfer_read {{.*}} memref<51x200xf32>, vector<256xf32>
// CHECK: vector.step
// CHECK: vector.reduction <maxnumf>
// CHECK: math.exp
// CHECK: vector.reduction <add>
// CHECK: arith.divf
// CHECK-NOT: vector.transfer_read
// CHECK: vector.transfer_write
// CHECK-NOT: linalg
// CHECK: return
// WHY: remark: [air-gpu-rows] 6 ops on rows: a wave for each row, 4 elements in a lane
func.func @softmax(%a: memref<3x17x200xf32>, %c: memref<3x17x200xf32>) {
  linalg.softmax dimension(2) ins(%a : memref<3x17x200xf32>) outs(%c : memref<3x17x200xf32>)
  return
}

// Several rows in a wave, several waves for a row, a row that no registers hold.
// CHECK-LABEL: func.func @lengths
// CHECK: vector.multi_reduction <maxsi>, {{.*}} [1] : vector<16x64xi8> to vector<16xi8>
// CHECK: memref.alloc() : memref<4xf32, 1>
// CHECK: %[[SUM:.*]] = vector.reduction <add>, %{{.*}} : vector<1024xf32> into f32
// CHECK: memref.store %[[SUM]], %{{.*}} : memref<4xf32, 1>
// CHECK: gpu.barrier
// CHECK-COUNT-4: memref.load %{{.*}} : memref<4xf32, 1>
// CHECK: scf.for
// CHECK: vector.transfer_read {{.*}} vector<1024xf32>
// WHY: remark: [air-gpu-rows] 1 op on rows: 16 rows in a wave, 16 elements in a lane
// WHY: remark: [air-gpu-rows] 2 ops on rows: 4 waves for each row, 16 elements in a lane
// WHY: remark: [air-gpu-rows] 1 op on rows: 4 waves for each row, 16 elements in a lane at a time
func.func @lengths(%a: memref<40x50xi8>, %m: memref<40xi8>, %b: memref<9x4000xf32>, %s: memref<9xf32>, %c: memref<9x?xf32>) {
  linalg.reduce { arith.maxsi } ins(%a : memref<40x50xi8>) outs(%m : memref<40xi8>) dimensions = [1]
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%s : memref<9xf32>)
  linalg.reduce { arith.addf } ins(%b : memref<9x4000xf32>) outs(%s : memref<9xf32>) dimensions = [1]
  linalg.reduce { arith.maximumf } ins(%c : memref<9x?xf32>) outs(%s : memref<9xf32>) dimensions = [1]
  return
}

// One long row: 64 workgroups reduce a part each, a second launch what they made.
// CHECK-LABEL: func.func @long
// CHECK: %[[PARTS:.*]] = memref.alloc() : memref<64xf32>
// CHECK: %[[SEEN:.*]] = memref.expand_shape %arg0 {{.*}} : memref<1048576xf32> into memref<64x16384xf32>
// CHECK: air.launch (%{{.*}}) in ({{.*}}) args({{.*}}=%[[SEEN]]{{.*}}=%[[PARTS]]
// CHECK: air.launch (%{{.*}}) in ({{.*}}) args({{.*}}=%[[PARTS]]
// CHECK-NOT: linalg
// CHECK: memref.dealloc %[[PARTS]]
// WHY: remark: [air-gpu-rows] 2 ops on rows: 16 waves for each row, 16 elements in a lane
func.func @long(%a: memref<1048576xf32>, %s: memref<f32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%s : memref<f32>)
  linalg.reduce { arith.addf } ins(%a : memref<1048576xf32>) outs(%s : memref<f32>) dimensions = [0]
  return
}

// A weight of all rows and a choice: 16 bytes of each lane, blocks of columns.
// CHECK-LABEL: func.func @columns
// CHECK: vector.transfer_read {{.*}} memref<300xf32>, vector<256xf32>
// CHECK: arith.select {{.*}} : vector<256xi1>, vector<256xf32>
// WHY: remark: [air-gpu-rows] 1 op on rows: blocks of 256 columns, a wave for each
func.func @columns(%x: memref<30x300xf32>, %b: memref<300xf32>, %y: memref<30x300xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %b : memref<30x300xf32>, memref<300xf32>) outs(%y : memref<30x300xf32>) {
  ^bb0(%e: f32, %h: f32, %o: f32):
    %t = arith.addf %e, %h : f32
    %p = arith.cmpf ogt, %t, %z : f32
    %r = arith.select %p, %t, %z : f32
    linalg.yield %r : f32
  }
  return
}

// The second op reads other rows than the one that it writes: two launches. What a later op needs is
// written, and its memory ends after the launch.
// CHECK-LABEL: func.func @apart
// CHECK: memref.alloc() : memref<8xf32>
// CHECK: air.launch
// CHECK: air.launch
// CHECK: memref.dealloc
func.func @apart(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
  %s = memref.alloc() : memref<8xf32>
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%s : memref<8xf32>)
  linalg.reduce { arith.addf } ins(%x : memref<8x8xf32>) outs(%s : memref<8xf32>) dimensions = [1]
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%s : memref<8xf32>) outs(%y : memref<8x8xf32>) {
  ^bb0(%h: f32, %o: f32):
    %t = arith.addf %h, %o : f32
    linalg.yield %t : f32
  }
  memref.dealloc %s : memref<8xf32>
  return
}

// Not the last dimension, elements by their index, memory that overlaps.
// CHECK-LABEL: func.func @declines
// CHECK-COUNT-2: linalg.generic
func.func @declines(%c: memref<4x8xf32>, %m: memref<8xf32>, %i: memref<8xindex>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%c : memref<4x8xf32>) outs(%m : memref<8xf32>) {
  ^bb0(%e: f32, %o: f32):
    %t = arith.addf %e, %o : f32
    linalg.yield %t : f32
  }
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%i : memref<8xindex>) {
  ^bb0(%o: index):
    %t = linalg.index 0 : index
    linalg.yield %t : index
  }
  return
}

// A row that becomes a matrix: no operand gives the lanes their elements, and air-gpu-points makes it.
// CHECK-LABEL: func.func @repeated
// CHECK: linalg.generic
func.func @repeated(%bias: memref<16xf32>, %y: memref<8x16xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%bias : memref<16xf32>) outs(%y : memref<8x16xf32>) {
  ^bb0(%e: f32, %o: f32):
    linalg.yield %e : f32
  }
  return
}
