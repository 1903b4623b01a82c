// RUN: airlite-opt %s --air-annotate-refeed --verify-diagnostics --remarks

air.channel @line [1]
air.channel @deep [1] {depth = 2 : i64}

func.func @loops(%n: index, %l1: memref<8xi32, 2>, %l3: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-remark@+1 {{the number of iterations is not known}}
    air.channel.put @line[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-remark@+1 {{it depends on the iteration}}
    air.channel.put @line[] (%l1[%i] [%c4] [%c1]) : (memref<8xi32, 2>)
  }
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-remark@+1 {{its buffer is not in L1 or L2}}
    air.channel.put @line[] (%l3[] [] []) : (memref<8xi32>)
  }
  affine.for %i = 0 to 4 {
    // expected-remark@+1 {{the channel holds several transfers}}
    air.channel.put @deep[] (%l1[] [] []) : (memref<8xi32, 2>)
  }
  affine.for %i = 0 to 1000000 {
    affine.for %j = 0 to 1000000 {
      // expected-remark@+1 {{it is sent too often for a count}}
      air.channel.put @line[] (%l1[] [] []) : (memref<8xi32, 2>)
    }
  }
  return
}

func.func @tokens(%l1: memref<8xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %w = air.wait_all async
  %other = air.wait_all async
  %a = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %w) -> (!air.async.token) {
    // expected-remark@+1 {{it waits for a token that is not that of the loop}}
    %p = air.channel.put async [%t, %other] @line[] (%l1[] [] []) : (memref<8xi32, 2>)
    scf.yield %p : !air.async.token
  }
  %b = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %w) -> (!air.async.token) {
    // expected-remark@+1 {{the loop carries more than the token of the put}}
    %p = air.channel.put async [%t] @line[] (%l1[] [] []) : (memref<8xi32, 2>)
    scf.yield %t : !air.async.token
  }
  return
}

// The buffer is filled twice, and one fill is drained more often than the other.
func.func @fills(%in: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<8xi32, 1>
  scf.for %i = %c0 to %c4 step %c1 {
    memref.copy %in, %a : memref<8xi32> to memref<8xi32, 1>
    air.channel.put @line[] (%a[] [] []) : (memref<8xi32, 1>)
  }
  memref.copy %in, %a : memref<8xi32> to memref<8xi32, 1>
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-remark@+1 {{the puts of its buffer do not stand in one body}}
    air.channel.put @line[] (%a[] [] []) : (memref<8xi32, 1>)
  }
  memref.dealloc %a : memref<8xi32, 1>
  return
}
