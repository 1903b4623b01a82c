// RUN: airlite-opt %s --air-narrow-sums --remarks 2>&1 | FileCheck %s
// CHECK: {{.*}}.mlir:[[@LINE+29]]:3: remark: [air-narrow-sums] its sums stay wide: the matrix unit keeps no sums of i8 of such factors

#rows = affine_map<(i, j) -> (i, j)>

// More than the low bits of the sums is used.
// CHECK-LABEL: func.func @shifted
// CHECK: linalg.matmul {{.*}} outs(%{{.*}} : memref<16x8xi32>)
func.func @shifted(%a: memref<16x32xi8>, %b: memref<32x8xi8>, %c: memref<16x8xi8>) {
  %zero = arith.constant 0 : i32
  %sums = memref.alloc() : memref<16x8xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<16x8xi32>)
  linalg.matmul ins(%a, %b : memref<16x32xi8>, memref<32x8xi8>) outs(%sums : memref<16x8xi32>)
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%sums : memref<16x8xi32>) outs(%c : memref<16x8xi8>) {
  ^bb0(%x: i32, %y: i8):
    %four = arith.constant 4 : i32
    %s = arith.shrsi %x, %four : i32
    %t = arith.trunci %s : i32 to i8
    linalg.yield %t : i8
  }
  memref.dealloc %sums : memref<16x8xi32>
  return
}

// CHECK-LABEL: func.func @shorter
// CHECK: linalg.matmul {{.*}} outs(%{{.*}} : memref<16x8xi32>)
func.func @shorter(%a: memref<16x32xi16>, %b: memref<32x8xi16>, %c: memref<16x8xi8>) {
  %zero = arith.constant 0 : i32
  %sums = memref.alloc() : memref<16x8xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<16x8xi32>)
  linalg.matmul ins(%a, %b : memref<16x32xi16>, memref<32x8xi16>) outs(%sums : memref<16x8xi32>)
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%sums : memref<16x8xi32>) outs(%c : memref<16x8xi8>) {
  ^bb0(%x: i32, %y: i8):
    %t = arith.trunci %x : i32 to i8
    linalg.yield %t : i8
  }
  memref.dealloc %sums : memref<16x8xi32>
  return
}

// A result of the function, all of whose bits count.
// CHECK-LABEL: func.func @kept
// CHECK: linalg.matmul {{.*}} outs(%arg3 : memref<16x8xi32>)
func.func @kept(%a: memref<16x32xi8>, %b: memref<32x8xi8>, %c: memref<16x8xi8>, %sums: memref<16x8xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%sums : memref<16x8xi32>)
  linalg.matmul ins(%a, %b : memref<16x32xi8>, memref<32x8xi8>) outs(%sums : memref<16x8xi32>)
  linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]} ins(%sums : memref<16x8xi32>) outs(%c : memref<16x8xi8>) {
  ^bb0(%x: i32, %y: i8):
    %t = arith.trunci %x : i32 to i8
    linalg.yield %t : i8
  }
  return
}
