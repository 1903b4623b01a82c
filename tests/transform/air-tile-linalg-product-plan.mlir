// A product of matrices gets the plan that is wished, where there is one; and its plans can be listed.
// RUN: airlite-opt %s --air-tile-linalg='l1-bytes=61440 l2-bytes=2097152' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=FREE
// FREE: tiled: {{.*}} herd 4x4, tile of a core {{.*}}
// FREE-NOT: plan
// RUN: airlite-opt %s --air-tile-linalg='l1-bytes=61440 l2-bytes=2097152 product-plan=2,4,32,16,64,1' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=WISHED
// WISHED: tiled: {{.*}} herd 2x4, tile of a core 32x16x64, {{.*}} about
// RUN: airlite-opt %s --air-tile-linalg='l1-bytes=61440 l2-bytes=2097152 product-plan=0,0,0,0,32' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=STEP
// STEP: tiled: {{.*}} tile of a core {{[0-9]+}}x{{[0-9]+}}x32,
// No plan is of this kind: the wish is left out.
// RUN: airlite-opt %s --air-tile-linalg='l1-bytes=61440 l2-bytes=2097152 product-plan=5,5,7,7,7,1' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: airlite-opt %s --air-tile-linalg='l1-bytes=61440 l2-bytes=2097152 list-plans=3' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: tiled:
// LIST: plan [[FIRST:[0-9]+,[0-9]+,[0-9]+,[0-9]+,[0-9]+,[12]$]]
// LIST-NOT: plan [[FIRST]]
// LIST: plan {{[0-9]+,[0-9]+,[0-9]+,[0-9]+,[0-9]+,[12]$}}
// LIST: plan {{[0-9]+,[0-9]+,[0-9]+,[0-9]+,[0-9]+,[12]$}}
// LIST-NOT: plan
// RUN: not airlite-opt %s --air-tile-linalg='product-plan=1,2,3,4,5,6,7' --emit=none 2>&1 | FileCheck %s --check-prefix=LONG
// RUN: not airlite-opt %s --air-tile-linalg='product-plan=-1' --emit=none 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: error: air-tile-linalg: 'product-plan' must be six numbers at most, none negative
// RUN: not airlite-opt %s --air-tile-linalg='list-plans=-1' --emit=none 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: air-tile-linalg: 'list-plans' must not be negative

func.func @main(%a: memref<256x256xi8>, %b: memref<256x256xi8>, %c: memref<256x256xi32>) {
  %z = arith.constant 0 : i32
  linalg.fill ins(%z : i32) outs(%c : memref<256x256xi32>)
  linalg.matmul ins(%a, %b : memref<256x256xi8>, memref<256x256xi8>) outs(%c : memref<256x256xi32>)
  return
}
