// RUN: airlite-opt %s --split-input-file --verify-diagnostics --airrt-to-llvm
func.func @numbers(%n: i32) {
  // expected-error@+1 {{not supported: numbers for herds of a run time library}}
  %h = airrt.herd_load "deer" (%n) : (i32) -> i64
  return
}

// -----

func.func @named(%m: memref<64xi32>) {
  %id = arith.constant 3 : i32
  %o = arith.constant 0 : i64
  // expected-error@+1 {{not supported: a shim channel by its name, for a run time library}}
  airrt.dma_memcpy_nd(%id, %o, %o, %m[0, 0, 0, 0], [1, 1, 1, 64], [0, 0, 0, 1]) {metadata = @air_in} : (i32, i64, i64, memref<64xi32>)
  return
}

// -----

func.func @host_memory() {
  // expected-error@+1 {{not supported: memory that is not L2 of a constant size}}
  %m = airrt.alloc : memref<64xi32>
  return
}

// -----

airrt.module_metadata {
  airrt.segment_metadata attributes {sym_name = "part"} {
    // expected-error@+1 {{outside of 16 ids, 8 rows and 8 columns}}
    airrt.herd_metadata {sym_name = "deer", dma_allocations = [{id = 17, row = 0, col = 2, channel = 1, location = 7}]}
  }
}

// -----

func.func @layouts(%m: memref<8x16xi32>, %s: memref<8x16xi32, strided<[32, 1]>>) {
  %id = arith.constant 3 : i32
  %o = arith.constant 0 : i64
  // expected-note@+1 {{it has another one here}}
  airrt.dma_memcpy_nd(%id, %o, %o, %m[0, 0, 0, %o], [1, 1, 8, 16], [0, 0, 64, 1]) : (i32, i64, i64, memref<8x16xi32>)
  // expected-error@+1 {{not supported: a call of @__airrt_dma_nd_memcpy_2d0i32 with the type}}
  airrt.dma_memcpy_nd(%id, %o, %o, %s[0, 0, 0, %o], [1, 1, 8, 16], [0, 0, 64, 1]) : (i32, i64, i64, memref<8x16xi32, strided<[32, 1]>>)
  return
}

// -----

// expected-note@+1 {{it has another one here}}
func.func private @__airrt_segment_load(i32) -> i64
func.func @declared() {
  // expected-error@+1 {{not supported: a call of @__airrt_segment_load with the type}}
  %p = airrt.segment_load "part" : i64
  return
}

// -----

func.func @leaves(%m: memref<8x16xi32>) -> !airrt.event {
  %id = arith.constant 3 : i32
  %o = arith.constant 0 : i64
  // expected-error@+1 {{not supported: the event of a transfer as result of a function; airrt.wait_all gives one that may leave it}}
  %moved = airrt.dma_memcpy_nd(%id, %o, %o, %m[0, 0, 0, %o], [1, 1, 8, 16], [0, 0, 64, 1]) : (i32, i64, i64, memref<8x16xi32>) : !airrt.event
  return %moved : !airrt.event
}
