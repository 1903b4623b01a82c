// RUN: airlite-opt %s --air-shrink-memref-sizes-by-access --verify-diagnostics --remarks | FileCheck %s

// Each core uses one slice of its own buffer, through a view and in a transfer.
air.channel @sl [2, 2]
// CHECK-LABEL: func.func @slices
// CHECK: %[[BUF:.*]] = memref.alloc() {air.shrinkage = true} : memref<1x1x4x8xi32, 2>
// CHECK-NOT: memref.subview
// CHECK: linalg.fill {{.*}} outs(%[[BUF]] : memref<1x1x4x8xi32, 2>)
// CHECK: air.channel.put @sl[%{{.*}}, %{{.*}}] (%[[BUF]][0, 0, 0, 0] [1, 1, 8, 4] [32, 32, 1, 8]) : (memref<1x1x4x8xi32, 2>)
func.func @slices(%out: memref<2x2x32xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%l) in (%sl=%c1) args(%to=%out) : memref<2x2x32xi32> {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.parallel (%p, %q) = (%c0, %c0) to (%c2, %c2) step (%c1_0, %c1_0) {
      %t = air.channel.get async @sl[%p, %q] (%to[%p, %q, 0] [1, 1, 32] [64, 32, 1]) : (memref<2x2x32xi32>)
      scf.reduce
    }
    air.segment @s {
      %c2_0 = arith.constant 2 : index
      air.herd @h tile (%i, %j) in (%si=%c2_0, %sj=%c2_0) {
        %one = arith.constant 1 : i32
        %buf = memref.alloc() : memref<2x2x4x8xi32, 2>
        %view = memref.subview %buf[%i, %j, 0, 0] [1, 1, 4, 8] [1, 1, 1, 1] : memref<2x2x4x8xi32, 2> to memref<1x1x4x8xi32, strided<[64, 32, 8, 1], offset: ?>, 2>
        linalg.fill ins(%one : i32) outs(%view : memref<1x1x4x8xi32, strided<[64, 32, 8, 1], offset: ?>, 2>)
        air.channel.put @sl[%i, %j] (%buf[%i, %j, 0, 0] [1, 1, 8, 4] [64, 32, 1, 8]) : (memref<2x2x4x8xi32, 2>)
        memref.dealloc %buf : memref<2x2x4x8xi32, 2>
      }
    }
  }
  return
}

// A corner: loads and stores of inner loops, a view of less rank; the sizes that are used are 3 x 4.
// CHECK-LABEL: func.func @corner
// CHECK: memref.alloc() {air.shrinkage = true} : memref<3x4xi32, 2>
// CHECK: %[[VIEW:.*]] = memref.subview %{{.*}}[2, 0] [1, 4] [1, 1] : memref<3x4xi32, 2> to memref<4xi32, strided<[1], offset: 8>, 2>
// CHECK: linalg.fill {{.*}} outs(%[[VIEW]] : memref<4xi32, strided<[1], offset: 8>, 2>)
// CHECK: memref.store {{.*}} : memref<3x4xi32, 2>
// CHECK: memref.load {{.*}} : memref<3x4xi32, 2>
func.func @corner(%m: memref<16xi32>) {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%i, %j) in (%si=%c1, %sj=%c1) args(%to=%m) : memref<16xi32> {
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1 : i32
    %buf = memref.alloc() : memref<8x16xi32, 2>
    %view = memref.subview %buf[4, 8] [1, 4] [1, 1] : memref<8x16xi32, 2> to memref<4xi32, strided<[1], offset: 72>, 2>
    linalg.fill ins(%one : i32) outs(%view : memref<4xi32, strided<[1], offset: 72>, 2>)
    scf.for %r = %c0 to %c2 step %c1_0 {
      scf.for %c = %c0 to %c4 step %c1_0 {
        %row = affine.apply affine_map<(d0) -> (d0 + 2)>(%r)
        %column = affine.apply affine_map<(d0) -> (d0 + 8)>(%c)
        memref.store %one, %buf[%row, %column] : memref<8x16xi32, 2>
        %v = memref.load %buf[%row, %column] : memref<8x16xi32, 2>
      }
    }
    memref.dealloc %buf : memref<8x16xi32, 2>
  }
  return
}

// CHECK-LABEL: func.func @stays
// CHECK-NOT: air.shrinkage
func.func @stays(%n: index, %m: memref<4xi32>) {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  // Two places, of which nothing says how far they are from each other.
  // expected-remark@+1 {{accesses are in different places of the buffer}}
  %two = memref.alloc() : memref<4xi32, 1>
  memref.store %one, %two[%n] : memref<4xi32, 1>
  memref.store %one, %two[%c0] : memref<4xi32, 1>
  // The place is another one each time, while the buffer lives.
  // expected-remark@+1 {{where an access reads or writes is not known}}
  %open = memref.alloc() : memref<4xi32, 1>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %open[%i] : memref<4xi32, 1>
  }
  // expected-remark@+1 {{the buffer is passed on}}
  %kept = memref.alloc() : memref<4xi32, 1>
  %same = scf.for %i = %c0 to %c4 step %c1 iter_args(%b = %kept) -> (memref<4xi32, 1>) {
    scf.yield %b : memref<4xi32, 1>
  }
  // expected-remark@+1 {{something else than transfers, loads, stores and subviews uses the buffer}}
  %copied = memref.alloc() : memref<4xi32, 1>
  memref.copy %m, %copied : memref<4xi32> to memref<4xi32, 1>
  // expected-remark@+1 {{a subview has strides or open sizes}}
  %sparse = memref.alloc() : memref<4xi32, 1>
  %every = memref.subview %sparse[0] [2] [2] : memref<4xi32, 1> to memref<2xi32, strided<[2]>, 1>
  // expected-remark@+1 {{a user of a view may need its layout}}
  %called = memref.alloc() : memref<4xi32, 1>
  %half = memref.subview %called[0] [2] [1] : memref<4xi32, 1> to memref<2xi32, strided<[1]>, 1>
  func.call @external(%half) : (memref<2xi32, strided<[1]>, 1>) -> ()
  // expected-remark@+1 {{a view is passed on}}
  %seen = memref.alloc() : memref<4xi32, 1>
  %t1, %handed = air.execute -> (memref<2xi32, strided<[1]>, 1>) {
    %front = memref.subview %seen[0] [2] [1] : memref<4xi32, 1> to memref<2xi32, strided<[1]>, 1>
    air.execute_terminator %front : memref<2xi32, strided<[1]>, 1>
  }
  memref.store %one, %handed[%c0] : memref<2xi32, strided<[1]>, 1>
  %t2, %first = air.execute -> (memref<4xi32, 1>) {
    // expected-remark@+1 {{the buffer is passed on}}
    %inner = memref.alloc() : memref<4xi32, 1>
    air.execute_terminator %inner : memref<4xi32, 1>
  }
  %t3, %second = air.execute [%t2] -> (memref<4xi32, 1>) {
    air.execute_terminator %first : memref<4xi32, 1>
  }
  memref.store %one, %second[%c0] : memref<4xi32, 1>
  // Not used outside of its execute.
  air.execute {
    %alone = memref.alloc() : memref<4xi32, 1>
  }
  // One run over two rows is not a box.
  // expected-remark@+1 {{an access goes beyond a dimension}}
  %run = memref.alloc() : memref<2x4xi32, 1>
  %t0 = air.channel.put async @run[] (%run[0] [6] [1]) : (memref<2x4xi32, 1>)
  // All of it is used.
  %all = memref.alloc() : memref<4xi32, 1>
  linalg.fill ins(%one : i32) outs(%all : memref<4xi32, 1>)
  memref.store %one, %all[%c3] : memref<4xi32, 1>
  return
}
air.channel @run []
func.func private @external(memref<2xi32, strided<[1]>, 1>)
