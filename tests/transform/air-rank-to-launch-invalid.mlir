// RUN: airlite-opt %s --air-rank-to-launch --verify-diagnostics

func.func @across(%m: memref<8xf32>, %b: memref<2xindex>) {
  %c2 = arith.constant 2 : index
  air.rank (%x) in (%sx=%c2) args(%n=%m, %bases=%b) : memref<8xf32>, memref<2xindex> {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{'air.translate' op not supported: access to another rank when ranks run in turn}}
    %p = air.translate %n, %x, %c0, %bases : memref<8xf32>, memref<2xindex>
  }
  return
}
