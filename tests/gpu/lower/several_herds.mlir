// Two herds of different shapes share a workgroup: the smaller one is guarded, and what the first
// leaves in LDS is there for the second.
// RUN: airlite-opt %s --split-input-file --air-to-gpu | FileCheck %s

// CHECK-LABEL: gpu.func @two
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>
// CHECK: %[[LDS:.*]] = memref.alloc() : memref<4xf32, 3>
// CHECK: %[[WAVE:.*]] = arith.divui
// CHECK: %[[LANE:.*]] = arith.remui
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]]
// CHECK: scf.if %[[FIRST]]
// CHECK: memref.store %{{.*}}, %[[LDS]][%[[WAVE]]]
// CHECK: gpu.barrier
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[WAVE]], %{{.*}}
// CHECK: %[[FIRST2:.*]] = arith.cmpi eq, %[[LANE]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[IN]], %[[FIRST2]]
// CHECK: scf.if %[[BOTH]]
// CHECK: memref.load %[[LDS]][%[[WAVE]]]
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
module attributes {airlite.wave_size = 64 : i32} {
func.func @f(%m: memref<4xf32>) {
  air.launch @two () in () args(%a=%m) : memref<4xf32> {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %lds = memref.alloc() : memref<4xf32, 1>
    air.herd @one tile (%x) in (%sx=%c4) args(%l=%lds) : memref<4xf32, 1> {
      %f = arith.constant 1.0 : f32
      memref.store %f, %l[%x] : memref<4xf32, 1>
    }
    air.herd @other tile (%x) in (%sx=%c2) args(%l=%lds, %b=%a) : memref<4xf32, 1>, memref<4xf32> {
      %f = memref.load %l[%x] : memref<4xf32, 1>
      memref.store %f, %b[%x] : memref<4xf32>
    }
  }
  return
}
}

// -----

// No barrier between herds that do not meet.
// CHECK-LABEL: gpu.func @apart
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
module attributes {airlite.wave_size = 64 : i32} {
func.func @f(%m: memref<4xf32>, %n: memref<4xf32>) {
  air.launch @apart () in () args(%a=%m, %b=%n) : memref<4xf32>, memref<4xf32> {
    %c4 = arith.constant 4 : index
    air.herd tile (%x) in (%sx=%c4) args(%l=%a) : memref<4xf32> {
      %f = arith.constant 1.0 : f32
      memref.store %f, %l[%x] : memref<4xf32>
    }
    air.herd tile (%x) in (%sx=%c4) args(%l=%b) : memref<4xf32> {
      %f = arith.constant 1.0 : f32
      memref.store %f, %l[%x] : memref<4xf32>
    }
  }
  return
}
}

// -----

// Two names of one buffer: the second herd reads what the first wrote.
// CHECK-LABEL: gpu.func @aliased
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK: memref.load
module attributes {airlite.wave_size = 64 : i32} {
func.func @f(%m: memref<4xf32>) {
  air.launch @aliased () in () args(%a=%m, %b=%m) : memref<4xf32>, memref<4xf32> {
    %c4 = arith.constant 4 : index
    air.herd tile (%x) in (%sx=%c4) args(%l=%a) : memref<4xf32> {
      %f = arith.constant 1.0 : f32
      memref.store %f, %l[%x] : memref<4xf32>
    }
    air.herd tile (%x) in (%sx=%c4) args(%l=%b) : memref<4xf32> {
      %f = memref.load %l[%x] : memref<4xf32>
      memref.store %f, %l[%x] : memref<4xf32>
    }
  }
  return
}
}

// -----

// Every lane writes the same: none may write before the slowest has read.
// CHECK-LABEL: gpu.func @redundant
// CHECK: memref.load
// CHECK: gpu.barrier
// CHECK: memref.store
// CHECK: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
module attributes {airlite.wave_size = 64 : i32} {
func.func @f(%m: memref<4xf32>) {
  air.launch @redundant () in () args(%a=%m) : memref<4xf32> {
    %c4 = arith.constant 4 : index
    air.herd tile (%x) in (%sx=%c4) args(%l=%a) : memref<4xf32> {
      %f = memref.load %l[%x] : memref<4xf32>
      %g = arith.addf %f, %f : f32
      memref.store %g, %l[%x] : memref<4xf32>
      gpu.barrier
    }
  }
  return
}
}
