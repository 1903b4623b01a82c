// RUN: airlite-opt %s --split-input-file --air-aie-legalize-core=functions=true --verify-diagnostics

func.func @counts(%m: memref<1xi32>, %a: i64, %b: i64) {
  // expected-error@+1 {{'scf.for' op not supported in a core: 'i64'}}
  scf.for %i = %a to %b step %a : i64 {
    func.call @step() : () -> ()
  }
  return
}

func.func private @step()

// -----

// expected-error@+1 {{'func.func' op not supported in a core: an argument of type 'i128'}}
func.func @huge(%a: i128) -> i128 {
  // expected-error@+1 {{'arith.addi' op not supported in a core: 'i128'}}
  %0 = arith.addi %a, %a : i128
  // expected-error@+1 {{not supported in a core: 'i128'}}
  return %0 : i128
}

// -----

// Not its first operand, and it has no result.
func.func @moves(%m: memref<8xi32>, %i: i32, %z: i64) {
  // expected-error@+1 {{'airrt.dma_memcpy_nd' op not supported in a core: 'i64'}}
  airrt.dma_memcpy_nd(%i, %z, %z, %m[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = @in} : (i32, i64, i64, memref<8xi32>)
  return
}

// -----

func.func @double(%a: f64) -> f64 {
  // expected-error@+1 {{'arith.addf' op not supported in a core: 'f64'}}
  %0 = arith.addf %a, %a : f64
  return %0 : f64
}

// -----

func.func @angle(%a: f32) -> f32 {
  // expected-error@+1 {{'math.atan' op not supported in a core: no routine for floats}}
  %0 = math.atan %a : f32
  return %0 : f32
}

// -----

// expected-error@+1 {{'func.func' op not supported in a core: memory without a constant size or not row-major: 'memref<?xf32>'}}
func.func @open(%m: memref<?xf32>) {
  return
}

// -----

func.func @part(%m: memref<4x4xf32>) {
  %v = memref.subview %m[1, 0] [2, 4] [1, 1] : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 4>>
  // expected-error@+1 {{'func.call' op not supported in a core: operand 0 is a part of a buffer}}
  func.call @kernel(%v) : (memref<2x4xf32, strided<[4, 1], offset: 4>>) -> ()
  return
}
func.func private @kernel(memref<2x4xf32, strided<[4, 1], offset: 4>>)

// -----

func.func @far() -> index {
  // expected-error@+1 {{an index of a core has 32 bits: 4294967296}}
  %0 = arith.constant 4294967296 : index
  return %0 : index
}

// -----

func.func @alloc() {
  // expected-error@+1 {{'memref.alloca' op not supported in a core}}
  %0 = memref.alloca() : memref<4xf32>
  func.call @kernel(%0) : (memref<4xf32>) -> ()
  return
}
func.func private @kernel(memref<4xf32>)

// -----

func.func @rounding(%a: f32) -> bf16 {
  // expected-error@+1 {{'arith.truncf' op not supported in a core: rounding mode}}
  %0 = arith.truncf %a to_nearest_away : f32 to bf16
  return %0 : bf16
}

// -----

func.func @returned(%m: memref<64xi32>, %i: index) -> vector<5xi32> {
  %zero = arith.constant 0 : i32
  %0 = vector.transfer_read %m[%i], %zero : memref<64xi32>, vector<5xi32>
  // expected-error@+1 {{not supported in a core: an operand of type 'vector<5xi32>'}}
  return %0 : vector<5xi32>
}

// -----

// expected-error@+1 {{not supported in a core: a vector of type 'vector<5xi32>' that is made here}}
func.func @taken(%m: memref<64xi32>, %v: vector<5xi32>) {
  %c0 = arith.constant 0 : index
  vector.store %v, %m[%c0] : memref<64xi32>, vector<5xi32>
  return
}

// -----

func.func @metadata(%m: memref<4x16xi32>) -> index {
  // expected-error@+1 {{not supported in a core}}
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<4x16xi32> -> memref<i32>, index, index, index, index, index
  return %strides#0 : index
}
