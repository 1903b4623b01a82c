// RUN: not airlite-opt %s --air-annotate-refeed 2>&1 | FileCheck %s

air.channel @line [1]

// CHECK: air-annotate-refeed-invalid.mlir:12:{{.*}} error: 'air.channel.put' op is sent 4 times, and air.refeed_count has no carrier the memtile lock allocator reads: no memref.alloc of its buffer
func.func @f(%a: memref<8xi32, 1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // A count of 4.
  scf.for %i = %c0 to %c4 step %c1 {
    air.channel.put @line[] (%a[] [] []) : (memref<8xi32, 1>)
  }
  return
}
