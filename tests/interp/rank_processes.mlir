// Ranks in processes of their own: what they see of each other and of the host, and how a run ends when one of
// them fails, hangs or is killed. tests/examples/ranks.mlir runs the examples this way.
// RUN: airlite-run %S/ranks.mlir --on=interp --function=around --init=zero --ranks=processes --schedules=5 --output 0=%t.npy
// RUN: airlite-run %S/ranks.mlir --on=interp --function=by_hand --init=zero --expect 0=%t.npy | FileCheck %s
// CHECK: argument 0 is as expected

// RUN: airlite-run %s --on=interp --function=host_and_ranks --init=zero --output 0=%t.host.npy
// RUN: airlite-run %s --on=interp --function=host_and_ranks --init=zero --ranks=processes --schedules=5 --expect 0=%t.host.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --function=all_add --init=zero --output 0=%t.add.npy
// RUN: airlite-run %s --on=interp --function=all_add --init=zero --ranks=processes --schedules=5 --expect 0=%t.add.npy | FileCheck %s

// An error in one rank ends all, and nothing is written.
// RUN: (airlite-run %s --on=interp --function=one_fails --init=zero --ranks=processes --output 0=%t.none.npy; test $? = 1) 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: test ! -e %t.none.npy
// FAILS: rank_processes.mlir:[[#]]:[[#]]: error: index [7] of 'memref.store' is outside of the shape [4]
// FAILS: note: in instance (2) of this air.rank
// FAILS: rank_processes.mlir:[[#]]:[[#]]: error: rank 2 ended with an error: index [7]{{.*}}; all ranks end

// RUN: (airlite-run %s --on=interp --function=one_waits --ranks=processes; test $? = 1) 2>&1 | FileCheck %s --check-prefix=WAITS
// WAITS: error: deadlock: 'air.channel.get' of '@c[1]' in instance [1] waits for a put
// WAITS: error: deadlock: rank 1 waits, and no rank can continue
// RUN: (airlite-run %s --on=interp --function=endless --ranks=processes --max-steps=100000; test $? = 1) 2>&1 | FileCheck %s --check-prefix=LONG
// LONG: error: rank {{[0-3]}}: the run takes more than 100000 steps

// A rank that is killed, and the tool that is killed: no process is left behind.
// RUN: python3 %S/Inputs/kill_rank.py processes %{airlite-run} %s | FileCheck %s --check-prefix=KILLED
// KILLED: rank 2 killed: exit code 1, 0 processes left
// KILLED: error: rank 2 was ended by signal 9 (Killed); all ranks end
// KILLED: rank 1 aborted: exit code 1, 0 processes left
// KILLED: error: rank 1 was ended by signal 6 (Aborted); all ranks end
// KILLED: the tool killed: 0 processes left
// KILLED: in /dev/shm: {{\[\]}}

// RUN: (airlite-run %s --on=sim --ranks=processes; test $? = 2) 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: --ranks needs --on=interp
air.channel @c [4]
memref.global @count : memref<1xi32> = dense<0>

// Two groups, one after the other; the host speaks with the ranks of the first while they run, and changes
// between the two what both of them read and write.
func.func @host_and_ranks(%out: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %v5 = arith.constant 5 : i32
  %word = memref.alloc() : memref<1xi32>
  memref.store %v5, %word[%c0] : memref<1xi32>
  %t = air.rank async (%r) in (%n = %c4) args(%o = %out) : memref<4xi32> {
    %got = memref.alloc() : memref<1xi32>
    %z = arith.constant 0 : index
    air.channel.get @c[%r] (%got[] [] []) : (memref<1xi32>)
    %v = memref.load %got[%z] : memref<1xi32>
    %id = arith.index_cast %r : index to i32
    %sum = arith.addi %v, %id : i32
    memref.store %sum, %o[%r] : memref<4xi32>
  }
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  air.channel.put @c[%c0] (%word[] [] []) : (memref<1xi32>)
  air.channel.put @c[%c1] (%word[] [] []) : (memref<1xi32>)
  air.channel.put @c[%c2] (%word[] [] []) : (memref<1xi32>)
  air.channel.put @c[%c3] (%word[] [] []) : (memref<1xi32>)
  air.wait_all [%t]
  %first = memref.load %out[%c0] : memref<4xi32>
  %more = arith.addi %first, %v5 : i32
  memref.store %more, %out[%c0] : memref<4xi32>
  air.rank (%r) in (%n = %c2) args(%o = %out) : memref<4xi32> {
    %v = memref.load %o[%r] : memref<4xi32>
    %twice = arith.addi %v, %v : i32
    memref.store %twice, %o[%r] : memref<4xi32>
  }
  memref.dealloc %word : memref<1xi32>
  return
}

// What is atomic stays so between processes: 4 ranks add to one word 20000 times each, to a global as well.
func.func @all_add(%out: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  air.rank (%r) in (%n = %c4) args(%o = %out) : memref<2xi32> {
    %z = arith.constant 0 : index
    %step = arith.constant 1 : index
    %many = arith.constant 20000 : index
    %one = arith.constant 1 : i32
    %global = memref.get_global @count : memref<1xi32>
    scf.for %i = %z to %many step %step {
      %a = memref.atomic_rmw addi %one, %o[%z] : (i32, memref<2xi32>) -> i32
      %b = memref.generic_atomic_rmw %global[%z] : memref<1xi32> {
      ^bb0(%old: i32):
        %new = arith.addi %old, %one : i32
        memref.atomic_yield %new : i32
      }
    }
  }
  %global = memref.get_global @count : memref<1xi32>
  %total = memref.load %global[%c0] : memref<1xi32>
  memref.store %total, %out[%c1] : memref<2xi32>
  return
}

func.func @one_fails(%out: memref<4xi32>) {
  %c4 = arith.constant 4 : index
  air.rank (%r) in (%n = %c4) args(%o = %out) : memref<4xi32> {
    %c2 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %v = arith.constant 1 : i32
    %got = memref.alloc() : memref<1xi32>
    %isTwo = arith.cmpi eq, %r, %c2 : index
    %at = arith.select %isTwo, %c7, %r : index
    memref.store %v, %o[%at] : memref<4xi32>
    air.channel.get @c[%r] (%got[] [] []) : (memref<1xi32>)
  }
  return
}

// Rank 0 ends, and rank 1 waits for it.
func.func @one_waits() {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) {
    %c1 = arith.constant 1 : index
    %isOne = arith.cmpi eq, %r, %c1 : index
    scf.if %isOne {
      %got = memref.alloc() : memref<1xi32>
      air.channel.get @c[%r] (%got[] [] []) : (memref<1xi32>)
    }
  }
  return
}

func.func @endless() {
  %c4 = arith.constant 4 : index
  air.rank (%r) in (%n = %c4) {
    %true = arith.constant true
    scf.while : () -> () {
      scf.condition(%true)
    } do {
      scf.yield
    }
  }
  return
}

func.func @main() {
  return
}

// What an execute promises is there before the processes start.
// RUN: airlite-run %s --on=interp --function=promised --init=zero --output 0=%t.promised.npy
// RUN: airlite-run %s --on=interp --function=promised --init=zero --ranks=processes --schedules=5 --expect 0=%t.promised.npy | FileCheck %s
func.func @promised(%out: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %seven = arith.constant 7 : i32
  %made, %memory, %number = air.execute -> (memref<4xi32>, i32) {
    %alloc = memref.alloc() : memref<4xi32>
    memref.store %seven, %alloc[%c0] : memref<4xi32>
    air.execute_terminator %alloc, %seven : memref<4xi32>, i32
  }
  air.wait_all [%made]
  air.rank (%r) in (%n = %c2) args(%o = %out, %m = %memory, %x = %number) : memref<4xi32>, memref<4xi32>, i32 {
    %zero = arith.constant 0 : index
    %loaded = memref.load %m[%zero] : memref<4xi32>
    %sum = arith.addi %loaded, %x : i32
    memref.store %sum, %o[%r] : memref<4xi32>
  }
  return
}

// RUN: (airlite-run %s --on=interp --function=token --init=zero --ranks=processes; test $? = 1) 2>&1 | FileCheck %s --check-prefix=TOKEN
// TOKEN: rank_processes.mlir:[[#]]:[[#]]: error: {{.*}}not supported by the interpreter: a token that is handed to ranks in several processes
func.func @token(%out: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %seven = arith.constant 7 : i32
  %stored = air.execute {
    memref.store %seven, %out[%c0] : memref<4xi32>
  }
  air.rank (%r) in (%n = %c2) args(%o = %out, %t = %stored) : memref<4xi32>, !air.async.token {
    air.wait_all [%t]
  }
  return
}

// Memory that another rank has freed: the note says where, also in another process.
// RUN: (airlite-run %s --on=interp --function=freed --init=zero --ranks=processes; test $? = 1) 2>&1 | FileCheck %s --check-prefix=FREED
// FREED: rank_processes.mlir:[[#]]:[[#]]: error: 'memref.load' uses memory after it is freed
// FREED: rank_processes.mlir:[[#]]:[[#]]: note: it is freed here
// FREED-NEXT: memref.dealloc
air.channel @told []
func.func @freed(%out: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i32
  %memory = memref.alloc() : memref<4xi32>
  memref.store %one, %memory[%c0] : memref<4xi32>
  air.rank (%r) in (%n = %c2) args(%o = %out, %m = %memory) : memref<4xi32>, memref<4xi32> {
    %zero = arith.constant 0 : index
    %word = memref.alloc() : memref<1xi32>
    %seven = arith.constant 7 : i32
    %isFirst = arith.cmpi eq, %r, %zero : index
    scf.if %isFirst {
      memref.store %seven, %word[%zero] : memref<1xi32>
      memref.dealloc %m : memref<4xi32>
      air.channel.put @told[] (%word[] [] []) : (memref<1xi32>)
    } else {
      air.channel.get @told[] (%word[] [] []) : (memref<1xi32>)
      %loaded = memref.load %m[%zero] : memref<4xi32>
      memref.store %loaded, %o[%zero] : memref<4xi32>
    }
  }
  return
}
