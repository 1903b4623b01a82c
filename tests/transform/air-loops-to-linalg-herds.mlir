// Loops in herds on memory of cores, of elements and of vectors, become linalg ops there.
// RUN: airlite-opt %s --pass-pipeline='func.func(air-loops-to-linalg{herds=true})' --canonicalize --cse --check-each | FileCheck %s
// RUN: airlite-opt %s --pass-pipeline='func.func(air-loops-to-linalg{herds=true})' --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: airlite-opt %s --air-loops-to-linalg | FileCheck %s --check-prefix=FUNCTIONS

// Without the option, loops in herds stay.
// FUNCTIONS-NOT: linalg

// CHECK-LABEL: func.func @product
// CHECK: air.herd
// CHECK-NOT: scf.for
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : memref<8x16xi32, 2>, memref<16x4xi32, 2>) outs(%{{.*}} : memref<8x4xi32, 2>)
func.func @product() {
  %c1 = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
    %a = memref.alloc() : memref<8x16xi32, 2>
    %b = memref.alloc() : memref<16x4xi32, 2>
    %c = memref.alloc() : memref<8x4xi32, 2>
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 4 {
        affine.for %k = 0 to 16 {
          %x = affine.load %a[%i, %k] : memref<8x16xi32, 2>
          %y = affine.load %b[%k, %j] : memref<16x4xi32, 2>
          %s = affine.load %c[%i, %j] : memref<8x4xi32, 2>
          %p = arith.muli %x, %y : i32
          %t = arith.addi %s, %p : i32
          affine.store %t, %c[%i, %j] : memref<8x4xi32, 2>
        }
      }
    }
  }
  return
}

// Views in the loop are the memory that they are of; vectors are their lanes. The loop around the transfers stays.
// CHECK-LABEL: func.func @vectors
// CHECK: scf.for
// CHECK: air.dma_memcpy_nd
// CHECK-NOT: scf.for
// CHECK-NOT: vector
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%{{.*}} : memref<4x16xbf16, 2>) outs(%{{.*}} : memref<4x16xbf16, 2>)
// CHECK-NEXT: ^bb0(%in: bf16, %out: bf16):
// CHECK-NEXT: math.fma %in, %{{.*}}, %in : bf16
// CHECK-NEXT: linalg.yield
// CHECK: air.dma_memcpy_nd
func.func @vectors(%in: memref<4x64xbf16>, %out: memref<4x64xbf16>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%x = %in, %y = %out) : memref<4x64xbf16>, memref<4x64xbf16> {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : bf16
    %a = memref.alloc() : memref<64xbf16, 2>
    %b = memref.alloc() : memref<64xbf16, 2>
    %two = arith.constant dense<2.0> : vector<16xbf16>
    scf.for %row = %c0 to %c4 step %one {
      air.dma_memcpy_nd (%a[] [] [], %x[%row, %c0] [%one, %c64] [%c64, %one]) : (memref<64xbf16, 2>, memref<4x64xbf16>)
      scf.for %i = %c0 to %c64 step %c16 {
        %part = memref.subview %a[%i] [16] [1] : memref<64xbf16, 2> to memref<16xbf16, strided<[1], offset: ?>, 2>
        %to = memref.subview %b[%i] [16] [1] : memref<64xbf16, 2> to memref<16xbf16, strided<[1], offset: ?>, 2>
        %v = vector.transfer_read %part[%c0], %zero : memref<16xbf16, strided<[1], offset: ?>, 2>, vector<16xbf16>
        %w = vector.fma %v, %two, %v : vector<16xbf16>
        vector.transfer_write %w, %to[%c0] {in_bounds = [true]} : vector<16xbf16>, memref<16xbf16, strided<[1], offset: ?>, 2>
      }
      air.dma_memcpy_nd (%y[%row, %c0] [%one, %c64] [%c64, %one], %b[] [] []) : (memref<4x64xbf16>, memref<64xbf16, 2>)
    }
  }
  return
}

// A vector that the loop carries is memory, a reduction of it a loop over its lanes; what is stored and loaded back at once is neither.
// CHECK-LABEL: func.func @sum
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%{{.*}} : memref<4x16xf32, 2>) outs(%[[LANES:.*]] : memref<16xf32, 2>)
// CHECK: arith.mulf %in, %in
// CHECK: linalg.generic {{.*}}ins(%[[LANES]] : memref<16xf32, 2>)
// CHECK: arith.addf
// CHECK-NOT: vector
// CHECK: return
func.func @sum() {
  %c1 = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %a = memref.alloc() : memref<64xf32, 2>
    %square = memref.alloc() : memref<16xf32, 2>
    %o = memref.alloc() : memref<1xf32, 2>
    %start = arith.constant dense<0.0> : vector<16xf32>
    %r = scf.for %i = %c0 to %c64 step %c16 iter_args(%s = %start) -> (vector<16xf32>) {
      %v = vector.load %a[%i] : memref<64xf32, 2>, vector<16xf32>
      %m = arith.mulf %v, %v : vector<16xf32>
      vector.store %m, %square[%c0] : memref<16xf32, 2>, vector<16xf32>
      %q = vector.load %square[%c0] : memref<16xf32, 2>, vector<16xf32>
      %t = arith.addf %s, %q : vector<16xf32>
      scf.yield %t : vector<16xf32>
    }
    %total = vector.reduction <add>, %r : vector<16xf32> into f32
    memref.store %total, %o[%c0] : memref<1xf32, 2>
  }
  return
}

// Products of tiles are loops of one product, which the matrix unit takes as it lies.
// CHECK-LABEL: func.func @contract
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}} : memref<4x2x4x8xi8, 2>, memref<3x4x8x8xi8, 2>) outs(%{{.*}} : memref<3x2x4x8xi32, 2>)
// CHECK: arith.extsi %in : i8 to i32
// CHECK-NOT: vector
// CHECK: return
func.func @contract() {
  %c1 = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0 : i8
    %none = arith.constant 0 : i32
    %a = memref.alloc() : memref<4x2x4x8xi8, 2>
    %b = memref.alloc() : memref<3x4x8x8xi8, 2>
    %c = memref.alloc() : memref<3x2x4x8xi32, 2>
    affine.for %i = 0 to 2 {
      affine.for %j = 0 to 3 {
        affine.for %k = 0 to 4 {
          %x = vector.transfer_read %a[%k, %i, %c0, %c0], %zero {in_bounds = [true, true, true, true]} : memref<4x2x4x8xi8, 2>, vector<1x1x4x8xi8>
          %y = vector.transfer_read %b[%j, %k, %c0, %c0], %zero {in_bounds = [true, true, true, true]} : memref<3x4x8x8xi8, 2>, vector<1x1x8x8xi8>
          %s = vector.transfer_read %c[%j, %i, %c0, %c0], %none {in_bounds = [true, true, true, true]} : memref<3x2x4x8xi32, 2>, vector<1x1x4x8xi32>
          %t = vector.contract {indexing_maps = [affine_map<(m, n, k, mm, nn, kk) -> (k, m, mm, kk)>, affine_map<(m, n, k, mm, nn, kk) -> (n, k, kk, nn)>, affine_map<(m, n, k, mm, nn, kk) -> (n, m, mm, nn)>], iterator_types = ["parallel", "parallel", "reduction", "parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %s : vector<1x1x4x8xi8>, vector<1x1x8x8xi8> into vector<1x1x4x8xi32>
          vector.transfer_write %t, %c[%j, %i, %c0, %c0] {in_bounds = [true, true, true, true]} : vector<1x1x4x8xi32>, memref<3x2x4x8xi32, 2>
        }
      }
    }
  }
  return
}

// An index that is the same in all rounds, as that of a buffer by turns, or of a core, is a part of the memory.
// CHECK-LABEL: func.func @given
// CHECK: for %[[ROW:.*]] =
// CHECK-NEXT: air.dma_memcpy_nd
// CHECK-NOT: scf.for
// CHECK: memref.subview %{{.*}}[%[[ROW]], 0] [1, 64] [1, 1] : memref<4x64xi32, 2> to memref<1x64xi32, strided<[64, 1], offset: ?>, 2>
// CHECK: linalg.generic {{.*}}outs(%{{.*}} : memref<64xi32, 2>)
func.func @given(%in: memref<4x64xi32>) {
  %c1 = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%x = %in) : memref<4x64xi32> {
    %a = memref.alloc() : memref<4x64xi32, 2>
    %b = memref.alloc() : memref<64xi32, 2>
    affine.for %row = 0 to 4 {
      air.dma_memcpy_nd (%a[%row, 0] [1, 64] [64, 1], %x[%row, 0] [1, 64] [64, 1]) : (memref<4x64xi32, 2>, memref<4x64xi32>)
      affine.for %i = 0 to 64 {
        %v = affine.load %a[%row, %i] : memref<4x64xi32, 2>
        %w = affine.load %b[%i] : memref<64xi32, 2>
        %s = arith.addi %v, %w : i32
        affine.store %s, %b[%i] : memref<64xi32, 2>
      }
    }
  }
  return
}

// What stays: a round uses what the one before stored; elements that are two apart; a load before its memory changes; a transfer that leaves its memory.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: linalg
// REMARK: remark: [air-loops-to-linalg] stays a loop: {{.*}}
// REMARK: remark: [air-loops-to-linalg] stays a loop: no loop goes along a row, so vectors would have no use
// REMARK: remark: [air-loops-to-linalg] stays a loop of vectors: memory changes between a load and where its vector is needed
// REMARK: remark: [air-loops-to-linalg] stays a loop: no view has the elements that it loads
func.func @stays() {
  %c1 = arith.constant 1 : index
  air.herd tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0 : i32
    %a = memref.alloc() : memref<65xi32, 2>
    %b = memref.alloc() : memref<64xi32, 2>
    affine.for %i = 0 to 64 {
      %x = affine.load %a[%i] : memref<65xi32, 2>
      %y = arith.muli %x, %x : i32
      affine.store %y, %a[%i + 1] : memref<65xi32, 2>
    }
    air.wait_all
    affine.for %i = 0 to 32 {
      %x = affine.load %a[2 * %i] : memref<65xi32, 2>
      affine.store %x, %b[2 * %i + 1] : memref<64xi32, 2>
    }
    air.wait_all
    scf.for %i = %c0 to %c64 step %c16 {
      %x = vector.load %b[%i] : memref<64xi32, 2>, vector<16xi32>
      %y = arith.addi %x, %x : vector<16xi32>
      vector.store %y, %b[%i] : memref<64xi32, 2>, vector<16xi32>
      vector.store %x, %a[%i] : memref<65xi32, 2>, vector<16xi32>
    }
    air.wait_all
    scf.for %i = %c0 to %c64 step %c16 {
      %at = arith.addi %i, %one : index
      %further = arith.addi %at, %one : index
      %x = vector.transfer_read %a[%further], %zero : memref<65xi32, 2>, vector<16xi32>
      vector.store %x, %b[%i] : memref<64xi32, 2>, vector<16xi32>
    }
  }
  return
}
