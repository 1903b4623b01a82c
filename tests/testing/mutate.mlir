// A mistake in a program, by kind and seed.
// RUN: airlite-opt %s --mutate=drop-edge:1 --remarks 2>&1 | FileCheck %s --check-prefix=EDGE
// EDGE: remark: 'air.channel.get' waits for one token less
// EDGE: air.channel.get async @c
// RUN: airlite-opt %s --mutate=double-put:1 --remarks 2>&1 | FileCheck %s --check-prefix=PUT
// PUT: remark: 'air.channel.put' stands there twice
// PUT-COUNT-2: air.channel.put async @c
// RUN: airlite-opt %s --mutate=cut-depth:1 --remarks 2>&1 | FileCheck %s --check-prefix=DEPTH
// DEPTH: remark: 'air.channel' has depth 1 instead of 2
// DEPTH: air.channel @c [] {depth = 1 : i64}
// RUN: airlite-opt %s --mutate=unbalance-branch:1 --remarks 2>&1 | FileCheck %s --check-prefix=BRANCH
// BRANCH: remark: 'air.channel.put' is gone from a branch
// BRANCH-NOT: air.channel.put
// RUN: airlite-opt %s --mutate=swap-ops:2 --remarks 2>&1 | FileCheck %s --check-prefix=SWAP
// SWAP: remark: '{{.*}}' has changed places with the '{{.*}}' before it
// The same seed, the same mistake; without a kind, the seed chooses one.
// RUN: airlite-opt %s --mutate=5 > %t.a && airlite-opt %s --mutate=5 | diff %t.a -
// RUN: (airlite-opt %S/Inputs/empty.mlir --mutate=double-put:1; test $? = 1) 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: there is no place for such a mistake
// RUN: (airlite-opt %s --mutate=duble-put:1; test $? = 2) 2>&1 | FileCheck %s --check-prefix=KIND
// KIND: airlite-opt: error: --mutate: there is no mistake 'duble-put'; did you mean 'double-put'?; one of drop-edge,
// RUN: (airlite-opt %s --mutate=double-put:x; test $? = 2) 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: airlite-opt: error: --mutate: expected a number as seed, found 'x'
air.channel @c [] {depth = 2}
func.func @f(%m: memref<4xi32>, %l: memref<4xi32>, %b: i1) {
  %t0 = air.wait_all async
  %t1 = scf.if %b -> (!air.async.token) {
    %p = air.channel.put async @c[] (%m[] [] []) : (memref<4xi32>)
    scf.yield %p : !air.async.token
  } else {
    scf.yield %t0 : !air.async.token
  }
  %t2 = air.channel.get async [%t1] @c[] (%l[] [] []) : (memref<4xi32>)
  memref.copy %m, %m : memref<4xi32> to memref<4xi32>
  return
}
