// What host code around GPU programs says. `mlir-opt-19` prints the same.
// RUN: airlite-opt %s --allow-unregistered | FileCheck %s
// RUN: airlite-opt %s --allow-unregistered | airlite-opt --allow-unregistered | FileCheck %s
// RUN: airlite-opt %s --allow-unregistered --mlir-print-op-generic | airlite-opt --allow-unregistered | FileCheck %s
// RUN: airlite-opt %s --allow-unregistered --emit=json | airlite-opt --allow-unregistered | FileCheck %s

// CHECK: llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @printf(!llvm.ptr, ...) -> i32
// CHECK-NEXT: llvm.func @release(!llvm.ptr)
llvm.func external @release(!llvm.ptr)
// CHECK-NEXT: llvm.func internal @next(%arg0: i32) -> i32 attributes {passthrough = ["nounwind"]} {
// CHECK-NEXT: %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT: %1 = arith.addi %arg0, %0 : i32
// CHECK-NEXT: llvm.return %1 : i32
llvm.func internal @next(%i: i32) -> i32 attributes {passthrough = ["nounwind"]} {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = arith.addi %i, %0 : i32
  llvm.return %1 : i32
}
// CHECK: llvm.func @nothing() {
llvm.func @nothing() {
  llvm.return
}

// CHECK: llvm.mlir.global internal constant @text("Value %d\0A\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @text("Value %d\0A\00") {addr_space = 0 : i32}
// CHECK-NEXT: llvm.mlir.global external @number(7 : i32) {addr_space = 0 : i32} : i32
llvm.mlir.global @number(7 : i32) : i32
// CHECK-NEXT: llvm.mlir.global external @elsewhere() {addr_space = 0 : i32} : !llvm.array<4 x f32>
llvm.mlir.global external @elsewhere() : !llvm.array<4 x f32>
// CHECK-NEXT: llvm.mlir.global private @made() {addr_space = 0 : i32} : !llvm.ptr {
// CHECK-NEXT: %0 = llvm.mlir.zero : !llvm.ptr
// CHECK-NEXT: llvm.return %0 : !llvm.ptr
llvm.mlir.global private @made() : !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// CHECK: func.func @values(%arg0: i64, %arg1: i32)
func.func @values(%i: i64, %n: i32) {
  // CHECK-NEXT: %0 = llvm.mlir.addressof @text : !llvm.ptr
  %0 = llvm.mlir.addressof @text : !llvm.ptr
  // CHECK-NEXT: %1 = llvm.call @printf(%0, %arg1) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  %1 = llvm.call @printf(%0, %n) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  // CHECK-NEXT: llvm.call @release(%0) : (!llvm.ptr) -> ()
  llvm.call @release(%0) : (!llvm.ptr) -> ()
  // CHECK-NEXT: %2 = llvm.inttoptr %arg0 : i64 to !llvm.ptr
  %2 = llvm.inttoptr %i : i64 to !llvm.ptr
  // CHECK-NEXT: %3 = llvm.ptrtoint %2 : !llvm.ptr to i64
  %3 = llvm.ptrtoint %2 : !llvm.ptr to i64
  // CHECK-NEXT: %4 = llvm.alloca %arg1 x f32 {alignment = 8 : i64} : (i32) -> !llvm.ptr
  %4 = llvm.alloca %n x f32 {alignment = 8 : i64} : (i32) -> !llvm.ptr
  // CHECK-NEXT: %5 = llvm.getelementptr inbounds %4[%arg0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %5 = llvm.getelementptr inbounds %4[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  // CHECK-NEXT: %6 = llvm.getelementptr %5[0, 1, %arg1] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, array<4 x f32>)>
  %6 = llvm.getelementptr %5[0, 1, %n] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, array<4 x f32>)>
  // CHECK-NEXT: %7 = llvm.mlir.constant(4096 : index) : i64
  %7 = llvm.mlir.constant(4096 : index) : i64
  // CHECK-NEXT: %8 = llvm.mlir.undef : !llvm.struct<packed (i8, i32)>
  %8 = llvm.mlir.undef : !llvm.struct<packed (i8, i32)>
  // CHECK-NEXT: %9 = llvm.mlir.poison : !llvm.struct<(ptr<3>, i64, array<2 x i64>, struct<()>)>
  %9 = llvm.mlir.poison : !llvm.struct<(ptr<3>, i64, array<2 x i64>, struct<()>)>
  // CHECK-NEXT: %10 = llvm.insertvalue %arg0, %9[2, 1] : !llvm.struct<(ptr<3>, i64, array<2 x i64>, struct<()>)>
  %10 = llvm.insertvalue %i, %9[2, 1] : !llvm.struct<(ptr<3>, i64, array<2 x i64>, struct<()>)>
  // CHECK-NEXT: %11 = llvm.extractvalue %10[0] : !llvm.struct<(ptr<3>, i64, array<2 x i64>, struct<()>)>
  %11 = llvm.extractvalue %10[0] : !llvm.struct<(ptr<3>, i64, array<2 x i64>, struct<()>)>
  // CHECK-NEXT: %12 = llvm.bitcast %11 : !llvm.ptr<3> to !llvm.ptr<3>
  %12 = llvm.bitcast %11 : !llvm.ptr<3> to !llvm.ptr<3>
  // CHECK-NEXT: %13 = llvm.bitcast %arg0 : i64 to vector<2xf32>
  %13 = llvm.bitcast %i : i64 to vector<2xf32>
  // CHECK-NEXT: "test.use"(%12, %13) : (!llvm.ptr<3>, vector<2xf32>) -> ()
  "test.use"(%12, %13) : (!llvm.ptr<3>, vector<2xf32>) -> ()
  return
}
