// Three buffers in L3, tiles in L1, one processing element: the lanes of its wave share copies and ops, L1 is in LDS.
// RUN: airlite-opt %s --air-to-gpu | FileCheck %s
// RUN: airlite-opt %s --pass-pipeline='builtin.module(air-to-gpu,canonicalize,cse,convert-linalg-to-loops,lower-affine,canonicalize,cse)' | FileCheck %s --check-prefix=FULL

// CHECK: module attributes {gpu.container_module}
// CHECK-LABEL: func.func @add
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: gpu.launch_func  @add_module::@add_launch_0 blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}}) args(%arg0 : memref<1024xf32>, %arg1 : memref<1024xf32>, %arg2 : memref<1024xf32>)
// CHECK: return
// CHECK: gpu.module @add_module
// CHECK: gpu.func @add_launch_0(%arg0: memref<1024xf32>, %arg1: memref<1024xf32>, %arg2: memref<1024xf32>) kernel attributes {airlite.wave_size = 64 : i32, known_block_size = array<i32: 64, 1, 1>}
// CHECK: %[[LDS:.*]] = memref.alloc() : memref<768xi8, 3>
// CHECK: %[[X:.*]] = gpu.thread_id  x
// CHECK: %[[A:.*]] = memref.view %[[LDS]][%{{.*}}][] : memref<768xi8, 3> to memref<64xf32, 3>
// CHECK: gpu.block_id  x
// CHECK: vector.load %{{.*}} : memref<1024xf32>, vector<4xf32>
// CHECK: vector.store %{{.*}}, %[[A]]{{.*}} : memref<64xf32, 3>, vector<4xf32>
// CHECK: gpu.wave_barrier
// CHECK: memref.load %[[A]][%[[X]]]
// CHECK: memref.store
// CHECK: gpu.wave_barrier
// CHECK: vector.store %{{.*}} : memref<1024xf32>, vector<4xf32>
// CHECK-NOT: air.
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return

// FULL: gpu.func @add_launch_0
// FULL-NOT: linalg
// FULL: arith.addf
// FULL: gpu.return
func.func @add(%a: memref<1024xf32>, %b: memref<1024xf32>, %c: memref<1024xf32>) {
  %c16 = arith.constant 16 : index
  air.launch (%i) in (%n=%c16) args(%la=%a, %lb=%b, %lc=%c) : memref<1024xf32>, memref<1024xf32>, memref<1024xf32> {
    air.segment @seg args(%si=%i, %sa=%la, %sb=%lb, %sc=%lc) : index, memref<1024xf32>, memref<1024xf32>, memref<1024xf32> {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%x, %y) in (%nx=%c1, %ny=%c1) args(%hi=%si, %ha=%sa, %hb=%sb, %hc=%sc) : index, memref<1024xf32>, memref<1024xf32>, memref<1024xf32> {
        %c1_0 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %o = arith.muli %hi, %c64 : index
        %ta = memref.alloc() : memref<64xf32, 2>
        %tb = memref.alloc() : memref<64xf32, 2>
        %tc = memref.alloc() : memref<64xf32, 2>
        air.dma_memcpy_nd (%ta[] [] [], %ha[%o] [%c64] [%c1_0]) : (memref<64xf32, 2>, memref<1024xf32>)
        air.dma_memcpy_nd (%tb[] [] [], %hb[%o] [%c64] [%c1_0]) : (memref<64xf32, 2>, memref<1024xf32>)
        linalg.add ins(%ta, %tb : memref<64xf32, 2>, memref<64xf32, 2>) outs(%tc : memref<64xf32, 2>)
        air.dma_memcpy_nd (%hc[%o] [%c64] [%c1_0], %tc[] [] []) : (memref<1024xf32>, memref<64xf32, 2>)
        memref.dealloc %ta : memref<64xf32, 2>
        memref.dealloc %tb : memref<64xf32, 2>
        memref.dealloc %tc : memref<64xf32, 2>
      }
    }
  }
  return
}
