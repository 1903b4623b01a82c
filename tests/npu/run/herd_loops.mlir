// What people write by hand in a herd, as loops over elements and as vectors, reaches the matrix unit and the vector unit.
// REQUIRES: !sanitize
// RUN: for f in product uneven deep; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s --check-prefix=FLOATS
// FLOATS-COUNT-6: as in the interpreter, bit by bit
// Both fill L1, and are done in slices: of rows and columns that are not whole tiles, and of the sums.
// RUN: for f in uneven deep; do for t in npu1 npu2; do airlite-compile --remarks --target=$t --function=$f %s -o %t.slices || exit 1; done; done 2>&1 | FileCheck %s --check-prefix=SLICES
// SLICES-NOT: no product of the matrix unit
// SLICES: rounds begin
// SLICES-NOT: no product of the matrix unit
// RUN: for f in whole lanes norm turns; do for t in npu1 npu2; do airlite-run --exact --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-NOT: other bits
// CHECK-COUNT-8: as in the interpreter, bit by bit
// CHECK-NOT: other bits
// RUN: airlite-compile --target=npu1 --remarks --function=lanes %s -o %t.lanes 2>&1 | FileCheck %s --check-prefix=VECTORS
// VECTORS-NOT: not vectorized
// VECTORS: rounds begin {{[0-9]+}} cycles after each other


// A product by three loops, on a part of %b.
func.func @product(%ga: memref<32x32xbf16>, %gb: memref<32x64xbf16>, %gc: memref<32x32xf32>) {
  %one = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%ha = %ga, %hb = %gb, %hc = %gc) : memref<32x32xbf16>, memref<32x64xbf16>, memref<32x32xf32> {
    %zero = arith.constant 0.0 : f32
    %a = memref.alloc() : memref<32x32xbf16, 2>
    %b = memref.alloc() : memref<32x64xbf16, 2>
    %c = memref.alloc() : memref<32x32xf32, 2>
    air.dma_memcpy_nd (%a[] [] [], %ha[] [] []) : (memref<32x32xbf16, 2>, memref<32x32xbf16>)
    air.dma_memcpy_nd (%b[] [] [], %hb[] [] []) : (memref<32x64xbf16, 2>, memref<32x64xbf16>)
    affine.for %i = 0 to 32 {
      affine.for %j = 0 to 32 {
        %sum = affine.for %k = 0 to 32 iter_args(%s = %zero) -> (f32) {
          %x = affine.load %a[%i, %k] : memref<32x32xbf16, 2>
          %y = affine.load %b[%k, %j + 16] : memref<32x64xbf16, 2>
          %xx = arith.extf %x : bf16 to f32
          %yy = arith.extf %y : bf16 to f32
          %p = arith.mulf %xx, %yy : f32
          %t = arith.addf %s, %p : f32
          affine.yield %t : f32
        }
        affine.store %sum, %c[%i, %j] : memref<32x32xf32, 2>
      }
    }
    air.dma_memcpy_nd (%hc[] [] [], %c[] [] []) : (memref<32x32xf32>, memref<32x32xf32, 2>)
  }
  return
}

// Both factors and the sums fill 48 of 64 KiB: tiles of the matrix unit have room for slices of them only.
func.func @whole(%ga: memref<64x64xi32>, %gb: memref<64x64xi32>, %gc: memref<64x64xi32>) {
  %one = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%ha = %ga, %hb = %gb, %hc = %gc) : memref<64x64xi32>, memref<64x64xi32>, memref<64x64xi32> {
    %zero = arith.constant 0 : i32
    %a = memref.alloc() : memref<64x64xi32, 2>
    %b = memref.alloc() : memref<64x64xi32, 2>
    %c = memref.alloc() : memref<64x64xi32, 2>
    air.dma_memcpy_nd (%a[] [] [], %ha[] [] []) : (memref<64x64xi32, 2>, memref<64x64xi32>)
    air.dma_memcpy_nd (%b[] [] [], %hb[] [] []) : (memref<64x64xi32, 2>, memref<64x64xi32>)
    linalg.fill ins(%zero : i32) outs(%c : memref<64x64xi32, 2>)
    linalg.matmul ins(%a, %b : memref<64x64xi32, 2>, memref<64x64xi32, 2>) outs(%c : memref<64x64xi32, 2>)
    air.dma_memcpy_nd (%hc[] [] [], %c[] [] []) : (memref<64x64xi32>, memref<64x64xi32, 2>)
  }
  return
}

// Vectors of eight lanes, which the unit does not have, by views.
func.func @lanes(%gx: memref<4096xi16>, %gy: memref<4096xi16>) {
  %one = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%hx = %gx, %hy = %gy) : memref<4096xi16>, memref<4096xi16> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1024 = arith.constant 1024 : index
    %c4096 = arith.constant 4096 : index
    %zero = arith.constant 0 : i16
    %three = arith.constant dense<3> : vector<8xi16>
    %x = memref.alloc() : memref<1024xi16, 2>
    %y = memref.alloc() : memref<1024xi16, 2>
    scf.for %part = %c0 to %c4096 step %c1024 {
      air.dma_memcpy_nd (%x[] [] [], %hx[%part] [1024] [1]) : (memref<1024xi16, 2>, memref<4096xi16>)
      scf.for %i = %c0 to %c1024 step %c8 {
        %from = memref.subview %x[%i] [8] [1] : memref<1024xi16, 2> to memref<8xi16, strided<[1], offset: ?>, 2>
        %to = memref.subview %y[%i] [8] [1] : memref<1024xi16, 2> to memref<8xi16, strided<[1], offset: ?>, 2>
        %v = vector.transfer_read %from[%c0], %zero : memref<8xi16, strided<[1], offset: ?>, 2>, vector<8xi16>
        %w = arith.muli %v, %three : vector<8xi16>
        %m = arith.maxsi %w, %v : vector<8xi16>
        vector.transfer_write %m, %to[%c0] : vector<8xi16>, memref<8xi16, strided<[1], offset: ?>, 2>
      }
      air.dma_memcpy_nd (%hy[%part] [1024] [1], %y[] [] []) : (memref<4096xi16>, memref<1024xi16, 2>)
    }
  }
  return
}

// Rows divided by the root of their mean square: a vector of sums that the loop carries, its sum, and a scratch vector in between.
func.func @norm(%gx: memref<16x64xf32>, %gy: memref<16x64xf32>) {
  %one = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%hx = %gx, %hy = %gy) : memref<16x64xf32>, memref<16x64xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %few = arith.constant 0.015625 : f32
    %zeros = vector.broadcast %zero : f32 to vector<16xf32>
    %x = memref.alloc() : memref<64xf32, 2>
    %y = memref.alloc() : memref<64xf32, 2>
    %scratch = memref.alloc() : memref<16xf32, 2>
    scf.for %row = %c0 to %c16 step %c1 {
      air.dma_memcpy_nd (%x[] [] [], %hx[%row, 0] [1, 64] [64, 1]) : (memref<64xf32, 2>, memref<16x64xf32>)
      %sums = scf.for %i = %c0 to %c64 step %c16 iter_args(%s = %zeros) -> (vector<16xf32>) {
        %v = vector.load %x[%i] : memref<64xf32, 2>, vector<16xf32>
        %square = arith.mulf %v, %v : vector<16xf32>
        vector.store %square, %scratch[%c0] : memref<16xf32, 2>, vector<16xf32>
        %again = vector.load %scratch[%c0] : memref<16xf32, 2>, vector<16xf32>
        %t = arith.addf %s, %again : vector<16xf32>
        scf.yield %t : vector<16xf32>
      }
      %sum = vector.reduction <add>, %sums : vector<16xf32> into f32
      %mean = arith.mulf %sum, %few : f32
      %root = math.rsqrt %mean : f32
      %factor = vector.broadcast %root : f32 to vector<16xf32>
      scf.for %i = %c0 to %c64 step %c16 {
        %v = vector.load %x[%i] : memref<64xf32, 2>, vector<16xf32>
        %w = arith.mulf %v, %factor : vector<16xf32>
        vector.store %w, %y[%i] : memref<64xf32, 2>, vector<16xf32>
      }
      air.dma_memcpy_nd (%hy[%row, 0] [1, 64] [64, 1], %y[] [] []) : (memref<16x64xf32>, memref<64xf32, 2>)
    }
  }
  return
}

// Rows of one buffer, one for each round of the loop around the transfers: sums and what is divided by them are rows of vectors.
func.func @turns(%gx: memref<8x64xf32>, %gy: memref<8x64xf32>) {
  %one = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%hx = %gx, %hy = %gy) : memref<8x64xf32>, memref<8x64xf32> {
    %zero = arith.constant 0.0 : f32
    %few = arith.constant 0.015625 : f32
    %small = arith.constant 1.0e-5 : f32
    %x = memref.alloc() : memref<8x64xf32, 2>
    %y = memref.alloc() : memref<8x64xf32, 2>
    affine.for %row = 0 to 8 {
      air.dma_memcpy_nd (%x[%row, 0] [1, 64] [64, 1], %hx[%row, 0] [1, 64] [64, 1]) : (memref<8x64xf32, 2>, memref<8x64xf32>)
      %sum = affine.for %i = 0 to 64 iter_args(%s = %zero) -> (f32) {
        %v = affine.load %x[%row, %i] : memref<8x64xf32, 2>
        %w = arith.mulf %v, %v : f32
        %t = arith.addf %s, %w : f32
        affine.yield %t : f32
      }
      affine.for %i = 0 to 64 {
        %v = affine.load %x[%row, %i] : memref<8x64xf32, 2>
        %mean = arith.mulf %sum, %few : f32
        %more = arith.addf %mean, %small : f32
        %root = math.rsqrt %more : f32
        %w = arith.mulf %v, %root : f32
        affine.store %w, %y[%row, %i] : memref<8x64xf32, 2>
      }
      air.dma_memcpy_nd (%hy[%row, 0] [1, 64] [64, 1], %y[%row, 0] [1, 64] [64, 1]) : (memref<8x64xf32>, memref<8x64xf32, 2>)
    }
  }
  return
}

func.func @uneven(%ga: memref<50x70xbf16>, %gb: memref<70x66xbf16>, %gc: memref<50x66xf32>) {
  %one = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%ha = %ga, %hb = %gb, %hc = %gc) : memref<50x70xbf16>, memref<70x66xbf16>, memref<50x66xf32> {
    %zero = arith.constant 0.0 : f32
    %a = memref.alloc() : memref<50x70xbf16, 2>
    %b = memref.alloc() : memref<70x66xbf16, 2>
    %c = memref.alloc() : memref<50x66xf32, 2>
    air.dma_memcpy_nd (%a[] [] [], %ha[] [] []) : (memref<50x70xbf16, 2>, memref<50x70xbf16>)
    air.dma_memcpy_nd (%b[] [] [], %hb[] [] []) : (memref<70x66xbf16, 2>, memref<70x66xbf16>)
    linalg.fill ins(%zero : f32) outs(%c : memref<50x66xf32, 2>)
    linalg.matmul ins(%a, %b : memref<50x70xbf16, 2>, memref<70x66xbf16, 2>) outs(%c : memref<50x66xf32, 2>)
    air.dma_memcpy_nd (%hc[] [] [], %c[] [] []) : (memref<50x66xf32>, memref<50x66xf32, 2>)
  }
  return
}

func.func @deep(%ga: memref<16x512xbf16>, %gb: memref<512x32xbf16>, %gc: memref<16x32xf32>) {
  %one = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%ha = %ga, %hb = %gb, %hc = %gc) : memref<16x512xbf16>, memref<512x32xbf16>, memref<16x32xf32> {
    %zero = arith.constant 0.0 : f32
    %a = memref.alloc() : memref<16x512xbf16, 2>
    %b = memref.alloc() : memref<512x32xbf16, 2>
    %c = memref.alloc() : memref<16x32xf32, 2>
    air.dma_memcpy_nd (%a[] [] [], %ha[] [] []) : (memref<16x512xbf16, 2>, memref<16x512xbf16>)
    air.dma_memcpy_nd (%b[] [] [], %hb[] [] []) : (memref<512x32xbf16, 2>, memref<512x32xbf16>)
    linalg.fill ins(%zero : f32) outs(%c : memref<16x32xf32, 2>)
    linalg.matmul ins(%a, %b : memref<16x512xbf16, 2>, memref<512x32xbf16, 2>) outs(%c : memref<16x32xf32, 2>)
    air.dma_memcpy_nd (%hc[] [] [], %c[] [] []) : (memref<16x32xf32>, memref<16x32xf32, 2>)
  }
  return
}
