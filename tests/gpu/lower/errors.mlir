// What no kernel can be made of is said at the op.
// RUN: airlite-opt %s --split-input-file --verify-diagnostics --air-to-gpu

func.func @dims(%n: index) {
  // expected-error@+1 {{not supported: a launch with 4 dimensions, a grid has at most 3}}
  air.launch (%a, %b, %c, %d) in (%sa=%n, %sb=%n, %sc=%n, %sd=%n) {
  }
  return
}

// -----

func.func @l2_argument(%m: memref<4xf32, 1>) {
  // expected-error@+1 {{not supported: a kernel argument that is not in L3 memory}}
  air.launch () in () args(%a=%m) : memref<4xf32, 1> {
  }
  return
}

// -----

func.func @segment_space() {
  air.launch () in () {
    %c2 = arith.constant 2 : index
    // expected-error@+1 {{not supported: a segment with an iteration space}}
    air.segment @s unroll (%x) in (%sx=%c2) {
    }
  }
  return
}

// -----

func.func @herd_size(%n: index) {
  air.launch (%i) in (%s=%n) {
    // expected-error@+1 {{not supported: a herd whose size is not constant}}
    air.herd tile (%x) in (%sx=%s) {
    }
  }
  return
}

// -----

func.func @herd_large() {
  air.launch () in () {
    %c17 = arith.constant 17 : index
    // expected-error@+1 {{needs a workgroup of 17 x 1 waves of 64 work-items, the limit is 1024 work-items}}
    air.herd tile (%x) in (%sx=%c17) {
    }
  }
  return
}

// -----

func.func @lds() {
  air.launch () in () {
    %a = memref.alloc() : memref<128x64xf32, 1>
    // expected-error@+1 {{needs 33024 bytes of LDS where 32768 of 65536 are left}}
    %b = memref.alloc() : memref<129x64xf32, 1>
    %z = arith.constant 0.0 : f32
    linalg.fill ins(%z : f32) outs(%b : memref<129x64xf32, 1>)
    linalg.fill ins(%z : f32) outs(%a : memref<128x64xf32, 1>)
  }
  return
}

// -----

func.func @l3_alloc() {
  air.launch () in () {
    // expected-error@+1 {{not supported: an L3 allocation inside a launch}}
    %a = memref.alloc() : memref<4xf32>
  }
  return
}

// -----

func.func @dynamic_alloc(%n: index) {
  air.launch (%i) in (%s=%n) {
    // expected-error@+1 {{not supported: a buffer whose size is not constant in a GPU kernel}}
    %a = memref.alloc(%i) : memref<?xf32, 1>
  }
  return
}

// -----

module attributes {airlite.wave_size = 64 : i32} {
  func.func @l2_in_herd() {
    air.launch () in () {
      %c1 = arith.constant 1 : index
      air.herd tile (%x) in (%sx=%c1) {
        // expected-error@+1 {{not supported: an L2 allocation inside a herd}}
        %a = memref.alloc() : memref<4xf32, 1>
      }
    }
    return
  }
}

// -----

air.channel @ch [1]
func.func @channel(%m: memref<4xf32>) {
  air.launch () in () args(%a=%m) : memref<4xf32> {
    // expected-error@+1 {{not supported: this channel in a GPU kernel}}
    air.channel.put @ch[] (%a[] [] []) : (memref<4xf32>)
    // expected-error@+1 {{not supported: this channel in a GPU kernel}}
    air.channel.get @ch[] (%a[] [] []) : (memref<4xf32>)
  }
  return
}

// -----

func.func @volumes(%m: memref<64xf32>) {
  air.launch () in () args(%a=%m) : memref<64xf32> {
    %b = memref.alloc() : memref<32xf32, 1>
    // expected-error@+1 {{copies 64 elements to a place for 32}}
    air.dma_memcpy_nd (%b[] [] [], %a[] [] []) : (memref<32xf32, 1>, memref<64xf32>)
  }
  return
}

// -----

func.func @divergent(%m: memref<64xf32>) {
  air.launch () in () args(%a=%m) : memref<64xf32> {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    air.herd tile (%x) in (%sx=%c1) args(%b=%a) : memref<64xf32> {
      // expected-error@+1 {{stands in control flow that not all work-items of the workgroup follow}}
      gpu.barrier
    }
    air.herd tile (%x) in (%sx=%c2) args(%b=%a) : memref<64xf32> {
    }
  }
  return
}

// -----

// expected-error@+1 {{attribute 'airlite.wave_size' must be 32 or 64, found 48 : i32}}
module attributes {airlite.wave_size = 48 : i32} {
}

// -----

func.func private @outside(f32) -> f32
func.func @call(%m: memref<4xf32>) {
  air.launch () in () args(%a=%m) : memref<4xf32> {
    %c0 = arith.constant 0 : index
    %v = memref.load %a[%c0] : memref<4xf32>
    // expected-error@+1 {{not supported: a call of the external function 'outside' in a kernel}}
    %r = func.call @outside(%v) : (f32) -> f32
    memref.store %r, %a[%c0] : memref<4xf32>
  }
  return
}

// -----

func.func @host_copy(%m: memref<4xf32>, %n: memref<4xf32>) {
  // expected-error@+1 {{not supported: air.dma_memcpy_nd outside of an air.launch}}
  air.dma_memcpy_nd (%m[] [] [], %n[] [] []) : (memref<4xf32>, memref<4xf32>)
  return
}

// -----

func.func @escape() {
  air.launch () in () {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %b = memref.alloc() : memref<4xf32, 1>
    %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %b) -> (memref<4xf32, 1>) {
      // expected-error@+1 {{not supported: a buffer that outlives the iteration that allocates it}}
      %new = memref.alloc() : memref<4xf32, 1>
      // expected-note@+1 {{handed to the next iteration here}}
      scf.yield %new : memref<4xf32, 1>
    }
  }
  return
}

// -----

// expected-error@+1 {{not supported: an async token in the signature of a function}}
func.func @token(%t: !air.async.token) {
  return
}

// -----

// A wave that fills LDS on its own path, for lanes to read.
module attributes {airlite.wave_size = 64 : i32} {
  func.func @divergent_copy(%m: memref<64xf32>) {
    air.launch () in () args(%a=%m) : memref<64xf32> {
      %c2 = arith.constant 2 : index
      %l2 = memref.alloc() : memref<64xf32, 1>
      air.dma_memcpy_nd (%l2[] [] [], %a[] [] []) : (memref<64xf32, 1>, memref<64xf32>)
      air.herd tile (%x) in (%sx=%c2) args(%b=%a, %l=%l2) : memref<64xf32>, memref<64xf32, 1> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %first = arith.cmpi eq, %x, %c0 : index
        %v = memref.load %l[%x] : memref<64xf32, 1>
        scf.if %first {
          // expected-error@+1 {{needs a barrier before it, in control flow that not all work-items of the workgroup follow}}
          memref.store %v, %l[%c1] : memref<64xf32, 1>
        }
        gpu.barrier
      }
    }
    return
  }
}

// -----

func.func @shared_registers() {
  air.launch () in () {
    %c2 = arith.constant 2 : index
    %m = memref.alloc() : memref<8xi32, 2>
    // expected-error@+1 {{not supported: L1 memory by which waves hand data to each other}}
    air.herd tile (%x) in (%sx=%c2) args(%l=%m) : memref<8xi32, 2> {
      %c0 = arith.constant 0 : index
      %first = arith.cmpi eq, %x, %c0 : index
      scf.if %first {
        %v = arith.constant 7 : i32
        memref.store %v, %l[%c0] : memref<8xi32, 2>
      } else {
        %v = memref.load %l[%c0] : memref<8xi32, 2>
      }
    }
  }
  return
}
