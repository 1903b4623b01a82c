// RUN: airlite-opt %s --air-dependency-parse-graph=output-dir=%t/one | FileCheck %s
// RUN: cat %t/one/host.dot | FileCheck %s --check-prefix=HOST
// RUN: cat %t/one/host_air_launch_1.dot | FileCheck %s --check-prefix=LAUNCH
// RUN: cat %t/one/host_air_launch_1_air_herd_1.dot | FileCheck %s --check-prefix=HERD
// RUN: grep 'subgraph cluster_n' %t/one/combined.dot
// RUN: airlite-opt %s --air-dependency-parse-graph='output-dir=%t/cores show-cores' --emit=none
// RUN: cat %t/cores/host_air_launch_1_air_herd_2.dot | FileCheck %s --check-prefix=CORE
// RUN: airlite-opt %s --air-dependency-canonicalize='dump-graph output-dir=%t/canonical' --emit=none && cat %t/canonical/host.dot
// RUN: echo x > %t.file && not airlite-opt %s --air-dependency-parse-graph=output-dir=%t.file/x 2>&1 | FileCheck %s --check-prefix=ERR
// ERR: error: cannot make the folder '{{.*}}.file/x': Not a directory

// Numbers of the passes before go.
// CHECK-NOT: id = {{[0-9]}}
func.func @f(%m: memref<4xf32>) {
  %c1 = arith.constant 1 : index
  %a = air.wait_all async {id = 1 : i32}
  // HOST: digraph G {
  // HOST-NEXT: rankdir=LR;
  // HOST-NEXT: v0 [label="start", color="yellow", style=filled, shape="box"];
  // HOST-NEXT: v1 [label="%0 = wait_all"
  // HOST-NEXT: v2 [label="%1 = launch [1]"
  // HOST-NEXT: v0 -> v1;
  // HOST-NEXT: v1 -> v2;
  // HOST-NEXT: }
  %l = air.launch async [%a] (%x) in (%sx = %c1) args(%k = %m) : memref<4xf32> attributes {id = 1 : i32} {
    %c2 = arith.constant 2 : index
    // Control is shown flat, with what comes back from the run before dashed.
    // LAUNCH: v0 [label="start"
    // LAUNCH-NEXT: v1 [label="%2 = wait_all"
    // LAUNCH-NEXT: v2 [label="for %arg4 = 2 to 2 step 2"
    // LAUNCH-NEXT: v3 [label="%arg5"
    // LAUNCH-NEXT: v4 [label="%{{.*}} = wait_all"
    // LAUNCH-NEXT: v5 [label="%3"
    // LAUNCH-NEXT: v6 [label="%4 = herd [2 x 2]", color="orange", style=filled, shape="box"];
    // LAUNCH-NEXT: v0 -> v1;
    // LAUNCH-NEXT: v0 -> v2;
    // LAUNCH-NEXT: v1 -> v3;
    // LAUNCH-NEXT: v4 -> v3 [style=dashed];
    // LAUNCH-NEXT: v3 -> v4;
    // LAUNCH-NEXT: v4 -> v5;
    // LAUNCH-NEXT: v5 -> v6;
    // LAUNCH-NEXT: }
    %w = air.wait_all async
    %f = scf.for %i = %c2 to %c2 step %c2 iter_args(%t = %w) -> (!air.async.token) {
      %u = air.wait_all async [%t]
      scf.yield %u : !air.async.token
    }
    %h = air.herd async [%f] tile (%hx, %hy) in (%hsx = %c2, %hsy = %c2) args(%b = %k) : memref<4xf32> {
      // HERD: v1 [label="%5 = dma\l%[[B:.*]] <- %[[B]]", color="cyan", style=filled, shape="oval"];
      // CORE: v0 [label="start\lcore [0, 1]"
      %d = air.dma_memcpy_nd async (%b[] [] [], %b[] [] []) {id = 3 : i32} : (memref<4xf32>, memref<4xf32>)
    }
  }
  return
}
