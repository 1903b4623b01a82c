// Attention: two products with a softmax between them are one launch, without memory for scores.
// RUN: airlite-opt %s --air-decompose-softmax --air-gpu-attention=device=gfx942 --remarks 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t
// RUN: airlite-opt %s --air-decompose-softmax --air-gpu-attention=device=gfx942 --air-verify-program --emit=none
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx1100}' --air-verify-program | FileCheck %s --check-prefix=WHOLE
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942 exact=true}' | FileCheck %s --check-prefix=EXACT
// WHOLE-NOT: linalg
// EXACT-NOT: vector.contract
// Later products first.
// WHY: remark: [air-gpu-attention] attention in one kernel: 128 queries of a workgroup of 4 waves, blocks of 64 keys, mfma_f32_16x16x16_f16
// WHY: remark: [air-gpu-attention] attention in one kernel: 128 queries of a workgroup of 4 waves, blocks of 64 keys, mfma_f32_16x16x16_bf16
#id = affine_map<(b, m, n) -> (b, m, n)>

// Named ops, a scale and a causal mask; the last keys of the workgroup end the loop.
// CHECK-LABEL: func.func @causal
// CHECK-NOT: memref.alloc() : memref<2x
// CHECK: air.launch
// CHECK: memref.alloc() : memref<64x{{[0-9]+}}xbf16, 1>
// CHECK: memref.alloc() : memref<64x{{[0-9]+}}xbf16, 1>
// CHECK: air.herd {{.*}}attributes {airlite.spread}
// CHECK: arith.minsi
// CHECK: scf.for
// CHECK: vector.contract {{.*}} vector<16x32xbf16>, vector<16x32xbf16> into vector<16x16xf32>
// CHECK: vector.step
// CHECK: arith.cmpi slt, {{.*}} vector<16x16xi32>
// CHECK: arith.select
// CHECK: vector.multi_reduction <maxnumf>
// CHECK: math.exp2 {{.*}} fastmath<afn>
// CHECK: vector.contract {{.*}} vector<16x16xbf16>, vector<16x16xbf16> into vector<16x16xf32>
// CHECK: scf.yield
// CHECK: arith.divf
// CHECK: vector.transfer_write {{.*}} memref<2x100x64xbf16>
// CHECK-NOT: linalg
// CHECK: return
func.func @causal(%q: memref<2x100x64xbf16>, %k: memref<2x100x64xbf16>, %v: memref<2x100x64xbf16>, %o: memref<2x100x64xbf16>) {
  %z = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %least = arith.constant 0xFF800000 : f32
  %s = memref.alloc() : memref<2x100x100xf32>
  linalg.fill ins(%z : f32) outs(%s : memref<2x100x100xf32>)
  linalg.batch_matmul_transpose_b ins(%q, %k : memref<2x100x64xbf16>, memref<2x100x64xbf16>) outs(%s : memref<2x100x100xf32>)
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%s : memref<2x100x100xf32>) {
  ^bb0(%x: f32):
    %m = linalg.index 1 : index
    %n = linalg.index 2 : index
    %y = arith.mulf %x, %scale : f32
    %c = arith.cmpi ugt, %n, %m : index
    %w = arith.select %c, %least, %y : f32
    linalg.yield %w : f32
  }
  %p = memref.alloc() : memref<2x100x100xf32>
  linalg.softmax dimension(2) ins(%s : memref<2x100x100xf32>) outs(%p : memref<2x100x100xf32>)
  %pb = memref.alloc() : memref<2x100x100xbf16>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%p : memref<2x100x100xf32>) outs(%pb : memref<2x100x100xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %w = arith.truncf %x : f32 to bf16
    linalg.yield %w : bf16
  }
  memref.dealloc %p : memref<2x100x100xf32>
  %of = memref.alloc() : memref<2x100x64xf32>
  linalg.fill ins(%z : f32) outs(%of : memref<2x100x64xf32>)
  linalg.batch_matmul ins(%pb, %v : memref<2x100x100xbf16>, memref<2x100x64xbf16>) outs(%of : memref<2x100x64xf32>)
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%of : memref<2x100x64xf32>) outs(%o : memref<2x100x64xbf16>) {
  ^bb0(%x: f32, %y: bf16):
    %w = arith.truncf %x : f32 to bf16
    linalg.yield %w : bf16
  }
  memref.dealloc %s : memref<2x100x100xf32>
  memref.dealloc %pb : memref<2x100x100xbf16>
  memref.dealloc %of : memref<2x100x64xf32>
  return
}

// Heads as loops of their own, open sizes, a mask of keys, keys and values that heads share, what was there.
// CHECK-LABEL: func.func @heads
// CHECK-SAME: %[[Q:[a-z0-9]*]]: memref<?x?x?x64xf16>
// CHECK-NOT: memref.alloc
// CHECK: air.launch
// CHECK: vector.transfer_read %{{.*}} : memref<?x?xf16>, vector<16xf16>
// CHECK: vector.transfer_read %{{.*}} : memref<?x?x?x64xf32>, vector<16x16xf32>
// CHECK: arith.addf
// CHECK: vector.transfer_write %{{.*}} : vector<16x16xf32>, memref<?x?x?x64xf32>
// CHECK-NOT: linalg
// CHECK: return
func.func @heads(%q: memref<?x?x?x64xf16>, %k: memref<?x?x64xf16>, %v: memref<?x?x64xf16>, %mask: memref<?x?xf16>, %o: memref<?x?x?x64xf32>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %z = arith.constant 0.0 : f16
  %b = memref.dim %q, %i0 : memref<?x?x?x64xf16>
  %h = memref.dim %q, %i1 : memref<?x?x?x64xf16>
  %m = memref.dim %q, %i2 : memref<?x?x?x64xf16>
  %n = memref.dim %k, %i1 : memref<?x?x64xf16>
  %s = memref.alloc(%b, %h, %m, %n) : memref<?x?x?x?xf16>
  linalg.fill ins(%z : f16) outs(%s : memref<?x?x?x?xf16>)
  linalg.generic {indexing_maps = [affine_map<(b, h, m, n, d) -> (b, h, m, d)>, affine_map<(b, h, m, n, d) -> (b, n, d)>, affine_map<(b, h, m, n, d) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : memref<?x?x?x64xf16>, memref<?x?x64xf16>) outs(%s : memref<?x?x?x?xf16>) {
  ^bb0(%x: f16, %y: f16, %t: f16):
    %p = arith.mulf %x, %y : f16
    %r = arith.addf %t, %p : f16
    linalg.yield %r : f16
  }
  linalg.generic {indexing_maps = [affine_map<(b, h, m, n) -> (b, n)>, affine_map<(b, h, m, n) -> (b, h, m, n)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%mask : memref<?x?xf16>) outs(%s : memref<?x?x?x?xf16>) {
  ^bb0(%x: f16, %y: f16):
    %r = arith.addf %x, %y : f16
    linalg.yield %r : f16
  }
  linalg.softmax dimension(3) ins(%s : memref<?x?x?x?xf16>) outs(%s : memref<?x?x?x?xf16>)
  linalg.generic {indexing_maps = [affine_map<(b, h, m, e, n) -> (b, h, m, n)>, affine_map<(b, h, m, e, n) -> (b, n, e)>, affine_map<(b, h, m, e, n) -> (b, m, h, e)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%s, %v : memref<?x?x?x?xf16>, memref<?x?x64xf16>) outs(%o : memref<?x?x?x64xf32>) {
  ^bb0(%x: f16, %y: f16, %t: f32):
    %xw = arith.extf %x : f16 to f32
    %yw = arith.extf %y : f16 to f32
    %p = arith.mulf %xw, %yw : f32
    %r = arith.addf %t, %p : f32
    linalg.yield %r : f32
  }
  memref.dealloc %s : memref<?x?x?x?xf16>
  return
}
