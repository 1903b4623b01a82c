// Wrong: half of a buffer of L2 is filled, and all of it is sent on.
//
// The segment gets the first 4 rows only and sends 8 rows to its cores: what the second core gets
// was never written. Remedy: get all 8 rows (two gets, or one of 8 rows).
//
// RUN: cd %S && not airlite-opt half_filled_l2.mlir --air-verify-program 2>&1 | %golden
// RUN: not airlite-run %s --on=interp --init=zero 2>&1 | FileCheck %s
// CHECK: error: argument 1 at [4, 0] has no defined value at the end

air.channel @in []
air.channel @rows [2]
air.channel @out [2]
func.func @main(%a: memref<4x16xi32>, %b: memref<8x16xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%n = %c1) args(%from = %a, %to = %b) : memref<4x16xi32>, memref<8x16xi32> {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : index
    %t0 = air.channel.put async @in[] (%from[] [] []) : (memref<4x16xi32>)
    %t1 = air.channel.get async @out[%c0] (%to[0, 0] [4, 16] [16, 1]) : (memref<8x16xi32>)
    %t2 = air.channel.get async @out[%one] (%to[4, 0] [4, 16] [16, 1]) : (memref<8x16xi32>)
    %t3 = air.segment @s async {
      %s0 = arith.constant 0 : index
      %s1 = arith.constant 1 : index
      %s2 = arith.constant 2 : index
      %l2 = memref.alloc() : memref<8x16xi32, 1>
      air.channel.get @in[] (%l2[0, 0] [4, 16] [16, 1]) : (memref<8x16xi32, 1>)
      %p0 = air.channel.put async @rows[%s0] (%l2[0, 0] [4, 16] [16, 1]) : (memref<8x16xi32, 1>)
      %p1 = air.channel.put async @rows[%s1] (%l2[4, 0] [4, 16] [16, 1]) : (memref<8x16xi32, 1>)
      air.herd @cores tile (%x, %y) in (%sx = %s2, %sy = %s1) {
        %tile = memref.alloc() : memref<4x16xi32, 2>
        air.channel.get @rows[%x] (%tile[] [] []) : (memref<4x16xi32, 2>)
        affine.for %r = 0 to 4 {
          affine.for %k = 0 to 16 {
            %v = affine.load %tile[%r, %k] : memref<4x16xi32, 2>
            %w = arith.addi %v, %v : i32
            affine.store %w, %tile[%r, %k] : memref<4x16xi32, 2>
          }
        }
        air.channel.put @out[%x] (%tile[] [] []) : (memref<4x16xi32, 2>)
      }
      air.wait_all [%p0, %p1]
    }
    air.wait_all [%t0, %t1, %t2, %t3]
  }
  return
}
