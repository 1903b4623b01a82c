// The report as a table and as JSON: a nested segment, herds side by side and in turn, a loop with
// two carried tokens, sizes that are not constant, tiles that a segment reserves.
// RUN: airlite-opt %s --air-resource-report='device=npu1 output=%t.txt' --emit=none && cat %t.txt | %{golden:TABLE}
// RUN: airlite-opt %s --air-resource-report='device=npu1 format=json output=%t.json' --emit=none && cat %t.json | %{golden:JSON}
// RUN: airlite-opt %s --air-resource-report=device=mi300x --emit=none 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: not airlite-opt %s --air-resource-report=device=npu7 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not airlite-opt %s --air-resource-report=device=%S/Inputs/device_misspelt.json 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not airlite-opt %s --air-verify-program=device=%S/Inputs/device_small.json 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not airlite-opt %s --air-resource-report=output=%T/none/r.txt 2>&1 | FileCheck %s --check-prefix=WRITE

// GPU: air-resource-report.mlir:0:0: remark: resources:
// GPU: limit: mi300x {{ *}}9728 {{ *}}19922944 {{ *}}- {{ *}}-
// GPU: limit: one instance of a segment {{ *}}- {{ *}}65536
// GPU: fits mi300x: not proven
// UNKNOWN: error: unknown device 'npu7': neither a device that airlite knows nor a file to read; did you mean 'npu{{[12]}}'?
// BAD: device_misspelt.json:5:{{[0-9]+}}: error: unknown resource "l2_byte"; did you mean 'l2_bytes'?
// SMALL: error: 'air.segment' op needs 6144 bytes of L2 memory, but small has 4096
// SMALL: note: 'memref.alloc' holds 2048 bytes of L2 memory, 3 times at once
// WRITE: error: cannot write '{{.*}}none/r.txt'

air.channel @in [2]
func.func @main(%m: memref<64xf32>, %n: index) {
  air.launch () in () args(%a = %m, %k = %n) : memref<64xf32>, index {
    air.segment @outer args(%b = %a, %dyn = %k) : memref<64xf32>, index {
      %c3 = arith.constant 3 : index
      %0 = air.segment @inner async unroll (%u) in (%us = %c3) {
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %buf = memref.alloc() : memref<512xf32, 1>
        %p = air.herd @left async tile (%x, %y) in (%sx = %c2, %sy = %c1) {
          %l = memref.alloc() : memref<16xf32, 2>
          memref.dealloc %l : memref<16xf32, 2>
        }
        %q = air.herd @right async tile (%x, %y) in (%sx = %c1, %sy = %c1) {
        }
        %r = air.herd @after async [%p, %q] tile (%x, %y) in (%sx = %c2, %sy = %c1) {
        }
        air.wait_all [%r]
        memref.dealloc %buf : memref<512xf32, 1>
      }
      air.wait_all [%0]
      air.segment @loops args(%bb = %b, %dd = %dyn) : memref<64xf32>, index
          attributes {x_size = 2 : i64, y_size = 2 : i64} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %t = air.wait_all async
        %l:2 = scf.for %i = %c0 to %dd step %c1 iter_args(%u = %t, %v = %t)
            -> (!air.async.token, !air.async.token) {
          %h = air.herd @twice async [%u] tile (%x, %y) in (%sx = %c1, %sy = %c1) {
          }
          %free = air.dma_memcpy_nd async (%bb[] [] [], %bb[] [] [])
              : (memref<64xf32>, memref<64xf32>)
          scf.yield %v, %h : !air.async.token, !air.async.token
        }
        air.wait_all [%l#0, %l#1]
      }
    }
  }
  return
}
