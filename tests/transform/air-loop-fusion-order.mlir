// RUN: airlite-opt %s --air-loop-fusion --verify-diagnostics --remarks -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: airlite-opt %s --air-loop-fusion --check-each --emit=none

// Whether a buffer may hold one step: who waits for whom decides (src/transform/l2/BufferStepOrder.hpp).
air.channel @in_a1 []
air.channel @in_b1 []
air.channel @out_a1 []
air.channel @out_b1 []
air.channel @back1 []
// A and B come side by side, and the core takes one tile of each per step.
// CHECK-LABEL: func.func @apart
// CHECK: air.segment
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK: memref.alloc() : memref<8x64xi32, 1>
// CHECK: scf.for
// CHECK: memref.alloc() : memref<8x64xi32, 1>
func.func @apart(%a: memref<8x64xi32>, %b: memref<8x64xi32>, %c: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %other=%b, %to=%c) : memref<8x64xi32>, memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed_a = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in_a1[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %fed_b = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in_b1[] (%other[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back1[] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      %made_a, %buf_a = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %made_b, %buf_b = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled_a = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made_a) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in_a1[] (%buf_a[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %filled_b = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made_b) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in_b1[] (%buf_b[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained_a = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled_a) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out_a1[] (%buf_a[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %drained_b = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled_b) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out_b1[] (%buf_b[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_a, %tile_a = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %made_b, %tile_b = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get_a = air.channel.get async [%made_a] @out_a1[] (%tile_a[] [] []) : (memref<8x16xi32, 2>)
          %get_b = air.channel.get async [%made_b] @out_b1[] (%tile_b[] [] []) : (memref<8x16xi32, 2>)
          %sum = air.execute [%get_a, %get_b] {
            linalg.add ins(%tile_a, %tile_b : memref<8x16xi32, 2>, memref<8x16xi32, 2>) outs(%tile_b : memref<8x16xi32, 2>)
          }
          %put = air.channel.put async [%sum] @back1[] (%tile_b[] [] []) : (memref<8x16xi32, 2>)
          %freed_a = air.execute [%sum] {
            memref.dealloc %tile_a : memref<8x16xi32, 2>
          }
          %freed_b = air.execute [%put] {
            memref.dealloc %tile_b : memref<8x16xi32, 2>
          }
          %end = air.wait_all async [%freed_a, %freed_b]
          scf.yield %end : !air.async.token
        }
      }
      %freed_a = air.execute [%drained_a] {
        memref.dealloc %buf_a : memref<8x64xi32, 1>
      }
      %freed_b = air.execute [%drained_b] {
        memref.dealloc %buf_b : memref<8x64xi32, 1>
      }
    }
  }
  return
}

air.channel @in_a2 []
air.channel @in_b2 []
air.channel @out_a2 []
air.channel @out_b2 []
air.channel @back2 []
// One loop sends a tile of A, then one of B.
// CHECK-LABEL: func.func @in_turn
// CHECK: air.segment
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK: memref.alloc() : memref<8x64xi32, 1>
// CHECK: scf.for
// CHECK: memref.alloc() : memref<8x64xi32, 1>
func.func @in_turn(%a: memref<8x64xi32>, %b: memref<8x64xi32>, %c: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %other=%b, %to=%c) : memref<8x64xi32>, memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in_a2[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      %next = air.channel.put async [%put] @in_b2[] (%other[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %next : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back2[] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      %made_a, %buf_a = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %made_b, %buf_b = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled_a = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made_a) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in_a2[] (%buf_a[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %filled_b = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made_b) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in_b2[] (%buf_b[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained_a = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled_a) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out_a2[] (%buf_a[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %drained_b = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled_b) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out_b2[] (%buf_b[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_a, %tile_a = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %made_b, %tile_b = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get_a = air.channel.get async [%made_a] @out_a2[] (%tile_a[] [] []) : (memref<8x16xi32, 2>)
          %get_b = air.channel.get async [%made_b] @out_b2[] (%tile_b[] [] []) : (memref<8x16xi32, 2>)
          %sum = air.execute [%get_a, %get_b] {
            linalg.add ins(%tile_a, %tile_b : memref<8x16xi32, 2>, memref<8x16xi32, 2>) outs(%tile_b : memref<8x16xi32, 2>)
          }
          %put = air.channel.put async [%sum] @back2[] (%tile_b[] [] []) : (memref<8x16xi32, 2>)
          %freed_a = air.execute [%sum] {
            memref.dealloc %tile_a : memref<8x16xi32, 2>
          }
          %freed_b = air.execute [%put] {
            memref.dealloc %tile_b : memref<8x16xi32, 2>
          }
          %end = air.wait_all async [%freed_a, %freed_b]
          scf.yield %end : !air.async.token
        }
      }
      %freed_a = air.execute [%drained_a] {
        memref.dealloc %buf_a : memref<8x64xi32, 1>
      }
      %freed_b = air.execute [%drained_b] {
        memref.dealloc %buf_b : memref<8x64xi32, 1>
      }
    }
  }
  return
}

air.channel @in_a3 []
air.channel @in_b3 []
air.channel @out_a3 []
air.channel @out_b3 []
air.channel @back3 []
// B is sent when all of A is taken, and the core needs B for the first step: A has to have room.
// CHECK-LABEL: func.func @one_after_the_other
// CHECK: air.segment
// CHECK: memref.alloc() : memref<8x64xi32, 1>
// CHECK: memref.alloc() : memref<8x64xi32, 1>
// CHECK: scf.for
func.func @one_after_the_other(%a: memref<8x64xi32>, %b: memref<8x64xi32>, %c: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %other=%b, %to=%c) : memref<8x64xi32>, memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed_a = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in_a3[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %fed_b = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %fed_a) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in_b3[] (%other[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back3[] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      // expected-remark@+1 {{what it waits for and what waits for it are not all in loops}}
      %made_a, %buf_a = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      // expected-remark@+1 {{what it waits for and what waits for it are not all in loops}}
      %made_b, %buf_b = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled_a = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made_a) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in_a3[] (%buf_a[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %filled_b = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made_b) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in_b3[] (%buf_b[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained_a = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled_a) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out_a3[] (%buf_a[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %drained_b = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled_b) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out_b3[] (%buf_b[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_a, %tile_a = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %made_b, %tile_b = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get_a = air.channel.get async [%made_a] @out_a3[] (%tile_a[] [] []) : (memref<8x16xi32, 2>)
          %get_b = air.channel.get async [%made_b] @out_b3[] (%tile_b[] [] []) : (memref<8x16xi32, 2>)
          %sum = air.execute [%get_a, %get_b] {
            linalg.add ins(%tile_a, %tile_b : memref<8x16xi32, 2>, memref<8x16xi32, 2>) outs(%tile_b : memref<8x16xi32, 2>)
          }
          %put = air.channel.put async [%sum] @back3[] (%tile_b[] [] []) : (memref<8x16xi32, 2>)
          %freed_a = air.execute [%sum] {
            memref.dealloc %tile_a : memref<8x16xi32, 2>
          }
          %freed_b = air.execute [%put] {
            memref.dealloc %tile_b : memref<8x16xi32, 2>
          }
          %end = air.wait_all async [%freed_a, %freed_b]
          scf.yield %end : !air.async.token
        }
      }
      %freed_a = air.execute [%drained_a] {
        memref.dealloc %buf_a : memref<8x64xi32, 1>
      }
      %freed_b = air.execute [%drained_b] {
        memref.dealloc %buf_b : memref<8x64xi32, 1>
      }
    }
  }
  return
}

