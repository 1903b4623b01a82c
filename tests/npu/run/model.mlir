// The performance model: cycles close to those of the simulator, in the same reports, without values.
// RUN: %S/../../../bench/model.py --bin $(dirname %{airlite-run}) --within 2 %s \
// RUN:   %S/../../../examples/npu/matmul_i8.mlir %S/../../../examples/npu/attention_small.mlir \
// RUN:   %S/../../../examples/npu_designs/cascade.mlir %S/../../../examples/npu_designs/packet_gather.mlir \
// RUN:   | FileCheck %s --check-prefix=RATIO
// RATIO: 5 programs: {{.*}} 0 outside of 2 %

// RUN: airlite-run --on=model %s --stats | FileCheck %s
// CHECK: {{^[0-9]+}} cycles
// CHECK: (0,2) core: runs
// CHECK: ({{[0-3]}},0) MM2S 0: busy {{.*}}, 2048 words
// CHECK: DDR read: busy {{.*}}%, 8192 bytes in 32 requests
// CHECK: ({{[0-3]}},0) to NORTH{{[0-9]}}: 2048 words
// CHECK: about {{[0-9]+}} cycles on npu1, by the performance model

// The same records, traces and pages as of the simulator.
// RUN: airlite-run --on=sim %s --record %t.sim.json && airlite-run --on=model %s --record %t.json --trace %t.trace --view %t.html
// RUN: airlite-compare %t.sim.json %t.json | FileCheck %s --check-prefix=BOTH
// RUN: grep -q '"name":"runs"' %t.trace && grep -q '</html>' %t.html
// BOTH: instructions [[N:[0-9,]+]] [[N]] 1.000
// BOTH: DDR read, bytes 8,192 8,192 1.000
// BOTH: DDR read, requests 32 32 1.000

// Files of a design, and numbers of the array that are changed.
// RUN: airlite-compile --target=npu1 %s -o %T/design && airlite-run --on=model %T/design | FileCheck %s --check-prefix=FILES
// RUN: airlite-run --on=model %T/design --sim-timing commandPushS2mm=100000 | FileCheck %s --check-prefix=SLOW
// FILES: about [[#]] cycles on npu1
// SLOW: about 10{{[0-9]+}} cycles on npu1

// RUN: not airlite-run --on=model %s --output 1=%t.npy 2>&1 | FileCheck %s --check-prefix=VALUES
// RUN: not airlite-run --on=model %s --compare=interp 2>&1 | FileCheck %s --check-prefix=VALUES
// VALUES: --on=model computes no values

#map = affine_map<(i) -> (i)>
func.func @main(%a: memref<4096xi16>, %b: memref<4096xi16>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : memref<4096xi16>) outs(%b : memref<4096xi16>) {
    ^bb0(%x: i16, %y: i16):
      %r = arith.addi %x, %x : i16
      linalg.yield %r : i16
  }
  return
}
