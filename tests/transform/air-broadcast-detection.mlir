// RUN: airlite-opt %s --air-broadcast-detection | FileCheck %s
// RUN: airlite-opt %s --air-broadcast-detection --air-specialize-dma-broadcast --check-each -o /dev/null

// CHECK-DAG: #[[$X:.*]] = affine_set<(d0, d1)[s0] : (d0 - s0 == 0, d1 >= 0, -d1 + 2 >= 0, s0 >= 0, -s0 + 1 >= 0)>
// CHECK-DAG: #[[$Y:.*]] = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 1 >= 0, d1 - s0 == 0, s0 >= 0, -s0 + 2 >= 0)>
// CHECK-DAG: #[[$ALL:.*]] = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 1 >= 0, d1 >= 0, -d1 + 2 >= 0, s0 >= 0, -s0 >= 0)>
// CHECK-DAG: #[[$COLUMN:.*]] = affine_set<(d0, d1)[s0] : (d0 - s0 == 0, d1 >= 0, -d1 + 3 >= 0, s0 >= 0, -s0 >= 0)>
// CHECK-DAG: #[[$ROW:.*]] = affine_set<(d0, d1)[s0] : (d0 >= 0, -d0 + 3 >= 0, d1 - s0 == 0, s0 >= 0, -s0 >= 0)>

// A row of a, a column of b, one and the same row of both.
// CHECK-LABEL: func.func @product
// CHECK: air.dma_memcpy_nd (%{{.*}}, %[[A:.*]][%{{.*}}] [{{.*}}broadcast_pattern = #[[$X]]
// CHECK: air.dma_memcpy_nd {{.*}}broadcast_pattern = #[[$Y]]
// CHECK: air.dma_memcpy_nd {{.*}}broadcast_pattern = #[[$ALL]]
// Each core writes a place of its own: nothing to broadcast.
// CHECK-NOT: broadcast_pattern
func.func @product(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %o: memref<2x3xi32>) {
  %one = arith.constant 1 : index
  air.launch (%l) in (%n=%one) args(%a0=%a, %b0=%b, %o0=%o) : memref<8x8xi32>, memref<8x8xi32>, memref<2x3xi32> {
    air.segment @s args(%a1=%a0, %b1=%b0, %o1=%o0) : memref<8x8xi32>, memref<8x8xi32>, memref<2x3xi32> {
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c3) args(%a2=%a1, %b2=%b1, %o2=%o1) : memref<8x8xi32>, memref<8x8xi32>, memref<2x3xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %d3 = arith.constant 3 : index
        %c8 = arith.constant 8 : index
        %zero = arith.constant 0 : i32
        %row = memref.alloc() : memref<1x8xi32, 2>
        %column = memref.alloc() : memref<8x1xi32, 2>
        %same = memref.alloc() : memref<1x8xi32, 2>
        %sum = memref.alloc() : memref<1x1xi32, 2>
        linalg.fill ins(%zero : i32) outs(%sum : memref<1x1xi32, 2>)
        %mine = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%x)
        air.dma_memcpy_nd (%row[] [] [], %a2[%mine, %c0] [%c1, %c8] [%c8, %c1]) : (memref<1x8xi32, 2>, memref<8x8xi32>)
        air.dma_memcpy_nd (%column[] [] [], %b2[%c0, %y] [%c8, %c1] [%c8, %c1]) : (memref<8x1xi32, 2>, memref<8x8xi32>)
        linalg.matmul ins(%row, %column : memref<1x8xi32, 2>, memref<8x1xi32, 2>) outs(%sum : memref<1x1xi32, 2>)
        // The ids cancel out; the loop is the same on all cores.
        scf.for %i = %c0 to %d3 step %c1 {
          %up = arith.addi %i, %x : index
          %down = arith.subi %up, %x : index
          air.dma_memcpy_nd (%same[] [] [], %a2[%down, %c0] [%c1, %c8] [%c8, %c1]) : (memref<1x8xi32, 2>, memref<8x8xi32>)
          linalg.matmul ins(%same, %column : memref<1x8xi32, 2>, memref<8x1xi32, 2>) outs(%sum : memref<1x1xi32, 2>)
        }
        air.dma_memcpy_nd (%o2[%x, %y] [%c1, %c1] [%d3, %c1], %sum[] [] []) : (memref<2x3xi32>, memref<1x1xi32, 2>)
        memref.dealloc %row : memref<1x8xi32, 2>
        memref.dealloc %column : memref<8x1xi32, 2>
        memref.dealloc %same : memref<1x8xi32, 2>
        memref.dealloc %sum : memref<1x1xi32, 2>
      }
    }
  }
  return
}

// What is not linear depends on the ids all the same; a view is looked through; ifs and loops count.
// CHECK-LABEL: func.func @paths
// CHECK: air.dma_memcpy_nd {{.*}}broadcast_pattern = #[[$Y]]{{.*}}memref<8xi32, 1>
// CHECK: air.dma_memcpy_nd {{.*}}broadcast_pattern = #[[$X]]
// CHECK: air.dma_memcpy_nd {{.*}}broadcast_pattern = #[[$Y]]
// CHECK: air.dma_memcpy_nd {{.*}}broadcast_pattern = #[[$X]]
func.func @paths(%m: memref<8xi32, 1>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c3) args(%a=%m) : memref<8xi32, 1> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %d2 = arith.constant 2 : index
    %l = memref.alloc() : memref<1xi32, 2>
    %odd = arith.remui %y, %d2 : index
    air.dma_memcpy_nd (%l[] [] [], %a[%odd] [%c1] [%c1]) : (memref<1xi32, 2>, memref<8xi32, 1>)
    %view = memref.subview %a[%x] [1] [1] : memref<8xi32, 1> to memref<1xi32, strided<[1], offset: ?>, 1>
    air.dma_memcpy_nd (%l[] [] [], %view[] [] []) : (memref<1xi32, 2>, memref<1xi32, strided<[1], offset: ?>, 1>)
    scf.for %i = %c0 to %y step %c1 {
      air.dma_memcpy_nd (%l[] [] [], %a[%c0] [%c1] [%c1]) : (memref<1xi32, 2>, memref<8xi32, 1>)
    }
    %first = arith.cmpi eq, %x, %c0 : index
    scf.if %first {
      air.dma_memcpy_nd (%l[] [] [], %a[%c0] [%c1] [%c1]) : (memref<1xi32, 2>, memref<8xi32, 1>)
    }
  }
  return
}

// Herds of one line: the id of the other dimension is always 0.
// CHECK-LABEL: func.func @lines
// CHECK: air.dma_memcpy_nd {{.*}}broadcast_pattern = #[[$COLUMN]]
// CHECK: air.dma_memcpy_nd {{.*}}broadcast_pattern = #[[$ROW]]
func.func @lines(%m: memref<8xi32, 1>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.herd @h tile (%x, %y) in (%sx=%c1, %sy=%c4) args(%a=%m) : memref<8xi32, 1> {
    %d1 = arith.constant 1 : index
    %l = memref.alloc() : memref<1xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %a[%x] [%d1] [%d1]) : (memref<1xi32, 2>, memref<8xi32, 1>)
  }
  air.herd @g tile (%x, %y) in (%sx=%c4, %sy=%c1) args(%a=%m) : memref<8xi32, 1> {
    %d1 = arith.constant 1 : index
    %l = memref.alloc() : memref<1xi32, 2>
    air.dma_memcpy_nd (%l[] [] [], %a[%d1] [%d1] [%d1]) : (memref<1xi32, 2>, memref<8xi32, 1>)
  }
  return
}
