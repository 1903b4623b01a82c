// RUN: airlite-opt %s --air-linalg-codegen='l2-tile-size=4,4' --verify-diagnostics --remarks
// RUN: airlite-opt %s --air-linalg-codegen='input-filter=sum l1-tile-size=4,4' --remarks 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not airlite-opt %s --air-linalg-codegen='input-filter=sum l1-tile-size=3' 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not airlite-opt %s --air-linalg-codegen='input-filter=sum l1-tile-size=4 l1-size=100' 2>&1 | FileCheck %s --check-prefix=ROOM

func.func @declined(%a: memref<?x8xi32>, %b: memref<8x8xi32>, %c: memref<8xi32>, %d: memref<8xi32>) {
  // expected-remark@+1 {{the size of a loop is not known}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<?x8xi32>) outs(%a : memref<?x8xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  }
  // A transposition in place.
  // expected-remark@+1 {{an input may be the output}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%b : memref<8x8xi32>) outs(%b : memref<8x8xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  }
  // expected-remark@+1 {{its body asks for the indices of its loops}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%b : memref<8x8xi32>) {
  ^bb0(%y: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    linalg.yield %n : i32
  }
  // expected-remark@+1 {{it has fewer loops than there are sizes of a tile}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%c : memref<8xi32>) outs(%d : memref<8xi32>) {
  ^bb0(%x: i32, %y: i32):
    linalg.yield %x : i32
  }
  return
}

func.func @cores(%n: index) {
  air.herd tile (%x, %y) in (%sx = %n, %sy = %n) {
    %m = memref.alloc() : memref<8x8xi32, 2>
    // expected-remark@+1 {{it is in a herd}}
    linalg.matmul ins(%m, %m : memref<8x8xi32, 2>, memref<8x8xi32, 2>) outs(%m : memref<8x8xi32, 2>)
  }
  return
}

// Given tiles that add the inner of two sums in parts.
// ORDER: :[[@LINE+4]]:3: remark: {{.*}}its tiles add numbers in another order
// SIZE: :[[@LINE+3]]:3: error: 'linalg.generic' op not supported: a tile of 3 does not divide the 8 rounds of loop 0
// ROOM: :[[@LINE+2]]:3: error: 'linalg.generic' op does not fit: a tile of L1 takes 132 bytes, and l1-size is 100
func.func @order(%a: memref<8x8xf32>, %c: memref<1xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0)>], iterator_types = ["reduction", "reduction"]} ins(%a : memref<8x8xf32>) outs(%c : memref<1xf32>) attrs = {__internal_linalg_transform__ = "sum"} {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}
