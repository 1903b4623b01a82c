// What the verifiers and the reader of the scf dialect reject.
// RUN: airlite-opt --allow-unregistered --split-input-file --verify-diagnostics %s

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.for' op  region control flow edge from Region #0 to Region #0: source has 0 operands, but target successor needs 1}}
 %0 = scf.for %i = %a to %a step %a iter_args(%x = %f) -> (f32) { }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.for' op 0-th region iter_arg and 0-th yielded value have different type: 'f32' != 'index'}}
 %0 = scf.for %i = %a to %a step %a iter_args(%x = %f) -> (f32) { scf.yield %a : index }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.for' op different number of region iter_args and yielded values: 1 != 2}}
 %0 = scf.for %i = %a to %a step %a iter_args(%x = %f) -> (f32) { scf.yield %f, %f : f32, f32 }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{mismatch in number of loop-carried values and defined values}}
 %0:2 = scf.for %i = %a to %a step %a iter_args(%x = %f) -> (f32, f32) { scf.yield %f : f32 }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.for' op expected induction variable to be same type as bounds and step}}
 "scf.for"(%a, %a, %a) ({ ^bb0(%i: i32): scf.yield }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.for' op expected induction variable to be same type as bounds and step}}
 "scf.for"(%a, %a, %a) ({ ^bb0: scf.yield }) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.for' op 0-th init and 0-th region iter_arg have different type: 'index' != 'f32'}}
 %0 = "scf.for"(%a, %a, %a, %a) ({ ^bb0(%i: index, %y: f32): scf.yield %y : f32 }) : (index, index, index, index) -> f32
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.for' op different number of inits and region iter_args: 1 != 0}}
 %0 = "scf.for"(%a, %a, %a, %a) ({ ^bb0(%i: index): scf.yield %f : f32 }) : (index, index, index, index) -> f32
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.for' op mismatch in number of loop-carried values and defined values}}
 %0 = "scf.for"(%a, %a, %a) ({ ^bb0(%i: index): scf.yield %f : f32 }) : (index, index, index) -> f32
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.for' op operand #0 must be signless integer or index, but got 'f32'}}
 scf.for %i = %f to %f step %f : f32 { }
  return
}

// -----

func.func @f(%a: i1, %f: f32) { 
 // expected-error@+1 {{'scf.if' op must have an else block if defining values}}
 %0 = scf.if %a -> f32 { scf.yield %f : f32 }
  return
}

// -----

func.func @f(%a: i1, %f: f32) { 
 // expected-error@+1 {{'scf.if' op  along control flow edge from Region #1 to parent results: source type #0 'i1' should match input type #0 'f32'}}
 %0 = scf.if %a -> f32 { scf.yield %f : f32 } else { scf.yield %a : i1 }
  return
}

// -----

func.func @f(%a: i1, %f: f32) { 
 // expected-error@+1 {{'scf.if' op  region control flow edge from Region #1 to parent results: source has 0 operands, but target successor needs 1}}
 %0 = scf.if %a -> f32 { scf.yield %f : f32 } else { }
  return
}

// -----

func.func @f(%a: i1, %f: f32) { 
 // expected-error@+1 {{use of value '%f' expects different type than prior uses: 'i1' vs 'f32'}}
 scf.if %f { }
  return
}

// -----

func.func @f(%a: i1, %f: f32) { 
 // expected-error@+1 {{'scf.if' op region #0 should have no arguments}}
 "scf.if"(%a) ({ ^bb0(%b : i1): scf.yield}, {}) : (i1) -> ()
  return
}

// -----

func.func @f(%a: i1, %f: f32) { 
 // expected-error@+1 {{'scf.while' op  along control flow edge from Region #0 to Region #1: source type #0 'i1' should match input type #0 'f32'}}
 %0 = scf.while : () -> f32 { scf.condition(%a) %a : i1 } do { ^bb0(%x: f32): scf.yield }
  return
}

// -----

func.func @f(%a: i1, %f: f32) { 
 // expected-error@+1 {{'scf.while' op  along control flow edge from Region #0 to Region #1: source type #0 'f32' should match input type #0 'i1'}}
 %0 = scf.while : () -> f32 { scf.condition(%a) %f : f32 } do { ^bb0(%x: i1): scf.yield }
  return
}

// -----

func.func @f(%a: i1, %f: f32) { 
 // expected-error@+1 {{'scf.while' op  region control flow edge from Region #1 to Region #0: source has 0 operands, but target successor needs 1}}
 %0 = scf.while (%y = %f): (f32) -> f32 { scf.condition(%a) %f : f32 } do { ^bb0(%x: f32): scf.yield }
  return
}

// -----

func.func @f(%a: i1, %f: f32) { 
 // expected-error@+1 {{'scf.while' op expects the 'before' region to terminate with 'scf.condition'}}
 %0 = scf.while : () -> f32 { scf.yield } do { ^bb0(%x: f32): scf.yield }
  return
}

// -----

func.func @f(%a: i1, %f: f32) { 
 // expected-error@+1 {{'scf.while' op expects the 'after' region to terminate with 'scf.yield'}}
 %0 = scf.while : () -> f32 { scf.condition(%a) %f : f32 } do { ^bb0(%x: f32): scf.condition(%a) }
  return
}

// -----

func.func @f(%a: i1, %f: f32) { 
 // expected-error@+1 {{'scf.condition' op expects parent op 'scf.while'}}
 scf.condition(%a)
  return
}

// -----

func.func @f(%a: i1, %f: f32) { 
 // expected-error@+1 {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
 scf.yield }

// -----

func.func @f(%a: i1, %f: f32) { 
  // expected-error@+1 {{'scf.while' op  along control flow edge from parent operands to Region #0: source type #0 'f32' should match input type #0 'i1'}}
  "scf.while"(%f) ({ ^bb0(%x: i1): scf.condition(%a) }, { scf.yield %f : f32 }) : (f32) -> ()
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step}}
 scf.parallel () = () to () step () { }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 %c0 = arith.constant 0 : index
 // expected-error@+1 {{'scf.parallel' op constant step operand must be positive}}
 scf.parallel (%i) = (%a) to (%a) step (%c0) { }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{expected 2 operands}}
 scf.parallel (%i, %j) = (%a) to (%a) step (%a) { }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.parallel' op expects the same number of induction variables: 0 as bound and step values: 1}}
 "scf.parallel"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1,1,1,0>}> ({ ^bb0: scf.reduce}) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.parallel' op expects arguments for the induction variable to be of index type}}
 "scf.parallel"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1,1,1,0>}> ({ ^bb0(%i: f32): scf.reduce}) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.parallel' op needs at least one tuple element for lowerBound, upperBound and step}}
 "scf.parallel"(%a, %a, %a) <{operandSegmentSizes = array<i32: 1,2,0,0>}> ({ ^bb0(%i: index): scf.reduce}) : (index, index, index) -> ()
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{0 operands present, but expected 1}}
 %0 = scf.parallel (%i) = (%a) to (%a) step (%a) -> f32 { scf.reduce(%f : f32) { ^bb0(%x: f32, %y: f32): scf.reduce.return %x : f32 } }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0}}
 %0 = scf.parallel (%i) = (%a) to (%a) step (%a) init (%f) -> f32 { }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.reduce' op expects type of 0-th reduction operand: 'index' to be the same as the 0-th result type: 'f32'}}
 %0 = scf.parallel (%i) = (%a) to (%a) step (%a) init (%f) -> f32 { scf.reduce(%a: index) { ^bb0(%x: index, %y: index): scf.reduce.return %x : index } }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.reduce' op expected two block arguments with type 'f32' in the 0-th reduction region}}
 %0 = scf.parallel (%i) = (%a) to (%a) step (%a) init (%f) -> f32 { scf.reduce(%f: f32) { ^bb0(%x: index, %y: index): scf.reduce.return %x : index } }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.reduce' op expected two block arguments with type 'f32' in the 0-th reduction region}}
 %0 = scf.parallel (%i) = (%a) to (%a) step (%a) init (%f) -> f32 { scf.reduce(%f: f32) { ^bb0(%x: f32): scf.reduce.return %x : f32 } }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.reduce.return' op must have type 'f32' (the type of the reduction inputs)}}
 %0 = scf.parallel (%i) = (%a) to (%a) step (%a) init (%f) -> f32 { scf.reduce(%f: f32) { ^bb0(%x: f32, %y: f32): scf.reduce.return %a : index } }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.yield' op expects parent op to be one of 'scf.execute_region, scf.for, scf.if, scf.index_switch, scf.while'}}
 %0 = scf.parallel (%i) = (%a) to (%a) step (%a) init (%f) -> f32 { scf.reduce(%f: f32) { ^bb0(%x: f32, %y: f32): "scf.yield"(%x) : (f32) -> () } }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
 // expected-error@+1 {{'scf.parallel' op expects number of results: 1 to be the same as number of reductions: 0}}
 %0 = scf.parallel (%i) = (%a) to (%a) step (%a) init (%f) -> f32 { scf.reduce(%f: f32)  }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
  // expected-error@+1 {{'scf.index_switch' op has duplicate case value: 1}}
  %0 = scf.index_switch %a -> f32 case 1 { scf.yield %f : f32 } case 1 { scf.yield %f : f32 } default { scf.yield %f : f32 }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
  // expected-error@+1 {{'scf.index_switch' op expected result #0 of each region to be 'f32'}}
  %0 = scf.index_switch %a -> f32 case 1 { scf.yield %f : f32 } default { scf.yield %a : index }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
  // expected-error@+1 {{'scf.index_switch' op expected each region to return 1 values, but case region #0 returns 0}}
  %0 = scf.index_switch %a -> f32 case 1 { scf.yield } default { scf.yield %f : f32 }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
  // expected-error@+1 {{'scf.index_switch' op expected each region to return 1 values, but default region returns 0}}
  %0 = scf.index_switch %a -> f32 case 1 { scf.yield %f : f32 } default { }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
  // expected-error@+1 {{'scf.index_switch' op has 1 case regions but 2 case values}}
  "scf.index_switch"(%a) <{cases = array<i64: 1, 2>}> ({ scf.yield }, {scf.yield}) : (index) -> ()
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
  // expected-error@+1 {{'scf.execute_region' op region needs to have at least one block}}
  scf.execute_region {  }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
  // expected-error@+1 {{'scf.execute_region' op region needs to have at least one block}}
  "scf.execute_region"() ({}) : () -> ()
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
  // expected-error@+1 {{'scf.execute_region' op region cannot have any arguments}}
  "scf.execute_region"() ({^bb0(%x: i1): scf.yield}) : () -> ()
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
  // expected-error@+1 {{'scf.execute_region' op  region control flow edge from Region #0 to parent results: source has 0 operands, but target successor needs 1}}
  %0 = scf.execute_region -> f32 { scf.yield }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
  // expected-error@+1 {{'scf.execute_region' op  along control flow edge from Region #0 to parent results: source type #0 'index' should match input type #0 'f32'}}
  %0 = scf.execute_region -> f32 { scf.yield %a : index }
  return
}

// -----

func.func @f(%a: index, %f: tensor<4xf32>) { 
  // expected-error@+1 {{1 operands present, but expected 2}}
  scf.forall (%i) in (4) shared_outs(%o = %f) -> (tensor<4xf32>, f32) { }
  return
}

// -----

func.func @f(%a: index, %f: tensor<4xf32>) { 
  // expected-error@+1 {{use of value '%f' expects different type than prior uses: 'tensor<8xf32>' vs 'tensor<4xf32>'}}
  %0 = scf.forall (%i) in (4) shared_outs(%o = %f) -> (tensor<8xf32>) { }
  return
}

// -----

func.func @f(%a: index, %f: tensor<4xf32>) { 
  // expected-error@+1 {{expected 2 upper bound values, got 1}}
  scf.forall (%i, %j) in (4) { }
  return
}

// -----

func.func @f(%a: index, %f: tensor<4xf32>) { 
  // expected-error@+1 {{'scf.forall' op mapping attribute size must match op rank}}
  scf.forall (%i) in (4) {  } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  return
}

// -----

func.func @f(%a: index, %f: tensor<4xf32>) { 
  // expected-error@+1 {{'scf.forall' op attribute 'mapping' failed to satisfy constraint: Device Mapping array attribute}}
  scf.forall (%i) in (4) {  } {mapping = [3]}
  return
}

// -----

func.func @f(%a: index, %f: tensor<4xf32>) { 
  // expected-error@+1 {{'scf.forall.in_parallel' op expected only tensor.parallel_insert_slice ops}}
  scf.forall (%i) in (4) { scf.forall.in_parallel { arith.constant 1 : i32 } }
  return
}

// -----

func.func @f(%a: index, %f: tensor<4xf32>) { 
  // expected-error@+1 {{'tensor.parallel_insert_slice' op may only insert into an output block argument}}
  scf.forall (%i) in (4) { scf.forall.in_parallel { tensor.parallel_insert_slice %f into %f[0] [4] [1] : tensor<4xf32> into tensor<4xf32> } }
  return
}

// -----

func.func @f(%a: index, %f: tensor<4xf32>) { 
  // expected-error@+1 {{'scf.forall' op constant step operand must be positive}}
  scf.forall (%i) = (0) to (4) step (0) {  }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
  // expected-error@+1 {{'scf.forall' op operand #0 must be variadic of ranked tensor of any type values, but got 'f32'}}
  %0 = scf.forall (%i) in (4) shared_outs(%o = %f) -> (f32) { }
  return
}

// -----

func.func @f(%a: index, %f: f32) { 
  // expected-error@+1 {{'scf.forall' op region expects 1 arguments}}
  "scf.forall"() <{operandSegmentSizes = array<i32: 0,0,0,0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 10>}> ({ ^bb0: scf.forall.in_parallel {} }) : () -> ()
  return
}
