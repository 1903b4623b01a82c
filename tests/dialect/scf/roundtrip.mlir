// Custom and generic form of the scf dialect.
// RUN: airlite-opt --allow-unregistered %s | FileCheck %s
// RUN: airlite-opt --allow-unregistered --print-generic %s | airlite-opt --allow-unregistered | FileCheck %s

// CHECK-LABEL: func.func @loops(
// CHECK-NEXT: scf.for %arg4 = %arg0 to %arg1 step %arg2 {
// CHECK-NEXT: }
// CHECK-NEXT: scf.for %arg4 = %arg0 to %arg1 step %arg2 {
// CHECK-NEXT: "t.use"(%arg4) : (index) -> ()
// CHECK-NEXT: } {tag = 1 : i64}
// CHECK-NEXT: %0 = scf.for %arg4 = %arg0 to %arg1 step %arg2 iter_args(%arg5 = %arg3) -> (f32) {
// CHECK-NEXT: scf.yield %arg5 : f32
// CHECK-NEXT: } {tag}
// CHECK-NEXT: %1:2 = scf.for %arg4 = %arg0 to %arg1 step %arg2 iter_args(%arg5 = %arg3, %arg6 = %arg0) -> (f32, index) {
// CHECK-NEXT: scf.yield %arg5, %arg4 : f32, index
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @loops(%lb: index, %ub: index, %step: index, %f: f32) {
  scf.for %i = %lb to %ub step %step {
  }
  scf.for %i = %lb to %ub step %step {
    "t.use"(%i) : (index) -> ()
    scf.yield
  } {tag = 1 : i64}
  %0 = scf.for %i = %lb to %ub step %step iter_args(%x = %f) -> (f32) {
    scf.yield %x : f32
  } {tag}
  %1:2 = scf.for %i = %lb to %ub step %step iter_args(%x = %f, %y = %lb) -> (f32, index) {
    scf.yield %x, %i : f32, index
  }
  return
}

// CHECK-LABEL: func.func @integer_loops(
// CHECK-NEXT: %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT: scf.for %arg2 = %arg0 to %arg0 step %c1_i32  : i32 {
// CHECK-NEXT: "t.use"(%arg2) : (i32) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: %0 = scf.for %arg2 = %arg0 to %arg0 step %c1_i32 iter_args(%arg3 = %arg1) -> (f32)  : i32 {
// CHECK-NEXT: scf.yield %arg3 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @integer_loops(%n: i32, %f: f32) {
  %c1 = arith.constant 1 : i32
  scf.for %i = %n to %n step %c1 : i32 {
    "t.use"(%i) : (i32) -> ()
  }
  %0 = scf.for %i = %n to %n step %c1 iter_args(%x = %f) -> (f32) : i32 {
    scf.yield %x : f32
  }
  return
}

// CHECK-LABEL: func.func @attributes_of_the_terminator(
// CHECK-NEXT: scf.for %arg2 = %arg0 to %arg0 step %arg0 {
// CHECK-NEXT: scf.yield {tag}
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %arg1 {
// CHECK-NEXT: scf.yield {tag}
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @attributes_of_the_terminator(%lb: index, %c: i1) {
  scf.for %i = %lb to %lb step %lb {
    scf.yield {tag}
  }
  scf.if %c {
    scf.yield {tag}
  }
  return
}

// CHECK-LABEL: func.func @parallel(
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: scf.parallel (%arg3, %arg4) = (%arg0, %arg0) to (%arg1, %arg1) step (%c1, %c1) {
// CHECK-NEXT: scf.reduce
// CHECK-NEXT: }
// CHECK-NEXT: scf.parallel (%arg3) = (%arg0) to (%arg1) step (%c1) {
// CHECK-NEXT: "t.use"(%arg3) : (index) -> ()
// CHECK-NEXT: scf.reduce
// CHECK-NEXT: } {tag}
// CHECK-NEXT: %0 = scf.parallel (%arg3) = (%arg0) to (%arg1) step (%c1) init (%arg2) -> f32 {
// CHECK-NEXT: scf.reduce(%arg2 : f32) {
// CHECK-NEXT: ^bb0(%arg4: f32, %arg5: f32):
// CHECK-NEXT: %2 = arith.addf %arg4, %arg5 : f32
// CHECK-NEXT: scf.reduce.return %2 : f32
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: %1:2 = scf.parallel (%arg3) = (%arg0) to (%arg1) step (%c1) init (%arg2, %arg0) -> (f32, index) {
// CHECK-NEXT: scf.reduce(%arg2, %arg3 : f32, index) {
// CHECK-NEXT: ^bb0(%arg4: f32, %arg5: f32):
// CHECK-NEXT: scf.reduce.return %arg4 : f32
// CHECK-NEXT: }, {
// CHECK-NEXT: ^bb0(%arg4: index, %arg5: index):
// CHECK-NEXT: scf.reduce.return %arg5 : index
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @parallel(%lb: index, %ub: index, %f: f32) {
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%lb, %lb) to (%ub, %ub) step (%c1, %c1) {
  }
  scf.parallel (%i) = (%lb) to (%ub) step (%c1) {
    "t.use"(%i) : (index) -> ()
    scf.reduce
  } {tag}
  %0 = scf.parallel (%i) = (%lb) to (%ub) step (%c1) init (%f) -> f32 {
    scf.reduce(%f : f32) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      scf.reduce.return %s : f32
    }
  }
  %1:2 = scf.parallel (%i) = (%lb) to (%ub) step (%c1) init (%f, %lb) -> (f32, index) {
    scf.reduce(%f, %i : f32, index) {
    ^bb0(%x: f32, %y: f32):
      scf.reduce.return %x : f32
    }, {
    ^bb0(%x: index, %y: index):
      scf.reduce.return %y : index
    }
  }
  return
}

// CHECK-LABEL: func.func @ifs(
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: } else {
// CHECK-NEXT: }
// CHECK-NEXT: scf.if %arg0 {
// CHECK-NEXT: "t.a"() : () -> ()
// CHECK-NEXT: } else {
// CHECK-NEXT: "t.b"() : () -> ()
// CHECK-NEXT: } {tag}
// CHECK-NEXT: %0 = scf.if %arg0 -> (f32) {
// CHECK-NEXT: scf.yield %arg1 : f32
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %arg1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %1:2 = scf.if %arg0 -> (f32, i1) {
// CHECK-NEXT: scf.yield %arg1, %arg0 : f32, i1
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %arg1, %arg0 : f32, i1
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @ifs(%c: i1, %f: f32) {
  scf.if %c {
  }
  scf.if %c {
  } else {
  }
  scf.if %c {
    "t.a"() : () -> ()
  } else {
    "t.b"() : () -> ()
  } {tag}
  %0 = scf.if %c -> (f32) {
    scf.yield %f : f32
  } else {
    scf.yield %f : f32
  }
  %1:2 = scf.if %c -> (f32, i1) {
    scf.yield %f, %c : f32, i1
  } else {
    scf.yield %f, %c : f32, i1
  }
  return
}

// CHECK-LABEL: func.func @whiles(
// CHECK-NEXT: %0:2 = scf.while (%arg3 = %arg1, %arg4 = %arg2) : (f32, index) -> (f32, index) {
// CHECK-NEXT: scf.condition(%arg0) %arg3, %arg4 : f32, index
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%arg3: f32, %arg4: index):
// CHECK-NEXT: scf.yield %arg3, %arg4 : f32, index
// CHECK-NEXT: } attributes {tag}
// CHECK-NEXT: scf.while : () -> () {
// CHECK-NEXT: scf.condition(%arg0)
// CHECK-NEXT: } do {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: %1 = scf.while (%arg3 = %arg1) : (f32) -> index {
// CHECK-NEXT: scf.condition(%arg0) {tag} %arg2 : index
// CHECK-NEXT: } do {
// CHECK-NEXT: ^bb0(%arg3: index):
// CHECK-NEXT: scf.yield %arg1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @whiles(%c: i1, %f: f32, %n: index) {
  %0:2 = scf.while (%x = %f, %y = %n) : (f32, index) -> (f32, index) {
    scf.condition(%c) %x, %y : f32, index
  } do {
  ^bb0(%x: f32, %y: index):
    scf.yield %x, %y : f32, index
  } attributes {tag}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  %1 = scf.while (%x = %f) : (f32) -> index {
    scf.condition(%c) {tag} %n : index
  } do {
  ^bb0(%y: index):
    scf.yield %f : f32
  }
  return
}

// CHECK-LABEL: func.func @foralls(
// CHECK-NEXT: scf.forall (%arg2, %arg3) in (10, %arg0) {
// CHECK-NEXT: "t.use"(%arg2, %arg3) : (index, index) -> ()
// CHECK-NEXT: }
// CHECK-NEXT: scf.forall (%arg2, %arg3) = (0, %arg0) to (10, %arg1) step (1, 2) {
// CHECK-NEXT: } {tag}
// CHECK-NEXT: return
func.func @foralls(%n: index, %m: index) {
  scf.forall (%i, %j) in (10, %n) {
    "t.use"(%i, %j) : (index, index) -> ()
  }
  scf.forall (%i, %j) = (0, %n) to (10, %m) step (1, 2) {
    scf.forall.in_parallel {
    }
  } {tag}
  return
}

// CHECK-LABEL: func.func @shared_outs(
// CHECK-NEXT: %0 = scf.forall (%arg1) in (10) shared_outs(%arg2 = %arg0) -> (tensor<10xf32>) {
// CHECK-NEXT: scf.forall.in_parallel {
// CHECK-NEXT: }
// CHECK-NEXT: } {tag}
// CHECK-NEXT: return
func.func @shared_outs(%t: tensor<10xf32>) {
  %0 = scf.forall (%i) in (10) shared_outs(%o = %t) -> (tensor<10xf32>) {
    scf.forall.in_parallel {
    }
  } {tag}
  return
}

// CHECK-LABEL: func.func @switches(
// CHECK-NEXT: %0 = scf.index_switch %arg0 -> f32
// CHECK-NEXT: case 2 {
// CHECK-NEXT: scf.yield %arg1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: case -5 {
// CHECK-NEXT: scf.yield %arg1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: default {
// CHECK-NEXT: scf.yield %arg1 : f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.index_switch %arg0 {tag}
// CHECK-NEXT: case 2 {
// CHECK-NEXT: "t.use"() : () -> ()
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: default {
// CHECK-NEXT: }
// CHECK-NEXT: scf.index_switch %arg0
// CHECK-NEXT: default {
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @switches(%n: index, %f: f32) {
  %0 = scf.index_switch %n -> f32
  case 2 {
    scf.yield %f : f32
  }
  case -5 {
    scf.yield %f : f32
  }
  default {
    scf.yield %f : f32
  }
  scf.index_switch %n {tag}
  case 2 {
    "t.use"() : () -> ()
    scf.yield
  }
  default {
  }
  scf.index_switch %n
  default {
  }
  return
}

// CHECK-LABEL: func.func @regions(
// CHECK-NEXT: %0 = scf.execute_region -> f32 {
// CHECK-NEXT: scf.yield %arg1 : f32
// CHECK-NEXT: } {tag}
// CHECK-NEXT: scf.execute_region {
// CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: cf.br ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @regions(%c: i1, %f: f32) {
  %0 = scf.execute_region -> f32 {
    scf.yield %f : f32
  } {tag}
  scf.execute_region {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    cf.br ^bb2
  ^bb2:
    scf.yield
  }
  return
}
