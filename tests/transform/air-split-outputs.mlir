// Elementwise ops that move many matrices become one op for each result.
// REQUIRES: !sanitize
// RUN: airlite-opt %s --air-split-outputs | FileCheck %s
// RUN: airlite-opt %s --air-split-outputs --check-each --emit=none

#id = affine_map<(i, j) -> (i, j)>

// The weights come last: they read what both moments have become, and those read nothing that is written before them.
// CHECK-LABEL: @step
// CHECK: ins(%arg0 : memref<512x512xf32>) outs(%arg1 : memref<512x512xf32>)
// CHECK: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: ins(%arg0 : memref<512x512xf32>) outs(%arg2 : memref<512x512xf32>)
// CHECK: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: ins(%arg1, %arg2 : memref<512x512xf32>, memref<512x512xf32>) outs(%arg3 : memref<512x512xf32>)
// CHECK: arith.mulf
// CHECK-NEXT: arith.subf
// CHECK-NEXT: linalg.yield
// CHECK-NOT: linalg.generic
func.func @step(%g: memref<512x512xf32>, %m: memref<512x512xf32>, %v: memref<512x512xf32>, %w: memref<512x512xf32>) {
  linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g : memref<512x512xf32>) outs(%m, %v, %w : memref<512x512xf32>, memref<512x512xf32>, memref<512x512xf32>) {
  ^bb0(%a: f32, %m0: f32, %v0: f32, %w0: f32):
    %m1 = arith.addf %m0, %a : f32
    %a2 = arith.mulf %a, %a : f32
    %v1 = arith.addf %v0, %a2 : f32
    %u = arith.mulf %m1, %v1 : f32
    %w1 = arith.subf %w0, %u : f32
    linalg.yield %m1, %v1, %w1 : f32, f32, f32
  }
  return
}

// The same memory as an input and as an output. The second result reads what the first one was, and comes before it.
// CHECK-LABEL: @order
// CHECK: outs(%arg2 : memref<512x512xf32>)
// CHECK: outs(%arg1 : memref<512x512xf32>)
// CHECK: outs(%arg3 : memref<512x512xf32>)
func.func @order(%g: memref<512x512xf32>, %m: memref<512x512xf32>, %v: memref<512x512xf32>, %w: memref<512x512xf32>) {
  linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %m : memref<512x512xf32>, memref<512x512xf32>) outs(%m, %v, %w : memref<512x512xf32>, memref<512x512xf32>, memref<512x512xf32>) {
  ^bb0(%a: f32, %old: f32, %m0: f32, %v0: f32, %w0: f32):
    %m1 = arith.addf %a, %a : f32
    %v1 = arith.addf %v0, %old : f32
    %w1 = arith.subf %w0, %v1 : f32
    linalg.yield %m1, %v1, %w1 : f32, f32, f32
  }
  return
}

// Each needs what the other one was.
// CHECK-LABEL: @exchange
// CHECK: outs(%arg2, %arg3 :
func.func @exchange(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>, %d: memref<512x512xf32>) {
  linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : memref<512x512xf32>, memref<512x512xf32>) outs(%c, %d : memref<512x512xf32>, memref<512x512xf32>) {
  ^bb0(%x: f32, %y: f32, %c0: f32, %d0: f32):
    %p = arith.addf %x, %d0 : f32
    %q = arith.addf %y, %c0 : f32
    linalg.yield %p, %q : f32, f32
  }
  return
}

// Two results of few matrices stay together, as do those of which each reads all.
// CHECK-LABEL: @few
// CHECK: outs(%arg1, %arg2 :
// CHECK: outs(%arg1, %arg2 :
// CHECK-NOT: linalg.generic
func.func @few(%a: memref<512x512xf32>, %c: memref<512x512xf32>, %d: memref<512x512xf32>, %e: memref<512x512xf32>, %f: memref<512x512xf32>, %g: memref<512x512xf32>) {
  linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<512x512xf32>) outs(%c, %d : memref<512x512xf32>, memref<512x512xf32>) {
  ^bb0(%x: f32, %c0: f32, %d0: f32):
    %p = arith.addf %x, %x : f32
    %q = arith.mulf %x, %x : f32
    linalg.yield %p, %q : f32, f32
  }
  linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %e, %f, %g : memref<512x512xf32>, memref<512x512xf32>, memref<512x512xf32>, memref<512x512xf32>) outs(%c, %d : memref<512x512xf32>, memref<512x512xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %w: f32, %c0: f32, %d0: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.mulf %z, %w : f32
    %r = arith.addf %p, %q : f32
    %s = arith.subf %p, %q : f32
    linalg.yield %r, %s : f32, f32
  }
  return
}
