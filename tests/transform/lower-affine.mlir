// lower-affine: each op and what it becomes.
// RUN: airlite-opt --allow-unregistered --lower-affine %s | FileCheck %s

#set = affine_set<(d0)[s0] : (d0 - 5 >= 0, s0 - d0 == 0)>

// CHECK-LABEL: func.func @arithmetic(
// CHECK-NEXT: %c4 = arith.constant 4 : index
// CHECK-NEXT: %0 = arith.muli %arg0, %c4 : index
// CHECK-NEXT: %c-1 = arith.constant -1 : index
// CHECK-NEXT: %1 = arith.muli %arg1, %c-1 : index
// CHECK-NEXT: %2 = arith.addi %0, %1 : index
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %3 = arith.addi %2, %c2 : index
// CHECK-NEXT: %c5 = arith.constant 5 : index
// CHECK-NEXT: %4 = arith.remsi %arg0, %c5 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %5 = arith.cmpi slt, %4, %c0 : index
// CHECK-NEXT: %6 = arith.addi %4, %c5 : index
// CHECK-NEXT: %7 = arith.select %5, %6, %4 : index
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %c0_0 = arith.constant 0 : index
// CHECK-NEXT: %c-1_1 = arith.constant -1 : index
// CHECK-NEXT: %8 = arith.cmpi slt, %arg0, %c0_0 : index
// CHECK-NEXT: %9 = arith.subi %c-1_1, %arg0 : index
// CHECK-NEXT: %10 = arith.select %8, %9, %arg0 : index
// CHECK-NEXT: %11 = arith.divsi %10, %c3 : index
// CHECK-NEXT: %12 = arith.subi %c-1_1, %11 : index
// CHECK-NEXT: %13 = arith.select %8, %12, %11 : index
// CHECK-NEXT: %c7 = arith.constant 7 : index
// CHECK-NEXT: %c0_2 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %14 = arith.cmpi sle, %arg0, %c0_2 : index
// CHECK-NEXT: %15 = arith.subi %arg0, %c1 : index
// CHECK-NEXT: %16 = arith.select %14, %arg0, %15 : index
// CHECK-NEXT: %17 = arith.divsi %16, %c7 : index
// CHECK-NEXT: %18 = arith.addi %17, %c1 : index
// CHECK-NEXT: %19 = arith.select %14, %17, %18 : index
// CHECK-NEXT: return %3, %7, %13, %19 : index, index, index, index
func.func @arithmetic(%a: index, %b: index) -> (index, index, index, index) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 * 4 - s0 + 2)>(%a)[%b]
  %1 = affine.apply affine_map<(d0) -> (d0 mod 5)>(%a)
  %2 = affine.apply affine_map<(d0) -> (d0 floordiv 3)>(%a)
  %3 = affine.apply affine_map<(d0) -> (d0 ceildiv 7)>(%a)
  return %0, %1, %2, %3 : index, index, index, index
}

// CHECK-LABEL: func.func @min_and_max(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = arith.addi %arg1, %c1 : index
// CHECK-NEXT: %c5 = arith.constant 5 : index
// CHECK-NEXT: %1 = arith.minsi %arg0, %0 : index
// CHECK-NEXT: %2 = arith.minsi %1, %c5 : index
// CHECK-NEXT: %3 = arith.maxsi %arg0, %arg1 : index
// CHECK-NEXT: return %2, %3 : index, index
func.func @min_and_max(%a: index, %b: index) -> (index, index) {
  %0 = affine.min affine_map<(d0)[s0] -> (d0, s0 + 1, 5)>(%a)[%b]
  %1 = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%a)[%b]
  return %0, %1 : index, index
}

// CHECK-LABEL: func.func @loop(
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %0 = arith.maxsi %arg0, %c3 : index
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %1 = arith.muli %arg0, %c2 : index
// CHECK-NEXT: %c9 = arith.constant 9 : index
// CHECK-NEXT: %2 = arith.minsi %1, %c9 : index
// CHECK-NEXT: %c2_0 = arith.constant 2 : index
// CHECK-NEXT: %3 = scf.for %arg3 = %0 to %2 step %c2_0 iter_args(%arg4 = %arg2) -> (f32) {
// CHECK-NEXT: %c1_1 = arith.constant 1 : index
// CHECK-NEXT: %4 = arith.addi %arg3, %c1_1 : index
// CHECK-NEXT: %5 = memref.load %arg1[%4] : memref<10xf32>
// CHECK-NEXT: %c3_2 = arith.constant 3 : index
// CHECK-NEXT: memref.store %5, %arg1[%c3_2] : memref<10xf32>
// CHECK-NEXT: scf.yield %5 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: scf.for %arg3 = %c0 to %arg0 step %c1 {
// CHECK-NEXT: "t.use"(%arg3) : (index) -> ()
// CHECK-NEXT: } {tag}
// CHECK-NEXT: return %3 : f32
func.func @loop(%a: index, %m: memref<10xf32>, %f: f32) -> f32 {
  %0 = affine.for %i = max affine_map<(d0) -> (d0, 3)>(%a) to min affine_map<(d0) -> (d0 * 2, 9)>(%a) step 2 iter_args(%x = %f) -> (f32) {
    %1 = affine.load %m[%i + 1] : memref<10xf32>
    affine.store %1, %m[3] : memref<10xf32>
    affine.yield %1 : f32
  }
  affine.for %i = 0 to %a {
    "t.use"(%i) : (index) -> ()
  } {tag}
  return %0 : f32
}

// CHECK-LABEL: func.func @conditionals(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c-5 = arith.constant -5 : index
// CHECK-NEXT: %0 = arith.addi %arg0, %c-5 : index
// CHECK-NEXT: %1 = arith.cmpi sge, %0, %c0 : index
// CHECK-NEXT: %c-1 = arith.constant -1 : index
// CHECK-NEXT: %2 = arith.muli %arg0, %c-1 : index
// CHECK-NEXT: %3 = arith.addi %2, %arg1 : index
// CHECK-NEXT: %4 = arith.cmpi eq, %3, %c0 : index
// CHECK-NEXT: %5 = arith.andi %1, %4 : i1
// CHECK-NEXT: scf.if %5 {
// CHECK-NEXT: "t.then"() : () -> ()
// CHECK-NEXT: } else {
// CHECK-NEXT: "t.else"() : () -> ()
// CHECK-NEXT: }
// CHECK-NEXT: %c0_0 = arith.constant 0 : index
// CHECK-NEXT: %6 = arith.cmpi eq, %arg0, %c0_0 : index
// CHECK-NEXT: %7 = scf.if %6 -> (f32) {
// CHECK-NEXT: scf.yield %arg2 : f32
// CHECK-NEXT: } else {
// CHECK-NEXT: %8 = "t.op"() : () -> f32
// CHECK-NEXT: scf.yield %8 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %7 : f32
func.func @conditionals(%a: index, %b: index, %f: f32) -> f32 {
  affine.if #set(%a)[%b] {
    "t.then"() : () -> ()
  } else {
    "t.else"() : () -> ()
  }
  %0 = affine.if affine_set<(d0) : (d0 == 0)>(%a) -> f32 {
    affine.yield %f : f32
  } else {
    %1 = "t.op"() : () -> f32
    affine.yield %1 : f32
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @parallel(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: %0 = arith.addi %arg1, %c2 : index
// CHECK-NEXT: %c20 = arith.constant 20 : index
// CHECK-NEXT: %1 = arith.minsi %c20, %arg1 : index
// CHECK-NEXT: %c2_0 = arith.constant 2 : index
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: scf.parallel (%arg2, %arg3) = (%c0, %arg0) to (%0, %1) step (%c2_0, %c3) {
// CHECK-NEXT: "t.use"(%arg2, %arg3) : (index, index) -> ()
// CHECK-NEXT: scf.reduce
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @parallel(%a: index, %b: index) {
  affine.parallel (%i, %j) = (0, %a) to (%b + 2, min(20, %b)) step (2, 3) {
    "t.use"(%i, %j) : (index, index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @reductions(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c10 = arith.constant 10 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %cst_0 = arith.constant 0xFF800000 : f32
// CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT: %c-1_i32 = arith.constant -1 : i32
// CHECK-NEXT: %c2147483647_i32 = arith.constant 2147483647 : i32
// CHECK-NEXT: %0:5 = scf.parallel (%arg2) = (%c0) to (%c10) step (%c1) init (%cst, %cst_0, %c1_i32, %c-1_i32, %c2147483647_i32) -> (f32, f32, i32, i32, i32) {
// CHECK-NEXT: scf.reduce(%arg0, %arg0, %arg1, %arg1, %arg1 : f32, f32, i32, i32, i32) {
// CHECK-NEXT: ^bb0(%arg3: f32, %arg4: f32):
// CHECK-NEXT: %1 = arith.addf %arg3, %arg4 : f32
// CHECK-NEXT: scf.reduce.return %1 : f32
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0(%arg3: f32, %arg4: f32):
// CHECK-NEXT: %1 = arith.maximumf %arg3, %arg4 : f32
// CHECK-NEXT: scf.reduce.return %1 : f32
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0(%arg3: i32, %arg4: i32):
// CHECK-NEXT: %1 = arith.muli %arg3, %arg4 : i32
// CHECK-NEXT: scf.reduce.return %1 : i32
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0(%arg3: i32, %arg4: i32):
// CHECK-NEXT: %1 = arith.andi %arg3, %arg4 : i32
// CHECK-NEXT: scf.reduce.return %1 : i32
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0(%arg3: i32, %arg4: i32):
// CHECK-NEXT: %1 = arith.minsi %arg3, %arg4 : i32
// CHECK-NEXT: scf.reduce.return %1 : i32
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return %0#0, %0#1, %0#2, %0#3, %0#4 : f32, f32, i32, i32, i32
func.func @reductions(%f: f32, %n: i32) -> (f32, f32, i32, i32, i32) {
  %0:5 = affine.parallel (%i) = (0) to (10) reduce ("addf", "maximumf", "muli", "andi", "mins") -> (f32, f32, i32, i32, i32) {
    affine.yield %f, %f, %n, %n, %n : f32, f32, i32, i32, i32
  }
  return %0#0, %0#1, %0#2, %0#3, %0#4 : f32, f32, i32, i32, i32
}

// CHECK-LABEL: func.func @accesses(
// CHECK-NEXT: %c5 = arith.constant 5 : index
// CHECK-NEXT: memref.prefetch %arg0[%arg1, %c5], read, locality<3>, data : memref<10x10xf32>
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = vector.load %arg0[%arg1, %c0] : memref<10x10xf32>, vector<4xf32>
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: vector.store %0, %arg0[%arg1, %c2] {tag} : memref<10x10xf32>, vector<4xf32>
// CHECK-NEXT: return
func.func @accesses(%m: memref<10x10xf32>, %n: index) {
  affine.prefetch %m[%n, 5], read, locality<3>, data : memref<10x10xf32>
  %0 = affine.vector_load %m[symbol(%n), 0] : memref<10x10xf32>, vector<4xf32>
  affine.vector_store %0, %m[%n, 2] {tag} : memref<10x10xf32>, vector<4xf32>
  return
}

// CHECK-LABEL: func.func @transfers(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = arith.addi %arg3, %c1 : index
// CHECK-NEXT: %c5 = arith.constant 5 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: memref.dma_start %arg0[%0], %arg1[%c5], %arg3, %arg2[%c0] : memref<10xf32>, memref<10xf32, 2>, memref<4xi32>
// CHECK-NEXT: %c5_0 = arith.constant 5 : index
// CHECK-NEXT: %c0_1 = arith.constant 0 : index
// CHECK-NEXT: memref.dma_start %arg0[%arg3], %arg1[%c5_0], %arg3, %arg2[%c0_1], %arg3, %arg3 : memref<10xf32>, memref<10xf32, 2>, memref<4xi32>
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: memref.dma_wait %arg2[%c2], %arg3 : memref<4xi32>
// CHECK-NEXT: return
func.func @transfers(%m: memref<10xf32>, %l: memref<10xf32, 2>, %t: memref<4xi32>, %n: index) {
  affine.dma_start %m[%n + 1], %l[5], %t[0], %n : memref<10xf32>, memref<10xf32, 2>, memref<4xi32>
  affine.dma_start %m[%n], %l[5], %t[0], %n, %n, %n : memref<10xf32>, memref<10xf32, 2>, memref<4xi32>
  affine.dma_wait %t[2], %n : memref<4xi32>
  return
}

// CHECK-LABEL: func.func @indices(
// CHECK-NEXT: %c8 = arith.constant 8 : index
// CHECK-NEXT: %0 = arith.remsi %arg0, %c8 : index
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %1 = arith.cmpi slt, %0, %c0 : index
// CHECK-NEXT: %2 = arith.addi %0, %c8 : index
// CHECK-NEXT: %3 = arith.select %1, %2, %0 : index
// CHECK-NEXT: %c0_0 = arith.constant 0 : index
// CHECK-NEXT: %c-1 = arith.constant -1 : index
// CHECK-NEXT: %4 = arith.cmpi slt, %arg0, %c0_0 : index
// CHECK-NEXT: %5 = arith.subi %c-1, %arg0 : index
// CHECK-NEXT: %6 = arith.select %4, %5, %arg0 : index
// CHECK-NEXT: %7 = arith.divsi %6, %c8 : index
// CHECK-NEXT: %8 = arith.subi %c-1, %7 : index
// CHECK-NEXT: %9 = arith.select %4, %8, %7 : index
// CHECK-NEXT: %c8_1 = arith.constant 8 : index
// CHECK-NEXT: %10 = arith.muli %arg0, %c8_1 : index
// CHECK-NEXT: %11 = arith.addi %10, %arg1 : index
// CHECK-NEXT: return %9, %3, %11 : index, index, index
func.func @indices(%i: index, %n: index) -> (index, index, index) {
  %0:2 = affine.delinearize_index %i into (%n, 8) : index, index
  %1 = affine.linearize_index [%i, %n] by (4, 8) : index
  return %0#0, %0#1, %1 : index, index, index
}
