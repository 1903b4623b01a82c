// RUN: airlite-opt %s --air-opt-memtile-dma-bds=device=npu1 | FileCheck %s
// RUN: airlite-opt %s --check-each --air-opt-memtile-dma-bds=device=npu2 | FileCheck %s
// RUN: not airlite-opt %s --air-opt-memtile-dma-bds=device=xcvc1902 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: not airlite-opt %s --air-opt-memtile-dma-bds=device=npu9 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// FIRST: air-opt-memtile-dma-bds.mlir:[[#]]:1: error: 'func.func' op AIE1 architecture does not come with memtiles.
// UNKNOWN: error: 'func.func' op unknown device 'npu9'

air.channel @a []
air.channel @b []

// CHECK-LABEL: func.func @segment
func.func @segment(%x: memref<16x8xi32>, %y: memref<16x8xi32>) {
  %c1 = arith.constant 1 : index
  // CHECK: air.launch
  %l = air.launch async (%i) in (%n=%c1) args(%m=%x, %o=%y) : memref<16x8xi32>, memref<16x8xi32> {
    %c0_0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c2_0 = arith.constant 2 : index
    // Loops of a launch are not looked at.
    // CHECK: scf.for
    scf.for %j = %c0_0 to %c2_0 step %c1_0 {
      %p = air.channel.put async @a[] (%m[] [] []) : (memref<16x8xi32>)
      air.wait_all [%p]
    }
    %s = air.segment @s async args(%q=%o) : memref<16x8xi32> {
      %c0 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %buf = memref.alloc() : memref<16x8xi32, 1>
      %w = air.wait_all async
      // Nothing repeats, but the rows of one run are one transfer.
      // CHECK: %[[G0:.*]] = air.channel.get async [%{{.*}}]  @a[] (%{{.*}}[] [] [])
      // CHECK: %[[G1:.*]] = air.channel.get async [%[[G0]]]  @a[] (%{{.*}}[] [] [])
      %g = scf.for %j = %c0 to %c2 step %c1_1 iter_args(%t = %w) -> (!air.async.token) {
        %f = scf.for %k = %c0 to %c2 step %c1_1 iter_args(%u = %t) -> (!air.async.token) {
          %at = affine.apply affine_map<(d0) -> (d0 * 8)>(%k)
          %v = air.channel.get async [%u] @a[] (%buf[%at, 0] [8, 8] [8, 1]) : (memref<16x8xi32, 1>)
          scf.yield %v : !air.async.token
        }
        scf.yield %f : !air.async.token
      }
      // CHECK: %[[P:.*]] = air.channel.put async [%[[G1]]]  @b[] (%{{.*}}[%c0{{.*}}, %c0{{.*}}] [%c8{{.*}}, %c16{{.*}}] [%c1{{.*}}, %c8{{.*}}])
      %p = scf.for %j = %c0 to %c8 step %c1_1 iter_args(%t = %g) -> (!air.async.token) {
        %v = air.channel.put async [%t] @b[] (%buf[0, %j] [16, 1] [8, 1]) : (memref<16x8xi32, 1>)
        scf.yield %v : !air.async.token
      }
      // CHECK: %[[D:.*]] = air.dma_memcpy_nd async
      %r = memref.alloc() : memref<128xi32, 1>
      %e = air.channel.get async @b[] (%r[] [] []) : (memref<128xi32, 1>)
      %d = air.dma_memcpy_nd async [%e] (%q[] [] [], %r[] [] []) : (memref<16x8xi32>, memref<128xi32, 1>)
      // CHECK: air.wait_all [{{.*}}%[[P]]{{.*}}%[[D]]] {air.segment_end}
      // CHECK-NOT: segment_end
    }
  }
  return
}

air.channel @large []

// A row of 2048 elements becomes two dimensions, so that each is below 1024.
// CHECK-LABEL: func.func @cut
// CHECK: put @large[] (%{{.*}}[%c0, %c0, %c0] [%c3, %c4, %c512] [%c4096, %c512, %c1])
// CHECK-NOT: segment_end
func.func @cut() {
  air.segment @s {
    %buf = memref.alloc() : memref<3x4096xi32, 1>
    air.channel.put @large[] (%buf[0, 0] [3, 2048] [4096, 1]) : (memref<3x4096xi32, 1>)
    memref.dealloc %buf : memref<3x4096xi32, 1>
  }
  return
}
