// RUN: airlite-opt %s --air-loop-fusion --air-shrink-memref-sizes-by-access --canonicalize --check-each --remarks --verify-diagnostics | FileCheck %s

// Parts of six columns that lie eight apart in memory of zeros: what is between two of them stays zero, so a step that reads it reads
// nothing of another one.
// CHECK-LABEL: func.func @between
// CHECK: memref.alloc() {air.shrinkage = true, air.zero_memory} : memref<4x8xi32, 1>
// CHECK: %[[GET:.*]] = air.channel.get async {{.*}} @in_between[] (%[[BUF:.*]][0, 0] [4, 6] [8, 1])
// CHECK: air.channel.put async [%[[GET]]{{.*}}] @out_between[] (%[[BUF]][] [] [])
air.channel @in_between []
air.channel @out_between []
air.channel @back_between []
func.func @between(%a: memref<4x18xi32>, %b: memref<4x24xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<4x18xi32>, memref<4x24xi32> {
    %c0 = arith.constant 0 : index
    %c1_l = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c3 step %c1_l iter_args(%t = %start) -> (!air.async.token) {
      %at = arith.muli %k, %c6 : index
      %put = air.channel.put async [%t] @in_between[] (%from[0, %at] [4, 6] [18, 1]) : (memref<4x18xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c3 step %c1_l iter_args(%t = %start) -> (!air.async.token) {
      %at = arith.muli %k, %c8 : index
      %get = air.channel.get async [%t] @back_between[] (%to[0, %at] [4, 8] [24, 1]) : (memref<4x24xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c3_0 = arith.constant 3 : index
      %c8_0 = arith.constant 8 : index
      %made, %buf = air.execute -> (memref<4x25xi32, 1>) {
        %alloc = memref.alloc() {air.zero_memory} : memref<4x25xi32, 1>
        air.execute_terminator %alloc : memref<4x25xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c3_0 step %c1_0 iter_args(%t = %made) -> (!air.async.token) {
        %at = arith.muli %k, %c8_0 : index
        %get = air.channel.get async [%t] @in_between[] (%buf[0, %at] [4, 6] [25, 1]) : (memref<4x25xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained = scf.for %k = %c0_0 to %c3_0 step %c1_0 iter_args(%t = %filled) -> (!air.async.token) {
        %at = arith.muli %k, %c8_0 : index
        %first = arith.addi %at, %c0_0 : index
        %put = air.channel.put async [%t] @out_between[] (%buf[0, %first] [4, 8] [25, 1]) : (memref<4x25xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c3_1 = arith.constant 3 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c3_1 step %c1_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<4x8xi32, 2>) {
            %alloc = memref.alloc() : memref<4x8xi32, 2>
            air.execute_terminator %alloc : memref<4x8xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out_between[] (%tile[] [] []) : (memref<4x8xi32, 2>)
          %put = air.channel.put async [%get] @back_between[] (%tile[] [] []) : (memref<4x8xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<4x8xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained, %herd] {
        memref.dealloc %buf : memref<4x25xi32, 1>
      }
    }
  }
  return
}

// A step that reads one column more, which the next one writes, has to wait for that.
// CHECK-LABEL: func.func @next
// CHECK: memref.alloc() {air.zero_memory} : memref<4x25xi32, 1>
air.channel @in_next []
air.channel @out_next []
air.channel @back_next []
func.func @next(%a: memref<4x18xi32>, %b: memref<4x24xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<4x18xi32>, memref<4x24xi32> {
    %c0 = arith.constant 0 : index
    %c1_l = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c3 step %c1_l iter_args(%t = %start) -> (!air.async.token) {
      %at = arith.muli %k, %c6 : index
      %put = air.channel.put async [%t] @in_next[] (%from[0, %at] [4, 6] [18, 1]) : (memref<4x18xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c3 step %c1_l iter_args(%t = %start) -> (!air.async.token) {
      %at = arith.muli %k, %c8 : index
      %get = air.channel.get async [%t] @back_next[] (%to[0, %at] [4, 8] [24, 1]) : (memref<4x24xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c3_0 = arith.constant 3 : index
      %c8_0 = arith.constant 8 : index
      // expected-remark@+1 {{a step may read what it has not written}}
      %made, %buf = air.execute -> (memref<4x25xi32, 1>) {
        %alloc = memref.alloc() {air.zero_memory} : memref<4x25xi32, 1>
        air.execute_terminator %alloc : memref<4x25xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c3_0 step %c1_0 iter_args(%t = %made) -> (!air.async.token) {
        %at = arith.muli %k, %c8_0 : index
        %get = air.channel.get async [%t] @in_next[] (%buf[0, %at] [4, 6] [25, 1]) : (memref<4x25xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained = scf.for %k = %c0_0 to %c3_0 step %c1_0 iter_args(%t = %filled) -> (!air.async.token) {
        %at = arith.muli %k, %c8_0 : index
        %first = arith.addi %at, %c1_0 : index
        %put = air.channel.put async [%t] @out_next[] (%buf[0, %first] [4, 8] [25, 1]) : (memref<4x25xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c3_1 = arith.constant 3 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c3_1 step %c1_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<4x8xi32, 2>) {
            %alloc = memref.alloc() : memref<4x8xi32, 2>
            air.execute_terminator %alloc : memref<4x8xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out_next[] (%tile[] [] []) : (memref<4x8xi32, 2>)
          %put = air.channel.put async [%get] @back_next[] (%tile[] [] []) : (memref<4x8xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<4x8xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained, %herd] {
        memref.dealloc %buf : memref<4x25xi32, 1>
      }
    }
  }
  return
}
