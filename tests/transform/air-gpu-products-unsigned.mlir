// Bytes without a sign are multiplied by matrix instructions: as bytes with a sign, their first bit turned, and the zero point -128.
// REQUIRES: gpu
// RUN: airlite-opt %s --air-gpu-products=device=gfx942 | FileCheck %s
// RUN: for f in both first turned shared open; do \
// RUN:   s=; if [ $f = open ]; then s="--shape 0=37x64 --shape 1=64x45 --shape 2=37x45"; fi; \
// RUN:   airlite-run %s --on=interp --function=$f $s --init=random:1 --output 2=%t.npy || exit 1; \
// RUN:   for d in gfx942,--order=forward gfx90a,--order=reverse gfx1100,--order=random:3 gfx1201,--order=random:4; do \
// RUN:     airlite-run %s --target=$(echo $d | tr , ' ') --function=$f $s --init=random:1 --expect 2=%t.npy || exit 1; done; \
// RUN: done

// CHECK-LABEL: func.func @both
// CHECK: %[[A:.*]] = memref.alloc() : memref<37x64xi8>
// CHECK: arith.xori %{{.*}}, %{{.*}} : i8
// CHECK: %[[B:.*]] = memref.alloc() : memref<64x45xi8>
// CHECK: arith.xori %{{.*}}, %{{.*}} : i8
// CHECK: memref.alloc() : memref<37xi32>
// CHECK: memref.alloc() : memref<45xi32>
// CHECK: vector.contract
func.func @both(%a: memref<37x64xi8>, %b: memref<64x45xi8>, %c: memref<37x45xi32>) {
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : memref<37x64xi8>, memref<64x45xi8>) outs(%c : memref<37x45xi32>)
  return
}

// Only the columns of the other factor are summed up.
// CHECK-LABEL: func.func @first
// CHECK-COUNT-1: arith.xori
// CHECK-NOT: memref<37xi32>
// CHECK: memref.alloc() : memref<45xi32>
// CHECK: vector.contract
func.func @first(%a: memref<37x64xi8>, %b: memref<64x45xi8>, %c: memref<37x45xi32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<37x64xi8>, memref<64x45xi8>) outs(%c : memref<37x45xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extsi %y : i8 to i32
    %2 = arith.muli %1, %0 : i32
    %3 = arith.addi %2, %o : i32
    linalg.yield %3 : i32
  }
  return
}

// A batch, all of it transposed.
// CHECK-LABEL: func.func @turned
// CHECK: vector.contract
func.func @turned(%a: memref<2x64x37xi8>, %b: memref<2x45x64xi8>, %c: memref<2x45x37xi32>) {
  linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, n, m)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<2x64x37xi8>, memref<2x45x64xi8>) outs(%c : memref<2x45x37xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extui %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// All matrices of a batch by the same one.
// CHECK-LABEL: func.func @shared
// CHECK: vector.contract
func.func @shared(%a: memref<3x20x64xi8>, %b: memref<64x45xi8>, %c: memref<3x20x45xi32>) {
  linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : memref<3x20x64xi8>, memref<64x45xi8>) outs(%c : memref<3x20x45xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.extui %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  }
  return
}

// CHECK-LABEL: func.func @open
// CHECK: vector.contract
func.func @open(%a: memref<?x64xi8>, %b: memref<64x?xi8>, %c: memref<?x?xi32>) {
  linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : memref<?x64xi8>, memref<64x?xi8>) outs(%c : memref<?x?xi32>) {
  ^bb0(%x: i8, %y: i8, %o: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extui %y : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %o, %2 : i32
    linalg.yield %3 : i32
  }
  return
}
