// Three shapes that air-dma-to-channel does not give a program, and what the checker says of them.
// RUN: airlite-opt %s --air-verify-program --emit=none --verify-diagnostics

air.channel @in [1, 1]
air.channel @out [1, 1]

// A core adds to a tile of memory twice. With the puts and the gets in two nests, nothing keeps the
// second put from reading the tile before the first get has written it: one nest holds both.
func.func @two_nests_for_one_tile(%c: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = air.wait_all async
  %puts = scf.for %k = %c0 to %c2 step %c1 iter_args(%before = %t) -> (!air.async.token) {
    // expected-note@+1 {{the other access is here}}
    %put = air.channel.put async [%before] @in[%c0, %c0] (%c[] [] []) : (memref<8xi32>)
    scf.yield %put : !air.async.token
  }
  // expected-note@+1 {{missing: a wait for}}
  %gets = scf.for %k = %c0 to %c2 step %c1 iter_args(%before = %t) -> (!air.async.token) {
    // expected-error@+1 {{race: 'air.channel.get' in iteration 0 of 'scf.for' writes}}
    %get = air.channel.get async [%before] @out[%c0, %c0] (%c[] [] []) : (memref<8xi32>)
    scf.yield %get : !air.async.token
  }
  %herd = air.herd async tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %h2 = arith.constant 2 : index
    %h8 = arith.constant 8 : index
    %tile = memref.alloc() : memref<8xi32, 2 : i32>
    scf.for %k = %h0 to %h2 step %h1 {
      air.channel.get @in[%x, %y] (%tile[] [] []) : (memref<8xi32, 2 : i32>)
      scf.for %i = %h0 to %h8 step %h1 {
        %v = memref.load %tile[%i] : memref<8xi32, 2 : i32>
        %w = arith.addi %v, %v : i32
        memref.store %w, %tile[%i] : memref<8xi32, 2 : i32>
      }
      air.channel.put @out[%x, %y] (%tile[] [] []) : (memref<8xi32, 2 : i32>)
    }
    memref.dealloc %tile : memref<8xi32, 2 : i32>
  }
  air.wait_all [%herd, %puts, %gets]
  return
}

air.channel @ahead [1, 1]

// Puts that block, in front of the herd whose gets they wait for: far halves are asynchronous.
func.func @blocking_in_front(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %k = %c0 to %c2 step %c1 {
    // expected-error@+1 {{deadlock: 'air.channel.put' of '@ahead[0, 0]'}}
    air.channel.put @ahead[%c0, %c0] (%a[] [] []) : (memref<8xi32>)
  }
  air.herd tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %h2 = arith.constant 2 : index
    %tile = memref.alloc() : memref<8xi32, 2 : i32>
    scf.for %k = %h0 to %h2 step %h1 {
      // expected-note@+1 {{the get that could come is this one}}
      air.channel.get @ahead[%x, %y] (%tile[] [] []) : (memref<8xi32, 2 : i32>)
    }
    memref.dealloc %tile : memref<8xi32, 2 : i32>
  }
  return
}

air.channel @unordered [1, 1]

// A parallel loop of a core and its far half: what one iteration sends another one may get. As
// sequential loops (air-lower-herd-parallel) they have an order.
func.func @parallel_loops(%a: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = air.wait_all async
  // expected-note@+1 {{the instances of this 'scf.parallel' run side by side}}
  %puts = scf.parallel (%k) = (%c0) to (%c2) step (%c1) init (%t) -> !air.async.token {
    // expected-error@+1 {{both send to '@unordered[0, 0]': which comes first is open}}
    %put = air.channel.put async [%t] @unordered[%c0, %c0] (%a[%k] [%c1] [%c1]) : (memref<2xi32>)
    scf.reduce(%put : !air.async.token) {
    ^bb0(%l: !air.async.token, %r: !air.async.token):
      %both = air.wait_all async [%l, %r]
      scf.reduce.return %both : !air.async.token
    }
  }
  %herd = air.herd async tile (%x, %y) in (%sx = %c1, %sy = %c1) {
    %h0 = arith.constant 0 : index
    %h1 = arith.constant 1 : index
    %h2 = arith.constant 2 : index
    %tile = memref.alloc() : memref<1xi32, 2 : i32>
    scf.for %k = %h0 to %h2 step %h1 {
      air.channel.get @unordered[%x, %y] (%tile[] [] []) : (memref<1xi32, 2 : i32>)
    }
    memref.dealloc %tile : memref<1xi32, 2 : i32>
  }
  air.wait_all [%herd, %puts]
  return
}
