// REQUIRES: !sanitize
// RUN: airlite-opt %s --air-tile-linalg='products=true l2-bytes=2097152 matrix-sums=true' --check-each | FileCheck %s
// RUN: airlite-opt %s --air-tile-linalg='products=true l2-bytes=2097152' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: airlite-opt %s --air-tile-linalg='products=true' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=WITHOUT

// Cores do the ops after a product on its tiles: what stands between them never leaves the cores, a row comes
// once for each tile, in whole blocks, and the ops are one.
// REMARK-DAG: tiled: {{.*}}; with 3 ops after it
// REMARK-DAG: the ops after it are not done on its tiles: a core sends two results at most
// WITHOUT: the ops after it are not done on its tiles: no tiles of blocks fit
// CHECK-LABEL: func.func @requantise
// CHECK-NOT: memref<64x64xi32>
// CHECK: scf.parallel
// CHECK: memref.alloc(){{.*}} : memref<{{64|72}}xi32, 1 : i32>
// CHECK: memref.alloc() : memref<{{.*}}xi8, 1 : i32>
// CHECK: scf.parallel
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<[[C:.*]]x4x8xi32, 2 : i32>
// CHECK: linalg.fill {{.*}} outs(%[[SUMS]]
// CHECK: linalg.generic {{.*}} outs(%[[SUMS]]
// CHECK: %[[ROW:.*]] = memref.alloc() : memref<[[N:[0-9]+]]x8xi32, 2 : i32>
// CHECK: linalg.pack {{.*}} into %[[ROW]]
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<[[C]]x4x8xi8, 2 : i32>
// CHECK: %[[BLOCKS:.*]] = memref.alloc() : memref<[[N]]x4x8xi32, 2 : i32>
// CHECK: linalg.generic {{.*}} ins(%[[ROW]] {{.*}} outs(%[[BLOCKS]]
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]], %[[BLOCKS]] {{.*}} outs(%[[OUT]]
// CHECK: arith.addi
// CHECK: arith.maxsi
// CHECK: arith.shrsi
// CHECK: arith.trunci
// CHECK: linalg.unpack %[[OUT]]
// CHECK-NOT: linalg.generic
#row = affine_map<(i, j) -> (j)>
#all = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
func.func @requantise(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %row: memref<64xi32>, %c: memref<64x64xi8>) {
  %zero = arith.constant 0 : i32
  %s = memref.alloc() : memref<64x64xi32>
  %t = memref.alloc() : memref<64x64xi32>
  linalg.fill ins(%zero : i32) outs(%s : memref<64x64xi32>)
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%s : memref<64x64xi32>)
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s, %row : memref<64x64xi32>, memref<64xi32>) outs(%t : memref<64x64xi32>) {
    ^bb0(%x: i32, %y: i32, %o: i32):
      %sum = arith.addi %x, %y : i32
      linalg.yield %sum : i32
  }
  linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%t : memref<64x64xi32>) {
    ^bb0(%o: i32):
      %most = arith.maxsi %o, %zero : i32
      linalg.yield %most : i32
  }
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%t : memref<64x64xi32>) outs(%c : memref<64x64xi8>) {
    ^bb0(%x: i32, %o: i8):
      %seven = arith.constant 7 : i32
      %shifted = arith.shrsi %x, %seven : i32
      %narrow = arith.trunci %shifted : i32 to i8
      linalg.yield %narrow : i8
  }
  memref.dealloc %t : memref<64x64xi32>
  memref.dealloc %s : memref<64x64xi32>
  return
}

// What is of the type of the sums takes their place in the core. What the host needs goes out, too: the sums here.
// CHECK-LABEL: func.func @in_place
// CHECK: linalg.fill {{.*}} outs(%[[SUMS:.*]] : memref<{{.*}}x4x8xi32, 2 : i32>)
// CHECK: linalg.generic {{.*}} outs(%[[SUMS]]
// CHECK: linalg.generic {{.*}} outs(%[[SUMS]]
// CHECK-NEXT: ^bb0(%{{.*}}: i32):
// CHECK: arith.maxsi
// CHECK: linalg.unpack %[[SUMS]]
// CHECK-NOT: linalg.unpack
func.func @in_place(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x64xi32>)
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%c : memref<64x64xi32>)
  linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%c : memref<64x64xi32>) {
    ^bb0(%o: i32):
      %most = arith.maxsi %o, %zero : i32
      linalg.yield %most : i32
  }
  return
}

// CHECK-LABEL: func.func @both
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<{{.*}}x4x8xi32, 2 : i32>
// CHECK: linalg.unpack %[[SUMS]]
// CHECK: linalg.unpack %{{.*}} : memref<{{.*}}xi16, 2 : i32>
func.func @both(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi32>, %d: memref<64x64xi16>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x64xi32>)
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%c : memref<64x64xi32>)
  linalg.generic {indexing_maps = [#all, #turned], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<64x64xi32>) outs(%d : memref<64x64xi16>) {
    ^bb0(%x: i32, %o: i16):
      %narrow = arith.trunci %x : i32 to i16
      linalg.yield %narrow : i16
  }
  return
}

// Narrow sums are those of the matrix unit, rounded once.
// CHECK-LABEL: func.func @narrow
// CHECK: linalg.fill {{.*}} outs(%[[SUMS:.*]] : memref<{{.*}}x4x4xf32, 2 : i32>)
// CHECK: linalg.generic {{.*}} outs(%[[SUMS]] {{.*}} attrs = {air.sum_depth = 8 : i64}
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]]
// CHECK: arith.truncf
func.func @narrow(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>) {
  %zero = arith.constant 0.0 : bf16
  linalg.fill ins(%zero : bf16) outs(%c : memref<64x64xbf16>)
  linalg.matmul ins(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xbf16>)
  return
}

// An op that is no part of it may stand between, unless it uses their memory: then the chain ends before it. So it does
// at an op that needs the results of several cores. Of two results one may come in another order.
// CHECK-LABEL: func.func @between
// CHECK: linalg.fill {{.*}} outs(%arg4
// CHECK: scf.parallel
// CHECK: arith.addi
// CHECK: arith.maxsi
// CHECK: linalg.unpack
// CHECK: linalg.unpack %{{.*}} outer_dims_perm = [1, 0]
// CHECK: linalg.generic {{.*}} ins(%arg2
// CHECK: linalg.generic {{.*}} outs(%arg2
func.func @between(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi32>, %d: memref<64x64xi32>,
                   %other: memref<64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x64xi32>)
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%c : memref<64x64xi32>)
  linalg.fill ins(%zero : i32) outs(%other : memref<64xi32>)
  linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%c : memref<64x64xi32>) {
    ^bb0(%o: i32):
      %most = arith.maxsi %o, %zero : i32
      linalg.yield %most : i32
  }
  linalg.generic {indexing_maps = [#turned, #all], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<64x64xi32>) outs(%d : memref<64x64xi32>) {
    ^bb0(%x: i32, %o: i32):
      linalg.yield %x : i32
  }
  linalg.generic {indexing_maps = [#all, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%c : memref<64x64xi32>) outs(%other : memref<64xi32>) {
    ^bb0(%x: i32, %o: i32):
      %sum = arith.addi %o, %x : i32
      linalg.yield %sum : i32
  }
  linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%c : memref<64x64xi32>) {
    ^bb0(%o: i32):
      %least = arith.minsi %o, %zero : i32
      linalg.yield %least : i32
  }
  return
}

// Sums that begin with a row begin with zero in the core, and the row is added at the end.
// CHECK-LABEL: func.func @bias
// CHECK-NOT: linalg.broadcast
// CHECK: linalg.fill ins(%{{.*}} : i32) outs(%[[SUMS:.*]] : memref<{{.*}}x4x8xi32, 2 : i32>)
// CHECK: linalg.generic {{.*}} outs(%[[SUMS]]
// CHECK: linalg.generic {{.*}} outs(%[[SUMS]]
// CHECK-NEXT: ^bb0(%[[FIRST:.*]]: i32, %[[SUM:.*]]: i32):
// CHECK-NEXT: %[[BOTH:.*]] = arith.addi %[[FIRST]], %[[SUM]]
// CHECK-NEXT: linalg.yield %[[BOTH]]
func.func @bias(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %row: memref<64xi32>, %c: memref<64x64xi32>) {
  linalg.broadcast ins(%row : memref<64xi32>) outs(%c : memref<64x64xi32>) dimensions = [0]
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%c : memref<64x64xi32>)
  return
}

// What is added to a result must not be added twice: tiles do not overlap.
// CHECK-LABEL: func.func @adds_to_result
// CHECK-NOT: air.same_values
// CHECK-LABEL: func.func @three_results
func.func @adds_to_result(%a: memref<128x128xi8>, %b: memref<128x128xi8>, %c: memref<128x128xi32>) {
  %zero = arith.constant 0 : i32
  %s = memref.alloc() : memref<128x128xi32>
  linalg.fill ins(%zero : i32) outs(%s : memref<128x128xi32>)
  linalg.matmul ins(%a, %b : memref<128x128xi8>, memref<128x128xi8>) outs(%s : memref<128x128xi32>)
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%s : memref<128x128xi32>) outs(%c : memref<128x128xi32>) {
    ^bb0(%x: i32, %o: i32):
      %sum = arith.addi %x, %o : i32
      linalg.yield %sum : i32
  }
  return
}

func.func @three_results(%a: memref<64x64xi8>, %b: memref<64x64xi8>, %c: memref<64x64xi32>, %d: memref<64x64xi32>,
                         %e: memref<64x64xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<64x64xi32>)
  linalg.matmul ins(%a, %b : memref<64x64xi8>, memref<64x64xi8>) outs(%c : memref<64x64xi32>)
  linalg.copy ins(%c : memref<64x64xi32>) outs(%d : memref<64x64xi32>)
  linalg.copy ins(%c : memref<64x64xi32>) outs(%e : memref<64x64xi32>)
  return
}
