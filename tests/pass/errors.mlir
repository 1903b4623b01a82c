// Wrong pipelines: exit code 2, the place in the text, a suggestion.
// RUN: not airlite-opt %s --pass-pipeline='cse,canonicalise' 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not airlite-opt %s --pass-pipeline='canonicalize{top-dwn=true}' 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not airlite-opt %s --pass-pipeline='canonicalize{max-iterations=many}' 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not airlite-opt %s --pass-pipeline='func.fun(cse)' 2>&1 | FileCheck %s --check-prefix=ANCHOR
// RUN: not airlite-opt %s --pass-pipeline='module(cse' 2>&1 | FileCheck %s --check-prefix=PAREN
// RUN: not airlite-opt %s --canonicalyze 2>&1 | FileCheck %s --check-prefix=FLAG
// RUN: not airlite-opt %s --help-pass=csee 2>&1 | FileCheck %s --check-prefix=HELP
// RUN: airlite-opt %s --cse; test $? -eq 0
// RUN: airlite-opt %s --nonsense; test $? -eq 2
// RUN: airlite-opt %S/no-such-file.mlir; test $? -eq 1

// NAME: <pipeline>:1:5: error: unknown pass 'canonicalise'; did you mean 'canonicalize'?
// NAME: cse,canonicalise
// NAME: ^^^^^^^^^^^^
// OPTION: <pipeline>:1:14: error: pass 'canonicalize' has no option 'top-dwn'; did you mean 'top-down'?
// VALUE: error: option 'max-iterations': expected an integer
// ANCHOR: <pipeline>:1:1: error: unknown op 'func.fun' to nest under; did you mean 'func.func'?
// PAREN: error: expected ')'
// FLAG: airlite-opt: error: unknown option '--canonicalyze'; did you mean 'canonicalize'?
// HELP: airlite-opt: error: unknown pass 'csee'; did you mean 'cse'?

module {
}
