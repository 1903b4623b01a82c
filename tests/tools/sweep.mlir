// airlite sweep: jobs of a list, several at once; their results stay, whatever ends the sweep.
// RUN: rm -rf %T/* && mkdir "%T/a b" && cp %s "%T/a b/p.mlir"
// RUN: echo '# a list' > %t.jobs
// RUN: echo "  run --on=interp --function=add '--output' 2=%T/c.npy --init=random:1 '%T/a b/p.mlir'  # with a blank" >> %t.jobs
// RUN: echo "opt --canonicalize %s" >> %t.jobs
// RUN: echo >> %t.jobs
// RUN: echo "run --on=sim --stats --init=zero %S/../../examples/npu_designs/vector_add.mlir" >> %t.jobs

// RUN: rm -f %t.jsonl && airlite sweep %t.jobs -o %t.jsonl --processes=2 | FileCheck %s
// CHECK-DAG: ok {{.*}} run --on=interp --function=add --output 2={{.*}}c.npy --init=random:1 '{{.*}}/a b/p.mlir'
// CHECK-DAG: ok {{.*}} opt --canonicalize
// CHECK-DAG: ok {{.*}} run --on=sim
// CHECK: 3 jobs: 3 ok, 0 failed, 0 without a result; 0 of them from before
// RUN: test -s %T/c.npy
// RUN: python3 %S/Inputs/check_sweep.py %t.jsonl | sort | FileCheck %s --check-prefix=LINES
// LINES: opt: ok, exit code 0, whole output: True, says func.func
// LINES: run: ok, exit code 0, whole output: True
// LINES: run: ok, exit code 0, whole output: True, says cycles

// Nothing is done twice.
// RUN: cp %t.jsonl %t.copy && airlite sweep %t.jobs -o %t.jsonl | FileCheck %s --check-prefix=AGAIN
// RUN: cmp %t.jsonl %t.copy
// AGAIN-NOT: [1/
// AGAIN: 3 jobs: 3 ok, 0 failed, 0 without a result; 3 of them from before

// A line that is cut is the job of a sweep that was killed: it is done again, the others stay.
// RUN: head -c -20 %t.copy > %t.jsonl && airlite sweep %t.jobs -o %t.jsonl 2>&1 | FileCheck %s --check-prefix=CUT
// RUN: head -n 2 %t.jsonl > %t.two && head -n 2 %t.copy | cmp - %t.two
// CUT: note: the last line of '{{.*}}.jsonl' was cut, its job is done again
// CUT: [1/1] ok
// CUT: 3 jobs: 3 ok, 0 failed, 0 without a result; 2 of them from before

// Jobs that fail have results too; --retry does them again, and the last result counts.
// RUN: rm -f %t.late.mlir %t.f.jsonl && echo "opt %t.late.mlir" > %t.fails && echo "opt %s" >> %t.fails
// RUN: not airlite sweep %t.fails -o %t.f.jsonl | FileCheck %s --check-prefix=FAIL
// RUN: not airlite sweep %t.fails -o %t.f.jsonl | FileCheck %s --check-prefix=KEPT
// RUN: cp %s %t.late.mlir && airlite sweep %t.fails -o %t.f.jsonl --retry | FileCheck %s --check-prefix=RETRY
// RUN: airlite sweep %t.fails -o %t.f.jsonl | FileCheck %s --check-prefix=DONE
// RUN: python3 %S/Inputs/check_sweep.py %t.f.jsonl | FileCheck %s --check-prefix=STORED
// FAIL-DAG: exit 1 {{.*}} opt {{.*}}late.mlir
// FAIL-DAG: ok {{.*}} opt {{.*}}sweep.mlir
// FAIL: 2 jobs: 1 ok, 1 failed, 0 without a result; 0 of them from before
// KEPT: 2 jobs: 1 ok, 1 failed, 0 without a result; 2 of them from before
// RETRY: [1/1] ok {{.*}} opt {{.*}}late.mlir
// RETRY: 2 jobs: 2 ok, 0 failed, 0 without a result; 1 of them from before
// DONE: 2 jobs: 2 ok, 0 failed, 0 without a result; 2 of them from before
// STORED: opt: exit, exit code 1, whole output: True

// Time is over; a job that a signal ends; long output is kept from its end.
// RUN: echo "run --on=interp --function=forever %s" > %t.long && rm -f %t.l.jsonl
// RUN: not airlite sweep %t.long -o %t.l.jsonl --seconds=0.3 | FileCheck %s --check-prefix=TIME
// TIME: [1/1] time 0.{{[3-9]}} s
// RUN: echo "opt %s" > %t.one && rm -f %t.k.jsonl && airlite sweep %t.one -o %t.k.jsonl --keep=7
// RUN: python3 %S/Inputs/check_sweep.py %t.k.jsonl | FileCheck %s --check-prefix=KEEP
// KEEP: opt: ok, exit code 0, whole output: False

// Words are as a shell has them.
// RUN: rm -f %T/words.* && python3 %S/Inputs/sweep_words.py %{airlite} %T 1 | FileCheck %s --check-prefix=WORDS
// WORDS: all words are as written

// Where a whole line has no room there is nothing of it, and the sweep ends.
// RUN: rm -f %t.full.jsonl && echo "opt --dump-op-docs" > %t.docs && not bash -c "trap '' XFSZ; ulimit -f 1; exec %{airlite} sweep %t.docs -o %t.full.jsonl" 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: test -e %t.full.jsonl && not test -s %t.full.jsonl
// RUN: airlite sweep %t.docs -o %t.full.jsonl | FileCheck %s --check-prefix=ROOM
// FULL: 1 jobs: 0 ok, 0 failed, 1 without a result; 0 of them from before
// FULL: error: cannot write '{{.*}}.full.jsonl': File too large
// ROOM: 1 jobs: 1 ok, 0 failed, 0 without a result; 0 of them from before

// Parts of a list are all of it, each job once.
// RUN: rm -f %t.p?.jsonl && for k in 0 1; do airlite sweep %t.jobs -o %t.p$k.jsonl --part=$k/2; done
// RUN: cat %t.p?.jsonl > %t.all.jsonl && airlite sweep %t.jobs -o %t.all.jsonl | FileCheck %s --check-prefix=AGAIN
// RUN: not airlite sweep %t.jobs -o %t.p0.jsonl --part=2/2 2>&1 | FileCheck %s --check-prefix=PART
// PART: airlite-sweep: error: expected --part=K/N with K from 0 to N - 1, got '2/2'

// Lists that are wrong are told with the place, before anything runs.
// RUN: printf '%%s\n' 'opt a.mlir' '  rum a.mlir' > %t.w && not airlite sweep %t.w -o %t.w.jsonl 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: .w:2:3: error: a job begins with one of opt, compile, run, tune, inspect, compare, not with 'rum'; did you mean 'run'?
// RUN: printf '%%s\n' 'opt "a.mlir' > %t.w && not airlite sweep %t.w -o %t.w.jsonl 2>&1 | FileCheck %s --check-prefix=QUOTE
// QUOTE: .w:1:5: error: this quote is not closed
// RUN: printf '%%s\n' 'opt a.mlir \' > %t.w && not airlite sweep %t.w -o %t.w.jsonl 2>&1 | FileCheck %s --check-prefix=ESCAPE
// ESCAPE: .w:1:12: error: nothing follows this \: a job is one line
// RUN: printf '%%s\n' 'opt a.mlir' '' "opt 'a.mlir'" > %t.w && not airlite sweep %t.w -o %t.w.jsonl 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: .w:3:1: error: this is the job of line 1 once more
// RUN: printf 'opt \377' > %t.w && not airlite sweep %t.w -o %t.w.jsonl 2>&1 | FileCheck %s --check-prefix=UTF
// UTF: .w:1:5: error: this is not UTF-8
// RUN: echo '# none' > %t.w && not airlite sweep %t.w -o %t.w.jsonl 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: .w:1:1: error: there is no job in this list
// RUN: not test -e %t.w.jsonl

// A file of something else is no file of results, and stays as it is.
// RUN: printf 'mine\nand mine' > %t.mine && cp %t.mine %t.mine2
// RUN: not airlite sweep %t.one -o %t.mine 2>&1 | FileCheck %s --check-prefix=MINE
// MINE: .mine:1:1: error: this is not a result of airlite sweep
// RUN: (cat %t.k.jsonl; printf 'and mine') > %t.mine && not airlite sweep %t.one -o %t.mine 2>&1 | FileCheck %s --check-prefix=END
// END: .mine:2:1: error: this is not a result of airlite sweep
// RUN: tail -c 8 %t.mine | cmp - <(printf 'and mine') && tail -c 8 %t.mine2 | cmp - <(printf 'and mine')
// RUN: not airlite sweep %t.one -o %T 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: cannot open '{{.*}}': Is a directory
// RUN: not airlite sweep %t.one -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAIN
// PLAIN: error: '/dev/null' is not a plain file: results are kept in one
// RUN: not airlite sweep %t.one -o /dev/full 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: '/dev/full' is not a plain file

// RUN: airlite-sweep --help | FileCheck %s --check-prefix=HELP
// HELP: --part K/N

func.func @add(%a: memref<8xi32>, %b: memref<8xi32>, %c: memref<8xi32>) {
  linalg.add ins(%a, %b : memref<8xi32>, memref<8xi32>) outs(%c : memref<8xi32>)
  return
}
func.func @forever() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 9000000000000 : index
  scf.for %i = %c0 to %end step %c1 {
  }
  return
}
