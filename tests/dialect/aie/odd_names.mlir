// Symbols of any characters suggest names that can be read back.
// RUN: airlite-opt %s | FileCheck %s
// RUN: airlite-opt %s | airlite-opt | FileCheck %s

// CHECK: %_2A = aie.buffer(%{{.*}}) {sym_name = "*"} : memref<8xi32>
// CHECK: %_25mem = aie.buffer(%{{.*}}) {sym_name = "%mem"} : memref<8xi32>
// CHECK: %_4th = aie.buffer(%{{.*}}) {sym_name = "4th"} : memref<8xi32>
// CHECK: %a2Ab = aie.buffer(%{{.*}}) {sym_name = "a*b"} : memref<8xi32>
aie.device(npu1) {
  %t = aie.tile(0, 2)
  %0 = aie.buffer(%t) {sym_name = "*"} : memref<8xi32>
  %1 = aie.buffer(%t) {sym_name = "%mem"} : memref<8xi32>
  %2 = aie.buffer(%t) {sym_name = "4th"} : memref<8xi32>
  %3 = aie.buffer(%t) {sym_name = "a*b"} : memref<8xi32>
}
