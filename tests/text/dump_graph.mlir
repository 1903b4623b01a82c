// A program as a graph: nested regions, several results, blocks with arguments, branches, long and
// awkward attributes. What is shown is the program after the passes.
// RUN: airlite-opt %s --emit=none --dump-graph=%t.dot && cat %t.dot | %{golden:DOT}
// RUN: airlite-opt %s --emit=none --dump-graph=%t.json && cat %t.json | %{golden:JSON}
// RUN: airlite-opt %s --symbol-dce --emit=none --dump-graph=%t.dot && not grep unused %t.dot

// The program is printed as well.
// RUN: airlite-opt %s --dump-graph=%t.dot | FileCheck %s
// CHECK: func.func @sum

// Wrong names are wrong usage, a file that cannot be written is a failure; no output then.
// RUN: (airlite-opt %s --dump-graph=%t.jsn; test $? = 2) 2>&1 | FileCheck %s --check-prefix=SUFFIX
// SUFFIX: airlite-opt: error: --dump-graph: expected a file name that ends with '.dot' or '.json', found '{{.*}}.jsn'; did you mean '.json'?
// RUN: (airlite-opt %s --dump-graph=graph; test $? = 2) 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: expected a file name that ends with '.dot' or '.json', found 'graph'{{$}}
// RUN: (airlite-opt %s --dump-graph=%t.dot --split-input-file; test $? = 2) 2>&1 | FileCheck %s --check-prefix=SPLIT
// SPLIT: airlite-opt: error: --dump-graph shows one program, it cannot go with --split-input-file
// RUN: (airlite-opt %s --dump-graph=%T/none/g.dot; test $? = 1) 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE-NOT: func.func
// WRITE: airlite-opt: error: cannot write '{{.*}}none/g.dot'

// A run that fails leaves the file as it was.
// RUN: echo before > %t.dot && not airlite-opt %s --pass-pipeline=nothing --dump-graph=%t.dot 2>/dev/null && grep before %t.dot

func.func private @unused()
func.func @sum(%n: index, %m: memref<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant {note = "a \"text\"\nover two lines, and quite a bit longer than 40 bytes: \C3\BC"} 0.0 : f32
  %sum:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %zero) -> (f32, f32) {
    %x = memref.load %m[%i] : memref<8xf32>
    %s = arith.addf %a, %x fastmath<fast> : f32
    scf.yield %s, %b : f32, f32
  }
  %bool = arith.cmpi slt, %c0, %n : index
  cf.cond_br %bool, ^end(%sum#1 : f32), ^other
^other:
  cf.br ^end(%zero : f32)
^end(%r: f32):
  return %r : f32
}
