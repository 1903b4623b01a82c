// What is sent does not fit, and the loops of the two ends differ: the reason is what does not fit.
// REQUIRES: gpu
// RUN: not airlite-compile %s --async-transfers --target=gfx942 -o %t 2>&1 | FileCheck %s

// CHECK: error: 'air.channel.put' op not supported: this channel in a GPU kernel: its transfers, each with a place of its own, take more than 65536 bytes
// CHECK-NOT: {{a place is not given as many elements|several cores use one place}}
air.channel @A [1, 1] {broadcast_shape = [2, 1]}
air.channel @C [2, 1]
func.func @main(%a: memref<24576xi16>, %c: memref<49152xi16>) {
  air.launch () in () args(%la = %a, %lc = %c) : memref<24576xi16>, memref<49152xi16> {
    air.segment args(%sa = %la, %sc = %lc) : memref<24576xi16>, memref<49152xi16> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c6 = arith.constant 6 : index
      %n = arith.constant 4096 : index
      %all = memref.alloc() : memref<24576xi16, 1>
      air.dma_memcpy_nd (%all[] [] [], %sa[] [] []) : (memref<24576xi16, 1>, memref<24576xi16>)
      scf.for %k = %c0 to %c6 step %c1 {
        %at = arith.muli %k, %n : index
        air.channel.put @A[%c0, %c0] (%all[%at] [4096] [1]) : (memref<24576xi16, 1>)
      }
      air.herd tile (%x, %y) in (%nx = %c2, %ny = %c1) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h5 = arith.constant 5 : index
        %t = memref.alloc() : memref<4096xi16, 2>
        scf.for %k = %h0 to %h5 step %h1 {
          air.channel.get @A[%x, %y] (%t[] [] []) : (memref<4096xi16, 2>)
          air.channel.put @C[%x, %y] (%t[] [] []) : (memref<4096xi16, 2>)
        }
        air.channel.get @A[%x, %y] (%t[] [] []) : (memref<4096xi16, 2>)
        air.channel.put @C[%x, %y] (%t[] [] []) : (memref<4096xi16, 2>)
      }
      scf.for %k = %c0 to %c6 step %c1 {
        %at = arith.muli %k, %n : index
        %beside = arith.addi %k, %c6 : index
        %next = arith.muli %beside, %n : index
        air.channel.get @C[%c0, %c0] (%sc[%at] [4096] [1]) : (memref<49152xi16>)
        air.channel.get @C[%c1, %c0] (%sc[%next] [4096] [1]) : (memref<49152xi16>)
      }
    }
  }
  return
}
