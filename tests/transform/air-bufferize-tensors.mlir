// RUN: airlite-opt %s --check-each --air-bufferize-linalg | FileCheck %s
// RUN: airlite-opt %s --air-bufferize-linalg --emit=none --remarks 2>&1 | FileCheck %s --check-prefix=REMARK

// A slice is a view, of lower rank where the tensor is. What it is inserted into is written in place where
// nobody else looks at it, else in a copy.
// CHECK-LABEL: func.func @slices
// CHECK: %[[ROW:.*]] = memref.subview %arg0[%{{.*}}, 0] [1, 8] [1, 1] : memref<4x8xi32> to memref<8xi32, strided<[1], offset: ?>>
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<4x8xi32>
// CHECK: linalg.copy ins(%arg0 : {{.*}}) outs(%[[OUT]]
// CHECK: %[[PLACE:.*]] = memref.subview %[[OUT]][2, 0] [1, 8] [1, 1] : {{.*}} to memref<8xi32, strided<[1], offset: 16>>
// CHECK: linalg.copy ins(%[[ROW]] : {{.*}}) outs(%[[PLACE]]
// CHECK: %[[NEXT:.*]] = memref.subview %[[OUT]][0, 1] [4, 4] [1, 2]
// CHECK: linalg.copy ins(%arg2 : {{.*}}) outs(%[[NEXT]]
// CHECK: return %[[OUT]]
func.func @slices(%a: tensor<4x8xi32>, %i: index, %b: tensor<4x4xi32>) -> tensor<4x8xi32> {
  %c3 = arith.constant 3 : index
  %j = arith.minui %i, %c3 : index
  %row = tensor.extract_slice %a[%j, 0] [1, 8] [1, 1] : tensor<4x8xi32> to tensor<8xi32>
  %c = tensor.insert_slice %row into %a[2, 0] [1, 8] [1, 1] : tensor<8xi32> into tensor<4x8xi32>
  %d = tensor.insert_slice %b into %c[0, 1] [4, 4] [1, 2] : tensor<4x4xi32> into tensor<4x8xi32>
  return %d : tensor<4x8xi32>
}

// Another shape is a view; of a slice whose rows are apart it is one of a copy.
// CHECK-LABEL: func.func @shapes
// CHECK: memref.collapse_shape %arg0
// CHECK: memref.subview
// CHECK: linalg.copy
// CHECK: memref.collapse_shape
// CHECK: memref.expand_shape
func.func @shapes(%a: tensor<4x8xi32>) -> (tensor<32xi32>, tensor<2x8xi32>) {
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<4x8xi32> into tensor<32xi32>
  %part = tensor.extract_slice %a[0, 2] [4, 4] [1, 1] : tensor<4x8xi32> to tensor<4x4xi32>
  %short = tensor.collapse_shape %part [[0, 1]] : tensor<4x4xi32> into tensor<16xi32>
  %wide = tensor.expand_shape %short [[0, 1]] output_shape [2, 8] : tensor<16xi32> into tensor<2x8xi32>
  return %flat, %wide : tensor<32xi32>, tensor<2x8xi32>
}

// CHECK-LABEL: func.func @together
// CHECK: %[[PAD:.*]] = memref.alloc() : memref<4x7xi32>
// CHECK: linalg.fill ins(%c9_i32 : i32) outs(%[[PAD]]
// CHECK: memref.subview %[[PAD]][1, 2] [2, 4] [1, 1]
// CHECK: %[[ALL:.*]] = memref.alloc() : memref<6x7xi32>
// CHECK: memref.subview %[[ALL]][0, 0] [4, 7] [1, 1]
// CHECK: memref.subview %[[ALL]][4, 0] [2, 7] [1, 1]
// CHECK: return %[[ALL]]
func.func @together(%a: tensor<2x4xi32>, %b: tensor<2x7xi32>) -> tensor<6x7xi32> {
  %p = tensor.pad %a low[1, 2] high[1, 1] {
  ^bb0(%i: index, %j: index):
    %c9 = arith.constant 9 : i32
    tensor.yield %c9 : i32
  } : tensor<2x4xi32> to tensor<4x7xi32>
  %all = tensor.concat dim(0) %p, %b : (tensor<4x7xi32>, tensor<2x7xi32>) -> tensor<6x7xi32>
  return %all : tensor<6x7xi32>
}

// CHECK-LABEL: func.func @softmax
// CHECK: %[[OUT:.*]] = memref.alloc() : memref<4x8xf32>
// CHECK: linalg.softmax dimension(1) ins(%arg0 : memref<4x8xf32>) outs(%{{.*}} : memref<4x8xf32>)
func.func @softmax(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %s = linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// REMARK: remark: {{.*}}stays on tensors: what it puts around is computed
func.func @computed(%a: tensor<2xindex>) -> tensor<4xindex> {
  %p = tensor.pad %a low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %i : index
  } : tensor<2xindex> to tensor<4xindex>
  return %p : tensor<4xindex>
}

// What a to_buffer hands out lives on where it is returned; it is the buffer itself where nothing else uses
// the tensor and the function has made it, else a copy.
// CHECK-LABEL: func.func @handed_out
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<4x8xi32>
// CHECK: linalg.add {{.*}} outs(%[[SUM]]
// CHECK-NOT: memref.dealloc
// CHECK: return %[[SUM]]
func.func @handed_out(%a: memref<4x8xi32>) -> memref<4x8xi32> {
  %t = bufferization.to_tensor %a restrict : memref<4x8xi32> to tensor<4x8xi32>
  %e = tensor.empty() : tensor<4x8xi32>
  %s = linalg.add ins(%t, %t : tensor<4x8xi32>, tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) -> tensor<4x8xi32>
  %m = bufferization.to_buffer %s : tensor<4x8xi32> to memref<4x8xi32>
  return %m : memref<4x8xi32>
}

// CHECK-LABEL: func.func @used_again
// CHECK: linalg.add {{.*}} outs(%[[SUM:.*]] :
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<4x8xi32>
// CHECK: memref.copy %[[SUM]], %[[COPY]]
// CHECK: linalg.copy ins(%[[COPY]] : {{.*}}) outs(%arg1
// CHECK: memref.copy %[[SUM]], %arg0
// CHECK: memref.dealloc %[[SUM]]
// CHECK: memref.dealloc %[[COPY]]
// CHECK: return
func.func @used_again(%a: memref<4x8xi32>, %b: memref<4x8xi32>) {
  %t = bufferization.to_tensor %a restrict : memref<4x8xi32> to tensor<4x8xi32>
  %e = tensor.empty() : tensor<4x8xi32>
  %s = linalg.add ins(%t, %t : tensor<4x8xi32>, tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) -> tensor<4x8xi32>
  %m = bufferization.to_buffer %s : tensor<4x8xi32> to memref<4x8xi32>
  linalg.copy ins(%m : memref<4x8xi32>) outs(%b : memref<4x8xi32>)
  bufferization.materialize_in_destination %s in restrict writable %a : (tensor<4x8xi32>, memref<4x8xi32>) -> ()
  return
}

// A tensor that a loop carries is one buffer, here a copy of the argument. An op that computes what the round
// hands on, element by element, writes it there.
// CHECK-LABEL: func.func @carried(
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<8xi32>
// CHECK-NEXT: linalg.copy ins(%arg0 : {{.*}}) outs(%[[SUM]]
// CHECK-NEXT: scf.for %{{.*}} = %c0 to %arg2 step %c1 {
// CHECK-NEXT:   linalg.add ins(%[[SUM]], %arg1 : {{.*}}) outs(%[[SUM]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[SUM]]
func.func @carried(%a: tensor<8xi32>, %b: tensor<8xi32>, %n: index) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<8xi32>) {
    %e = tensor.empty() : tensor<8xi32>
    %s = linalg.add ins(%t, %b : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %s : tensor<8xi32>
  }
  return %r : tensor<8xi32>
}

// One that reads elements that it has written already computes it elsewhere.
// CHECK-LABEL: func.func @carried_apart(
// CHECK: scf.for
// CHECK-NEXT:   %[[NEXT:.*]] = memref.alloc()
// CHECK-NEXT:   linalg.generic {{.*}} ins(%[[T:.*]] : {{.*}}) outs(%[[NEXT]]
// CHECK:   linalg.copy ins(%[[NEXT]] : {{.*}}) outs(%[[T]]
// CHECK-NEXT:   memref.dealloc %[[NEXT]]
func.func @carried_apart(%a: tensor<4x4xi32>, %n: index) -> tensor<4x4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<4x4xi32>) {
    %e = tensor.empty() : tensor<4x4xi32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xi32>) outs(%e : tensor<4x4xi32>) {
    ^bb0(%x: i32, %y: i32):
      %z = arith.addi %x, %x : i32
      linalg.yield %z : i32
    } -> tensor<4x4xi32>
    scf.yield %s : tensor<4x4xi32>
  }
  return %r : tensor<4x4xi32>
}

// What is computed in place is not copied; a number that the loop carries as well stays.
// CHECK-LABEL: func.func @in_place
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<4x4xi32>
// CHECK: linalg.fill {{.*}} outs(%[[SUM]]
// CHECK: %[[COUNT:.*]] = scf.for {{.*}} iter_args(%[[C:.*]] = %c0) -> (index) {
// CHECK-NEXT:   linalg.matmul ins(%arg0, %arg0 : {{.*}}) outs(%[[SUM]]
// CHECK-NEXT:   %[[MORE:.*]] = arith.addi %[[C]]
// CHECK-NEXT:   scf.yield %[[MORE]] : index
// CHECK: return %[[SUM]], %[[COUNT]]
func.func @in_place(%a: tensor<4x4xi32>, %n: index) -> (tensor<4x4xi32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x4xi32>
  %z = linalg.fill ins(%zero : i32) outs(%e : tensor<4x4xi32>) -> tensor<4x4xi32>
  %r, %k = scf.for %i = %c0 to %n step %c1 iter_args(%t = %z, %c = %c0) -> (tensor<4x4xi32>, index) {
    %p = linalg.matmul ins(%a, %a : tensor<4x4xi32>, tensor<4x4xi32>) outs(%t : tensor<4x4xi32>) -> tensor<4x4xi32>
    %d = arith.addi %c, %i : index
    scf.yield %p, %d : tensor<4x4xi32>, index
  }
  return %r, %k : tensor<4x4xi32>, index
}

// Two that change places in each round: what lies in a buffer of the loop is saved before it is written over.
// CHECK-LABEL: func.func @swapped
// CHECK: scf.for
// CHECK:   linalg.copy ins(%[[B:.*]] : {{.*}}) outs(%[[SAVED_B:.*]] :
// CHECK:   linalg.copy ins(%[[A:.*]] : {{.*}}) outs(%[[SAVED_A:.*]] :
// CHECK:   linalg.copy ins(%[[SAVED_B]] : {{.*}}) outs(%[[A]]
// CHECK:   linalg.copy ins(%[[SAVED_A]] : {{.*}}) outs(%[[B]]
func.func @swapped(%a: tensor<8xi32>, %b: tensor<8xi32>, %n: index) -> (tensor<8xi32>, tensor<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a, %u = %b) -> (tensor<8xi32>, tensor<8xi32>) {
    scf.yield %u, %t : tensor<8xi32>, tensor<8xi32>
  }
  return %r#0, %r#1 : tensor<8xi32>, tensor<8xi32>
}

// A loop in a loop.
// CHECK-LABEL: func.func @nested
// CHECK: scf.for {{.*}} {
// CHECK:   scf.for {{.*}} {
// CHECK-NOT: tensor
// CHECK: return
func.func @nested(%a: tensor<8xi32>, %n: index) -> tensor<8xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<8xi32>) {
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%u = %t) -> (tensor<8xi32>) {
      %e = tensor.empty() : tensor<8xi32>
      %v = linalg.add ins(%u, %t : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
      scf.yield %v : tensor<8xi32>
    }
    scf.yield %s : tensor<8xi32>
  }
  return %r : tensor<8xi32>
}

// The same with memory around it, so that --check-each can compare: loops in loops, tensors that change places, and one
// that is used again after the loop.
// CHECK-LABEL: func.func @compared
// CHECK-NOT: tensor<
// CHECK: return
func.func @compared(%a: memref<8xi32>, %b: memref<8xi32>, %o: memref<8xi32>, %p: memref<8xi32>, %q: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = bufferization.to_tensor %a restrict : memref<8xi32> to tensor<8xi32>
  %y = bufferization.to_tensor %b restrict : memref<8xi32> to tensor<8xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x, %u = %y) -> (tensor<8xi32>, tensor<8xi32>) {
    %s = scf.for %j = %c0 to %i step %c1 iter_args(%v = %t) -> (tensor<8xi32>) {
      %e = tensor.empty() : tensor<8xi32>
      %w = linalg.add ins(%v, %u : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
      scf.yield %w : tensor<8xi32>
    }
    %f = tensor.empty() : tensor<8xi32>
    %g = linalg.sub ins(%s, %t : tensor<8xi32>, tensor<8xi32>) outs(%f : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %u, %g : tensor<8xi32>, tensor<8xi32>
  }
  %k = scf.for %i = %c0 to %n step %c1 iter_args(%t = %r#0) -> (tensor<8xi32>) {
    %e = tensor.empty() : tensor<8xi32>
    %w = linalg.mul ins(%t, %x : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) -> tensor<8xi32>
    scf.yield %w : tensor<8xi32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %o : (tensor<8xi32>, memref<8xi32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %p : (tensor<8xi32>, memref<8xi32>) -> ()
  bufferization.materialize_in_destination %k in restrict writable %q : (tensor<8xi32>, memref<8xi32>) -> ()
  return
}

// What two ops start with is filled for each of them; the filled tensor itself is no buffer.
// CHECK-LABEL: func.func @filled_twice(
// CHECK-COUNT-2: linalg.fill
// CHECK-NOT: linalg.copy
// CHECK-NOT: linalg.fill
// CHECK: return
func.func @filled_twice(%a: tensor<4x4xi32>, %b: tensor<4x4xi32>) -> (tensor<4x4xi32>, tensor<4x4xi32>) {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<4x4xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<4x4xi32>) -> tensor<4x4xi32>
  %p = linalg.matmul ins(%a, %b : tensor<4x4xi32>, tensor<4x4xi32>) outs(%f : tensor<4x4xi32>) -> tensor<4x4xi32>
  %q = linalg.matmul ins(%b, %a : tensor<4x4xi32>, tensor<4x4xi32>) outs(%f : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %p, %q : tensor<4x4xi32>, tensor<4x4xi32>
}

// Elementwise ops of other dialects; a tensor of one number is that number.
// CHECK-LABEL: func.func @elementwise(
// CHECK: linalg.generic {{.*}} ins(%arg0, %arg1 : memref<4x8xi32>, memref<4x8xi32>)
// CHECK: arith.cmpi slt, %{{.*}} : i32
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %arg0 : memref<4x8xi1>, memref<4x8xi32>)
// CHECK: arith.constant 7 : i32
// CHECK: arith.select %{{.*}} : i32
// CHECK-NOT: tensor<
// CHECK: return
func.func @elementwise(%a: tensor<4x8xi32>, %b: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %seven = arith.constant dense<7> : tensor<4x8xi32>
  %less = arith.cmpi slt, %a, %b : tensor<4x8xi32>
  %r = arith.select %less, %a, %seven : tensor<4x8xi1>, tensor<4x8xi32>
  return %r : tensor<4x8xi32>
}

// An element that an op, or its body, takes from a tensor.
// CHECK-LABEL: func.func @elements(
// CHECK: memref.load %arg0[%c2, %c3] : memref<4x8xi32>
// CHECK: ^bb0(%[[ROW:.*]]: i32, %{{.*}}: i32):
// CHECK: memref.load %arg0[%{{.*}}, %{{.*}}] : memref<4x8xi32>
func.func @elements(%table: tensor<4x8xi32>, %rows: tensor<3xi32>) -> tensor<3x8xi32> {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x = tensor.extract %table[%c2, %c3] : tensor<4x8xi32>
  %e = tensor.empty() : tensor<3x8xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<3xi32>) outs(%e : tensor<3x8xi32>) {
  ^bb0(%row: i32, %o: i32):
    %mask = arith.constant 3 : i32
    %number = arith.andi %row, %mask : i32
    %i = arith.index_cast %number : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%i, %j] : tensor<4x8xi32>
    %s = arith.addi %v, %x : i32
    linalg.yield %s : i32
  } -> tensor<3x8xi32>
  return %r : tensor<3x8xi32>
}

// In the body of a linalg op a tensor may be looked at under a condition, too.
// CHECK-LABEL: func.func @guarded
// CHECK: linalg.generic
// CHECK: scf.if
// CHECK: memref.load %arg0
func.func @guarded(%table: tensor<4xi32>, %rows: tensor<3xi32>) -> tensor<3xi32> {
  %e = tensor.empty() : tensor<3xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%rows : tensor<3xi32>) outs(%e : tensor<3xi32>) {
  ^bb0(%row: i32, %o: i32):
    %zero = arith.constant 0 : i32
    %three = arith.constant 3 : i32
    %number = arith.andi %row, %three : i32
    %i = arith.index_cast %number : i32 to index
    %p = arith.cmpi sgt, %row, %zero : i32
    %v = scf.if %p -> (i32) {
      %u = tensor.extract %table[%i] : tensor<4xi32>
      scf.yield %u : i32
    } else {
      scf.yield %zero : i32
    }
    linalg.yield %v : i32
  } -> tensor<3xi32>
  return %r : tensor<3xi32>
}
