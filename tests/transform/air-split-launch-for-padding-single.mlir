// RUN: airlite-opt %s --check-each --air-split-launch-for-padding='split-mode=single-launch pad-location=source' | FileCheck %s
// RUN: airlite-opt %s --check-each --air-split-launch-for-padding=split-mode=single-launch | FileCheck %s --check-prefix=MEMTILE
// RUN: airlite-opt %s --check-each --air-split-launch-for-padding=pad-location=source | FileCheck %s --check-prefix=MULTI

// What counts is in all tiles, so all forms compute the same. Constants, offsets and the buffer that
// does not depend on the ids stay before the branches, and its dealloc after them.
// CHECK-LABEL: func.func @first
// CHECK: air.launch (%[[I:.*]], %[[J:.*]]) in (%{{.*}}=%c3{{[_0-9]*}}, %{{.*}}=%c3{{[_0-9]*}})
// CHECK-NOT: actual_sizes
// CHECK: %[[L2:.*]] = memref.alloc() : memref<4x4xi32, 1>
// CHECK: %[[M:.*]] = arith.cmpi ult, %[[I]], %{{.*}} : index
// CHECK: scf.if %[[M]] {
// CHECK: %[[N:.*]] = arith.cmpi ult, %[[J]], %{{.*}} : index
// CHECK: scf.if %[[N]] {
// CHECK: air.dma_memcpy_nd (%[[L2]][] [] [], {{.*}} [4, 4] [12, 1]) {id = 1 : i32}
// CHECK: air.segment @s_interior
// CHECK: } else {
// CHECK: pad_after = array<i32: 0, 3>
// CHECK: air.segment @s_n_boundary
// CHECK: } else {
// CHECK: scf.if
// CHECK: pad_after = array<i32: 2, 0>
// CHECK: air.segment @s_m_boundary
// CHECK: } else {
// CHECK: pad_after = array<i32: 2, 3>
// CHECK: air.segment @s_corner
// CHECK-NOT: memref.alloc() : memref<4x4xi32, 1>
// CHECK: memref.dealloc %[[L2]]
// CHECK: return

// MEMTILE-LABEL: func.func @first
// MEMTILE: air.segment @s_corner
// MEMTILE: air.dma_memcpy_nd {{.*}} {id = 2 : i32, pad_after = array<i32: 2, 3>

// MULTI-LABEL: func.func @first
// MULTI-COUNT-4: air.launch
// MULTI-NOT: air.launch
func.func @first(%m: memref<12x12xi32>, %n: memref<3x3xi32>) {
  %c3 = arith.constant 3 : index
  air.launch (%i, %j) in (%si = %c3, %sj = %c3) args(%all = %m, %out = %n) : memref<12x12xi32>, memref<3x3xi32> attributes {air.actual_sizes = array<i64: 10, 9>} {
    %c4 = arith.constant 4 : index
    %l2 = memref.alloc() : memref<4x4xi32, 1>
    %row = arith.muli %i, %c4 : index
    %column = arith.muli %j, %c4 : index
    air.dma_memcpy_nd (%l2[] [] [], %all[%row, %column] [4, 4] [12, 1]) {id = 1 : i32} : (memref<4x4xi32, 1>, memref<12x12xi32>)
    air.segment @s args(%x = %i, %y = %j, %tile = %l2, %result = %out) : index, index, memref<4x4xi32, 1>, memref<3x3xi32> {
      %l1 = memref.alloc() : memref<4x4xi32, 2>
      air.dma_memcpy_nd (%l1[] [] [], %tile[] [] []) {id = 2 : i32} : (memref<4x4xi32, 2>, memref<4x4xi32, 1>)
      air.dma_memcpy_nd (%result[%x, %y] [1, 1] [3, 1], %l1[0, 0] [1, 1] [4, 1]) {id = 3 : i32} : (memref<3x3xi32>, memref<4x4xi32, 2>)
      memref.dealloc %l1 : memref<4x4xi32, 2>
    }
    memref.dealloc %l2 : memref<4x4xi32, 1>
  }
  return
}
