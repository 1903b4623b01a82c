// RUN: airlite-opt %s --split-input-file --verify-diagnostics --remarks --air-channel-to-l2 --air-to-gpu --emit=none

air.channel @c [2]
func.func @main(%a: memref<2x16xi32>) {
  air.launch () in () args(%la = %a) : memref<2x16xi32> {
    air.segment @s args(%sa = %la) : memref<2x16xi32> {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      // expected-remark@+1 {{channels of cores stay: a core puts and gets by one channel within one loop}}
      air.herd @h tile (%x, %y) in (%sx = %k2, %sy = %k1) args(%ha = %sa) : memref<2x16xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c16 = arith.constant 16 : index
        %other = arith.subi %c1, %x : index
        %b = memref.alloc() : memref<16xi32, 2>
        air.dma_memcpy_nd (%b[] [] [], %ha[%x, %c0] [%c1, %c16] [%c16, %c1]) : (memref<16xi32, 2>, memref<2x16xi32>)
        scf.for %i = %c0 to %c4 step %c1 {
          // expected-error@+1 {{not supported: this channel in a GPU kernel: a core puts and gets by one channel within one loop}}
          %p = air.channel.put async @c[%x] (%b[] [] []) : (memref<16xi32, 2>)
          // expected-error@+1 {{a core puts and gets by one channel within one loop}}
          air.channel.get @c[%other] (%b[] [] []) : (memref<16xi32, 2>)
        }
        memref.dealloc %b : memref<16xi32, 2>
      }
    }
  }
  return
}

// -----

air.channel @c [2]
func.func @main(%a: memref<2x16xi32>) {
  air.launch () in () args(%la = %a) : memref<2x16xi32> {
    air.segment @s args(%sa = %la) : memref<2x16xi32> {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      air.herd @h tile (%x, %y) in (%sx = %k2, %sy = %k1) args(%ha = %sa) : memref<2x16xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c16 = arith.constant 16 : index
        %other = arith.subi %c1, %x : index
        %b = memref.alloc() : memref<16xi32, 2>
        air.dma_memcpy_nd (%b[] [] [], %ha[%x, %c0] [%c1, %c16] [%c16, %c1]) : (memref<16xi32, 2>, memref<2x16xi32>)
        %z = arith.constant 0 : i32
        %v = memref.load %b[%c0] : memref<16xi32, 2>
        %q = arith.cmpi eq, %v, %z : i32
        // expected-remark@+1 {{channels of cores stay: a transfer stands in what ids and loops do not decide: 'scf.if'}}
        scf.if %q {
          // expected-error@+1 {{a transfer stands in what ids and loops do not decide: 'scf.if' (}}
          air.channel.put @c[%x] (%b[] [] []) : (memref<16xi32, 2>)
        }
        // expected-error@+1 {{not supported: this channel}}
        air.channel.get @c[%other] (%b[] [] []) : (memref<16xi32, 2>)
        memref.dealloc %b : memref<16xi32, 2>
      }
    }
  }
  return
}

// -----

air.channel @c [1]
func.func @main(%a: memref<2x16xi32>) {
  air.launch () in () args(%la = %a) : memref<2x16xi32> {
    air.segment @s args(%sa = %la) : memref<2x16xi32> {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      air.herd @h tile (%x, %y) in (%sx = %k2, %sy = %k1) args(%ha = %sa) : memref<2x16xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c16 = arith.constant 16 : index
        %other = arith.subi %c1, %x : index
        %b = memref.alloc() : memref<16xi32, 2>
        air.dma_memcpy_nd (%b[] [] [], %ha[%x, %c0] [%c1, %c16] [%c16, %c1]) : (memref<16xi32, 2>, memref<2x16xi32>)
        // expected-error@+2 {{several cores use one place}}
        // expected-remark@+1 {{channels of cores stay: several cores use one place}}
        %p = air.channel.put async @c[] (%b[] [] []) : (memref<16xi32, 2>)
        // expected-error@+1 {{several cores use one place (}}
        air.channel.get @c[] (%b[] [] []) : (memref<16xi32, 2>)
        memref.dealloc %b : memref<16xi32, 2>
      }
    }
  }
  return
}

// -----

// expected-remark@+1 {{channels of cores stay: a place is not given as many elements as are taken from it}}
air.channel @c [2]
func.func @main(%a: memref<2x16xi32>) {
  air.launch () in () args(%la = %a) : memref<2x16xi32> {
    air.segment @s args(%sa = %la) : memref<2x16xi32> {
      %k1 = arith.constant 1 : index
      %k2 = arith.constant 2 : index
      air.herd @h tile (%x, %y) in (%sx = %k2, %sy = %k1) args(%ha = %sa) : memref<2x16xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c4 = arith.constant 4 : index
        %c16 = arith.constant 16 : index
        %other = arith.subi %c1, %x : index
        %b = memref.alloc() : memref<16xi32, 2>
        air.dma_memcpy_nd (%b[] [] [], %ha[%x, %c0] [%c1, %c16] [%c16, %c1]) : (memref<16xi32, 2>, memref<2x16xi32>)
        // expected-error@+1 {{a place is not given as many elements as are taken from it (}}
        air.channel.get @c[%other] (%b[] [] []) : (memref<16xi32, 2>)
        memref.dealloc %b : memref<16xi32, 2>
      }
    }
  }
  return
}

// -----

// Each herd waits for the other one before it is done.
air.channel @c [1]
air.channel @d [1]
func.func @main(%a: memref<16xi32>) {
  air.launch () in () args(%la = %a) : memref<16xi32> {
    air.segment @s args(%sa = %la) : memref<16xi32> {
      %k1 = arith.constant 1 : index
      %t = air.herd @second async tile (%x, %y) in (%sx = %k1, %sy = %k1) args(%ha = %sa) : memref<16xi32> {
        %b = memref.alloc() : memref<16xi32, 2>
        // expected-remark@+2 {{channels of cores stay: the get stands before a put, or in one loop with it}}
        // expected-error@+1 {{parts of a kernel run in the order of the program}}
        air.channel.get @c[] (%b[] [] []) : (memref<16xi32, 2>)
        air.dma_memcpy_nd (%ha[] [] [], %b[] [] []) : (memref<16xi32>, memref<16xi32, 2>)
        // expected-error@+1 {{the get stands before a put, or in one loop with it}}
        air.channel.put @d[] (%b[] [] []) : (memref<16xi32, 2>)
        memref.dealloc %b : memref<16xi32, 2>
      }
      %u = air.herd @first async tile (%x, %y) in (%sx = %k1, %sy = %k1) {
        %z = arith.constant 0 : i32
        %b = memref.alloc() : memref<16xi32, 2>
        linalg.fill ins(%z : i32) outs(%b : memref<16xi32, 2>)
        // expected-error@+1 {{the get stands before a put, or in one loop with it}}
        air.channel.put @c[] (%b[] [] []) : (memref<16xi32, 2>)
        // expected-error@+1 {{the get stands before a put, or in one loop with it}}
        air.channel.get @d[] (%b[] [] []) : (memref<16xi32, 2>)
        memref.dealloc %b : memref<16xi32, 2>
      }
      air.wait_all [%t, %u]
    }
  }
  return
}

// -----

// Rounds of the two loops are not the same ones.
// expected-remark@+1 {{its transfers, each with a place of its own, take more than 65536 bytes}}
air.channel @c [1]
func.func @main(%a: memref<16xi32>) {
  air.launch () in () args(%la = %a) : memref<16xi32> {
    air.segment @s args(%sa = %la) : memref<16xi32> {
      %k1 = arith.constant 1 : index
      %u = air.herd @first async tile (%x, %y) in (%sx = %k1, %sy = %k1) {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2050 = arith.constant 2050 : index
        %z = arith.constant 0 : i32
        %b = memref.alloc() : memref<8xi32, 2>
        linalg.fill ins(%z : i32) outs(%b : memref<8xi32, 2>)
        scf.for %i = %c0 to %c2050 step %c1 {
          // expected-error@+1 {{take more than 65536 bytes}}
          air.channel.put @c[] (%b[] [] []) : (memref<8xi32, 2>)
        }
        memref.dealloc %b : memref<8xi32, 2>
      }
      %t = air.herd @second async tile (%x, %y) in (%sx = %k1, %sy = %k1) args(%ha = %sa) : memref<16xi32> {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c1025 = arith.constant 1025 : index
        %b = memref.alloc() : memref<16xi32, 2>
        scf.for %i = %c0 to %c1025 step %c1 {
          // expected-error@+1 {{take more than 65536 bytes}}
          air.channel.get @c[] (%b[] [] []) : (memref<16xi32, 2>)
        }
        air.dma_memcpy_nd (%ha[] [] [], %b[] [] []) : (memref<16xi32>, memref<16xi32, 2>)
        memref.dealloc %b : memref<16xi32, 2>
      }
      air.wait_all [%t, %u]
    }
  }
  return
}

// -----

air.channel @c [1]
func.func @main(%a: memref<16xi32>) {
  air.launch () in () args(%la = %a) : memref<16xi32> {
    air.segment @s args(%sa = %la) : memref<16xi32> {
      %k1 = arith.constant 1 : index
      air.herd @first tile (%x, %y) in (%sx = %k1, %sy = %k1) {
        %z = arith.constant 0 : i32
        %b = memref.alloc() : memref<16xi32, 2>
        linalg.fill ins(%z : i32) outs(%b : memref<16xi32, 2>)
        // expected-remark@+2 {{channels of cores stay: it sends several times, or to some of its places}}
        // expected-error@+1 {{it sends several times, or to some of its places}}
        air.channel.put @c[] (%b[] [] []) {air.refeed_count = 2 : i64} : (memref<16xi32, 2>)
        memref.dealloc %b : memref<16xi32, 2>
      }
      air.herd @second tile (%x, %y) in (%sx = %k1, %sy = %k1) args(%ha = %sa) : memref<16xi32> {
        %b = memref.alloc() : memref<16xi32, 2>
        // expected-error@+1 {{it sends several times, or to some of its places (}}
        air.channel.get @c[] (%b[] [] []) : (memref<16xi32, 2>)
        // expected-error@+1 {{it sends several times, or to some of its places (}}
        air.channel.get @c[] (%b[] [] []) : (memref<16xi32, 2>)
        air.dma_memcpy_nd (%ha[] [] [], %b[] [] []) : (memref<16xi32>, memref<16xi32, 2>)
        memref.dealloc %b : memref<16xi32, 2>
      }
    }
  }
  return
}
