// Every message of sequences and types.
// RUN: airlite-opt %s --verify-diagnostics --split-input-file

// expected-note@+1 {{symbol table operation}}
module {
  // expected-error@+1 {{expects the parent symbol table to have the 'transform.with_named_sequence' attribute}}
  transform.named_sequence @f(%a: !transform.any_op) {
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error@+1 {{expected non-empty function body}}
  transform.named_sequence @f(%a: !transform.any_op) {
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error@+1 {{expected 'transform.yield' as terminator}}
  transform.named_sequence @f(%a: !transform.any_op) {
    // expected-note@+1 {{terminator}}
    gpu.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%a: !transform.any_op) -> !transform.any_op {
    // expected-error@+1 {{expected terminator to have as many operands as the parent op has results}}
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @f(%a: !transform.any_op) -> !transform.any_value {
    // expected-error@+1 {{the type of the terminator operand #0 must match the type of the corresponding parent op result ('!transform.any_op' vs '!transform.any_value')}}
    transform.yield %a : !transform.any_op
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error@+1 {{argument #0 cannot be both readonly and consumed}}
  transform.named_sequence @f(%a: !transform.any_op {transform.consumed, transform.readonly}) {
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error@+1 {{argument #1 is consumed in the body but is not marked as such}}
  transform.named_sequence @f(%a: !transform.any_op {transform.readonly}, %b: !transform.any_op {transform.readonly}) {
    transform.foreach %a, %b : !transform.any_op, !transform.any_op {
    ^bb0(%x: !transform.any_op, %y: !transform.any_op):
      transform.loop.unroll %y {factor = 2} : !transform.any_op
    }
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-warning@+1 {{op argument #0 is not consumed in the body but is marked as consumed}}
  transform.named_sequence @f(%a: !transform.any_op {transform.consumed}) {
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error@+1 {{must provide consumed/readonly status for arguments of external or called ops}}
  transform.named_sequence private @f(!transform.any_op)
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error@+1 {{must provide consumed/readonly status for arguments of external or called ops}}
  transform.named_sequence @f(%a: !transform.any_op) {
    transform.yield
  }
  transform.named_sequence @g(%a: !transform.any_op) {
    transform.include @f failures(propagate) (%a) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// What a sequence that is included consumes, the one around it consumes too.
module attributes {transform.with_named_sequence} {
  transform.named_sequence private @f(!transform.any_op {transform.consumed})
  // expected-error@+1 {{argument #0 is consumed in the body but is not marked as such}}
  transform.named_sequence @g(%a: !transform.any_op {transform.readonly}) {
    transform.include @f failures(propagate) (%a) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  // expected-error@+1 {{recursion not allowed in named sequences}}
  transform.named_sequence @f(%a: !transform.any_op {transform.readonly}) {
    transform.include @f failures(propagate) (%a) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @start(%a: !transform.any_op {transform.readonly}) {
    transform.include @f failures(propagate) (%a) : (!transform.any_op) -> ()
    transform.yield
  }
  // expected-error@+1 {{recursion not allowed in named sequences}}
  transform.named_sequence @f(%a: !transform.any_op {transform.readonly}) {
    transform.include @g failures(propagate) (%a) : (!transform.any_op) -> ()
    transform.yield
  }
  // expected-note@+1 {{operation on recursion stack}}
  transform.named_sequence @g(%a: !transform.any_op {transform.readonly}) {
    transform.include @f failures(propagate) (%a) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence private @f(!transform.any_op {transform.readonly}) -> !transform.any_op
  transform.named_sequence @g() {
    // expected-error@+1 {{incorrect number of operands for callee}}
    %0 = transform.include @f failures(propagate) () : () -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence private @f(!transform.any_op {transform.readonly}) -> !transform.any_op
  transform.named_sequence @g(%a: !transform.any_value) {
    // expected-error@+1 {{operand type mismatch: expected operand type '!transform.any_op', but provided '!transform.any_value' for operand number 0}}
    %0 = transform.include @f failures(propagate) (%a) : (!transform.any_value) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence private @f(!transform.any_op {transform.readonly}) -> !transform.any_op
  transform.named_sequence @g(%a: !transform.any_op) {
    // expected-error@+1 {{incorrect number of results for callee}}
    transform.include @f failures(propagate) (%a) : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence private @f(!transform.any_op {transform.readonly}) -> !transform.any_op
  transform.named_sequence @g(%a: !transform.any_op) {
    // expected-error@+1 {{type of result #0 must implement the same transform dialect interface as the corresponding callee result}}
    %0 = transform.include @f failures(propagate) (%a) : (!transform.any_op) -> !transform.any_value
    transform.yield
  }
}

// -----

// expected-error@+1 {{'transform.sequence' op expects the entry block to have at least one argument}}
transform.sequence failures(propagate) {
}

// -----

// expected-error@+1 {{'transform.sequence' op expects the first entry block argument to be of type implementing TransformHandleTypeInterface}}
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_value):
}

// -----

// expected-note@+2 {{argument #1 does not}}
// expected-error@+1 {{'transform.sequence' op expects trailing entry block arguments to be of type implementing TransformHandleTypeInterface, TransformValueHandleTypeInterface or TransformParamTypeInterface}}
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op, %b: i32):
}

// -----

// expected-note@+1 {{nested in another possible top-level op}}
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  // expected-error@+1 {{'transform.sequence' op expects operands to be provided for a nested op}}
  transform.sequence failures(propagate) {
  ^bb0(%b: !transform.any_op):
  }
}

// -----

transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  // expected-error@+1 {{'transform.sequence' op expects the type of the block argument to match the type of the operand}}
  transform.sequence %a : !transform.any_op failures(propagate) {
  ^bb0(%b: !transform.op<"scf.for">):
  }
}

// -----

// expected-error@+1 {{'transform.sequence' op expected children ops to implement TransformOpInterface}}
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  // expected-note@+1 {{op without interface}}
  %0 = arith.constant 1 : i32
}

// -----

// expected-error@+1 {{'transform.sequence' op expected children ops to implement TransformOpInterface}}
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  // expected-note@+1 {{op without interface}}
  transform.apply_patterns.canonicalization
}

// -----

// expected-error@+1 {{'transform.sequence' op block argument #0 has more than one potential consumer}}
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  // expected-note@+1 {{used here as operand #0}}
  transform.loop.unroll %a {factor = 2} : !transform.any_op
  // expected-note@+1 {{used here as operand #0}}
  transform.foreach %a : !transform.any_op {
  ^bb0(%x: !transform.any_op):
    transform.loop.unroll %x {factor = 2} : !transform.any_op
  }
}

// -----

// expected-error@+1 {{'transform.sequence' op expects the types of the terminator operands to match the types of the result}}
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
  // expected-note@+1 {{terminator}}
  transform.yield %a : !transform.any_op
}

// -----

transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op, %b: !transform.any_op):
  // expected-error@+1 {{expected 2 types, found 1}}
  transform.sequence %a, %b : !transform.any_op failures(propagate) {
  ^bb0(%x: !transform.any_op, %y: !transform.any_op):
  }
}

// -----

// expected-error@+1 {{only supports integer types with width <=64}}
func.func private @f(!transform.param<f32>)

// -----

// expected-error@+1 {{expected a string, found 'linalg'}}
func.func private @f(!transform.op<linalg>)

// -----

// expected-error@+1 {{unknown type '!transform.any_ops'; did you mean 'transform.any_op'?}}
func.func private @f(!transform.any_ops)
