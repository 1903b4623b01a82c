// RUN: airlite-opt %s --check-each --air-shrink-core-slabs --remarks 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// Each core has its own slab: the dimensions of the cores get one element, and the indices are 0.
// CHECK-LABEL: func.func @slabs
// CHECK: %[[ACC:.*]] = memref.alloc() : memref<1x1x8xi32, 2>
// CHECK: air.herd {{.*}} tile (%[[X:.*]], %[[Y:.*]]) in
// CHECK: memref.subview %{{.*}}[0, 0, 0] [1, 1, 8] [1, 1, 1] : memref<1x1x8xi32, 2>
// CHECK: linalg.fill
// CHECK: air.herd {{.*}} tile (%[[X:.*]], %[[Y:.*]]) in
// CHECK: air.dma_memcpy_nd (%{{.*}}[%[[X]], %[[Y]], 0] [1, 1, 8] [16, 8, 1], %{{.*}}[%{{c0.*}}, %{{c0.*}}, 0] [1, 1, 8] [16, 8, 1]) : (memref<2x2x8xi32, 1>, memref<1x1x8xi32, 2>)
func.func @slabs(%out: memref<2x2x8xi32>) {
  air.launch () in () args(%to = %out) : memref<2x2x8xi32> {
    air.segment @s args(%t = %to) : memref<2x2x8xi32> {
      %c2 = arith.constant 2 : index
      %acc = memref.alloc() : memref<2x2x8xi32, 2>
      %l2 = memref.alloc() : memref<2x2x8xi32, 1>
      air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c2) args(%m = %acc) : memref<2x2x8xi32, 2> {
        %n = arith.constant 7 : i32
        %sv = memref.subview %m[%x, %y, 0] [1, 1, 8] [1, 1, 1] : memref<2x2x8xi32, 2> to memref<1x1x8xi32, strided<[16, 8, 1], offset: ?>, 2>
        linalg.fill ins(%n : i32) outs(%sv : memref<1x1x8xi32, strided<[16, 8, 1], offset: ?>, 2>)
      }
      air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c2) args(%m = %acc, %o = %l2) : memref<2x2x8xi32, 2>, memref<2x2x8xi32, 1> {
        air.dma_memcpy_nd (%o[%x, %y, 0] [1, 1, 8] [16, 8, 1], %m[%x, %y, 0] [1, 1, 8] [16, 8, 1]) : (memref<2x2x8xi32, 1>, memref<2x2x8xi32, 2>)
      }
      air.dma_memcpy_nd (%t[] [] [], %l2[] [] []) : (memref<2x2x8xi32>, memref<2x2x8xi32, 1>)
      memref.dealloc %l2 : memref<2x2x8xi32, 1>
      memref.dealloc %acc : memref<2x2x8xi32, 2>
    }
  }
  return
}

// The second herd looks at the slab of another core; the memory of the other function is no slab of the cores at all.
// REMARK: remark: {{.*}}stays: its first dimensions are not the cores of the herd
// REMARK: remark: {{.*}}stays: something else than views and transfers uses it
// CHECK-LABEL: func.func @stays
// CHECK: memref.alloc() : memref<2x8xi32, 2>
// CHECK: memref.alloc() : memref<2xi32, 2>
func.func @stays(%n: i32) {
  air.launch () in () args(%number = %n) : i32 {
    air.segment @s args(%k = %number) : i32 {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %acc = memref.alloc() : memref<2x8xi32, 2>
      %other = memref.alloc() : memref<2xi32, 2>
      air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%m = %acc, %p = %other, %v = %k) : memref<2x8xi32, 2>, memref<2xi32, 2>, i32 {
        %one = arith.constant 1 : index
        %turned = arith.subi %one, %x : index
        %sv = memref.subview %m[%turned, 0] [1, 8] [1, 1] : memref<2x8xi32, 2> to memref<1x8xi32, strided<[8, 1], offset: ?>, 2>
        linalg.fill ins(%v : i32) outs(%sv : memref<1x8xi32, strided<[8, 1], offset: ?>, 2>)
        memref.store %v, %p[%x] : memref<2xi32, 2>
      }
      memref.dealloc %acc : memref<2x8xi32, 2>
      memref.dealloc %other : memref<2xi32, 2>
    }
  }
  return
}
