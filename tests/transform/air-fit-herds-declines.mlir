// RUN: airlite-opt %s --air-fit-herds='cores=1,1 stage=L2' --remarks -o /dev/null 2>&1 | FileCheck %s
// RUN: not airlite-opt %s --air-fit-herds='stage=L3' 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: stage
func.func @main(%x: memref<4xi32>, %y: memref<?xi32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  air.launch () in () args(%a = %x, %b = %y, %k = %n) : memref<4xi32>, memref<?xi32>, index {
    air.segment @s args(%c = %a, %d = %b, %m = %k) : memref<4xi32>, memref<?xi32>, index {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %shared = memref.alloc() : memref<4xi32, 2>
      // CHECK: [[#@LINE+1]]:7: remark: [air-fit-herds] is not fitted: its sizes are not constants
      air.herd @open tile (%tx, %ty) in (%sx = %m, %sy = %k1) {
      }
      // CHECK: [[#@LINE+1]]:7: remark: [air-fit-herds] is not fitted: its cores share L1 memory
      air.herd @l1 tile (%tx, %ty) in (%sx = %k2, %sy = %k1) args(%u = %shared) : memref<4xi32, 2> {
      }
      // CHECK: [[#@LINE+1]]:7: remark: [air-fit-herds] an operand stays where it is: its shape or layout is open
      air.herd @shape tile (%tx, %ty) in (%sx = %k1, %sy = %k1) args(%u = %d) : memref<?xi32> {
        %l = memref.alloc() : memref<4xi32, 2>
        %z0 = arith.constant 0 : index
        %z1 = arith.constant 1 : index
        %z4 = arith.constant 4 : index
        air.dma_memcpy_nd (%l[] [] [], %u[%z0] [%z4] [%z1]) : (memref<4xi32, 2>, memref<?xi32>)
        memref.dealloc %l : memref<4xi32, 2>
      }
      // CHECK: [[#@LINE+1]]:7: remark: [air-fit-herds] an operand stays where it is: the herd has it twice
      air.herd @twice tile (%tx, %ty) in (%sx = %k1, %sy = %k1) args(%u = %c, %v = %c) : memref<4xi32>, memref<4xi32> {
        %l = memref.alloc() : memref<4xi32, 2>
        air.dma_memcpy_nd (%l[] [] [], %u[] [] []) : (memref<4xi32, 2>, memref<4xi32>)
        air.dma_memcpy_nd (%v[] [] [], %l[] [] []) : (memref<4xi32>, memref<4xi32, 2>)
        memref.dealloc %l : memref<4xi32, 2>
      }
      memref.dealloc %shared : memref<4xi32, 2>
    }
  }
  return
}
