// A core of a GPU program that tells lanes apart runs its body once for each of them.
// RUN: airlite-opt %s --air-verify-program --emit=none --verify-diagnostics --split-input-file

module attributes {airlite.wave_size = 32 : i64} {
  func.func @fine(%a: memref<32xf32>, %b: memref<32xf32>) {
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%o = %a, %i = %b) : memref<32xf32>, memref<32xf32> {
      %lane = gpu.lane_id
      %v = memref.load %i[%lane] : memref<32xf32>
      memref.store %v, %o[%lane] : memref<32xf32>
    }
    return
  }
}

// -----

// Every lane reads what its neighbour writes.
module attributes {airlite.wave_size = 32 : i64} {
  func.func @race(%a: memref<33xf32>) {
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%o = %a) : memref<33xf32> {
      %d1 = arith.constant 1 : index
      %lane = gpu.lane_id
      %next = arith.addi %lane, %d1 : index
      // expected-note@+1 {{}}
      %v = memref.load %o[%next] : memref<33xf32>
      // expected-error@+1 {{race}}
      memref.store %v, %o[%lane] : memref<33xf32>
    }
    return
  }
}

// -----

// A barrier between the two.
module attributes {airlite.wave_size = 32 : i64} {
  func.func @barrier(%a: memref<33xf32>) {
    %c1 = arith.constant 1 : index
    air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%o = %a) : memref<33xf32> {
      %d1 = arith.constant 1 : index
      %lane = gpu.lane_id
      %next = arith.addi %lane, %d1 : index
      %v = memref.load %o[%next] : memref<33xf32>
      gpu.barrier
      memref.store %v, %o[%lane] : memref<33xf32>
    }
    return
  }
}
