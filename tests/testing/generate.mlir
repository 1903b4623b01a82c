// Random programs verify, run the same under every schedule, and go through the passes like any other.
// RUN: airlite-opt --generate=7 > %t.mlir
// RUN: airlite-opt %t.mlir | diff %t.mlir -
// RUN: airlite-opt --generate=7 | diff %t.mlir -
// RUN: airlite-run %t.mlir --function=f --on=interp --init=random:1 --schedules=20 -v 2>&1 | FileCheck %s --check-prefix=AGREE
// RUN: airlite-opt --generate=7 --check-each --remarks --canonicalize --cse --air-dependency --air-dependency-canonicalize 2>&1 | FileCheck %s --check-prefix=EACH
// RUN: airlite-opt --generate=7 --generate-size=1 | FileCheck %s
// RUN: airlite-opt --generate=7 --emit=json | airlite-opt | diff %t.mlir -
// RUN: (airlite-opt --generate=seven; test $? = 2) 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: (airlite-opt --generate=-1; test $? = 2) 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: (airlite-opt --generate=1 --generate-size=0; test $? = 2) 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: (airlite-opt %s --generate=1; test $? = 2) 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: (airlite-opt --generat=1; test $? = 2) 2>&1 | FileCheck %s --check-prefix=NAME
// CHECK: func.func @f(
// AGREE: 20 schedules agree
// EACH-NOT: remark
// EACH-NOT: error
// EACH: func.func @f(
// TEXT: airlite-opt: error:{{.*}}generate
// SIZE: airlite-opt: error: --generate-size: {{.*}}range
// INPUT: airlite-opt: error: --generate makes a program, it cannot go with the input
// NAME: airlite-opt: error: unknown option '--generat=1'; did you mean 'generate'?
