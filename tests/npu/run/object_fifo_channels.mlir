// Channels as object FIFOs: a memory tile gives each of two cores its part of an object and joins what
// they send. What a core reads of a buffer that it has sent before is what it wrote, a get turns what
// arrives, and the offset of a put depends on a loop.
// RUN: airlite-opt %s --air-to-aie='device=npu1 row-offset=2 col-offset=0 use-objectfifo=true' --aie-objectfifo-to-locks --air-to-std --airrt-to-npu > %t.mlir
// RUN: airlite-compile %t.mlir --target=npu1 -o %t.out
// RUN: airlite-run --on=sim %t.out --init=random:3 --output 0=%t.in.npy --output 1=%t.npy
// RUN: airlite-run %s --on=interp --input 0=%t.in.npy --expect 1=%t.npy
// RUN: airlite-run --on=sim %t.out --init=random:4 --output 0=%t.in.npy --output 1=%t.npy --reverse-tiles
// RUN: airlite-run %s --on=interp --input 0=%t.in.npy --expect 1=%t.npy
air.channel @in [1]
air.channel @parts [2]
air.channel @back [2] {buffer_resources = 2 : i32}
air.channel @out [1]
func.func @main(%x: memref<4x32xi32>, %y: memref<4x32xi32>) {
  %c1 = arith.constant 1 : index
  air.launch (%i) in (%s = %c1) args(%a = %x, %b = %y) : memref<4x32xi32>, memref<4x32xi32> {
    %c0 = arith.constant 0 : index
    %p = air.channel.put async @in[%c0] (%a[] [] []) : (memref<4x32xi32>)
    %g = air.channel.get async @out[%c0] (%b[] [] []) : (memref<4x32xi32>)
    air.segment @seg {
      %k0 = arith.constant 0 : index
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      %k4 = arith.constant 4 : index
      %down = memref.alloc() : memref<32xi32, 1>
      %up = memref.alloc() : memref<2x16xi32, 1>
      %start = air.wait_all async
      %sent = scf.for %r = %k0 to %k4 step %k1 iter_args(%t = %start) -> (!air.async.token) {
        %filled = air.channel.get async [%t] @in[%k0] (%down[] [] []) : (memref<32xi32, 1>)
        %left = air.channel.put async [%filled] @parts[%k0] (%down[0] [16] [1]) : (memref<32xi32, 1>)
        %right = air.channel.put async [%filled] @parts[%k1] (%down[16] [16] [1]) : (memref<32xi32, 1>)
        %both = air.wait_all async [%left, %right]
        scf.yield %both : !air.async.token
      }
      %taken = scf.for %r = %k0 to %k4 step %k1 iter_args(%t = %start) -> (!air.async.token) {
        %left = air.channel.get async [%t] @back[%k0] (%up[0, 0] [1, 16] [16, 1]) : (memref<2x16xi32, 1>)
        %right = air.channel.get async [%t] @back[%k1] (%up[1, 0] [1, 16] [16, 1]) : (memref<2x16xi32, 1>)
        %emptied = air.channel.put async [%left, %right] @out[%k0] (%up[] [] []) : (memref<2x16xi32, 1>)
        scf.yield %emptied : !air.async.token
      }
      %done = air.herd @work async tile (%tx, %ty) in (%nx = %k2, %ny = %k1) {
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %h4 = arith.constant 4 : index
        %h8 = arith.constant 8 : index
        %h16 = arith.constant 16 : index
        %zero = arith.constant 0 : i32
        %seven = arith.constant 7 : i32
        %m = memref.alloc() : memref<4x4xi32, 2>
        %n = memref.alloc() : memref<48xi32, 2>
        %h48 = arith.constant 48 : index
        scf.for %k = %h0 to %h48 step %h1 {
          memref.store %zero, %n[%k] : memref<48xi32, 2>
        }
        scf.for %r = %h0 to %h4 step %h1 {
          air.channel.get @parts[%tx] (%m[0, 0] [4, 4] [1, 4]) : (memref<4x4xi32, 2>)
          %first = arith.muli %r, %h8 : index
          scf.for %i = %h0 to %h4 step %h1 {
            scf.for %j = %h0 to %h4 step %h1 {
              %v = memref.load %m[%i, %j] : memref<4x4xi32, 2>
              %w = arith.muli %v, %seven : i32
              %row = arith.muli %i, %h4 : index
              %inside = arith.addi %row, %j : index
              %at = arith.addi %first, %inside : index
              %old = memref.load %n[%at] : memref<48xi32, 2>
              %sum = arith.addi %old, %w : i32
              memref.store %sum, %n[%at] : memref<48xi32, 2>
            }
          }
          air.channel.put @back[%tx] (%n[%first] [16] [1]) : (memref<48xi32, 2>)
        }
        memref.dealloc %m : memref<4x4xi32, 2>
        memref.dealloc %n : memref<48xi32, 2>
      }
      air.wait_all [%sent, %taken, %done]
      memref.dealloc %down : memref<32xi32, 1>
      memref.dealloc %up : memref<2x16xi32, 1>
    }
    air.wait_all [%p, %g]
  }
  return
}
