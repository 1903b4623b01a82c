// RUN: airlite-opt %s --air-loop-fusion --air-shrink-memref-sizes-by-access --remarks -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: airlite-opt %s --air-loop-fusion --check-each --emit=none

// A buffer that is made in each round of a loop of the segment (src/transform/l2/BufferStepOrder.hpp): the
// core gives back its rows once in a round, after all steps of it.
air.channel @in1 []
air.channel @out1 []
air.channel @back1 []
// CHECK-LABEL: func.func @rounds
// CHECK: air.segment
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK: memref.alloc() {air.shrinkage = true} : memref<8x16xi32, 1>
// CHECK: air.channel.get {{.*}}@in1
// CHECK: air.channel.put {{.*}}@out1
// CHECK: memref.dealloc
func.func @rounds(%a: memref<16x64xi32>, %c: memref<16x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%c) : memref<16x64xi32>, memref<16x64xi32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %fed = scf.for %r = %c0 to %c16 step %c8 iter_args(%t = %start) -> (!air.async.token) {
      %row = scf.for %k = %c0 to %c64 step %c16 iter_args(%u = %t) -> (!air.async.token) {
        %put = air.channel.put async [%u] @in1[] (%from[%r, %k] [8, 16] [64, 1]) : (memref<16x64xi32>)
        scf.yield %put : !air.async.token
      }
      scf.yield %row : !air.async.token
    }
    %got = scf.for %r = %c0 to %c16 step %c8 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back1[] (%to[%r, 0] [8, 64] [64, 1]) : (memref<16x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c8_0 = arith.constant 8 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      %start_0 = air.wait_all async
      %rounds = scf.for %r = %c0_0 to %c16_0 step %c8_0 iter_args(%t = %start_0) -> (!air.async.token) {
        %made, %buf = air.execute [%t] -> (memref<8x64xi32, 1>) {
          %alloc = memref.alloc() : memref<8x64xi32, 1>
          air.execute_terminator %alloc : memref<8x64xi32, 1>
        }
        %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%u = %made) -> (!air.async.token) {
          %get = air.channel.get async [%u] @in1[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
          scf.yield %get : !air.async.token
        }
        %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%u = %filled) -> (!air.async.token) {
          %put = air.channel.put async [%u] @out1[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
          scf.yield %put : !air.async.token
        }
        %freed = air.execute [%drained] {
          memref.dealloc %buf : memref<8x64xi32, 1>
        }
        scf.yield %freed : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c8_1 = arith.constant 8 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        scf.for %r = %c0_1 to %c16_1 step %c8_1 {
          %row = memref.alloc() : memref<8x64xi32, 2>
          scf.for %k = %c0_1 to %c64_1 step %c16_1 {
            air.channel.get @out1[] (%row[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 2>)
          }
          air.channel.put @back1[] (%row[] [] []) : (memref<8x64xi32, 2>)
          memref.dealloc %row : memref<8x64xi32, 2>
        }
      }
      air.wait_all [%rounds, %herd]
    }
    air.wait_all [%fed, %got, %done]
  }
  return
}

air.channel @in2 []
air.channel @out2 []
air.channel @back2 []
// The transfers that the host feeds are one loop, in which rounds are not seen: the buffer stays.
// REMARK: remark: [air-loop-fusion] something that it waits for advances in other rounds
// CHECK-LABEL: func.func @flat
// CHECK: memref.alloc() : memref<8x64xi32, 1>
func.func @flat(%a: memref<16x64xi32>, %c: memref<16x64xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%x) in (%sx=%c1) args(%from=%a, %to=%c) : memref<16x64xi32>, memref<16x64xi32> {
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %start = air.wait_all async
    %c1_9 = arith.constant 1 : index
    %fed = scf.for %n = %c0 to %c8 step %c1_9 iter_args(%t = %start) -> (!air.async.token) {
      %r = affine.apply affine_map<(d0) -> ((d0 floordiv 4) * 8)>(%n)
      %k = affine.apply affine_map<(d0) -> ((d0 mod 4) * 16)>(%n)
      %put = air.channel.put async [%t] @in2[] (%from[%r, %k] [8, 16] [64, 1]) : (memref<16x64xi32>)
      scf.yield %put : !air.async.token
    }
    %got = scf.for %r = %c0 to %c16 step %c8 iter_args(%t = %start) -> (!air.async.token) {
      %get = air.channel.get async [%t] @back2[] (%to[%r, 0] [8, 64] [64, 1]) : (memref<16x64xi32>)
      scf.yield %get : !air.async.token
    }
    %done = air.segment @s async {
      %c0_0 = arith.constant 0 : index
      %c1_0 = arith.constant 1 : index
      %c8_0 = arith.constant 8 : index
      %c16_0 = arith.constant 16 : index
      %c64_0 = arith.constant 64 : index
      %start_0 = air.wait_all async
      %rounds = scf.for %r = %c0_0 to %c16_0 step %c8_0 iter_args(%t = %start_0) -> (!air.async.token) {
        %made, %buf = air.execute [%t] -> (memref<8x64xi32, 1>) {
          %alloc = memref.alloc() : memref<8x64xi32, 1>
          air.execute_terminator %alloc : memref<8x64xi32, 1>
        }
        %filled = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%u = %made) -> (!air.async.token) {
          %get = air.channel.get async [%u] @in2[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
          scf.yield %get : !air.async.token
        }
        %drained = scf.for %k = %c0_0 to %c64_0 step %c16_0 iter_args(%u = %filled) -> (!air.async.token) {
          %put = air.channel.put async [%u] @out2[] (%buf[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 1>)
          scf.yield %put : !air.async.token
        }
        %freed = air.execute [%drained] {
          memref.dealloc %buf : memref<8x64xi32, 1>
        }
        scf.yield %freed : !air.async.token
      }
      %herd = air.herd @h async tile (%i, %j) in (%si=%c1_0, %sj=%c1_0) {
        %c0_1 = arith.constant 0 : index
        %c8_1 = arith.constant 8 : index
        %c16_1 = arith.constant 16 : index
        %c64_1 = arith.constant 64 : index
        scf.for %r = %c0_1 to %c16_1 step %c8_1 {
          %row = memref.alloc() : memref<8x64xi32, 2>
          scf.for %k = %c0_1 to %c64_1 step %c16_1 {
            air.channel.get @out2[] (%row[0, %k] [8, 16] [64, 1]) : (memref<8x64xi32, 2>)
          }
          air.channel.put @back2[] (%row[] [] []) : (memref<8x64xi32, 2>)
          memref.dealloc %row : memref<8x64xi32, 2>
        }
      }
      air.wait_all [%rounds, %herd]
    }
    air.wait_all [%fed, %got, %done]
  }
  return
}
