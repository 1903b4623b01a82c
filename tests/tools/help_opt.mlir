// RUN: airlite-opt --help | %golden
// RUN: airlite-opt --version | FileCheck %s
// CHECK: airlite-opt {{[0-9]+\.[0-9]+\.[0-9]+}} (
