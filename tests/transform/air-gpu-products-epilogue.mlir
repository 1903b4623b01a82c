// Elementwise ops after a product become a part of its kernel, where nobody else needs what lies between.
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

// A number for each row.
// CHECK-LABEL: func.func @rows
// CHECK-NOT: linalg
// CHECK: vector.transfer_read %{{.*}} : memref<16xf32>, vector<16xf32>
// CHECK: vector.transfer_write
// CHECK-NOT: linalg
// CHECK: return
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

// A chain after a batch of products: a bias of columns, an activation, a residual, a conversion. The memory between is
// gone, what was freed between lasts until the launch, and sizes are asked of what stays.
// CHECK-LABEL: func.func @chain
// CHECK-SAME: %[[A:[a-z0-9]*]]: memref<?x32x24xbf16>
// CHECK-NOT: memref.alloc
// CHECK: memref.dim %[[A]]
// CHECK: air.launch
// CHECK: memref.alloc() : {{.*}}, 1>
// CHECK: vector.contract
// CHECK: vector.transfer_read %{{.*}} : memref<40xf32>, vector<16xf32>
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: vector.transfer_read %{{.*}} : memref<?x32x40xbf16>, vector<16x16xbf16>
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK: vector.transfer_write %{{.*}} : vector<16x16xbf16>, memref<?x32x40xbf16>
// CHECK-NOT: linalg
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @chain(%a: memref<?x32x24xbf16>, %b: memref<?x24x40xbf16>, %bias: memref<40xf32>, %res: memref<?x32x40xbf16>, %o: memref<?x32x40xbf16>) {
  %z = arith.constant 0.0 : f32
  %i0 = arith.constant 0 : index
  %n = memref.dim %a, %i0 : memref<?x32x24xbf16>
  %c = memref.alloc(%n) : memref<?x32x40xf32>
  linalg.fill ins(%z : f32) outs(%c : memref<?x32x40xf32>)
  linalg.batch_matmul ins(%a, %b : memref<?x32x24xbf16>, memref<?x24x40xbf16>) outs(%c : memref<?x32x40xf32>)
  %m = memref.dim %c, %i0 : memref<?x32x40xf32>
  %d = memref.alloc(%m) : memref<?x32x40xf32>
  linalg.generic {indexing_maps = [affine_map<(g, i, j) -> (g, i, j)>, affine_map<(g, i, j) -> (j)>, affine_map<(g, i, j) -> (g, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%c, %bias : memref<?x32x40xf32>, memref<40xf32>) outs(%d : memref<?x32x40xf32>) {
  ^bb0(%x: f32, %y: f32, %r: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }
  memref.dealloc %c : memref<?x32x40xf32>
  linalg.generic {indexing_maps = [affine_map<(g, i, j) -> (g, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%d : memref<?x32x40xf32>) {
  ^bb0(%x: f32):
    %s = arith.maximumf %x, %z : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [affine_map<(g, i, j) -> (g, i, j)>, affine_map<(g, i, j) -> (g, i, j)>, affine_map<(g, i, j) -> (g, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%d, %res : memref<?x32x40xf32>, memref<?x32x40xbf16>) outs(%o : memref<?x32x40xbf16>) {
  ^bb0(%x: f32, %y: bf16, %r: bf16):
    %w = arith.extf %y : bf16 to f32
    %s = arith.addf %x, %w : f32
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  }
  memref.dealloc %d : memref<?x32x40xf32>
  return
}

// The chain ends where somebody else needs what is between.
// CHECK-LABEL: func.func @ends
// CHECK: air.launch
// CHECK: arith.negf
// CHECK: linalg.generic
// CHECK: math.absf
// CHECK-NEXT: linalg.yield
func.func @ends(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>, %d: memref<16x16xf32>, %o: memref<16x16xf32>) {
  linalg.matmul ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%c : memref<16x16xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%c : memref<16x16xf32>) {
  ^bb0(%x: f32):
    %n = arith.negf %x : f32
    linalg.yield %n : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : memref<16x16xf32>) outs(%o : memref<16x16xf32>) {
  ^bb0(%x: f32, %r: f32):
    %n = math.absf %x : f32
    linalg.yield %n : f32
  }
  return
}

// What makes a factor is computed when the factor is loaded: weights of bytes with a scale for each column, and a
// conversion. The bytes lie across, and are turned as factors.
// CHECK-LABEL: func.func @weights
// CHECK-NOT: linalg
// CHECK: vector.transfer_read %{{.*}} : memref<64x32xf32>, vector<{{.*}}xf32>
// CHECK: vector.transfer_read %{{.*}} : memref<32x48xi8>, vector<{{.*}}xi8>
// CHECK: arith.truncf {{.*}}xf32> to vector<{{.*}}xf16>
// CHECK: arith.sitofp {{.*}}xi8> to vector<{{.*}}xf32>
// CHECK: vector.transfer_read %{{.*}} : memref<48xf16>, vector<{{.*}}xf16>
// CHECK: arith.mulf
// CHECK: arith.truncf
// CHECK-NEXT: vector.transpose
// CHECK-NEXT: vector.store
// CHECK: vector.contract
// CHECK-NOT: linalg
// CHECK: return
func.func @weights(%a: memref<64x32xf32>, %w: memref<32x48xi8>, %scale: memref<48xf16>, %c: memref<64x48xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%c : memref<64x48xf32>)
  %ah = memref.alloc() : memref<64x32xf16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<64x32xf32>) outs(%ah : memref<64x32xf16>) {
  ^bb0(%x: f32, %r: f16):
    %h = arith.truncf %x : f32 to f16
    linalg.yield %h : f16
  }
  %b = memref.alloc() : memref<32x48xf16>
  linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]} ins(%w, %scale : memref<32x48xi8>, memref<48xf16>) outs(%b : memref<32x48xf16>) {
  ^bb0(%x: i8, %s: f16, %r: f16):
    %h = arith.sitofp %x : i8 to f16
    %p = arith.mulf %h, %s : f16
    linalg.yield %p : f16
  }
  linalg.matmul ins(%ah, %b : memref<64x32xf16>, memref<32x48xf16>) outs(%c : memref<64x48xf32>)
  memref.dealloc %ah : memref<64x32xf16>
  memref.dealloc %b : memref<32x48xf16>
  return
}

// Many workgroups read a factor: it is made once. So is one that does not keep zeros.
// CHECK-LABEL: func.func @many
// CHECK: linalg.generic
// CHECK: air.launch
func.func @many(%a: memref<64x32xf32>, %b: memref<32x4096xf16>, %c: memref<64x4096xf32>) {
  %ah = memref.alloc() : memref<64x32xf16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<64x32xf32>) outs(%ah : memref<64x32xf16>) {
  ^bb0(%x: f32, %r: f16):
    %h = arith.truncf %x : f32 to f16
    linalg.yield %h : f16
  }
  linalg.matmul ins(%ah, %b : memref<64x32xf16>, memref<32x4096xf16>) outs(%c : memref<64x4096xf32>)
  memref.dealloc %ah : memref<64x32xf16>
  return
}

// CHECK-LABEL: func.func @shifted
// CHECK: linalg.generic
// CHECK: air.launch
func.func @shifted(%a: memref<64x32xf16>, %b: memref<32x64xf16>, %c: memref<64x64xf32>) {
  %one = arith.constant 1.0 : f16
  %ah = memref.alloc() : memref<64x32xf16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<64x32xf16>) outs(%ah : memref<64x32xf16>) {
  ^bb0(%x: f16, %r: f16):
    %h = arith.addf %x, %one : f16
    linalg.yield %h : f16
  }
  linalg.matmul ins(%ah, %b : memref<64x32xf16>, memref<32x64xf16>) outs(%c : memref<64x64xf32>)
  memref.dealloc %ah : memref<64x32xf16>
  return
}
