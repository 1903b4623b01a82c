// RUN: not airlite-opt %s --air-opt-shim-dma-bds=device=npu1 2>&1 | FileCheck %s
// RUN: not airlite-opt %s --air-opt-shim-dma-bds=device=none 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not airlite-opt %s --air-opt-shim-dma-bds='device=npu1 shim-dma-tile-sizes=0,1' 2>&1 | FileCheck %s --check-prefix=ZERO

// UNKNOWN: error: 'func.func' op unknown device 'none'
// ZERO: error: shim-dma-tile-sizes=0 is only valid as a single-value sentinel
// CHECK: air-opt-shim-dma-bds-invalid.mlir:[[#@LINE+3]]:3: error: 'air.launch' op air.shim_dma_tile_sizes values must be > 0
func.func @zero(%x: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n=%c1) args(%m=%x) : memref<4xi32> attributes {air.shim_dma_tile_sizes = array<i64: 2, 0>} {
  }
  return
}
