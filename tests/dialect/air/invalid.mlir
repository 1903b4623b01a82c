// One piece for each rule of the two documents, and where it is reported.
// RUN: airlite-opt %s --split-input-file --verify-diagnostics --emit=none

// -- Hierarchy --

func.func @launch_in_segment(%n: index) {
  air.launch (%x) in (%s=%n) args(%m=%n) : index {
    // expected-note@+1 {{'air.segment' stands here}}
    air.segment @s args(%k=%m) : index {
      // expected-error@+1 {{'air.launch' op cannot be nested inside air.segment: a launch holds segments}}
      air.launch (%y) in (%t=%k) {
      }
    }
  }
  return
}

// -----

func.func @segment_in_herd(%n: index) {
  // expected-note@+1 {{'air.herd' stands here}}
  air.herd tile (%x) in (%s=%n) {
    // expected-error@+1 {{'air.segment' op cannot be nested inside air.herd: a herd is the innermost level}}
    air.segment {
    }
  }
  return
}

// -----

func.func @herd_in_herd(%n: index) {
  air.launch (%l) in (%ls=%n) args(%a=%n) : index {
    // expected-note@+1 {{the outer herd stands here}}
    air.herd tile (%x) in (%s=%a) args(%k=%a) : index {
      // expected-error@+1 {{'air.herd' op cannot be nested inside another air.herd: a herd is the innermost level}}
      air.herd tile (%y) in (%t=%k) {
      }
    }
  }
  return
}

// -----

func.func @launch_in_launch(%n: index) {
  // expected-note@+1 {{'air.launch' stands here}}
  air.launch (%x) in (%s=%n) args(%m=%n) : index {
    // expected-error@+1 {{'air.launch' op cannot be nested inside another air.launch}}
    air.launch (%y) in (%t=%m) {
    }
  }
  return
}

// -----

func.func @herd_3d(%n: index) {
  // expected-error@+1 {{'air.herd' op must have 1 or 2 dimensions, found 3}}
  air.herd tile (%x, %y, %z) in (%sx=%n, %sy=%n, %sz=%n) {
  }
  return
}

// -----

func.func @isolation(%n: index) {
  air.launch (%x) in (%s=%n) {
    // expected-error@+1 {{use of undeclared SSA value name '%n'}}
    %y = arith.addi %x, %n : index
  }
  return
}

// -----

func.func @missing_size(%n: index) {
  // expected-error@+1 {{expected as many sizes as ids: 2 ids, 1 sizes}}
  air.launch (%x, %y) in (%s=%n) {
  }
  return
}

// -----

func.func @unnamed_async(%n: index) {
  // expected-error@+1 {{needs to be named when marked 'async'}}
  air.launch async (%x) in (%s=%n) {
  }
  return
}

// -----

func.func @sync_with_result(%n: index) {
  // expected-error@+1 {{has no result to name when marked 'sync'}}
  %t = air.launch sync (%x) in (%s=%n) {
  }
  return
}

// -----

func.func @placement(%n: index) {
  // expected-error@+1 {{'air.segment' op attribute 'x_loc' must not be negative}}
  air.segment attributes {x_loc = -1 : i64} {
  }
  return
}

// -----

func.func @granularity(%n: index) {
  // expected-error@+1 {{'air.segment' op unknown backend-granularity "CU"; expected "XCD"}}
  air.segment backend-granularity=CU {
  }
  return
}

// -- Tokens --

// -----

func.func @launch_concurrency(%n: index) {
  %t = air.token.alloc : !air.token
  // expected-error@+1 {{'air.launch' op must not have a concurrency list}}
  air.launch (%x) in (%s=%n) [concurrency = [%t]] {
  }
  return
}

// -----

func.func @affinity_into_launch(%n: index) {
  %t = air.token.alloc : !air.token
  // expected-error@+1 {{'air.launch' op operand #0 of its args is an affinity or concurrency token: only dependency tokens may cross the launch boundary}}
  air.launch (%x) in (%s=%n) args(%k=%t) : !air.token {
    air.segment @a [affinity = [%k]] {
    }
  }
  return
}

// -----

func.func @mixed_tokens(%t: !air.token, %e: !air.async.token) {
  // expected-error@+1 {{'air.wait_all' op waits for a !air.token, so its result must be a !air.token too}}
  %r = "air.wait_all"(%t) : (!air.token) -> !air.async.token
  return
}

// -- Memory levels --

// -----

func.func @herd_reads_l2(%n: index, %m: memref<8xf32, 1>) {
  air.herd tile (%x) in (%s=%n) args(%b=%m) : memref<8xf32, 1> {
    // expected-error@+1 {{'memref.load' op inside 'air.herd' accesses memref with memory_space L2; AIE core tiles can only access L1}}
    %v = memref.load %b[%x] : memref<8xf32, 1>
  }
  return
}

// -----

// A GPU program may.
module attributes {airlite.wave_size = 64 : i32} {
  func.func @herd_reads_l2(%n: index, %m: memref<8xf32, 1>) {
    air.herd tile (%x) in (%s=%n) args(%b=%m) : memref<8xf32, 1> {
      %v = memref.load %b[%x] : memref<8xf32, 1>
    }
    return
  }
}

// -----

func.func @segment_allocates_l3() {
  air.segment {
    // expected-error@+1 {{'memref.alloc' op memref.alloc inside air.segment must have memory space >= L2, but found memory space L3}}
    %m = memref.alloc() : memref<8xf32>
  }
  return
}

// -----

func.func @herd_allocates_l2(%n: index) {
  air.herd tile (%x) in (%s=%n) {
    // expected-error@+1 {{'memref.alloc' op memref.alloc inside air.herd must have memory space >= L1, but found memory space L2}}
    %m = memref.alloc() : memref<8xf32, 1>
  }
  return
}

// -- Channels --

// -----

// expected-error@+1 {{'air.channel' op depth must be a positive integer, found 0 : i64}}
air.channel @c [] {depth = 0 : i64}

// -----

// expected-error@+1 {{'air.channel' op size[1] must be positive, found 0}}
air.channel @c [2, 0]

// -----

// expected-error@+1 {{unsupported channel_type "npu_dma_steam"; expected one of "npu_dma_stream", "npu_dma_packet", "npu_cascade", "npu_mmio", or "gpu_symmetric_heap"; did you mean 'npu_dma_stream'?}}
air.channel @c [] {channel_type = "npu_dma_steam"}

// -----

// expected-error@+1 {{'air.channel' op bundle rank should match broadcast_shape rank}}
air.channel @c [1] {broadcast_shape = [2, 2]}

// -----

// expected-error@+1 {{'air.channel' op broadcast_shape[0] (1) must be >= size[0] (2): broadcasting cannot shrink a dimension}}
air.channel @c [2] {broadcast_shape = [1]}

// -----

// expected-error@+1 {{size must be 1 or equal to broadcast_shape}}
air.channel @c [2] {broadcast_shape = [8]}

// -----

// expected-error@+1 {{"packet_ids" is only valid on a "npu_dma_packet" channel}}
air.channel @c [] {packet_ids = [1]}

// -----

// What is declared elsewhere is another pass's to ask for (air-verify-program).
func.func @undeclared(%m: memref<8xf32>) {
  air.channel.put @elsewhere[] (%m[] [] []) : (memref<8xf32>)
  return
}

// -----

// expected-note@+1 {{it is declared here}}
func.func private @c()
func.func @no_channel(%m: memref<8xf32>) {
  // expected-error@+1 {{'air.channel.put' op '@c' is not an air.channel}}
  air.channel.put @c[] (%m[] [] []) : (memref<8xf32>)
  return
}

// -----

// -- Channel indices that change with the iterations of a loop --

air.channel @c [4]
func.func @temporal(%m: memref<8xf32>, %n: index) {
  scf.for %i = %n to %n step %n {
    // expected-error@+1 {{'air.channel.put' op channel index 0 is an scf.for induction variable; channel bundle indices must not be temporal scf.for induction variables}}
    air.channel.put @c[%i] (%m[] [] []) : (memref<8xf32>)
  }
  return
}

// -----

// What a simplification could turn into the variable counts as it.
air.channel @c [4]
func.func @computed(%m: memref<8xf32>, %n: index) {
  scf.for %i = %n to %n step %n {
    %c0 = arith.constant 0 : index
    %t, %r = air.execute -> (index) {
      %j = arith.addi %i, %c0 : index
      air.execute_terminator %j : index
    }
    // expected-error@+1 {{'air.channel.get' op channel index 0 is computed from an scf.for induction variable; channel bundle indices must not be temporal scf.for induction variables}}
    air.channel.get @c[%r] (%m[] [] []) : (memref<8xf32>)
  }
  return
}

// -----

air.channel @c [4]
func.func @carried(%m: memref<8xf32>, %n: index) {
  scf.for %i = %n to %n step %n {
    %last = scf.for %j = %n to %n step %n iter_args(%k = %i) -> (index) {
      // expected-error@+1 {{'air.channel.put' op channel index 0 is computed from an scf.for induction variable}}
      air.channel.put @c[%k] (%m[] [] []) : (memref<8xf32>)
      scf.yield %k : index
    }
  }
  return
}

// -----

air.channel @c [4]
func.func @affine(%m: memref<8xf32>) {
  affine.for %i = 0 to 4 {
    // expected-error@+1 {{'air.channel.put' op channel index 0 is an affine.for induction variable; channel bundle indices must not be temporal affine.for induction variables}}
    air.channel.put @c[%i] (%m[] [] []) : (memref<8xf32>)
  }
  return
}

// -----

// Between ranks the index is a process; parallel loops are places, not times.
air.channel @c [4]
func.func @allowed(%m: memref<8xf32>, %n: index) {
  air.rank (%r) in (%s=%n) args(%a=%m) : memref<8xf32> {
    %c1 = arith.constant 1 : index
    scf.for %i = %r to %s step %c1 {
      air.channel.put @c[%i] (%a[] [] []) : (memref<8xf32>)
    }
  }
  scf.parallel (%i) = (%n) to (%n) step (%n) {
    air.channel.get @c[%i] (%m[] [] []) : (memref<8xf32>)
    scf.reduce
  }
  return
}

// -----

// -- Ranks see the allocation through views --

func.func @peer(%n: index, %d: memref<4xf32>) {
  air.rank (%r) in (%s=%n) args(%a=%d) : memref<4xf32> {
    %m = memref.alloc() : memref<8xf32>
    %v = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    // expected-error@+1 {{'air.dma_memcpy_nd' op src memref is referenced cross-rank but its memref.alloc lacks the "air.symmetric" attribute}}
    air.dma_memcpy_nd (%a[] [] [], %v[] [] []) {src_rank = 1 : i64} : (memref<4xf32>, memref<4xf32, strided<[1]>>)
  }
  return
}

// -----

air.channel @c [] {channel_type = "npu_mmio"}
func.func @mmio(%m: memref<8xf32, 1>) {
  // expected-error@+1 {{channel_type="npu_mmio" put source must be in L3 (memory_space=0), got memory_space=1}}
  air.channel.put @c[] (%m[] [] []) : (memref<8xf32, 1>)
  return
}

// -----

air.channel @c [] {channel_type = "gpu_symmetric_heap"}
func.func @heap(%m: memref<8xf32>) {
  // expected-error@+1 {{channel_type="gpu_symmetric_heap" put requires an enclosing air.rank scope}}
  air.channel.put @c[] (%m[] [] []) : (memref<8xf32>)
  return
}

// -- Data movement --

// -----

func.func @ranks(%a: memref<8x8xf32>, %b: memref<8x8xf32, 1>, %i: index) {
  // expected-error@+1 {{'air.dma_memcpy_nd' op src sizes and strides must have the same number of dimensions, but got 2 and 1}}
  air.dma_memcpy_nd (%b[] [] [], %a[0, 0] [8, 8] [1]) : (memref<8x8xf32, 1>, memref<8x8xf32>)
  return
}

// -----

func.func @offsets(%a: memref<8x8xf32>, %b: memref<8x8xf32, 1>) {
  // expected-error@+1 {{'air.dma_memcpy_nd' op dst has 3 offsets, but 1 sizes and a memref of rank 2}}
  air.dma_memcpy_nd (%b[0, 0, 0] [8] [1], %a[] [] []) : (memref<8x8xf32, 1>, memref<8x8xf32>)
  return
}

// -----

func.func @padding(%a: memref<8x8xf32>, %b: memref<8x8xf32, 1>) {
  // expected-error@+1 {{pad_before and pad_after must both be present or both absent}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {pad_before = array<i32: 1>} : (memref<8x8xf32, 1>, memref<8x8xf32>)
  return
}

// -----

func.func @peer(%a: memref<8x8xf32>, %b: memref<8x8xf32, 1>) {
  // expected-error@+1 {{src_rank/dst_rank attributes require an enclosing air.rank scope}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) {src_rank = 1 : i64} : (memref<8x8xf32, 1>, memref<8x8xf32>)
  return
}

// -- execute --

// -----

func.func @too_few() {
  %t, %r = air.execute -> (index) {
    // expected-error@+1 {{'air.execute_terminator' op returns 0 values, but its air.execute has 1 results besides the token}}
    air.execute_terminator
  }
  return
}

// -----

func.func @misspelt() {
  // expected-error@+1 {{custom op 'air.wait_al' is unknown; did you mean 'air.wait_all'?}}
  air.wait_al
  return
}

// -----

func.func @stray() {
  // expected-error@+1 {{'air.herd_terminator' op expects parent op 'air.herd'}}
  air.herd_terminator
}

// -----

// expected-error@+1 {{not supported: a channel of more than 1048576 places}}
air.channel @c [2, 2147483647]

// -----

// expected-error@+1 {{not supported: a channel of more than 1048576 destinations}}
air.channel @c [1, 1] {broadcast_shape = [2, 4294967295]}

// -----

func.func @negative(%a: memref<8xi32>, %b: memref<8xi32, 1>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant -1 : index
  // expected-error@+1 {{src sizes must not be negative, found -1}}
  air.dma_memcpy_nd (%b[] [] [], %a[%c1] [%n] [%c1]) : (memref<8xi32, 1>, memref<8xi32>)
  return
}

// -----

func.func @cores() {
  %n = arith.constant 4294967296 : index
  // expected-error@+1 {{not supported: a herd of more than 1048576 cores}}
  air.herd @h tile (%x, %y) in (%sx = %n, %sy = %n) {
  }
  return
}
