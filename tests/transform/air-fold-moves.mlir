// RUN: airlite-opt %s --air-fold-moves --canonicalize --check-each | FileCheck %s

#rows = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>

// A reduction along the first dimension of a transposed copy is one along rows; the result is read without its dimension of
// size 1, and without being repeated.
// CHECK: #[[ROWS:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @centered
// CHECK-NEXT: arith.constant
// CHECK-NEXT: %[[SUM:.*]] = memref.alloc() : memref<6xi32>
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: linalg.generic {indexing_maps = [#[[ROWS]], #{{.*}}], iterator_types = ["parallel", "reduction"]} ins(%arg0 : memref<6x8xi32>) outs(%[[SUM]] : memref<6xi32>)
// CHECK: linalg.generic {indexing_maps = [#[[ALL:.*]], #[[FIRST:.*]], #[[ALL]]], iterator_types = ["parallel", "parallel"]} ins(%arg0, %[[SUM]] : memref<6x8xi32>, memref<6xi32>) outs(%arg1 : memref<6x8xi32>)
// CHECK: memref.dealloc %[[SUM]]
// CHECK-NEXT: return
func.func @centered(%x: memref<6x8xi32>, %y: memref<6x8xi32>) {
  %zero = arith.constant 0 : i32
  %turned = memref.alloc() : memref<8x6xi32>
  linalg.transpose ins(%x : memref<6x8xi32>) outs(%turned : memref<8x6xi32>) permutation = [1, 0]
  %sum = memref.alloc() : memref<6xi32>
  linalg.fill ins(%zero : i32) outs(%sum : memref<6xi32>)
  linalg.reduce ins(%turned : memref<8x6xi32>) outs(%sum : memref<6xi32>) dimensions = [0]
    (%in: i32, %init: i32) {
      %s = arith.addi %in, %init : i32
      linalg.yield %s : i32
    }
  %kept = memref.expand_shape %sum [[0, 1]] output_shape [6, 1] : memref<6xi32> into memref<6x1xi32>
  %repeated = memref.alloc() : memref<6x8xi32>
  linalg.generic {indexing_maps = [#column, #rows], iterator_types = ["parallel", "parallel"]} ins(%kept : memref<6x1xi32>) outs(%repeated : memref<6x8xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  }
  linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%x, %repeated : memref<6x8xi32>, memref<6x8xi32>) outs(%y : memref<6x8xi32>) {
  ^bb0(%p: i32, %q: i32, %o: i32):
    %s = arith.subi %p, %q : i32
    linalg.yield %s : i32
  }
  memref.dealloc %repeated : memref<6x8xi32>
  memref.dealloc %sum : memref<6xi32>
  memref.dealloc %turned : memref<8x6xi32>
  return
}

// Buffers of one column lose it with the loop over it.
// CHECK-LABEL: func.func @column
// CHECK: memref.alloc() : memref<6xi32>
// CHECK-NEXT: linalg.generic {indexing_maps = [#[[C:.*]], #{{.*}}], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<6x1xi32>)
// CHECK: memref.alloc() : memref<6xi32>
// CHECK-NEXT: linalg.generic {{.*}} iterator_types = ["parallel"]}
func.func @column(%x: memref<6x1xi32>, %y: memref<6x1xi32>) {
  %once = memref.alloc() : memref<6x1xi32>
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%x : memref<6x1xi32>) outs(%once : memref<6x1xi32>) {
  ^bb0(%p: i32, %o: i32):
    %s = arith.addi %p, %p : i32
    linalg.yield %s : i32
  }
  %twice = memref.alloc() : memref<6x1xi32>
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%once : memref<6x1xi32>) outs(%twice : memref<6x1xi32>) {
  ^bb0(%p: i32, %o: i32):
    %s = arith.muli %p, %p : i32
    linalg.yield %s : i32
  }
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%twice : memref<6x1xi32>) outs(%y : memref<6x1xi32>) {
  ^bb0(%p: i32, %o: i32):
    %s = arith.addi %p, %p : i32
    linalg.yield %s : i32
  }
  return
}

// An elementwise op keeps its transposed copy, and what the source loses in between stays a copy.
// CHECK-LABEL: func.func @stays
// CHECK: linalg.transpose
// CHECK: linalg.broadcast
func.func @stays(%x: memref<6x8xi32>, %v: memref<6xi32>, %y: memref<8x6xi32>, %z: memref<6x8xi32>) {
  %zero = arith.constant 0 : i32
  %turned = memref.alloc() : memref<8x6xi32>
  linalg.transpose ins(%x : memref<6x8xi32>) outs(%turned : memref<8x6xi32>) permutation = [1, 0]
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%turned : memref<8x6xi32>) outs(%y : memref<8x6xi32>) {
  ^bb0(%p: i32, %o: i32):
    %s = arith.addi %p, %p : i32
    linalg.yield %s : i32
  }
  %repeated = memref.alloc() : memref<6x8xi32>
  linalg.broadcast ins(%v : memref<6xi32>) outs(%repeated : memref<6x8xi32>) dimensions = [1]
  linalg.fill ins(%zero : i32) outs(%v : memref<6xi32>)
  linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%x, %repeated : memref<6x8xi32>, memref<6x8xi32>) outs(%z : memref<6x8xi32>) {
  ^bb0(%p: i32, %q: i32, %o: i32):
    %s = arith.subi %p, %q : i32
    linalg.yield %s : i32
  }
  return
}

// A buffer of one number is the number, and so is a copy of it that others add to.
// CHECK-LABEL: func.func @numbers
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<6xi32>
// CHECK-NEXT: linalg.fill ins(%{{.*}} : i32) outs(%[[SUM]] : memref<6xi32>)
// CHECK-NEXT: linalg.reduce ins(%arg0 : memref<6x8xi32>) outs(%[[SUM]] : memref<6xi32>) dimensions = [1]
// CHECK: linalg.generic {{.*}} ins(%[[SUM]] : memref<6xi32>) outs(%arg1 : memref<6xi32>) {
// CHECK: arith.muli %in, %c3_i32
func.func @numbers(%x: memref<6x8xi32>, %y: memref<6xi32>) {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %zeros = memref.alloc() : memref<6xi32>
  linalg.fill ins(%zero : i32) outs(%zeros : memref<6xi32>)
  %threes = memref.alloc() : memref<6xi32>
  linalg.fill ins(%three : i32) outs(%threes : memref<6xi32>)
  %sum = memref.alloc() : memref<6xi32>
  memref.copy %zeros, %sum : memref<6xi32> to memref<6xi32>
  linalg.reduce ins(%x : memref<6x8xi32>) outs(%sum : memref<6xi32>) dimensions = [1]
    (%in: i32, %init: i32) {
      %s = arith.addi %in, %init : i32
      linalg.yield %s : i32
    }
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%sum, %threes : memref<6xi32>, memref<6xi32>) outs(%y : memref<6xi32>) {
  ^bb0(%p: i32, %q: i32, %o: i32):
    %s = arith.muli %p, %q : i32
    linalg.yield %s : i32
  }
  memref.dealloc %zeros : memref<6xi32>
  memref.dealloc %threes : memref<6xi32>
  memref.dealloc %sum : memref<6xi32>
  return
}

// A loop of one round that only a sum has, when its dimension is dropped: its round is 0.
// CHECK-LABEL: func.func @round_of_sum
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%arg0 : memref<19xi32>)
func.func @round_of_sum(%x: memref<19xi32>, %y: memref<7xi32>) {
  %all = memref.alloc() : memref<7x1xi32>
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 * 3 + d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : memref<19xi32>) outs(%all : memref<7x1xi32>) {
  ^bb0(%in: i32, %out: i32):
    %s = arith.muli %in, %in : i32
    linalg.yield %s : i32
  }
  %sum = memref.collapse_shape %all [[0, 1]] : memref<7x1xi32> into memref<7xi32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%sum : memref<7xi32>) outs(%y : memref<7xi32>) {
  ^bb0(%in: i32, %out: i32):
    %s = arith.addi %in, %in : i32
    linalg.yield %s : i32
  }
  memref.dealloc %all : memref<7x1xi32>
  return
}
