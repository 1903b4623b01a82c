// RUN: airlite-opt %s --verify-diagnostics --split-input-file --allow-unregistered

func.func @f(%a: i32) -> i32 {
  // expected-error@+1 {{'func.return' op has 0 operands, but enclosing function (@f) returns 1}}
  return
}

// -----

func.func @f(%a: i32) -> i64 {
  // expected-error@+1 {{type of return operand 0 ('i32') doesn't match function result type ('i64') in function @f}}
  return %a : i32
}

// -----

func.func @f(%a: i32) {
  "test.region"() ({
    // expected-error@+1 {{'func.return' op expects parent op 'func.func'}}
    func.return
  }) : () -> ()
  return
}

// -----

func.func @f(%a: i32) {
  // expected-error@+1 {{'func.call' op 'g' does not reference a valid function}}
  call @g(%a) : (i32) -> ()
  return
}

// -----

func.func private @g()
func.func @f(%a: i32) {
  // expected-error@+1 {{'func.call' op incorrect number of operands for callee}}
  call @g(%a) : (i32) -> ()
  return
}

// -----

func.func private @g(i64)
func.func @f(%a: i32) {
  // expected-error@+1 {{'func.call' op operand type mismatch: expected operand type 'i64', but provided 'i32' for operand number 0}}
  call @g(%a) : (i32) -> ()
  return
}

// -----

func.func private @g() -> i32
func.func @f() {
  // expected-error@+1 {{'func.call' op incorrect number of results for callee}}
  call @g() : () -> ()
  return
}

// -----

func.func private @g() -> i32
func.func @f() {
  // expected-error@+3 {{'func.call' op result type mismatch at index 0}}
  // expected-note@+2 {{op result types: 'i64'}}
  // expected-note@+1 {{function result types: 'i32'}}
  %0 = call @g() : () -> i64
  return
}

// -----

func.func private @g() -> i32
func.func @f() {
  // expected-error@+1 {{'func.constant' op reference to function with mismatched type}}
  %0 = func.constant @g : () -> i64
  return
}

// -----

func.func @f() {
  // expected-error@+1 {{'func.constant' op reference to undefined function 'g'}}
  %0 = func.constant @g : () -> i64
  return
}

// -----

func.func @f(%g: (i32) -> i32, %a: i64) {
  // expected-error@+1 {{'func.call_indirect' op operands and results must be those of the callee's type '(i32) -> i32'}}
  %0 = "func.call_indirect"(%g, %a) : ((i32) -> i32, i64) -> i32
  return
}

// -----

// expected-error@+1 {{'func.func' op symbol declaration cannot have public visibility}}
func.func @f()

// -----

// expected-error@+1 {{expected SSA identifier}}
func.func private @f(%a: i32, i32)

// -----

// expected-error@+1 {{expected type instead of SSA identifier}}
func.func private @f(i32, %a: i32)

// -----

// expected-error@+1 {{not supported: variadic arguments of a function}}
func.func private @f(i32, ...)

// -----

// expected-error@+1 {{'func.func' op entry block must have 1 arguments to match function signature}}
func.func @f(i32) {
  return
}

// -----

// expected-error@+1 {{'sym_name' is an inferred attribute and should not be specified in the explicit attribute dictionary}}
func.func private @f(i32) attributes {sym_name = "x"}

// -----

// expected-error@+1 {{expected non-empty function body}}
func.func @f() {
}

// -----

// expected-error@+1 {{'func.func' op type of entry block argument #0('i64') must match the type of the corresponding argument in function signature('i32')}}
"func.func"() ({
^bb0(%a: i64):
  "func.return"() : () -> ()
}) {sym_name = "f", function_type = (i32) -> ()} : () -> ()

// -----

// expected-error@+1 {{'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"func.func"() ({
}) {sym_name = "f", sym_visibility = "private", function_type = i32} : () -> ()

// -----

// expected-error@+1 {{'func.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 0, but expected 1}}
"func.func"() ({
}) {sym_name = "f", sym_visibility = "private", function_type = (i32) -> (), arg_attrs = []} : () -> ()

// -----

// expected-error@+1 {{'func.func' op expects result attribute array to have the same number of elements as the number of function results, got 1, but expected 0}}
"func.func"() ({
}) {sym_name = "f", sym_visibility = "private", function_type = () -> (), res_attrs = [{}]} : () -> ()

// -----

// expected-error@+1 {{'func.func' op arguments may only have dialect attributes}}
func.func private @f(i32 {foo})

// -----

// expected-error@+1 {{'func.func' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes}}
"func.func"() ({
}) {sym_name = "f", sym_visibility = "private", function_type = (i32) -> (), arg_attrs = [1]} : () -> ()
