// RUN: airlite-opt %s --verify-diagnostics --split-input-file

func.func @f() {
  // expected-error@+1 {{branch has 0 operands for successor #0, but target block has 1}}
  cf.br ^bb1
^bb1(%a: i32):
  return
}

// -----

func.func @f(%b: i64) {
  // expected-error@+1 {{type mismatch for bb argument #0 of successor #0}}
  cf.br ^bb1(%b : i64)
^bb1(%a: i32):
  return
}

// -----

func.func @f(%c: i1, %b: i64) {
  // expected-error@+1 {{branch has 1 operands for successor #1, but target block has 0}}
  cf.cond_br %c, ^bb1, ^bb1(%b : i64)
^bb1:
  return
}

// -----

func.func @f(%b: i64) {
  // expected-error@+1 {{'cf.cond_br' op operand #0 must be 1-bit signless integer, but got 'i64'}}
  "cf.cond_br"(%b)[^bb1, ^bb1] {operandSegmentSizes = array<i32: 1, 0, 0>} : (i64) -> ()
^bb1:
  return
}

// -----

func.func @f(%b: i32) {
  // expected-error@+1 {{branch has 1 operands for successor #1, but target block has 0}}
  cf.switch %b : i32, [default: ^bb1, 1: ^bb1(%b : i32)]
^bb1:
  return
}

// -----

func.func @f(%b: i32) {
  // expected-error@+1 {{'cf.switch' op number of case values (2) should match number of case destinations (1)}}
  "cf.switch"(%b)[^bb1, ^bb1] {case_operand_segments = array<i32: 0>, case_values = dense<[42, -1]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>} : (i32) -> ()
^bb1:
  return
}

// -----

func.func @f(%b: i32) {
  // expected-error@+1 {{'cf.switch' op 'flag' type ('i32') should match case value type ('i64')}}
  "cf.switch"(%b)[^bb1, ^bb1] {case_operand_segments = array<i32: 0>, case_values = dense<42> : vector<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>} : (i32) -> ()
^bb1:
  return
}

// -----

func.func @f(%b: i32) {
  // expected-error@+1 {{'cf.switch' op 'case_operand_segments' has 0 sizes for 1 case destinations}}
  "cf.switch"(%b)[^bb1, ^bb1] {case_operand_segments = array<i32>, case_values = dense<42> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>} : (i32) -> ()
^bb1:
  return
}

// -----

func.func @f(%b: i32) {
  // expected-error@+1 {{'cf.switch' op sizes of 'case_operand_segments' do not add up to the number of case operands (0)}}
  "cf.switch"(%b)[^bb1, ^bb1] {case_operand_segments = array<i32: 1>, case_values = dense<42> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>} : (i32) -> ()
^bb1:
  return
}

// -----

func.func @f(%b: f32) {
  // expected-error@+1 {{expected an integer type of up to 64 bits, found 'f32'}}
  cf.switch %b : f32, [default: ^bb1]
^bb1:
  return
}

// -----

func.func @f(%b: i32) {
  // expected-error@+1 {{expected integer value}}
  cf.switch %b : i32, [default: ^bb1, x: ^bb1]
^bb1:
  return
}

// -----

func.func @f(%b: i32) {
  // expected-error@+1 {{expected 'default'}}
  cf.switch %b : i32, [1: ^bb1]
^bb1:
  return
}

// -----

func.func @f(%b: i32) {
  // expected-error@+1 {{'cf.assert' op operand #0 must be 1-bit signless integer, but got 'i32'}}
  "cf.assert"(%b) {msg = "x"} : (i32) -> ()
  return
}

// -----

func.func @f(%b: i1) {
  // expected-error@+1 {{'cf.assert' op requires attribute 'msg'}}
  "cf.assert"(%b) : (i1) -> ()
  return
}
