// Numbers of rows and columns, and memory of i1, in kernels of rows; the place of the greatest element is a reduction of rows.
// REQUIRES: gpu
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942}' | FileCheck %s
// RUN: for f in argmax,0 lower,1 mask,2 less,1 any,1 turned,1 one_row,0; do \
// RUN:   n=${f%%,*}; r=${f##*,}; o=$(test $r = 0 && echo 1 || echo $r); airlite-run %s --on=interp --function=$n --init=random:1 --output $o=%t.npy || exit 1; \
// RUN:   for d in gfx942,--order=forward gfx90a,--order=reverse gfx1201,--order=random:3; do \
// RUN:     airlite-run %s --target=$(echo $d | tr , ' ') --function=$n --init=random:1 --expect $o=%t.npy || exit 1; done; \
// RUN: done

#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>

// One kernel of rows; places of i64 are looked for as i32.
// CHECK-LABEL: func.func @argmax
// CHECK: air.herd
// CHECK: vector.step
// CHECK: vector.{{.*}}reduction {{.*}}minsi
// CHECK-NOT: linalg.generic
func.func @argmax(%x: tensor<20x100xi32>) -> tensor<20xi64> {
  %least = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<20xi32>
  %k = tensor.empty() : tensor<20xi64>
  %v0 = linalg.fill ins(%least : i32) outs(%e : tensor<20xi32>) -> tensor<20xi32>
  %k0 = linalg.fill ins(%zero : i64) outs(%k : tensor<20xi64>) -> tensor<20xi64>
  %r:2 = linalg.generic {indexing_maps = [#both, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<20x100xi32>) outs(%v0, %k0 : tensor<20xi32>, tensor<20xi64>) {
  ^bb0(%a: i32, %best: i32, %at: i64):
    %j = linalg.index 1 : index
    %place = arith.index_cast %j : index to i64
    %is = arith.cmpi sgt, %a, %best : i32
    %next = arith.select %is, %a, %best : i32
    %where = arith.select %is, %place, %at : i64
    linalg.yield %next, %where : i32, i64
  } -> (tensor<20xi32>, tensor<20xi64>)
  return %r#1 : tensor<20xi64>
}

// No row at all.
// CHECK-LABEL: func.func @one_row
// CHECK: vector.{{.*}}reduction {{.*}}minsi
func.func @one_row(%x: tensor<5000xi32>) -> tensor<i64> {
  %least = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i64
  %e = tensor.empty() : tensor<i32>
  %k = tensor.empty() : tensor<i64>
  %v0 = linalg.fill ins(%least : i32) outs(%e : tensor<i32>) -> tensor<i32>
  %k0 = linalg.fill ins(%zero : i64) outs(%k : tensor<i64>) -> tensor<i64>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>, affine_map<(j) -> ()>, affine_map<(j) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<5000xi32>) outs(%v0, %k0 : tensor<i32>, tensor<i64>) {
  ^bb0(%a: i32, %best: i32, %at: i64):
    %j = linalg.index 0 : index
    %place = arith.index_cast %j : index to i64
    %is = arith.cmpi sgt, %a, %best : i32
    %next = arith.select %is, %a, %best : i32
    %where = arith.select %is, %place, %at : i64
    linalg.yield %next, %where : i32, i64
  } -> (tensor<i32>, tensor<i64>)
  return %r#1 : tensor<i64>
}

// CHECK-LABEL: func.func @lower
// CHECK: vector.step
// CHECK: arith.cmpi sge
func.func @lower(%x: memref<37x37xf16>, %y: memref<37x37xf16>) {
  %z = arith.constant 0.0 : f16
  linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]} ins(%x : memref<37x37xf16>) outs(%y : memref<37x37xf16>) {
  ^bb0(%a: f16, %b: f16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %is = arith.cmpi sge, %i, %j : index
    %r = arith.select %is, %a, %z : f16
    linalg.yield %r : f16
  }
  return
}

// CHECK-LABEL: func.func @mask
// CHECK: vector.transfer_read {{.*}} memref<{{.*}}xi1>
func.func @mask(%m: memref<30x130xi1>, %x: memref<30x130xi32>, %y: memref<30x130xi32>) {
  %z = arith.constant 7 : i32
  linalg.generic {indexing_maps = [#both, #both, #both], iterator_types = ["parallel", "parallel"]} ins(%m, %x : memref<30x130xi1>, memref<30x130xi32>) outs(%y : memref<30x130xi32>) {
  ^bb0(%c: i1, %a: i32, %b: i32):
    %r = arith.select %c, %a, %z : i32
    linalg.yield %r : i32
  }
  return
}

// CHECK-LABEL: func.func @less
// CHECK: vector.transfer_write {{.*}} memref<{{.*}}xi1>
func.func @less(%x: memref<30x130xi32>, %y: memref<30x130xi1>) {
  %z = arith.constant 1 : i32
  linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]} ins(%x : memref<30x130xi32>) outs(%y : memref<30x130xi1>) {
  ^bb0(%a: i32, %b: i1):
    %r = arith.cmpi slt, %a, %z : i32
    linalg.yield %r : i1
  }
  return
}

// CHECK-LABEL: func.func @any
// CHECK: vector.{{.*}}reduction {{.*}}or
func.func @any(%m: memref<30x70xi1>, %y: memref<30xi1>) {
  linalg.generic {indexing_maps = [#both, #row], iterator_types = ["parallel", "reduction"]} ins(%m : memref<30x70xi1>) outs(%y : memref<30xi1>) {
  ^bb0(%a: i1, %b: i1):
    %r = arith.ori %a, %b : i1
    linalg.yield %r : i1
  }
  return
}

// CHECK-LABEL: func.func @turned
// CHECK: memref.alloc() : memref<64x80xi1, 1>
func.func @turned(%m: memref<70x100xi1>, %y: memref<100x70xi1>) {
  linalg.transpose ins(%m : memref<70x100xi1>) outs(%y : memref<100x70xi1>) permutation = [1, 0]
  return
}
