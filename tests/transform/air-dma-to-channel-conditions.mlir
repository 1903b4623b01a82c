// Cores that pass data on, of which only the last one copies out: the condition says who writes.
// RUN: airlite-opt %s --air-dependency=keep-channel-order=true --air-dma-to-channel --remarks 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --async-transfers --function=last %s | FileCheck %s --check-prefix=SAME

// SAME: 2 arguments are as in the interpreter, bit by bit

air.channel @next [1] {channel_type = "npu_cascade"}

// CHECK-LABEL: func.func @last
// CHECK: air.channel.get async {{.*}} @[[OUT:channel_[0-9]+]]
// CHECK: air.herd
// CHECK: scf.if
// CHECK: air.channel.put {{.*}}@[[OUT]]
// CHECK-NOT: air.dma_memcpy_nd ({{.*}}memref<16xi32, 2>)
func.func @last(%a: memref<16xi32>, %b: memref<16xi32>) {
  air.launch () in () args(%from = %a, %to = %b) : memref<16xi32>, memref<16xi32> {
    air.segment @s args(%f = %from, %t = %to) : memref<16xi32>, memref<16xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %l2 = memref.alloc() : memref<16xi32, 1>
      air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c2) args(%in = %f, %out = %l2) : memref<16xi32>, memref<16xi32, 1> {
        %zero = arith.constant 0 : index
        %m = memref.alloc() : memref<16xi32, 2>
        %is_last = arith.cmpi eq, %y, %zero : index
        scf.if %is_last {
          air.channel.get @next[] (%m[] [] []) : (memref<16xi32, 2>)
          air.dma_memcpy_nd (%out[] [] [], %m[] [] []) : (memref<16xi32, 1>, memref<16xi32, 2>)
        } else {
          air.dma_memcpy_nd (%m[] [] [], %in[] [] []) : (memref<16xi32, 2>, memref<16xi32>)
          air.channel.put @next[] (%m[] [] []) : (memref<16xi32, 2>)
        }
        memref.dealloc %m : memref<16xi32, 2>
      }
      air.dma_memcpy_nd (%t[] [] [], %l2[] [] []) : (memref<16xi32>, memref<16xi32, 1>)
      memref.dealloc %l2 : memref<16xi32, 1>
    }
  }
  return
}

// Both cores write here.
// REMARK: remark: [air-dma-to-channel] stays: cores that wait for each other may write the same memory
func.func @both(%a: memref<16xi32>) {
  air.launch () in () args(%from = %a) : memref<16xi32> {
    air.segment @s args(%f = %from) : memref<16xi32> {
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %l2 = memref.alloc() : memref<16xi32, 1>
      air.herd @h tile (%x, %y) in (%sx = %c1, %sy = %c2) args(%out = %l2) : memref<16xi32, 1> {
        %zero = arith.constant 0 : index
        %m = memref.alloc() : memref<16xi32, 2>
        %is_last = arith.cmpi eq, %y, %zero : index
        scf.if %is_last {
          air.channel.get @next[] (%m[] [] []) : (memref<16xi32, 2>)
        } else {
          air.channel.put @next[] (%m[] [] []) : (memref<16xi32, 2>)
        }
        air.dma_memcpy_nd (%out[] [] [], %m[] [] []) : (memref<16xi32, 1>, memref<16xi32, 2>)
        memref.dealloc %m : memref<16xi32, 2>
      }
      memref.dealloc %l2 : memref<16xi32, 1>
    }
  }
  return
}
