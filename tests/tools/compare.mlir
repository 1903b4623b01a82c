// airlite compare: two recorded runs side by side, of records and of pages.
// RUN: airlite-run --on=sim %S/../../examples/npu_designs/two_launches.mlir --record=%t.a.json
// RUN: airlite-run --on=sim %S/../../examples/npu_designs/two_launches.mlir --view=%t.b.html \
// RUN: --sim-timing commandPushMm2s=27000

// A run is as fast as itself, in every number.
// RUN: airlite compare %t.a.json %t.a.json --max-slowdown=0 | FileCheck %s --check-prefix=SAME
// SAME: A is {{.*}}.a.json
// SAME: in sum A B B/A
// SAME-NEXT: cycles [[CYCLES:[0-9,]+]] [[CYCLES]] 1.000
// SAME: instructions [[ALL:[0-9,]+]] [[ALL]] 1.000
// SAME: DDR read, bytes [[BYTES:[0-9,]+]] [[BYTES]] 1.000
// SAME: cores: runs [[RUNS:[0-9.]+%]] [[RUNS]] 1.000
// SAME: run 1
// SAME: run 2
// SAME: each core
// SAME: (0,2) runs

// A slower host takes more cycles for the same work.
// RUN: airlite compare %t.a.json %t.b.html --format=json -o %t.json
// RUN: python3 %S/Inputs/check_comparison.py %t.json %t.a.json %t.b.html | FileCheck %s --check-prefix=JSON
// JSON: the sums are those of the records
// JSON: cycles of B are more: True
// JSON: the same instructions: True
// JSON: tables: in sum, run 1, run 2, each core
// RUN: not airlite compare %t.a.json %t.b.html --max-slowdown=10 2>&1 >/dev/null | FileCheck %s --check-prefix=SLOW
// SLOW: airlite-compare: error: B takes {{[0-9.]+}}% more cycles than A, allowed are 10%
// RUN: airlite compare %t.b.html %t.a.json --max-slowdown=0 | FileCheck %s --check-prefix=FAST
// FAST: cycles {{.*}} 0.{{[0-9]+}}

// What the two do not have in common is said.
// RUN: airlite-run --on=sim %S/../../examples/npu_designs/vector_add.mlir --target=npu2 --record=%t.c.json
// RUN: airlite compare %t.a.json %t.c.json | FileCheck %s --check-prefix=OTHER
// OTHER: note: the devices are npu1 and npu2
// OTHER: note: the files have 2 and 1 runs, which are compared in sum
// OTHER-NOT: run 1
// RUN: not airlite-run --on=sim %S/../../examples/npu_designs/vector_add.mlir --cycles=3000 --record=%t.d.json
// RUN: airlite compare %t.d.json %t.c.json | FileCheck %s --check-prefix=CUT
// CUT: note: {{.*}}.d.json: run 1 did not finish: out of cycles

// Files that are no records.
// RUN: not airlite compare %t.a.json %s 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: compare.mlir:1:1: error: expected a record or a page of airlite-run: this is not JSON
// RUN: not airlite compare %S/Inputs/no_record.json %t.a.json 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: no_record.json:1:1: error: runs[0].statistics.cores[0].bundles: expected a number that is not negative
// RUN: sed 's/"version":1/"version":7/' %t.a.json > %t.v.json
// RUN: not airlite compare %t.v.json %t.a.json 2>&1 | FileCheck %s --check-prefix=VERSION
// VERSION: .v.json:1:1: error: the record has version 7, this tool reads 1
// RUN: sed 's/,"runs":.*/,"runs":[,/' %t.a.json > %t.cut.json
// RUN: not airlite compare %t.cut.json %t.a.json 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: .cut.json:1:{{[0-9]+}}: error: expected a record or a page of airlite-run: this is not JSON
// RUN: not airlite compare %t.a.json %t.none.json 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}}none.json
// RUN: not airlite compare %t.a.json 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: airlite-compare: error: b is required

// RUN: airlite-compare --help | FileCheck %s --check-prefix=HELP
// HELP: --max-slowdown PERCENT
