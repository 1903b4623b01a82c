// RUN: airlite-opt --canonicalize --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @waits
// CHECK-NEXT: %0 = airrt.wait_all %arg0, %arg1 : !airrt.event
// CHECK-NEXT: return %0
func.func @waits(%a: !airrt.event, %b: !airrt.event) -> !airrt.event {
  %unused = airrt.wait_all %a : !airrt.event
  %0 = airrt.wait_all %a, %b : !airrt.event
  %1 = airrt.wait_all %0, %a, %a : !airrt.event
  airrt.wait_all
  return %1 : !airrt.event
}

// A wait with a mark stays, whoever takes over what it waits for.
// CHECK-LABEL: func.func @marks
// CHECK-NEXT: %0 = airrt.wait_all %arg0 {air.segment_end} : !airrt.event
// CHECK-NEXT: airrt.wait_all {air.launch_end}
// CHECK-NEXT: airrt.wait_all %arg0
func.func @marks(%a: !airrt.event) {
  %0 = airrt.wait_all %a {air.segment_end} : !airrt.event
  airrt.wait_all {air.launch_end}
  airrt.wait_all %0
  return
}

// Memory that comes from elsewhere may be somebody else's.
// CHECK-LABEL: func.func @allocs
// CHECK-NEXT: airrt.dealloc %arg0
// CHECK-NEXT: %0 = airrt.alloc
// CHECK-NEXT: call @use(%0)
// CHECK-NEXT: airrt.dealloc %0
// CHECK-NEXT: return
func.func private @use(memref<8xi32, 1>)
func.func @allocs(%m: memref<8xi32, 1>) {
  airrt.dealloc %m : memref<8xi32, 1>
  %0 = airrt.alloc : memref<8xi32, 1>
  airrt.dealloc %0 : memref<8xi32, 1>
  %1 = airrt.alloc : memref<8xi32, 1>
  call @use(%1) : (memref<8xi32, 1>) -> ()
  airrt.dealloc %1 : memref<8xi32, 1>
  return
}

// -----

// CHECK-LABEL: func.func @loads
// CHECK-NEXT: %p = airrt.segment_load "a"
// CHECK-NEXT: %h = airrt.herd_load "h" (%arg0)
// CHECK-NEXT: %h_0 = airrt.herd_load "i" (%arg0)
// CHECK-NEXT: return %p, %h, %h
func.func @loads(%r: i32) -> (i64, i64, i64) {
  %0 = airrt.segment_load "a" : i64
  %1 = airrt.herd_load "h" (%r) : (i32) -> i64
  %2 = airrt.herd_load "i" (%r) : (i32) -> i64
  %3 = airrt.herd_load "h" (%r) : (i32) -> i64
  return %0, %1, %3 : i64, i64, i64
}

// What was loaded in between took its place.
// CHECK-LABEL: func.func @not_again
// CHECK-COUNT-3: airrt.segment_load
// CHECK-COUNT-3: airrt.herd_load
// CHECK-COUNT-2: airrt.segment_load
// CHECK: return
func.func private @anything()
func.func @not_again(%r: i32, %s: i32) -> (i64, i64, i64) {
  %0 = airrt.segment_load "a" : i64
  %1 = airrt.segment_load "b" : i64
  %2 = airrt.segment_load "a" : i64
  %3 = airrt.herd_load "h" (%r) : (i32) -> i64
  %4 = airrt.herd_load "h" (%s) : (i32) -> i64
  %5 = airrt.herd_load "h" (%r) : (i32) -> i64
  %6 = airrt.segment_load "c" : i64
  call @anything() : () -> ()
  %7 = airrt.segment_load "c" : i64
  return %2, %5, %7 : i64, i64, i64
}
