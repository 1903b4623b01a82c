// Loops in loops, of which each has ten runs of rounds that are alike: the copies of the outermost one would have the copies of all others in them.
// RUN: airlite-opt %s --air-split-decided-rounds --remarks 2>&1 >/dev/null | FileCheck %s
// CHECK: [[@LINE+11]]:5: remark: [air-split-decided-rounds] stays: its copies would be too many operations
// CHECK-NOT: remark
air.channel @a []
air.channel @b []
func.func @f(%m: memref<32xi32>) {
  air.launch () in () args(%x = %m) : memref<32xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    scf.for %i0 = %c0 to %c16 step %c1 {
      scf.for %i1 = %c0 to %c16 step %c1 {
        scf.for %i2 = %c0 to %c16 step %c1 {
          scf.for %i3 = %c0 to %c16 step %c1 {
            %p3 = arith.muli %i3, %c5 : index
            %r3 = arith.remui %p3, %c16 : index
            %is3 = arith.cmpi ult, %r3, %c8 : index
            scf.if %is3 {
              air.channel.put @a[] (%x[] [] []) : (memref<32xi32>)
            } else {
              air.channel.put @b[] (%x[] [] []) : (memref<32xi32>)
            }
          }
          %p2 = arith.muli %i2, %c5 : index
          %r2 = arith.remui %p2, %c16 : index
          %is2 = arith.cmpi ult, %r2, %c8 : index
          scf.if %is2 {
            air.channel.put @a[] (%x[] [] []) : (memref<32xi32>)
          } else {
            air.channel.put @b[] (%x[] [] []) : (memref<32xi32>)
          }
        }
        %p1 = arith.muli %i1, %c5 : index
        %r1 = arith.remui %p1, %c16 : index
        %is1 = arith.cmpi ult, %r1, %c8 : index
        scf.if %is1 {
          air.channel.put @a[] (%x[] [] []) : (memref<32xi32>)
        } else {
          air.channel.put @b[] (%x[] [] []) : (memref<32xi32>)
        }
      }
      %p0 = arith.muli %i0, %c5 : index
      %r0 = arith.remui %p0, %c16 : index
      %is0 = arith.cmpi ult, %r0, %c8 : index
      scf.if %is0 {
        air.channel.put @a[] (%x[] [] []) : (memref<32xi32>)
      } else {
        air.channel.put @b[] (%x[] [] []) : (memref<32xi32>)
      }
    }
  }
  return
}
