// One name for the tools: `airlite COMMAND` becomes the tool, with its exit code.

// RUN: airlite opt %s --canonicalize | FileCheck %s
// CHECK-LABEL: func.func @f
// CHECK-NOT: arith.constant
func.func @f() {
  %dead = arith.constant 1 : i32
  return
}

// RUN: mkdir -p %t.e && airlite doctor --doctor-root %t.e | FileCheck %s --check-prefix=DOCTOR
// DOCTOR: no NPU in
// DOCTOR: what airlite can do here

// RUN: airlite --help | FileCheck %s --check-prefix=HELP
// HELP: Usage: airlite COMMAND
// HELP: lsp
// HELP: doctor
// RUN: airlite --version | FileCheck %s --check-prefix=VERSION
// VERSION: airlite {{[0-9]+\.[0-9]+}}

// RUN: not airlite compil 2>&1 | FileCheck %s --check-prefix=NEAR
// NEAR: airlite: error: there is no command 'compil'; did you mean 'compile'?
// RUN: not airlite opt --canonicalise %s 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: airlite-opt: error:
// OPTION-SAME: did you mean 'canonicalize'
// RUN: not airlite 2>&1 | FileCheck %s --check-prefix=HELP
