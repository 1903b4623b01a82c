// RUN: airlite-opt %s --air-verify-hierarchy-locality --split-input-file --verify-diagnostics

// Accepted: a row for each id, loops inside, ids through nested ops, reads, copies for each core.
func.func private @kernel(memref<64xi32, 2>, i32)
air.channel @c [4]
func.func @accepted(%l3: memref<256x64xi32>, %w: memref<64xi32, 2>, %r: memref<64xi32, 2>) {
  %c4 = arith.constant 4 : index
  air.launch (%x, %y) in (%sx=%c4, %sy=%c4) args(%m=%l3) : memref<256x64xi32> {
    air.segment args(%i=%x, %j=%y, %n=%m) : index, index, memref<256x64xi32> {
      %c2 = arith.constant 2 : index
      %c16 = arith.constant 16 : index
      %row = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
      %col = arith.muli %j, %c16 : index
      air.herd tile (%tx) in (%ts=%c2) args(%o=%n, %a=%row, %b=%col) : memref<256x64xi32>, index, index {
        %c0 = arith.constant 0 : index
        %c8 = arith.constant 8 : index
        %c64 = arith.constant 64 : index
        %off = arith.muli %tx, %c8 : index
        %at = arith.addi %b, %off : index
        %l = memref.alloc() : memref<8x8xi32, 2>
        scf.for %k = %c0 to %c64 step %c8 {
          %line = arith.addi %a, %k : index
          air.dma_memcpy_nd (%o[%line, %at] [8, 8] [64, 1], %l[] [] []) : (memref<256x64xi32>, memref<8x8xi32, 2>)
        }
      }
    }
  }
  air.herd tile (%x) in (%s=%c4) args(%m=%w, %n=%r) : memref<64xi32, 2>, memref<64xi32, 2> {
    %c0 = arith.constant 0 : index
    %v = memref.load %n[%c0] : memref<64xi32, 2>
    air.channel.get @c[%x] (%m[] [] []) : (memref<64xi32, 2>)
  }
  air.herd tile (%x) in (%s=%c4) args(%m=%w) : memref<64xi32, 2> {
    %i = arith.index_cast %x : index to i32
    func.call @kernel(%m, %i) : (memref<64xi32, 2>, i32) -> ()
  }
  %t, %shrunk = air.execute -> (memref<64xi32, 2>) {
    %0 = memref.alloc() {air.shrinkage} : memref<64xi32, 2>
    air.execute_terminator %0 : memref<64xi32, 2>
  }
  air.herd tile (%x) in (%s=%c4) args(%m=%shrunk) : memref<64xi32, 2> {
    %c0 = arith.constant 0 : index
    %v = arith.constant 0 : i32
    memref.store %v, %m[%c0] : memref<64xi32, 2>
  }
  return
}

// -----

// The level of the memory is not that of the op: not looked at.
func.func @other_level(%l2: memref<64xi32, 1>) {
  %c4 = arith.constant 4 : index
  air.herd tile (%x) in (%s=%c4) args(%m=%l2) : memref<64xi32, 1> {
    %l = memref.alloc() : memref<64xi32, 2>
    air.dma_memcpy_nd (%m[] [] [], %l[] [] []) : (memref<64xi32, 1>, memref<64xi32, 2>)
  }
  return
}

// -----

func.func @whole(%w: memref<64xi32, 2>) {
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{'air.herd' op kernel operand #0 is accessed by several iterations at the same place}}
  air.herd tile (%x) in (%s=%c4) args(%m=%w) : memref<64xi32, 2> {
    %v = arith.constant 0 : i32
    // expected-note@+1 {{access here}}
    linalg.fill ins(%v : i32) outs(%m : memref<64xi32, 2>)
  }
  return
}

// -----

// One id is missing.
func.func @one_id(%w: memref<64xi32, 2>) {
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{kernel operand #0 is accessed by several iterations at the same place}}
  air.herd tile (%x, %y) in (%s=%c4, %t=%c4) args(%m=%w) : memref<64xi32, 2> {
    %v = arith.constant 0 : i32
    // expected-note@+1 {{access here}}
    memref.store %v, %m[%x] : memref<64xi32, 2>
  }
  return
}

// -----

// Eight elements every four: a subview overlaps with the next.
func.func @step_too_small(%w: memref<64xi32, 2>) {
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{kernel operand #0 is accessed by several iterations at the same place}}
  air.herd tile (%x) in (%s=%c4) args(%m=%w) : memref<64xi32, 2> {
    %i = affine.apply affine_map<(d0) -> (d0 * 4)>(%x)
    %v = arith.constant 0 : i32
    // expected-note@+1 {{access here}}
    %s8 = memref.subview %m[%i] [8] [1] : memref<64xi32, 2> to memref<8xi32, strided<[1], offset: ?>, 2>
    linalg.fill ins(%v : i32) outs(%s8 : memref<8xi32, strided<[1], offset: ?>, 2>)
  }
  return
}

// -----

// The inner loop reaches into the next iteration.
func.func @inner_loop(%w: memref<64xi32, 2>) {
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{kernel operand #0 is accessed by several iterations at the same place}}
  air.herd tile (%x) in (%s=%c4) args(%m=%w) : memref<64xi32, 2> {
    %v = arith.constant 0 : i32
    affine.for %k = 0 to 5 {
      // expected-note@+1 {{access here}}
      affine.store %v, %m[symbol(%x) * 4 + %k] : memref<64xi32, 2>
    }
  }
  return
}

// -----

func.func private @kernel(memref<64xi32, 1>)
func.func @opaque(%w: memref<64xi32, 1>) {
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{'air.segment' op kernel operand #0 is accessed in a way that may overlap between iterations}}
  air.segment unroll (%x) in (%s=%c4) args(%m=%w) : memref<64xi32, 1> {
    // expected-note@+1 {{access here}}
    func.call @kernel(%m) : (memref<64xi32, 1>) -> ()
  }
  return
}
