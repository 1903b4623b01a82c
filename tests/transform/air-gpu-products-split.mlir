// A product whose results are too few for the device: its sums are made in parts, and an elementwise op adds them.
// RUN: airlite-opt %s --air-gpu-products=device=gfx942 --remarks 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t
// RUN: airlite-opt %s --air-gpu-products=device=gfx942 --air-verify-program --emit=none
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942 exact=true}' | FileCheck %s --check-prefix=EXACT
// EXACT-NOT: memref.alloc
// EXACT: return

// CHECK-LABEL: func.func @few
// CHECK-SAME: %[[A:[a-z0-9]*]]: memref<32x1024xf16>, %[[B:[a-z0-9]*]]: memref<1024x64xf16>, %[[C:[a-z0-9]*]]: memref<32x64xf32>
// CHECK: %[[PARTS:.*]] = memref.alloc() : memref<4x32x64xf32>
// CHECK: memref.expand_shape %[[A]] {{\[}}[0], [1, 2]] output_shape [32, 4, 256]
// CHECK: memref.expand_shape %[[B]] {{\[}}[0, 1], [2]] output_shape [4, 256, 64]
// CHECK: air.launch
// CHECK: vector.contract
// CHECK-COUNT-4: memref.subview %[[PARTS]]
// CHECK: linalg.generic {{.*}} ins({{.*}}) outs(%[[C]] : memref<32x64xf32>)
// CHECK-COUNT-3: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK: memref.dealloc %[[PARTS]]
// CHECK-NOT: linalg.fill
// CHECK: return
// WHY: remark: [air-gpu-products] sums of 1024 products are made in 4 parts: the results alone are too few for the device
func.func @few(%a: memref<32x1024xf16>, %b: memref<1024x64xf16>, %c: memref<32x64xf32>) {
  %z = arith.constant 0.0 : f32
  linalg.fill ins(%z : f32) outs(%c : memref<32x64xf32>)
  linalg.matmul ins(%a, %b : memref<32x1024xf16>, memref<1024x64xf16>) outs(%c : memref<32x64xf32>)
  return
}

// Results of 16 bits would be rounded in each part; many results are enough.
// CHECK-LABEL: func.func @half
// CHECK-NOT: memref.expand_shape
// CHECK: return
func.func @half(%a: memref<32x1024xf16>, %b: memref<1024x64xf16>, %c: memref<32x64xf16>) {
  linalg.matmul ins(%a, %b : memref<32x1024xf16>, memref<1024x64xf16>) outs(%c : memref<32x64xf16>)
  return
}
// CHECK-LABEL: func.func @many
// CHECK-NOT: memref.expand_shape
// CHECK: return
func.func @many(%a: memref<4096x1024xf16>, %b: memref<1024x4096xf16>, %c: memref<4096x4096xf32>) {
  linalg.matmul ins(%a, %b : memref<4096x1024xf16>, memref<1024x4096xf16>) outs(%c : memref<4096x4096xf32>)
  return
}
