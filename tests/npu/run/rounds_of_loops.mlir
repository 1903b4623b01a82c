// Loops that no linalg op says, whose rounds do not need each other: all cores have some of them (air-share-loops). Masks of indices are
// vectors.
// RUN: for f in running butterfly table sort ragged mask divided streamed; do for t in npu1 npu2; do airlite-run --on=sim --target=$t --compare=interp --init=random:1 --function=$f %s || exit 1; done; done | FileCheck %s
// CHECK-COUNT-16: as in the interpreter, bit by bit
// RUN: airlite-compile --target=npu1 --remarks --function=mask %s -o %t.mask 2>&1 | FileCheck %s --check-prefix=MASK
// MASK-NOT: not vectorized

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

// One step of a transform, in place.
func.func @butterfly(%a: memref<48x128xi32>, %b: memref<48x128xi32>) {
  affine.parallel (%i, %j) = (0, 0) to (48, 64) {
    %x = affine.load %a[%i, %j] : memref<48x128xi32>
    %y = affine.load %a[%i, %j + 64] : memref<48x128xi32>
    %v = affine.load %b[%i, %j] : memref<48x128xi32>
    %w = affine.load %b[%i, %j + 64] : memref<48x128xi32>
    %p = arith.addi %x, %v : i32
    %q = arith.subi %y, %w : i32
    affine.store %p, %a[%i, %j] : memref<48x128xi32>
    affine.store %q, %a[%i, %j + 64] : memref<48x128xi32>
    affine.store %q, %b[%i, %j] : memref<48x128xi32>
    affine.store %p, %b[%i, %j + 64] : memref<48x128xi32>
  }
  return
}

// Bytes through a table, in one dimension: a round has 128 of them.
func.func @table(%a: memref<8192xi8>, %t: memref<256xi8>, %b: memref<8192xi8>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 128 {
      %x = affine.load %a[%i * 128 + %j] : memref<8192xi8>
      %u = arith.extui %x : i8 to i32
      %k = arith.index_cast %u : i32 to index
      %y = memref.load %t[%k] : memref<256xi8>
      affine.store %y, %b[%i * 128 + %j] : memref<8192xi8>
    }
  }
  return
}

// Rows one after the other are sorted by insertion, 61 of them.
func.func @sort(%a: memref<61x32xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %c61 = arith.constant 61 : index
  %false = arith.constant false
  scf.for %i = %c0 to %c61 step %c1 {
    scf.for %j = %c1 to %c32 step %c1 {
      %x = memref.load %a[%i, %j] : memref<61x32xi16>
      %end = scf.while (%k = %j) : (index) -> index {
        %isInside = arith.cmpi ugt, %k, %c0 : index
        %goes = scf.if %isInside -> (i1) {
          %before = arith.subi %k, %c1 : index
          %y = memref.load %a[%i, %before] : memref<61x32xi16>
          %isMore = arith.cmpi sgt, %y, %x : i16
          scf.yield %isMore : i1
        } else {
          scf.yield %false : i1
        }
        scf.condition(%goes) %k : index
      } do {
      ^bb0(%k: index):
        %before = arith.subi %k, %c1 : index
        %y = memref.load %a[%i, %before] : memref<61x32xi16>
        memref.store %y, %a[%i, %k] : memref<61x32xi16>
        scf.yield %before : index
      }
      memref.store %x, %a[%i, %end] : memref<61x32xi16>
    }
  }
  return
}

// Every second row from the first on, with a row of its own and as many columns as its number says.
func.func @ragged(%a: memref<81x40xi32>, %b: memref<41x40xi32>) {
  affine.for %i = 1 to 41 {
    %row = memref.alloca() : memref<40xi32>
    affine.for %j = 0 to 40 {
      %x = affine.load %a[%i * 2 - 2, %j] : memref<81x40xi32>
      affine.store %x, %row[-%j + 39] : memref<40xi32>
    }
    affine.for %j = 0 to affine_map<(d0) -> (d0 - 1)>(%i) {
      %x = affine.load %row[%j] : memref<40xi32>
      affine.store %x, %b[%i, %j] : memref<41x40xi32>
    }
  }
  return
}

#id = affine_map<(i, j) -> (i, j)>
func.func @mask(%a: memref<128x256xbf16>, %b: memref<128x256xbf16>) {
  %least = arith.constant 0xFF80 : bf16
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : memref<128x256xbf16>) outs(%b : memref<128x256xbf16>) {
  ^bb0(%x: bf16, %o: bf16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %sees = arith.cmpi ule, %j, %i : index
    %y = arith.select %sees, %x, %least : bf16
    linalg.yield %y : bf16
  }
  return
}

// All elements by one loop.
func.func @divided(%a: memref<64x96xi32>, %b: memref<96xi32>, %c: memref<64x96xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c96 = arith.constant 96 : index
  %n = arith.constant 6144 : index
  scf.parallel (%t) = (%c0) to (%n) step (%c1) {
    %i = arith.divui %t, %c96 : index
    %j = arith.remui %t, %c96 : index
    %x = memref.load %a[%i, %j] : memref<64x96xi32>
    %y = memref.load %b[%j] : memref<96xi32>
    %z = arith.addi %x, %y : i32
    memref.store %z, %c[%i, %j] : memref<64x96xi32>
    scf.reduce
  }
  return
}

// Rounds count in one table, so one core has all of them, and what L1 has no room for comes and goes: more than a core has channels for.
func.func @streamed(%a: memref<128x64xi32>, %t: memref<16xi32>, %b: memref<128x66xi32>) {
  %one = arith.constant 1 : i32
  %most = arith.constant 15 : i32
  affine.for %i = 0 to 128 {
    affine.for %j = 0 to 64 {
      %x = affine.load %a[%i, %j] : memref<128x64xi32>
      %low = arith.andi %x, %most : i32
      %k = arith.index_cast %low : i32 to index
      %n = memref.load %t[%k] : memref<16xi32>
      %m = arith.addi %n, %one : i32
      memref.store %m, %t[%k] : memref<16xi32>
      affine.store %m, %b[%i, %j] : memref<128x66xi32>
    }
  }
  return
}
