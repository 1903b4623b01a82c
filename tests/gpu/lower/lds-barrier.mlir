// A barrier of LDS alone orders no other memory: where global memory is written that others read before
// it, a whole barrier follows.
// RUN: airlite-opt %s --air-to-gpu | FileCheck %s
// CHECK-LABEL: gpu.func @lds
// CHECK: vector.store {{.*}} : memref<256xf32, 3>
// CHECK: gpu.barrier memfence [#gpu.address_space<workgroup>]
// CHECK-NEXT: gpu.barrier{{$}}
// CHECK: vector.store {{.*}} : memref<256xf32>
// CHECK-LABEL: gpu.func @all
// CHECK: gpu.barrier{{$}}
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
func.func @f(%m: memref<256xf32>) {
  air.launch @lds () in () args(%a=%m) : memref<256xf32> {
    air.segment args(%s=%a) : memref<256xf32> {
      %tile = memref.alloc() : memref<256xf32, 1>
      air.dma_memcpy_nd (%tile[] [] [], %s[] [] []) : (memref<256xf32, 1>, memref<256xf32>)
      gpu.barrier memfence [#gpu.address_space<workgroup>]
      air.dma_memcpy_nd (%s[] [] [], %tile[] [] []) : (memref<256xf32>, memref<256xf32, 1>)
    }
  }
  return
}
func.func @g(%m: memref<256xf32>) {
  air.launch @all () in () args(%a=%m) : memref<256xf32> {
    air.segment args(%s=%a) : memref<256xf32> {
      %tile = memref.alloc() : memref<256xf32, 1>
      air.dma_memcpy_nd (%tile[] [] [], %s[] [] []) : (memref<256xf32, 1>, memref<256xf32>)
      gpu.barrier
      air.dma_memcpy_nd (%s[] [] [], %tile[] [] []) : (memref<256xf32>, memref<256xf32, 1>)
    }
  }
  return
}
