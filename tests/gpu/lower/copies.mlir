// Copies of each kind.
// RUN: airlite-opt %s --split-input-file --air-to-gpu | FileCheck %s

// Both sides contiguous: four floats at once, one step for each of 64 work-items; back to L3 as well.
// CHECK-LABEL: gpu.func @contiguous
// CHECK: %[[ITEM:.*]] = gpu.thread_id  x
// CHECK: %[[AT:.*]] = arith.muli %[[ITEM]], %{{.*}} : index
// CHECK: %[[V:.*]] = vector.load %{{.*}}[%{{.*}}] : memref<256xf32>, vector<4xf32>
// CHECK: vector.store %[[V]], %{{.*}} : memref<256xf32, 3>, vector<4xf32>
// CHECK: gpu.barrier
// CHECK: vector.load %{{.*}} : memref<256xf32, 3>, vector<4xf32>
// CHECK: vector.store %{{.*}} : memref<256xf32>, vector<4xf32>
func.func @f(%m: memref<16x16xf32>, %n: memref<256xf32>) {
  air.launch @contiguous () in () args(%a=%m, %b=%n) : memref<16x16xf32>, memref<256xf32> {
    %l = memref.alloc() : memref<256xf32, 1>
    air.dma_memcpy_nd (%l[] [] [], %a[] [] []) : (memref<256xf32, 1>, memref<16x16xf32>)
    air.dma_memcpy_nd (%b[] [] [], %l[] [] []) : (memref<256xf32>, memref<256xf32, 1>)
  }
  return
}

// -----

// A transposing read: element by element.
// CHECK-LABEL: gpu.func @transposed
// CHECK-NOT: vector
// CHECK: scf.for
// CHECK: memref.load
// CHECK: memref.store
// CHECK: gpu.return
func.func @f(%m: memref<16x16xf32>) {
  air.launch @transposed () in () args(%a=%m) : memref<16x16xf32> {
    %l = memref.alloc() : memref<16x16xf32, 1>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    air.dma_memcpy_nd (%l[] [] [], %a[%c0, %c0] [%c16, %c16] [%c1, %c16]) : (memref<16x16xf32, 1>, memref<16x16xf32>)
  }
  return
}

// -----

// Fewer elements than work-items; an offset that is not known to be aligned.
// CHECK-LABEL: gpu.func @few
// CHECK: %[[SOME:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// CHECK: scf.if %[[SOME]]
// CHECK: memref.load
func.func @f(%m: memref<64xf32>, %o: index) {
  air.launch @few () in () args(%a=%m, %off=%o) : memref<64xf32>, index {
    %l = memref.alloc() : memref<8xf32, 1>
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    air.dma_memcpy_nd (%l[] [] [], %a[%off] [%c8] [%c1]) : (memref<8xf32, 1>, memref<64xf32>)
  }
  return
}

// -----

// Zeros around the data.
// CHECK-LABEL: gpu.func @padded
// CHECK: arith.cmpi ult
// CHECK: arith.cmpi ult
// CHECK: %[[IN:.*]] = arith.andi
// CHECK: %[[V:.*]] = scf.if %[[IN]] -> (f32)
// CHECK: memref.store %[[V]]
func.func @f(%m: memref<6x6xf32>) {
  air.launch @padded () in () args(%a=%m) : memref<6x6xf32> {
    %l = memref.alloc() : memref<8x8xf32, 1>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    air.dma_memcpy_nd (%l[] [] [], %a[%c0, %c0] [%c6, %c6] [%c6, %c1]) {pad_before = array<i32: 1, 1>, pad_after = array<i32: 1, 1>} : (memref<8x8xf32, 1>, memref<6x6xf32>)
  }
  return
}

// -----

// Dynamic shapes, and a subview of unknown offset.
// CHECK-LABEL: gpu.func @dynamic
// CHECK: memref.dim
// CHECK: scf.if
// CHECK: gpu.return
func.func @f(%m: memref<?x?xf32>, %i: index) {
  air.launch @dynamic () in () args(%a=%m, %o=%i) : memref<?x?xf32>, index {
    %l = memref.alloc() : memref<4x4xf32, 1>
    %s = memref.subview %a[%o, %o] [4, 4] [1, 1] : memref<?x?xf32> to memref<4x4xf32, strided<[?, 1], offset: ?>>
    air.dma_memcpy_nd (%l[] [] [], %s[] [] []) : (memref<4x4xf32, 1>, memref<4x4xf32, strided<[?, 1], offset: ?>>)
  }
  return
}

// -----

// Fills and copies outside of herds are shared out too.
// CHECK-LABEL: gpu.func @fill
// CHECK: memref.store %{{.*}} : memref<64xf32, 3>
// CHECK: gpu.barrier
// CHECK: vector.store %{{.*}} : memref<64xf32>, vector<4xf32>
func.func @f(%m: memref<64xf32>) {
  air.launch @fill () in () args(%a=%m) : memref<64xf32> {
    %l = memref.alloc() : memref<64xf32, 1>
    %z = arith.constant 0.0 : f32
    linalg.fill ins(%z : f32) outs(%l : memref<64xf32, 1>)
    memref.copy %l, %a : memref<64xf32, 1> to memref<64xf32>
  }
  return
}

// -----

// Inside of a herd the lanes of a wave share a copy to LDS: barriers before it is overwritten and
// before it is read.
// CHECK-LABEL: gpu.func @wave
// CHECK: %[[LANE:.*]] = arith.remui
// CHECK: scf.for
// CHECK: gpu.barrier
// CHECK: %[[SOME:.*]] = arith.cmpi ult, %[[LANE]], %{{.*}} : index
// CHECK: scf.if %[[SOME]]
// CHECK: vector.store %{{.*}} : memref<128xf32, 3>, vector<4xf32>
// CHECK: gpu.barrier
// CHECK: memref.load
// CHECK-NOT: gpu.barrier
// CHECK: gpu.return
module attributes {airlite.wave_size = 64 : i32} {
  func.func @f(%a: memref<4x64xf32>, %c: memref<4x64xf32>) {
    air.launch @wave () in () args(%la=%a, %lc=%c) : memref<4x64xf32>, memref<4x64xf32> {
      %c2 = arith.constant 2 : index
      %l2 = memref.alloc() : memref<2x64xf32, 1>
      air.herd tile (%x) in (%sx=%c2) args(%ha=%la, %hc=%lc, %l=%l2) : memref<4x64xf32>, memref<4x64xf32>, memref<2x64xf32, 1> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2_0 = arith.constant 2 : index
        %c63 = arith.constant 63 : index
        %c64 = arith.constant 64 : index
        %lane = gpu.lane_id
        scf.for %i = %c0 to %c2_0 step %c1 {
          %b = arith.muli %i, %c2_0 : index
          %r = arith.addi %b, %x : index
          air.dma_memcpy_nd (%l[%x, %c0] [%c1, %c64] [%c64, %c1], %ha[%r, %c0] [%c1, %c64] [%c64, %c1]) : (memref<2x64xf32, 1>, memref<4x64xf32>)
          %m = arith.subi %c63, %lane : index
          %v = memref.load %l[%x, %m] : memref<2x64xf32, 1>
          memref.store %v, %hc[%r, %lane] : memref<4x64xf32>
        }
      }
    }
    return
  }
}

// -----

// Calls are inlined: the function is written for L1, the kernel has private memory.
// CHECK-LABEL: gpu.func @calls
// CHECK-NOT: call
// CHECK: memref.store %{{.*}} : memref<4xf32, 5>
// CHECK-NOT: call
// CHECK: gpu.return
func.func private @set(%t: memref<4xf32, 2>, %f: f32) {
  %c0 = arith.constant 0 : index
  memref.store %f, %t[%c0] : memref<4xf32, 2>
  return
}
func.func @f(%m: memref<4xf32>) {
  air.launch @calls () in () args(%a=%m) : memref<4xf32> {
    %l = memref.alloc() : memref<4xf32, 2>
    %f = arith.constant 1.0 : f32
    func.call @set(%l, %f) : (memref<4xf32, 2>, f32) -> ()
    air.dma_memcpy_nd (%a[] [] [], %l[] [] []) : (memref<4xf32>, memref<4xf32, 2>)
  }
  return
}
