// RUN: airlite-opt %s --pipeline='air-vectorize-reductions{everywhere=true}' | FileCheck %s

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#row1 = affine_map<(i) -> (i)>

// 40 numbers: two rows of lanes, and eight numbers alone. Products need many registers: two rows go
// through one loop, and four rows are joined, so that each has four lanes of the last vector.
// CHECK-LABEL: func.func @squares
// CHECK: %[[SUMS:.*]]:2 = scf.for {{.*}} iter_args(%[[SO_FAR:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (vector<16xf32>, vector<16xf32>)
// CHECK: %[[X:.*]] = vector.load %arg0[%{{.*}}, %{{.*}}] : memref<4x40xf32>, vector<16xf32>
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X]], %[[X]] : vector<16xf32>
// CHECK: %[[NEXT:.*]] = arith.addf %[[SO_FAR]], %[[SQUARE]] : vector<16xf32>
// CHECK: scf.yield %[[NEXT]]
// CHECK: scf.for
// CHECK: vector.shuffle %[[SUMS]]#0, %[[SUMS]]#1 [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30]
// CHECK: vector.shuffle %[[SUMS]]#0, %[[SUMS]]#1 [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31]
// CHECK-COUNT-2: vector.shuffle {{.*}} [0, 2, 4,
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [2, 3, 4,
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [1, 2, 3,
// CHECK: vector.extract %{{.*}}[0] {air.sum_lanes = 16 : i64}
// CHECK: scf.for {{.*}} -> (f32)
// CHECK: arith.mulf %{{.*}} : f32
// CHECK: memref.store
// CHECK: vector.extract %{{.*}}[12] {air.sum_lanes = 16 : i64}
// CHECK-NOT: linalg.generic
func.func @squares(%a: memref<4x40xf32>, %b: memref<4xf32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x40xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.mulf %x, %x : f32
    %r = arith.addf %s, %o : f32
    linalg.yield %r : f32
  }
  return
}

// CHECK-LABEL: func.func @greatest
// CHECK-DAG: arith.constant dense<0xFF800000> : vector<16xf32>
// CHECK-DAG: vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK: arith.maximumf %{{.*}} : vector<16xf32>
func.func @greatest(%a: memref<4x32xbf16>, %b: memref<4xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a, %c : memref<4x32xbf16>, memref<4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: bf16, %y: f32, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %d = arith.subf %w, %y : f32
    %r = arith.maximumf %d, %o : f32
    linalg.yield %r : f32
  }
  return
}

// Eight rows at a time: their results are one vector. The four rows that are left are stored one by
// one; what combines them goes through one loop, four rows at a time have numbers of their own.
// CHECK-LABEL: func.func @differences
// CHECK: scf.for {{.*}} step %c8
// CHECK-COUNT-2: :4 = scf.for {{.*}} iter_args
// CHECK: %[[SUMS:.*]] = vector.extract_strided_slice %{{.*}} {air.sum_lanes = 16 : i64, offsets = [0], sizes = [8], strides = [1]} : vector<16xf32> to vector<8xf32>
// CHECK: %[[OLD:.*]] = vector.load %arg1[%{{.*}}] : memref<12xf32>, vector<8xf32>
// CHECK: %[[NEW:.*]] = arith.addf %[[OLD]], %[[SUMS]] : vector<8xf32>
// CHECK: vector.store %[[NEW]], %arg1
// CHECK: :4 = scf.for {{.*}} iter_args
// CHECK-COUNT-4: memref.store
func.func @differences(%a: memref<12x32xbf16>, %b: memref<12xf32>, %c: memref<12xf32>) {
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a, %c : memref<12x32xbf16>, memref<12xf32>) outs(%b : memref<12xf32>) {
  ^bb0(%x: bf16, %y: f32, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %d = arith.subf %w, %y : f32
    %r = arith.addf %d, %o : f32
    linalg.yield %r : f32
  }
  return
}

// Rows that begin inside of 32 bytes, short rows, columns, and rows of integers stay.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: linalg.generic
func.func @others(%a: memref<4x33xf32>, %b: memref<4x8xf32>, %c: memref<4xf32>, %d: memref<4x32xi32>, %e: memref<4xi32>,
                  %f: memref<32x4xf32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x33xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%b : memref<4x8xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%d : memref<4x32xi32>) outs(%e : memref<4xi32>) {
  ^bb0(%x: i32, %o: i32):
    %r = arith.addi %x, %o : i32
    linalg.yield %r : i32
  }
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, #row], iterator_types = ["parallel", "reduction"]}
      ins(%f : memref<32x4xf32>) outs(%c : memref<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %r = arith.addf %x, %o : f32
    linalg.yield %r : f32
  }
  return
}

// Rows of 60 with room for 64 (air-align-rows): the last vector reads what lies behind a row, which counts as zero.
// CHECK-LABEL: func.func @padded
// CHECK-DAG: %[[NONE:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK-DAG: %[[LAST:.*]] = vector.load %arg0[%{{.*}}, %c48{{.*}}] : memref<8x64xbf16>, vector<16xbf16>
// CHECK: %[[WIDE:.*]] = arith.extf %[[LAST]]
// CHECK: vector.shuffle %[[WIDE]], %{{.*}} [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 28, 29, 30, 31]
// CHECK-NOT: scf.for {{.*}} -> (f32)
// CHECK: return
func.func @padded(%a: memref<8x64xbf16>, %b: memref<8xf32>) {
  %rows = memref.subview %a[0, 0] [8, 60] [1, 1] : memref<8x64xbf16> to memref<8x60xbf16, strided<[64, 1]>>
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%rows : memref<8x60xbf16, strided<[64, 1]>>) outs(%b : memref<8xf32>) {
  ^bb0(%x: bf16, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %r = arith.addf %w, %o : f32
    linalg.yield %r : f32
  }
  return
}

// Extremes of bf16 are found by their bits: one of the greatest and the least of them as integers. Lanes
// are combined as f32.
// CHECK-LABEL: func.func @greatest_bits
// CHECK-DAG: %[[LOW:.*]] = arith.constant dense<-32768> : vector<16xi16>
// CHECK-DAG: %[[HIGH:.*]] = arith.constant dense<32767> : vector<16xi16>
// CHECK: %[[BITS:.*]]:8 = scf.for {{.*}} iter_args(%[[MOST:.*]] = %[[LOW]], %[[LEAST:.*]] = %[[HIGH]],
// CHECK: %[[NEW:.*]] = arith.bitcast %{{.*}} : vector<16xbf16> to vector<16xi16>
// CHECK: arith.maxsi %[[MOST]], %[[NEW]] : vector<16xi16>
// CHECK: arith.minsi %[[LEAST]], %[[NEW]] : vector<16xi16>
// CHECK: %[[POSITIVE:.*]] = arith.cmpi sge, %[[BITS]]#0, %{{.*}} : vector<16xi16>
// CHECK: arith.select %[[POSITIVE]], %[[BITS]]#0, %[[BITS]]#1
// CHECK: arith.maximumf %{{.*}} : vector<16xf32>
func.func @greatest_bits(%a: memref<4x48xbf16>, %b: memref<4xf32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x48xbf16>) outs(%b : memref<4xf32>) {
  ^bb0(%x: bf16, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %r = arith.maximumf %w, %o : f32
    linalg.yield %r : f32
  }
  return
}

// CHECK-LABEL: func.func @least_bits
// CHECK: arith.maxui %{{.*}} : vector<16xi16>
// CHECK: arith.minui %{{.*}} : vector<16xi16>
// CHECK: arith.cmpi slt, %{{.*}} : vector<16xi16>
func.func @least_bits(%a: memref<2x32xbf16>, %b: memref<2xbf16>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<2x32xbf16>) outs(%b : memref<2xbf16>) {
  ^bb0(%x: bf16, %o: bf16):
    %r = arith.minimumf %x, %o : bf16
    linalg.yield %r : bf16
  }
  return
}

// Squares whose sum is read for a root that scales bf16: each is marked, and four rows go through one loop.
// CHECK-LABEL: func.func @norm
// CHECK: :4 = scf.for
// CHECK: arith.mulf %{{.*}} {air.for_rounded_roots} : vector<16xf32>
func.func @norm(%a: memref<4x32xbf16>, %m: memref<4xf32>, %out: memref<4x32xbf16>) {
  %zero = arith.constant 0.0 : f32
  %share = arith.constant 0.03125 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %s = memref.alloc() : memref<4xf32>
  %roots = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<4xf32>)
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a, %m : memref<4x32xbf16>, memref<4xf32>) outs(%s : memref<4xf32>) {
  ^bb0(%x: bf16, %mean: f32, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %d = arith.subf %w, %mean : f32
    %q = arith.mulf %d, %d : f32
    %r = arith.addf %q, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#row1, #row1], iterator_types = ["parallel"]}
      ins(%s : memref<4xf32>) outs(%roots : memref<4xf32>) {
  ^bb0(%q: f32, %o: f32):
    %v = arith.mulf %q, %share : f32
    %u = arith.addf %v, %epsilon : f32
    %k = math.rsqrt %u : f32
    linalg.yield %k : f32
  }
  linalg.generic {indexing_maps = [#both, #row, #row, #both], iterator_types = ["parallel", "parallel"]}
      ins(%a, %m, %roots : memref<4x32xbf16>, memref<4xf32>, memref<4xf32>) outs(%out : memref<4x32xbf16>) {
  ^bb0(%x: bf16, %mean: f32, %k: f32, %o: bf16):
    %w = arith.extf %x : bf16 to f32
    %d = arith.subf %w, %mean : f32
    %g = arith.mulf %d, %k : f32
    %r = arith.truncf %g : f32 to bf16
    linalg.yield %r : bf16
  }
  return
}

// The same with a result of f32, and with a sum that somebody else reads: all of its bits count.
// CHECK-LABEL: func.func @norm_f32
// CHECK-NOT: air.for_rounded_roots
func.func @norm_f32(%a: memref<4x32xbf16>, %m: memref<4xf32>, %out: memref<4x32xf32>, %other: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %s = memref.alloc() : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%zero : f32) outs(%s : memref<4xf32>)
  linalg.fill ins(%zero : f32) outs(%t : memref<4xf32>)
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a, %m : memref<4x32xbf16>, memref<4xf32>) outs(%s : memref<4xf32>) {
  ^bb0(%x: bf16, %mean: f32, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %d = arith.subf %w, %mean : f32
    %q = arith.mulf %d, %d : f32
    %r = arith.addf %q, %o : f32
    linalg.yield %r : f32
  }
  linalg.generic {indexing_maps = [#both, #row, #both], iterator_types = ["parallel", "parallel"]}
      ins(%a, %s : memref<4x32xbf16>, memref<4xf32>) outs(%out : memref<4x32xf32>) {
  ^bb0(%x: bf16, %q: f32, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %k = math.rsqrt %q : f32
    %g = arith.mulf %w, %k : f32
    linalg.yield %g : f32
  }
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a, %m : memref<4x32xbf16>, memref<4xf32>) outs(%t : memref<4xf32>) {
  ^bb0(%x: bf16, %mean: f32, %o: f32):
    %w = arith.extf %x : bf16 to f32
    %d = arith.subf %w, %mean : f32
    %q = arith.mulf %d, %d : f32
    %r = arith.addf %q, %o : f32
    linalg.yield %r : f32
  }
  memref.copy %t, %other : memref<4xf32> to memref<4xf32>
  return
}

// Two results that do not need each other become an op each.
// CHECK-LABEL: func.func @moments
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: linalg.generic
func.func @moments(%a: memref<4x32xf32>, %s: memref<4xf32>, %q: memref<4xf32>) {
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x32xf32>) outs(%s, %q : memref<4xf32>, memref<4xf32>) {
  ^bb0(%x: f32, %so_far: f32, %squares: f32):
    %0 = arith.mulf %x, %x : f32
    %1 = arith.addf %x, %so_far : f32
    %2 = arith.addf %0, %squares : f32
    linalg.yield %1, %2 : f32, f32
  }
  return
}

// One needs the other: both stay.
// CHECK-LABEL: func.func @needs
// CHECK: linalg.generic
func.func @needs(%a: memref<4x32xf32>, %s: memref<4xf32>, %q: memref<4xf32>) {
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : memref<4x32xf32>) outs(%s, %q : memref<4xf32>, memref<4xf32>) {
  ^bb0(%x: f32, %so_far: f32, %squares: f32):
    %1 = arith.addf %x, %so_far : f32
    %2 = arith.addf %1, %squares : f32
    linalg.yield %1, %2 : f32, f32
  }
  return
}
