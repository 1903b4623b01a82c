// scf.while, scf.forall, functions and regions with several blocks are walked as they run. Where the
// program does not fix how often, a few numbers of runs are tried.
// RUN: airlite-opt %s --air-verify-program --emit=none --verify-diagnostics --split-input-file

// Four puts in an scf.while, four gets in an scf.for.
air.channel @c [1]
func.func @while_fine(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %h = air.herd async tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%o = %b, %n = %c4) : memref<4xf32>, index {
    %d0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    scf.for %i = %d0 to %n step %d1 {
      air.channel.get @c[%d0] (%o[] [] []) : (memref<4xf32>)
    }
  }
  %r = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %c4 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    air.channel.put @c[%c0] (%a[] [] []) : (memref<4xf32>)
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  air.wait_all [%h]
  return
}

// -----

// Five puts, four gets.
air.channel @c [1]
func.func @while_more(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %h = air.herd async tile (%x, %y) in (%sx = %c4, %sy = %c1) args(%o = %b) : memref<4xf32> {
    %d0 = arith.constant 0 : index
    air.channel.get @c[%d0] (%o[%x] [1] [1]) : (memref<4xf32>)
  }
  %r = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi sle, %i, %c4 : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    // expected-error@+1 {{not balanced: 5 puts and 4 gets}}
    air.channel.put @c[%c0] (%a[0] [1] [1]) : (memref<4xf32>)
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  air.wait_all [%h]
  return
}

// -----

// Gets without a put.
air.channel @c [1]
func.func @no_puts(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.herd tile (%x, %y) in (%sx = %c4, %sy = %c1) args(%o = %b) : memref<4xf32> {
    %d0 = arith.constant 0 : index
    // expected-error@+1 {{not balanced: 0 puts and 4 gets}}
    air.channel.get @c[%d0] (%o[%x] [1] [1]) : (memref<4xf32>)
  }
  return
}

// -----

// Iterations of scf.forall that write one place.
func.func @forall_race(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  scf.forall (%i) in (4) {
    // expected-error@+1 {{race}}
    air.dma_memcpy_nd (%a[%c0] [1] [1], %b[%i] [1] [1]) : (memref<4xf32>, memref<4xf32>)
  }
  return
}

// -----

func.func @forall_fine(%a: memref<4xf32>, %b: memref<4xf32>) {
  scf.forall (%i) in (4) {
    air.dma_memcpy_nd (%a[%i] [1] [1], %b[%i] [1] [1]) : (memref<4xf32>, memref<4xf32>)
  }
  affine.parallel (%i) = (0) to (4) {
    air.dma_memcpy_nd (%a[%i] [1] [1], %b[%i] [1] [1]) : (memref<4xf32>, memref<4xf32>)
  }
  return
}

// -----

// A loop of blocks puts three times, and waits for two gets only.
air.channel @c [1]
func.func @blocks(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %g = air.channel.get async @c[%c0] (%b[] [] []) : (memref<4xf32>)
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi slt, %i, %c3 : index
  cf.cond_br %more, ^body, ^exit
^body:
  // expected-error@+1 {{not balanced: 3 puts and 1 get}}
  air.channel.put @c[%c0] (%a[] [] []) : (memref<4xf32>)
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^exit:
  air.wait_all [%g]
  return
}

// -----

// How often is in memory: as many runs on both sides whatever it is, and a race in none.
func.func @open(%a: memref<4xf32>, %b: memref<4xf32>, %go: memref<1xi1>) {
  %c0 = arith.constant 0 : index
  scf.while : () -> () {
    %more = memref.load %go[%c0] : memref<1xi1>
    scf.condition(%more)
  } do {
    air.dma_memcpy_nd (%a[] [] [], %b[] [] []) : (memref<4xf32>, memref<4xf32>)
    scf.yield
  }
  return
}

// -----

// Runs that are not waited for overtake each other: found in one run.
func.func @open_race(%a: memref<4xf32>, %b: memref<4xf32>, %go: memref<1xi1>) {
  %c0 = arith.constant 0 : index
  cf.br ^head
^head:
  %more = memref.load %go[%c0] : memref<1xi1>
  cf.cond_br %more, ^body, ^exit
^body:
  %t = air.dma_memcpy_nd async (%a[] [] [], %b[] [] []) : (memref<4xf32>, memref<4xf32>)
  // expected-error@+1 {{race: 'air.dma_memcpy_nd' writes %arg1, which 'air.dma_memcpy_nd' reads}}
  %u = air.dma_memcpy_nd async (%b[] [] [], %a[] [] []) : (memref<4xf32>, memref<4xf32>)
  cf.br ^head
^exit:
  return
}

// -----

// A loop that reduces a number and tokens: they come when all is done that its iterations started,
// and what it started with.
func.func @number_and_tokens(%a: memref<4xi32>, %b: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0 : i32
  %l = memref.alloc() : memref<4xi32>
  %t = air.dma_memcpy_nd async (%l[] [] [], %a[] [] []) : (memref<4xi32>, memref<4xi32>)
  %r:2 = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%z, %t) -> (i32, !air.async.token) {
    %e, %v = air.execute [%t] -> (i32) {
      %x = memref.load %l[%i] : memref<4xi32>
      air.execute_terminator %x : i32
    }
    scf.reduce(%v, %e : i32, !air.async.token) {
    ^bb0(%x: i32, %y: i32):
      %n = arith.addi %x, %y : i32
      scf.reduce.return %n : i32
    }, {
    ^bb0(%x: !air.async.token, %y: !air.async.token):
      %n = air.wait_all async [%x, %y]
      scf.reduce.return %n : !air.async.token
    }
  }
  %f = air.execute [%r#1] {
    memref.dealloc %l : memref<4xi32>
  }
  return %r#0 : i32
}

// -----

// A transfer beside that nobody waits for stays one.
func.func @number_beside(%a: memref<4xi32>, %b: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant 0 : i32
  %w = air.wait_all async
  %t = air.dma_memcpy_nd async (%b[] [] [], %a[] [] []) : (memref<4xi32>, memref<4xi32>)
  %r:2 = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%z, %w) -> (i32, !air.async.token) {
    scf.reduce(%z, %w : i32, !air.async.token) {
    ^bb0(%x: i32, %y: i32):
      %n = arith.addi %x, %y : i32
      scf.reduce.return %n : i32
    }, {
    ^bb0(%x: !air.async.token, %y: !air.async.token):
      %n = air.wait_all async [%x, %y]
      scf.reduce.return %n : !air.async.token
    }
  }
  air.wait_all [%r#1]
  // expected-error@+1 {{race: 'memref.load' reads %arg1, which 'air.dma_memcpy_nd' writes}}
  %v = memref.load %b[%c0] : memref<4xi32>
  return %v : i32
}
