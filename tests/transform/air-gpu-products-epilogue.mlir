// The elementwise op after a product becomes a part of its kernel, where nobody else needs what the
// product is.
// RUN: airlite-opt %s --air-gpu-products=device=gfx942 | FileCheck %s
// RUN: airlite-opt %s --air-gpu-products=device=gfx942 --check-each --emit=none
#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @bias_relu
// CHECK-NOT: linalg
// CHECK: air.launch
// CHECK: vector.contract
// CHECK: vector.transfer_read %{{.*}} : memref<20xf32>, vector<16xf32>
// CHECK: vector.broadcast %{{.*}} : vector<16xf32> to vector<16x16xf32>
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: vector.transfer_write %{{.*}} : vector<16x16xf32>, memref<30x20xf32>
// CHECK-NOT: linalg
func.func @bias_relu(%a: memref<30x9xf32>, %b: memref<9x20xf32>, %bias: memref<20xf32>, %o: memref<30x20xf32>) {
  %z = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<30x20xf32>
  linalg.fill ins(%z : f32) outs(%c : memref<30x20xf32>)
  linalg.matmul ins(%a, %b : memref<30x9xf32>, memref<9x20xf32>) outs(%c : memref<30x20xf32>)
  linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c, %bias : memref<30x20xf32>, memref<20xf32>) outs(%o : memref<30x20xf32>) {
  ^bb0(%x: f32, %y: f32, %r: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %z : f32
    linalg.yield %m : f32
  }
  memref.dealloc %c : memref<30x20xf32>
  return
}

// In place, a constant between the two.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT: linalg
// CHECK: return
func.func @in_place(%a: memref<16x16xi8>, %b: memref<16x16xi8>, %c: memref<16x16xi32>) {
  linalg.matmul ins(%a, %b : memref<16x16xi8>, memref<16x16xi8>) outs(%c : memref<16x16xi32>)
  %seven = arith.constant 7 : i32
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%c : memref<16x16xi32>) {
  ^bb0(%x: i32):
    %m = arith.muli %x, %seven : i32
    linalg.yield %m : i32
  }
  return
}

// The product itself is a result.
// CHECK-LABEL: func.func @both
// CHECK: linalg.generic
func.func @both(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>, %o: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<16x16xf32>) outs(%o : memref<16x16xf32>) {
  ^bb0(%x: f32, %r: f32):
    %n = arith.negf %x : f32
    linalg.yield %n : f32
  }
  return
}

// A factor is overwritten, which other workgroups still read.
// CHECK-LABEL: func.func @overwrites
// CHECK: linalg.generic
func.func @overwrites(%a: memref<16x16xf32>, %b: memref<16x16xf32>) {
  %z = arith.constant 0.0 : f32
  %c = memref.alloc() : memref<16x16xf32>
  linalg.fill ins(%z : f32) outs(%c : memref<16x16xf32>)
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%c : memref<16x16xf32>) outs(%a : memref<16x16xf32>) {
  ^bb0(%x: f32, %r: f32):
    linalg.yield %x : f32
  }
  memref.dealloc %c : memref<16x16xf32>
  return
}

// A number for each row is no row.
// CHECK-LABEL: func.func @rows
// CHECK: linalg.generic
func.func @rows(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %r: memref<16xf32>, %c: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%r : memref<16xf32>) outs(%c : memref<16x16xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  return
}
