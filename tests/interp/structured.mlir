// linalg, vector, affine, scf and tensors compute the same product.
// RUN: airlite-run %s --on=interp --init=random:3 --function=loops --output 2=%t.npy
// RUN: airlite-run %s --on=interp --init=random:3 --function=named --expect 2=%t.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --init=random:3 --function=affine --expect 2=%t.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --init=random:3 --function=generic --expect 2=%t.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --init=random:3 --function=vectors --expect 2=%t.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --init=random:3 --function=contract --expect 2=%t.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --init=random:3 --function=parallel --schedules=3 --expect 2=%t.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --init=random:3 --function=tensors --expect 3=%t.npy \
// RUN:   | FileCheck %s --check-prefix=TENSOR
// CHECK: argument 2 is as expected in {{.*}}: 32 elements, all with the same bits
// TENSOR: result 0 is as expected in {{.*}}: 32 elements, all with the same bits
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @loops(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %c: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %init = memref.load %c[%i, %j] : memref<4x8xf32>
      %sum = scf.for %k = %c0 to %c6 step %c1 iter_args(%s = %init) -> (f32) {
        %x = memref.load %a[%i, %k] : memref<4x6xf32>
        %y = memref.load %b[%k, %j] : memref<6x8xf32>
        %p = arith.mulf %x, %y : f32
        %n = arith.addf %s, %p : f32
        scf.yield %n : f32
      }
      memref.store %sum, %c[%i, %j] : memref<4x8xf32>
    }
  }
  return
}
func.func @named(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %c: memref<4x8xf32>) {
  linalg.matmul ins(%a, %b : memref<4x6xf32>, memref<6x8xf32>) outs(%c : memref<4x8xf32>)
  return
}
func.func @affine(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %c: memref<4x8xf32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 6 {
        %x = affine.load %a[%i, %k] : memref<4x6xf32>
        %y = affine.load %b[%k, %j] : memref<6x8xf32>
        %s = affine.load %c[%i, %j + 0] : memref<4x8xf32>
        %p = arith.mulf %x, %y : f32
        %n = arith.addf %s, %p : f32
        affine.store %n, %c[%i, %j] : memref<4x8xf32>
      }
    }
  }
  return
}
func.func @generic(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %c: memref<4x8xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c],
                  iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : memref<4x6xf32>, memref<6x8xf32>) outs(%c : memref<4x8xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %n = arith.addf %s, %p : f32
    linalg.yield %n : f32
  }
  return
}
func.func @vectors(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %c: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 4 {
    affine.for %k = 0 to 6 {
      %x = memref.load %a[%i, %k] : memref<4x6xf32>
      %xs = vector.broadcast %x : f32 to vector<8xf32>
      %ys = vector.load %b[%k, %c0] : memref<6x8xf32>, vector<8xf32>
      %s = vector.load %c[%i, %c0] : memref<4x8xf32>, vector<8xf32>
      %p = arith.mulf %xs, %ys : vector<8xf32>
      %n = arith.addf %s, %p : vector<8xf32>
      vector.store %n, %c[%i, %c0] : memref<4x8xf32>, vector<8xf32>
    }
  }
  return
}
func.func @contract(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %c: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %f = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0], %f {in_bounds = [true, true]} : memref<4x6xf32>, vector<4x6xf32>
  %y = vector.transfer_read %b[%c0, %c0], %f {in_bounds = [true, true]} : memref<6x8xf32>, vector<6x8xf32>
  %s = vector.transfer_read %c[%c0, %c0], %f {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
  %n = vector.contract {indexing_maps = [#a, #b, #c],
                        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
      %x, %y, %s : vector<4x6xf32>, vector<6x8xf32> into vector<4x8xf32>
  vector.transfer_write %n, %c[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, memref<4x8xf32>
  return
}
func.func @parallel(%a: memref<4x6xf32>, %b: memref<6x8xf32>, %c: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c8) step (%c1, %c1) {
    scf.for %k = %c0 to %c6 step %c1 {
      %x = memref.load %a[%i, %k] : memref<4x6xf32>
      %y = memref.load %b[%k, %j] : memref<6x8xf32>
      %s = memref.load %c[%i, %j] : memref<4x8xf32>
      %p = arith.mulf %x, %y : f32
      %n = arith.addf %s, %p : f32
      memref.store %n, %c[%i, %j] : memref<4x8xf32>
    }
    scf.reduce
  }
  return
}
func.func @tensors(%a: tensor<4x6xf32>, %b: tensor<6x8xf32>, %c: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x6xf32>, tensor<6x8xf32>) outs(%c : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
