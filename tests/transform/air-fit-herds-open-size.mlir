// Offsets without sizes do not say what is copied: nothing is staged (a program made by scripts/fuzz_tools.py).
// RUN: airlite-opt %s --air-fit-herds='cores=1,1 stage=L1' --remarks 2>&1 | FileCheck %s
// CHECK: [[#@LINE+6]]:7: remark: [air-fit-herds] an operand stays where it is: a copy of memory with an open layout or size
// CHECK: air.dma_memcpy_nd (%{{.*}}[%{{.*}}, %{{.*}}] [] [], %{{.*}}[] [] [])
func.func @main(%a: memref<16xi32>) {
  air.launch () in () args(%l = %a) : memref<16xi32> {
    air.segment @s args(%x = %l) : memref<16xi32> {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) args(%u = %x) : memref<16xi32> {
        %c0 = arith.constant 0 : index
        %m = memref.alloc() : memref<16xi32, 2>
        air.dma_memcpy_nd (%m[%c0, %c0] [] [], %u[] [] []) : (memref<16xi32, 2>, memref<16xi32>)
        memref.dealloc %m : memref<16xi32, 2>
      }
    }
  }
  return
}
