// RUN: airlite-opt %s --air-override-memref-memory-space='scope=func memory-space=1' --verify-diagnostics --remarks
// RUN: airlite-opt %s --air-override-memref-memory-space='scope=herd memory-space=1' --remarks 2>&1 | FileCheck %s --check-prefix=HERD
// RUN: airlite-opt %s --air-override-memref-memory-space='scope=segment memory-space=0' --remarks 2>&1 | FileCheck %s --check-prefix=SEGMENT

air.channel @mmio [1] {channel_type = "npu_mmio"}
func.func private @use(memref<8xf32>)

func.func @stated(%c: i1, %other: memref<8xf32>) -> memref<8xf32> {
  // expected-remark@+1 {{it is passed on to where its type is stated}}
  %a = memref.alloc() : memref<8xf32>
  func.call @use(%a) : (memref<8xf32>) -> ()
  // expected-remark@+1 {{it is passed on to where its type is stated}}
  %b = memref.alloc() : memref<8xf32>
  %d = arith.select %c, %b, %other : memref<8xf32>
  // expected-remark@+1 {{it is passed on to where its type is stated}}
  %e = memref.alloc() : memref<8xf32>
  // expected-remark@+1 {{a view of it has no rank}}
  %f = memref.alloc() : memref<8xf32>
  %g = memref.cast %f : memref<8xf32> to memref<*xf32>
  // expected-remark@+1 {{it is passed on to where its type is stated}}
  %h = memref.alloc() {alignment = 32 : i64} : memref<8xf32>
  %i = memref.assume_alignment %h, 32 : memref<8xf32>
  return %e : memref<8xf32>
}

func.func @levels() {
  // expected-remark@+1 {{an mmio channel goes from L3 to L1}}
  %a = memref.alloc() : memref<8xi32>
  air.channel.put @mmio[] (%a[] [] []) : (memref<8xi32>)
  // expected-remark@+1 {{a herd outside of any launch uses L1 only}}
  %b = memref.alloc() : memref<8xf32, 3>
  %c1 = arith.constant 1 : index
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%in = %b) : memref<8xf32, 3> {
    %zero = arith.constant 0 : index
    %v = memref.load %in[%zero] : memref<8xf32, 3>
    // HERD: remark: {{.*}}a herd allocates L1 only
    %own = memref.alloc() : memref<8xf32, 3>
  }
  air.segment @s {
    // SEGMENT: remark: {{.*}}a segment allocates no L3
    %own = memref.alloc() : memref<8xf32, 3>
  }
  return
}
