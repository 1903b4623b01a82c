// Ids go by value, not by position; sizes are those of the grid; a launch needs no segment and no
// herd.
// RUN: airlite-opt %s --split-input-file --air-to-gpu | FileCheck %s

// CHECK-LABEL: func.func @three
// CHECK-SAME: %[[M:.*]]: memref<64xindex>, %[[N:.*]]: index
// CHECK: gpu.launch_func  @three_module::@grid blocks in (%[[N]], %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}}) args(%[[M]] : memref<64xindex>)
// CHECK: gpu.func @grid(%[[ARG:.*]]: memref<64xindex>) kernel
// CHECK-SAME: known_block_size = array<i32: 64, 1, 1>
// CHECK-DAG: %[[ITEM:.*]] = gpu.thread_id  x
// CHECK-DAG: %[[X:.*]] = gpu.block_id  x
// CHECK-DAG: %[[Y:.*]] = gpu.block_id  y
// CHECK-DAG: %[[Z:.*]] = gpu.block_id  z
// CHECK-DAG: %[[SX:.*]] = gpu.grid_dim  x
// CHECK-DAG: %[[SZ:.*]] = arith.constant 5 : index
// CHECK: %[[ZY:.*]] = arith.muli %[[Z]], %[[Y]]
// CHECK: %[[ALL:.*]] = arith.addi %[[ZY]], %[[SX]]
// CHECK: %[[SUM:.*]] = arith.addi %[[ALL]], %[[SZ]]
// CHECK: %[[ONLY:.*]] = arith.cmpi eq, %[[ITEM]]
// CHECK: scf.if %[[ONLY]] {
// CHECK-NEXT: memref.store %[[SUM]], %[[ARG]][%[[X]]]
func.func @three(%m: memref<64xindex>, %n: index) {
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  air.launch @grid (%x, %y, %z) in (%sx=%n, %sy=%c2, %sz=%c5) args(%a=%m) : memref<64xindex> {
    %0 = arith.muli %z, %y : index
    %1 = arith.addi %0, %sx : index
    %2 = arith.addi %1, %sz : index
    memref.store %2, %a[%x] : memref<64xindex>
  }
  return
}

// -----

// One grid point without an iteration space; a 2-D herd: x is the wave in a row, y the row.
// CHECK-LABEL: gpu.func @herd2d
// CHECK-SAME: known_block_size = array<i32: 128, 3, 1>
// CHECK-DAG: %[[IX:.*]] = gpu.thread_id  x
// CHECK-DAG: %[[IY:.*]] = gpu.thread_id  y
// CHECK-DAG: %[[W:.*]] = arith.constant 64 : index
// CHECK: %[[WX:.*]] = arith.divui %[[IX]], %[[W]]
// CHECK: %[[LANE:.*]] = arith.remui %[[IX]], %[[W]]
// CHECK: arith.cmpi eq, %[[LANE]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[WX]], %[[IY]]]
module attributes {airlite.wave_size = 64 : i32} {
func.func @f(%m: memref<2x3xf32>) {
  air.launch @herd2d () in () args(%a=%m) : memref<2x3xf32> {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    air.herd tile (%x, %y) in (%sx=%c2, %sy=%c3) args(%b=%a) : memref<2x3xf32> {
      %f = arith.constant 1.0 : f32
      memref.store %f, %b[%x, %y] : memref<2x3xf32>
    }
  }
  return
}
}

// -----

// Waves of 32 work-items.
// CHECK: gpu.func @narrow
// CHECK-SAME: airlite.wave_size = 32 : i32, known_block_size = array<i32: 128, 1, 1>
module attributes {airlite.wave_size = 32 : i32} {
  func.func @f(%m: memref<4xf32>) {
    air.launch @narrow () in () args(%a=%m) : memref<4xf32> {
      %c4 = arith.constant 4 : index
      air.herd tile (%x) in (%sx=%c4) args(%b=%a) : memref<4xf32> {
        %f = arith.constant 1.0 : f32
        memref.store %f, %b[%x] : memref<4xf32>
      }
    }
    return
  }
}

// -----

// A herd in no launch is launched by itself.
// CHECK: gpu.launch_func  @bare_module::@alone
// CHECK: gpu.func @alone(%{{.*}}: memref<4xf32>) kernel
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
module attributes {airlite.wave_size = 64 : i32} {
  func.func @bare(%m: memref<4xf32>) {
    %c4 = arith.constant 4 : index
    air.herd @alone tile (%x) in (%sx=%c4) args(%b=%m) : memref<4xf32> {
      %f = arith.constant 1.0 : f32
      memref.store %f, %b[%x] : memref<4xf32>
    }
    return
  }
}

// -----

// A lane that knows the number of its work-item reads and writes its own element: no barrier between.
// CHECK-LABEL: gpu.func @own_elements
// CHECK: %[[AT:.*]] = gpu.global_id  x
// CHECK: memref.load %{{.*}}[%[[AT]]]
// CHECK-NOT: gpu.barrier
// CHECK: memref.store
func.func @own_elements(%a: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%la = %a) : memref<64xf32> {
    air.segment args(%sa = %la) : memref<64xf32> {
      %one = arith.constant 1 : index
      %l2 = memref.alloc() : memref<64xf32, 1>
      air.herd tile (%x, %y) in (%sx = %one, %sy = %one) args(%ha = %sa, %t = %l2)
          : memref<64xf32>, memref<64xf32, 1> {
        %at = gpu.global_id x
        %v = memref.load %t[%at] : memref<64xf32, 1>
        %w = arith.addf %v, %v : f32
        memref.store %w, %t[%at] : memref<64xf32, 1>
        memref.store %w, %ha[%at] : memref<64xf32>
      }
    }
  }
  return
}

// -----

// What a wave knows of itself is the same for its lanes: one of them reads, adds and writes.
// CHECK-LABEL: gpu.func @of_wave
// CHECK: %[[ONLY:.*]] = arith.cmpi eq
// CHECK: scf.if %[[ONLY]] {
// CHECK: gpu.subgroup_size
// CHECK: memref.load
// CHECK: memref.store
module attributes {airlite.wave_size = 64 : i32} {
  func.func @f(%m: memref<4xindex>) {
    air.launch @of_wave () in () args(%a=%m) : memref<4xindex> {
      %one = arith.constant 1 : index
      air.herd tile (%x) in (%sx=%one) args(%b=%a) : memref<4xindex> {
        %size = gpu.subgroup_size : index
        %old = memref.load %b[%x] : memref<4xindex>
        %new = arith.addi %old, %size : index
        memref.store %new, %b[%x] : memref<4xindex>
      }
    }
    return
  }
}
