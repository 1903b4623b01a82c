// RUN: airlite-opt %s --air-pipeline-reduce='pipeline-depth=2 tile-size=4' --verify-diagnostics --remarks

func.func @sizes(%a: memref<?xi32>, %b: memref<10xi32>, %o: memref<i32>, %n: memref<8x?xi32>, %d: memref<?xi32>, %x: memref<8xi32>) {
  // expected-remark@+1 {{the size of the reduction is not known}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : memref<?xi32>) outs(%o : memref<i32>) {
  ^bb0(%e: i32, %s: i32):
    %0 = arith.addi %e, %s : i32
    linalg.yield %0 : i32
  }
  // expected-remark@+1 {{the reduction is not tile-size * pipeline-depth}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%b : memref<10xi32>) outs(%o : memref<i32>) {
  ^bb0(%e: i32, %s: i32):
    %0 = arith.addi %e, %s : i32
    linalg.yield %0 : i32
  }
  // expected-remark@+1 {{the size of the output is not known}}
  linalg.vecmat ins(%x, %n : memref<8xi32>, memref<8x?xi32>) outs(%d : memref<?xi32>)
  return
}

func.func @shapes(%a: memref<8xi32>, %o: memref<i32>, %m: memref<8x8xi32>, %w: memref<4xi32>, %q: memref<15xi32>) {
  // expected-remark@+1 {{it does not add to its output}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : memref<8xi32>) outs(%o : memref<i32>) {
  ^bb0(%e: i32, %s: i32):
    linalg.yield %e : i32
  }
  // expected-remark@+1 {{it has not one reduction loop}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>], iterator_types = ["reduction", "reduction"]} ins(%m : memref<8x8xi32>) outs(%o : memref<i32>) {
  ^bb0(%e: i32, %s: i32):
    %0 = arith.addi %e, %s : i32
    linalg.yield %0 : i32
  }
  // expected-remark@+1 {{its body asks for the index}}
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : memref<8xi32>) outs(%o : memref<i32>) {
  ^bb0(%e: i32, %s: i32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %0 = arith.addi %k, %s : i32
    linalg.yield %0 : i32
  }
  // expected-remark@+1 {{an input uses the loop in a sum}}
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%q, %a : memref<15xi32>, memref<8xi32>) outs(%a : memref<8xi32>) {
  ^bb0(%e: i32, %f: i32, %s: i32):
    %0 = arith.addi %e, %s : i32
    linalg.yield %0 : i32
  }
  // expected-remark@+1 {{its output is an input}}
  linalg.matvec ins(%m, %a : memref<8x8xi32>, memref<8xi32>) outs(%a : memref<8xi32>)
  return
}

func.func @values(%m: tensor<8x8xi32>, %a: tensor<8xi32>, %o: tensor<8xi32>) -> tensor<8xi32> {
  // expected-remark@+1 {{it has not one output that is a buffer}}
  %r = linalg.matvec ins(%m, %a : tensor<8x8xi32>, tensor<8xi32>) outs(%o : tensor<8xi32>) -> tensor<8xi32>
  return %r : tensor<8xi32>
}

func.func @parallel(%m: memref<8x8xi32>, %a: memref<8xi32>, %o: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    // expected-remark@+1 {{several of it may run at once}}
    linalg.matvec ins(%m, %a : memref<8x8xi32>, memref<8xi32>) outs(%o : memref<8xi32>)
  }
  return
}
