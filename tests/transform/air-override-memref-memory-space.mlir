// RUN: airlite-opt %s --check-each --air-override-memref-memory-space='scope=herd memory-space=2' | FileCheck %s --check-prefix=HERD
// RUN: airlite-opt %s --check-each --air-override-memref-memory-space='scope=segment memory-space=1' | FileCheck %s --check-prefix=SEGMENT
// RUN: airlite-opt %s --check-each --air-override-memref-memory-space='scope=func memory-space=1' | FileCheck %s --check-prefix=FUNC
// RUN: airlite-opt %s --air-transform='filename=%S/Inputs/air-transform-space.mlir' | FileCheck %s --check-prefix=SCRIPT

// Each level has its own buffers; views, executes and arguments follow them.
// HERD-LABEL: func.func @levels
// HERD: memref.alloc() {alignment = 64 : i64} : memref<64xf32>
// HERD: air.segment
// HERD: memref.alloc() : memref<64xf32, 3>
// HERD: memref.alloc() : memref<8xf32, 1>
// HERD: air.herd
// HERD: memref.alloc() : memref<32xf32, 2 : i32>
// HERD: memref.alloc() : memref<8xf32, 2>
// SEGMENT-LABEL: func.func @levels
// SEGMENT: memref.alloc() {{.*}} : memref<64xf32>
// SEGMENT: air.segment
// SEGMENT: air.execute -> (memref<64xf32, 1 : i32>)
// SEGMENT: memref.alloc() : memref<64xf32, 1 : i32>
// SEGMENT: memref.alloc() : memref<8xf32, 1>
// SEGMENT: air.herd {{.*}} : memref<64xf32, 1 : i32>
// SEGMENT: memref.subview {{.*}} : memref<64xf32, 1 : i32> to memref<32xf32, strided<[1]>, 1 : i32>
// SEGMENT: memref.alloc() : memref<32xf32, 3>
// FUNC-LABEL: func.func @levels
// FUNC: memref.alloc() : memref<64xf32, 1 : i32>
// FUNC: air.launch {{.*}} : memref<64xf32, 1 : i32>
// FUNC: air.segment {{.*}} : memref<64xf32, 1 : i32>
// FUNC: memref.alloc() : memref<64xf32, 3>
// SCRIPT-LABEL: func.func @levels
// SCRIPT: memref.alloc() {alignment = 64 : i64} : memref<64xf32>
// SCRIPT: memref.alloc() : memref<64xf32, 1 : i32>
// SCRIPT: memref.alloc() : memref<32xf32, 2 : i32>
func.func @levels() {
  %host = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  air.launch () in () args(%l = %host) : memref<64xf32> {
    air.segment @s args(%m = %l) : memref<64xf32> {
      %c1 = arith.constant 1 : index
      %t, %shared = air.execute -> (memref<64xf32, 3>) {
        %alloc = memref.alloc() : memref<64xf32, 3>
        air.execute_terminator %alloc : memref<64xf32, 3>
      }
      %placed = memref.alloc() : memref<8xf32, 1>
      %w = air.execute [%t] {
        memref.copy %m, %shared : memref<64xf32> to memref<64xf32, 3>
      }
      %h = air.herd async [%w] tile (%x, %y) in (%sx = %c1, %sy = %c1) args(%in = %shared) : memref<64xf32, 3> {
        %part = memref.subview %in[0] [32] [1] : memref<64xf32, 3> to memref<32xf32, strided<[1]>, 3>
        %own = memref.alloc() : memref<32xf32, 3>
        %near = memref.alloc() : memref<8xf32, 2>
        memref.copy %part, %own : memref<32xf32, strided<[1]>, 3> to memref<32xf32, 3>
        memref.dealloc %own : memref<32xf32, 3>
        memref.dealloc %near : memref<8xf32, 2>
      }
      air.wait_all [%h]
      memref.dealloc %placed : memref<8xf32, 1>
    }
  }
  memref.dealloc %host : memref<64xf32>
  return
}
