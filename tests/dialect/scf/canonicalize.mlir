// Canonicalization of the scf dialect.
// RUN: airlite-opt --allow-unregistered --canonicalize %s | FileCheck %s

// CHECK-LABEL: func.func @for_without_iterations(
// CHECK-NEXT: return %arg1 : f32
func.func @for_without_iterations(%a: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %c0 step %c1 {
    "t.use"(%i) : (index) -> ()
  }
  scf.for %i = %a to %a step %c1 {
    "t.use"(%i) : (index) -> ()
  }
  %0 = scf.for %i = %c1 to %c1 step %c1 iter_args(%x = %f) -> (f32) {
    %1 = "t.op"(%x) : (f32) -> f32
    scf.yield %1 : f32
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @for_single_iteration(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = "t.op"(%arg1, %c0) : (f32, index) -> f32
// CHECK-NEXT: "t.use"(%arg0) : (index) -> ()
// CHECK-NEXT: return %0 : f32
func.func @for_single_iteration(%a: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = scf.for %i = %c0 to %c1 step %c4 iter_args(%x = %f) -> (f32) {
    %1 = "t.op"(%x, %i) : (f32, index) -> f32
    scf.yield %1 : f32
  }
  %e = arith.addi %a, %c1 : index
  scf.for %i = %a to %e step %c4 {
    "t.use"(%i) : (index) -> ()
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @for_invariant_iter_arg(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = scf.for %arg2 = %c1 to %arg0 step %c1 iter_args(%arg3 = %arg1) -> (f32) {
// CHECK-NEXT: %1 = "t.op"(%arg1, %arg3) : (f32, f32) -> f32
// CHECK-NEXT: scf.yield %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %arg1, %0 : f32, f32
func.func @for_invariant_iter_arg(%n: index, %f: f32) -> (f32, f32) {
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c1 to %n step %c1 iter_args(%x = %f, %y = %f) -> (f32, f32) {
    %1 = "t.op"(%x, %y) : (f32, f32) -> f32
    scf.yield %x, %1 : f32, f32
  }
  return %0#0, %0#1 : f32, f32
}

// CHECK-LABEL: func.func @for_unread_iter_arg(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = scf.for %arg2 = %c1 to %arg0 step %c1 iter_args(%arg3 = %arg1) -> (f32) {
// CHECK-NEXT: %1 = "t.op"(%arg3) : (f32) -> f32
// CHECK-NEXT: scf.yield %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : f32
func.func @for_unread_iter_arg(%n: index, %f: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c1 to %n step %c1 iter_args(%x = %f, %y = %f) -> (f32, f32) {
    %1 = "t.op"(%y) : (f32) -> f32
    scf.yield %1, %1 : f32, f32
  }
  return %0#1 : f32
}

// CHECK-LABEL: func.func @for_result_is_read(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = scf.for %arg2 = %c1 to %arg0 step %c1 iter_args(%arg3 = %arg1) -> (f32) {
// CHECK-NEXT: %1 = "t.op"() : () -> f32
// CHECK-NEXT: scf.yield %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : f32
func.func @for_result_is_read(%n: index, %f: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c1 to %n step %c1 iter_args(%x = %f) -> (f32) {
    %1 = "t.op"() : () -> f32
    scf.yield %1 : f32
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @for_tokens_stay(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = air.wait_all async
// CHECK-NEXT: %1 = scf.for %arg1 = %c1 to %arg0 step %c1 iter_args(%arg2 = %0) -> (!air.async.token) {
// CHECK-NEXT: %2 = "t.op"(%arg2) : (!air.async.token) -> !air.async.token
// CHECK-NEXT: scf.yield %2 : !air.async.token
// CHECK-NEXT: }
// CHECK-NEXT: return %1 : !air.async.token
func.func @for_tokens_stay(%n: index) -> !air.async.token {
  %c1 = arith.constant 1 : index
  %0 = air.wait_all async
  %1 = scf.for %i = %c1 to %n step %c1 iter_args(%t = %0) -> (!air.async.token) {
    %2 = "t.op"(%t) : (!air.async.token) -> !air.async.token
    scf.yield %2 : !air.async.token
  }
  return %1 : !air.async.token
}

// CHECK-LABEL: func.func @if_constant_condition(
// CHECK-NEXT: %0 = "t.then"() : () -> f32
// CHECK-NEXT: "t.else"() : () -> ()
// CHECK-NEXT: return %0 : f32
func.func @if_constant_condition(%f: f32) -> f32 {
  %true = arith.constant true
  %false = arith.constant false
  %0 = scf.if %true -> (f32) {
    %1 = "t.then"() : () -> f32
    scf.yield %1 : f32
  } else {
    scf.yield %f : f32
  }
  scf.if %false {
    "t.then"() : () -> ()
  } else {
    "t.else"() : () -> ()
  }
  scf.if %false {
    "t.then"() : () -> ()
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @if_unused_result(
// CHECK-NEXT: %0 = scf.if %arg0 -> (f32) {
// CHECK-NEXT: %1:2 = "t.then"() : () -> (f32, f32)
// CHECK-NEXT: scf.yield %1#1 : f32
// CHECK-NEXT: } else {
// CHECK-NEXT: %1:2 = "t.else"() : () -> (f32, f32)
// CHECK-NEXT: scf.yield %1#1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : f32
func.func @if_unused_result(%c: i1) -> f32 {
  %0:2 = scf.if %c -> (f32, f32) {
    %1:2 = "t.then"() : () -> (f32, f32)
    scf.yield %1#0, %1#1 : f32, f32
  } else {
    %1:2 = "t.else"() : () -> (f32, f32)
    scf.yield %1#0, %1#1 : f32, f32
  }
  return %0#1 : f32
}

// CHECK-LABEL: func.func @if_to_select(
// CHECK-NEXT: %0 = arith.select %arg0, %arg1, %arg2 : f32
// CHECK-NEXT: %1 = scf.if %arg0 -> (f32) {
// CHECK-NEXT: %2 = "t.then"() : () -> f32
// CHECK-NEXT: scf.yield %2 : f32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %arg1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0, %1, %arg0 : f32, f32, i1
func.func @if_to_select(%c: i1, %f: f32, %g: f32) -> (f32, f32, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %0:3 = scf.if %c -> (f32, f32, i1) {
    %1 = "t.then"() : () -> f32
    scf.yield %f, %1, %true : f32, f32, i1
  } else {
    scf.yield %g, %f, %false : f32, f32, i1
  }
  return %0#0, %0#1, %0#2 : f32, f32, i1
}

// Tokens stay where the order of the program is read.
// CHECK-LABEL: func.func @if_tokens(
// CHECK-NEXT: %[[S:.*]] = arith.select %arg0, %arg3, %arg4 : f32
// CHECK-NEXT: %[[T:.*]] = scf.if %arg0 -> (!air.async.token) {
// CHECK-NEXT: scf.yield %arg1 : !air.async.token
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %arg2 : !air.async.token
// CHECK-NEXT: }
// CHECK-NEXT: return %[[T]], %[[S]]
func.func @if_tokens(%c: i1, %t: !air.async.token, %u: !air.async.token, %f: f32, %g: f32)
    -> (!air.async.token, f32) {
  %0:2 = scf.if %c -> (!air.async.token, f32) {
    scf.yield %t, %f : !air.async.token, f32
  } else {
    scf.yield %u, %g : !air.async.token, f32
  }
  return %0#0, %0#1 : !air.async.token, f32
}

// CHECK-LABEL: func.func @if_known_condition(
// CHECK-NEXT: %false = arith.constant false
// CHECK-NEXT: %true = arith.constant true
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: "t.then"(%true) : (i1) -> ()
// CHECK-NEXT: } else {
// CHECK-NEXT: "t.else"(%false) : (i1) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @if_known_condition(%c: i1) {
  scf.if %c {
    "t.then"(%c) : (i1) -> ()
  } else {
    scf.if %c {
      "t.never"() : () -> ()
    }
    "t.else"(%c) : (i1) -> ()
  }
  return
}

// CHECK-LABEL: func.func @if_empty_else(
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: "t.then"() : () -> ()
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @if_empty_else(%c: i1) {
  scf.if %c {
    "t.then"() : () -> ()
  } else {
  }
  return
}

// CHECK-LABEL: func.func @if_nested(
// CHECK-NEXT: %0 = arith.andi %arg0, %arg1 : i1
// CHECK-NEXT: scf.if %0 {
// CHECK-NEXT: "t.both"() : () -> ()
// CHECK-NEXT: }
// CHECK-NEXT: "t.between"() : () -> ()
// CHECK-NEXT: %1 = arith.andi %arg0, %arg1 : i1
// CHECK-NEXT: %2 = scf.if %1 -> (f32) {
// CHECK-NEXT: %3 = "t.both"() : () -> f32
// CHECK-NEXT: scf.yield %3 : f32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %arg2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %2 : f32
func.func @if_nested(%c: i1, %d: i1, %f: f32) -> f32 {
  scf.if %c {
    scf.if %d {
      "t.both"() : () -> ()
    }
  }
  "t.between"() : () -> ()
  %0 = scf.if %c -> (f32) {
    %1 = scf.if %d -> (f32) {
      %2 = "t.both"() : () -> f32
      scf.yield %2 : f32
    } else {
      scf.yield %f : f32
    }
    scf.yield %1 : f32
  } else {
    scf.yield %f : f32
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @if_consecutive(
// CHECK-NEXT: %0 = scf.if %arg0 -> (f32) {
// CHECK-NEXT: %1 = "t.a"() : () -> f32
// CHECK-NEXT: %2 = "t.c"(%1) : (f32) -> f32
// CHECK-NEXT: scf.yield %2 : f32
// CHECK-NEXT: } else {
// CHECK-NEXT: %1 = "t.b"() : () -> f32
// CHECK-NEXT: %2 = "t.d"(%1) : (f32) -> f32
// CHECK-NEXT: scf.yield %2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : f32
func.func @if_consecutive(%c: i1) -> f32 {
  %0 = scf.if %c -> (f32) {
    %1 = "t.a"() : () -> f32
    scf.yield %1 : f32
  } else {
    %1 = "t.b"() : () -> f32
    scf.yield %1 : f32
  }
  %2 = scf.if %c -> (f32) {
    %3 = "t.c"(%0) : (f32) -> f32
    scf.yield %3 : f32
  } else {
    %3 = "t.d"(%0) : (f32) -> f32
    scf.yield %3 : f32
  }
  return %2 : f32
}

// CHECK-LABEL: func.func @parallel_single_dim(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = scf.parallel (%arg2) = (%c1) to (%arg0) step (%c1) init (%arg1) -> f32 {
// CHECK-NEXT: %1 = "t.op"(%c0, %arg2) : (index, index) -> f32
// CHECK-NEXT: scf.reduce(%1 : f32) {
// CHECK-NEXT: ^bb0(%arg3: f32, %arg4: f32):
// CHECK-NEXT: %2 = arith.addf %arg3, %arg4 : f32
// CHECK-NEXT: scf.reduce.return %2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return %0 : f32
func.func @parallel_single_dim(%n: index, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.parallel (%i, %j) = (%c0, %c1) to (%c1, %n) step (%c1, %c1) init (%f) -> f32 {
    %1 = "t.op"(%i, %j) : (index, index) -> f32
    scf.reduce(%1 : f32) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      scf.reduce.return %s : f32
    }
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @parallel_single_iteration(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %0 = "t.op"(%c0) : (index) -> f32
// CHECK-NEXT: %1 = arith.addf %arg0, %0 : f32
// CHECK-NEXT: return %1 : f32
func.func @parallel_single_iteration(%f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.parallel (%i) = (%c0) to (%c1) step (%c1) init (%f) -> f32 {
    %1 = "t.op"(%i) : (index) -> f32
    scf.reduce(%1 : f32) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      scf.reduce.return %s : f32
    }
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @parallel_without_iterations(
// CHECK-NEXT: return
func.func @parallel_without_iterations(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c0, %n) step (%c1, %c1) {
    "t.use"(%i, %j) : (index, index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @parallel_nested(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: scf.parallel (%arg1, %arg2) = (%c0, %c1) to (%arg0, %arg0) step (%c1, %c1) {
// CHECK-NEXT: "t.use"(%arg1, %arg2) : (index, index) -> ()
// CHECK-NEXT: scf.reduce
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @parallel_nested(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c1) to (%n) step (%c1) {
      "t.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// CHECK-LABEL: func.func @while_condition(
// CHECK-NEXT: %false = arith.constant false
// CHECK-NEXT: %true = arith.constant true
// CHECK-NEXT: %0 = scf.while (%arg1 = %arg0) : (f32) -> f32 {
// CHECK-NEXT: %1 = "t.condition"(%arg1) : (f32) -> i1
// CHECK-NEXT: scf.condition(%1) %arg1 : f32
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%arg1: f32):
// CHECK-NEXT: %1 = "t.body"(%true, %arg1) : (i1, f32) -> f32
// CHECK-NEXT: scf.yield %1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return %false, %0 : i1, f32
func.func @while_condition(%f: f32) -> (i1, f32) {
  %0:2 = scf.while (%x = %f) : (f32) -> (i1, f32) {
    %1 = "t.condition"(%x) : (f32) -> i1
    scf.condition(%1) %1, %x : i1, f32
  } do {
  ^bb0(%c: i1, %y: f32):
    %2 = "t.body"(%c, %y) : (i1, f32) -> f32
    scf.yield %2 : f32
  }
  return %0#0, %0#1 : i1, f32
}

// CHECK-LABEL: func.func @while_invariant(
// CHECK-NEXT: scf.while : () -> () {
// CHECK-NEXT: %0 = "t.condition"(%arg0) : (f32) -> i1
// CHECK-NEXT: scf.condition(%0)
// CHECK-NEXT: } do {
// CHECK-NEXT: "t.body"(%arg0) : (f32) -> ()
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: return %arg0 : f32
func.func @while_invariant(%f: f32) -> f32 {
  %0 = scf.while (%x = %f) : (f32) -> f32 {
    %1 = "t.condition"(%x) : (f32) -> i1
    scf.condition(%1) %x : f32
  } do {
  ^bb0(%y: f32):
    "t.body"(%y) : (f32) -> ()
    scf.yield %y : f32
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @index_switch(
// CHECK-NEXT: %0 = "t.four"() : () -> f32
// CHECK-NEXT: %1 = "t.other"() : () -> f32
// CHECK-NEXT: return %0, %1 : f32, f32
func.func @index_switch(%f: f32) -> (f32, f32) {
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %0 = scf.index_switch %c4 -> f32
  case 2 {
    scf.yield %f : f32
  }
  case 4 {
    %1 = "t.four"() : () -> f32
    scf.yield %1 : f32
  }
  default {
    scf.yield %f : f32
  }
  %2 = scf.index_switch %c7 -> f32
  case 2 {
    scf.yield %f : f32
  }
  default {
    %1 = "t.other"() : () -> f32
    scf.yield %1 : f32
  }
  return %0, %2 : f32, f32
}

// CHECK-LABEL: func.func @execute_region(
// CHECK-NEXT: %0 = "t.op"() : () -> f32
// CHECK-NEXT: return %0 : f32
func.func @execute_region() -> f32 {
  %0 = scf.execute_region -> f32 {
    %1 = "t.op"() : () -> f32
    scf.yield %1 : f32
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @forall(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: scf.forall (%arg1, %arg2) in (4, %arg0) {
// CHECK-NEXT: "t.use"(%arg1, %arg2) : (index, index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: "t.once"(%c0) : (index) -> ()
// CHECK-NEXT: return
func.func @forall(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.forall (%i, %j) in (%c4, %n) {
    "t.use"(%i, %j) : (index, index) -> ()
  }
  scf.forall (%i) in (%c1) {
    "t.once"(%i) : (index) -> ()
  }
  scf.forall (%i) in (%c0) {
    "t.never"(%i) : (index) -> ()
  }
  return
}
