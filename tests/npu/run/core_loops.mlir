// Parallel loops in a core, with and without results.
//
// RUN: airlite-run %s --function=main --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// CHECK: arguments are as in the interpreter, bit by bit

// The squares, their sum, and one after the other in scf.forall.
func.func @main(%a: memref<64xi32>, %b: memref<64xi32>) {
  air.launch () in () args(%ka=%a, %kb=%b) : memref<64xi32>, memref<64xi32> {
    air.segment @s args(%sa=%ka, %sb=%kb) : memref<64xi32>, memref<64xi32> {
      %n = arith.constant 1 : index
      %m = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx=%n, %sy=%m) args(%A=%sa, %B=%sb) : memref<64xi32>, memref<64xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %buf = memref.alloc() : memref<64xi32, 2>
        air.dma_memcpy_nd (%buf[] [] [], %A[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
        scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
          %v = memref.load %buf[%i] : memref<64xi32, 2>
          %w = arith.muli %v, %v : i32
          memref.store %w, %buf[%i] : memref<64xi32, 2>
          scf.reduce
        }
        %init = arith.constant 0 : i32
        %sum = scf.parallel (%i) = (%c0) to (%c64) step (%c1) init (%init) -> i32 {
          %v = memref.load %buf[%i] : memref<64xi32, 2>
          scf.reduce(%v : i32) {
          ^bb0(%p: i32, %q: i32):
            %r = arith.addi %p, %q : i32
            scf.reduce.return %r : i32
          }
        }
        memref.store %sum, %buf[%c0] : memref<64xi32, 2>
        scf.forall (%i) in (32) {
          %v = memref.load %buf[%i] : memref<64xi32, 2>
          memref.store %v, %buf[%i] : memref<64xi32, 2>
        }
        air.dma_memcpy_nd (%B[] [] [], %buf[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
      }
    }
  }
  return
}
