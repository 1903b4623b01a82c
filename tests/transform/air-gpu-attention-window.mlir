// Windows of keys: blocks before the first key and behind the last one of a workgroup's queries are left out.
// REQUIRES: gpu
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942}' | FileCheck %s
// RUN: for f in inside outside; do airlite-run %s --on=interp --function=$f --init=random:1 --output 3=%t.npy || exit 1; \
// RUN:   for d in gfx942,--order=forward gfx1100,--order=reverse; do \
// RUN:     airlite-run %s --target=$(echo $d | tr , ' ') --function=$f --init=random:1 --expect 3=%t.npy --expect-rtol=0.05 --expect-atol=0.05 || exit 1; done; \
// RUN: done

// A select of those inside of the window.
// CHECK-LABEL: func.func @inside
// CHECK: air.herd
// CHECK: %[[FIRST:.*]] = arith.maxsi %{{.*}}, %c0{{[_0-9]*}} : index
// CHECK-NEXT: arith.divui %[[FIRST]]
// CHECK: %[[BEGIN:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to
func.func @inside(%a0: tensor<1x1x70x64xf16>, %a1: tensor<1x1x400x64xf16>, %a2: tensor<1x1x400x64xf16>) -> tensor<1x1x70x64xf16> {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x1x70x400xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<1x1x70x400xf32>) -> tensor<1x1x70x400xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<1x1x70x64xf16>, tensor<1x1x400x64xf16>) outs(%v3 : tensor<1x1x70x400xf32>) {
  ^bb0(%i0: f16, %i1: f16, %o: f32):
    %x = arith.extf %i0 : f16 to f32
    %y = arith.extf %i1 : f16 to f32
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x1x70x400xf32>
  %v5 = arith.constant 0.125 : f32
  %v6 = arith.constant 0xFF800000 : f32
  %v7 = arith.constant 330 : index
  %v8 = arith.constant 64 : index
  %v9 = tensor.empty() : tensor<1x1x70x400xf32>
  %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4 : tensor<1x1x70x400xf32>) outs(%v9 : tensor<1x1x70x400xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %a = arith.mulf %i0, %v5 : f32
    %q = linalg.index 2 : index
    %n = linalg.index 3 : index
    %qq = arith.addi %q, %v7 : index
    %le = arith.cmpi sle, %n, %qq : index
    %lo = arith.subi %qq, %v8 : index
    %gt = arith.cmpi sgt, %n, %lo : index
    %both = arith.andi %le, %gt : i1
    %cm = arith.select %both, %a, %v6 : f32
    linalg.yield %cm : f32
  } -> tensor<1x1x70x400xf32>
  %v11 = tensor.empty() : tensor<1x1x70x400xf32>
  %v12 = linalg.softmax dimension(3) ins(%v10 : tensor<1x1x70x400xf32>) outs(%v11 : tensor<1x1x70x400xf32>) -> tensor<1x1x70x400xf32>
  %v13 = tensor.empty() : tensor<1x1x70x400xf16>
  %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v12 : tensor<1x1x70x400xf32>) outs(%v13 : tensor<1x1x70x400xf16>) {
  ^bb0(%i0: f32, %o: f16):
    %t = arith.truncf %i0 : f32 to f16
    linalg.yield %t : f16
  } -> tensor<1x1x70x400xf16>
  %v15 = tensor.empty() : tensor<1x1x70x64xf32>
  %v16 = linalg.fill ins(%v1 : f32) outs(%v15 : tensor<1x1x70x64xf32>) -> tensor<1x1x70x64xf32>
  %v17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v14, %a2 : tensor<1x1x70x400xf16>, tensor<1x1x400x64xf16>) outs(%v16 : tensor<1x1x70x64xf32>) {
  ^bb0(%i0: f16, %i1: f16, %o: f32):
    %x = arith.extf %i0 : f16 to f32
    %y = arith.extf %i1 : f16 to f32
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x1x70x64xf32>
  %v18 = tensor.empty() : tensor<1x1x70x64xf16>
  %v19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v17 : tensor<1x1x70x64xf32>) outs(%v18 : tensor<1x1x70x64xf16>) {
  ^bb0(%i0: f32, %o: f16):
    %t = arith.truncf %i0 : f32 to f16
    linalg.yield %t : f16
  } -> tensor<1x1x70x64xf16>
  return %v19 : tensor<1x1x70x64xf16>
}

// A select of those outside.
// CHECK-LABEL: func.func @outside
// CHECK: air.herd
// CHECK: %[[FIRST:.*]] = arith.maxsi %{{.*}}, %c0{{[_0-9]*}} : index
// CHECK-NEXT: arith.divui %[[FIRST]]
// CHECK: %[[BEGIN:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to
func.func @outside(%a0: tensor<1x2x300x64xbf16>, %a1: tensor<1x2x300x64xbf16>, %a2: tensor<1x2x300x64xbf16>) -> tensor<1x2x300x64xbf16> {
  %v1 = arith.constant 0.0 : f32
  %v2 = tensor.empty() : tensor<1x2x300x300xf32>
  %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<1x2x300x300xf32>) -> tensor<1x2x300x300xf32>
  %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%a0, %a1 : tensor<1x2x300x64xbf16>, tensor<1x2x300x64xbf16>) outs(%v3 : tensor<1x2x300x300xf32>) {
  ^bb0(%i0: bf16, %i1: bf16, %o: f32):
    %x = arith.extf %i0 : bf16 to f32
    %y = arith.extf %i1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x2x300x300xf32>
  %v5 = arith.constant 0.125 : f32
  %v6 = arith.constant 0xFF800000 : f32
  %v7 = arith.constant 40 : index
  %v8 = tensor.empty() : tensor<1x2x300x300xf32>
  %v9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v4 : tensor<1x2x300x300xf32>) outs(%v8 : tensor<1x2x300x300xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %a = arith.mulf %i0, %v5 : f32
    %q = linalg.index 2 : index
    %n = linalg.index 3 : index
    %cz = arith.constant 0 : index
    %qq = arith.addi %q, %cz : index
    %le = arith.cmpi sgt, %n, %qq : index
    %lo = arith.subi %qq, %v7 : index
    %gt = arith.cmpi sle, %n, %lo : index
    %both = arith.ori %le, %gt : i1
    %cm = arith.select %both, %v6, %a : f32
    linalg.yield %cm : f32
  } -> tensor<1x2x300x300xf32>
  %v10 = tensor.empty() : tensor<1x2x300x300xf32>
  %v11 = linalg.softmax dimension(3) ins(%v9 : tensor<1x2x300x300xf32>) outs(%v10 : tensor<1x2x300x300xf32>) -> tensor<1x2x300x300xf32>
  %v12 = tensor.empty() : tensor<1x2x300x300xbf16>
  %v13 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v11 : tensor<1x2x300x300xf32>) outs(%v12 : tensor<1x2x300x300xbf16>) {
  ^bb0(%i0: f32, %o: bf16):
    %t = arith.truncf %i0 : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1x2x300x300xbf16>
  %v14 = tensor.empty() : tensor<1x2x300x64xf32>
  %v15 = linalg.fill ins(%v1 : f32) outs(%v14 : tensor<1x2x300x64xf32>) -> tensor<1x2x300x64xf32>
  %v16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v13, %a2 : tensor<1x2x300x300xbf16>, tensor<1x2x300x64xbf16>) outs(%v15 : tensor<1x2x300x64xf32>) {
  ^bb0(%i0: bf16, %i1: bf16, %o: f32):
    %x = arith.extf %i0 : bf16 to f32
    %y = arith.extf %i1 : bf16 to f32
    %m = arith.mulf %x, %y : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x2x300x64xf32>
  %v17 = tensor.empty() : tensor<1x2x300x64xbf16>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v16 : tensor<1x2x300x64xf32>) outs(%v17 : tensor<1x2x300x64xbf16>) {
  ^bb0(%i0: f32, %o: bf16):
    %t = arith.truncf %i0 : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1x2x300x64xbf16>
  return %v18 : tensor<1x2x300x64xbf16>
}
