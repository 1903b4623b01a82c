// convert-scf-to-cf: each op and the blocks it becomes.
// RUN: airlite-opt --allow-unregistered --convert-scf-to-cf %s | FileCheck %s

// CHECK-LABEL: func.func @loop(
// CHECK-NEXT: cf.br ^bb1(%arg0, %arg2 : index, f32)
// CHECK-NEXT: ^bb1(%0: index, %1: f32):
// CHECK-NEXT: %2 = arith.cmpi slt, %0, %arg1 : index
// CHECK-NEXT: cf.cond_br %2, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: %3 = "t.op"(%0, %1) : (index, f32) -> f32
// CHECK-NEXT: %4 = arith.addi %0, %arg0 : index
// CHECK-NEXT: cf.br ^bb1(%4, %3 : index, f32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: return %1 : f32
func.func @loop(%a: index, %b: index, %f: f32) -> f32 {
  %0 = scf.for %i = %a to %b step %a iter_args(%x = %f) -> (f32) {
    %1 = "t.op"(%i, %x) : (index, f32) -> f32
    scf.yield %1 : f32
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @integer_loop(
// CHECK-NEXT: cf.br ^bb1(%arg0 : i32)
// CHECK-NEXT: ^bb1(%0: i32):
// CHECK-NEXT: %1 = arith.cmpi slt, %0, %arg0 : i32
// CHECK-NEXT: cf.cond_br %1, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: "t.use"(%0) : (i32) -> ()
// CHECK-NEXT: %2 = arith.addi %0, %arg0 : i32
// CHECK-NEXT: cf.br ^bb1(%2 : i32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: return
func.func @integer_loop(%n: i32) {
  scf.for %i = %n to %n step %n : i32 {
    "t.use"(%i) : (i32) -> ()
  }
  return
}

// CHECK-LABEL: func.func @nested(
// CHECK-NEXT: cf.br ^bb1(%arg0 : index)
// CHECK-NEXT: ^bb1(%0: index):
// CHECK-NEXT: %1 = arith.cmpi slt, %0, %arg0 : index
// CHECK-NEXT: cf.cond_br %1, ^bb2, ^bb8
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.cond_br %arg1, ^bb3, ^bb7
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: cf.br ^bb4(%arg0 : index)
// CHECK-NEXT: ^bb4(%2: index):
// CHECK-NEXT: %3 = arith.cmpi slt, %2, %arg0 : index
// CHECK-NEXT: cf.cond_br %3, ^bb5, ^bb6
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: "t.use"(%0, %2) : (index, index) -> ()
// CHECK-NEXT: %4 = arith.addi %2, %arg0 : index
// CHECK-NEXT: cf.br ^bb4(%4 : index)
// CHECK-NEXT: ^bb6:
// CHECK-NEXT: cf.br ^bb7
// CHECK-NEXT: ^bb7:
// CHECK-NEXT: "t.after"(%0) : (index) -> ()
// CHECK-NEXT: %5 = arith.addi %0, %arg0 : index
// CHECK-NEXT: cf.br ^bb1(%5 : index)
// CHECK-NEXT: ^bb8:
// CHECK-NEXT: return
func.func @nested(%n: index, %c: i1) {
  scf.for %i = %n to %n step %n {
    scf.if %c {
      scf.for %j = %n to %n step %n {
        "t.use"(%i, %j) : (index, index) -> ()
      }
    }
    "t.after"(%i) : (index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @conditionals(
// CHECK-NEXT: cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: "t.then"() : () -> ()
// CHECK-NEXT: cf.br ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.cond_br %arg0, ^bb3, ^bb4
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: cf.br ^bb5(%arg1 : f32)
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: %0 = "t.else"() : () -> f32
// CHECK-NEXT: cf.br ^bb5(%0 : f32)
// CHECK-NEXT: ^bb5(%1: f32):
// CHECK-NEXT: return %1 : f32
func.func @conditionals(%c: i1, %f: f32) -> f32 {
  scf.if %c {
    "t.then"() : () -> ()
  }
  %0 = scf.if %c -> (f32) {
    scf.yield %f : f32
  } else {
    %1 = "t.else"() : () -> f32
    scf.yield %1 : f32
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @while(
// CHECK-NEXT: cf.br ^bb1(%arg0 : f32)
// CHECK-NEXT: ^bb1(%0: f32):
// CHECK-NEXT: %1:2 = "t.before"(%0) : (f32) -> (i1, index)
// CHECK-NEXT: cf.cond_br %1#0, ^bb2(%1#1 : index), ^bb3
// CHECK-NEXT: ^bb2(%2: index):
// CHECK-NEXT: %3 = "t.after"(%2) : (index) -> f32
// CHECK-NEXT: cf.br ^bb1(%3 : f32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: return %1#1 : index
func.func @while(%f: f32) -> index {
  %0 = scf.while (%x = %f) : (f32) -> index {
    %1:2 = "t.before"(%x) : (f32) -> (i1, index)
    scf.condition(%1#0) %1#1 : index
  } do {
  ^bb0(%y: index):
    %2 = "t.after"(%y) : (index) -> f32
    scf.yield %2 : f32
  }
  return %0 : index
}

// CHECK-LABEL: func.func @index_switch(
// CHECK-NEXT: %0 = arith.index_cast %arg0 : index to i64
// CHECK-NEXT: cf.switch %0 : i64, [
// CHECK-NEXT: default: ^bb1,
// CHECK-NEXT: 2: ^bb2,
// CHECK-NEXT: 5: ^bb3
// CHECK-NEXT: ]
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: %1 = "t.default"() : () -> f32
// CHECK-NEXT: cf.br ^bb4(%1 : f32)
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb4(%arg1 : f32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: cf.br ^bb4(%arg2 : f32)
// CHECK-NEXT: ^bb4(%2: f32):
// CHECK-NEXT: return %2 : f32
func.func @index_switch(%n: index, %f: f32, %g: f32) -> f32 {
  %0 = scf.index_switch %n -> f32
  case 2 {
    scf.yield %f : f32
  }
  case 5 {
    scf.yield %g : f32
  }
  default {
    %1 = "t.default"() : () -> f32
    scf.yield %1 : f32
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @execute_region(
// CHECK-NEXT: cf.br ^bb1
// CHECK-NEXT: ^bb1:
// CHECK-NEXT: cf.cond_br %arg0, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb4(%arg1 : f32)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: cf.br ^bb4(%arg2 : f32)
// CHECK-NEXT: ^bb4(%0: f32):
// CHECK-NEXT: return %0 : f32
func.func @execute_region(%c: i1, %f: f32, %g: f32) -> f32 {
  %0 = scf.execute_region -> f32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %f : f32
  ^bb2:
    scf.yield %g : f32
  }
  return %0 : f32
}

// CHECK-LABEL: func.func @parallel(
// CHECK-NEXT: cf.br ^bb1(%arg0 : index)
// CHECK-NEXT: ^bb1(%0: index):
// CHECK-NEXT: %1 = arith.cmpi slt, %0, %arg0 : index
// CHECK-NEXT: cf.cond_br %1, ^bb2, ^bb6
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb3(%arg0 : index)
// CHECK-NEXT: ^bb3(%2: index):
// CHECK-NEXT: %3 = arith.cmpi slt, %2, %arg0 : index
// CHECK-NEXT: cf.cond_br %3, ^bb4, ^bb5
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: "t.use"(%0, %2) : (index, index) -> ()
// CHECK-NEXT: %4 = arith.addi %2, %arg0 : index
// CHECK-NEXT: cf.br ^bb3(%4 : index)
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: %5 = arith.addi %0, %arg0 : index
// CHECK-NEXT: cf.br ^bb1(%5 : index)
// CHECK-NEXT: ^bb6:
// CHECK-NEXT: return
func.func @parallel(%n: index) {
  scf.parallel (%i, %j) = (%n, %n) to (%n, %n) step (%n, %n) {
    "t.use"(%i, %j) : (index, index) -> ()
  }
  return
}

// CHECK-LABEL: func.func @reductions(
// CHECK-NEXT: cf.br ^bb1(%arg0, %arg1, %arg0 : index, f32, index)
// CHECK-NEXT: ^bb1(%0: index, %1: f32, %2: index):
// CHECK-NEXT: %3 = arith.cmpi slt, %0, %arg0 : index
// CHECK-NEXT: cf.cond_br %3, ^bb2, ^bb6
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: cf.br ^bb3(%arg0, %1, %2 : index, f32, index)
// CHECK-NEXT: ^bb3(%4: index, %5: f32, %6: index):
// CHECK-NEXT: %7 = arith.cmpi slt, %4, %arg0 : index
// CHECK-NEXT: cf.cond_br %7, ^bb4, ^bb5
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: %8 = arith.addf %5, %arg1 : f32
// CHECK-NEXT: %9 = arith.addi %6, %0 : index
// CHECK-NEXT: %10 = arith.addi %4, %arg0 : index
// CHECK-NEXT: cf.br ^bb3(%10, %8, %9 : index, f32, index)
// CHECK-NEXT: ^bb5:
// CHECK-NEXT: %11 = arith.addi %0, %arg0 : index
// CHECK-NEXT: cf.br ^bb1(%11, %5, %6 : index, f32, index)
// CHECK-NEXT: ^bb6:
// CHECK-NEXT: return %1, %2 : f32, index
func.func @reductions(%n: index, %f: f32) -> (f32, index) {
  %0:2 = scf.parallel (%i, %j) = (%n, %n) to (%n, %n) step (%n, %n) init (%f, %n) -> (f32, index) {
    scf.reduce(%f, %i : f32, index) {
    ^bb0(%x: f32, %y: f32):
      %1 = arith.addf %x, %y : f32
      scf.reduce.return %1 : f32
    }, {
    ^bb0(%x: index, %y: index):
      %1 = arith.addi %x, %y : index
      scf.reduce.return %1 : index
    }
  }
  return %0#0, %0#1 : f32, index
}

// CHECK-LABEL: func.func @forall(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c2 = arith.constant 2 : index
// CHECK-NEXT: cf.br ^bb1(%c0 : index)
// CHECK-NEXT: ^bb1(%0: index):
// CHECK-NEXT: %1 = arith.cmpi slt, %0, %arg0 : index
// CHECK-NEXT: cf.cond_br %1, ^bb2, ^bb3
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: "t.use"(%0) : (index) -> ()
// CHECK-NEXT: %2 = arith.addi %0, %c2 : index
// CHECK-NEXT: cf.br ^bb1(%2 : index)
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: return
func.func @forall(%n: index) {
  scf.forall (%i) = (0) to (%n) step (2) {
    "t.use"(%i) : (index) -> ()
  }
  return
}
