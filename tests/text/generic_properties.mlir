// The generic form as MLIR 19 has it: defaults are written out, enums in their long spelling.
// RUN: airlite-opt %s --print-generic | FileCheck %s
// RUN: airlite-opt %s --print-generic > %t && airlite-opt %t --print-generic | diff %t -
// RUN: airlite-opt %s > %t.custom && airlite-opt %t | diff %t.custom -
// RUN: airlite-opt %t --emit=json > %t.json && airlite-opt %t.json --print-generic | diff %t -
// RUN: airlite-opt %t --cse | FileCheck %s --check-prefix=CSE

// CHECK: "arith.addi"(%{{.*}}) <{overflowFlags = #arith.overflow<none>}>
// CHECK: "arith.addf"(%{{.*}}) <{fastmath = #arith.fastmath<none>}>
// CHECK: "arith.addf"(%{{.*}}) <{fastmath = #arith.fastmath<nnan,ninf>}>
// CHECK: "arith.cmpf"(%{{.*}}) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}>
// CHECK: "memref.load"(%{{.*}}) : (memref<4xf32>, index) -> f32
// CHECK: "memref.load"(%{{.*}}) <{nontemporal = true}> : (memref<4xf32>, index) -> f32
func.func @f(%i: i32, %x: f32, %m: memref<4xf32>, %n: index) {
  %0 = arith.addi %i, %i : i32
  %1 = arith.addf %x, %x : f32
  %2 = arith.addf %x, %x fastmath<nnan,ninf> : f32
  %3 = arith.cmpf olt, %x, %x : f32
  %4 = memref.load %m[%n] : memref<4xf32>
  %5 = memref.load %m[%n] {nontemporal = true} : memref<4xf32>
  return
}

// A default that is written out is the same as none.
// CSE-LABEL: func.func @same
// CSE: %[[S:.*]] = arith.addi
// CSE-NEXT: return %[[S]], %[[S]]
func.func @same(%i: i32) -> (i32, i32) {
  %0 = arith.addi %i, %i : i32
  %1 = "arith.addi"(%i, %i) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
  return %0, %1 : i32, i32
}

gpu.module @m {
  gpu.func @k(%a: f32, %m: memref<4xf32, #gpu.address_space<workgroup>>) kernel {
    // CHECK: "gpu.thread_id"() <{dimension = #gpu<dim x>}>
    %x = gpu.thread_id x
    // CHECK: "gpu.thread_id"() <{dimension = #gpu<dim y>}>
    %y = "gpu.thread_id"() <{dimension = #gpu.dim<y>}> : () -> index
    // CHECK: "gpu.block_id"() <{dimension = #gpu<dim z>}>
    %z = "gpu.block_id"() <{dimension = #gpu<dim z>}> : () -> index
    %w = arith.constant 32 : i32
    // CHECK: "gpu.shuffle"(%{{.*}}) <{mode = #gpu<shuffle_mode xor>}>
    %s, %p = gpu.shuffle xor %a, %w, %w : f32
    gpu.return
  }
}
