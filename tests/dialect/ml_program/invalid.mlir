// RUN: airlite-opt --split-input-file --verify-diagnostics %s

// expected-error@+1 {{custom op 'ml_program.global' expected 'public', 'private', or 'nested'}}
ml_program.global @g(5 : i32) : i32

// -----

// expected-error@+1 {{'ml_program.global' op immutable global must have an initial value}}
ml_program.global private @g : i32

// -----

func.func @undefined() {
  // expected-error@+1 {{'ml_program.global_load' op undefined global: @g}}
  %0 = ml_program.global_load @g : i32
  return
}

// -----

ml_program.global private @g(5 : i32) : i32
func.func @type() {
  // expected-error@+1 {{'ml_program.global_load' op cannot load from global typed 'i32' as 'i64'}}
  %0 = ml_program.global_load @g : i64
  return
}

// -----

ml_program.global private mutable @g(5 : i32) : i32
func.func @const() {
  // expected-error@+1 {{'ml_program.global_load_const' op cannot load as const from mutable global @g}}
  %0 = ml_program.global_load_const @g : i32
  return
}

// -----

ml_program.global private @g(5 : i32) : i32
func.func @store(%v: i32) {
  // expected-error@+1 {{'ml_program.global_store' op cannot store to an immutable global @g}}
  ml_program.global_store @g = %v : i32
  return
}

// -----

ml_program.global private mutable @g(5 : i32) : i32
func.func @store(%v: i64) {
  // expected-error@+1 {{'ml_program.global_store' op cannot store to a global typed 'i32' from 'i64'}}
  ml_program.global_store @g = %v : i64
  return
}
