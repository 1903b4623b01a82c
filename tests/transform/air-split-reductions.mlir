// What rows are reduced of is computed first where it needs indices, integers or functions.
// RUN: airlite-opt %s --air-split-reductions | FileCheck %s
// RUN: airlite-opt %s --air-split-reductions --check-each --emit=none

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// CHECK-LABEL: @chosen
// CHECK: %[[NUMBERS:.*]] = memref.alloc() : memref<64x96xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : {{.*}}) outs(%[[NUMBERS]] :
// CHECK: linalg.index 1
// CHECK: arith.select
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%[[NUMBERS]] : {{.*}}) outs(%arg2 :
// CHECK: arith.addf
// CHECK-NEXT: linalg.yield
func.func @chosen(%x: memref<64x96xf32>, %t: memref<64xi32>, %p: memref<64xf32>) {
  linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %t : memref<64x96xf32>, memref<64xi32>) outs(%p : memref<64xf32>) {
  ^bb0(%a: f32, %b: i32, %c: f32):
    %j = linalg.index 1 : index
    %w = arith.index_cast %j : index to i32
    %is = arith.cmpi eq, %w, %b : i32
    %zero = arith.constant 0.0 : f32
    %v = arith.select %is, %a, %zero : f32
    %q = arith.addf %v, %c : f32
    linalg.yield %q : f32
  }
  return
}

// CHECK-LABEL: @exponentials
// CHECK: memref.alloc() : memref<64x96xbf16>
// CHECK: math.exp
// CHECK: linalg.generic
// CHECK: arith.maximumf
func.func @exponentials(%x: memref<64x96xbf16>, %p: memref<64xbf16>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x96xbf16>) outs(%p : memref<64xbf16>) {
  ^bb0(%a: bf16, %c: bf16):
    %e = math.exp %a : bf16
    %q = arith.maximumf %c, %e : bf16
    linalg.yield %q : bf16
  }
  return
}

// Squares, and few rows, stay.
// CHECK-LABEL: @stays
// CHECK-NOT: memref.alloc
// CHECK-COUNT-2: linalg.generic
// CHECK-NOT: linalg.generic
func.func @stays(%x: memref<64x96xf32>, %p: memref<64xf32>, %y: memref<8x24xf32>, %q: memref<8xf32>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<64x96xf32>) outs(%p : memref<64xf32>) {
  ^bb0(%a: f32, %c: f32):
    %e = arith.mulf %a, %a : f32
    %f = math.absf %e : f32
    %s = arith.addf %f, %c : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]}
      ins(%y : memref<8x24xf32>) outs(%q : memref<8xf32>) {
  ^bb0(%a: f32, %c: f32):
    %e = math.exp %a : f32
    %s = arith.addf %e, %c : f32
    linalg.yield %s : f32
  }
  return
}
