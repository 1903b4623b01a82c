// RUN: airlite-opt %s --air-loop-fusion --check-each | FileCheck %s
// RUN: airlite-opt %s --air-loop-fusion --air-shrink-memref-sizes-by-access --canonicalize --check-each | FileCheck %s --check-prefix=SHRUNK
// RUN: airlite-opt %s --air-loop-fusion=fusion-scope=launch --check-each | FileCheck %s --check-prefix=LAUNCH

// A buffer of four steps: the loops become one, with an inner loop where a step has two puts.
air.channel @in []
air.channel @out [1]
air.channel @back [1]
// CHECK-LABEL: func.func @steps
// CHECK: air.segment
// CHECK-NOT: memref.alloc
// CHECK: %[[FUSED:.*]] = scf.for %[[K:.*]] = %c0{{.*}} to %c64{{.*}} step %c16{{.*}} iter_args(%[[T:.*]] = %{{.*}})
// CHECK-NEXT: %[[MADE:.*]], %[[BUF:.*]] = air.execute [%[[T]]]
// CHECK-NEXT: memref.alloc() : memref<8x64xi32, 1>
// CHECK: %[[GET:.*]] = air.channel.get async [%[[MADE]]] @in[] (%[[BUF]][0, %[[K]]] [8, 16] [64, 1])
// CHECK: %[[PUTS:.*]] = scf.for %[[J:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[P:.*]] = %[[GET]])
// CHECK: arith.addi %[[K]], %[[J]]
// CHECK: air.channel.put async [%[[P]]] @out[%{{.*}}] (%[[BUF]]
// CHECK: %[[FREED:.*]] = air.execute [%[[PUTS]]]
// CHECK-NEXT: memref.dealloc %[[BUF]]
// CHECK: scf.yield %[[FREED]]
// CHECK: air.wait_all [%[[FUSED]], %{{.*}}]
// SHRUNK-LABEL: func.func @steps
// SHRUNK: memref.alloc() {air.shrinkage = true} : memref<8x16xi32, 1>
// SHRUNK: air.channel.get async [%{{.*}}] @in[] (%{{.*}}[] [] []) : (memref<8x16xi32, 1>)
// SHRUNK: scf.for %[[J:.*]] = %c0{{.*}} to %c16{{.*}} step %c8
// SHRUNK: air.channel.put async [%{{.*}}] @out[%c0{{.*}}] (%{{.*}}[0, %[[J]]] [8, 8] [16, 1]) : (memref<8x16xi32, 1>)
// LAUNCH-LABEL: func.func @steps
// LAUNCH: air.segment
// LAUNCH: memref.alloc() : memref<8x64xi32, 1>
// LAUNCH: scf.for
// LAUNCH-NOT: memref.alloc() : memref<8x64xi32, 1>
func.func @steps(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c8 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back[%c0] (%to[0, %k] [8, 8] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c8_0 = arith.constant 8 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %both = air.wait_all async [%filled, %made]
      %drained = scf.for %k = %c0_0 to %c64_0 step %c8_0 iter_args(%t = %both) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out[%c0_0] (%buf[0, %k] [8, 8] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c8_1 = arith.constant 8 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c8_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x8xi32, 2>) {
            %alloc = memref.alloc() : memref<8x8xi32, 2>
            air.execute_terminator %alloc : memref<8x8xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out[%i] (%tile[] [] []) : (memref<8x8xi32, 2>)
          %put = air.channel.put async [%get] @back[%i] (%tile[] [] []) : (memref<8x8xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x8xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained, %herd] {
        memref.dealloc %buf : memref<8x64xi32, 1>
      }
      air.wait_all [%freed, %filled]
    }
  }
  return
}

// Drains in a parallel loop are unrolled; where the loops count differently, the new one counts steps.
air.channel @in2 []
air.channel @out2 [2]
air.channel @back2 [2]
// CHECK-LABEL: func.func @parallel
// CHECK: air.segment
// CHECK-NOT: scf.parallel
// CHECK: scf.for
// CHECK: memref.alloc() : memref<2x64xi32, 1>
// CHECK: air.channel.get {{.*}} @in2
// CHECK: air.channel.put {{.*}} @out2[%c0
// CHECK: air.channel.put {{.*}} @out2[%c1
// CHECK: memref.dealloc
// SHRUNK-LABEL: func.func @parallel
// SHRUNK: memref.alloc() {air.shrinkage = true} : memref<2x16xi32, 1>
func.func @parallel(%a: memref<2x64xi32>, %b: memref<2x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<2x64xi32>, memref<2x64xi32> {
    %c0 = arith.constant 0 : index
    %c1_2 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in2[] (%from[0, %k] [2, 16] [64, 1]) : (memref<2x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.parallel (%p) = (%c0) to (%c2) step (%c1_2) init (%start) -> !air.async.token {
      %each = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
        %get = air.channel.get async [%t] @back2[%p] (%to[%p, %k] [1, 16] [64, 1]) : (memref<2x64xi32>)
        scf.yield %get : !air.async.token
      }
      scf.reduce(%each : !air.async.token) {
      ^bb0(%m: !air.async.token, %n: !air.async.token):
        %all = air.wait_all async [%m, %n]
        scf.reduce.return %all : !air.async.token
      }
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c2_0 = arith.constant 2 : index
      %c4_0 = arith.constant 4 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      %made, %buf = air.execute -> (memref<2x64xi32, 1>) {
        %alloc = memref.alloc() : memref<2x64xi32, 1>
        air.execute_terminator %alloc : memref<2x64xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in2[] (%buf[0, %k] [2, 16] [64, 1]) : (memref<2x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained = scf.parallel (%p) = (%c0_0) to (%c2_0) step (%c1_0) init (%filled) -> !air.async.token {
        %each = scf.for %n = %c0_0 to %c4_0 step %c1_0 iter_args(%t = %filled) -> (!air.async.token) {
          %k = affine.apply affine_map<(d0) -> (d0 * 16)>(%n)
          %put = air.channel.put async [%t] @out2[%p] (%buf[%p, %k] [1, 16] [64, 1]) : (memref<2x64xi32, 1>)
          scf.yield %put : !air.async.token
        }
        scf.reduce(%each : !air.async.token) {
        ^bb0(%m: !air.async.token, %n: !air.async.token):
          %all = air.wait_all async [%m, %n]
          scf.reduce.return %all : !air.async.token
        }
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c2_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c1_1 = arith.constant 1 : index
        %c4_1 = arith.constant 4 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c4_1 step %c1_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<16xi32, 2>) {
            %alloc = memref.alloc() : memref<16xi32, 2>
            air.execute_terminator %alloc : memref<16xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out2[%i] (%tile[] [] []) : (memref<16xi32, 2>)
          %put = air.channel.put async [%get] @back2[%i] (%tile[] [] []) : (memref<16xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<16xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained] {
        memref.dealloc %buf : memref<2x64xi32, 1>
      }
    }
  }
  return
}

// A launch without a segment: only asked for.
air.channel @in3 []
air.channel @out3 [1]
air.channel @back3 [1]
// CHECK-LABEL: func.func @in_launch
// CHECK: memref.alloc() : memref<8x64xi32, 1>
// CHECK: scf.for
// CHECK-NOT: memref.alloc() : memref<8x64xi32, 1>
// LAUNCH-LABEL: func.func @in_launch
// LAUNCH-NOT: memref.alloc
// LAUNCH: scf.for
// LAUNCH: scf.for
// LAUNCH: scf.for
// LAUNCH: memref.alloc() : memref<8x64xi32, 1>
func.func @in_launch(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in3[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c8 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back3[%c0] (%to[0, %k] [8, 8] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c8_0 = arith.constant 8 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in3[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %both = air.wait_all async [%filled, %made]
      %drained = scf.for %k = %c0_0 to %c64_0 step %c8_0 iter_args(%t = %both) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out3[%c0_0] (%buf[0, %k] [8, 8] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c8_1 = arith.constant 8 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c8_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x8xi32, 2>) {
            %alloc = memref.alloc() : memref<8x8xi32, 2>
            air.execute_terminator %alloc : memref<8x8xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out3[%i] (%tile[] [] []) : (memref<8x8xi32, 2>)
          %put = air.channel.put async [%get] @back3[%i] (%tile[] [] []) : (memref<8x8xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x8xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained, %herd] {
        memref.dealloc %buf : memref<8x64xi32, 1>
      }
      air.wait_all [%freed, %filled]
  }
  return
}
