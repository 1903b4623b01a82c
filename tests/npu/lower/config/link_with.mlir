// The object that a herd names goes to its core, and to the functions it calls that name none.
// RUN: airlite-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0' | FileCheck %s
// CHECK: aie.device(npu1)
// CHECK: aie.core
// CHECK: } {{.*}}link_with = "herd.o"
// CHECK-DAG: func.func private @own(){{.*}}link_with = "own.o"
// CHECK-DAG: func.func private @other(){{.*}}link_with = "herd.o"
// CHECK: func.func @f
func.func private @own() attributes {link_with = "own.o"}
func.func private @other()
func.func @f() {
  %c1 = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c1) attributes {link_with = "herd.o"} {
    func.call @own() : () -> ()
    func.call @other() : () -> ()
  }
  return
}
