// RUN: airlite-inspect --help | %golden
// RUN: airlite-inspect --version | FileCheck %s
// CHECK: airlite-inspect {{[0-9]+\.[0-9]+\.[0-9]+}} (
