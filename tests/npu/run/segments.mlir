// Segments side by side are designs that are loaded one after the other: each gets all of its
// transfers while it is there, in whatever order the program begins them.
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-compile %s --target=npu1 -o %t
// RUN: FileCheck %s --check-prefix=RUNS --input-file=%t/manifest.json
// CHECK: arguments are as in the interpreter, bit by bit
// RUNS: "xclbin": "first.xclbin"
// RUNS: "xclbin": "second.xclbin"
// RUNS-NOT: "xclbin"
air.channel @in0 [1, 1]
air.channel @out0 [1, 1]
air.channel @in1 [1, 1]
air.channel @out1 [1, 1]
func.func @main(%x: memref<64xi32>, %y: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%s = %c1) args(%a = %x, %b = %y) : memref<64xi32>, memref<64xi32> {
    %p0 = air.channel.put async @in0[] (%a[0] [32] [1]) : (memref<64xi32>)
    %p1 = air.channel.put async @in1[] (%a[32] [32] [1]) : (memref<64xi32>)
    %g0 = air.channel.get async @out0[] (%b[0] [32] [1]) : (memref<64xi32>)
    %g1 = air.channel.get async @out1[] (%b[32] [32] [1]) : (memref<64xi32>)
    %t0 = air.segment @first async {
      %k1 = arith.constant 1 : index
      air.herd @h0 tile (%tx, %ty) in (%nx = %k1, %ny = %k1) {
        %m = memref.alloc() : memref<32xi32, 2>
        air.channel.get @in0[] (%m[] [] []) : (memref<32xi32, 2>)
        air.channel.put @out0[] (%m[] [] []) : (memref<32xi32, 2>)
        memref.dealloc %m : memref<32xi32, 2>
      }
    }
    %t1 = air.segment @second async {
      %k1 = arith.constant 1 : index
      air.herd @h1 tile (%tx, %ty) in (%nx = %k1, %ny = %k1) {
        %m = memref.alloc() : memref<32xi32, 2>
        air.channel.get @in1[] (%m[] [] []) : (memref<32xi32, 2>)
        air.channel.put @out1[] (%m[] [] []) : (memref<32xi32, 2>)
        memref.dealloc %m : memref<32xi32, 2>
      }
    }
  }
  return
}
