// A design that does not fit writes nothing.
// RUN: (airlite-compile %s --target=npu1 -o %t.out; test $? = 1) 2>&1 | FileCheck %s
// RUN: test ! -e %t.out
// CHECK: compile_npu_design_wrong.mlir:9:8: error: 'aie.buffer' op of 60000 bytes finds no place on (0,2): 2 buffers need 120000 bytes, a core tile has 65536
// CHECK-NEXT: %b = aie.buffer
aie.device(npu1) {
  %core = aie.tile(0, 2)
  %a = aie.buffer(%core) : memref<60000xi8>
  %b = aie.buffer(%core) : memref<60000xi8>
  aie.runtime_sequence @run() {
  }
}
