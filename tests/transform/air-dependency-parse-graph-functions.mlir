// Several functions: a folder each. A herd of more than 4,096 cores, or of a size that is not
// constant, has one graph also with show-cores.
// RUN: airlite-opt %s --air-dependency-parse-graph='output-dir=%t show-cores' --emit=none
// RUN: grep digraph %t/first/host.dot && grep digraph %t/first/combined.dot
// RUN: cat %t/second/host_air_herd_1.dot | FileCheck %s --check-prefix=BIG
// BIG: v0 [label="start",
// RUN: cat %t/second/host_air_herd_2.dot | FileCheck %s --check-prefix=OPEN
// OPEN: v0 [label="start",
// RUN: cat %t/second/host_air_herd_3.dot | FileCheck %s --check-prefix=SMALL
// SMALL: v0 [label="start\lcore [0, 0]",
// RUN: not ls %t/second/host_air_herd_5.dot 2>/dev/null
// RUN: not ls %t/declared 2>/dev/null
func.func private @declared()
func.func @first() {
  return
}
func.func @second(%n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c100 = arith.constant 100 : index
  air.herd tile (%x, %y) in (%sx = %c100, %sy = %c100) {
    %a = air.wait_all async
  }
  air.herd tile (%x, %y) in (%sx = %n, %sy = %c1) {
    %a = air.wait_all async
  }
  air.herd tile (%x, %y) in (%sx = %c2, %sy = %c1) {
    %a = air.wait_all async
  }
  return
}
