// Two herds hand data on in L1 memory of their segment: the second one reads what the first one, whose core
// is its neighbour, has written.
// REQUIRES: !sanitize
// RUN: airlite-run --on=interp --init=random:1 --schedules=20 %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --reverse-tiles %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit

// As it stands, without the recipe, the cores begin again at their end: the locks are a ring.
// RUN: airlite-opt %s --air-to-aie='device=npu1 emit-while-loop=true' | FileCheck %s --check-prefix=AIE
// AIE-DAG: %[[PROD:.*]] = aie.lock(%[[T3:.*]], 0) {init = 1 : i32, sym_name = "shared_l1_0_prod_lock"}
// AIE-DAG: %[[CONS:.*]] = aie.lock(%[[T3]], 1) {init = 0 : i32, sym_name = "shared_l1_0_cons_lock"}
// AIE-DAG: %[[BUFFER:.*]] = aie.buffer(%[[T3]]) {sym_name = "shared_l1_0"}
// AIE: aie.core(%[[T3]])
// AIE: %[[ONE:.*]] = arith.constant 1 : i32
// AIE-NEXT: aie.use_lock(%[[CONS]], AcquireGreaterEqual, %[[ONE]])
// AIE: memref.load %[[BUFFER]]
// AIE: aie.use_lock(%[[PROD]], Release, %[[ONE]])
// AIE: aie.core
// AIE: aie.use_lock(%[[PROD]], AcquireGreaterEqual
// AIE: memref.store %{{.*}}, %[[BUFFER]]
// AIE: aie.use_lock(%[[CONS]], Release
air.channel @in []
air.channel @out []
func.func @main(%a: memref<64xi32>, %b: memref<64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i, %j) in (%si = %c1, %sj = %c1) args(%x = %a, %y = %b) : memref<64xi32>, memref<64xi32> {
    %t0 = air.channel.put async @in[] (%x[] [] []) : (memref<64xi32>)
    %t1 = air.channel.get async @out[] (%y[] [] []) : (memref<64xi32>)
    air.segment @s {
      %one = arith.constant 1 : index
      %shared = memref.alloc() : memref<64xi32, 2>
      air.herd @produce tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%s = %shared) : memref<64xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.get @in[] (%l[] [] []) : (memref<64xi32, 2>)
        scf.for %k = %c0 to %c64 step %c1_0 {
          %v = memref.load %l[%k] : memref<64xi32, 2>
          %w = arith.addi %v, %v : i32
          memref.store %w, %s[%k] : memref<64xi32, 2>
        }
        memref.dealloc %l : memref<64xi32, 2>
      }
      air.herd @consume tile (%tx, %ty) in (%sx = %one, %sy = %one) args(%s = %shared) : memref<64xi32, 2> attributes {x_loc = 0 : i64, y_loc = 3 : i64} {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %three = arith.constant 3 : i32
        %l = memref.alloc() : memref<64xi32, 2>
        scf.for %k = %c0 to %c64 step %c1_0 {
          %v = memref.load %s[%k] : memref<64xi32, 2>
          %w = arith.addi %v, %three : i32
          memref.store %w, %l[%k] : memref<64xi32, 2>
        }
        air.channel.put @out[] (%l[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %l : memref<64xi32, 2>
      }
      memref.dealloc %shared : memref<64xi32, 2>
    }
    air.wait_all [%t0, %t1]
  }
  return
}
