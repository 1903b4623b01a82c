// Gets of several rows into one buffer, which the core only looks at after the last one, or gives back: go is given as often
// as it is taken.
//
// RUN: airlite-run %s --function=looks --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-run %s --function=gives_back --on=sim --target=npu1 --compare=interp --init=random:1 | FileCheck %s
// RUN: airlite-opt %s --air-to-aie='device=npu1 emit-while-loop=true row-offset=2 col-offset=0' | FileCheck %s --check-prefix=GIVES
// CHECK: arguments are as in the interpreter, bit by bit
// GIVES: aie.device(npu1) @gives_back_s
// GIVES: aie.core
// GIVES: %[[FOUR:.*]] = arith.constant 4
// GIVES: aie.use_lock({{.*}}, AcquireGreaterEqual, %[[FOUR]])
// GIVES: %[[AGAIN:.*]] = arith.constant 4
// GIVES: aie.use_lock({{.*}}, Release, %[[AGAIN]])
air.channel @in []
air.channel @out []
air.channel @more []

func.func @looks(%a: memref<3x128xi32>, %b: memref<3x32xi32>) {
  %c3 = arith.constant 3 : index
  air.launch (%l) in (%ls = %c3) args(%x = %a, %y = %b) : memref<3x128xi32>, memref<3x32xi32> {
    %t0 = air.channel.put async @in[] (%x[%l, 0] [1, 128] [128, 1]) : (memref<3x128xi32>)
    %t1 = air.channel.get async @out[] (%y[%l, 0] [1, 32] [32, 1]) : (memref<3x32xi32>)
    air.segment @looks_s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
        %buf = memref.alloc() : memref<32xi32, 2>
        %o = memref.alloc() : memref<32xi32, 2>
        air.channel.get @in[] (%buf[0, 0] [4, 32] [0, 1]) : (memref<32xi32, 2>)
        linalg.add ins(%buf, %buf : memref<32xi32, 2>, memref<32xi32, 2>) outs(%o : memref<32xi32, 2>)
        air.channel.put @out[] (%o[] [] []) : (memref<32xi32, 2>)
        memref.dealloc %buf : memref<32xi32, 2>
        memref.dealloc %o : memref<32xi32, 2>
      }
    }
  }
  return
}

// Nobody looks at what comes, in any of the rounds.
func.func @gives_back(%a: memref<3x128xi32>) {
  %c3 = arith.constant 3 : index
  air.launch (%l) in (%ls = %c3) args(%x = %a) : memref<3x128xi32> {
    %t0 = air.channel.put async @more[] (%x[%l, 0] [1, 128] [128, 1]) : (memref<3x128xi32>)
    air.segment @gives_back_s {
      %c1 = arith.constant 1 : index
      air.herd @h tile (%tx, %ty) in (%sx = %c1, %sy = %c1) {
        %buf = memref.alloc() : memref<32xi32, 2>
        air.channel.get @more[] (%buf[0, 0] [4, 32] [0, 1]) : (memref<32xi32, 2>)
        memref.dealloc %buf : memref<32xi32, 2>
      }
    }
  }
  return
}
