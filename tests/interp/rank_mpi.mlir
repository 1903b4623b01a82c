// Ranks in the processes that mpirun has started: the bits of one process, and how a run ends when a rank fails.
// REQUIRES: mpi
// RUN: airlite-run %S/../../examples/ranks/ring_all_reduce.mlir --on=interp --function=one_device --init=random:3 --output 1=%t.sum.npy
// RUN: mpirun --allow-run-as-root --oversubscribe -n 4 %{airlite-run} %S/../../examples/ranks/ring_all_reduce.mlir --on=interp --init=random:3 --ranks=mpi --schedules=3 --expect 1=%t.sum.npy | FileCheck %s
// RUN: mpirun --allow-run-as-root --oversubscribe -n 4 %{airlite-run} %S/../../examples/ranks/tree_all_reduce.mlir --on=interp --init=random:3 --ranks=mpi --expect 1=%t.sum.npy | FileCheck %s
// RUN: airlite-run %S/../../examples/ranks/all_gather_matmul.mlir --on=interp --function=one_device --init=random:3 --output 2=%t.c.npy
// RUN: mpirun --allow-run-as-root --oversubscribe -n 4 %{airlite-run} %S/../../examples/ranks/all_gather_matmul.mlir --on=interp --init=random:3 --ranks=mpi --expect 2=%t.c.npy | FileCheck %s
// RUN: airlite-run %S/../../examples/ranks/sharded_mlp.mlir --on=interp --function=one_device --init=random:3 --output 3=%t.y.npy
// RUN: mpirun --allow-run-as-root --oversubscribe -n 4 %{airlite-run} %S/../../examples/ranks/sharded_mlp.mlir --on=interp --init=random:3 --ranks=mpi --expect 3=%t.y.npy | FileCheck %s
// RUN: airlite-run %s --on=interp --function=twice --init=zero --output 0=%t.twice.npy
// RUN: mpirun --allow-run-as-root --oversubscribe -n 4 %{airlite-run} %s --on=interp --function=twice --init=zero --ranks=mpi --schedules=4 --expect 0=%t.twice.npy | FileCheck %s
// Of four processes one says what it compares.
// CHECK: argument [[#]] is as expected
// CHECK-NOT: argument [[#]] is as expected

// RUN: (mpirun --allow-run-as-root --oversubscribe -n 4 %{airlite-run} %S/rank_processes.mlir --on=interp --function=one_fails --init=zero --ranks=mpi --output 0=%t.none.npy; test $? = 1) 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: test ! -e %t.none.npy
// FAILS: error: rank 2 ended with an error: index [7] of 'memref.store' is outside of the shape [4]; all ranks end
// RUN: (mpirun --allow-run-as-root --oversubscribe -n 2 %{airlite-run} %S/rank_processes.mlir --on=interp --function=one_waits --ranks=mpi; test $? = 1) 2>&1 | FileCheck %s --check-prefix=WAITS
// WAITS: error: rank 1 ended with an error: deadlock: 'air.channel.get' of '@c[1]' in instance [1] waits for a put
// RUN: (mpirun --allow-run-as-root --oversubscribe -n 2 %{airlite-run} %S/rank_processes.mlir --on=interp --function=endless --ranks=mpi; test $? = 1) 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: python3 %S/Inputs/kill_rank.py mpi %{airlite-run} %S/rank_processes.mlir | FileCheck %s --check-prefix=KILLED
// KILLED: rank 2 killed: exit code 137, 0 processes left
// KILLED: process rank 2 with PID {{.*}} exited on signal 9 (Killed)
// KILLED: rank 1 aborted: exit code 134, 0 processes left
// KILLED: the tool killed: 0 processes left
// KILLED: in /dev/shm: {{\[\]}}
// COUNT: error: this air.rank has 4 ranks, and 2 processes have been started for them

air.channel @left [4] {depth = 2}
memref.global @total : memref<1xi32> = dense<0>

// Two groups of ranks, between them code of the host, which all processes run. A put before the first group is taken in it,
// a put in it after it, by the host.
func.func @twice(%out: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v5 = arith.constant 5 : i32
  %word = memref.alloc() : memref<1xi32>
  memref.store %v5, %word[%c0] : memref<1xi32>
  %sent = air.channel.put async @left[%c1] (%word[] [] []) : (memref<1xi32>)
  air.rank (%r) in (%n = %c4) args(%o = %out) : memref<4xi32> {
    %z = arith.constant 0 : index
    %one = arith.constant 1 : index
    %two = arith.constant 2 : index
    %got = memref.alloc() : memref<1xi32>
    %id = arith.index_cast %r : index to i32
    memref.store %id, %o[%r] : memref<4xi32>
    %global = memref.get_global @total : memref<1xi32>
    %before = memref.atomic_rmw addi %id, %global[%z] : (i32, memref<1xi32>) -> i32
    %isOne = arith.cmpi eq, %r, %one : index
    scf.if %isOne {
      air.channel.get @left[%r] (%got[] [] []) : (memref<1xi32>)
      %v = memref.load %got[%z] : memref<1xi32>
      memref.store %v, %o[%r] : memref<4xi32>
      %put = air.channel.put async @left[%two] (%got[] [] []) : (memref<1xi32>)
    }
  }
  air.wait_all [%sent]
  %c2 = arith.constant 2 : index
  air.channel.get @left[%c2] (%word[] [] []) : (memref<1xi32>)
  %came = memref.load %word[%c0] : memref<1xi32>
  memref.store %came, %out[%c2] : memref<4xi32>
  %first = memref.load %out[%c0] : memref<4xi32>
  %more = arith.addi %first, %v5 : i32
  memref.store %more, %out[%c0] : memref<4xi32>
  air.rank (%r) in (%n = %c4) args(%o = %out) : memref<4xi32> {
    %z = arith.constant 0 : index
    %global = memref.get_global @total : memref<1xi32>
    %total = memref.load %global[%z] : memref<1xi32>
    %v = memref.load %o[%r] : memref<4xi32>
    %sum = arith.addi %v, %total : i32
    memref.store %sum, %o[%r] : memref<4xi32>
  }
  return
}
