// Accesses that leave their memory are errors; so are none that do not, whatever decides about them.
// RUN: airlite-opt %s --air-verify-program --emit=none --verify-diagnostics --split-input-file
// RUN: airlite-opt %s --air-verify-program=bounds=false --emit=none --split-input-file
// RUN: not airlite-opt %s --air-verify-program=unproved-bounds=true --emit=none --split-input-file --remarks 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: remark: {{.*}}not all verified: that it stays inside of its memory cannot be shown

// The last iteration of a loop over tiles.
func.func @loop(%m: memref<64xf32>, %f: f32) {
  // expected-note@-1 {{the memory is this one: 'memref<64xf32>'}}
  // expected-note@+1 {{it is 1 too far: end the counting earlier, or make the memory larger (to 65)}}
  affine.for %i = 0 to 17 {
    // expected-error@+1 {{'affine.store' in iteration 16 of 'affine.for' writes index 64 of dimension 0 of %arg0, whose shape is [64]}}
    affine.store %f, %m[%i * 4] : memref<64xf32>
  }
  return
}

// -----

// The vector of the last round, in a function that is called.
// expected-note@+1 {{the memory is this one}}
func.func private @store(%m: memref<30xf32>, %at: index, %v: vector<8xf32>) {
  // expected-error@+1 {{'vector.store' in iteration 24 of 'scf.for' writes indices 24 to 31 of dimension 0 of %arg0, whose shape is [30]}}
  vector.store %v, %m[%at] : memref<30xf32>, vector<8xf32>
  return
}
func.func @call(%m: memref<30xf32>, %v: vector<8xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  // expected-note@+1 {{it is 2 too far}}
  scf.for %i = %c0 to %c32 step %c8 {
    // expected-note@+1 {{it is called here}}
    func.call @store(%m, %i, %v) : (memref<30xf32>, index, vector<8xf32>) -> ()
  }
  return
}

// -----

// Each core its own rows: the tail is shorter by affine.min, conditions keep the rest out.
#tail = affine_map<(d0) -> (32, 100 - d0)>
func.func @right(%in: memref<100xf32>) {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.herd @cores tile (%x, %y) in (%sx = %c4, %sy = %c1) args(%a = %in) : memref<100xf32> {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c32 = arith.constant 32 : index
    %m = memref.alloc() : memref<32xf32, 2>
    %at = arith.muli %x, %c32 : index
    %size = affine.min #tail(%at)
    air.dma_memcpy_nd (%m[%c0] [%size] [%one], %a[%at] [%size] [%one])
        : (memref<32xf32, 2>, memref<100xf32>)
    %isLast = arith.cmpi eq, %x, %c3 : index
    scf.if %isLast {
    } else {
      %next = arith.addi %at, %c32 : index
      %f = memref.load %m[%x] : memref<32xf32, 2>
      memref.store %f, %m[%c3] : memref<32xf32, 2>
      air.dma_memcpy_nd (%m[%c0] [%c3] [%one], %a[%next] [%c3] [%one])
          : (memref<32xf32, 2>, memref<100xf32>)
    }
  }
  return
}

// -----

// What data or arguments decide is not an error.
func.func @data(%m: memref<32xf32>, %table: memref<8xindex>, %n: index, %flags: memref<40xi1>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  scf.for %i = %c0 to %n step %one {
    %j = memref.load %table[%i] : memref<8xindex>
    %f = memref.load %m[%j] : memref<32xf32>
    memref.store %f, %m[%i] : memref<32xf32>
  }
  scf.for %i = %c0 to %c40 step %one {
    %b = memref.load %flags[%i] : memref<40xi1>
    scf.if %b {
      %f = memref.load %m[%i] : memref<32xf32>
      memref.store %f, %m[%c0] : memref<32xf32>
    }
  }
  return
}

// -----

// The coordinates of a view, a triangle of iterations, a quotient: the whole square is too much,
// what runs is not.
#half = affine_map<(d0) -> (d0 floordiv 2)>
func.func @triangle(%m: memref<8x8xf32>, %h: memref<4xf32>, %f: f32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (8 - d0)>(%i) {
      affine.store %f, %m[%i, %i + %j] : memref<8x8xf32>
    }
    %k = affine.apply #half(%i)
    memref.store %f, %h[%k] : memref<4xf32>
  }
  return
}

// -----

func.func @transposed(%m: memref<16x8xf32, 1>) {
  // expected-note@-1 {{the memory is this one}}
  %t = memref.transpose %m (i, j) -> (j, i) : memref<16x8xf32, 1> to memref<8x16xf32, strided<[1, 8]>, 1>
  %l = memref.alloc() : memref<16x8xf32, 2>
  // expected-error@+2 {{reads elements 0 to 135 of %arg0, whose last element is 127}}
  // expected-note@+1 {{it is 8 too far}}
  air.dma_memcpy_nd (%l[] [] [], %m[0, 0] [17, 8] [8, 1]) : (memref<16x8xf32, 2>, memref<16x8xf32, 1>)
  air.dma_memcpy_nd (%l[] [] [], %t[0, 0] [8, 16] [1, 8]) : (memref<16x8xf32, 2>, memref<8x16xf32, strided<[1, 8]>, 1>)
  return
}

// -----

// How often the loop runs is open; whenever it runs it is wrong.
func.func @whenever(%m: memref<4xf32>, %n: index, %f: f32) {
  // expected-note@-1 {{the memory is this one}}
  // expected-note@-2 {{it happens where this value is 1}}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-note@+1 {{it is 1 too far}}
  scf.for %i = %c0 to %n step %c1 {
    // expected-error@+1 {{'memref.store' in iteration 0 of 'scf.for' writes index 4}}
    memref.store %f, %m[%c4] : memref<4xf32>
  }
  return
}

// -----

// So is a branch that an argument decides.
func.func @branch(%m: memref<4xf32>, %n: index, %f: f32) {
  // expected-note@-1 {{it happens where this value is 0}}
  // expected-note@-2 {{the memory is this one}}
  %c5 = arith.constant 5 : index
  %small = arith.cmpi slt, %n, %c5 : index
  scf.if %small {
    // expected-note@+1 {{it is 1 too far}}
    affine.for %i = 0 to 8 step 4 {
      // expected-error@+1 {{'affine.store' in iteration 4 of 'affine.for' writes index 4}}
      affine.store %f, %m[%i] : memref<4xf32>
    }
  }
  return
}

// -----

// A copy takes more than its place holds; one that is filled up with zeros does not.
func.func @sides(%m: memref<8x8xi32>) {
  air.launch () in () args(%a = %m) : memref<8x8xi32> {
    air.segment @s args(%b = %a) : memref<8x8xi32> {
      %l = memref.alloc() : memref<4x8xi32, 1>
      // expected-error@+2 {{'air.dma_memcpy_nd' copies 64 elements to a place for 32}}
      // expected-note@+1 {{give both sides sizes with the same product}}
      air.dma_memcpy_nd (%l[] [] [], %b[] [] []) : (memref<4x8xi32, 1>, memref<8x8xi32>)
      air.dma_memcpy_nd (%l[] [] [], %b[0, 0] [2, 8] [8, 1]) {pad_before = array<i32: 1, 0>, pad_after = array<i32: 1, 0>} : (memref<4x8xi32, 1>, memref<8x8xi32>)
      memref.dealloc %l : memref<4x8xi32, 1>
    }
  }
  return
}
