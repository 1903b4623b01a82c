// RUN: airlite-opt %s --air-loops-to-linalg --canonicalize --cse --check-each | FileCheck %s
// RUN: airlite-opt %s --air-loops-to-linalg --remarks --emit=none 2>&1 | FileCheck %s --check-prefix=REMARK

// A product, whose sums a loop carries: they are made where they are stored.
// CHECK-LABEL: func.func @product
// CHECK: linalg.fill ins(%{{.*}} : i32) outs(%arg2 : memref<8x4xi32>)
// CHECK-NEXT: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<8x16xi8>, memref<16x4xi8>) outs(%arg2 : memref<8x4xi32>)
// CHECK: arith.muli
// CHECK-NEXT: arith.addi %out
// CHECK-NOT: for
// CHECK: return
func.func @product(%a: memref<8x16xi8>, %b: memref<16x4xi8>, %c: memref<8x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c4) step (%c1, %c1) {
    %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%before = %zero) -> i32 {
      %x = memref.load %a[%i, %k] : memref<8x16xi8>
      %y = memref.load %b[%k, %j] : memref<16x4xi8>
      %xx = arith.extsi %x : i8 to i32
      %yy = arith.extsi %y : i8 to i32
      %p = arith.muli %xx, %yy : i32
      %after = arith.addi %before, %p : i32
      scf.yield %after : i32
    }
    memref.store %sum, %c[%i, %j] : memref<8x4xi32>
    scf.reduce
  }
  return
}

// Rows of a flat array are a dimension; two loops that carry one sum are one op.
// CHECK-LABEL: func.func @flat
// CHECK: %[[ROWS:.*]] = memref.expand_shape %arg0 {{\[\[0, 1, 2\]\]}} output_shape [4, 2, 8] : memref<64xi32> into memref<4x2x8xi32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "reduction"]} ins(%[[ROWS]] : memref<4x2x8xi32>) outs(%arg1 : memref<4xi32>)
func.func @flat(%a: memref<64xi32>, %o: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 4 {
    %all = affine.for %j = 0 to 2 iter_args(%sum = %zero) -> i32 {
      %row = affine.for %k = 0 to 8 iter_args(%part = %sum) -> i32 {
        %x = affine.load %a[%i * 16 + %j * 8 + %k] : memref<64xi32>
        %y = arith.addi %part, %x : i32
        affine.yield %y : i32
      }
      affine.yield %row : i32
    }
    affine.store %all, %o[%i] : memref<4xi32>
  }
  return
}

// Statements of one round of a loop become ops one after the other. Memory in a loop is an array with an element for each round.
// CHECK-LABEL: func.func @rows
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<6xf32>
// CHECK: linalg.fill ins(%{{.*}} : f32) outs(%[[SUMS]] : memref<6xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%arg0 : memref<6x8xf32>) outs(%[[SUMS]] : memref<6xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%arg0, %[[SUMS]] : memref<6x8xf32>, memref<6xf32>) outs(%arg1 : memref<6x8xf32>)
func.func @rows(%x: memref<6x8xf32>, %y: memref<6x8xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 6 {
    %sum = memref.alloca() : memref<1xf32>
    affine.store %zero, %sum[0] : memref<1xf32>
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : memref<6x8xf32>
      %s = affine.load %sum[0] : memref<1xf32>
      %t = arith.addf %s, %v : f32
      affine.store %t, %sum[0] : memref<1xf32>
    }
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : memref<6x8xf32>
      %s = affine.load %sum[0] : memref<1xf32>
      %t = arith.subf %v, %s : f32
      affine.store %t, %y[%i, %j] : memref<6x8xf32>
    }
  }
  return
}

// Memory of one element outside of the loops, which rounds store to first, is each round's own.
// CHECK-LABEL: func.func @scratch
// CHECK-NOT: memref.alloca
// CHECK: %[[SUMS:.*]] = memref.alloc() : memref<6xi32>
// CHECK: linalg.fill ins(%{{.*}} : i32) outs(%[[SUMS]] : memref<6xi32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} {{.*}} outs(%[[SUMS]] : memref<6xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]] : memref<6xi32>) outs(%arg1 : memref<6xi32>)
// CHECK: linalg.fill ins(%{{.*}} : i32) outs(%[[SUMS]] : memref<6xi32>)
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]] : memref<6xi32>) outs(%arg2 : memref<6x8xi32>)
func.func @scratch(%x: memref<6x8xi32>, %y: memref<6xi32>, %z: memref<6x8xi32>) {
  %zero = arith.constant 0 : i32
  %acc = memref.alloca() : memref<i32>
  %t = memref.alloca() : memref<1xi32>
  affine.for %i = 0 to 6 {
    affine.store %zero, %acc[] : memref<i32>
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : memref<6x8xi32>
      affine.store %v, %t[0] : memref<1xi32>
      %w = affine.load %t[0] : memref<1xi32>
      %s = affine.load %acc[] : memref<i32>
      %n = arith.addi %s, %w : i32
      affine.store %n, %acc[] : memref<i32>
    }
    %all = affine.load %acc[] : memref<i32>
    affine.store %all, %y[%i] : memref<6xi32>
    affine.store %zero, %acc[] : memref<i32>
    affine.for %j = 0 to 8 {
      %s = affine.load %acc[] : memref<i32>
      %v = affine.load %x[%i, %j] : memref<6x8xi32>
      %m = arith.maxsi %s, %v : i32
      affine.store %m, %acc[] : memref<i32>
    }
    affine.for %j = 0 to 8 {
      %s = affine.load %acc[] : memref<i32>
      affine.store %s, %z[%i, %j] : memref<6x8xi32>
    }
  }
  return
}

// What a round stores there and the next one reads is no round's own.
// CHECK-LABEL: func.func @of_round_before
// CHECK: affine.for
// CHECK-NOT: linalg
// CHECK: return
func.func @of_round_before(%x: memref<6xi32>, %y: memref<6xi32>) {
  %zero = arith.constant 0 : i32
  %last = memref.alloca() : memref<i32>
  affine.store %zero, %last[] : memref<i32>
  affine.for %i = 0 to 6 {
    %l = affine.load %last[] : memref<i32>
    affine.store %l, %y[%i] : memref<6xi32>
    %v = affine.load %x[%i] : memref<6xi32>
    affine.store %v, %last[] : memref<i32>
  }
  return
}

// Windows move along a dimension that two loops have; an operand says how large they are.
// CHECK-LABEL: func.func @window
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%arg0, %{{.*}} : memref<12xi32>, memref<3xi32>) outs(%arg1 : memref<10xi32>)
func.func @window(%x: memref<12xi32>, %y: memref<10xi32>) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 3 {
      %v = affine.load %x[%i + %j] : memref<12xi32>
      %s = affine.load %y[%i] : memref<10xi32>
      %t = arith.maxsi %s, %v : i32
      affine.store %t, %y[%i] : memref<10xi32>
    }
  }
  return
}

// Neighbours are parts of the array; each loop of several that cannot be one op is looked at by itself.
// CHECK-LABEL: func.func @steps
// CHECK: affine.for %{{.*}} = 0 to 3
// CHECK-DAG: %[[LEFT:.*]] = memref.subview %arg0[0] [8] [1]
// CHECK-DAG: %[[RIGHT:.*]] = memref.subview %arg0[2] [8] [1]
// CHECK: linalg.generic {{.*}} ins(%[[LEFT]], %[[RIGHT]] : {{.*}}) outs(%arg1 : memref<8xi32>)
// CHECK: linalg.generic {{.*}} ins(%arg1 : memref<8xi32>)
// REMARK: [[@LINE+2]]:3: remark: [air-loops-to-linalg] stays a loop: several rounds store one element
func.func @steps(%x: memref<10xi32>, %y: memref<8xi32>) {
  affine.for %t = 0 to 3 {
    affine.for %i = 1 to 9 {
      %l = affine.load %x[%i - 1] : memref<10xi32>
      %r = affine.load %x[%i + 1] : memref<10xi32>
      %s = arith.addi %l, %r : i32
      affine.store %s, %y[%i - 1] : memref<8xi32>
    }
    affine.for %i = 0 to 8 {
      %v = affine.load %y[%i] : memref<8xi32>
      affine.store %v, %x[%i + 1] : memref<10xi32>
    }
  }
  return
}

// A conditional chooses; what it does not store stays. Elements that loops store backwards are those of the loop turned round.
// CHECK-LABEL: func.func @conditions
// CHECK: linalg.generic {{.*}} ins(%arg0 : memref<7xi32>) outs(%arg1 : memref<7xi32>)
// CHECK: arith.select %{{.*}}, %in, %{{.*}} : i32
// CHECK: linalg.generic {{.*}} ins(%arg0 : memref<7xi32>) outs(%arg2 : memref<7xi32>)
// CHECK: arith.select %{{.*}}, %in, %out : i32
func.func @conditions(%x: memref<7xi32>, %y: memref<7xi32>, %z: memref<7xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 7 {
    %v = affine.load %x[%i] : memref<7xi32>
    %is = arith.cmpi sgt, %v, %zero : i32
    scf.if %is {
      affine.store %v, %y[%i] : memref<7xi32>
    } else {
      %n = arith.subi %zero, %v : i32
      affine.store %n, %y[%i] : memref<7xi32>
    }
  }
  affine.for %i = 0 to 7 {
    %v = affine.load %x[%i] : memref<7xi32>
    %is = arith.cmpi sgt, %v, %zero : i32
    scf.if %is {
      affine.store %v, %z[6 - %i] : memref<7xi32>
    }
  }
  return
}

// Extreme and place use each other's old values: one op. The variable of a loop is its index.
// CHECK-LABEL: func.func @extreme
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]} ins(%arg0 : memref<5x9xi32>) outs(%arg1, %arg2 : memref<5xi32>, memref<5xi32>)
// CHECK: linalg.index 1
func.func @extreme(%x: memref<5x9xi32>, %most: memref<5xi32>, %place: memref<5xi32>) {
  %least = arith.constant -2147483648 : i32
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 5 {
    %m:2 = affine.for %j = 0 to 9 iter_args(%a = %least, %b = %zero) -> (i32, i32) {
      %v = affine.load %x[%i, %j] : memref<5x9xi32>
      %is = arith.cmpi sgt, %v, %a : i32
      %n = arith.index_cast %j : index to i32
      %c = arith.select %is, %v, %a : i32
      %d = arith.select %is, %n, %b : i32
      affine.yield %c, %d : i32, i32
    }
    affine.store %m#0, %most[%i] : memref<5xi32>
    affine.store %m#1, %place[%i] : memref<5xi32>
  }
  return
}

// An element from where data decide is loaded in the op.
// CHECK-LABEL: func.func @gather
// CHECK: linalg.generic {{.*}} ins(%arg1 : memref<6xi32>) outs(%arg2 : memref<6xi32>)
// CHECK: memref.load %arg0
func.func @gather(%table: memref<16xi32>, %at: memref<6xi32>, %y: memref<6xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c15 = arith.constant 15 : i32
  scf.for %i = %c0 to %c6 step %c1 {
    %v = memref.load %at[%i] : memref<6xi32>
    %w = arith.andi %v, %c15 : i32
    %p = arith.index_cast %w : i32 to index
    %e = memref.load %table[%p] : memref<16xi32>
    memref.store %e, %y[%i] : memref<6xi32>
  }
  return
}

// Running sums, and rounds that use what others stored, stay loops.
// CHECK-LABEL: func.func @running
// CHECK: affine.for
// CHECK: affine.for
// CHECK-NOT: linalg
// CHECK: return
// REMARK: [[@LINE+4]]:10: remark: [air-loops-to-linalg] stays a loop: a round uses what another round stores
// REMARK: [[@LINE+9]]:3: remark: [air-loops-to-linalg] stays a loop: a round uses what another round stores
func.func @running(%x: memref<8xi32>, %y: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %all = affine.for %i = 0 to 8 iter_args(%sum = %zero) -> i32 {
    %v = affine.load %x[%i] : memref<8xi32>
    %s = arith.addi %sum, %v : i32
    affine.store %s, %y[%i] : memref<8xi32>
    affine.yield %s : i32
  }
  affine.for %i = 0 to 7 {
    %v = affine.load %x[%i] : memref<8xi32>
    affine.store %v, %x[%i + 1] : memref<8xi32>
  }
  return
}

// What is stored before a condition is read, and old values that others overwrite, keep their order.
// CHECK-LABEL: func.func @overwritten
// CHECK: affine.for
// CHECK-NOT: linalg
// CHECK: return
// REMARK: [[@LINE+2]]:3: remark: [air-loops-to-linalg] stays a loop: a round uses what another round stores
func.func @overwritten(%x: memref<8xi32>, %y: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xi32>
    %w = affine.load %y[%i] : memref<8xi32>
    affine.store %w, %x[%i] : memref<8xi32>
    affine.store %v, %y[7 - %i] : memref<8xi32>
  }
  return
}

// An element that is loaded before the loop that stores it is no sum so far: the last round counts.
// CHECK-LABEL: func.func @last_round
// CHECK: affine.for
// CHECK-NOT: linalg
// CHECK: return
// REMARK: [[@LINE+2]]:3: remark: [air-loops-to-linalg] stays a loop: a round uses what another round stores
func.func @last_round(%x: memref<4x8xi32>, %y: memref<4xi32>) {
  affine.for %i = 0 to 4 {
    %before = affine.load %y[%i] : memref<4xi32>
    affine.for %j = 0 to 8 {
      %v = affine.load %x[%i, %j] : memref<4x8xi32>
      %s = arith.addi %before, %v : i32
      affine.store %s, %y[%i] : memref<4xi32>
    }
  }
  return
}

// Other ops, open bounds, views of a round.
// REMARK: [[@LINE+6]]:3: remark: [air-loops-to-linalg] stays a loop: the bounds of a loop are not constant, or it has results
// REMARK: [[@LINE+9]]:3: remark: [air-loops-to-linalg] stays a loop: 'func.call' is not arithmetic on elements
// REMARK: [[@LINE+13]]:3: remark: [air-loops-to-linalg] stays a loop: a view of memory is made in it
func.func private @other(i32) -> i32
func.func @declined(%x: memref<8xi32>, %n: index) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<8xi32>
    affine.store %v, %x[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xi32>
    %w = func.call @other(%v) : (i32) -> i32
    affine.store %w, %x[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 4 {
    %part = memref.subview %x[%i] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: ?>>
    affine.store %zero, %part[%i] : memref<4xi32, strided<[1], offset: ?>>
  }
  return
}
