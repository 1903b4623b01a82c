// RUN: airlite-opt %s --air-loop-fusion --air-shrink-memref-sizes-by-access --canonicalize --check-each | FileCheck %s

// Two transfers fill what one put drains, a half of the rows of a step each: together they have written what it reads. The buffer
// becomes as large as a step.
// CHECK-LABEL: func.func @halves
// CHECK: memref.alloc() {air.shrinkage = true} : memref<4x8xi32, 1>
// CHECK: %[[LOW:.*]] = air.channel.get async {{.*}} @in[%c0{{.*}}] (%[[BUF:.*]][0, 0] [2, 8] [8, 1])
// CHECK: %[[HIGH:.*]] = air.channel.get async {{.*}} @in[%c1{{.*}}] (%[[BUF]][2, 0] [2, 8] [8, 1])
// CHECK: air.channel.put async [%[[LOW]], %[[HIGH]]{{.*}}] @out[] (%[[BUF]][] [] [])
air.channel @in [2]
air.channel @out []
func.func @halves(%a: memref<16x8xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a) : memref<16x8xi32> {
    %c0 = arith.constant 0 : index
    %c1_l = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %start = air.wait_all async
    %low = scf.for %k = %c0 to %c16 step %c4 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in[%c0] (%from[%k, 0] [2, 8] [8, 1]) : (memref<16x8xi32>)
      scf.yield %put : !air.async.token
    }
    %high = scf.for %k = %c0 to %c16 step %c4 iter_args(%t = %start) -> (!air.async.token) {
      %row = arith.addi %k, %c2 : index
      %put = air.channel.put async [%t] @in[%c1_l] (%from[%row, 0] [2, 8] [8, 1]) : (memref<16x8xi32>)
      scf.yield %put : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c2_0 = arith.constant 2 : index
      %c4_0 = arith.constant 4 : index
      %c16_0 = arith.constant 16 : index
      %made, %buf = air.execute -> (memref<16x8xi32, 1>) {
        %alloc = memref.alloc() : memref<16x8xi32, 1>
        air.execute_terminator %alloc : memref<16x8xi32, 1>
      }
      %got_low = scf.for %k = %c0_0 to %c16_0 step %c4_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in[%c0_0] (%buf[%k, 0] [2, 8] [8, 1]) : (memref<16x8xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %got_high = scf.for %k = %c0_0 to %c16_0 step %c4_0 iter_args(%t = %made) -> (!air.async.token) {
        %row = arith.addi %k, %c2_0 : index
        %get = air.channel.get async [%t] @in[%c1_0] (%buf[%row, 0] [2, 8] [8, 1]) : (memref<16x8xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %both = air.wait_all async [%got_low, %got_high]
      %drained = scf.for %k = %c0_0 to %c16_0 step %c4_0 iter_args(%t = %both) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out[] (%buf[%k, 0] [4, 8] [8, 1]) : (memref<16x8xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c4_1 = arith.constant 4 : index
        %c16_1 = arith.constant 16 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c16_1 step %c4_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<4x8xi32, 2>) {
            %alloc = memref.alloc() : memref<4x8xi32, 2>
            air.execute_terminator %alloc : memref<4x8xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out[] (%tile[] [] []) : (memref<4x8xi32, 2>)
          %freed_1 = air.execute [%get] {
            memref.dealloc %tile : memref<4x8xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained, %herd] {
        memref.dealloc %buf : memref<16x8xi32, 1>
      }
      air.wait_all [%freed]
    }
  }
  return
}
