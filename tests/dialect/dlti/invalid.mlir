// RUN: airlite-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{repeated layout entry key: index}}
module attributes {a.b = #dlti.dl_spec<index = 32 : i64, index = 64 : i64>} {}

// -----

// expected-error@+1 {{expected a type or a string as key}}
module attributes {a.b = #dlti.dl_spec<3 : i32 = 32 : i64>} {}

// -----

// expected-error@+1 {{expected '='}}
module attributes {a.b = #dlti.dl_spec<index 32 : i64>} {}

// -----

// expected-error@+1 {{expected ','}}
module attributes {a.b = #dlti.dl_entry<index = 32 : i64>} {}
