// RUN: airlite-compile --help | %golden
// RUN: airlite-compile -h | %golden
// RUN: airlite-compile --version | FileCheck %s
// CHECK: airlite-compile {{[0-9]+\.[0-9]+\.[0-9]+}} (
