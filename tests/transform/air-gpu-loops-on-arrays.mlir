// REQUIRES: gpu
// Loops on arrays reach the matrix units and the kernels of rows of a GPU, as linalg ops do.
// RUN: airlite-compile --target=gfx942 --report=kernel %s -o %t 2>&1 | FileCheck %s
// CHECK: kernel product_launch_0
// CHECK: code {{.*}} instructions: {{[0-9]+}} matrix
// CHECK: kernel softmax_launch_0
// CHECK-NOT: kernel
// RUN: airlite-run --on=host --target=gfx942 --function=product --init=random:1 --output 2=%t.npy %s && airlite-run --on=interp --function=product --init=random:1 --expect 2=%t.npy %s
// RUN: airlite-run --on=host --target=gfx1100 --function=product --init=random:1 --output 2=%t.npy %s && airlite-run --on=interp --function=product --init=random:1 --expect 2=%t.npy %s
// RUN: airlite-run --on=host --target=gfx942 --function=softmax --init=random:1 --output 1=%t.npy %s && airlite-run --on=interp --function=softmax --init=random:1 --expect 1=%t.npy --expect-atol=1e-6 %s
func.func @product(%a: memref<128x128xi8>, %b: memref<128x128xi8>, %c: memref<128x128xi32>) {
  %zero = arith.constant 0 : i32
  affine.parallel (%i, %j) = (0, 0) to (128, 128) {
    %all = affine.for %k = 0 to 128 iter_args(%s = %zero) -> i32 {
      %x = affine.load %a[%i, %k] : memref<128x128xi8>
      %y = affine.load %b[%k, %j] : memref<128x128xi8>
      %xx = arith.extsi %x : i8 to i32
      %yy = arith.extsi %y : i8 to i32
      %p = arith.muli %xx, %yy : i32
      %t = arith.addi %s, %p : i32
      affine.yield %t : i32
    }
    affine.store %all, %c[%i, %j] : memref<128x128xi32>
  }
  return
}
func.func @softmax(%x: memref<64x256xf32>, %y: memref<64x256xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 64 {
    %most = affine.for %j = 0 to 256 iter_args(%s = %least) -> f32 {
      %a = affine.load %x[%i, %j] : memref<64x256xf32>
      %t = arith.maximumf %s, %a : f32
      affine.yield %t : f32
    }
    %sum = affine.for %j = 0 to 256 iter_args(%s = %zero) -> f32 {
      %a = affine.load %x[%i, %j] : memref<64x256xf32>
      %d = arith.subf %a, %most : f32
      %e = math.exp %d : f32
      affine.store %e, %y[%i, %j] : memref<64x256xf32>
      %t = arith.addf %s, %e : f32
      affine.yield %t : f32
    }
    affine.for %j = 0 to 256 {
      %e = affine.load %y[%i, %j] : memref<64x256xf32>
      %q = arith.divf %e, %sum : f32
      affine.store %q, %y[%i, %j] : memref<64x256xf32>
    }
  }
  return
}
