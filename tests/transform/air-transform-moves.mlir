// RUN: airlite-opt %s --check-each --air-transform='filename=%S/Inputs/air-transform-moves.mlir' | FileCheck %s
// RUN: airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-moves.mlir' --remarks 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// Two reads of one place are one, until something may have written there.
// CHECK-LABEL: func.func @reads
// CHECK-COUNT-2: vector.transfer_read
// CHECK-NOT: vector.transfer_read
// CHECK: vector.transfer_write
// CHECK: vector.transfer_read
// CHECK-NOT: vector.transfer_read
func.func @reads(%m: memref<16xi32>, %o: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0 : i32
  %other = memref.alloc() : memref<16xi32>
  %1 = vector.transfer_read %m[%c0], %z {in_bounds = [true]} : memref<16xi32>, vector<8xi32>
  %2 = vector.transfer_read %m[%c8], %z {in_bounds = [true]} : memref<16xi32>, vector<8xi32>
  %3 = vector.transfer_read %m[%c0], %z {in_bounds = [true]} : memref<16xi32>, vector<8xi32>
  %4 = arith.addi %1, %3 : vector<8xi32>
  vector.transfer_write %4, %o[%c0] {in_bounds = [true]} : vector<8xi32>, memref<16xi32>
  %5 = vector.transfer_read %m[%c0], %z {in_bounds = [true]} : memref<16xi32>, vector<8xi32>
  %6 = arith.addi %5, %2 : vector<8xi32>
  vector.transfer_write %6, %o[%c8] {in_bounds = [true]} : vector<8xi32>, memref<16xi32>
  memref.dealloc %other : memref<16xi32>
  return
}

// A write of other memory does not matter, one in a loop does.
// CHECK-LABEL: func.func @other_memory
// CHECK: vector.transfer_read
// CHECK: vector.transfer_write
// CHECK-NOT: vector.transfer_read
// CHECK: scf.for
// CHECK: vector.transfer_read
func.func @other_memory(%o: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %a = memref.alloc() : memref<8xi32>
  %b = memref.alloc() : memref<8xi32>
  linalg.fill ins(%z : i32) outs(%a : memref<8xi32>)
  %1 = vector.transfer_read %a[%c0], %z {in_bounds = [true]} : memref<8xi32>, vector<8xi32>
  vector.transfer_write %1, %b[%c0] {in_bounds = [true]} : vector<8xi32>, memref<8xi32>
  %2 = vector.transfer_read %a[%c0], %z {in_bounds = [true]} : memref<8xi32>, vector<8xi32>
  scf.for %i = %c0 to %c1 step %c1 {
    %one = arith.constant 1 : i32
    memref.store %one, %a[%i] : memref<8xi32>
  }
  %3 = vector.transfer_read %a[%c0], %z {in_bounds = [true]} : memref<8xi32>, vector<8xi32>
  %4 = arith.addi %2, %3 : vector<8xi32>
  vector.transfer_write %4, %o[%c0] {in_bounds = [true]} : vector<8xi32>, memref<8xi32>
  memref.dealloc %a : memref<8xi32>
  memref.dealloc %b : memref<8xi32>
  return
}

// CHECK-LABEL: func.func @cascade
// CHECK-NOT: memref.alloc
// CHECK: air.dma_memcpy_nd (%arg1[] [] [], %arg0[] [] []) : (memref<64xi32>, memref<8x8xi32>)
// CHECK-NOT: air.dma_memcpy_nd
func.func @cascade(%from: memref<8x8xi32>, %to: memref<64xi32>) {
  %b = memref.alloc() : memref<4x16xi32>
  air.dma_memcpy_nd (%b[] [] [], %from[] [] []) : (memref<4x16xi32>, memref<8x8xi32>)
  air.dma_memcpy_nd (%to[] [] [], %b[] [] []) : (memref<64xi32>, memref<4x16xi32>)
  memref.dealloc %b : memref<4x16xi32>
  return
}

// The tokens that both waited for are those of the one; who waited for the first one waits for it.
// CHECK-LABEL: func.func @tokens
// CHECK: %[[W:.*]] = air.wait_all async
// CHECK: %[[T:.*]] = air.dma_memcpy_nd async [%[[W]]] (%arg1[] [] [], %arg0[] [] [])
// CHECK: air.wait_all [%[[T]], %[[T]]]
func.func @tokens(%from: memref<8x8xi32>, %to: memref<64xi32>) {
  %w = air.wait_all async
  %b = memref.alloc() : memref<64xi32>
  %1 = air.dma_memcpy_nd async [%w] (%b[] [] [], %from[] [] []) : (memref<64xi32>, memref<8x8xi32>)
  %2 = air.dma_memcpy_nd async [%1] (%to[] [] [], %b[] [] []) : (memref<64xi32>, memref<64xi32>)
  air.wait_all [%1, %2]
  return
}

// REMARK: remark: {{.*}}stays: what it copied may change before it is copied on
// CHECK-LABEL: func.func @changed
// CHECK-COUNT-2: air.dma_memcpy_nd
func.func @changed(%from: memref<64xi32>, %to: memref<64xi32>) {
  %z = arith.constant 0 : i32
  %b = memref.alloc() : memref<64xi32>
  air.dma_memcpy_nd (%b[] [] [], %from[] [] []) : (memref<64xi32>, memref<64xi32>)
  linalg.fill ins(%z : i32) outs(%from : memref<64xi32>)
  air.dma_memcpy_nd (%to[] [] [], %b[] [] []) : (memref<64xi32>, memref<64xi32>)
  memref.dealloc %b : memref<64xi32>
  return
}

// Vectors of several dimensions go round as one dimension; numbers and flat vectors stay.
// CHECK-LABEL: func.func @flat
// CHECK: %[[IN:.*]] = vector.shape_cast %{{.*}} : vector<2x4xi32> to vector<8xi32>
// CHECK: %[[ALL:.*]]:3 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[IN]], %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) -> (vector<8xi32>, i32, vector<8xi32>)
// CHECK: %[[S:.*]] = vector.shape_cast %[[A]] : vector<8xi32> to vector<2x4xi32>
// CHECK: %[[T:.*]] = arith.addi %[[S]], %[[S]] : vector<2x4xi32>
// CHECK: %[[F:.*]] = vector.shape_cast %[[T]] : vector<2x4xi32> to vector<8xi32>
// CHECK: scf.yield %[[F]], %{{.*}}, %{{.*}} : vector<8xi32>, i32, vector<8xi32>
// CHECK: vector.shape_cast %[[ALL]]#0 : vector<8xi32> to vector<2x4xi32>
func.func @flat(%m: memref<2x4xi32>, %v: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0 : i32
  %a = vector.transfer_read %m[%c0, %c0], %z {in_bounds = [true, true]} : memref<2x4xi32>, vector<2x4xi32>
  %b = vector.transfer_read %v[%c0], %z {in_bounds = [true]} : memref<8xi32>, vector<8xi32>
  %r:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %n = %z, %y = %b) -> (vector<2x4xi32>, i32, vector<8xi32>) {
    %t = arith.addi %x, %x : vector<2x4xi32>
    %k = arith.index_cast %i : index to i32
    %s = arith.addi %n, %k : i32
    %u = arith.muli %y, %y : vector<8xi32>
    scf.yield %t, %s, %u : vector<2x4xi32>, i32, vector<8xi32>
  } {flatten}
  vector.transfer_write %r#0, %m[%c0, %c0] {in_bounds = [true, true]} : vector<2x4xi32>, memref<2x4xi32>
  %w = vector.broadcast %r#1 : i32 to vector<8xi32>
  %sum = arith.addi %w, %r#2 : vector<8xi32>
  vector.transfer_write %sum, %v[%c0] {in_bounds = [true]} : vector<8xi32>, memref<8xi32>
  return
}
