// Transfers of one L2 buffer in different loops: each run in a round has a descriptor of its own, and gives the lock of
// what comes after it.
//
// RUN: airlite-compile %s --target=npu1 --pipeline=canonicalize --remarks -o %t 2>&1 | FileCheck %s --check-prefix=WAY --allow-empty
// RUN: airlite-run %s --on=interp --init=random:1 --output 1=%t.npy
// RUN: airlite-run --on=sim %t --init=random:1 --expect 1=%t.npy | FileCheck %s
// RUN: airlite-run --on=sim %t --init=random:1 --expect 1=%t.npy --reverse-tiles | FileCheck %s
// CHECK: all with the same bits
// WAY-NOT: progress is not checked

air.channel @in [1]
air.channel @to [1]
air.channel @from [1]
air.channel @out [1]

// The sum of five rows, three times.
func.func @main(%a: memref<5x64xi32>, %b: memref<3x64xi32>) {
  air.launch () in () args(%p = %a, %q = %b) : memref<5x64xi32>, memref<3x64xi32> {
    %0 = air.channel.put async @in[] (%p[] [] []) : (memref<5x64xi32>)
    %1 = air.channel.get async @out[] (%q[] [] []) : (memref<3x64xi32>)
    %s = air.segment @s async {
      %c1 = arith.constant 1 : index
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %h = air.herd @h async tile (%x, %y) in (%sx = %c1, %sy = %c1) {
        %d0 = arith.constant 0 : index
        %d1 = arith.constant 1 : index
        %d3 = arith.constant 3 : index
        %d5 = arith.constant 5 : index
        %d64 = arith.constant 64 : index
        %zero = arith.constant 0 : i32
        %sum = memref.alloc() : memref<64xi32, 2>
        linalg.fill ins(%zero : i32) outs(%sum : memref<64xi32, 2>)
        scf.for %i = %d0 to %d5 step %d1 {
          %row = memref.alloc() : memref<64xi32, 2>
          air.channel.get @to[] (%row[] [] []) : (memref<64xi32, 2>)
          scf.for %j = %d0 to %d64 step %d1 {
            %u = memref.load %row[%j] : memref<64xi32, 2>
            %v = memref.load %sum[%j] : memref<64xi32, 2>
            %w = arith.addi %u, %v : i32
            memref.store %w, %sum[%j] : memref<64xi32, 2>
          }
          memref.dealloc %row : memref<64xi32, 2>
        }
        scf.for %i = %d0 to %d3 step %d1 {
          air.channel.put @from[] (%sum[] [] []) : (memref<64xi32, 2>)
        }
        memref.dealloc %sum : memref<64xi32, 2>
      }
      %m = memref.alloc() : memref<64xi32, 1>
      scf.for %i = %c0 to %c3 step %c1 {
        air.channel.get @in[] (%m[] [] []) : (memref<64xi32, 1>)
        air.channel.put @to[] (%m[] [] []) : (memref<64xi32, 1>)
      }
      scf.for %i = %c0 to %c2 step %c1 {
        air.channel.get @in[] (%m[] [] []) : (memref<64xi32, 1>)
        air.channel.put @to[] (%m[] [] []) : (memref<64xi32, 1>)
      }
      scf.for %i = %c0 to %c3 step %c1 {
        air.channel.get @from[] (%m[] [] []) : (memref<64xi32, 1>)
        air.channel.put @out[] (%m[] [] []) : (memref<64xi32, 1>)
      }
      memref.dealloc %m : memref<64xi32, 1>
      air.wait_all [%h]
    }
    air.wait_all [%0, %1, %s]
  }
  return
}
