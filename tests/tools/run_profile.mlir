// Where cores spent their cycles, by lines of the program; a line that only waits says so.
// RUN: airlite-run --on=sim --init=random:1 --profile %s | FileCheck %s
// CHECK: cycles of {{[0-9]+}} cores by line:
// CHECK: {{[0-9.]+}}% {{[0-9]+}} cycles of each, {{[0-9]+}}% of them waits {{[0-9]+}} bytes {{.*}}run_profile.mlir:[[#]]: linalg.matmul
// The same of a folder, whose lines come from its map; once for each run.
// RUN: airlite-compile --target=npu1 -o %t.design %s && airlite-run --on=sim --init=random:1 --profile %t.design | FileCheck %s
// RUN: not airlite-run --on=model --profile %s 2>&1 | FileCheck %s --check-prefix=MODEL
// MODEL: error: --on=model computes no values: {{.*}}--profile need --on=sim
// RUN: not airlite-run --profile %s 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: {{.*}}--profile{{.*}} need --on=sim or --on=model
func.func @main(%a: memref<128x64xi8>, %b: memref<64x128xi8>, %c: memref<128x128xi32>) {
  %zero = arith.constant 0 : i32
  linalg.fill ins(%zero : i32) outs(%c : memref<128x128xi32>)
  linalg.matmul ins(%a, %b : memref<128x64xi8>, memref<64x128xi8>) outs(%c : memref<128x128xi32>)
  return
}
