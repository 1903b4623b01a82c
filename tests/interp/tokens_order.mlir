// Ops run when their tokens allow: a chain of tokens gives one result in every schedule, and a
// missing edge shows as a difference between two.
// RUN: airlite-opt %s --check-each --canonicalize --emit=none
// RUN: airlite-run %s --on=interp --function=chain --schedules=50 -v 2>&1 | FileCheck %s --check-prefix=CHAIN
// CHAIN: 50 schedules agree
// RUN: (airlite-run %s --on=interp --function=race --schedules=50; test $? = 1) 2>&1 | FileCheck %s --check-prefix=RACE
// RACE: error: result 0 depends on the schedule: {{[12]}} with seed 0, {{[12]}} with seed
// RUN: airlite-run %s --on=interp --function=loop --schedules=50 -v 2>&1 | FileCheck %s --check-prefix=LOOP
// LOOP: 50 schedules agree
// RUN: airlite-run %s --on=interp --function=own_runs --schedules=50 -v 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: 50 schedules agree
// RUN: (airlite-run %s --on=interp --function=changing_place --schedules=50; test $? = 1) 2>&1 | FileCheck %s --check-prefix=TURN
// TURN: depends on the schedule

func.func @chain() {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1xi32>
  %t0 = air.execute {
    %1 = arith.constant 1 : i32
    memref.store %1, %m[%c0] : memref<1xi32>
  }
  %t1 = air.execute [%t0] {
    %2 = memref.load %m[%c0] : memref<1xi32>
    %3 = arith.addi %2, %2 : i32
    memref.store %3, %m[%c0] : memref<1xi32>
  }
  air.wait_all [%t1]
  %v = memref.load %m[%c0] : memref<1xi32>
  %c2 = arith.constant 2 : i32
  %ok = arith.cmpi eq, %v, %c2 : i32
  cf.assert %ok, "both executes have run in order"
  return
}

func.func @race() -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<1xi32>
  %t0 = air.execute {
    %1 = arith.constant 1 : i32
    memref.store %1, %m[%c0] : memref<1xi32>
  }
  %t1 = air.execute {
    %2 = arith.constant 2 : i32
    memref.store %2, %m[%c0] : memref<1xi32>
  }
  air.wait_all [%t0, %t1]
  %v = memref.load %m[%c0] : memref<1xi32>
  return %v : i32
}

// The token of a loop covers every op inside, not only what is yielded.
func.func @loop() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4xi32>
  %start = air.wait_all async
  %end = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %start) -> (!air.async.token) {
    %s = air.execute [%t] {
      %7 = arith.constant 7 : i32
      memref.store %7, %m[%i] : memref<4xi32>
    }
    scf.yield %t : !air.async.token
  }
  air.wait_all [%end]
  scf.for %i = %c0 to %c4 step %c1 {
    %v = memref.load %m[%i] : memref<4xi32>
    %7 = arith.constant 7 : i32
    %ok = arith.cmpi eq, %v, %7 : i32
    cf.assert %ok, "every execute of the loop has run"
  }
  return
}

// A put whose place is fixed waits for its own run before, and so does the get: no token is needed.
air.channel @own [1] {depth = 2 : i64}
func.func @own_runs() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %numbers = memref.alloc() : memref<3xi32>
  %got = memref.alloc() : memref<3xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    %number = arith.index_cast %i : index to i32
    memref.store %number, %numbers[%i] : memref<3xi32>
  }
  %done = air.wait_all async
  %sent = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %done) -> (!air.async.token) {
    %put = air.channel.put async @own[%c0] (%numbers[%i] [%c1] [%c1]) : (memref<3xi32>)
    scf.yield %t : !air.async.token
  }
  %taken = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %done) -> (!air.async.token) {
    %get = air.channel.get async @own[%c0] (%got[%i] [%c1] [%c1]) : (memref<3xi32>)
    scf.yield %t : !air.async.token
  }
  air.wait_all [%sent, %taken]
  %last = memref.load %got[%c1] : memref<3xi32>
  return %last : i32
}

// A place that is computed in the loop: only tokens would order the puts.
air.channel @turning [2] {depth = 4 : i64}
func.func @changing_place() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %numbers = memref.alloc() : memref<3xi32>
  %got = memref.alloc() : memref<1xi32>
  scf.for %i = %c0 to %c3 step %c1 {
    %number = arith.index_cast %i : index to i32
    memref.store %number, %numbers[%i] : memref<3xi32>
  }
  %done = air.wait_all async
  %sent = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %done) -> (!air.async.token) {
    %place = arith.remui %i, %c2 : index
    %put = air.channel.put async @turning[%place] (%numbers[%i] [%c1] [%c1]) : (memref<3xi32>)
    scf.yield %t : !air.async.token
  }
  air.channel.get @turning[%c0] (%got[] [] []) : (memref<1xi32>)
  air.wait_all [%sent]
  %first = memref.load %got[%c0] : memref<1xi32>
  return %first : i32
}
