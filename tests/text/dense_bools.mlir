// Booleans stand eight to a byte in hexadecimal literals, the first in the lowest bit.
// RUN: airlite-opt %s --allow-unregistered | FileCheck %s
// RUN: airlite-opt %s --allow-unregistered > %t && airlite-opt %t --allow-unregistered | diff %t -

// CHECK: few = dense<[true, false, true]> : tensor<3xi1>
"a.few"() {few = dense<"0x05"> : tensor<3xi1>} : () -> ()
// CHECK: nine = dense<[true, false, false, false, false, false, false, false, true]> : vector<9xi1>
"a.nine"() {nine = dense<"0x0101"> : vector<9xi1>} : () -> ()
// CHECK: all = dense<true> : tensor<20xi1>
"a.all"() {all = dense<"0xFF"> : tensor<20xi1>} : () -> ()
// CHECK: many = dense<"0x01000000000000000000000080"> : tensor<104xi1>
"a.many"() {many = dense<"0x01000000000000000000000080"> : tensor<104xi1>} : () -> ()
