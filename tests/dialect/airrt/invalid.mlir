// What the airrt verifiers and syntax reject.
// RUN: airlite-opt --split-input-file --verify-diagnostics %s

func.func @few(%id: i32, %x: i64, %m: memref<8xi32>) {
  // expected-error@+1 {{attribute 'static_offsets' failed to satisfy constraint: i64 dense array attribute with exactly 4 elements}}
  airrt.dma_memcpy_nd(%id, %x, %x, %m[0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) : (i32, i64, i64, memref<8xi32>)
  return
}

// -----

func.func @many(%id: i32, %x: i64, %m: memref<8xi32>) {
  // expected-error@+1 {{attribute 'static_strides' failed to satisfy constraint: i64 dense array attribute with exactly 4 elements}}
  airrt.dma_memcpy_nd(%id, %x, %x, %m[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 0, 1]) : (i32, i64, i64, memref<8xi32>)
  return
}

// -----

func.func @dynamic(%id: i32, %x: i64, %m: memref<8xi32>) {
  // expected-error@+1 {{'airrt.dma_memcpy_nd' op expected 0 dynamic lengths values, found 1}}
  "airrt.dma_memcpy_nd"(%id, %x, %x, %m, %x) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_lengths = array<i64: 1, 1, 1, 1>, static_strides = array<i64: 0, 0, 0, 1>} : (i32, i64, i64, memref<8xi32>, i64) -> ()
  return
}

// -----

func.func @negative(%id: i32, %x: i64, %m: memref<8xi32>) {
  // expected-error@+1 {{'airrt.dma_memcpy_nd' op lengths must not be negative, found -8}}
  airrt.dma_memcpy_nd(%id, %x, %x, %m[0, 0, 0, 0], [1, 1, 1, -8], [0, 0, 0, 1]) : (i32, i64, i64, memref<8xi32>)
  return
}

// -----

func.func @metadata(%id: i32, %x: i64, %m: memref<8xi32>) {
  // expected-error@+1 {{'airrt.dma_memcpy_nd' op metadata must be a symbol reference, found "chan"}}
  airrt.dma_memcpy_nd(%id, %x, %x, %m[0, 0, 0, 0], [1, 1, 1, 8], [0, 0, 0, 1]) {metadata = "chan"} : (i32, i64, i64, memref<8xi32>)
  return
}

// -----

func.func @elements(%x: i64, %d: memref<8xi32, 1>, %s: memref<8xf32>) {
  // expected-error@+1 {{'airrt.memcpy_nd' op copies elements of type 'f32' to elements of type 'i32'}}
  airrt.memcpy_nd(%d, %s, [%x, %x, %x, %x], [%x, %x, %x, %x], [%x, %x, %x, %x]) : (memref<8xi32, 1>, memref<8xf32>, [i64, i64, i64, i64], [i64, i64, i64, i64], [i64, i64, i64, i64])
  return
}

// -----

// expected-error@+1 {{'airrt.segment_metadata' op expects parent op 'airrt.module_metadata'}}
airrt.segment_metadata attributes {sym_name = "s"} {}

// -----

// expected-note@+1 {{the metadata begins here}}
airrt.module_metadata {
  // expected-error@+1 {{'airrt.wait_all' op cannot stand in airrt.module_metadata, which holds airrt.segment_metadata}}
  airrt.wait_all
}

// -----

airrt.module_metadata {
  // expected-note@+1 {{the metadata begins here}}
  airrt.segment_metadata attributes {sym_name = "s"} {
    // expected-error@+1 {{'airrt.wait_all' op cannot stand in airrt.segment_metadata, which holds airrt.herd_metadata}}
    airrt.wait_all
  }
}

// -----

airrt.module_metadata {
  // expected-error@+1 {{'airrt.segment_metadata' op requires attribute 'sym_name'}}
  airrt.segment_metadata {}
}

// -----

// expected-error@+1 {{unknown type '!airrt.tensor'}}
func.func @type(%t: !airrt.tensor) { return }
