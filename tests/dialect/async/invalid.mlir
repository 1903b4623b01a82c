// RUN: airlite-opt --split-input-file --verify-diagnostics %s

func.func @fewer() {
  %t, %r = async.execute -> !async.value<i32> {
    // expected-error@+1 {{'async.yield' op gives 0 values, but its async.execute has 1}}
    async.yield
  }
  return
}

// -----

func.func @type(%x: f32) {
  %t, %r = async.execute -> !async.value<i32> {
    // expected-error@+1 {{'async.yield' op operand #0 has type 'f32', but the result of async.execute is '!async.value<i32>'}}
    async.yield %x : f32
  }
  return
}

// -----

func.func @no_value(%x: f32) {
  // expected-error@+1 {{result #1 must be variadic of async value type, but got 'f32'}}
  %t, %r = async.execute -> f32 {
    async.yield %x : f32
  }
  return
}

// -----

func.func @wrapped(%x: f32) {
  // expected-error@+1 {{expected an !async.value, found 'f32'}}
  %t = async.execute (%x as %y: f32) {
    async.yield
  }
  return
}

// -----

func.func @arguments(%x: !async.value<f32>) {
  // expected-error@+1 {{'async.execute' op expects 1 body arguments, found 0}}
  %t = "async.execute"(%x) ({
    "async.yield"() : () -> ()
  }) {operandSegmentSizes = array<i32: 0, 1>} : (!async.value<f32>) -> !async.token
  return
}

// -----

func.func @argument_types(%x: !async.value<f32>) {
  // expected-error@+1 {{'async.execute' op async body region argument types do not match the execute operation arguments types}}
  %t = "async.execute"(%x) ({
  ^bb0(%y: i32):
    "async.yield"() : () -> ()
  }) {operandSegmentSizes = array<i32: 0, 1>} : (!async.value<f32>) -> !async.token
  return
}

// -----

func.func @token(%x: !async.token) {
  // expected-error@+1 {{'async.await' op awaiting on a token must have empty result}}
  %0 = "async.await"(%x) : (!async.token) -> i32
  return
}

// -----

func.func @none(%x: !async.value<f32>) {
  // expected-error@+1 {{'async.await' op awaiting on a value must give a result of type 'f32'}}
  "async.await"(%x) : (!async.value<f32>) -> ()
  return
}

// -----

func.func @other(%x: !async.value<f32>) {
  // expected-error@+1 {{'async.await' op result type 'i32' does not match async value type 'f32'}}
  %0 = "async.await"(%x) : (!async.value<f32>) -> i32
  return
}
