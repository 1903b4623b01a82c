// Pointers, accesses and loop annotations. `mlir-opt-19` prints the same.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s | airlite-opt | FileCheck %s
// RUN: airlite-opt %s --mlir-print-op-generic | airlite-opt | FileCheck %s

// CHECK: #loop_annotation = #llvm.loop_annotation<mustProgress = false>
// CHECK-NEXT: #loop_unroll = #llvm.loop_unroll<disable = true>
// CHECK-NEXT: #loop_unroll1 = #llvm.loop_unroll<count = 4 : i32>
// CHECK-NEXT: #loop_vectorize = #llvm.loop_vectorize<disable = false, width = 4 : i32>
// CHECK-NEXT: #map = affine_map<(d0) -> (d0 * 3)>
// CHECK-NEXT: #loop_annotation1 = #llvm.loop_annotation<unroll = #loop_unroll, mustProgress = true>
// CHECK-NEXT: #loop_annotation2 = #llvm.loop_annotation<disableNonforced = true, vectorize = #loop_vectorize, unroll = #loop_unroll1>
#u = #llvm.loop_unroll<disable = true>
#a = #llvm.loop_annotation<unroll = #u, mustProgress = true>
#b = #llvm.loop_annotation<disableNonforced = true, vectorize = <disable = false, width = 4 : i32>, unroll = <count = 4 : i32>>
func.func @loops(%x: index) attributes {x.l = #llvm.loop_annotation<mustProgress = false>} {
  %0 = affine.apply affine_map<(d0) -> (d0 * 3)>(%x)
  scf.for %i = %x to %0 step %x {
    // CHECK: } {loop_annotation = #loop_annotation1}
  } {loop_annotation = #a}
  scf.for %i = %x to %0 step %x {
    // CHECK: } {loop_annotation = #loop_annotation2}
  } {loop_annotation = #b}
  scf.for %i = %x to %0 step %x {
    // CHECK: } {loop_annotation = #loop_unroll}
  } {loop_annotation = #u}
  return
}

// CHECK: func.func @accesses(%arg0: !llvm.ptr, %arg1: !llvm.ptr<3>, %arg2: i32, %arg3: f32)
func.func @accesses(%p: !llvm.ptr<0>, %q: !llvm.ptr<3>, %v: i32, %f: f32) {
  // CHECK-NEXT: %0 = llvm.atomicrmw xchg %arg0, %arg2 syncscope("") release : !llvm.ptr, i32
  %0 = llvm.atomicrmw xchg %p, %v syncscope("") release : !llvm.ptr, i32
  // CHECK-NEXT: %1 = llvm.atomicrmw volatile fadd %arg1, %arg3 seq_cst {alignment = 8 : i64} : !llvm.ptr<3>, f32
  %1 = llvm.atomicrmw volatile fadd %q, %f seq_cst {alignment = 8 : i64} : !llvm.ptr<3>, f32
  // CHECK-NEXT: %2 = llvm.load %arg0 atomic syncscope("") acquire {alignment = 4 : i64} : !llvm.ptr -> i32
  %2 = llvm.load %p atomic syncscope("") acquire {alignment = 4 : i64} : !llvm.ptr -> i32
  // CHECK-NEXT: %3 = llvm.load volatile %arg0 invariant {alignment = 4 : i64} : !llvm.ptr -> !llvm.ptr<1>
  %3 = llvm.load volatile %p invariant {alignment = 4 : i64} : !llvm.ptr -> !llvm.ptr<1>
  // CHECK-NEXT: llvm.store %2, %arg0 : i32, !llvm.ptr
  llvm.store %2, %p : i32, !llvm.ptr
  // CHECK-NEXT: llvm.store volatile %2, %arg0 atomic syncscope("agent") release {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.store volatile %2, %p atomic syncscope("agent") release {alignment = 4 : i64} : i32, !llvm.ptr
  return
}
