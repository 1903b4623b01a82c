// Asynchronous forms run in program order: tokens, and the loops and arguments that carry them, go.
// RUN: airlite-opt %s --air-to-gpu | FileCheck %s

// CHECK-NOT: token
// CHECK-LABEL: func.func @async
// CHECK-NOT: air.
// CHECK: gpu.launch_func  @async_module::@async_launch_0
// CHECK: gpu.launch_func  @async_module::@async_launch_1
// CHECK-NOT: air.
// CHECK: return
// CHECK: gpu.func @async_launch_0
// CHECK: %[[L2:.*]] = memref.alloc() : memref<64xf32, 3>
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: vector.load %{{.*}} : memref<64xf32>
// CHECK: vector.store %{{.*}} : memref<64xf32, 3>
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: vector.load %[[L2]]
// CHECK-NOT: air.
// CHECK: gpu.func @async_launch_1
func.func @async(%m: memref<64xf32>) {
  %c1 = arith.constant 1 : index
  %t0 = air.wait_all async
  %t1 = air.launch async [%t0] (%i) in (%s=%c1) args(%a=%m) : memref<64xf32> {
    %s0 = air.segment async args(%sa=%a) : memref<64xf32> {
      %c0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %e, %l2 = air.execute -> (memref<64xf32, 1>) {
        %b = memref.alloc() : memref<64xf32, 1>
        air.execute_terminator %b : memref<64xf32, 1>
      }
      %l = scf.for %k = %c0 to %c4 step %c1_0 iter_args(%t = %e) -> (!air.async.token) {
        %d = air.dma_memcpy_nd async [%t] (%l2[] [] [], %sa[] [] []) : (memref<64xf32, 1>, memref<64xf32>)
        %h = air.herd async [%d] tile (%x) in (%sx=%c1_0) args(%hl2=%l2) : memref<64xf32, 1> {
          %e1, %l1 = air.execute -> (memref<64xf32, 2>) {
            %b = memref.alloc() : memref<64xf32, 2>
            air.execute_terminator %b : memref<64xf32, 2>
          }
          %d1 = air.dma_memcpy_nd async [%e1] (%l1[] [] [], %hl2[] [] []) : (memref<64xf32, 2>, memref<64xf32, 1>)
          %z = arith.constant 0 : index
          %one = arith.constant 1.0 : f32
          %e2 = air.execute [%d1] {
            memref.store %one, %l1[%z] : memref<64xf32, 2>
            memref.dealloc %l1 : memref<64xf32, 2>
          }
        }
        %w = air.wait_all async [%h]
        scf.yield %w : !air.async.token
      }
      %p = scf.parallel (%j) = (%c0) to (%c4) step (%c1_0) init (%l) -> !air.async.token {
        %d = air.wait_all async [%l]
        scf.reduce(%d : !air.async.token) {
        ^bb0(%x: !air.async.token, %y: !air.async.token):
          %z = air.wait_all async [%x, %y]
          scf.reduce.return %z : !air.async.token
        }
      }
      air.wait_all [%p]
    }
  }
  %t2 = air.launch async [%t1] () in () args(%a=%m, %dep=%t0) : memref<64xf32>, !air.async.token {
    air.wait_all [%dep]
    %c0 = arith.constant 0 : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %a[%c0] : memref<64xf32>
  }
  air.wait_all [%t2]
  return
}
