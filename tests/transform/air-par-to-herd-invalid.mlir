// RUN: airlite-opt %s --air-par-to-herd --split-input-file --verify-diagnostics --remarks
// RUN: not airlite-opt %S/Inputs/empty.mlir --air-par-to-herd=first-dim=2 2>&1 | FileCheck %s --check-prefix=DIM
// DIM: error: expected 0 or 1 for option 'first-dim', found 2

func.func @lower(%n: index) {
  %c1 = arith.constant 1 : index
  // expected-error@+2 {{failed to legalize operation 'scf.parallel'}}
  // expected-error@+1 {{'scf.parallel' op failed to normalize: lower bound is not a constant}}
  scf.parallel (%i) = (%n) to (%c1) step (%c1) {
  }
  return
}

// -----

func.func @upper(%n: index) {
  // expected-error@+2 {{failed to legalize operation 'scf.forall'}}
  // expected-error@+1 {{'scf.forall' op failed to normalize: upper bound is not a constant}}
  scf.forall (%i) in (%n) {
  }
  return
}

// -----

func.func @affine_bound(%n: index) {
  // expected-error@+2 {{failed to legalize}}
  // expected-error@+1 {{failed to normalize: upper bound is not a constant}}
  affine.parallel (%i, %j) = (0, 0) to (%n, 4) {
  }
  return
}

// -----

func.func @step(%n: index) {
  %c1 = arith.constant 1 : index
  // expected-error@+2 {{failed to legalize}}
  // expected-error@+1 {{failed to normalize: step is not a constant}}
  scf.parallel (%i) = (%c1) to (%c1) step (%n) {
  }
  return
}

// -----

func.func @uneven() {
  // expected-error@+2 {{failed to legalize}}
  // expected-error@+1 {{failed to normalize: step '3' does not evenly divide range '8'}}
  scf.forall (%i) = (2) to (10) step (3) {
  }
  return
}

// -----

func.func @wide_range() {
  %low = arith.constant -9223372036854775807 : index
  %high = arith.constant 9223372036854775807 : index
  %c1 = arith.constant 1 : index
  // expected-error@+2 {{failed to legalize}}
  // expected-error@+1 {{failed to normalize: the range of bounds is too large}}
  scf.parallel (%i) = (%low) to (%high) step (%c1) {
  }
  return
}

// -----

func.func @affine_dims() {
  // expected-error@+2 {{failed to legalize operation 'affine.parallel'}}
  // expected-error@+1 {{'affine.parallel' op failed conversion to 'air.herd': only 2d loops are supported}}
  affine.parallel (%i) = (0) to (4) {
  }
  return
}

// -----

func.func private @kernel()
func.func @no_object() {
  scf.forall (%i) in (4) {
    // expected-error@+1 {{'func.call' op expected 'link_with' construct for the function declaration}}
    func.call @kernel() : () -> ()
    // expected-error@-3 {{failed to legalize}}
  }
  return
}

// -----

// What stays a loop.
func.func @inside() {
  %c2 = arith.constant 2 : index
  air.launch (%x) in (%s=%c2) {
    scf.forall (%i) in (4) {
      // expected-remark@+1 {{stays a loop: it is inside of a herd}}
      scf.forall (%j) in (4) {
      }
    }
  }
  return
}

// -----

func.func @scalar_reduction(%v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+2 {{failed to legalize}}
  // expected-error@+1 {{'scf.parallel' op not supported: a reduction of values that are not memrefs}}
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%v) -> f32 {
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %a : f32
    }
  }
  return
}

// -----

func.func @argument_init(%m: memref<4xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+2 {{failed to legalize}}
  // expected-error@+1 {{not supported: an initial value that is not allocated beside the loop}}
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%m) -> memref<4xi32, 2> {
    scf.reduce(%m : memref<4xi32, 2>) {
    ^bb0(%a: memref<4xi32, 2>, %b: memref<4xi32, 2>):
      scf.reduce.return %a : memref<4xi32, 2>
    }
  }
  return
}

// -----

func.func @second_argument(%p: memref<4xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi32, 2>
  // expected-error@+2 {{failed to legalize}}
  // expected-error@+1 {{not supported: a reduction that does not accumulate into its first argument}}
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%m) -> memref<4xi32, 2> {
    scf.reduce(%p : memref<4xi32, 2>) {
    ^bb0(%a: memref<4xi32, 2>, %b: memref<4xi32, 2>):
      scf.reduce.return %b : memref<4xi32, 2>
    }
  }
  return
}

// -----

func.func @two_dims(%p: memref<4xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi32, 2>
  // expected-error@+2 {{failed to legalize}}
  // expected-error@+1 {{not supported: a reduction over more than one dimension}}
  %r = scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %c1) step (%c1, %c1) init (%m) -> memref<4xi32, 2> {
    scf.reduce(%p : memref<4xi32, 2>) {
    ^bb0(%a: memref<4xi32, 2>, %b: memref<4xi32, 2>):
      scf.reduce.return %a : memref<4xi32, 2>
    }
  }
  return
}

// -----

func.func @init_from_memory(%p: memref<4xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi32, 2>
  memref.copy %p, %m : memref<4xi32, 2> to memref<4xi32, 2>
  // expected-error@+2 {{failed to legalize}}
  // expected-error@+1 {{not supported: an initial value that is computed from other memory}}
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%m) -> memref<4xi32, 2> {
    scf.reduce(%p : memref<4xi32, 2>) {
    ^bb0(%a: memref<4xi32, 2>, %b: memref<4xi32, 2>):
      scf.reduce.return %a : memref<4xi32, 2>
    }
  }
  return
}

// -----

func.func @init_later(%p: memref<4xi32, 2>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi32, 2>
  // expected-error@+2 {{failed to legalize}}
  // expected-error@+1 {{not supported: an initial value that is used later}}
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%m) -> memref<4xi32, 2> {
    scf.reduce(%p : memref<4xi32, 2>) {
    ^bb0(%a: memref<4xi32, 2>, %b: memref<4xi32, 2>):
      scf.reduce.return %a : memref<4xi32, 2>
    }
  }
  memref.copy %m, %p : memref<4xi32, 2> to memref<4xi32, 2>
  return
}

// -----

func.func @returned(%p: memref<4xi32, 2>) -> memref<4xi32, 2> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi32, 2>
  // expected-error@+2 {{failed to legalize}}
  // expected-error@+1 {{not supported: a result that is handed on}}
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%m) -> memref<4xi32, 2> {
    scf.reduce(%p : memref<4xi32, 2>) {
    ^bb0(%a: memref<4xi32, 2>, %b: memref<4xi32, 2>):
      scf.reduce.return %a : memref<4xi32, 2>
    }
  }
  return %r : memref<4xi32, 2>
}

// -----

func.func @work_between(%p: memref<4xi32, 2>, %q: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xi32, 2>
  // expected-error@+2 {{failed to legalize}}
  // expected-error@+1 {{not supported: other work between the loop and the users of its result}}
  %r = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%m) -> memref<4xi32, 2> {
    scf.reduce(%p : memref<4xi32, 2>) {
    ^bb0(%a: memref<4xi32, 2>, %b: memref<4xi32, 2>):
      scf.reduce.return %a : memref<4xi32, 2>
    }
  }
  memref.copy %q, %p : memref<4xi32> to memref<4xi32, 2>
  memref.copy %r, %q : memref<4xi32, 2> to memref<4xi32>
  return
}

// -----

func.func @level() {
  // expected-error@+1 {{failed to legalize operation 'scf.forall'}}
  scf.forall (%i) in (4) {
    // expected-error@+1 {{memref.alloc inside air.herd must have memory space >= L1, but found memory space L2}}
    %m = memref.alloc() : memref<4xi32, 1>
  }
  return
}

// -----

func.func @copy_outside(%a: memref<4xi32, 1>, %b: memref<4xi32, 2>) {
  scf.forall (%i) in (4) {
  }
  // expected-remark@+1 {{a copy from or to L1 stays outside of herds}}
  air.dma_memcpy_nd (%b[] [] [], %a[] [] []) : (memref<4xi32, 2>, memref<4xi32, 1>)
  return
}

// -----

func.func @segment_inside() {
  // expected-remark@+1 {{stays a loop: a launch or segment is inside of it}}
  scf.forall (%i) in (4) {
    air.segment {
    }
  }
  return
}
