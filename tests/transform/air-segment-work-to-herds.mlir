// RUN: airlite-opt %s --air-segment-work-to-herds --check-each --remarks 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t
// RUN: airlite-opt %s --air-segment-work-to-herds --air-verify-program --emit=none

// What follows each other is one herd. What is filled as a whole is not brought.
// CHECK-LABEL: func.func @one_herd
// CHECK: air.segment
// CHECK: air.herd tile
// CHECK-SAME: args(%[[L:.*]]=%{{.*}}) : memref<4x8xi32, 1>
// CHECK: %[[M:.*]] = memref.alloc() : memref<4x8xi32, 2>
// CHECK-NOT: memref.copy %[[L]]
// CHECK: linalg.fill ins(%{{.*}} : i32) outs(%[[M]] : memref<4x8xi32, 2>)
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[M]]
// CHECK: memref.copy %[[M]], %[[L]] : memref<4x8xi32, 2> to memref<4x8xi32, 1>
// CHECK-NOT: air.herd
func.func @one_herd(%b: memref<4x8xi32>) {
  air.launch () in () args(%lb = %b) : memref<4x8xi32> {
    air.segment @s args(%sb = %lb) : memref<4x8xi32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %k = arith.constant 3 : i32
      %l = memref.alloc() : memref<4x8xi32, 1>
      linalg.fill ins(%k : i32) outs(%l : memref<4x8xi32, 1>)
      scf.for %i = %c0 to %c4 step %c1 {
        %v = memref.load %l[%i, %c0] : memref<4x8xi32, 1>
        %w = arith.addi %v, %k : i32
        memref.store %w, %l[%i, %c1] : memref<4x8xi32, 1>
      }
      air.dma_memcpy_nd (%sb[] [] [], %l[] [] []) : (memref<4x8xi32>, memref<4x8xi32, 1>)
      memref.dealloc %l : memref<4x8xi32, 1>
    }
  }
  return
}

// The herd has the tokens of the op. A view comes with the work, and what is only read does not go back.
// CHECK-LABEL: func.func @tokens
// CHECK: %[[GET:.*]] = air.dma_memcpy_nd async
// CHECK: %[[H:.*]] = air.herd async [{{.*}}%[[GET]]{{.*}}] tile
// CHECK-DAG: memref.copy %{{.*}}, %{{.*}} : memref<4x8xi32, 1> to memref<4x8xi32, 2>
// CHECK-DAG: memref.copy %{{.*}}, %{{.*}} : memref<4xi32, 1> to memref<4xi32, 2>
// CHECK: memref.subview %{{.*}}[0, 2] [4, 1] [1, 1] : memref<4x8xi32, 2>
// CHECK: linalg.generic
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<4xi32, 2> to memref<4xi32, 1>
// CHECK-NOT: memref.copy
// CHECK: air.dma_memcpy_nd async [%[[H]]]
func.func @tokens(%a: memref<4x8xi32>, %b: memref<4xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<4x8xi32>, memref<4xi32> {
    air.segment @s args(%sa = %la, %sb = %lb) : memref<4x8xi32>, memref<4xi32> {
      %t0, %l = air.execute -> (memref<4x8xi32, 1>) {
        %m = memref.alloc() : memref<4x8xi32, 1>
        air.execute_terminator %m : memref<4x8xi32, 1>
      }
      %t1, %n = air.execute -> (memref<4xi32, 1>) {
        %m = memref.alloc() : memref<4xi32, 1>
        air.execute_terminator %m : memref<4xi32, 1>
      }
      %t2 = air.dma_memcpy_nd async [%t0] (%l[] [] [], %sa[] [] []) : (memref<4x8xi32, 1>, memref<4x8xi32>)
      %view = memref.subview %l[0, 2] [4, 1] [1, 1] : memref<4x8xi32, 1> to memref<4xi32, strided<[8], offset: 2>, 1>
      %t3 = air.execute [%t2, %t1] {
        linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
            ins(%view : memref<4xi32, strided<[8], offset: 2>, 1>) outs(%n : memref<4xi32, 1>) {
        ^bb0(%x: i32, %old: i32):
          %y = arith.muli %x, %x : i32
          linalg.yield %y : i32
        }
      }
      %t4 = air.dma_memcpy_nd async [%t3] (%sb[] [] [], %n[] [] []) : (memref<4xi32>, memref<4xi32, 1>)
      air.wait_all [%t4]
    }
  }
  return
}

// A copy from L2 to L2 goes through a core, with the pattern of either side.
// CHECK-LABEL: func.func @carried
// CHECK: air.herd tile
// CHECK: %[[L1:.*]] = memref.alloc() : memref<32xi32, 2>
// CHECK: air.dma_memcpy_nd (%[[L1]][] [] [], %{{.*}}[0, 0] [8, 4] [1, 8])
// CHECK: air.dma_memcpy_nd (%{{.*}}[] [] [], %[[L1]][] [] [])
func.func @carried(%a: memref<4x8xi32>, %b: memref<8x4xi32>) {
  air.launch () in () args(%la = %a, %lb = %b) : memref<4x8xi32>, memref<8x4xi32> {
    air.segment @s args(%sa = %la, %sb = %lb) : memref<4x8xi32>, memref<8x4xi32> {
      %l = memref.alloc() : memref<4x8xi32, 1>
      %n = memref.alloc() : memref<8x4xi32, 1>
      air.dma_memcpy_nd (%l[] [] [], %sa[] [] []) : (memref<4x8xi32, 1>, memref<4x8xi32>)
      air.dma_memcpy_nd (%n[] [] [], %l[0, 0] [8, 4] [1, 8]) : (memref<8x4xi32, 1>, memref<4x8xi32, 1>)
      air.dma_memcpy_nd (%sb[] [] [], %n[] [] []) : (memref<8x4xi32>, memref<8x4xi32, 1>)
    }
  }
  return
}

// CHECK-LABEL: func.func @declined
// CHECK-NOT: air.herd
// REMARK: [[#@LINE+9]]:12: remark: [air-segment-work-to-herds] stays: the segment needs a result of it
// REMARK: [[#@LINE+12]]:7: remark: [air-segment-work-to-herds] stays: its memory does not fit into L1
func.func @declined(%a: memref<4xi32>) {
  air.launch () in () args(%la = %a) : memref<4xi32> {
    air.segment @s args(%sa = %la) : memref<4xi32> {
      %c0 = arith.constant 0 : index
      %k = arith.constant 3 : i32
      %l = memref.alloc() : memref<4xi32, 1>
      air.dma_memcpy_nd (%l[] [] [], %sa[] [] []) : (memref<4xi32, 1>, memref<4xi32>)
      %v = memref.load %l[%c0] : memref<4xi32, 1>
      %i = arith.index_cast %v : i32 to index
      air.wait_all
      %m = memref.alloc() : memref<100000xi32, 1>
      linalg.fill ins(%k : i32) outs(%m : memref<100000xi32, 1>)
      air.wait_all
      %n = memref.alloc(%i) : memref<?xi32, 1>
    }
  }
  return
}

// Which memory the work uses is known in a branch only: it stays.
// CHECK-LABEL: func.func @chosen
// CHECK-NOT: air.herd
// REMARK: [[#@LINE+15]]:7: remark: [air-segment-work-to-herds] stays: which memory it uses a loop or branch decides
func.func @chosen(%c: i1) {
  air.launch () in () args(%lc = %c) : i1 {
    air.segment @s args(%sc = %lc) : i1 {
      %k = arith.constant 3 : i32
      %l = memref.alloc() : memref<4xi32, 1>
      %m = memref.alloc() : memref<4xi32, 1>
      linalg.fill ins(%k : i32) outs(%l : memref<4xi32, 1>)
      linalg.fill ins(%k : i32) outs(%m : memref<4xi32, 1>)
      %n = scf.if %sc -> (memref<4xi32, 1>) {
        linalg.fill ins(%k : i32) outs(%m : memref<4xi32, 1>)
        scf.yield %l : memref<4xi32, 1>
      } else {
        scf.yield %m : memref<4xi32, 1>
      }
      linalg.fill ins(%k : i32) outs(%n : memref<4xi32, 1>)
    }
  }
  return
}
