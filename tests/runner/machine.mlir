// AIR programs on the machine that a file describes.
// RUN: airlite-run --on=model --machine=%S/Inputs/grid.json --function=product %s --stats --trace=%t.json | FileCheck %s --check-prefix=PRODUCT
// One core: 4096 bytes come by its port in 1024 cycles, the second factor by the same port after it; 2 * 32^3
// operations take 1024 cycles and the call of the kernel 100; the result leaves in 1024.
// PRODUCT: 4196 cycles
// PRODUCT-NEXT: launch 0: 4196 cycles
// PRODUCT: outbound ports of L3, host: 2 of them, busy 24.4%
// PRODUCT: inbound ports of L1, core (0,0) of @h: 1 of them, busy 48.8%
// PRODUCT: core (0,0) of @h computing: 1 of them, busy 26.8%
// PRODUCT: about 4196 cycles on grid, 4.196 us
// RUN: FileCheck %s --check-prefix=TRACE --input-file=%t.json
// TRACE: "name":"core (0,0) of @h"
// TRACE: {"ph":"X","name":"air.dma_memcpy_nd","cat":"work","pid":{{[0-9]+}},"tid":1,"ts":0,"dur":1024}
// TRACE: {"ph":"X","name":"linalg.matmul","cat":"work","pid":{{[0-9]+}},"tid":1,"ts":2048,"dur":1124}

// Two cores send to L3, which has one port for what comes in: one after the other.
// RUN: airlite-run --on=model --machine=%S/Inputs/grid.json --function=channels %s --trace=%t.ch.json | FileCheck %s --check-prefix=CHANNELS
// CHANNELS: about 2048 cycles on grid
// RUN: FileCheck %s --check-prefix=ORDER --input-file=%t.ch.json
// ORDER: "name":"air.channel.get @out",{{.*}}"ts":0,"dur":1024
// ORDER: "name":"air.channel.get @out",{{.*}}"ts":1024,"dur":1024

// RUN: airlite-run --on=model --machine=%S/Inputs/grid.json --function=kernel %s | FileCheck %s --check-prefix=KERNEL
// KERNEL: about 5000 cycles
// Instances of a launch run one after the other.
// RUN: airlite-run --on=model --machine=%S/Inputs/grid.json --function=thrice %s --stats | FileCheck %s --check-prefix=THRICE
// THRICE: launch 2: 5000 cycles
// THRICE: about 15000 cycles

// RUN: not airlite-run --on=model --machine=%S/Inputs/grid.json --function=large %s 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: machine.mlir:[[#]]:[[#]]: error: 'air.herd' op needs 9 tiles of grid, its segment has 8
// RUN: not airlite-run --on=model --machine=%S/Inputs/grid.json --function=floats %s 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: 'air.dma_memcpy_nd' op the machine has no datatype 'f32'
// RUN: not airlite-run --on=model --machine=%S/Inputs/grid_wrong.json --function=product %s 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: grid_wrong.json:2:3: error: unknown member "clok"; did you mean 'clock'?
// WRONG: grid_wrong.json:3:12: error: expected a number above 0
// WRONG: grid_wrong.json:4:33: error: unknown member "bites"; did you mean 'bytes'?
// RUN: not airlite-run --on=model --machine=%S/Inputs/grid_broken.json --function=product %s 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: grid_broken.json:2:11: error:
// RUN: not airlite-run --on=sim --machine=%S/Inputs/grid.json --function=product %s 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: not airlite-run --on=interp --machine=%S/Inputs/grid.json --function=product %s 2>&1 | FileCheck %s --check-prefix=PLACE
// PLACE: --machine needs --on=model
// RUN: not airlite-run --on=model --machine=%S/Inputs/grid.json --function=product %s --view %t.html 2>&1 | FileCheck %s --check-prefix=USAGE
// USAGE: with --machine there are --function, --stats and --trace

air.channel @out [2]

func.func @product(%a: memref<32x32xi32>, %b: memref<32x32xi32>, %c: memref<32x32xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%aa = %a, %bb = %b, %cc = %c) : memref<32x32xi32>, memref<32x32xi32>, memref<32x32xi32> {
    air.segment @s args(%sa = %aa, %sb = %bb, %sc = %cc) : memref<32x32xi32>, memref<32x32xi32>, memref<32x32xi32> {
      %k1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %k1, %sy = %k1) args(%ha = %sa, %hb = %sb, %hc = %sc) : memref<32x32xi32>, memref<32x32xi32>, memref<32x32xi32> {
        %la = memref.alloc() : memref<32x32xi32, 2>
        %lb = memref.alloc() : memref<32x32xi32, 2>
        %lc = memref.alloc() : memref<32x32xi32, 2>
        %t0 = air.dma_memcpy_nd async (%la[] [] [], %ha[] [] []) : (memref<32x32xi32, 2>, memref<32x32xi32>)
        %t1 = air.dma_memcpy_nd async (%lb[] [] [], %hb[] [] []) : (memref<32x32xi32, 2>, memref<32x32xi32>)
        %t2 = air.execute [%t0, %t1] {
          linalg.matmul ins(%la, %lb : memref<32x32xi32, 2>, memref<32x32xi32, 2>) outs(%lc : memref<32x32xi32, 2>)
        }
        %t3 = air.dma_memcpy_nd async [%t2] (%hc[] [] [], %lc[] [] []) : (memref<32x32xi32>, memref<32x32xi32, 2>)
      }
    }
  }
  return
}

func.func @channels(%a: memref<2x1024xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%aa = %a) : memref<2x1024xi32> {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k1024 = arith.constant 1024 : index
    %g0 = air.channel.get async @out[%k0] (%aa[%k0, %k0] [%k1, %k1024] [%k1024, %k1]) : (memref<2x1024xi32>)
    %g1 = air.channel.get async @out[%k1] (%aa[%k1, %k0] [%k1, %k1024] [%k1024, %k1]) : (memref<2x1024xi32>)
    air.segment @s {
      %c2 = arith.constant 2 : index
      %d1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %c2, %sy = %d1) {
        %l = memref.alloc() : memref<1024xi32, 2>
        air.channel.put @out[%x] (%l[] [] []) : (memref<1024xi32, 2>)
      }
    }
  }
  return
}

func.func @kernel() {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) {
    air.segment @s {
      %k1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %k1, %sy = %k1) {
        %l = memref.alloc() : memref<1024xi32, 2>
        air.custom @norm operands (%l) : memref<1024xi32, 2>
      }
    }
  }
  return
}

func.func @thrice() {
  %c3 = arith.constant 3 : index
  air.launch (%i) in (%n = %c3) {
    air.segment @s {
      %k1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %k1, %sy = %k1) {
        %l = memref.alloc() : memref<1024xi32, 2>
        air.custom @norm operands (%l) : memref<1024xi32, 2>
      }
    }
  }
  return
}

func.func @large() {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) {
    air.segment @s attributes {x_loc = 0 : i64, x_size = 2 : i64, y_loc = 0 : i64, y_size = 4 : i64} {
      %k3 = arith.constant 3 : index
      air.herd @h tile (%x, %y) in (%sx = %k3, %sy = %k3) {
        %l = memref.alloc() : memref<1024xi32, 2>
        air.custom @norm operands (%l) : memref<1024xi32, 2>
      }
    }
  }
  return
}

func.func @floats(%a: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%aa = %a) : memref<64xf32> {
    air.segment @s args(%sa = %aa) : memref<64xf32> {
      %k1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%sx = %k1, %sy = %k1) args(%ha = %sa) : memref<64xf32> {
        %l = memref.alloc() : memref<64xf32, 2>
        air.dma_memcpy_nd (%l[] [] [], %ha[] [] []) : (memref<64xf32, 2>, memref<64xf32>)
      }
    }
  }
  return
}
