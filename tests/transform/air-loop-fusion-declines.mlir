// RUN: airlite-opt %s --air-loop-fusion --verify-diagnostics --remarks | FileCheck %s

air.channel @in1 []
air.channel @out1 [1]
air.channel @back1 [1]
// CHECK-LABEL: func.func @unordered
// CHECK: memref.alloc
// CHECK: scf.for
// The drain may read before the fill has written.
func.func @unordered(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in1[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back1[%c0] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      // expected-remark@+1 {{a drain does not wait for a fill: what it reads is not said}}
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in1[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out1[%c0_0] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out1[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %put = air.channel.put async [%get] @back1[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x16xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained] {
        memref.dealloc %buf : memref<8x64xi32, 1>
      }
    }
  }
  return
}

air.channel @in2 []
air.channel @out2 [1]
air.channel @back2 [1]
// CHECK-LABEL: func.func @rewritten
// CHECK: memref.alloc
// CHECK: scf.for
// Every step fills the same columns: the drain reads the last of them.
func.func @rewritten(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in2[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back2[%c0] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      // expected-remark@+1 {{a step writes what another step has written}}
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in2[] (%buf[0, 0] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out2[%c0_0] (%buf[0, 0] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out2[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %put = air.channel.put async [%get] @back2[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x16xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained] {
        memref.dealloc %buf : memref<8x64xi32, 1>
      }
    }
  }
  return
}

air.channel @in3 []
air.channel @out3 [1]
air.channel @back3 [1]
// CHECK-LABEL: func.func @ahead
// CHECK: memref.alloc
// CHECK: scf.for
// The drain goes through the columns the other way round.
func.func @ahead(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in3[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back3[%c0] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      // expected-remark@+1 {{a step may read what it has not written}}
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in3[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled) -> (!air.async.token) {
        %c48_0 = arith.constant 48 : index
        %o = arith.subi %c48_0, %k : index
        %put = air.channel.put async [%t] @out3[%c0_0] (%buf[0, %o] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out3[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %put = air.channel.put async [%get] @back3[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x16xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained] {
        memref.dealloc %buf : memref<8x64xi32, 1>
      }
    }
  }
  return
}

air.channel @in4 []
air.channel @out4 [1]
air.channel @back4 [1]
// CHECK-LABEL: func.func @gaps
// CHECK: memref.alloc
// CHECK: scf.for
// The fill leaves every second row out.
func.func @gaps(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in4[] (%from[0, %k] [4, 16] [128, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back4[%c0] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      // expected-remark@+1 {{a step may read what it has not written}}
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in4[] (%buf[0, %k] [4, 16] [128, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out4[%c0_0] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out4[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %put = air.channel.put async [%get] @back4[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x16xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained] {
        memref.dealloc %buf : memref<8x64xi32, 1>
      }
    }
  }
  return
}

air.channel @in5 []
air.channel @out5 [1]
air.channel @back5 [1]
// CHECK-LABEL: func.func @coprime
// CHECK: memref.alloc
// CHECK: scf.for
// Three fills, four drains.
func.func @coprime(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %c48 = arith.constant 48 : index
    %fed = scf.for %k = %c0 to %c48 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in5[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back5[%c0] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      // expected-remark@+1 {{the trip counts of its loops have nothing in common}}
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %c48_0 = arith.constant 48 : index
      %filled = scf.for %k = %c0_0 to %c48_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in5[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out5[%c0_0] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out5[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %put = air.channel.put async [%get] @back5[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x16xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained] {
        memref.dealloc %buf : memref<8x64xi32, 1>
      }
    }
  }
  return
}

air.channel @in6 []
air.channel @out6 [1]
air.channel @back6 [1]
// CHECK-LABEL: func.func @never_freed
// CHECK: memref.alloc
// CHECK: scf.for
// 
func.func @never_freed(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in6[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back6[%c0] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      // expected-remark@+1 {{its buffer is not freed once}}
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in6[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out6[%c0_0] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out6[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %put = air.channel.put async [%get] @back6[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x16xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
    }
  }
  return
}

air.channel @in7 []
air.channel @out7 [1]
air.channel @back7 [1]
// CHECK-LABEL: func.func @open_count
// CHECK: memref.alloc
// CHECK: scf.for
// The number of steps is not known.
func.func @open_count(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in7[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back7[%c0] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      // expected-remark@+1 {{a loop has no constant trip count}}
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %open = arith.addi %c16_0, %c16_0 : index
      %filled = scf.for %k = %c0_0 to %open step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in7[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out7[%c0_0] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out7[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %put = air.channel.put async [%get] @back7[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x16xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained] {
        memref.dealloc %buf : memref<8x64xi32, 1>
      }
    }
  }
  return
}

air.channel @in8 []
air.channel @tell8 []
air.channel @out8 [1]
air.channel @back8 [1]
// CHECK-LABEL: func.func @whole_first
// CHECK: memref.alloc
// CHECK: scf.for
// The core takes nothing before the last fill of the buffer has been reported to it.
func.func @whole_first(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in8[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back8[%c0] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      %noted, %note = air.execute -> (memref<1xi32, 1>) {
        %alloc = memref.alloc() : memref<1xi32, 1>
        air.execute_terminator %alloc : memref<1xi32, 1>
      }
      // expected-remark@+1 {{what it waits for and what waits for it are not all in loops}}
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in8[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out8[%c0_0] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %told = air.channel.put async [%filled] @tell8[] (%note[] [] []) : (memref<1xi32, 1>)
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %made_2, %heard = air.execute -> (memref<1xi32, 2>) {
          %alloc = memref.alloc() : memref<1xi32, 2>
          air.execute_terminator %alloc : memref<1xi32, 2>
        }
        %start_1 = air.channel.get async [%made_2] @tell8[] (%heard[] [] []) : (memref<1xi32, 2>)
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out8[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %put = air.channel.put async [%get] @back8[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x16xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained] {
        memref.dealloc %buf : memref<8x64xi32, 1>
      }
    }
  }
  return
}

air.channel @in9 []
air.channel @out9 [1]
air.channel @back9 [1]
// CHECK-LABEL: func.func @other_data
// CHECK: memref.alloc
// CHECK: scf.for
// One loop fills two buffers.
func.func @other_data(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in9[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      %again = air.channel.put async [%put] @in9[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %again : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back9[%c0] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      // expected-remark@+1 {{a loop moves other data, too}}
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %other_made, %other = air.execute -> (memref<8x16xi32, 1>) {
        %alloc = memref.alloc() : memref<8x16xi32, 1>
        air.execute_terminator %alloc : memref<8x16xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in9[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        %again = air.channel.get async [%get, %other_made] @in9[] (%other[] [] []) : (memref<8x16xi32, 1>)
        scf.yield %again : !air.async.token
      }
      %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out9[%c0_0] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out9[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %put = air.channel.put async [%get] @back9[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x16xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained] {
        memref.dealloc %buf : memref<8x64xi32, 1>
      }
    }
  }
  return
}

air.channel @in10 []
air.channel @all10 []
air.channel @out10 [1]
air.channel @back10 [1]
// CHECK-LABEL: func.func @used_whole
// CHECK: memref.alloc
// CHECK: scf.for
// All of the buffer is sent once more.
func.func @used_whole(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in10[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %c1_2 = arith.constant 1 : index
    %all = air.channel.get async @all10[] (%to[] [] []) : (memref<8x64xi32>)
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back10[%c0] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      // expected-remark@+1 {{its buffer is used by something else than transfers in loops}}
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in10[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out10[%c0_0] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %once = air.channel.put async [%filled] @all10[] (%buf[] [] []) : (memref<8x64xi32, 1>)
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out10[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %put = air.channel.put async [%get] @back10[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x16xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained, %once] {
        memref.dealloc %buf : memref<8x64xi32, 1>
      }
    }
  }
  return
}

air.channel @in11 []
air.channel @out11 [1]
air.channel @back11 [1]
// CHECK-LABEL: func.func @blocked
// CHECK: memref.alloc
// CHECK: scf.for
// The drain is issued when something else is over.
func.func @blocked(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in11[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back11[%c0] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      // expected-remark@+1 {{something blocks between the loops}}
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in11[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      air.wait_all [%made]
      %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out11[%c0_0] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c64_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out11[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %put = air.channel.put async [%get] @back11[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x16xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained] {
        memref.dealloc %buf : memref<8x64xi32, 1>
      }
    }
  }
  return
}

air.channel @in12 []
air.channel @out12 [1]
air.channel @back12 [1]
// CHECK-LABEL: func.func @other_steps
// CHECK: memref.alloc
// CHECK: scf.for
// The core takes a row where the buffer brings columns: the counts are others.
func.func @other_steps(%a: memref<8x64xi32>, %b: memref<8x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%b) : memref<8x64xi32>, memref<8x64xi32> {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %put = air.channel.put async [%t] @in12[] (%from[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %k = %c0 to %c64 step %c16 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back12[%c0] (%to[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      // expected-remark@+1 {{something that it waits for advances in other steps}}
      %made, %buf = air.execute -> (memref<8x64xi32, 1>) {
        %alloc = memref.alloc() : memref<8x64xi32, 1>
        air.execute_terminator %alloc : memref<8x64xi32, 1>
      }
      %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %made) -> (!air.async.token) {
        %get = air.channel.get async [%t] @in12[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %get : !air.async.token
      }
      %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%t = %filled) -> (!air.async.token) {
        %put = air.channel.put async [%t] @out12[%c0_0] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
        scf.yield %put : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        %c96_1 = arith.constant 96 : index
        %start_1 = air.wait_all async
        %r = scf.for %k = %c0_1 to %c96_1 step %c16_1 iter_args(%t = %start_1) -> (!air.async.token) {
          %made_1, %tile = air.execute [%t] -> (memref<8x16xi32, 2>) {
            %alloc = memref.alloc() : memref<8x16xi32, 2>
            air.execute_terminator %alloc : memref<8x16xi32, 2>
          }
          %get = air.channel.get async [%made_1] @out12[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %put = air.channel.put async [%get] @back12[%i] (%tile[] [] []) : (memref<8x16xi32, 2>)
          %freed_1 = air.execute [%put] {
            memref.dealloc %tile : memref<8x16xi32, 2>
          }
          scf.yield %freed_1 : !air.async.token
        }
      }
      %freed = air.execute [%drained] {
        memref.dealloc %buf : memref<8x64xi32, 1>
      }
    }
  }
  return
}
