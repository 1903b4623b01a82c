// RUN: airlite-opt %s --air-share-loops='least-cycles=1' | FileCheck %s
// RUN: airlite-opt %s --air-share-loops='least-cycles=1' --check-each --emit=none
// RUN: airlite-opt %s --air-share-loops --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=WHY

// Rows of both matrices go to cores, two at a time; what is stored in all places does not come in first. The loop's variable is what
// it was, the rows of a core are counted from 0.
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 * 32 + d1 + d2 + d3)>
// CHECK-LABEL: func.func @running
// CHECK: memref.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [2, 32, 256]
// CHECK: scf.parallel
// CHECK: %[[L2:.*]] = memref.alloc() : memref<2x8x256xi32, 1 : i32>
// CHECK: memref.copy %{{.*}}, %[[L2]]
// CHECK-NOT: memref.copy
// CHECK: scf.parallel (%[[X:.*]], %[[Y:.*]]) =
// CHECK: %[[IN:.*]] = memref.alloc() : memref<2x256xi32, 2 : i32>
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<2x256xi32, 2 : i32>
// CHECK: memref.copy %{{.*}}, %[[IN]]
// CHECK-NOT: memref.copy
// CHECK: scf.for %[[K:.*]] =
// CHECK: affine.apply #[[ROW]](%[[X]], %{{.*}}, %[[Y]], %[[K]])
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}(%[[K]])
// CHECK: memref.load %[[IN]][%[[AT]],
// CHECK: memref.store %{{.*}}, %[[OUT]][
// CHECK: memref.copy %[[OUT]],
func.func @running(%a: memref<64x256xi32>, %b: memref<64x256xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 64 {
    %all = affine.for %j = 0 to 256 iter_args(%s = %zero) -> (i32) {
      %x = affine.load %a[%i, %j] : memref<64x256xi32>
      %t = arith.addi %s, %x : i32
      affine.store %t, %b[%i, %j] : memref<64x256xi32>
      affine.yield %t : i32
    }
  }
  return
}

// Tables come as a whole, rows in place have two buffers in L2. The first and the last rows of the matrix stay where they are.
// CHECK-LABEL: func.func @table
// CHECK: memref.subview %{{.*}}[1, 0] [8, 64] [1, 1]
// CHECK: memref.alloc() : memref<{{[0-9]+}}x{{[0-9]+}}x64xi8, 1 : i32>
// CHECK: memref.alloc() : memref<{{[0-9]+}}x{{[0-9]+}}x64xi8, 1 : i32>
// CHECK: memref.alloc() : memref<256xi8, 1 : i32>
// CHECK: memref.alloc() : memref<256xi8, 2 : i32>
func.func @table(%a: memref<10x64xi8>, %t: memref<256xi8>) {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.parallel (%i) = (%c1) to (%c9) step (%c1) {
    affine.for %j = 0 to 64 {
      %x = memref.load %a[%i, %j] : memref<10x64xi8>
      %u = arith.extui %x : i8 to i32
      %k = arith.index_cast %u : i32 to index
      %y = memref.load %t[%k] : memref<256xi8>
      memref.store %y, %a[%i, %j] : memref<10x64xi8>
    }
    scf.reduce
  }
  return
}

// Memory of a round is in L1; every second row of what is read, which has a part of two.
// CHECK-LABEL: func.func @scratch
// CHECK: memref.expand_shape {{.*}} output_shape [{{.*}}, 64] : memref<16x64xi16>
// CHECK: memref.alloc() : memref<64xi16, 2 : i32>
func.func @scratch(%a: memref<16x64xi16>, %b: memref<8x64xi16>) {
  affine.for %i = 0 to 8 {
    %row = memref.alloca() : memref<64xi16>
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i * 2, %j] : memref<16x64xi16>
      affine.store %x, %row[%j] : memref<64xi16>
    }
    affine.for %j = 0 to 64 {
      %x = affine.load %row[-%j + 63] : memref<64xi16>
      affine.store %x, %b[%i, %j] : memref<8x64xi16>
    }
  }
  return
}

// Rounds that need each other are streamed through one core where L1 has no room for all: counts stay, rows come and go.
// CHECK-LABEL: func.func @histogram
// CHECK: scf.parallel
// CHECK: scf.parallel
// CHECK: %[[COUNTS:.*]] = memref.alloc() : memref<256xi32, 2 : i32>
// CHECK: memref.copy %arg1, %[[COUNTS]]
// CHECK: scf.for {{.*}} step %c64
// CHECK: %[[ROWS:.*]] = memref.alloc() : memref<64x256xi8, 2 : i32>
// CHECK: memref.copy %{{.*}}, %[[ROWS]]
// CHECK: memref.store %{{.*}}, %[[COUNTS]][
// CHECK: memref.copy %[[COUNTS]], %arg1
func.func @histogram(%a: memref<256x256xi8>, %h: memref<256xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 256 {
    affine.for %j = 0 to 256 {
      %x = affine.load %a[%i, %j] : memref<256x256xi8>
      %u = arith.extui %x : i8 to i32
      %k = arith.index_cast %u : i32 to index
      %o = memref.load %h[%k] : memref<256xi32>
      %s = arith.addi %o, %one : i32
      memref.store %s, %h[%k] : memref<256xi32>
    }
  }
  return
}

// What is carried from round to round goes through both loops of a stream.
// CHECK-LABEL: func.func @long
// CHECK: %[[ALL:.*]] = scf.for {{.*}} iter_args(%[[SO:.*]] = %c0_i32)
// CHECK: %[[PART:.*]] = scf.for {{.*}} iter_args(%[[FAR:.*]] = %[[SO]])
// CHECK: arith.addi %[[FAR]]
// CHECK: scf.yield %[[PART]]
func.func @long(%a: memref<65536xi32>, %b: memref<65536xi32>) {
  %zero = arith.constant 0 : i32
  %all = affine.for %i = 0 to 65536 iter_args(%s = %zero) -> (i32) {
    %x = affine.load %a[%i] : memref<65536xi32>
    %t = arith.addi %s, %x : i32
    affine.store %t, %b[%i] : memref<65536xi32>
    affine.yield %t : i32
  }
  return
}

// Loops that may have no round store nothing: what was there comes in.
// CHECK-LABEL: func.func @sometimes
// CHECK-COUNT-4: memref.copy
func.func @sometimes(%a: memref<16x64xi32>, %b: memref<16x64xi32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 64 {
      affine.for %k = 0 to affine_map<(d0) -> (d0 - 3)>(%i) {
        %x = affine.load %a[%i, %j] : memref<16x64xi32>
        affine.store %x, %b[%i, %j] : memref<16x64xi32>
      }
    }
  }
  return
}

// Rows need each other, columns do not: a core has some of these, for all rows.
// CHECK-LABEL: func.func @down
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) = (%c0{{.*}}, %c0{{.*}}) to (%[[COLUMNS:.*]], %[[ROUNDS:.*]]) step
// CHECK: memref.copy
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c63
// CHECK: scf.for %[[J:.*]] = %c0
// CHECK: memref.load
// CHECK-NOT: scf.for
// CHECK: memref.store
func.func @down(%a: memref<64x64xi32>) {
  affine.for %i = 1 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i - 1, %j] : memref<64x64xi32>
      %y = affine.load %a[%i, %j] : memref<64x64xi32>
      %z = arith.addi %x, %y : i32
      affine.store %z, %a[%i, %j] : memref<64x64xi32>
    }
  }
  return
}

// Elements that no round has for itself, parts that begin inside of words.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: scf.parallel
// WHY: remark: [air-share-loops] is not shared out: rounds store to the same elements, load what others store, or carry values on
// WHY: remark: [air-share-loops] is not shared out: rounds store to the same elements, load what others store, or carry values on
// WHY: remark: [air-share-loops] is not shared out: parts of buffers are no whole words
// WHY: remark: [air-share-loops] is not shared out: its bounds are not constant, or its results are used
func.func @stays(%a: memref<64x64xi32>, %h: memref<256xi32>, %b: memref<7x4099xi8>, %n: index) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i, %j] : memref<64x64xi32>
      %y = affine.load %h[%i + %j] : memref<256xi32>
      %z = arith.addi %x, %y : i32
      affine.store %z, %h[%i + %j] : memref<256xi32>
    }
  }
  affine.for %i = 1 to 63 {
    affine.for %j = 1 to 64 {
      %x = affine.load %a[%i - 1, %j - 1] : memref<64x64xi32>
      affine.store %x, %a[%i, %j] : memref<64x64xi32>
    }
  }
  affine.for %i = 0 to 7 {
    affine.for %j = 1 to 4099 {
      %x = affine.load %b[%i, %j - 1] : memref<7x4099xi8>
      affine.store %x, %b[%i, %j] : memref<7x4099xi8>
    }
  }
  affine.for %i = 0 to %n {
    affine.store %zero, %h[%i] : memref<256xi32>
  }
  return
}

// WHY: remark: [air-share-loops] is not shared out: one core is as fast
// CHECK-LABEL: func.func @short
func.func @short(%h: memref<4xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 4 {
    affine.store %one, %h[%i] : memref<4xi32>
  }
  return
}
