// L1 memory of a segment that each core of two herds uses for itself is there once for each: a core of the
// second herd reads what the core of the same number in the first one has written, in memory that both reach.
// REQUIRES: !sanitize
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %s | FileCheck %s
// RUN: airlite-run --on=sim --compare=interp --init=random:1 --reverse-tiles %s | FileCheck %s
// CHECK: 2 arguments are as in the interpreter, bit by bit

// RUN: airlite-opt %s --air-to-aie='device=npu1' | FileCheck %s --check-prefix=AIE
// AIE-DAG: aie.buffer(%tile_0_3) {sym_name = "shared_l1_0"} : memref<64xi32, 2>
// AIE-DAG: aie.buffer(%tile_1_3) {sym_name = "shared_l1_1"} : memref<64xi32, 2>

// On the same cores it is a buffer of each, without locks.
// RUN: sed 's/y_loc = 3/y_loc = 2/' %s > %t.mlir
// RUN: airlite-opt %t.mlir --air-to-aie='device=npu1' | FileCheck %s --check-prefix=OWN
// RUN: airlite-run --on=sim --compare=interp --init=random:1 %t.mlir | FileCheck %s
// OWN-NOT: shared_l1
// OWN-DAG: aie.buffer(%tile_0_2) {sym_name = "buf{{[0-9]}}"} : memref<64xi32, 2>
// OWN-DAG: aie.buffer(%tile_1_2) {sym_name = "buf{{[0-9]}}"} : memref<64xi32, 2>
// OWN-NOT: shared_l1
air.channel @in [2]
air.channel @out [2]
func.func @main(%a: memref<2x64xi32>, %b: memref<2x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i, %j) in (%si = %c1, %sj = %c1) args(%x = %a, %y = %b) : memref<2x64xi32>, memref<2x64xi32> {
    %k0 = arith.constant 0 : index
    %k1 = arith.constant 1 : index
    %k64 = arith.constant 64 : index
    %t0 = air.channel.put async @in[%k0] (%x[%k0, %k0] [%k1, %k64] [%k64, %k1]) : (memref<2x64xi32>)
    %t1 = air.channel.get async @out[%k0] (%y[%k0, %k0] [%k1, %k64] [%k64, %k1]) : (memref<2x64xi32>)
    %t2 = air.channel.put async @in[%k1] (%x[%k1, %k0] [%k1, %k64] [%k64, %k1]) : (memref<2x64xi32>)
    %t3 = air.channel.get async @out[%k1] (%y[%k1, %k0] [%k1, %k64] [%k64, %k1]) : (memref<2x64xi32>)
    air.segment @s {
      %one = arith.constant 1 : index
      %two = arith.constant 2 : index
      %shared = memref.alloc() : memref<64xi32, 2>
      air.herd @produce tile (%tx, %ty) in (%sx = %two, %sy = %one) args(%s = %shared) : memref<64xi32, 2> attributes {x_loc = 0 : i64, y_loc = 2 : i64} {
        %c0 = arith.constant 0 : index
        %c1_0 = arith.constant 1 : index
        %c64 = arith.constant 64 : index
        %l = memref.alloc() : memref<64xi32, 2>
        air.channel.get @in[%tx] (%l[] [] []) : (memref<64xi32, 2>)
        scf.for %k = %c0 to %c64 step %c1_0 {
          %v = memref.load %l[%k] : memref<64xi32, 2>
          %w = arith.addi %v, %v : i32
          memref.store %w, %s[%k] : memref<64xi32, 2>
        }
        memref.dealloc %l : memref<64xi32, 2>
      }
      air.herd @consume tile (%tx, %ty) in (%sx = %two, %sy = %one) args(%s = %shared) : memref<64xi32, 2> attributes {x_loc = 0 : i64, y_loc = 3 : i64} {
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
        air.channel.put @out[%tx] (%l[] [] []) : (memref<64xi32, 2>)
        memref.dealloc %l : memref<64xi32, 2>
      }
      memref.dealloc %shared : memref<64xi32, 2>
    }
    air.wait_all [%t0, %t1, %t2, %t3]
  }
  return
}
