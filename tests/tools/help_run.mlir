// RUN: airlite-run --help | %golden
// RUN: airlite-run --version | FileCheck %s
// CHECK: airlite-run {{[0-9]+\.[0-9]+\.[0-9]+}} (
