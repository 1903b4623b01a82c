// What airlite-run says about arguments that do not fit.
// REQUIRES: gpu
// RUN: (airlite-run %s --init=randon:1; test $? = 2) 2>&1 | FileCheck %s --check-prefix=INIT
// INIT: airlite-run: error: expected --init=zero or --init=random:SEED, got 'randon:1'
// RUN: (airlite-run %s --order=sideways; test $? = 2) 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: error: expected --order=forward, reverse or random:SEED, got 'sideways'
// RUN: (airlite-run %s --input a.npy; test $? = 2) 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: error: expected --input=N=..., with N the number of the argument, got 'a.npy'
// RUN: (airlite-run %s --input 0=1 --input 0=2; test $? = 2) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWICE
// TWICE: error: --input is given twice for argument 0
// RUN: (airlite-run %s --function=mian --init=zero; test $? = 1) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NAME
// NAME: error: there is no function 'mian' with a body; did you mean 'main'?
// RUN: (airlite-run %s; test $? = 1) 2>&1 | FileCheck %s --check-prefix=NOVALUE
// NOVALUE: error: argument 0: no value for index: give --input=0=..., or --init=random:SEED for all
// RUN: (airlite-run %s --init=zero; test $? = 1) 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: error: argument 1: the size of memref<?x4xi32> is open: give
// RUN: (airlite-run %s --init=zero --shape 1=2x3; test $? = 1) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: argument 1: --shape has shape 2x3, but the type of the argument is memref<?x4xi32>
// RUN: (airlite-run %s --init=zero --output 9=x.npy; test $? = 1) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=POSITION
// POSITION: error: there is no argument or result 9: the function has 3

// A run without launches: host code alone. The results come after the arguments.
// RUN: airlite-run %s --input 0=20 --shape 1=3x4 --init=zero --output 2=%t.r.npy \
// RUN:   --output 1=%t.m.npy
// RUN: airlite-run %s --input 0=20 --input 1=%t.m.npy --expect 2=%t.r.npy | FileCheck %s
// CHECK: result 0 is as expected in '{{.*}}': 1 elements, all with the same bits
// RUN: (airlite-run %s --input 0=21 --input 1=%t.m.npy --expect 2=%t.r.npy; test $? = 1) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: error: result 0 differs at []: got 42, expected 40 (1 of 1 elements differ)
// RUN: (airlite-run %s --input 0=1 --input 1=%t.r.npy; test $? = 1) 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TYPE
// TYPE: error: argument 1: '{{.*}}' has elements of type i64, but {{.*}} is memref<?x4xi32>
func.func @main(%n: index, %m: memref<?x4xi32>) -> index {
  %twice = arith.addi %n, %n : index
  return %twice : index
}
