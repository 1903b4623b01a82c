// A bias of columns comes once for all rounds of a launch: each part of it in L2 has locks of its own, and is sent in each
// round, while cores that got theirs go on. In turns, such a plan would hang.
// REQUIRES: !sanitize
// RUN: for f in bytes narrow; do airlite-run --on=sim --compare=interp --init=random:1 --function=$f %s || exit 1; done | FileCheck %s
// RUN: airlite-run --on=sim --target=npu2 --compare=interp --init=random:1 --function=bytes %s
// CHECK-COUNT-2: 4 arguments are as in the interpreter, bit by bit
// RUN: for f in bytes narrow; do airlite-compile --target=npu1 --pipeline='air-npu{herd=4,4 l2-part=12288 product-plan=4,4,16,64,64,2}' --function=$f --remarks -o %t %s 2>&1; done | FileCheck %s --check-prefix=ROUNDS
// ROUNDS-COUNT-2: tiled: {{.*}}tile of a core 16x64x64, rounds
#matrix = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @bytes(%a: memref<128x256xi8>, %b: memref<256x256xi8>, %bias: memref<256xi32>, %c: memref<128x256xi32>) {
  %zero = arith.constant 0 : i32
  %sums = memref.alloc() : memref<128x256xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<128x256xi32>)
  linalg.matmul ins(%a, %b : memref<128x256xi8>, memref<256x256xi8>) outs(%sums : memref<128x256xi32>)
  linalg.generic {indexing_maps = [#matrix, #row, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : memref<128x256xi32>, memref<256xi32>) outs(%c : memref<128x256xi32>) {
  ^bb0(%sum: i32, %add: i32, %out: i32):
    %with = arith.addi %sum, %add : i32
    %positive = arith.maxsi %with, %zero : i32
    linalg.yield %positive : i32
  }
  memref.dealloc %sums : memref<128x256xi32>
  return
}
func.func @narrow(%a: memref<128x256xi8>, %b: memref<256x256xi8>, %bias: memref<256xi32>, %c: memref<128x256xi8>) {
  %zero = arith.constant 0 : i32
  %sums = memref.alloc() : memref<128x256xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<128x256xi32>)
  linalg.matmul ins(%a, %b : memref<128x256xi8>, memref<256x256xi8>) outs(%sums : memref<128x256xi32>)
  linalg.generic {indexing_maps = [#matrix, #row, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : memref<128x256xi32>, memref<256xi32>) outs(%c : memref<128x256xi8>) {
  ^bb0(%sum: i32, %add: i32, %out: i8):
    %with = arith.addi %sum, %add : i32
    %byte = arith.trunci %with : i32 to i8
    linalg.yield %byte : i8
  }
  memref.dealloc %sums : memref<128x256xi32>
  return
}
