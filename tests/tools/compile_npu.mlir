// For npu1 airlite-compile runs the recipe, and asks before and after it whether the program hangs
// or races.
// RUN: airlite-compile %s --target=npu1 --emit=air -o %t.out -v 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: FileCheck %s --input-file=%t.out/program.mlir
// RUN: airlite-compile %s --target=npu1 --emit=air --pipeline='air-npu{herd=1,2}' -o %t.out --check-each
// RUN: FileCheck %s --input-file=%t.out/program.mlir --check-prefix=SMALL
// RUN: airlite-compile %s --target=npu1 --emit=air,aie -o %t.both -v 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: FileCheck %s --input-file=%t.both/design.mlir --check-prefix=DESIGN

// BOTH: wrote {{.*}}/program.mlir
// BOTH: wrote {{.*}}/design.mlir
// DESIGN: aie.device(npu1)
// DESIGN: aie.core
// DESIGN: cf.br ^bb1{{$}}
// DESIGN: aie.shim_dma_allocation
// SAYS: passes: builtin.module(air-verify-program{{.*}}device=npu1{{.*}})
// SAYS-NEXT: passes: builtin.module(inline,{{.*}}air-tile-linalg{{.*}}air-verify-program{{.*}}target=npu
// SAYS: wrote {{.*}}/program.mlir
// CHECK: air.channel
// CHECK: air.launch
// CHECK: air.segment {{.*}}x_loc = 0
// CHECK: air.herd {{.*}} in (%{{.*}}=%c4, %{{.*}}=%c1{{[_0-9]*}})
// SMALL: air.herd {{.*}} in (%{{.*}}=%c2{{[_0-9]*}}, %{{.*}}=%c1{{[_0-9]*}})
func.func @main(%a: memref<16x64xf32>, %b: memref<16x64xf32>) {
  linalg.exp ins(%a : memref<16x64xf32>) outs(%b : memref<16x64xf32>)
  return
}
