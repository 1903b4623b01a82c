// A loop that names its part twice, to read it and to write it.
// RUN: airlite-opt %s --split-input-file --verify-diagnostics --check-each --air-transform=filename=%S/Inputs/air-transform-fuse-parts.mlir | FileCheck %s
// CHECK-LABEL: func.func @twice
// CHECK-NEXT: arith.constant
// CHECK-NEXT: scf.forall
// CHECK: %[[PART:.*]] = memref.subview
// CHECK-NEXT: linalg.fill ins(%{{.*}}) outs(%[[PART]]
// CHECK: linalg.generic
func.func @twice(%m: memref<16xf32>) {
  %zero = arith.constant 1.0 : f32
  linalg.fill ins(%zero : f32) outs(%m : memref<16xf32>)
  scf.forall (%i) in (4) {
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %from = memref.subview %m[%at] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    %to = memref.subview %m[%at] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%from : memref<4xf32, strided<[1], offset: ?>>) outs(%to : memref<4xf32, strided<[1], offset: ?>>) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  }
  return
}

// -----

func.func @two_parts(%m: memref<16xf32>) {
  %zero = arith.constant 1.0 : f32
  linalg.fill ins(%zero : f32) outs(%m : memref<16xf32>)
  scf.forall (%i) in (4) {
    %at = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %next = affine.apply affine_map<(d0) -> (12 - d0 * 4)>(%i)
    // expected-error@+1 {{cannot be fused: it is a second part of the buffer}}
    %from = memref.subview %m[%at] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    %to = memref.subview %m[%next] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    linalg.copy ins(%from : memref<4xf32, strided<[1], offset: ?>>) outs(%to : memref<4xf32, strided<[1], offset: ?>>)
  }
  return
}

// -----

func.func @overlap(%m: memref<10xf32>) {
  %zero = arith.constant 1.0 : f32
  linalg.fill ins(%zero : f32) outs(%m : memref<10xf32>)
  scf.forall (%i) in (3) {
    %at = affine.apply affine_map<(d0) -> (d0 * 3)>(%i)
    // expected-error@+1 {{cannot be fused: the loop may write its part, and parts of rounds overlap}}
    %from = memref.subview %m[%at] [4] [1] : memref<10xf32> to memref<4xf32, strided<[1], offset: ?>>
    %to = memref.subview %m[%at] [4] [1] : memref<10xf32> to memref<4xf32, strided<[1], offset: ?>>
    linalg.copy ins(%from : memref<4xf32, strided<[1], offset: ?>>) outs(%to : memref<4xf32, strided<[1], offset: ?>>)
  }
  return
}
