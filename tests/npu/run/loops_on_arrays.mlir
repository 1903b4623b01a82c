// Loops on arrays, as people write them: they get the tiles, cores and the matrix unit of linalg ops. A product is as fast as
// linalg.matmul, a convolution as linalg.conv_2d_nhwc_hwcf, rows of softmax are one launch; what the array has no room for as ops is the
// work of one core.
// RUN: for f in product convolution flat steps scan; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-10: as in the interpreter, bit by bit
// RUN: airlite-run --on=sim --target=npu1 --compare=interp --init=random:1 --function=softmax --stats %s 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS-COUNT-1: {{^[0-9]+}} cycles
// ROWS-NOT: {{^[0-9]+}} cycles
// RUN: airlite-compile --target=npu1 --report=plan --function=product %s -o %t.product 2>&1 | FileCheck %s --check-prefix=PRODUCT
// PRODUCT: tiled: {{.*}}blocks 4x8x8
// RUN: airlite-compile --target=npu1 --remarks --function=scan %s -o %t.scan 2>&1 | FileCheck %s --check-prefix=SCAN
// SCAN: remark: [air-loops-to-linalg] stays a loop: a round uses what another round stores

func.func @product(%a: memref<64x48xi8>, %b: memref<48x64xi8>, %c: memref<64x64xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      affine.store %zero, %c[%i, %j] : memref<64x64xi32>
      affine.for %k = 0 to 48 {
        %x = affine.load %a[%i, %k] : memref<64x48xi8>
        %y = affine.load %b[%k, %j] : memref<48x64xi8>
        %s = affine.load %c[%i, %j] : memref<64x64xi32>
        %xx = arith.extsi %x : i8 to i32
        %yy = arith.extsi %y : i8 to i32
        %p = arith.muli %xx, %yy : i32
        %t = arith.addi %s, %p : i32
        affine.store %t, %c[%i, %j] : memref<64x64xi32>
      }
    }
  }
  return
}

func.func @convolution(%a: memref<10x10x16xi8>, %w: memref<3x3x16x32xi8>, %o: memref<8x8x32xi32>) {
  %zero = arith.constant 0 : i32
  affine.parallel (%i, %j, %f) = (0, 0, 0) to (8, 8, 32) {
    %all = affine.for %p = 0 to 3 iter_args(%s0 = %zero) -> i32 {
      %row = affine.for %q = 0 to 3 iter_args(%s1 = %s0) -> i32 {
        %pixel = affine.for %c = 0 to 16 iter_args(%s2 = %s1) -> i32 {
          %x = affine.load %a[%i + %p, %j + %q, %c] : memref<10x10x16xi8>
          %y = affine.load %w[%p, %q, %c, %f] : memref<3x3x16x32xi8>
          %xx = arith.extsi %x : i8 to i32
          %yy = arith.extsi %y : i8 to i32
          %m = arith.muli %xx, %yy : i32
          %t = arith.addi %s2, %m : i32
          affine.yield %t : i32
        }
        affine.yield %pixel : i32
      }
      affine.yield %row : i32
    }
    affine.store %all, %o[%i, %j, %f] : memref<8x8x32xi32>
  }
  return
}

// Rows one after the other in flat arrays, some of them longer than what is used of them.
func.func @flat(%a: memref<1024xi16>, %b: memref<1280xi16>, %o: memref<1024xi32>) {
  affine.for %i = 0 to 32 {
    affine.for %j = 0 to 32 {
      %x = affine.load %a[%i * 32 + %j] : memref<1024xi16>
      %y = affine.load %b[%j * 40 + %i] : memref<1280xi16>
      %xx = arith.extsi %x : i16 to i32
      %yy = arith.extsi %y : i16 to i32
      %s = arith.muli %xx, %yy : i32
      affine.store %s, %o[%i * 32 + %j] : memref<1024xi32>
    }
  }
  return
}

// The loop around steps stays; each step is on all cores.
func.func @steps(%x: memref<34x34xi32>, %y: memref<34x34xi32>) {
  affine.for %t = 0 to 2 {
    affine.for %i = 1 to 33 {
      affine.for %j = 1 to 33 {
        %n = affine.load %x[%i - 1, %j] : memref<34x34xi32>
        %s = affine.load %x[%i + 1, %j] : memref<34x34xi32>
        %w = affine.load %x[%i, %j - 1] : memref<34x34xi32>
        %e = affine.load %x[%i, %j + 1] : memref<34x34xi32>
        %0 = arith.addi %n, %s : i32
        %1 = arith.addi %w, %e : i32
        %2 = arith.addi %0, %1 : i32
        affine.store %2, %y[%i, %j] : memref<34x34xi32>
      }
    }
    affine.for %i = 1 to 33 {
      affine.for %j = 1 to 33 {
        %v = affine.load %y[%i, %j] : memref<34x34xi32>
        affine.store %v, %x[%i, %j] : memref<34x34xi32>
      }
    }
  }
  return
}

func.func @softmax(%x: memref<16x64xbf16>, %y: memref<16x64xbf16>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 16 {
    %most = affine.for %j = 0 to 64 iter_args(%s = %least) -> f32 {
      %a0 = affine.load %x[%i, %j] : memref<16x64xbf16>
      %a = arith.extf %a0 : bf16 to f32
      %t = arith.maximumf %s, %a : f32
      affine.yield %t : f32
    }
    %sum = affine.for %j = 0 to 64 iter_args(%s = %zero) -> f32 {
      %a0 = affine.load %x[%i, %j] : memref<16x64xbf16>
      %a = arith.extf %a0 : bf16 to f32
      %d = arith.subf %a, %most : f32
      %e = math.exp %d : f32
      %t = arith.addf %s, %e : f32
      affine.yield %t : f32
    }
    affine.for %j = 0 to 64 {
      %a0 = affine.load %x[%i, %j] : memref<16x64xbf16>
      %a = arith.extf %a0 : bf16 to f32
      %d = arith.subf %a, %most : f32
      %e = math.exp %d : f32
      %q = arith.divf %e, %sum : f32
      %r = arith.truncf %q : f32 to bf16
      affine.store %r, %y[%i, %j] : memref<16x64xbf16>
    }
  }
  return
}

// A running sum is the work of one core.
func.func @scan(%x: memref<16x40xi32>, %y: memref<16x40xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 16 {
    %all = affine.for %j = 0 to 40 iter_args(%s = %zero) -> i32 {
      %a = affine.load %x[%i, %j] : memref<16x40xi32>
      %t = arith.addi %a, %s : i32
      affine.store %t, %y[%i, %j] : memref<16x40xi32>
      affine.yield %t : i32
    }
  }
  return
}

// Sums of floats that have no array to add: the comparison is with the program that adds them in the order of the array.
// RUN: airlite-run --on=sim --target=npu1 --compare=interp --init=random:5 --function=constants %s | FileCheck %s --check-prefix=CONSTANTS
// CONSTANTS: 1 arguments are as in the interpreter, bit by bit
func.func @constants(%y: memref<17x8xf32>) {
  %two = arith.constant 2.0 : f32
  affine.for %i = 0 to 17 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 24 {
        %v = affine.load %y[%i, %j] : memref<17x8xf32>
        %s = arith.addf %v, %two : f32
        affine.store %s, %y[%i, %j] : memref<17x8xf32>
      }
    }
  }
  return
}
