// Affinity and concurrency lists against each other and against dependencies: what is certain is an
// error, what only may be is not.
// RUN: airlite-opt --air-verify-program --split-input-file --verify-diagnostics --emit=none %s

func.func @direct() {
  %g = air.token.alloc : !air.token
  %c = air.token.alloc : !air.token
  // expected-note@+1 {{'air.herd' @a is this one}}
  %0 = air.herd @a async tile () in () affinity = [%g] concurrency = [%c] {
  }
  // expected-error@+1 {{'air.herd' op must run at the same time as 'air.herd' @a (concurrency) and share its resources (affinity), which only one of them can hold at a time}}
  %1 = air.herd @b async tile () in () affinity = [%g] concurrency = [%c] {
  }
  air.wait_all [%0, %1]
  return
}

// -----

// Concurrency does not pass on: a and c need not overlap.
func.func @chain_of_concurrency() {
  %g = air.token.alloc : !air.token
  %c = air.token.alloc : !air.token
  %d = air.token.alloc : !air.token
  %0 = air.herd @a async tile () in () affinity = [%g] concurrency = [%c] {
  }
  %1 = air.herd @b async tile () in () concurrency = [%c, %d] {
  }
  %2 = air.herd @c async tile () in () affinity = [%g] concurrency = [%d] {
  }
  air.wait_all [%0, %1, %2]
  return
}

// -----

// A blocking op ends before what follows begins.
func.func @blocking() {
  %c = air.token.alloc : !air.token
  // expected-note@+1 {{'air.herd' @a ends first}}
  air.herd @a tile () in () concurrency = [%c] {
  }
  // expected-note@+2 {{then 'air.herd' @b comes, which waits for it}}
  // expected-error@+1 {{'air.herd' op must run at the same time as 'air.herd' @a (concurrency), but begins after that has ended}}
  air.herd @b tile () in () concurrency = [%c] {
  }
  return
}

// -----

// The second herd waits for the first only where the loop runs, and it may not.
func.func @loop_may_not_run(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c = air.token.alloc : !air.token
  %w = air.herd async tile () in () affinity = [%c] {
  }
  %0 = air.herd @a async tile () in () concurrency = [%c] {
  }
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%t = %w) -> (!air.token) {
    %j = air.wait_all async [%t, %0]
    scf.yield %j : !air.token
  }
  %1 = air.herd @b async [%l] tile () in () concurrency = [%c] {
  }
  air.wait_all [%1]
  return
}

// -----

func.func @loop_runs() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c = air.token.alloc : !air.token
  %w = air.herd async tile () in () affinity = [%c] {
  }
  // expected-note@+1 {{'air.herd' @a ends first}}
  %0 = air.herd @a async tile () in () concurrency = [%c] {
  }
  // expected-note@+1 {{then 'scf.for' comes, which waits for it}}
  %l = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %w) -> (!air.token) {
    // expected-note@+1 {{then 'air.wait_all' comes, which waits for it}}
    %j = air.wait_all async [%t, %0]
    scf.yield %j : !air.token
  }
  // expected-note@+2 {{then 'air.herd' @b comes, which waits for it}}
  // expected-error@+1 {{'air.herd' op must run at the same time as 'air.herd' @a (concurrency), but begins after that has ended}}
  %1 = air.herd @b async [%l] tile () in () concurrency = [%c] {
  }
  air.wait_all [%1]
  return
}

// -----

// Through one branch of a conditional: not certain.
func.func @one_branch(%yes: i1) {
  %c = air.token.alloc : !air.token
  %w = air.herd async tile () in () affinity = [%c] {
  }
  %0 = air.herd @a async tile () in () concurrency = [%c] {
  }
  %r = scf.if %yes -> !air.token {
    scf.yield %0 : !air.token
  } else {
    scf.yield %w : !air.token
  }
  %1 = air.herd @b async [%r] tile () in () concurrency = [%c] {
  }
  air.wait_all [%1]
  return
}
