// Correct programs, about which nothing is said but what is proven.
// RUN: airlite-opt %s --air-verify-program --emit=none --split-input-file --remarks 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: {{error|warning|not all verified}}

air.channel @in [2]
air.channel @out [2]

// Producer, cores, consumer: balanced in every place, ordered by the data.
func.func @stream(%a: memref<8x16xi32>, %b: memref<8x16xi32>) {
  air.launch () in () args(%src = %a, %dst = %b) : memref<8x16xi32>, memref<8x16xi32> {
    air.segment @s args(%from = %src, %to = %dst) : memref<8x16xi32>, memref<8x16xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      %start = air.wait_all async
      %t = air.herd @cores async tile (%x, %y) in (%sx = %c2, %sy = %c1) {
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        %four = arith.constant 4 : index
        %m = memref.alloc() : memref<16xi32, 2>
        scf.for %i = %zero to %four step %one {
          air.channel.get @in[%x] (%m[] [] []) : (memref<16xi32, 2>)
          air.channel.put @out[%x] (%m[] [] []) : (memref<16xi32, 2>)
        }
      }
      %sent = scf.parallel (%core) = (%c0) to (%c2) step (%c1) init (%start) -> !air.async.token {
        %done = scf.for %i = %c0 to %c4 step %c1 iter_args(%before = %start) -> (!air.async.token) {
          %row = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%core, %i)
          %put = air.channel.put async [%before] @in[%core] (%from[%row, %c0] [%c1, %c16] [%c16, %c1])
              : (memref<8x16xi32>)
          scf.yield %put : !air.async.token
        }
        scf.reduce(%done : !air.async.token) {
        ^bb0(%l: !air.async.token, %r: !air.async.token):
          %both = air.wait_all async [%l, %r]
          scf.reduce.return %both : !air.async.token
        }
      }
      scf.parallel (%core) = (%c0) to (%c2) step (%c1) {
        scf.for %i = %c0 to %c4 step %c1 {
          %row = affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>(%core, %i)
          air.channel.get @out[%core] (%to[%row, %c0] [%c1, %c16] [%c16, %c1]) : (memref<8x16xi32>)
        }
      }
      air.wait_all [%t, %sent]
    }
  }
  return
}

// -----

// One tile written and read in turn: the loop hands on the token of the reader.
func.func @single_buffer(%in: memref<4x64xi32>, %out: memref<4x64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %start, %tile = air.execute -> (memref<64xi32, 1>) {
    %alloc = memref.alloc() : memref<64xi32, 1>
    air.execute_terminator %alloc : memref<64xi32, 1>
  }
  %done = scf.for %i = %c0 to %c4 step %c1 iter_args(%before = %start) -> (!air.async.token) {
    %copied = air.dma_memcpy_nd async [%before] (%tile[] [] [], %in[%i, %c0] [%c1, %c64] [%c64, %c1])
        : (memref<64xi32, 1>, memref<4x64xi32>)
    %used = air.dma_memcpy_nd async [%copied] (%out[%i, %c0] [%c1, %c64] [%c64, %c1], %tile[] [] [])
        : (memref<4x64xi32>, memref<64xi32, 1>)
    scf.yield %used : !air.async.token
  }
  air.wait_all [%done]
  return
}

// -----

// Both branches put what the herd takes, whichever runs.
air.channel @c []
func.func @either(%a: memref<16xf32>, %b: memref<16xf32>, %which: i1) {
  %c1 = arith.constant 1 : index
  scf.if %which {
    %t = air.channel.put async @c[] (%a[] [] []) : (memref<16xf32>)
  } else {
    %t = air.channel.put async @c[] (%b[] [] []) : (memref<16xf32>)
  }
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %m = memref.alloc() : memref<16xf32, 2>
    air.channel.get @c[] (%m[] [] []) : (memref<16xf32, 2>)
  }
  return
}

// -----

// As many as the caller says, on both sides.
air.channel @d []
func.func @counted(%a: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = air.herd async tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%count = %n) : index {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %m = memref.alloc() : memref<16xf32, 2>
    scf.for %i = %zero to %count step %one {
      air.channel.get @d[] (%m[] [] []) : (memref<16xf32, 2>)
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    air.channel.put @d[] (%a[] [] []) : (memref<16xf32>)
  }
  air.wait_all [%t]
  return
}

// -----

// Four elements at a time into a stream that is taken two at a time.
air.channel @e []
func.func @stream_of_elements(%a: memref<16xf32>, %b: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %start = air.wait_all async
  %sent = scf.for %i = %c0 to %c16 step %c4 iter_args(%before = %start) -> (!air.async.token) {
    %put = air.channel.put async [%before] @e[] (%a[%i] [%c4] [%c1]) : (memref<16xf32>)
    scf.yield %put : !air.async.token
  }
  scf.for %i = %c0 to %c16 step %c2 {
    air.channel.get @e[] (%b[%i] [%c2] [%c1]) : (memref<16xf32>)
  }
  air.wait_all [%sent]
  return
}

// -----

// Cores that take what one put sends to all of them.
air.channel @all [1, 1] {broadcast_shape = [1, 4]}
func.func @broadcast(%in: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sent = air.channel.put async @all[%c0, %c0] (%in[] [] []) : (memref<8xf32>)
  air.herd @cores tile (%x, %y) in (%sx = %c1, %sy = %c4) {
    %m = memref.alloc() : memref<8xf32, 2>
    air.channel.get @all[%x, %y] (%m[] [] []) : (memref<8xf32, 2>)
  }
  air.wait_all [%sent]
  return
}

// -----

// Cores that each fetch the row that all of them share: what they write is the same.
func.func @shared_row(%in: memref<4x64xi32>, %out: memref<64xi32, 1>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%i = %in, %o = %out)
      : memref<4x64xi32>, memref<64xi32, 1> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %width = arith.constant 64 : index
    air.dma_memcpy_nd (%o[] [] [], %i[%one, %zero] [%one, %width] [%width, %one])
        : (memref<64xi32, 1>, memref<4x64xi32>)
  }
  return
}

// -----

// Tokens that a branch, a selection or a loop hands on, and nothing else.
func.func @chosen_tokens(%in: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<8xf32, 1>
  %k = memref.alloc() : memref<8xf32, 1>
  %t = air.dma_memcpy_nd async (%m[] [] [], %in[] [] []) : (memref<8xf32, 1>, memref<8xf32>)
  %u = air.dma_memcpy_nd async [%t] (%k[] [] [], %in[] [] []) : (memref<8xf32, 1>, memref<8xf32>)
  %few = arith.cmpi slt, %n, %c2 : index
  %branch = scf.if %few -> (!air.async.token) {
    scf.yield %t : !air.async.token
  } else {
    scf.yield %u : !air.async.token
  }
  %select = arith.select %few, %u, %t : !air.async.token
  %turns:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %select, %b = %u)
      -> (!air.async.token, !air.async.token) {
    scf.yield %b, %a : !air.async.token, !air.async.token
  }
  %free = air.execute [%branch] {
    memref.dealloc %m : memref<8xf32, 1>
  }
  %last = air.execute [%turns#1] {
    memref.dealloc %k : memref<8xf32, 1>
  }
  air.wait_all [%free, %last]
  return
}

// -----

// Each put waits for its own run before; so does the get.
air.channel @own [] {depth = 2 : i64}
func.func @own_runs(%in: memref<4x8xf32>, %out: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %put = air.channel.put async @own[] (%in[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xf32>)
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %get = air.channel.get async @own[] (%out[%i, %c0] [%c1, %c8] [%c8, %c1]) : (memref<4x8xf32>)
  }
  return
}
