// Parallel loops of the host: a work-item for each round, the last loop fastest.
// RUN: airlite-opt %s --air-gpu-loops=device=gfx942 --remarks 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t
// RUN: airlite-opt %s --pipeline='scf-forall-to-parallel,air-gpu-loops{device=gfx1201}' --check-each --emit=none
// RUN: airlite-opt %s --pipeline='air-gpu{device=gfx942}' | airlite-opt --air-verify-program --emit=none

// 13 * 27 rounds, in workgroups of 256.
// CHECK-LABEL: func.func @apart
// CHECK: air.launch
// CHECK: air.segment
// CHECK: air.herd {{.*}}
// CHECK: gpu.lane_id
// CHECK: scf.if
// CHECK: %[[J:.*]] = arith.remui
// CHECK: arith.muli %[[J]]
// CHECK: memref.load
// CHECK: memref.store
// CHECK-NOT: scf.parallel
func.func @apart(%a: memref<27x53xf32>, %c: memref<27x53xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = arith.constant 27 : index
  %n = arith.constant 53 : index
  scf.parallel (%i, %j) = (%c1, %c0) to (%m, %n) step (%c2, %c2) {
    %x = memref.load %a[%i, %j] : memref<27x53xf32>
    %r = arith.addf %x, %x : f32
    memref.store %r, %c[%i, %j] : memref<27x53xf32>
  }
  return
}

// Loops in a round stay; a loop around it is one of the host.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for
// CHECK: air.launch
// CHECK: scf.for
// CHECK: scf.parallel
// CHECK: return
func.func @nested(%a: memref<8x16xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  scf.for %t = %c0 to %c8 step %c1 {
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      scf.for %k = %c1 to %c16 step %c1 {
        scf.parallel (%z) = (%c0) to (%c1) step (%c1) {
          %x = memref.load %a[%i, %k] : memref<8x16xi32>
          %y = memref.load %a[%i, %z] : memref<8x16xi32>
          %r = arith.addi %x, %y : i32
          memref.store %r, %a[%i, %k] : memref<8x16xi32>
        }
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @declines
// CHECK: scf.parallel
// CHECK: linalg.fill
// CHECK: scf.parallel
// CHECK: scf.reduce
// WHY: remark: {{.*}}no launch of work-items: its body does more than to compute, read and write elements
// WHY: remark: {{.*}}no launch of work-items: has results
func.func @declines(%a: memref<4x8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %row = memref.subview %a[%i, 0] [1, 8] [1, 1] : memref<4x8xi32> to memref<1x8xi32, strided<[8, 1], offset: ?>>
    linalg.fill ins(%zero : i32) outs(%row : memref<1x8xi32, strided<[8, 1], offset: ?>>)
  }
  %sum = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%zero) -> i32 {
    %x = memref.load %a[%i, %c0] : memref<4x8xi32>
    scf.reduce(%x : i32) {
    ^bb0(%l: i32, %r: i32):
      %s = arith.addi %l, %r : i32
      scf.reduce.return %s : i32
    }
  }
  return %sum : i32
}

// Loops whose rounds have nothing to do with each other are parallel ones, with their bounds; the sum is not.
// CHECK-LABEL: func.func @product
// CHECK: air.launch
// CHECK: gpu.lane_id
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @product(%a: memref<40x48xf32>, %b: memref<48x50xf32>, %c: memref<40x50xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 40 : index
  %k = arith.constant 48 : index
  scf.for %i = %c0 to %m step %c1 {
    %n = arith.constant 50 : index
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %k step %c1 {
        %x = memref.load %a[%i, %l] : memref<40x48xf32>
        %y = memref.load %b[%l, %j] : memref<48x50xf32>
        %z = memref.load %c[%i, %j] : memref<40x50xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        memref.store %s, %c[%i, %j] : memref<40x50xf32>
      }
    }
  }
  return
}

// A round that needs what the one before has written: the loop around is one of the host.
// CHECK-LABEL: func.func @scan
// CHECK: scf.for
// CHECK: air.launch
// CHECK-NOT: scf.parallel
func.func @scan(%a: memref<16x64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = arith.constant 16 : index
  %n = arith.constant 64 : index
  scf.for %i = %c1 to %m step %c1 {
    %h = arith.subi %i, %c1 : index
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %a[%h, %j] : memref<16x64xi32>
      %y = memref.load %a[%i, %j] : memref<16x64xi32>
      %s = arith.addi %x, %y : i32
      memref.store %s, %a[%i, %j] : memref<16x64xi32>
    }
  }
  return
}

// Two accesses at different places: a loop of the host.
// CHECK-LABEL: func.func @shift
// CHECK-NOT: air.launch
// CHECK: return
func.func @shift(%a: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 64 : index
  scf.for %i = %c1 to %n step %c1 {
    %h = arith.subi %i, %c1 : index
    %x = memref.load %a[%h] : memref<64xi32>
    memref.store %x, %a[%i] : memref<64xi32>
  }
  return
}

// Places that are not those of the loop: of a view made in a round, of memory whose rows overlap, of one of two buffers. Loops of the host.
// CHECK-LABEL: func.func @view_of_round
// CHECK-NOT: air.launch
// CHECK-LABEL: func.func @rows_overlap
// CHECK-NOT: gpu.lane_id
// CHECK-LABEL: func.func @either
// CHECK-NOT: air.launch
// CHECK: return
func.func @view_of_round(%a: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %o = arith.subi %c7, %i : index
    %part = memref.subview %a[%o] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1], offset: ?>>
    %x = memref.load %part[%i] : memref<8xf32, strided<[1], offset: ?>>
    %y = arith.addf %x, %x : f32
    memref.store %y, %part[%i] : memref<8xf32, strided<[1], offset: ?>>
  }
  return
}
func.func @rows_overlap(%a: memref<8x2xf32, strided<[1, 1]>>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %b[%i] : memref<8xf32>
    memref.store %x, %a[%i, %c1] : memref<8x2xf32, strided<[1, 1]>>
  }
  return
}
func.func @either(%a: memref<8xf32>, %b: memref<8xf32>, %which: i1) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %s = arith.select %which, %a, %b : memref<8xf32>
  scf.for %i = %c1 to %c8 step %c1 {
    %o = arith.subi %i, %c1 : index
    %x = memref.load %a[%o] : memref<8xf32>
    memref.store %x, %s[%i] : memref<8xf32>
  }
  return
}
