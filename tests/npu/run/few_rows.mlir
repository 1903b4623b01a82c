// Products with fewer rows than the blocks of all cores take: one launch, longer than the matrix, whose last rows in L2 are zeros.
// 49 rows take about as long as 64.
// REQUIRES: !sanitize
// RUN: for f in bytes floats adds followed; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: for f in bytes followed; do airlite-run --on=sim --target=npu2 --compare=interp --init=random:2 --function=$f %s || exit 1; done | FileCheck %s --check-prefix=NPU2
// CHECK: 3 arguments are as in the interpreter, bit by bit
// Floats: the sums are those of the matrix unit.
// CHECK: argument 2, compared with the program before the recipe: 15680 elements, {{.*}}largest difference {{.*}}e-0
// CHECK-COUNT-2: as in the interpreter, bit by bit
// NPU2-COUNT-2: as in the interpreter, bit by bit
// RUN: for f in bytes followed; do airlite-compile --target=npu1 --function=$f --remarks -o %t %s 2>&1 || exit 1; done | FileCheck %s --check-prefix=PLAN
// PLAN: tiled: launch 1x1, herd {{3x4, tile of a core 20x|4x4, tile of a core 16x}}
// PLAN: tiled: launch 1x1, herd {{[0-9]}}x{{[0-9]}}, tile of a core {{36|20|12}}x
func.func @bytes(%a: memref<49x768xi8>, %b: memref<768x512xi8>, %c: memref<49x512xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<49x512xi32>)
  linalg.matmul ins(%a, %b : memref<49x768xi8>, memref<768x512xi8>) outs(%c : memref<49x512xi32>)
  return
}
func.func @floats(%a: memref<49x512xbf16>, %b: memref<512x320xbf16>, %c: memref<49x320xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<49x320xf32>)
  linalg.matmul ins(%a, %b : memref<49x512xbf16>, memref<512x320xbf16>) outs(%c : memref<49x320xf32>)
  return
}
// The sums that are there come in, too.
func.func @adds(%a: memref<33x128xi8>, %b: memref<128x256xi8>, %c: memref<33x256xi32>) {
  linalg.matmul ins(%a, %b : memref<33x128xi8>, memref<128x256xi8>) outs(%c : memref<33x256xi32>)
  return
}
#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @followed(%a: tensor<33x512xi8>, %b: tensor<512x128xi8>, %d: tensor<33x128xi8>, %e: tensor<128xi8>) -> tensor<33x128xi8> {
  %zero = arith.constant 0 : i8
  %0 = tensor.empty() : tensor<33x128xi8>
  %1 = linalg.fill ins(%zero : i8) outs(%0 : tensor<33x128xi8>) -> tensor<33x128xi8>
  %2 = linalg.matmul ins(%a, %b : tensor<33x512xi8>, tensor<512x128xi8>) outs(%1 : tensor<33x128xi8>) -> tensor<33x128xi8>
  %3 = linalg.generic {indexing_maps = [#rows, #rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%2, %d, %e : tensor<33x128xi8>, tensor<33x128xi8>, tensor<128xi8>) outs(%0 : tensor<33x128xi8>) {
  ^bb0(%x: i8, %y: i8, %z: i8, %o: i8):
    %4 = arith.addi %x, %y : i8
    %5 = arith.addi %4, %z : i8
    linalg.yield %5 : i8
  } -> tensor<33x128xi8>
  return %3 : tensor<33x128xi8>
}
