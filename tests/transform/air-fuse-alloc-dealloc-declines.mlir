// RUN: airlite-opt %s --check-each --air-fuse-alloc-dealloc --verify-diagnostics --remarks

func.func private @keep(memref<?xi32>)

func.func @sizes(%n: index) {
  // expected-remark@+1 {{its size is computed}}
  %a = memref.alloc(%n) : memref<?xi32>
  memref.dealloc %a : memref<?xi32>
  // expected-remark@+1 {{the buffer has no dealloc, or several}}
  %b = memref.alloc() : memref<8xi32>
  return
}

// The sum of all iterations.
func.func @accumulates(%in: memref<8xi32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.for %j = %c0 to %c8 step %c1 {
    // expected-remark@+1 {{an iteration may read what an earlier one writes}}
    %a = memref.alloc() : memref<8xi32>
    scf.for %i = %c0 to %c8 step %c1 {
      %v = memref.load %in[%i] : memref<8xi32>
      %o = memref.load %a[%i] : memref<8xi32>
      %s = arith.addi %v, %zero : i32
      memref.store %s, %a[%i] : memref<8xi32>
      memref.copy %a, %out : memref<8xi32> to memref<8xi32>
      memref.copy %in, %out : memref<8xi32> to memref<8xi32>
    }
    memref.dealloc %a : memref<8xi32>
  }
  return
}

// Half of what is read was written before.
func.func @half(%in: memref<4xi32>, %out: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark@+1 {{an iteration may read what an earlier one writes}}
  %a = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c2 step %c1 {
    %at = arith.muli %i, %c2 : index
    %part = memref.subview %a[%at] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1], offset: ?>>
    memref.copy %in, %part : memref<4xi32> to memref<4xi32, strided<[1], offset: ?>>
    %half = memref.subview %a[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
    %to = memref.subview %out[0] [4] [1] : memref<8xi32> to memref<4xi32, strided<[1]>>
    memref.copy %half, %to : memref<4xi32, strided<[1]>> to memref<4xi32, strided<[1]>>
  }
  memref.dealloc %a : memref<8xi32>
  return
}

func.func @levels(%x: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  air.launch () in () args(%l = %x) : memref<8xi32> {
    air.segment @s args(%m = %l) : memref<8xi32> {
      %two = arith.constant 2 : index
      // expected-remark@+1 {{a herd holds buffers of L1 only}}
      %a = memref.alloc() : memref<8xi32, 1>
      air.herd tile (%i, %j) in (%si = %two, %sj = %two) args(%h = %a) : memref<8xi32, 1> {
        %own = memref.alloc() : memref<8xi32, 2>
        air.dma_memcpy_nd (%own[] [] [], %h[] [] []) : (memref<8xi32, 2>, memref<8xi32, 1>)
        memref.dealloc %own : memref<8xi32, 2>
      }
      memref.dealloc %a : memref<8xi32, 1>
    }
  }
  return
}

// What one core writes, another one reads.
func.func @shared(%x: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  // expected-remark@+1 {{what one instance reads may be written by another one}}
  %a = memref.alloc() : memref<8xi32, 2>
  air.herd tile (%i, %j) in (%si = %c2, %sj = %c1) args(%h = %a, %k = %x) : memref<8xi32, 2>, memref<8xi32> {
    air.dma_memcpy_nd (%h[] [] [], %k[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
    %zero = arith.constant 0 : index
    %v = memref.load %h[%zero] : memref<8xi32, 2>
  }
  memref.dealloc %a : memref<8xi32, 2>
  return
}

air.channel @c [1]
// Nobody waits for the put in the loop.
func.func @underway() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  // expected-remark@+1 {{no token and no order of control tells when its uses are over}}
  %a = memref.alloc() : memref<8xi32, 1>
  scf.for %i = %c0 to %c2 step %c1 {
    %t = air.channel.put async @c[] (%a[] [] []) : (memref<8xi32, 1>)
  }
  memref.dealloc %a : memref<8xi32, 1>
  return
}

func.func @token(%x: memref<8xi32>) {
  %c2 = arith.constant 2 : index
  %ta, %a = air.execute -> (memref<8xi32, 2>) {
    // expected-remark@+1 {{its token is an argument of a launch, segment or herd}}
    %alloc = memref.alloc() : memref<8xi32, 2>
    air.execute_terminator %alloc : memref<8xi32, 2>
  }
  %h = air.herd async tile (%i, %j) in (%si = %c2, %sj = %c2) args(%t = %ta, %b = %a, %k = %x) : !air.async.token, memref<8xi32, 2>, memref<8xi32> {
    %d = air.dma_memcpy_nd async [%t] (%b[] [] [], %k[] [] []) : (memref<8xi32, 2>, memref<8xi32>)
  }
  %f = air.execute [%h] {
    memref.dealloc %a : memref<8xi32, 2>
  }
  air.wait_all [%f]
  return
}
