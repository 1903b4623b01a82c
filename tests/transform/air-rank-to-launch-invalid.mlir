// RUN: airlite-opt %s --air-rank-to-launch --split-input-file --verify-diagnostics

func.func @across(%m: memref<8xf32>, %b: memref<2xindex>) {
  %c2 = arith.constant 2 : index
  air.rank (%x) in (%sx=%c2) args(%n=%m, %bases=%b) : memref<8xf32>, memref<2xindex> {
    %c0 = arith.constant 0 : index
    // expected-error@+1 {{'air.translate' op not supported: access to another rank when ranks run in turn}}
    %p = air.translate %n, %x, %c0, %bases : memref<8xf32>, memref<2xindex>
  }
  return
}

// -----

air.channel @c [2]
func.func @channel(%m: memref<8xf32>) {
  %c2 = arith.constant 2 : index
  air.rank (%x) in (%sx=%c2) args(%n=%m) : memref<8xf32> {
    air.launch () in () args(%i=%x, %o=%n) : index, memref<8xf32> {
      // expected-error@+1 {{'air.channel.put' op not supported: access to another rank when ranks run in turn}}
      air.channel.put @c[%i] (%o[] [] []) : (memref<8xf32>)
    }
  }
  return
}
