// What fuzzing found: programs that were printed as something that did not read back the same.
// RUN: airlite-opt %s --allow-unregistered --print-debuginfo | airlite-opt --allow-unregistered --print-debuginfo | FileCheck %s

// Locations follow the attributes of arguments.
// CHECK: func.func @arguments(%arg0: i32 {a.b} loc("f":1:2), %arg1: f32 loc("g"))
func.func @arguments(%a: i32 {a.b} loc("f":1:2), %b: f32 loc("g")) {
  return
}

// CHECK: gpu.func @arguments(%arg0: i32 {a.b} loc("f":1:2))
gpu.module @m {
  gpu.func @arguments(%a: i32 {a.b} loc("f":1:2)) {
    gpu.return
  }
}

// What is unknown stays unknown.
// CHECK: "a.unknown"() : () -> () loc(#[[UNKNOWN:.*]])
"a.unknown"() : () -> () loc(unknown)

// Without operands the sizes of the groups need not be said.
// CHECK-LABEL: @no_segments
// CHECK: affine.for %{{.*}} = 0 to 10 {
func.func @no_segments() {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, step = 1 : index, upperBoundMap = affine_map<() -> (10)>}> ({
  ^bb0(%i: index):
    affine.yield
  }) : () -> ()
  return
}

// CHECK-LABEL: @switch_types
// CHECK: scf.index_switch %arg0 -> i32, i32
// CHECK: scf.index_switch %arg0 -> i32, i32
func.func @switch_types(%a: index, %b: i32) {
  %0:2 = scf.index_switch %a -> i32, i32
  case 1 {
    scf.yield %b, %b : i32, i32
  }
  default {
    scf.yield %b, %b : i32, i32
  }
  %1:2 = scf.index_switch %a -> (i32, i32)
  default {
    scf.yield %b, %b : i32, i32
  }
  return
}

// CHECK: #[[UNKNOWN]] = loc(unknown)
