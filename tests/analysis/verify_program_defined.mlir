// What nobody has written, and reaches what the program hands out, is an error; nothing else is.
// RUN: airlite-opt %s --air-verify-program --emit=none --verify-diagnostics --split-input-file
// RUN: airlite-opt %s --air-verify-program=definedness=false --emit=none --split-input-file

// Tiles that are not filled to their end: what is computed of the rest stays where it is.
#tail = affine_map<(d0) -> (32, 40 - d0)>
func.func @padded(%in: memref<40xi32>, %out: memref<40xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @cores tile (%x, %y) in (%sx = %c2, %sy = %c1) args(%a = %in, %b = %out) : memref<40xi32>, memref<40xi32> {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %m = memref.alloc() : memref<32xi32, 2>
    %n = memref.alloc() : memref<32xi32, 2>
    %at = arith.muli %x, %c32 : index
    %size = affine.min #tail(%at)
    air.dma_memcpy_nd (%m[%c0] [%size] [%one], %a[%at] [%size] [%one]) : (memref<32xi32, 2>, memref<40xi32>)
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
        ins(%m : memref<32xi32, 2>) outs(%n : memref<32xi32, 2>) {
    ^bb0(%v: i32, %o: i32):
      %w = arith.addi %v, %v : i32
      linalg.yield %w : i32
    }
    air.dma_memcpy_nd (%b[%at] [%size] [%one], %n[%c0] [%size] [%one]) : (memref<40xi32>, memref<32xi32, 2>)
  }
  return
}

// -----

// The same, and one element too many is sent back.
func.func @shifted(%in: memref<31xi32>, %out: memref<32xi32>) {
  // expected-note@-1 {{it decides what element [31] of this argument is at the end}}
  %c1 = arith.constant 1 : index
  air.herd @core tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%a = %in, %b = %out) : memref<31xi32>, memref<32xi32> {
    %m = memref.alloc() : memref<32xi32, 2>
    // expected-note@+1 {{the memory is this one: 'memref<32xi32, 2>'; fill it first}}
    %n = memref.alloc() : memref<32xi32, 2>
    air.dma_memcpy_nd (%n[0] [31] [1], %a[0] [31] [1]) : (memref<32xi32, 2>, memref<31xi32>)
    affine.for %i = 0 to 32 {
      // expected-error@+1 {{'affine.load' in [0, 0] of 'air.herd' reads element [31] of %alloc_0, which nobody has written}}
      %v = affine.load %n[%i] : memref<32xi32, 2>
      %w = arith.addi %v, %v : i32
      affine.store %w, %m[%i] : memref<32xi32, 2>
    }
    air.dma_memcpy_nd (%b[] [] [], %m[] [] []) : (memref<32xi32>, memref<32xi32, 2>)
  }
  return
}

// -----

// Set to zero and added to in one nest; choices; what is never handed out.
func.func @nest(%a: memref<8x4xi32>, %b: memref<8xi32>, %keep: i1) {
  %c0 = arith.constant 0 : i32
  %sum = memref.alloc() : memref<8xi32>
  %rest = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    affine.store %c0, %sum[%i] : memref<8xi32>
    affine.for %k = 0 to 4 {
      %s = affine.load %sum[%i] : memref<8xi32>
      %v = affine.load %a[%i, %k] : memref<8x4xi32>
      %t = arith.addi %s, %v : i32
      affine.store %t, %sum[%i] : memref<8xi32>
    }
    %s = affine.load %sum[%i] : memref<8xi32>
    %u = affine.load %rest[%i] : memref<8xi32>
    %w = arith.select %keep, %u, %s : i32
    affine.store %w, %b[%i] : memref<8xi32>
    affine.store %u, %rest[%i] : memref<8xi32>
  }
  return
}

// -----

// How often the loop runs is open: it may fill all.
func.func @open(%a: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : i32
  %m = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %c7, %m[%i] : memref<8xi32>
  }
  air.dma_memcpy_nd (%a[] [] [], %m[] [] []) : (memref<8xi32>, memref<8xi32>)
  return
}

// -----

// A stream: 8 elements are sent at once and taken in halves by two destinations; the second half has
// not been written.
air.channel @c [1] {broadcast_shape = [2]}
func.func @stream(%a: memref<4xi32>, %b: memref<2x4xi32>) {
  // expected-note@-1 {{it decides what element [0, 0] of this argument is at the end}}
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.launch (%i) in (%n = %c1) args(%from = %a, %to = %b) : memref<4xi32>, memref<2x4xi32> {
    air.segment @s args(%from2 = %from, %to2 = %to) : memref<4xi32>, memref<2x4xi32> {
      %one = arith.constant 1 : index
      %two = arith.constant 2 : index
      %c0 = arith.constant 0 : index
      // expected-note@+1 {{the memory is this one: 'memref<8xi32, 1>'}}
      %m = memref.alloc() : memref<8xi32, 1>
      air.dma_memcpy_nd (%m[0] [4] [2], %from2[] [] []) : (memref<8xi32, 1>, memref<4xi32>)
      // expected-error@+1 {{'air.channel.put' in [0] of 'air.launch' reads element [1] of %alloc, which nobody has written}}
      %p = air.channel.put async @c[%c0] (%m[0, 0] [2, 4] [1, 2]) : (memref<8xi32, 1>)
      air.herd @h tile (%x, %y) in (%sx = %two, %sy = %one) args(%o = %to2) : memref<2x4xi32> {
        %first = memref.alloc() : memref<4xi32, 2>
        %second = memref.alloc() : memref<4xi32, 2>
        air.channel.get @c[%x] (%first[] [] []) : (memref<4xi32, 2>)
        air.channel.get @c[%x] (%second[] [] []) : (memref<4xi32, 2>)
        air.dma_memcpy_nd (%o[%x, 0] [1, 4] [4, 1], %second[] [] []) : (memref<2x4xi32>, memref<4xi32, 2>)
      }
      air.wait_all [%p]
    }
  }
  return
}

// -----

func.func @result() -> memref<4xi32> {
  %c7 = arith.constant 7 : i32
  %c2 = arith.constant 2 : index
  // expected-error@+1 {{%alloc is returned, and nobody has written its element [0]}}
  %m = memref.alloc() : memref<4xi32>
  memref.store %c7, %m[%c2] : memref<4xi32>
  return %m : memref<4xi32>
}

// -----

// Memory that a loop makes anew in each round, which no other op sees.
func.func @made_in_a_loop(%b: memref<16xi32>) { // expected-note {{it decides what element [0] of this argument is at the end}}
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    // expected-note@+1 {{the memory is this one}}
    %own = memref.alloc() : memref<16xi32>
    // expected-error@+1 {{reads element [0] of %alloc, which nobody has written}}
    %v = memref.load %own[%i] : memref<16xi32>
    memref.store %v, %b[%i] : memref<16xi32>
  }
  return
}

// -----

// Each round reads what it has written, and memory that begins as zeros.
func.func @written_in_a_loop(%b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %seven = arith.constant 7 : i32
  scf.for %i = %c0 to %c16 step %c1 {
    %own = memref.alloc() : memref<16xi32>
    memref.store %seven, %own[%i] : memref<16xi32>
    %v = memref.load %own[%i] : memref<16xi32>
    memref.store %v, %b[%i] : memref<16xi32>
  }
  return
}

// -----

// Only the first core fills what it adds to: what a branch writes, whose condition is fixed, shows when it is run.
func.func @filled_by_one(%a: memref<2x16xi32>, %b: memref<2x16xi32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c2) args(%u = %a, %v = %b) : memref<2x16xi32>, memref<2x16xi32> {
    %c0 = arith.constant 0 : index
    %d1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %z = arith.constant 0 : i32
    %m = memref.alloc() : memref<16xi32, 2>
    %sum = memref.alloc() : memref<16xi32, 2>
    %first = arith.cmpi eq, %y, %c0 : index
    scf.if %first {
      linalg.fill ins(%z : i32) outs(%sum : memref<16xi32, 2>)
    }
    air.dma_memcpy_nd (%m[] [] [], %u[%y, %c0] [%d1, %c16] [%c16, %d1]) : (memref<16xi32, 2>, memref<2x16xi32>)
    // expected-error@+1 {{'linalg.add' in [0, 1] of 'air.herd' reads element [0] of %alloc_1, which nobody has written}}
    linalg.add ins(%m, %sum : memref<16xi32, 2>, memref<16xi32, 2>) outs(%sum : memref<16xi32, 2>)
    air.dma_memcpy_nd (%v[%y, %c0] [%d1, %c16] [%c16, %d1], %sum[] [] []) : (memref<2x16xi32>, memref<16xi32, 2>)
    memref.dealloc %m : memref<16xi32, 2>
    memref.dealloc %sum : memref<16xi32, 2>
  }
  return
}
